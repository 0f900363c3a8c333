"""Ties between plans: more points in the mean, then the cards that each keeps and gives (`solver.seat.ties`).

Points are asked only for what is tied in the end. A search for points is dear, so plans are halved by them: all tied
plans in a few worlds, the better half in more, at a small part of the searches made before. None of it depends on
workers or chunks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.deals.plan_matrix import Field, SearchInterruptedError, open_field, point_rungs
from solver.deals.success import Runner
from solver.seat.ties import preference, strengths

__all__ = ["PlanTies"]

#: Points of tied plans take one search for so many made before, so many in all, but so many worlds of each at least.
SHARE, MOST, FEWEST = 16, 5_000, 8
#: Worlds whose points are asked together: each has as many thresholds as there are points.
BLOCK = 64


@dataclass(frozen=True, eq=False)
class PlanTies:
    """What settles ties between the plans of one decision.

    Parameters
    ----------
    field
        The plans, and the worlds that they are compared in.
    """

    field: Field

    @cached_property
    def _cards(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How good the cards are that each plan keeps, and the points that it gives to others."""
        known, plans = self.field.worlds.knowledge, self.field.plans
        full = known.hand | (known.talon or frozenset())
        kept: list[list[int]] = [[] for _ in plans]
        given = np.zeros(len(plans), np.int64)
        for group in self.field.groups:
            rules = group.position.rules
            good = strengths(rules, group.position.trump)
            for i in group.plans.tolist():
                passed = {card for _, card in plans[i].passes}
                kept[i] = [good[card] for card in full - set(plans[i].bury) - passed]
                given[i] = sum(rules.value_of[card] for card in passed)
        return np.array(kept, np.int64), given

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Rank of each plan among all, 0 the best, points left aside."""
        return preference(*self._cards)

    def settle(self, tied: NDArray[np.int64], worlds: int, searches: int, runner: Runner) -> NDArray[np.int64]:
        """Tied plans from the best: halved by their mean points on more and more of the worlds, then by the cards.

        Parameters
        ----------
        tied
            Numbers of the plans, rising.
        worlds
            The first so many are looked at, as far as they are needed.
        searches
            Made for the decision so far. With 0 no points are asked.
        runner
            Worker threads; after an interrupt the cards settle what is left.
        """
        kept, given = self._cards
        alive = tied[np.argsort(preference(kept[tied], given[tied]))]
        budget = min(searches // SHARE, MOST) // len(tied).bit_length()
        total, start, out = np.zeros(len(alive)), 0, list[int]()
        while searches and len(alive) > 1 and start < worlds:
            stop = min(worlds, start + max(FEWEST, budget // len(alive)))
            try:
                total += self._points(alive, start, stop, runner)
            except SearchInterruptedError:
                break
            order = np.argsort(-total, kind="stable")  # whole numbers: what is equal stays in the order of the cards
            alive, total, start = alive[order], total[order], stop
            if start < worlds:
                half = (len(alive) + 1) // 2
                alive, total, out = alive[:half], total[:half], [*alive[half:].tolist(), *out]
        return np.array([*alive.tolist(), *out], np.int64)

    def _points(self, plans: NDArray[np.int64], start: int, stop: int, runner: Runner) -> NDArray[np.int64]:
        """Twice the points of some plans in some worlds together, with what they put away."""
        runner.total += len(plans) * (stop - start) * bool(runner.total)
        total = np.zeros(len(plans), np.int64)
        by_number = np.argsort(plans)
        for at in range(start, stop, BLOCK):
            found = self._by_points.search(runner, plans[by_number], at, min(at + BLOCK, stop))
            total[by_number] += found.low.sum(axis=1, dtype=np.int64) + found.high.sum(axis=1, dtype=np.int64)
        return total

    @cached_property
    def _by_points(self) -> Field:
        """The same plans and worlds, a threshold for every point that there is."""
        start = self.field.groups[0].position
        rules, size = start.rules, len(start.hands[self.field.declarer])
        most = sum(rules.value_of.values()) + sum(m.bonus for m in rules.marriages)
        needs = tuple(range(1, most + size * rules.trick_value + rules.last_value + 1))
        banked = self.field.worlds.knowledge.game.banked
        return open_field(self.field.worlds, self.field.plans, lambda plan: point_rungs(needs, banked(plan)))
