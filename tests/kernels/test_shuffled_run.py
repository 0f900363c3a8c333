"""One long run in one process: games, seats and options mixed, each answer against the plain twin.

The other suites begin each rule set afresh. Here searches of all games share the thread's memories as in real use,
earlier ones are asked again after others have used their memory, and some are cut short, so that whatever one search
leaves behind for the next shows as a wrong value or as other work than in a memory nobody used before.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np
import pytest

import every_game
import twin
from rule_sets import RULE_SETS, RuleSet
from solver.deals.doubledummy import position_cards
from solver.deals.search import Search, memory_bits, thread_memory
from solver.kernels.batch import levels
from solver.kernels.table import DEALS, GENERATION, STAMP, new_memory
from solver.model.layout import layout_of
from solver.model.play import Move, Position

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))

#: Cards a hand by the number of seats, as often as they stand here; the twin needs 0.1 to 15 ms for most.
CARDS = {
    2: (2, 3, 4, 5, 5, 6),
    3: (2, 3, 3, 3, 4, 4),
    4: (2, 2, 3, 3, 3),
    5: (1, 2, 2, 2, 3),
    6: (1, 2, 2, 2),
    7: (1, 2, 2, 2),
}

#: Earlier searches that stay in use.
KEPT = 8


@dataclass
class Question:
    """A position, what the twin says of each move, and the solver's search of it."""

    position: Position
    wanted: dict[Move, int]
    note: str
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.search = Search(self.position)
        self.value = self.best(self.wanted.values())

    @property
    def best(self) -> Callable[..., int]:
        """What the seat on turn looks for."""
        collects = (self.position.turn in self.position.side) != self.position.rules.misere
        return max if collects else min

    def ask_value(self, rng: random.Random) -> None:
        assert self.search.value(self.position) == (self.value, self.value), self.note

    def ask_target(self, rng: random.Random) -> None:
        """Whether a contract at the value, above it and elsewhere is made."""
        needs = [self.value, self.value + 1, self.value + rng.randrange(-9, 10)]
        for need in rng.sample(needs, 3):
            assert self.search.reaches(self.position, need) is (need <= self.value), f"{self.note}\nneed {need}"

    def ask_cards(self, rng: random.Random) -> None:
        """Every card as users see it: values, which are best, what the others lose."""
        frame = position_cards(self.position)
        rows = frame[frame["legal"]]
        got = {Move(*key): value for *key, value in zip(rows["card"], rows["declare"], rows["value"], strict=True)}
        total = self.position.collected
        assert got == {move: total + value for move, value in self.wanted.items()}, self.note
        assert list(rows["best"]) == [value == total + self.value for value in rows["value"]], self.note
        assert list(rows["loss"]) == [abs(value - total - self.value) for value in rows["value"]], self.note

    def ask_after(self, rng: random.Random) -> None:
        """The same search about what follows a card."""
        move = rng.choice(sorted(self.wanted))
        after = self.position.play(move)
        rest = self.wanted[move] - (after.collected - self.position.collected)
        assert self.search.value(after) == (rest, rest), f"{self.note}\nafter {move}"

    def ask_limited(self, rng: random.Random) -> None:
        """A search that its limit ends leaves true bounds, and nothing that misleads the next."""
        low, high = Search(self.position, limit=rng.randrange(1, 40)).value(self.position)
        assert low <= self.value <= high, self.note

    def ask_batch(self, rng: random.Random) -> None:
        """The deal twice in one call of the batch, with another side between, as estimates ask."""
        if self.position.trick:
            return
        layout = layout_of(self.position.rules)
        state, _ = layout.state(self.position)
        barred = int(self.position.first_lead and not self.position.rules.marriage_on_first_lead)
        deals = np.array([[layout.encode(hand) for hand in self.position.hands]] * 3, np.uint64)
        everyone = (1 << len(self.position.hands)) - 1
        sides = np.array([self.search.side, everyone ^ self.search.side, self.search.side], np.int64)
        needs = np.array([[self.value - 1, self.value, self.value + 1]] * 3, np.int64)
        low, high, nodes = np.zeros(3, np.int16), np.zeros(3, np.int16), np.zeros(3, np.int64)
        memory = thread_memory(len(layout.cards))
        levels(layout.record, deals, sides, self.position.leader, state, barred, needs, low, high, nodes, memory, 0)
        assert (low[0], high[0], low[2], high[2]) == (2, 2, 2, 2), self.note

    def ask_work(self, rng: random.Random) -> None:
        """The memory that all share leads to the same work as one that nobody used."""
        cards = len(layout_of(self.position.rules).cards)
        shared, unused = Search(self.position), Search(self.position, memory=new_memory(memory_bits(cards)))
        for one in (shared, unused):
            assert one.value(self.position) == (self.value, self.value), self.note
        assert shared.nodes == unused.nodes, self.note


#: What is asked of each position, in any order, and how often.
ASKED = {
    Question.ask_value: 1.0, Question.ask_target: 1.0, Question.ask_cards: 1.0, Question.ask_after: 0.3,
    Question.ask_limited: 0.1, Question.ask_batch: 0.2, Question.ask_work: 0.05,
}  # fmt: skip


Source = RuleSet | every_game.Case

#: Every rule set, and every registered game under its main options.
SOURCES: list[Source] = [*RULE_SETS, *every_game.CASES]


def sources(rng: random.Random, count: int) -> Iterator[Source]:
    """So many of them, each in turn, shuffled anew every time round."""
    rounds = (rng.sample(SOURCES, len(SOURCES)) for _ in range(count // len(SOURCES) + 1))
    return islice(chain.from_iterable(rounds), count)


def drawn(rng: random.Random, source: Source, number: int) -> Question:
    """A random ending under a rule set, or of a deal of a game played at random from its first lead on."""
    table = source.table
    deck = len(table.twin.DECK)
    cards = min(rng.choice(CARDS[table.seats]), deck // table.seats)
    if isinstance(source, RuleSet):
        played = rng.choice([0, 0, 1, 2]) if (cards + 2) * table.seats <= deck else 0
        pos = next(source.positions(number, cards, 1, played=played))
        position = twin.to_position(table, pos)
    else:
        cards = min(cards, source.game.hand_size)
        position = every_game.ending(source, number, cards, on_table=rng.randrange(table.seats))
        pos = every_game.twin_of(source, position)
    return Question(position, twin.move_values(table, pos), twin.show(table, pos, f"no {number}, {source.id}"))


def advance(rng: random.Random) -> None:
    """Put the counters of a memory a few steps before they wrap, as if that many deals had been searched in it.

    They only go forward: what was stamped before is never stamped again.
    """
    counters = thread_memory(rng.choice([12, 24, 32, 52])).counters
    for place, size in ((DEALS, STAMP + 1), (GENERATION, 1 << 32), (GENERATION, 1 << 31)):
        before_wrap = (counters[place] // size + 1) * size - rng.randrange(1, 6)
        counters[place] = max(counters[place], before_wrap)


def run(count: int, *, wraps: bool) -> None:
    """Ask about `count` positions, all of one process's memories."""
    rng = random.Random(f"shuffled, wraps {wraps}")
    earlier: deque[Question] = deque(maxlen=KEPT)
    for number, source in enumerate(sources(rng, count)):
        if wraps and number % 10 == 0:
            advance(rng)
        question = drawn(rng, source, number)
        asked: list[Any] = [ask for ask, share in ASKED.items() if rng.random() < share]
        for ask in rng.sample(asked, len(asked)):
            ask(question, rng)
            if earlier and rng.random() < 0.3:
                rng.choice([Question.ask_value, Question.ask_target, Question.ask_after])(rng.choice(earlier), rng)
        earlier.append(question)


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("wraps, count", [(False, 100_000), (True, 20_000)], ids=["usual", "wraps"])
def test_many_positions_in_one_process(wraps: bool, count: int) -> None:
    run(count // 50 if SMALL else count, wraps=wraps)
