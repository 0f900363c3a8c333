"""What goes wrong with the file of a study, in one line each, and who in this process has it open."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from solver.model.errors import UnsupportedError

__all__ = [
    "StoreBusyError",
    "StoreError",
    "StoreExistsError",
    "check_beside",
    "claim",
    "give",
    "release",
    "said",
    "told",
]

_HELD = re.compile(r"lock is held in .*?\(PID (\d+)\)", re.DOTALL)


#: Stores open in this process, each by one writer (-1) or so many readers: DuckDB's lock is one for the whole process.
_open: dict[str, int] = {}
_guard = threading.Lock()


class StoreError(UnsupportedError):
    """A store that cannot be read, or written; the message is one line."""


class StoreBusyError(StoreError):
    """A store that is being worked on."""


class StoreExistsError(StoreError):
    """A store that was to be made, and is there."""


def said(wrong: BaseException) -> str:
    """First line of what DuckDB says, without its name for the kind of error."""
    lines = str(wrong).strip().splitlines()
    text = re.sub(r"^([A-Z][A-Za-z]+ )+Error: ", "", lines[0] if lines else type(wrong).__name__)
    return text if len(text) <= 300 else text[:297] + "..."


def _full(wrong: BaseException) -> bool:
    return any(word in str(wrong) for word in ("No space left", "File too large", "Disk quota", "Could not write"))


@contextmanager
def told(name: str, doing: str) -> Iterator[None]:
    """Turn what DuckDB and the system raise into one line."""
    try:
        yield
    except duckdb.Error as wrong:
        held = _HELD.search(str(wrong))
        if held or "Could not set lock" in str(wrong):
            by = f" by process {held[1]}" if held else ""
            raise StoreBusyError(f"{name} is being worked on{by}: wait until that has ended, or end it") from None
        if "different configuration" in str(wrong):
            raise StoreBusyError(f"{name} is open in this process: close it there first") from None
        if _full(wrong):
            raise StoreError(
                f"cannot write {name}, the disk is full or a limit is met: {said(wrong)}; finished chunks are kept, "
                "make room and resume"
            ) from None
        if any(word in str(wrong).lower() for word in ("permission denied", "read-only file system", "read only")):
            raise StoreError(f"cannot write {name}: {said(wrong)}") from None
        raise StoreError(f"cannot {doing} {name}, which is damaged or no store of a study: {said(wrong)}") from None
    except OSError as wrong:
        raise StoreError(f"cannot write {name}: {wrong.strerror}") from None


def check_beside(name: str) -> None:
    """Raise StoreError where DuckDB would take in, or write to, what somebody else has put beside a store."""
    for near in (f"{name}.wal", f"{name}.tmp"):
        try:
            found = os.lstat(near)
        except OSError:
            continue
        if stat.S_ISLNK(found.st_mode) or found.st_uid not in (0, os.stat(name).st_uid):
            raise StoreError(f"{near} is a link, or belongs to somebody else than {name}: remove it if it is not yours")


def claim(name: str, *, write: bool) -> str:
    """Note that this process opens a store."""
    key = os.path.realpath(name)
    with _guard:
        held = _open.get(key, 0)
        if held < 0 or (write and held):
            raise StoreBusyError(f"{name} is being worked on by this process: wait until that has ended")
        _open[key] = -1 if write else held + 1
    return key


def release(key: str) -> None:
    """Note that it has closed one, by what `claim` returned."""
    with _guard:
        left = _open.pop(key) - 1
        if left > 0:
            _open[key] = left


def give(new: str, name: str) -> None:
    """Give a file its name, unless another has it."""
    try:
        os.link(new, name)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(name):
            raise FileExistsError(name) from None
        os.rename(new, name)
