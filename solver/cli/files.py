"""Files that a command writes: nothing is overwritten unasked, and what cannot be written is said before any work."""

from __future__ import annotations

import errno
import os
from typing import Annotated

import typer

from solver.model.checks import excerpt
from solver.model.errors import UnsupportedError

__all__ = ["Force", "check_files"]

Force = Annotated[bool, typer.Option("--force", help="replace files that exist; without it they are left alone")]

#: Endings of the names that an option takes, where they say what is written.
_ENDINGS = {"plot": (".png", ".svg", ".pdf"), "to": (".parquet", ".csv")}


def check_files(*, force: bool, goes_on: str = "", **files: str) -> None:
    """Refuse now what writing files would refuse, or replace, after long work.

    Parameters
    ----------
    force
        Whether files that exist may be replaced.
    goes_on
        One of the files, which the work goes on from or adds to: it may exist.
    files
        Names by option; empty ones are not written.

    Raises
    ------
    UnsupportedError
        For a name whose ending stands for nothing, for a file that exists, and for one that two options name.
    OSError
        For one that cannot be written.
    """
    named: dict[str, str] = {}
    for option, path in files.items():
        if not path:
            continue
        if option in _ENDINGS and not path.lower().endswith(_ENDINGS[option]):
            *others, last = _ENDINGS[option]
            raise UnsupportedError(f"--{option} {excerpt(path)}: the name ends in {', '.join(others)} or {last}")
        known = _same_file(path, goes_on) and os.path.isfile(path)
        _check_place(path, os.path.dirname(path) or "." if not known else path)
        if os.path.lexists(path) and not known and not force:
            raise UnsupportedError(f"{path} exists already: name another file, or --force")
        for other, its in named.items():
            if _same_file(path, its):
                raise UnsupportedError(f"--{other} and --{option} both name {path}: name two files")
        named[option] = path


def _same_file(path: str, other: str) -> bool:
    """Whether two names are of one file, which need not exist."""
    return bool(path and other) and os.path.realpath(path) == os.path.realpath(other)


def _check_place(path: str, changed: str) -> None:
    """Raise what writing a file would raise that changes a folder, or itself; in the place of a device none is made."""
    code = 0
    if os.path.isdir(path):
        code = errno.EISDIR
    elif os.path.exists(path) and not os.path.isfile(path):
        code = errno.EINVAL
    elif changed != path and not os.path.isdir(changed):
        code = errno.ENOTDIR if os.path.exists(changed) else errno.ENOENT
    elif not os.access(changed, os.W_OK):
        code = errno.EACCES
    if code:
        raise OSError(code, os.strerror(code), path)
