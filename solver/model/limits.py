"""What a legal call or plan says for certain of cards that others do not see.

A game states these beside the rule they follow from; `solver.worlds` turns them into conditions on worlds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solver.model.cards import Card

__all__ = ["HandTest", "Holding", "Limit"]


class Holding(NamedTuple):
    """So many of some cards lie with the declarer: in the hand that it kept, in its bury, or in both together.

    Parameters
    ----------
    cards
        The cards that count.
    where
        ``"kept"`` (the hand at the first lead, an under card included) and ``"bury"``.
    low, high
        The least and the most; no upper end when None.
    """

    cards: frozenset[Card]
    where: frozenset[str]
    low: int = 0
    high: int | None = None


class Limit(NamedTuple):
    """One of several holdings must be true, or the plan was not legal.

    Parameters
    ----------
    any_of
        The holdings.
    why
        The rule, for people: a half-sentence that follows "because".
    """

    any_of: tuple[Holding, ...]
    why: str


class HandTest(NamedTuple):
    """What a call says of a seat's hand as dealt.

    Parameters
    ----------
    seat
        Who called.
    cards
        The cards that it depends on.
    test
        Of those among them that the seat was dealt: whether the call was legal.
    why
        For people, ``"it bid 180, so it was dealt marriages worth 60 or more"``.
    """

    seat: int
    cards: tuple[Card, ...]
    test: Callable[[frozenset[Card]], bool]
    why: str
