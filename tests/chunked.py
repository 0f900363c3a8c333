"""Studies without a store: all chunks of a definition, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from solver.studies.definition import Definition, definition_of
from solver.studies.kinds import Report, Row, kind_of
from solver.studies.work import work_chunk


def study(table: dict[str, Any], base: Path = Path()) -> tuple[Definition, list[Row]]:
    """The definition, and the rows of all chunks."""
    one = definition_of(table)
    kind = kind_of(one.kind)
    items = kind.inputs(one, base)
    units, rows = kind.units(one, items), []
    for first in range(0, units, one.chunk):
        rows += work_chunk(one.to_json(), first // one.chunk, units, items[first : first + one.chunk])
    return one, rows


def told(one: Definition, rows: list[Row], units: int) -> Report:
    """The report, from a table as a store gives it: columns with gaps are floats or objects."""
    kind = kind_of(one.kind)
    return kind.report(one, pd.DataFrame(rows, columns=list(kind.columns(one))), units)
