"""What tests of bids and plans share: a declarer to plan, the game's own start, a runner that only listens."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from solver.bidding.question import as_declarer, ask, open_plans
from solver.deals.halving import Round
from solver.deals.plan_matrix import Found
from solver.deals.search import Search, counting_tricks
from solver.deals.success import Levels, Task
from solver.games import Game
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

#: A picker who may call AH; seven cards of Thousand, and ten with the talon; a bid winner with long spades.
PICKER = "QC QD JS AD TD 9H TC 8H"
SEVEN = "AH KH QH 9H TS JC 9D"
TEN = "AH TH KH QH 9H TS JS JC 9C 9D"
SPADES = "AS KS QS JS TS 9S AH KH AD 2H"


def planner(one: Game, dealt: int | str, contract: str = "", seat: int = 0) -> Knowledge:
    """A declarer who has seen the talon, with these cards or those of a seed."""
    if isinstance(dealt, int):
        deal = one.deal(seed=dealt)
        dealt = one.deck.write(deal.hands[seat] | deal.talon)
    return ask(one, dealt, contract, seat=seat)


def some_plans(known: Knowledge, n: int, seed: int) -> list[Contract]:
    """Some of the plans that are open, in their order."""
    every = list(open_plans(known, as_declarer(known)))
    return [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), min(n, len(every))))]


def start_of(worlds: Worlds, i: int, plan: Contract) -> Position:
    """Start of play of a plan in a world, by the game itself from the deal with its talon."""
    known = worlds.knowledge
    hands = tuple(
        known.hand if s == known.seat else worlds.place_cards(i, s) | (known.shown[s] or frozenset())
        for s in range(known.game.seats)
    )
    return known.game.start(Deal(known.game, hands, known.talon or frozenset()), plan)


def points_and_tricks(start: Position) -> tuple[int, int]:
    """Double-dummy values of the side."""
    bare = Position(**{**start.__dict__, "rules": counting_tricks(start.rules)})
    (points, _), (tricks, _) = Search(start).value(start), Search(bare).value(bare)
    return points, tricks


#: Fewer worlds than usual for the choice of a plan, so that a test of everything else is quick.
QUICK = {
    "thousand": (Round(90, 4), Round(24, 16), Round(8, 40)),
    "sheepshead": (Round(1000, 4), Round(40, 8), Round(10, 24)),
    "three_of_spades": (Round(10**6, 2, 300), Round(20, 4, 500), Round(5, 8)),
}


@dataclass
class Listener:
    """A runner that searches nothing and keeps what it was asked."""

    limit: int = 0
    asked: list[Task] = field(default_factory=list)

    def run(self, task: Task) -> list[Levels]:
        self.asked.append(task)
        nothing = np.zeros(len(task), np.int16)
        return [Levels(nothing, nothing, np.zeros(len(task), np.int64), np.ones(len(task), np.bool_))]


@dataclass
class Lookup:
    """A field whose answers stand in a table, worlds in an order of their own."""

    levels: np.ndarray
    order: np.ndarray | None = None
    high: np.ndarray | None = None
    asked: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def plans(self) -> range:
        return range(len(self.levels))

    @property
    def size(self) -> int:
        return self.levels.shape[1] if self.order is None else len(self.order)

    def search(self, runner: object, plans: np.ndarray, start: int, stop: int) -> Found:
        self.asked.append((len(plans), start, stop))
        worlds = np.arange(start, stop) if self.order is None else self.order[start:stop]
        low, high = (
            np.asarray(x[np.ix_(plans, worlds)], np.int16)
            for x in (self.levels, self.levels if self.high is None else self.high)
        )
        return Found(low, high, np.zeros(low.shape, np.bool_))
