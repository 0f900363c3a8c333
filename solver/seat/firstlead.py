"""What the numbers at the first lead share: thresholds of each world, and the card that a seat chooses.

`Chooser` picks a seat's card over worlds of that seat's own knowledge: one card for all of them, the maximum of the
mean and not the mean of the maxima.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.deals.success import Levels, Runner, Searchable
from solver.games import Game
from solver.games.base import Rung
from solver.kernels.table import Memory
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Move, Position
from solver.seat.candidates import Candidates, candidates
from solver.seat.seatviews import Views, went_on
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

__all__ = [
    "FEW", "OWN_WORLDS", "Answers", "Chooser", "Here", "answers", "at_first_lead", "cheapest", "choose",
    "default_bid", "nearby", "needs_of", "prefix", "reached_in",
]  # fmt: skip

#: Up to so many worlds of its own a seat considers all of them.
FEW = 70
#: Worlds that a seat draws for a decision, unless a number is named.
OWN_WORLDS = 8
#: Thresholds on either side of the one in question that decide between equal cards.
_NEAR = 2

_Bools = NDArray[np.bool_]


# ---------------------------------------------------------------------- the question


def at_first_lead(knowledge: Knowledge) -> Knowledge:
    """The same knowledge, checked to be at the first lead; a seat that plays for itself becomes the side.

    Raises
    ------
    NotationError
        When the play has not begun, or some card has been played.
    UnsupportedError
        When the contract has no thresholds.
    """
    known = knowledge
    if known.position is None and known.agreed is None:
        with suppress(TrickwiseError):
            known = known.contract("")
    if known.position is None or known.agreed is None:
        raise NotationError("the play has not begun: tell the contract with its plan first")
    if known.play:
        raise NotationError(f"{len(known.play)} cards are played: these numbers are for the first lead")
    contract = known.agreed
    if not known.game.ladder(contract):
        raise UnsupportedError(f"{contract.kind or known.game.name}: the contract has no thresholds to reach")
    if contract.declarer is None and contract.side is None and known.game.each_for_itself:
        return known.contract(replace(contract, side=frozenset({known.seat})))
    return known


def default_bid(worlds: Worlds) -> int:
    """The contract's target.

    Raises
    ------
    NotationError
        When there is none.
    """
    bid = worlds.contract(0).target
    if bid is None:
        raise NotationError("the contract names no target: name one, as in '2 by 0', or a bid")
    return bid


def nearby(game: Game, contract: Contract, bid: int) -> tuple[int, ...]:
    """Bids of the ladder around one, two on each side.

    Raises
    ------
    NotationError
        When the ladder lacks it.
    UnsupportedError
        When there is no ladder.
    """
    ladder = [rung.bid for rung in game.ladder(contract)]
    if not ladder:
        raise UnsupportedError(f"{contract.kind or game.name}: the contract has no thresholds to reach")
    if bid not in ladder:
        raise NotationError(f"bid {bid}: expected one of {', '.join(map(str, ladder))}")
    at = ladder.index(bid)
    return tuple(ladder[max(0, at - _NEAR) : at + _NEAR + 1])


def _rungs(worlds: Worlds, i: int, bids: Sequence[int]) -> list[Rung]:
    """Rungs of these bids in world i; points need less where the side begins with some."""
    game, contract = worlds.knowledge.game, worlds.contract(i)
    more = int(worlds.banked[i]) - game.banked(contract)
    ladder = {rung.bid: rung for rung in game.ladder(contract)}
    if missing := [bid for bid in bids if bid not in ladder]:
        raise NotationError(f"bid {missing[0]}: expected one of {', '.join(map(str, ladder))}")
    rungs = [ladder[bid] for bid in bids]
    return [r._replace(need=r.need - more) if r.measure == "points" else r for r in rungs]


def needs_of(worlds: Worlds, bids: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """What the side must take from the play for rising bids, ``int64[worlds, bids]`` by measure; all must be reached.

    A bid that counts in the other measure (all tricks; any trick when the bury holds the points) has here what the bid
    below it needs, which it implies.
    """
    one = worlds.knowledge.situation
    varies = any(one.place(kind) is not None for kind in ("bury", "under", "talon"))
    rows = [_rungs(worlds, i, bids) for i in range(len(worlds) if varies else 1)]
    out = {}
    for measure in sorted({r.measure for row in rows for r in row}):
        given = [[r.need if r.measure == measure else 0 for r in row] for row in rows]
        rising = np.maximum.accumulate(np.array(given, np.int64), axis=1)
        out[measure] = np.broadcast_to(rising, (len(worlds), len(bids)))
    return out


def reached_in(start: Position, end: Position, needs: dict[str, NDArray[np.int64]], i: int, at: int) -> bool:
    """Whether the side of world i reached a bid in a deal played out."""
    took = {"points": end.collected - start.collected, "tricks": sum(end.tricks[s] for s in end.side)}
    return all(took[measure] >= need[i, at] for measure, need in needs.items())


def prefix(done: _Bools) -> int:
    """Worlds before the first that is missing: which of the later ones finish before an interrupt is no chance."""
    missing = np.flatnonzero(~done)
    return int(missing[0]) if len(missing) else len(done)


# ---------------------------------------------------------------------- cards over worlds


class Here(Runner):
    """Searches on the calling thread, in the memory that a worker was given."""

    def __init__(self, memory: Memory, limit: int) -> None:
        super().__init__(workers=1, limit=limit)
        self.memory = memory

    def run(self, *tasks: Searchable) -> list[Levels]:
        """Search every deal of the tasks."""
        found = [one.answer(np.ones(len(one), np.bool_)) for one in tasks]
        for one, answer in zip(tasks, found, strict=True):
            one.search(slice(0, len(one)), answer, self.memory, self.limit)
        return found


class Answers(NamedTuple):
    """Whether the collecting side surely and possibly reaches each bid after each card.

    Parameters
    ----------
    low, high
        ``bool[worlds, cards, bids]``.
    done
        Which worlds were searched.
    member
        ``bool[worlds]``, whether the seat on turn is on the collecting side.
    """

    low: _Bools
    high: _Bools
    done: _Bools
    member: _Bools

    def own(self) -> tuple[_Bools, _Bools]:
        """`low` and `high` of what the seat wants: that its side reaches the bid, or that the others fail."""
        member = self.member[:, None, None]
        return np.where(member, self.low, ~self.high), np.where(member, self.high, ~self.low)


def answers(cards: Candidates, bids: Sequence[int], runner: Runner) -> Answers:
    """Search every card of the seat on turn in all worlds of `cards`, for rising bids."""
    worlds, shape = cards.worlds, (len(cards.worlds), len(cards.moves), len(bids))
    low, high, done = np.ones(shape, np.bool_), np.ones(shape, np.bool_), np.ones(shape[0], np.bool_)
    for measure, needs in needs_of(worlds, bids).items():
        tricks = measure == "tricks"
        taken = cards.taken(tricks=tricks) - (0 if tricks else worlds.banked[:, None])
        left = (needs[:, None, :] - taken[:, :, None])[:, cards.first]

        def some(index: NDArray[np.int64], left: NDArray[np.int64] = left) -> NDArray[np.int64]:
            return left[index]

        found = cards.search(runner, np.arange(shape[0]), some, tricks=tricks)
        low &= found.low[:, :, None] > np.arange(len(bids))
        high &= found.high[:, :, None] > np.arange(len(bids))
        done &= found.done
    member = (cards.sides >> cards.position.turn) & 1 == 1
    return Answers(low, high, done, member)


def cheapest(position: Position, moves: Sequence[Move]) -> list[int]:
    """Places of the moves, the cheapest first: fewest points, then the weakest in its suit, then the first suit."""
    rules = position.rules
    suits = [name for name, _ in rules.suits]

    def cost(k: int) -> tuple[int, int, int, bool]:
        card = moves[k].card
        return rules.value_of[card], rules.strength[card], suits.index(rules.suit_of[card]), moves[k].declare

    return sorted(range(len(moves)), key=cost)


def choose(found: Answers, at: int, order: Sequence[int]) -> int:
    """Place of the card that is best for the seat at bid number `at`, over all worlds together.

    Among cards equal there the one that is better at all bids together is taken, then the first in `order`.
    """
    low, high = found.own()
    score = low.sum(axis=0, dtype=np.int64) + high.sum(axis=0)  # whole numbers, so that equal cards are equal
    return max(order, key=lambda k: (score[k, at], score[k].sum()))  # the first of equals


# ---------------------------------------------------------------------- a seat's choice


@dataclass
class Chooser:
    """Picks cards for seats over worlds of their own knowledge, double dummy in each.

    A decision over all worlds of a seat depends on nothing but what it knows. In the kit, where suits and seats are
    alike, it is kept for all that is the same up to the names of suits and seats.

    Parameters
    ----------
    game
        What is played.
    bids
        Rising bids.
    own_worlds
        How many worlds a seat draws; all are taken where there are no more than that or `FEW`.
    kept
        Decisions of the kit; choosers may share them.
    """

    game: Game
    bids: tuple[int, ...]
    own_worlds: int = OWN_WORLDS
    kept: dict[object, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def pick(
        self, views: Views, i: int, start: Position, position: Position, moves: Sequence[Move], memory: Memory, *,
        seed: int, limit: int = 0,
    ) -> tuple[tuple[Move, ...], bool]:  # fmt: skip
        """Card of the seat on turn in world i, for each bid, and whether all worlds of the seat were considered.

        Parameters
        ----------
        views
            Of the worlds.
        i
            Which world.
        start, position
            Of that world, before the first lead and now.
        moves
            Cards played between them.
        memory, limit
            For the search.
        seed
            Of the worlds that the seat draws.
        """
        key, names = self._key(start, position, moves) if self.game.suits_alike else (None, {})
        if key is not None and key in self.kept:
            cards = {number: card for card, number in names.items()}
            return tuple(Move(cards[number]) for number in self.kept[key]), True
        view = went_on(views.of(i, position.turn), moves, views.worlds.contract(i).under)
        drawn = view.sample(self.own_worlds, seed=seed, limit=max(FEW, self.own_worlds))
        cards_of = candidates(drawn, drawn.sides)
        found = answers(cards_of, self.bids, Here(memory, limit))
        order = cheapest(position, cards_of.moves)
        if key is not None:  # the first suit is no rule where suits are alike: the first by their new names is
            order.sort(key=lambda k: (position.rules.strength[cards_of.moves[k].card], names[cards_of.moves[k].card]))
        best = tuple(cards_of.moves[choose(found, at, order)] for at in range(len(self.bids)))
        if key is not None and drawn.exact:
            self.kept[key] = tuple(names[move.card] for move in best)
        return best, drawn.exact

    def _key(self, start: Position, position: Position, moves: Sequence[Move]) -> tuple[object, dict[Card, int]]:
        """What the seat on turn knows, with suits and seats named anew, and the new number of each card.

        Suits are named such that the own hand and the cards played, in their order, are least; a hand that does not
        change when two suits do may be named in two ways, which lead to the same chances.
        """
        seats, me, rules = self.game.seats, position.turn, position.rules
        size, count = len(rules.suits[0][1]), len(rules.suits)
        numbers = {card: (s, r) for s, (_, cards) in enumerate(rules.suits) for r, card in enumerate(cards)}
        trump = None if start.trump is None else [name for name, _ in rules.suits].index(start.trump)
        hand, played = [numbers[c] for c in start.hands[me]], [numbers[m.card] for m in moves]
        best: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None = None
        for order in permutations(range(count)):
            if trump is not None and order[trump] != trump:
                continue
            word = tuple(sorted(order[s] * size + r for s, r in hand)), tuple(order[s] * size + r for s, r in played)
            if best is None or word < best[:2]:
                best = (*word, order)
        assert best is not None
        side = tuple(sorted((s - me) % seats for s in position.side))
        names = {card: best[2][s] * size + r for card, (s, r) in numbers.items()}
        return (self.game, self.bids, best[:2], (start.leader - me) % seats, side, trump), names
