"""What the declarer's plan, which was legal, says of cards that another seat does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError
from solver.worlds.counting import Condition, Counter, at_most

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.situation import Situation

__all__ = ["limit_plan"]


def limit_plan(one: Situation, known: Knowledge, *, passing: bool, stays: bool) -> None:
    """What a legal plan says to those who do not see the declarer's cards.

    Parameters
    ----------
    one
        The situation, with the cards played; limits are added to it.
    known
        Whose knowledge.
    passing
        Whether the declarer gives cards to other seats.
    stays
        Whether the talon lies untouched.
    """
    c = one.contract
    d = None if c is None else c.declarer
    if c is None or d is None or c.side is not None:
        return
    bury, under = one.place("bury"), one.place("under")
    with_declarer = frozenset(x for x in (d, bury, under) if x is not None)
    taken = frozenset(c.taken) or known.talon or frozenset()
    if passing:
        _passed(one, c, taken)
    elif taken and not stays:
        for card in taken & set(one.unseen):
            one.allowed[card] &= with_declarer
    words = {"kept": [d, *([] if under is None else [under])], "bury": [-1] if bury is None else [bury, -1]}
    for limit in one.game.plan_limits(c, under="under" in known.hidden and c.under is None):
        counters, bounds = [], []
        for holding in limit.any_of:
            places = frozenset(place for word in holding.where for place in words[word])
            high = len(one.game.deck) if holding.high is None else holding.high
            cap = holding.low if holding.high is None else max(holding.low, holding.high + 1)
            counters.append(Counter(holding.cards, places, cap))
            bounds.append((holding.low, high))
        if len(bounds) == 1 and bounds[0] == (0, 0):
            wrong = [x for x in counters[0].cards if x in one.where and one.where[x] in counters[0].places]
            if wrong:
                raise IllegalPlayError(f"seat {d} has {one.game.deck.write(wrong)}, but {limit.why}")
            for card in counters[0].cards:
                one.forbid(card, counters[0].places)
            continue
        one.conditions.append(Condition(tuple(counters), _Any(tuple(bounds)).accept, limit.why))


def _passed(one: Situation, contract: Contract, talon: frozenset[Card]) -> None:
    """Of the talon, which all saw, at most the one card passed to it lies with another defender."""
    given = dict(contract.passes)
    for seat in range(one.game.seats):
        if seat in (one.seat, contract.declarer) or not talon:
            continue
        why = f"at most one card of the {one.game.talon_label} lies there, passed by seat {contract.declarer}"
        if seat in given:
            shown = [c for c in talon if one.where.get(c) == seat and c != given[seat]]
            if shown:
                raise IllegalPlayError(f"seat {seat} has {shown[0]} of the {one.game.talon_label}, but was passed "
                                       f"{given[seat]}")  # fmt: skip
            for card in talon:
                one.forbid(card, [seat])
        else:
            one.conditions.append(at_most(1, talon, [seat], why))


class _Any(NamedTuple):
    """Whether one of the counts, at least, is within its bounds."""

    bounds: tuple[tuple[int, int], ...]

    def accept(self, counts: tuple[int, ...]) -> bool:
        return any(low <= n <= high for n, (low, high) in zip(counts, self.bounds, strict=True))
