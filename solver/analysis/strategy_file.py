"""The file of a strategy: an npz with the question as JSON, the table, and what the learner needs to go on.

Whatever is not as it should be is an error of one line; a file is replaced only when the new one is whole.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.kit_tree import check_kit
from solver.analysis.strategy import Strategy
from solver.analysis.versions import versions
from solver.games import game as new_game
from solver.model.errors import NotationError

__all__ = ["FORMAT", "TABLE", "read_arrays", "strategy_of", "write_arrays"]

#: Number of the file's form.
FORMAT = 1

#: The arrays of a strategy, with their types in the file.
TABLE = {"keys": np.uint64, "base": np.int32, "chance": np.float32, "worth": np.float32, "weight": np.float32}


def write_arrays(path: str | os.PathLike[str], facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write facts and arrays into one file; a file of that name is replaced only when all is written."""
    name = os.fspath(path)
    new = f"{name}.{os.getpid()}.part"
    text = json.dumps({**facts, "format": FORMAT, "versions": versions()}, allow_nan=False)
    try:
        with open(new, "wb") as file:
            everything: dict[str, Any] = {"facts": np.array(text), **arrays}
            np.savez(file, **everything)
        os.replace(new, name)
    finally:
        with suppress(FileNotFoundError):
            os.remove(new)


def read_arrays(path: str | os.PathLike[str], names: Iterable[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read facts and arrays of a file, every byte checked.

    Raises
    ------
    NotationError
        For a file that is damaged, or of another kind or version.
    """
    wrong = f"{os.fspath(path)}: "
    try:
        with np.load(path, allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            if facts["format"] != FORMAT:
                raise NotationError(f"{wrong}format {facts['format']!r}, this version reads {FORMAT}: solve it anew")
            return facts, {name: file[name] for name in names}
    except OSError as error:
        if error.errno is not None:  # the file cannot be read at all
            raise
        raise NotationError(f"{wrong}not a strategy file, or damaged: {error}") from None
    except (KeyError, TypeError, ValueError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"{wrong}not a strategy file, or damaged: {error}") from None


def strategy_of(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> Strategy:
    """Make the table that a file holds, and check that it is one."""
    try:
        game, contract = check_kit(new_game("kit", **facts["options"]), facts["contract"])
        keys, base, chance, worth, weight = (arrays[name] for name in TABLE)
        many = np.diff(base)
        good = (
            [a.dtype for a in (keys, base, chance, worth, weight)] == [np.dtype(t) for t in TABLE.values()]
            and len(base) == len(keys) + 1 == len(weight) + 1
            and len(chance) == len(worth) == base[-1]
            and base[0] == 0
            and bool((many >= 2).all() and (keys[1:] > keys[:-1]).all() and (chance >= 0).all())
            and (len(keys) == 0 or bool(np.allclose(np.add.reduceat(chance, base[:-1]), 1, atol=1e-4)))
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise NotationError(f"{os.fspath(path)}: not a strategy file, or damaged: {error}") from None
    if not good:
        raise NotationError(f"{os.fspath(path)}: damaged: its table is not one of chances")
    return Strategy(game, contract, keys, base, chance, worth, weight)
