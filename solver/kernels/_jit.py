"""How everything here is compiled: nogil, and cached under a fingerprint of all kernel sources.

Numba's own cache looks at the one file a function stands in, so an edit of a helper elsewhere would leave stale
machine code in use, with wrong answers.  Here the cache folder's name is a hash over every file of this package,
the numba version and the settings that change code; any edit starts an empty folder.

Set ``TRICKWISE_CACHE_DIR`` to put the cache elsewhere; `solver.kernels._cache` says what may be in it.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config, njit
from numba.core.types import Record

from solver.kernels._cache import KernelCache, private_folder

__all__ = ["cache_dir", "fingerprint", "jit", "jit_allocating"]

_F = TypeVar("_F", bound=Callable[..., Any])


def fingerprint(folder: Path | None = None) -> str:
    """Hash of every kernel source, the numba version and the settings that change compiled code."""
    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(f"{config.BOUNDSCHECK} {config.OPT} {config.CPU_NAME}".encode())
    for path in sorted((folder or Path(__file__).parent).glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


#: The folder in use; None where there is none to be had.
cache_dir: Path | None = private_folder(fingerprint())


def _compile(function: _F, *, allocates: bool) -> _F:
    compiled = njit(nogil=True, error_model="numpy", _nrt=allocates)(function)
    if cache_dir is not None and not config.DISABLE_JIT and not function.__closure__:
        compiled._cache = KernelCache(function, cache_dir)  # what `cache=True` does, with a cache of our own
    return compiled  # type: ignore[no-any-return]


def skip_blas() -> None:
    """Load numba's array functions without a look for BLAS, which would import scipy.linalg: a fifth of a warm start.

    For a process of our own, the command line: no kernel here multiplies matrices, but a user's might.
    """
    if "scipy.linalg" in sys.modules or config.DISABLE_JIT:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


if os.environ.get("TRICKWISE_COMMAND"):  # set by the command line
    skip_blas()


def _name_records() -> None:
    """Let compiled code name a record by its fields.

    Numba names it by a number that counts types from 1 in each process. One process may compile for a record of three
    seats and another for one of five under the same name; a process that loads both from the cache then links the wrong
    code, with wrong answers or a crash.
    """

    def mangling_args(record: Record) -> tuple[str, tuple[int]]:
        return "Record", (int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:7], "big"),)

    setattr(Record, "mangling_args", property(mangling_args))  # noqa: B010 (its type says that it never changes)


_name_records()


def jit(function: _F) -> _F:
    """Compile at first call, without the GIL, cached in `cache_dir`, for functions that make no arrays.

    Without array allocation there is no reference counting, whose atomic increments at every view of a row cost the
    search two thirds of its time.
    """
    return _compile(function, allocates=False)


def jit_allocating(function: _F) -> _F:
    """`jit` for functions that make arrays; they should hand the inner loop to ones that do not."""
    return _compile(function, allocates=True)
