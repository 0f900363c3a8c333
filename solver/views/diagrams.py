"""Hand diagrams for a terminal: suit symbols where it can show them, letters where it cannot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from solver.model.cards import SUIT_SYMBOLS, Card, Deck
from solver.model.deal import Deal
from solver.model.play import Position

__all__ = ["can_show_symbols", "deal_diagram", "hand_diagram", "position_diagram"]

#: Seats from the top of a diagram, clockwise.
COMPASS = ("North", "East", "South", "West")


def can_show_symbols(stream: IO[str]) -> bool:
    """Whether a stream's encoding has the suit symbols."""
    try:
        "".join(SUIT_SYMBOLS.values()).encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def hand_diagram(deck: Deck, cards: Iterable[Card], *, symbols: bool = True) -> str:
    """Write a hand suit by suit, ``♥ A K Q   ♠ 10``, or ``H: A K Q   S: T`` without symbols.

    Parameters
    ----------
    deck
        Gives the order of suits and ranks.
    cards
        The hand.
    symbols
        Whether the suit symbols may be used.
    """
    hand = deck.sort(cards)
    groups = []
    for suit in deck.suits:
        ranks = [card.rank for card in hand if card.suit == suit]
        if symbols:
            ranks = ["10" if rank == "T" else rank for rank in ranks]
        if ranks:
            groups.append(f"{SUIT_SYMBOLS[suit] if symbols else suit + ':'} {' '.join(ranks)}")
    return "   ".join(groups) or "-"


def _rows(rows: list[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {text}".rstrip() for name, text in rows)


def _suit_lines(deck: Deck, hand: Iterable[Card], *, symbols: bool) -> list[str]:
    """Write a hand as one line for each suit, a dash for a void."""
    cards = list(hand)
    parts = [hand_diagram(deck, [c for c in cards if c.suit == suit], symbols=symbols) for suit in deck.suits]
    heads = [SUIT_SYMBOLS[suit] if symbols else f"{suit}:" for suit in deck.suits]
    return [f"{head} -" if part == "-" else part for head, part in zip(heads, parts, strict=True)]


def _compass(hands: list[list[str]]) -> str:
    """North above, West and East side by side, South below."""
    north, east, south, west = ([name, *lines] for name, lines in zip(COMPASS, hands, strict=True))
    left = max(map(len, west)) + 3
    right = left + max(map(len, (*north, *south))) + 3
    middle = [f"{w:<{right}}{e}" for w, e in zip(west, east, strict=True)]
    return "\n".join([*(" " * left + line for line in north), *middle, *(" " * left + line for line in south)])


def deal_diagram(deal: Deal, *, symbols: bool = True) -> str:
    """Show a deal, a seat a line, the talon last; where seats are points of the compass, around a table."""
    game, deck = deal.game, deal.game.deck
    if game.seat_names == COMPASS:
        return _compass([_suit_lines(deck, hand, symbols=symbols) for hand in deal.hands])
    rows = [(game.seat_label(s), hand_diagram(deck, hand, symbols=symbols)) for s, hand in enumerate(deal.hands)]
    if deal.talon:
        rows.append((deal.game.talon_label, hand_diagram(deck, deal.talon, symbols=symbols)))
    return _rows(rows)


def position_diagram(deck: Deck, position: Position, *, symbols: bool = True) -> str:
    """Show the cards left, whose turn it is (``>``), the side that collects (``*``), and what lies on the table."""
    rows = []
    for seat, hand in enumerate(position.hands):
        marks = ("*" if seat in position.side else "") + (" >" if seat == position.turn and not position.over else "")
        rows.append((f"seat {seat}{marks}", hand_diagram(deck, hand, symbols=symbols)))
    if position.trick:
        seats = position.rules.seats
        table = ", ".join(f"{(position.leader + i) % seats} {m}" for i, m in enumerate(position.trick))
        rows.append(("table", table))
    return _rows(rows)
