"""Tables for people, CSV and JSON for programs, from the same rows.

A table is a pandas DataFrame or a list of dictionaries. For people chances are in per cent; CSV and JSON have them as
numbers from 0 to 1, and an unknown value as nothing (CSV) or null (JSON).
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from typing import IO, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["RATES", "json_object", "plain_rows", "print_table", "rich_table", "terminal", "write_csv", "write_json"]

#: Columns that hold chances whenever a table has a column `p`.
RATES = frozenset({"p", "low", "high"})

Rows = Sequence[Mapping[str, Any]]


def plain_value(value: Any) -> Any:
    """Return a value that JSON has: numpy scalars unwrapped, unknown as None, arrays, sets and tuples as lists."""
    if value is None or isinstance(value, str | bool | int):
        return str(value) if isinstance(value, str) else value
    if hasattr(value, "tolist"):  # a scalar, or an array: a list in SQL
        value = (value.astype(str) if value.dtype.kind in "mM" else value).tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(k): plain_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_value(v) for v in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, bool | int):
        return value
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)


def plain_rows(data: Any) -> tuple[list[str], list[dict[str, Any]]]:
    """Columns and rows of a DataFrame or of a list of dictionaries, as plain values.

    Parameters
    ----------
    data
        The table.

    Returns
    -------
    columns, rows
    """
    if hasattr(data, "to_dict"):
        columns = [str(c) for c in data.columns]
        raw: Rows = data.to_dict("records")
    else:
        raw = data
        columns = list(dict.fromkeys(str(key) for row in raw for key in row))
    return columns, [{str(k): plain_value(v) for k, v in row.items()} for row in raw]


def _cell(column: str, value: Any, *, rates: bool, digits: int = 2) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if rates and (column in RATES or column.startswith("p_")):
            return f"{100 * value:.1f} %"
        return f"{value:.{digits}f}"
    if isinstance(value, list):
        return ", ".join(_cell(column, v, rates=rates) for v in value)
    return str(value)


def rich_table(data: Any) -> Table:
    """Lay a table out: numbers to the right, chances in per cent, columns without any value left out."""
    columns, rows = plain_rows(data)
    columns = [c for c in columns if any(row.get(c) is not None for row in rows)] if rows else columns
    rates = "p" in columns
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    digits = {}
    for column in columns:
        values = [row.get(column) for row in rows]
        whole = all(v == round(v) for v in values if isinstance(v, float))
        digits[column] = 0 if whole else 2
        numbers = all(v is None or isinstance(v, int | float) for v in values) and any(v is not None for v in values)
        long = any(isinstance(v, str) and len(v) > 40 for v in values)
        right = numbers and not any(isinstance(v, bool) for v in values)
        table.add_column(column.replace("_", " "), justify="right" if right else "left", no_wrap=not long)
    for row in rows:
        table.add_row(*(Text(_cell(column, row.get(column), rates=rates, digits=digits[column])) for column in columns))
    return table


def terminal(stream: IO[str]) -> Console:
    """Console on a stream; where it is no terminal, lines are long enough that no table is cut."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = 160
    return console


def print_table(data: Any, stream: IO[str], *, heading: Sequence[str] = (), notes: Sequence[str] = ()) -> None:
    """Print a table for people.

    Parameters
    ----------
    data
        The table.
    stream
        Where to.
    heading, notes
        Lines before and after it.
    """
    console = terminal(stream)
    for line in heading:
        console.print(line, soft_wrap=True)
    if heading:
        console.print()
    table = rich_table(data)
    # Texts are folded, but numbers and words not cut: a line that the terminal breaks can be read.
    wide = console.options.update(max_width=10_000)
    console.width = max(console.width, console.measure(table, options=wide).minimum)
    with console.capture() as captured:
        console.print(table)
    lines = captured.get().splitlines()
    for line in lines:
        stream.write(line.rstrip() + "\n")
    if notes:
        console.print()
    for line in notes:
        console.print(line, soft_wrap=True)


def write_csv(data: Any, stream: IO[str]) -> None:
    """Write a table as CSV with one line of column names."""
    columns, rows = plain_rows(data)
    out = csv.writer(stream, lineterminator="\n")
    out.writerow(columns)
    for row in rows:
        out.writerow([_csv(row.get(column)) for column in columns])


def _csv(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(str(_csv(v)) for v in value)
    return value


def json_object(
    data: Any,
    *,
    game: str | None,
    options: Mapping[str, Any],
    method: str,
    seed: int | None,
    n: int,
    versions: Mapping[str, str],
    **more: Any,
) -> dict[str, Any]:
    """Return the one object that every answer in JSON is.

    Parameters
    ----------
    data
        The table; its rows become ``rows``.
    game, options
        What was asked about.
    method
        How the numbers were found.
    seed
        Seed of what was random, None where nothing was.
    n
        Worlds, or deals, that were looked at.
    versions
        Of the programs that made the numbers.
    **more
        Further keys, such as the deal and the contract as they were read.
    """
    head = {"game": game, "options": dict(options), "method": method, "seed": seed, "n": n, "versions": dict(versions)}
    found: dict[str, Any] = plain_value({**head, **more})
    return {**found, "rows": plain_rows(data)[1]}


def write_json(value: Mapping[str, Any], stream: IO[str]) -> None:
    """Write one object, indented, and end the line."""
    stream.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
