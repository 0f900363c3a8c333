"""Skat: three seats, one against two; ``ctx["game"]`` is the trump suit, ``"grand"`` or ``"null"``.

In null the seats of a side want few tricks: ``ctx["misere"]`` goes with it.
"""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

SUITS = "CSHD"
DECK: list[str] = [r + s for s in SUITS for r in "AKQJT987"]
DEFAULTS: dict = {"game": "grand", "misere": False}
CONTRACTS = ["hearts by 0", "grand by 1", "diamonds by 2", "90 by 1, trump C, lead 2", "null by 2", "spades by 0"]

CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
NULL_ORDER = "AKQJT987"  # high to low
USUAL_ORDER = "ATKQ987"
JACK_ORDER = "CSHD"


def suit(card: str, ctx: dict) -> str:
    """The printed suit, or ``"T"`` for trumps: jacks, and the trump suit of a suit game."""
    if ctx["game"] == "null":
        return card[1]
    return "T" if card[0] == "J" or card[1] == ctx["game"] else card[1]


def value(card: str, ctx: dict) -> int:
    """Card points; none in null."""
    return 0 if ctx["game"] == "null" else CARD_POINTS.get(card[0], 0)


def trick_value(ctx: dict) -> int:
    """Null counts tricks."""
    return 1 if ctx["game"] == "null" else 0


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Follow suit if able, otherwise anything."""
    if not trick:
        return {(c, False) for c in hand}
    led = suit(trick[0][1], ctx)
    return {(c, False) for c in hand if suit(c, ctx) == led} or {(c, False) for c in hand}


def place(card: str, led: str, ctx: dict) -> tuple[int, int]:
    """Standing of a card in a trick, the smaller the better."""
    if ctx["game"] == "null":
        return (0 if card[1] == led else 1, NULL_ORDER.index(card[0]))
    if card[0] == "J":
        return (0, JACK_ORDER.index(card[1]))
    group = 1 if suit(card, ctx) == "T" else 2 if card[1] == led else 3
    return (group, USUAL_ORDER.index(card[0]))


def winner(trick: Trick, ctx: dict) -> int:
    """Seat with the best jack, else the best trump, else the best card of the suit led."""
    led = suit(trick[0][1], ctx)
    return min(trick, key=lambda played: place(played[1], led, ctx))[0]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """Nothing changes and nothing is credited before the end of the trick."""
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps."""
    return dict(ctx)
