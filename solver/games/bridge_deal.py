"""A bridge deal in PBN: ``N:AKQ.J98.T72.6543 …``, four hands clockwise from the seat named, spades first.

The one line that stands in the tag ``[Deal "…"]`` of a PBN file, and what decides which tags count: comments.
`solver.formats.pbn` has the rest of the file. Suits may bear their letters, ``SAKQ.HJ98.DT72.C6543``; one hand may be
``-``, or the last left out, where the other three are whole: it has the cards that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import NotationError

__all__ = [
    "RANKS", "SEATS", "SUITS", "find_deal", "find_vulnerable", "read_hands", "read_vulnerable", "seen_lines",
    "write_hands",
]  # fmt: skip

#: Seats in order, clockwise.
SEATS = ("North", "East", "South", "West")
SUITS = "SHDC"
RANKS = "AKQJT98765432"

_FIRST = re.compile(r"\s*([NESW])(?:orth|ast|outh|est)?\s*:", re.IGNORECASE)
_TAG = r"\[\s*%s\s+\"([^\"]*)\"\s*\]"
_DEAL_LINE = re.compile(r"\s*\[\s*Deal\s", re.IGNORECASE)
_NOTHING = "-–"

#: Values of the tag Vulnerable, and the option of bridge that each is.
_VULNERABLE = {
    "none": "none", "love": "none", "-": "none", "?": "none", "": "none", "ns": "ns", "ew": "ew", "all": "all",
    "both": "all",
}  # fmt: skip


def read_vulnerable(value: str) -> str:
    """Read who is vulnerable, as in ``None``, ``NS``, ``Both``: the value of bridge's option.

    Raises
    ------
    NotationError
        For any other word.
    """
    known = _VULNERABLE.get(value.strip().lower())
    if known is None:
        raise NotationError(f"Vulnerable is {excerpt(value)}: expected one of None, NS, EW, All")
    return known


def seen_lines(text: str) -> Iterator[tuple[int, str | None]]:
    """Lines of a PBN text by number (from 1), without comments; None for an empty one.

    Raises
    ------
    NotationError
        For a comment in braces that never ends, with the line where it begins; one that hides a board and then meets
        the brace of another comment was not closed where it should have been.
    """
    opened = hidden = 0  # line of a comment that runs over lines, and of a deal in it
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1):
        if not opened and not raw.strip():
            yield number, None
        if not opened and raw.startswith("%"):
            continue
        hidden = 0 if not opened else number if _DEAL_LINE.match(raw) else hidden
        kept: list[str] = []
        quoted = escaped = False
        for ch in raw:
            if opened:
                if ch == "{" and hidden:
                    raise _never_ends(opened, f", but hides the deal of line {hidden}")
                opened = 0 if ch == "}" else opened
                continue
            if not quoted and ch == ";":
                break
            if not quoted and ch == "{":
                opened = number
                continue
            kept.append(ch)
            quoted ^= ch == '"' and not escaped
            escaped = quoted and ch == "\\" and not escaped
        line = "".join(kept).strip()
        if line:
            yield number, line
    if opened:
        raise _never_ends(opened, " and never ends")


def _never_ends(line: int, how: str) -> NotationError:
    return NotationError(f"line {line}: a comment begins with {{ here{how}: close it with }}")


def find_deal(text: str) -> str | None:
    """Return the PBN deal in a text: the text itself, or what a tag ``[Deal "…"]`` holds; None where there is none.

    Raises
    ------
    NotationError
        For more than one tag outside comments.
    """
    tags = _tags(text, "Deal")
    if len(tags) > 1:
        raise NotationError(f"read {len(tags)} deals of a PBN file: expected one, give a single [Deal …] tag")
    if tags:
        return tags[0]
    return text if _FIRST.match(text) and "|" not in text else None


def find_vulnerable(text: str) -> str | None:
    """Who is vulnerable by a tag of a PBN text, as bridge's option says it; None without a tag."""
    tags = _tags(text, "Vulnerable")
    return read_vulnerable(tags[0]) if tags else None


def _tags(text: str, name: str) -> list[str]:
    """Values of a tag outside comments."""
    if "[" not in text:
        return []
    plain = "\n".join(line for _, line in seen_lines(text) if line is not None)
    return re.findall(_TAG % name, plain, re.IGNORECASE)


def read_hands(text: str) -> tuple[frozenset[Card], ...]:
    """Read a PBN deal.

    Parameters
    ----------
    text
        ``"N:AKQ.J98.T72.6543 …"``; any seat first, any case, ``10`` for the ten, ``-`` for a void suit, or for one
        hand where the others have all their 13 cards; the last may be left out then.

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
    if len(words) not in (3, 4):
        raise NotationError(f"read {len(words)} hands in the PBN deal {excerpt(text)}: expected 4, with spaces between")
    hands: list[frozenset[Card]] = [frozenset()] * 4
    where: dict[Card, int] = {}
    unknown = [i for i, word in enumerate(words) if word[0] in _NOTHING]
    for i, word in enumerate(words):
        if i not in unknown:
            seat = (start + i) % 4
            hands[seat] = frozenset(_hand(word[0], first.end() + word.start(), text, where))
    if len(words) == 3 and (unknown or len(where) != 39):
        raise NotationError(f"read 3 hands in the PBN deal {excerpt(text)}: expected 4, or three of 13 cards")
    unknown += [3] if len(words) == 3 else []
    if len(unknown) == 1 and len(where) == 39 and all(len(hand) in (0, 13) for hand in hands):
        hands[(start + unknown[0]) % 4] = frozenset(Card(r + s) for s in SUITS for r in RANKS) - where.keys()
    elif unknown:
        place = first.end() + words[unknown[0]].start() + 1
        raise NotationError(
            f"the hand of {SEATS[(start + unknown[0]) % 4]} at place {place} of {excerpt(text, place)} is unknown: "
            "all four are needed, or three of 13 cards"
        )
    return tuple(hands)


def _hand(word: str, at: int, text: str, where: dict[Card, int]) -> list[Card]:
    """Read one hand that begins at a place (from 0); `where` has the places of cards read so far."""
    suits = word.split(".")
    if len(suits) != 4:
        raise NotationError(
            f"{len(suits)} suits at place {at + 1} of {excerpt(text, at + 1)}: a hand has four, spades hearts diamonds "
            "clubs, with dots between, as in 'AKQ.J98.T72.6543'"
        )
    out: list[Card] = []
    letters = "".join(part[:1] for part in suits).upper()
    named = sorted(letters) == sorted(SUITS)
    for suit, part in zip(letters if named else SUITS, suits, strict=True):
        ranks, at = (part[1:], at + 1) if named else (part, at)
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
