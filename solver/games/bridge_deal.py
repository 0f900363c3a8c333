"""A bridge deal in PBN: ``N:AKQ.J98.T72.6543 …``, four hands clockwise from the seat named, spades first.

The one line that stands in the tag ``[Deal "…"]`` of a PBN file; `solver.formats.pbn` has the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import NotationError

__all__ = ["RANKS", "SEATS", "SUITS", "find_deal", "read_hands", "write_hands"]

#: Seats in order, clockwise.
SEATS = ("North", "East", "South", "West")
SUITS = "SHDC"
RANKS = "AKQJT98765432"

_FIRST = re.compile(r"\s*([NESW])(?:orth|ast|outh|est)?\s*:", re.IGNORECASE)
_TAG = re.compile(r"\[\s*Deal\s+\"([^\"]*)\"\s*\]", re.IGNORECASE)
_NOTHING = "-–"


def find_deal(text: str) -> str | None:
    """Return the PBN deal in a text: the text itself, or what a tag ``[Deal "…"]`` holds; None where there is none.

    Raises
    ------
    NotationError
        For more than one tag.
    """
    tags: list[str] = _TAG.findall(text)
    if len(tags) > 1:
        raise NotationError(f"read {len(tags)} deals of a PBN file: expected one, give a single [Deal …] tag")
    if tags:
        return tags[0]
    return text if _FIRST.match(text) and "|" not in text else None


def read_hands(text: str) -> tuple[frozenset[Card], ...]:
    """Read a PBN deal.

    Parameters
    ----------
    text
        ``"N:AKQ.J98.T72.6543 …"``; any seat first, any case, ``10`` for the ten, ``-`` for a void suit.

    Returns
    -------
    tuple of frozenset
        Hands of North, East, South and West.

    Raises
    ------
    NotationError
        With the place of what cannot be read, for an unknown hand, and for a card that stands twice.
    """
    first = _FIRST.match(text)
    if first is None:
        raise NotationError(
            f"cannot read the PBN deal {excerpt(text)}: it begins with a seat and a colon, as in 'N:AKQ.J98.T72.6543 …'"
        )
    start = "NESW".index(first[1].upper())
    words = list(re.finditer(r"\S+", text[first.end() :]))
    if len(words) != 4:
        raise NotationError(f"read {len(words)} hands in the PBN deal {excerpt(text)}: expected 4, with spaces between")
    hands: list[frozenset[Card]] = [frozenset()] * 4
    where: dict[Card, int] = {}
    for i, word in enumerate(words):
        seat = (start + i) % 4
        hands[seat] = frozenset(_hand(word[0], first.end() + word.start(), text, seat, where))
    return tuple(hands)


def _hand(word: str, at: int, text: str, seat: int, where: dict[Card, int]) -> list[Card]:
    """Read one hand that begins at a place (from 0); `where` has the places of cards read so far."""
    if word in _NOTHING:
        raise NotationError(
            f"the hand of {SEATS[seat]} at place {at + 1} of {excerpt(text, at + 1)} is unknown: all four are needed"
        )
    suits = word.split(".")
    if len(suits) != 4:
        raise NotationError(
            f"{len(suits)} suits at place {at + 1} of {excerpt(text, at + 1)}: a hand has four, spades hearts diamonds "
            "clubs, with dots between, as in 'AKQ.J98.T72.6543'"
        )
    out: list[Card] = []
    for suit, ranks in zip(SUITS, suits, strict=True):
        if ranks not in (*_NOTHING, ""):
            for found in re.finditer(r"10|.", ranks, re.DOTALL):
                rank = "T" if found[0] == "10" else found[0].upper()
                place = at + found.start() + 1
                if rank not in RANKS:
                    raise NotationError(
                        f"cannot read {excerpt(found[0])} at place {place} of {excerpt(text, place)}: a rank is one of "
                        f"{' '.join(RANKS)}"
                    )
                card = Card(rank + suit)
                if card in where:
                    raise NotationError(
                        f"{card} stands twice, at places {where[card]} and {place} of {excerpt(text, place)}: "
                        "the deck has it once"
                    )
                where[card] = place
                out.append(card)
        at += len(ranks) + 1
    return out


def write_hands(hands: Sequence[frozenset[Card]], first: int = 0) -> str:
    """Write a PBN deal in its one form, beginning with a seat."""
    words = (".".join("".join(r for r in RANKS if r + s in hands[(first + i) % 4]) for s in SUITS) for i in range(4))
    return f"{SEATS[first][0]}:{' '.join(words)}"
