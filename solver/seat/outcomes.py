"""What a seat scores for what its side takes, by the game's own settlement of deals played out.

A double-dummy value says what the collecting side takes together, and whether it takes no trick or all of them. Where
that decides a seat's score it is read off `Game.settle`. Where it does not (a defender of Thousand scores its own
points, and no search of two sides says which defender gets them) the declarer's score with its sign turned stands for
it, if there is a declarer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from solver.model.cards import Card
from solver.model.errors import TrickwiseError
from solver.model.play import Position
from solver.worlds.sample import Worlds

__all__ = ["ALL", "NONE", "SOME", "Outcomes"]

#: Tricks of the collecting side.
NONE, SOME, ALL = range(3)


class Outcomes:
    """Scores of one seat over the worlds of its knowledge.

    Parameters
    ----------
    worlds
        Of the knowledge.
    sides
        Collecting seats of each world, as bits.

    Attributes
    ----------
    turned
        Whether the score is the declarer's with its sign turned.
    why
        Why there is no score; empty where there is one.
    """

    def __init__(self, worlds: Worlds, sides: NDArray[np.int64]) -> None:
        self.worlds, self.game, self.seat = worlds, worlds.knowledge.game, worlds.knowledge.seat
        self.why = ""
        self.turned = False
        self.samples: dict[int, int] = {}  # a world of each side, that with the least put away
        for side in dict.fromkeys(sides.tolist()):
            index = np.flatnonzero(sides == side)
            self.samples[side] = int(index[np.argmin(worlds.banked[index])])
        self.starts = {side: worlds.start(i) for side, i in self.samples.items()}
        self.score = cache(self._score)
        self._settle()

    def _settle(self) -> None:
        """Find out whether there is a score, and whose."""
        contract = self.worlds.contract(0)
        if not self.worlds.sides.any() and not self.counts_tricks:
            self.why = "each seat plays for itself, so that a score depends on how the others share their points"
            return
        need = self.game.need(contract)
        probes = {0, self.whole // 3, self.whole // 2, self.whole}
        probes |= {need.amount, need.amount - 1} if need is not None and need.measure == "points" else set()
        try:
            for side in self.samples:
                for took in sorted(p for p in probes if 0 <= p <= self.whole):
                    found = {self._scored(side, took, SOME, way, self.seat) for way in self._ways(side)}
                    self.turned |= len(found) > 1
        except TrickwiseError as wrong:
            self.why = str(wrong)
            return
        if self.turned and (contract.declarer is None or any((s >> self.seat) & 1 for s in self.samples)):
            self.why = "what a seat scores depends on more than its side's points"

    @cached_property
    def start(self) -> Position:
        """A position before the first lead."""
        return self.worlds.start(0)

    @cached_property
    def whole(self) -> int:
        """All that the play brings, marriages with it."""
        rules, hands = self.start.rules, self.start.hands
        cards = sum(rules.value_of[card] for hand in hands for card in hand)
        marriages = sum(m.bonus for m in rules.marriages)
        return cards + len(hands[0]) * rules.trick_value + rules.last_value + marriages

    @cached_property
    def counts_tricks(self) -> bool:
        """Whether tricks are all that counts, so that the points are the tricks."""
        rules = self.start.rules
        return rules.trick_value == 1 and not any(v for v in rules.value_of.values())

    @cached_property
    def most(self) -> int:
        """Most that a side can have in all: what it put away, and all that the play brings."""
        return self.whole + int(self.worlds.banked.max())

    def _end(self, side: int, took: int, tricks: int, mine: int, other: int, more: int) -> Position:
        """An end of the play in which seat `mine` takes all of its side's and `other` all of the others'."""
        start, size = self.starts[side], len(self.start.hands[0])
        own = took if self.counts_tricks else {NONE: 0, SOME: min(1, size - 1), ALL: size}[tricks]
        points, taken = [0] * self.game.seats, [0] * self.game.seats
        points[mine], taken[mine] = took, own
        points[other] += max(0, self.whole - took) + more if other != mine else 0
        taken[other] += size - own if other != mine else 0
        nothing = (frozenset[Card](),) * self.game.seats
        members = frozenset(s for s in range(self.game.seats) if (side >> s) & 1)
        return replace(start, hands=nothing, side=members, points=tuple(points), tricks=tuple(taken), first_lead=False)

    def _ways(self, side: int) -> list[tuple[int, int, int]]:
        """Ways in which points may be spread within the sides, as `_end` takes them; the seat takes its own's first."""
        seats = range(self.game.seats)
        members = [s for s in seats if (side >> s) & 1]
        others = [s for s in seats if s not in members] or members
        ways = [(members[0], others[0], 0), (members[-1], others[-1], 0)]
        own = (self.seat, others[0], 0) if self.seat in members else (members[0], self.seat, 0)
        ways = [own, *ways]
        return [*ways, (members[0], others[0], 40)] if self.start.rules.marriages else ways

    def _scored(self, side: int, took: int, tricks: int, way: tuple[int, int, int], whose: int) -> int:
        contract = self.worlds.contract(self.samples[side])
        return self.game.settle(self._end(side, took, tricks, *way), contract).scores[whose]

    def _score(self, side: int, total: int, tricks: int) -> int:
        """Score of the seat when the side has `total` in all, and takes no trick, some or all."""
        took = max(0, total - int(self.worlds.banked[self.samples[side]]))
        if not self.turned:
            return self._scored(side, took, tricks, self._ways(side)[0], self.seat)
        declarer = self.worlds.contract(0).declarer
        assert declarer is not None
        return -self._scored(side, took, tricks, (declarer, self.seat, 0), declarer)

    def settled(self, index: int, after: Position, more: tuple[int, ...]) -> tuple[int, ...]:
        """Scores of all seats when each takes `more` tricks after a card; for games that count tricks."""
        took = tuple(a + b for a, b in zip(after.tricks, more, strict=True))
        end = replace(after, hands=(frozenset(),) * self.game.seats, trick=(), points=took, tricks=took)
        return self.game.settle(end, self.worlds.contract(index)).scores

    @cached_property
    def range(self) -> tuple[int, int]:
        """Least and most that the seat can score."""
        found = [self.score(side, total, SOME) for side in self.samples for total in range(self.most + 1)]
        found += [self.score(side, total, c) for side in self.samples for total in (0, self.most) for c in (NONE, ALL)]
        return min(found), max(found)

    def bounds(self, side: int, low: int, high: int, first: int, last: int) -> tuple[int, int]:
        """Least and most score for a total from `low` to `high` and tricks from `first` to `last`."""
        if low == high and first == last:
            one = self.score(side, low, first)
            return one, one
        found = [self.score(side, t, c) for t in range(low, high + 1) for c in range(first, last + 1)]
        return min(found), max(found)
