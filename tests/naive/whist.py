"""Whist: four seats, partners opposite, one point for each trick, trump from the card turned up."""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

RANKS = "AKQJT98765432"  # high to low
SUITS = "CDHS"
DECK: list[str] = [r + s for s in SUITS for r in RANKS]
DEFAULTS: dict = {"trump": None}
CONTRACTS = ["7 by 0, trump H", "trump S, by 1, lead 3", "13 by 2, trump C, lead 1", "8 by 3"]


def suit(card: str, ctx: dict) -> str:
    """The printed suit."""
    return card[1]


def value(card: str, ctx: dict) -> int:
    """Single cards score nothing."""
    return 0


def trick_value(ctx: dict) -> int:
    """One point for each trick."""
    return 1


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Follow suit if able, otherwise anything."""
    follow = {c for c in hand if trick and c[1] == trick[0][1][1]}
    return {(c, False) for c in follow or hand}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump, else highest card of the suit led."""
    led = trick[0][1][1]
    trumps = [(RANKS.index(c[0]), s) for s, c in trick if c[1] == ctx.get("trump")]
    return min(trumps or [(RANKS.index(c[0]), s) for s, c in trick if c[1] == led])[1]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """Nothing changes and nothing is credited before the end of the trick."""
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps."""
    return dict(ctx)


def settle(tricks: list[int]) -> list[int]:
    """Tricks above six, for both partners."""
    pairs = [tricks[0] + tricks[2], tricks[1] + tricks[3]]
    return [max(0, pairs[s % 2] - 6) for s in range(4)]
