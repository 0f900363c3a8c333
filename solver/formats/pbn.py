"""PBN files: bridge boards as ``[Name "value"]`` tags, read tolerantly, written in one form.

::

    [Board "7"]
    [Dealer "S"]
    [Vulnerable "All"]
    [Deal "S:Q.Q87.T9654.8763 J83.AT4.8.KQJ542 AT7654.5.A732.T9 K92.KJ9632.KQJ.A"]
    [Declarer "W"]
    [Contract "3NT"]

A board ends at an empty line, or where a tag comes again. Comments, ``{…}`` and from ``;`` to the end of the line, and
lines that begin with ``%`` are passed over; the value ``#`` is the one of the board before. Lines after a tag, such as
the calls after ``[Auction "N"]``, are kept as they stand. A text without any tag has a deal on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.formats.record_text import wrong
from solver.games import game
from solver.games.bridge_deal import read_hands, write_hands
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError

__all__ = ["Board", "load_pbn", "read_pbn", "write_pbn"]

#: Values of the tag Vulnerable, and the option of bridge that each is.
_VULNERABLE = {
    "none": "none", "love": "none", "-": "none", "ns": "ns", "ew": "ew", "all": "all", "both": "all",
}  # fmt: skip
#: Tags that stand before the deal.
_FIRST = ("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable")
#: Names that are known in any case.
_KNOWN = {name.lower(): name for name in (*_FIRST, "Deal", "Declarer", "Contract", "Result", "Auction", "Play")}

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]', re.ASCII)
_BREAKS = re.compile(r"[\r\n]")


@dataclass(frozen=True)
class Board:
    """A deal with its tags.

    Parameters
    ----------
    deal
        Of bridge, vulnerable as the tag says.
    tags
        Every other tag by name, as written: Board, Dealer, Vulnerable, Declarer, Contract, ….
    sections
        Lines that follow a tag, by its name.
    """

    deal: Deal
    tags: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def contract(self) -> Contract | None:
        """What the tags Contract and Declarer say; None where they are absent, unknown, or all passed.

        Raises
        ------
        NotationError
            For a contract or declarer that cannot be read.
        """
        bid, seat = (self.tags.get(name, "").strip() for name in ("Contract", "Declarer"))
        if bid.lower() in ("", "?", "-", "pass") or seat in ("", "?", "-"):
            return None
        return self.deal.game.contract(f"{bid} by {seat.removeprefix('^')}")


class _Tag(NamedTuple):
    """A tag, the line where it stands (from 1), and the lines that follow it."""

    name: str
    value: str
    line: int
    after: tuple[str, ...] = ()


def load_pbn(raw: bytes) -> tuple[Board, ...]:
    """Read the bytes of a PBN file: UTF-8, else Latin 1, which the format prescribes."""
    try:
        return read_pbn(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read_pbn(raw.decode("latin-1"))


def read_pbn(text: str) -> tuple[Board, ...]:
    """Read every board of a PBN text.

    Raises
    ------
    NotationError
        One line: what was read, in which line, and what is expected.
    """
    groups = list(_groups(text))
    boards: list[Board] = []
    for tags in _whole(groups):
        at = tags["Deal"].line
        before = {"Deal": write_hands(boards[-1].deal.hands), **boards[-1].tags} if boards else {}
        values = {t.name: before.get(t.name, "") if t.value == "#" else t.value for t in tags.values()}
        deal = values.pop("Deal")
        sections = {t.name: t.after for t in tags.values() if t.after}
        try:
            boards.append(Board(_deal(deal, values.get("Vulnerable", "")), values, sections))
        except TrickwiseError as bad:
            raise wrong(at, bad) from None
    if not boards:
        raise NotationError('no deal: a PBN file has tags like [Deal "N:AKQ.J98.T72.6543 …"]')
    return tuple(boards)


def _deal(text: str, vulnerable: str) -> Deal:
    known = vulnerable.strip().lower()
    if known not in (*_VULNERABLE, "", "?"):
        raise NotationError(f"Vulnerable is {excerpt(vulnerable)}: expected one of None, NS, EW, All")
    one = game("bridge", vulnerable=_VULNERABLE.get(known, "none"))
    return one.read(" | ".join(one.deck.write(hand) for hand in read_hands(text)))


def _lines(text: str) -> Iterator[tuple[int, str | None]]:
    """Lines by number (from 1), without comments; None for an empty one."""
    inside = False  # a comment that runs over lines
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1):
        if not inside and not raw.strip():
            yield number, None
        if not inside and raw.startswith("%"):
            continue
        kept: list[str] = []
        quoted = escaped = False
        for ch in raw:
            if inside:
                inside = ch != "}"
                continue
            if not quoted and ch == ";":
                break
            inside = not quoted and ch == "{"
            if not inside:
                kept.append(ch)
            quoted ^= ch == '"' and not escaped
            escaped = quoted and ch == "\\" and not escaped
        line = "".join(kept).strip()
        if line:
            yield number, line


def _groups(text: str) -> Iterator[dict[str, _Tag]]:
    """Tags between empty lines and before a tag that comes again; a text without tags is a deal a line."""
    group: dict[str, _Tag] = {}
    last = ""
    for number, line in _lines(text):
        if line is None:
            if group:
                yield group
            group, last = {}, ""
            continue
        found = list(_TAG.finditer(line))
        if not found or found[0].start():
            if last:
                tag = group[last]
                group[last] = tag._replace(after=(*tag.after, line))
                continue
            if found or not re.match(r"[NESW]\w*\s*:", line, re.IGNORECASE):
                raise wrong(number, f'cannot read {excerpt(line)}: expected a tag, like [Deal "N:AKQ.J98.T72.6543 …"]')
            yield {"Deal": _Tag("Deal", line, number)}
            continue
        if rest := _TAG.sub("", line).strip():
            raise wrong(number, f"cannot read {excerpt(rest)} after a tag: a line holds tags and nothing else")
        for one in found:
            name = _KNOWN.get(one[1].lower(), one[1])
            if name in group:
                yield group
                group = {}
            group[name] = _Tag(name, re.sub(r"\\(.)", r"\1", one[2]), number)
            last = name
    if group:
        yield group


def _whole(groups: Iterable[dict[str, _Tag]]) -> Iterator[dict[str, _Tag]]:
    """Groups with a deal; tags on their own belong to the board before, or at the beginning to the first."""
    board: dict[str, _Tag] = {}
    for group in groups:
        if "Deal" not in group and board and board.keys() & group.keys():
            tag = next(iter(group.values()))
            raise wrong(tag.line, f"the board that begins with [{tag.name} …] has no [Deal …]")
        if "Deal" in group and "Deal" in board:
            yield board
            board = group
        else:
            board = {**board, **group}
    if board and "Deal" not in board:
        tag = next(iter(board.values()))
        raise wrong(tag.line, f"the board that begins with [{tag.name} …] has no [Deal …]")
    if board:
        yield board


def write_pbn(boards: Iterable[Board]) -> str:
    """Write boards in their one form; `read_pbn` gives equal boards back.

    Raises
    ------
    NotationError
        For a tag that PBN cannot hold.
    """
    return "\n".join("".join(f"{line}\n" for line in _board_lines(board)) for board in boards)


def _board_lines(board: Board) -> Iterator[str]:
    if "Deal" in board.tags:
        raise NotationError("cannot write a tag Deal beside the deal itself")
    first = [name for name in _FIRST if name in board.tags]
    dealer = board.tags.get("Dealer", "N").strip().upper()
    start = "NESW".find(dealer) if len(dealer) == 1 else -1
    deal = write_hands(board.deal.hands, max(start, 0))
    rest = [name for name in board.tags if name not in first]
    if stray := board.sections.keys() - {"Deal", *board.tags}:
        raise NotationError(f"cannot write the lines after {min(stray)}: there is no such tag")
    for name in (*first, "Deal", *rest):
        value = deal if name == "Deal" else board.tags[name]
        if not _NAME.fullmatch(name) or _KNOWN.get(name.lower(), name) != name:
            raise NotationError(
                f"cannot write the tag {excerpt(name)}: "
                "a name has letters, digits and underscores, known ones a capital"
            )
        if value == "#" or _BREAKS.search(value):
            raise NotationError(f"cannot write {excerpt(value)} as {name}: a value is one line, and not '#'")
        escaped = re.sub(r'(["\\])', r"\\\1", value)
        yield f'[{name} "{escaped}"]'
        for line in board.sections.get(name, ()):
            if list(_lines(line)) != [(1, line)] or _TAG.match(line):
                raise NotationError(f"cannot write the line {excerpt(line)} after {name}: it would not be read back")
            yield line
