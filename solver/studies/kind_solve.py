"""Studies of kind `solve`: a file of positions, one JSON object a line, as `trickwise solve --jsonl` reads them.

A unit is a line. A line that cannot be answered has its error for an answer, and the others go on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Kind, Report, Row

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KIND"]


class Solve(Kind):
    """Positions from a file, answered double dummy."""

    name = "solve"
    games: tuple[str, ...] = ()
    chunk = 200
    unit = "positions"
    keys: Mapping[str, Key] = {
        "file": Key(str, REQUIRED, help="JSON lines, a position each; found from the folder of the study's file"),
        "limit": Key(int, 0, 0, None, help="most nodes of a search, 0 for no limit"),
    }

    def check(self, definition: Definition) -> Definition:
        """The file is looked at when the study begins."""
        if not definition.settings["file"].strip():
            raise NotationError("solve.file is empty: expected the name of a file of JSON lines")
        return definition

    def inputs(self, definition: Definition, base: Path) -> list[Item]:
        """Lines with their numbers, without empty ones."""
        name = definition.settings["file"]
        path = base / name
        if not path.is_file():
            raise NotationError(f"solve.file is {excerpt(name)}: there is no such file in the folder of the study")
        out = []
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            try:
                text = line.decode("utf-8-sig").strip()
            except UnicodeDecodeError as wrong:
                raise NotationError(f"{name} line {number} is no UTF-8 text: byte {wrong.start + 1}") from None
            if text:
                out.append((str(number), text))
        if not out:
            raise NotationError(f"{name} has no line: expected a JSON object in each")
        return out

    def columns(self, definition: Definition) -> dict[str, str]:
        """`number` of the line, `id`, the answer, or `error`."""
        return {
            "number": "BIGINT", "id": "VARCHAR", "value": "BIGINT", "low": "BIGINT", "high": "BIGINT",
            "makes": "BOOLEAN", "cards": "VARCHAR", "nodes": "BIGINT", "error": "VARCHAR",
        }  # fmt: skip

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Answer some lines."""
        from solver.deals.positions import solve_line

        rows = []
        for number, text in items:
            found = solve_line(text, int(number), limit=definition.settings["limit"])
            if found.pop("stopped", False):
                raise KeyboardInterrupt
            rows.append(_row(int(number), found))
        return rows

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """How many were answered, and what is wrong with the others."""
        wrong = results[results["error"].notna()]
        open_ = results["error"].isna() & results["value"].isna() & results["makes"].isna()
        counts = {"positions": len(results), "answered": int(len(results) - len(wrong) - open_.sum()),
                  "left open by the limit": int(open_.sum()), "errors": len(wrong)}  # fmt: skip
        import pandas as pd

        heading = (f"{definition.settings['file']}: {len(results)} of {n_units} positions, double dummy",)
        tables = [("answers", pd.DataFrame([{**counts, "nodes": int(results["nodes"].sum())}]))]
        if len(wrong):
            tables.append(("lines with errors, the first 20", wrong[["number", "id", "error"]].head(20)))
        return Report(heading, tuple(tables), ("value: what the side takes from this trick on",))


def _row(number: int, found: Mapping[str, Any]) -> Row:
    name, cards = found["id"], found.get("cards")
    return {
        "number": number, "id": name if isinstance(name, str) else json.dumps(name, ensure_ascii=False),
        "value": found.get("value"), "low": found.get("low", found.get("value")),
        "high": found.get("high", found.get("value")), "makes": found.get("makes"),
        "cards": None if cards is None else json.dumps(cards, ensure_ascii=False),
        "nodes": found.get("nodes"), "error": found.get("error"),
    }  # fmt: skip


#: The kind.
KIND = Solve()
