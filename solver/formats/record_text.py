"""A record's text cut into keys and the lines that belong to them."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from solver.model.checks import excerpt
from solver.model.deal import TALON_LABELS
from solver.model.errors import NotationError

__all__ = ["CLAUSES", "Line", "Section", "read_sections", "short", "wrong"]

#: Longest text that is read as a record.
LONGEST = 100_000

#: Most lines that hold anything.
MOST_LINES = 500

#: Longest message.
LONG_MESSAGE = 400

#: Longest line.
WIDEST = 4_000

_ALIASES = {
    "game": "game", "option": "options", "options": "options", "rules": "options", "seat": "seat", "view": "seat",
    "me": "seat", "dealer": "dealer", "hands": "hands", "hand": "hands", "deal": "hands", "auction": "auction",
    "bidding": "auction", "bids": "auction", "calls": "auction", "contract": "contract", "plan": "plan",
    "play": "play", "tricks": "play", "result": "result", "score": "scores", "scores": "scores", "points": "points",
    "picker": "picker", "declarer": "by", "trump": "trump", "call": "call", "bury": "bury", "under": "under",
    "pass": "pass", "take": "take", "leader": "lead", "lead": "lead", **dict.fromkeys(TALON_LABELS, "talon"),
}  # fmt: skip

#: Keys that are a clause of the plan, on a line of their own.
CLAUSES = ("picker", "by", "trump", "call", "bury", "under", "pass", "take", "lead")

_KEY = re.compile(r"\s*([A-Za-z]+)\s*(\d{1,3})?\s*:")


class Line(NamedTuple):
    """A part of the text: its line number, the whole line, and where the part begins in it (from 0)."""

    number: int
    whole: str
    start: int

    @property
    def text(self) -> str:
        """The part itself, without a comment."""
        return self.whole[self.start :]


class Section(NamedTuple):
    """A key with the lines that belong to it."""

    key: str
    seat: int | None
    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        """Line of the key."""
        return self.lines[0].number

    @property
    def text(self) -> str:
        """All lines, joined by commas, which separate in every key that uses this."""
        return ", ".join(t for t in (line.text.strip().strip(",;") for line in self.lines) if t)


def wrong(line: int, message: object) -> NotationError:
    """An error with the line it belongs to."""
    return NotationError(f"line {line}: {short(message)}")


def short(message: object) -> str:
    """A message that quotes no more than it needs, on one line."""
    text = " ".join(str(message).splitlines())
    return text if len(text) <= LONG_MESSAGE else text[: LONG_MESSAGE - 1] + "…"


def read_sections(text: str) -> dict[str, list[Section]]:
    """Split a text into keys; those that may stand on several lines have several sections."""
    if len(text) > LONGEST:
        raise NotationError(f"a text of {len(text)} characters: a record has at most {LONGEST}")
    out: dict[str, list[Section]] = {}
    last: Section | None = None
    held = 0
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1):
        whole = raw.split("#", 1)[0].rstrip()
        if not whole.strip():
            continue
        held += 1
        if held > MOST_LINES:
            raise wrong(number, f"more than {MOST_LINES} lines: no deal is so long")
        if len(whole) > WIDEST:
            raise wrong(number, f"a line of {len(whole)} characters: at most {WIDEST} stand in one")
        if long := re.search(r"\d{10,}", whole):
            raise wrong(number, f"a number of {len(long[0])} digits at place {long.start() + 1}: none is so long")
        found = _KEY.match(whole)
        if found is None or (found[1].lower() == "seat" and found[2] is not None):  # "seat 0: AH" is a card played
            if last is None:
                raise wrong(number, f"{excerpt(whole)} belongs to no key: a record begins like 'game: thousand'")
            last = last._replace(lines=(*last.lines, Line(number, whole, 0)))
            out[last.key][-1] = last
            continue
        word = found[1].lower()
        key = _ALIASES.get(word)
        if key is None or (found[2] is not None and key != "hands"):
            near = difflib.get_close_matches(word, _ALIASES, 1, 0.6)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(dict.fromkeys(_ALIASES.values()))}"
            raise wrong(number, f"unknown key {excerpt(whole[: found.end()].strip())}: {hint}")
        place = None if found[2] is None else int(found[2])
        last = Section(key, place, (Line(number, whole, found.end()),))
        before = out.setdefault(key, [])
        if any(place is None or b.seat is None or b.seat == place for b in before):
            raise wrong(number, f"the key {excerpt(word)} stands twice, first in line {before[0].number}")
        before.append(last)
    return out
