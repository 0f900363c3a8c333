"""Thousand: how each table is seated and dealt, what cards are worth, when a deal is void, and how one ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from solver.games.thousand_options import ThousandOptions
from solver.model.cards import Card
from solver.model.contract import Outcome
from solver.model.deal import Deal

__all__ = [
    "BONUS",
    "POINTS",
    "TABLES",
    "TOP",
    "Raise",
    "Settlement",
    "Table",
    "bonus_in",
    "nearest",
    "redeal_reason",
    "round5",
]

BONUS = {"H": 100, "D": 80, "C": 60, "S": 40}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
#: Highest bid: all card points and all marriages.
TOP = 400
#: A hand of fewer card points is weak, a talon of fewer is bad.
WEAK_HAND, BAD_TALON = 14, 5


class Table(NamedTuple):
    """A way to seat and deal: seats that play, cards dealt, to nobody, and played; seats at the table."""

    seats: int
    hand: int
    talon: int
    played: int
    at_table: int
    words: str


#: By the option `table`.
TABLES = {
    "three": Table(3, 7, 3, 8, 3, "with three seats"),
    "four_sit_out": Table(3, 7, 3, 8, 4, "with three active seats"),
    "four_pairs": Table(4, 6, 0, 6, 4, "in pairs, without a talon,"),
    "two_fixed": Table(2, 10, 4, 10, 2, "with two seats"),
}


class Raise(NamedTuple):
    """An amount to which the contract may be raised; `reachable` tells whether the hand's own marriages allow it."""

    bid: int
    reachable: bool


@dataclass(frozen=True)
class Settlement(Outcome):
    """An outcome with both readings of the contract check.

    Parameters
    ----------
    declarer
        Seat that played.
    made_rounded, made_exact
        Whether the contract is made when card points are rounded before the check, and when they are not.
    surrender
        Whether the declarer gave up before the play.
    """

    declarer: int
    made_rounded: bool
    made_exact: bool
    surrender: bool = False


def bonus_in(hand: frozenset[Card]) -> int:
    """Sum of the bonuses of the marriages in a hand."""
    return sum(worth for suit, worth in BONUS.items() if {"K" + suit, "Q" + suit} <= hand)


def nearest(points: int, step: int = 5) -> int:
    """Nearest multiple of 5 or 10, a half upward: 2 -> 0, 3 -> 5 (RULES.md 3.8)."""
    return (points + step // 2) // step * step


def round5(points: int) -> int:
    """Nearest multiple of 5."""
    return nearest(points)


def _worth(cards: Iterable[Card]) -> int:
    return sum(POINTS[c.rank] for c in cards)


def redeal_reason(deal: Deal, options: ThousandOptions) -> str | None:
    """Why a deal, as dealt, is dealt again by the options; None when it is played."""
    table = TABLES[options.table]
    if len(deal.hands[0]) != table.hand or len(deal.talon) != table.talon:
        return None
    for seat, hand in enumerate(deal.hands):
        nines = sum(c.rank == "9" for c in hand)
        if nines == 4 and (options.redeal_four_nines or options.redeal_three_nines):
            return f"seat {seat} holds four nines"
        if nines == 3 and options.redeal_three_nines:
            return f"seat {seat} holds three nines"
        if options.redeal_weak_hand and _worth(hand) < WEAK_HAND:
            return f"seat {seat} holds {_worth(hand)} card points, less than {WEAK_HAND}"
    if options.redeal_bad_talon and _worth(deal.talon) < BAD_TALON:
        return f"the talon holds {_worth(deal.talon)} card points, less than {BAD_TALON}"
    return None
