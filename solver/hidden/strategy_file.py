"""The file of a strategy: an npz with the question as JSON, the table, and what the learner needs to go on.

Whatever is not as it should be is an error of one line; a file is replaced only when the new one is whole.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from solver.formats.json_text import read_json
from solver.formats.whole import beside
from solver.games import game as new_game
from solver.hidden.kit_tree import check_kit
from solver.hidden.strategy import Strategy
from solver.model.checks import excerpt, shortened
from solver.model.errors import NotationError

__all__ = ["FORMAT", "TABLE", "damaged", "read_arrays", "strategy_of", "write_arrays"]

#: Number of the file's form.
FORMAT = 1

#: The arrays of a strategy, with their types in the file.
TABLE = {"keys": np.uint64, "base": np.int32, "chance": np.float32, "worth": np.float32, "weight": np.float32}


def write_arrays(path: str | os.PathLike[str], facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write facts and arrays into one file; a file of that name is replaced only when all is written."""
    text = json.dumps({**facts, "format": FORMAT}, allow_nan=False)
    with beside(path) as new:
        with open(new, "xb") as file:
            everything: dict[str, Any] = {"facts": np.array(text), **arrays}
            np.savez(file, **everything)
        os.replace(new, path)


def read_arrays(path: str | os.PathLike[str], names: Iterable[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read facts and arrays of a file, every byte of them checked.

    Raises
    ------
    NotationError
        For a file that is damaged, or of another kind or version.
    OSError
        For one that cannot be read at all.
    """
    with open(path, "rb") as file:
        try:
            facts, arrays = _contents(file, names)
            version = facts["format"]
        except Exception as error:  # of a file of unknown origin zipfile, numpy and json may raise nearly anything
            if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
                raise
            raise damaged(path, shortened(str(error)) or type(error).__name__) from None
    if version != FORMAT:
        raise NotationError(f"{os.fspath(path)}: format {excerpt(version)}, this version reads {FORMAT}: solve it anew")
    return facts, arrays


def _contents(file: BinaryIO, names: Iterable[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Facts and arrays; a member is read as a whole, as only then its checksum is looked at."""
    with zipfile.ZipFile(file) as members:
        # Written as they are, so that what is read is never larger than the file.
        if any(member.compress_type != zipfile.ZIP_STORED for member in members.infolist()):
            raise ValueError("it is compressed, and may be of any size")
        if sum(member.file_size for member in members.infolist()) > os.fstat(file.fileno()).st_size:
            raise ValueError("its parts are larger than the file")

        def read(name: str) -> NDArray[Any]:
            return _array(members.read(f"{name}.npy"), name)

        facts = read_json(str(read("facts")))
        return facts, {name: read(name) for name in names if facts["format"] == FORMAT}


def _array(raw: bytes, name: str) -> NDArray[Any]:
    """An array of numbers or text, made only where its head fits the bytes that follow."""
    stream = io.BytesIO(raw)
    heads = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, _, kind = heads[np.lib.format.read_magic(stream)](stream)
    if kind.kind not in "iufU" or not kind.itemsize or math.prod(shape) * kind.itemsize != len(raw) - stream.tell():
        raise ValueError(f"{name} is said to be {kind} of shape {shape}, which is not what follows")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def damaged(path: str | os.PathLike[str], reason: object) -> NotationError:
    """The error for a file that is not as it should be."""
    return NotationError(f"{os.fspath(path)}: not a strategy file, or damaged: {reason}")


def strategy_of(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> Strategy:
    """Make the table that a file holds, and check that it is one."""
    try:
        game, contract = check_kit(new_game("kit", **facts["options"]), facts["contract"])
        keys, base, chance, worth, weight = (arrays[name] for name in TABLE)
        sets, actions, many = keys.size, int(base[-1]), np.diff(base)
        shapes = [(sets,), (sets + 1,), (actions,), (actions,), (sets,)]
        good = (
            [(a.shape, a.dtype) for a in (keys, base, chance, worth, weight)]
            == [(shape, np.dtype(kind)) for shape, kind in zip(shapes, TABLE.values(), strict=True)]
            and base[0] == 0
            and bool((many >= 2).all() and (keys[1:] > keys[:-1]).all() and (chance >= 0).all())
            and (sets == 0 or bool(np.allclose(np.add.reduceat(chance, base[:-1]), 1, atol=1e-4)))
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise damaged(path, error) from None
    if not good:
        raise NotationError(f"{os.fspath(path)}: damaged: its table is not one of chances")
    return Strategy(game, contract, keys, base, chance, worth, weight)
