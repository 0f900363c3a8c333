"""Files that come in whole or not at all: what will have a name is first written beside it, where nobody else can."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["beside"]


@contextmanager
def beside(path: str | os.PathLike[str]) -> Iterator[str]:
    """Give a name for a new file, on the file system of `path`, from which it can be moved there.

    It lies in a fresh folder that only the user can enter: under a name that can be guessed, somebody might have put a
    link to another file. The folder goes at the end, with what was not moved.

    Raises
    ------
    OSError
        When nothing can be written there.
    """
    parent, name = os.path.split(os.path.abspath(path))
    try:
        folder = tempfile.mkdtemp(prefix=f".{name}.", suffix=".part", dir=parent)
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, os.fspath(path)) from None
    try:
        yield os.path.join(folder, name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
