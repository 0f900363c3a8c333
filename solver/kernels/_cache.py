"""Compiled code kept on disk: one file for each function and signature, read only when it is whole and one's own.

Whoever can write a cache file runs code as its reader, as numba unpickles it. So the folder in use belongs to the user
(or root), is no link, and nobody else can write to it or to a file in it; where no such folder can be had, code is
compiled anew and kept nowhere. A file that is damaged, by so much as a bit, counts as missing and is replaced.

Numba's own cache numbers its data files in an index: of two processes that compile at once, one's index can name the
other's code. Here a file is named by what it is of, so there is no index, and a file comes in whole or not at all.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["KernelCache", "private_folder", "read_whole", "write_whole"]

#: First bytes of a file, with the number of its form; a SHA-256 of what follows it comes next.
MAGIC = b"trickwise 1\n"
_HEAD = len(MAGIC) + hashlib.sha256().digest_size


@cache
def _say(line: str) -> None:
    """Say a line, once, where a person may see it."""
    with suppress(OSError, AttributeError, ValueError):  # standard error may be closed or full
        sys.stderr.write(f"trickwise: {line}\n")


def _reason(wrong: Exception) -> str:
    return " ".join((getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__).split())


# --------------------------------------------------------------------- the folder


def _check_own(found: os.stat_result, others: int) -> None:
    """Raise OSError for what another user owns, or may do to it one of `others`, bits of a mode."""
    if not hasattr(os, "getuid"):  # no owners and modes in this sense
        return
    if found.st_uid not in (os.getuid(), 0):
        raise PermissionError("it belongs to another user")
    if stat.S_IMODE(found.st_mode) & others:
        raise PermissionError("others may write to it" if others == _WRITE else "others have a right to it")


_WRITE, _ANY = 0o022, 0o077


def _make_own(folder: Path, others: int) -> None:
    """Make a folder that only the user can enter, or see that the one that is there is as good."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError("it is a link")
    _check_own(found, others)


def _usual() -> Path:
    given = os.environ.get("TRICKWISE_CACHE_DIR")
    if given:
        return Path(given)
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(root) if root else Path.home() / ".cache") / "trickwise"


def _shared() -> Path:
    """The user's folder where everybody has one, and anybody could have made this one first."""
    folder = Path(tempfile.gettempdir()) / f"trickwise-{os.getuid() if hasattr(os, 'getuid') else 0}"
    _make_own(folder, _ANY)
    return folder


def _fresh() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="trickwise-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def private_folder(name: str) -> Path | None:
    """Find the folder to use: in the user's cache, else in the temporary folder, else a fresh one, else none.

    Parameters
    ----------
    name
        Its own name. What holds it may be writable for others: they cannot make it theirs, and `read_whole` looks at
        every file.
    """
    why = ""
    for base, others in ((_usual, _WRITE), (_shared, _ANY), (_fresh, _ANY)):
        where = "the cache folder"
        try:
            folder = base() / name
            where = str(folder)
            _make_own(folder, others)
            tempfile.TemporaryFile(dir=folder).close()
        except (OSError, RuntimeError) as wrong:  # RuntimeError: a user without a home
            why = why or f"cannot keep compiled code in {where}: {_reason(wrong)}"
            continue
        if why:
            _say(f"{why}; {folder} is used")
        return folder
    _say(f"{why}; it is compiled anew in every run")
    return None


# --------------------------------------------------------------------- one file


def read_whole(path: Path) -> bytes:
    """Read what `write_whole` wrote.

    Raises
    ------
    OSError
        When there is no such file, or it is not the user's own.
    ValueError
        When it is damaged.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        _check_own(os.fstat(file.fileno()), _WRITE)
        text = file.read()
    head, data = text[:_HEAD], text[_HEAD:]
    if head != MAGIC + hashlib.sha256(data).digest():
        raise ValueError(f"{path} is damaged")
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name, which nobody can have made before, and give it its own when it is whole."""
    number, new = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with open(number, "wb") as file:
            file.write(MAGIC + hashlib.sha256(data).digest() + data)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


@cache
def _source(path: str) -> str:
    with suppress(OSError):  # typed in, as in a notebook
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return ""


class KernelCache:
    """Compiled code of one function: what a dispatcher of numba asks of its cache.

    Parameters
    ----------
    function
        What is compiled; without a closure, whose values would be part of the code.
    folder
        From `private_folder`.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        code = function.__code__
        self._name = f"{Path(code.co_filename).stem}.{function.__name__}-{code.co_firstlineno}"
        self._of = (function.__module__, function.__qualname__, code.co_firstlineno, _source(code.co_filename),
                    hashlib.sha256(code.co_code).hexdigest(), sys.implementation.cache_tag)  # fmt: skip
        self._folder = folder
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Go on keeping code."""
        self._enabled = True

    def disable(self) -> None:
        """Keep and read none."""
        self._enabled = False

    def flush(self) -> None:
        """Remove what is kept of the function."""
        for path in self._files():
            with suppress(OSError):
                path.unlink()

    def _files(self) -> Iterator[Path]:
        return (
            path for path in self._folder.glob("*.nbc") if path.name.rpartition(".")[0].startswith(f"{self._name}.")
        )

    def _entry(self, sig: Any, codegen: Any) -> tuple[Path, Any]:
        """Where code is kept, and of what it is."""
        key = (self._of, sig, codegen.magic_tuple())
        return self._folder / f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.nbc", key

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the code for a signature; None where it is to be compiled."""
        if not self._enabled:
            return None
        target_context.refresh()
        path, key = self._entry(sig, target_context.codegen())
        try:
            kept, code = pickle.loads(read_whole(path))
            return CompileResult._rebuild(target_context, *code) if kept == key else None
        except Exception:  # whatever is wrong with a file, compiling is the answer, and replaces it
            return None

    def save_overload(self, sig: Any, compiled: CompileResult) -> None:
        """Keep the code for a signature, where there is room and a right to."""
        if not self._enabled:
            return
        try:
            if compiled.lifted or compiled.library.has_dynamic_globals:
                return
            path, key = self._entry(sig, compiled.codegen)
            _make_own(self._folder, _WRITE)  # somebody may have cleared the cache since
            write_whole(path, dumps((key, compiled._reduce())))
        except OSError as wrong:  # no room, or no right
            _say(f"cannot keep compiled code in {self._folder}: {_reason(wrong)}; this run goes on without")
        except Exception:  # code that cannot be taken apart, as where Ctrl-C came into its making
            return
