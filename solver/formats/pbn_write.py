"""Bridge boards as PBN, in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from solver.formats.pbn import FIRST, KNOWN, Board, check_bridge
from solver.games.bridge_deal import seen_lines, write_hands
from solver.model.checks import excerpt
from solver.model.errors import NotationError

__all__ = ["write_pbn"]

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_BREAKS = re.compile(r"[\r\n]")


def write_pbn(boards: Iterable[Board]) -> str:
    """Write boards in their one form; `read_pbn` gives equal boards back.

    Raises
    ------
    NotationError
        For a tag that PBN cannot hold.
    UnsupportedError
        For a deal of another game than bridge.
    """
    return "\n".join("".join(f"{line}\n" for line in _board_lines(board)) for board in boards)


def _board_lines(board: Board) -> Iterator[str]:
    check_bridge(board, "PBN")
    if "Deal" in board.tags:
        raise NotationError("cannot write a tag Deal beside the deal itself")
    first = [name for name in FIRST if name in board.tags]
    dealer = board.tags.get("Dealer", "N").strip().upper()
    start = "NESW".find(dealer) if len(dealer) == 1 else -1
    deal = write_hands(board.deal.hands, max(start, 0))
    rest = [name for name in board.tags if name not in first]
    if "Note" in board.tags:
        raise NotationError("cannot write a tag Note: notes are the board's footnotes")
    if stray := board.sections.keys() - {"Deal", *board.tags}:
        raise NotationError(f"cannot write the lines after {min(stray)}: there is no such tag")
    for name in (*first, "Deal", *rest):
        value = deal if name == "Deal" else board.tags[name]
        if not _NAME.fullmatch(name) or KNOWN.get(name.lower(), name) != name:
            raise NotationError(
                f"cannot write the tag {excerpt(name)}: "
                "a name has letters, digits and underscores, known ones a capital"
            )
        yield _tag_line(name, value)
        for line in board.sections.get(name, ()):
            if not _reads_back(line):
                raise NotationError(f"cannot write the line {excerpt(line)} after {name}: it would not be read back")
            yield line
    for note in board.footnotes:
        yield _tag_line("Note", note)


def _reads_back(line: str) -> bool:
    """Whether a line after a tag is read as it stands."""
    try:
        return list(seen_lines(line)) == [(1, line)] and not line.startswith("[")
    except NotationError:  # a comment that never ends
        return False


def _tag_line(name: str, value: str) -> str:
    if value == "#" or _BREAKS.search(value):
        raise NotationError(f"cannot write {excerpt(value)} as {name}: a value is one line, and not '#'")
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'[{name} "{escaped}"]'
