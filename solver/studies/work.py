"""A chunk of a study worked out, here or anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from solver.studies.definition import Definition
from solver.studies.kinds import Item, Row, kind_of, span

__all__ = ["work_chunk"]

#: Python types of a column's values.
_TYPES: dict[str, tuple[type, ...]] = {"BIGINT": (int,), "DOUBLE": (float, int), "BOOLEAN": (bool,), "VARCHAR": (str,)}


@lru_cache(maxsize=8)
def _definition(text: str) -> Definition:
    return Definition.from_json(json.loads(text))


def work_chunk(definition: Mapping[str, Any], chunk: int, units: int, items: Sequence[Item]) -> list[Row]:
    """Work out a chunk, here or anywhere: a pure function.

    Parameters
    ----------
    definition
        As plain values.
    chunk
        Its number.
    units
        Of the whole study.
    items
        Inputs of the chunk's units.

    Returns
    -------
    list of dict
        Rows with exactly the columns of the kind, in order, and plain values of their types or None.

    Raises
    ------
    TrickwiseError
        Of the kind's work.
    TypeError
        When a row is not as the kind says.
    """
    one = _definition(json.dumps(definition, sort_keys=True))
    kind = kind_of(one.kind)
    first, last = span(chunk, one.chunk, units)
    columns = kind.columns(one)
    return [_checked(row, columns) for row in kind.work(one, first, last, items)]


def _checked(row: Row, columns: Mapping[str, str]) -> Row:
    if row.keys() != columns.keys():
        differ = sorted(row.keys() ^ columns.keys())
        raise TypeError(f"a row and its columns differ in {', '.join(differ)}")
    for name, kind in columns.items():
        value = row[name]
        if value is not None and type(value) not in _TYPES[kind]:
            raise TypeError(f"column {name} of type {kind} has the value {value!r} of type {type(value).__name__}")
    return {name: float(row[name]) if kind == "DOUBLE" and row[name] is not None else row[name]
            for name, kind in columns.items()}  # fmt: skip
