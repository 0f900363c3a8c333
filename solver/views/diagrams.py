"""Hand diagrams for a terminal: suit symbols where it can show them, letters where it cannot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from solver.model.cards import SUIT_SYMBOLS, Card, Deck
from solver.model.deal import Deal
from solver.model.play import Position

__all__ = ["can_show_symbols", "deal_diagram", "hand_diagram", "position_diagram"]


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


def deal_diagram(deal: Deal, *, symbols: bool = True) -> str:
    """Show a deal, a seat a line, the talon last."""
    deck = deal.game.deck
    rows = [(f"seat {s}", hand_diagram(deck, hand, symbols=symbols)) for s, hand in enumerate(deal.hands)]
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
