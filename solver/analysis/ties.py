"""How ties are settled: which plan or card is taken of those that reach the same in the worlds searched.

The order in which plans and cards are listed says nothing about them, so it decides last. Before it come

1. more points in the mean. They are asked only for what is tied in the end. A search for points is dear, so plans are
   halved by them: all tied plans in a few worlds, the better half in more, at a small part of the searches made before;
2. what keeps the better cards: one hand dominates another when, both sorted from the best card, it has a card at least
   as good in every place. Trumps are better than other cards, and cards of one suit as they beat each other; other
   suits are compared by the cards that rank above in their own suit;
3. what gives the opponents least, in card points.

None of it depends on workers or chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.analysis.field import Field, SearchInterruptedError, open_field
from solver.analysis.stakes import Stakes
from solver.analysis.success import Runner
from solver.model.contract import TrickRules
from solver.model.play import Move, Position

__all__ = ["PlanTies", "card_ranks", "preference", "strengths"]

#: Points of tied plans take one search for so many made before, so many in all, but so many worlds of each at least.
SHARE, MOST, FEWEST = 16, 5_000, 8
#: Worlds whose points are asked together: each has as many thresholds as there are points.
BLOCK = 64


def strengths(rules: TrickRules, trump: str | None) -> Mapping[str, int]:
    """How good each card is to keep, whatever its suit: trumps above all others, each suit counted from its best card.

    Where the fewest points win the low cards are the good ones; an under card, which wins nothing, is the worst.
    """
    sign = -1 if rules.misere else 1
    out: dict[str, int] = {}
    for name, cards in rules.suits:
        above = len(rules.suit_of) if name == trump else 0
        out |= {card: sign * (above + place - len(cards)) for place, card in enumerate(cards)}
    if rules.called is not None and rules.called.under is not None:
        out[rules.called.under] = -2 * len(rules.suit_of)
    return out


def preference(kept: NDArray[np.int64], given: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank of each choice, 0 the best: first what no other dominates, then what gives least, then the first.

    Parameters
    ----------
    kept
        ``[choices, cards]``, how good the cards are that each keeps, in any order.
    given
        Points that each gives to opponents.
    """
    sorted_ = -np.sort(-kept, axis=1)
    hands, which = np.unique(sorted_, axis=0, return_inverse=True)
    # As many dominate a hand as dominate what dominates it, and one more: the number puts better hands first.
    better = [int((hands >= hand).all(axis=1).sum()) for hand in hands]
    order = np.lexsort((given, np.array(better, np.int64)[which.ravel()]))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def card_ranks(position: Position, moves: Sequence[Move]) -> NDArray[np.int64]:
    """Rank of each card of the seat on turn, 0 for the one that leaves it the best hand."""
    rules, hand = position.rules, position.hands[position.turn]
    good = strengths(rules, position.trump)
    kept = np.array([[good[card] for card in hand if card != move.card] for move in moves], np.int64)
    return preference(kept, np.array([rules.value_of[move.card] for move in moves], np.int64))


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
        ladder = Stakes(self.field.worlds.knowledge.game, needs, needs, (), ()).ladder
        return open_field(self.field.worlds, self.field.plans, ladder)
