"""Tables of a benchmark, for a terminal and as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solver.bench.bench import Bench
from solver.formats.json_text import read_json
from solver.model.errors import NotationError
from solver.views.tables import json_object, print_table, write_json

__all__ = ["ablation_rows", "deal_rows", "ending_rows", "figure_rows", "save", "show_bench"]

Row = dict[str, Any]


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with so many significant digits, nothing for None."""
    if value is None:
        return ""
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.{digits}g}" if abs(value) >= 1e-4 or not value else f"{value:.1e}"


def aligned(rows: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """Write numbers as text of equal width, so that they stand to the right."""
    out = [dict(row) for row in rows]
    for column in columns:
        texts = [number(row.get(column)) for row in rows]
        width = max(map(len, texts), default=0)
        for row, text in zip(out, texts, strict=True):
            row[column] = text.rjust(width) if text else None
    return out


def deal_rows(rows: Sequence[Row]) -> list[Row]:
    """Deals of each work: nodes, times in ms, speed, and the ratio to the peer's mean."""
    table = []
    for row in rows:
        if row["kind"] in ("deals", "batch", "table"):
            ratio = row["mean_ms"] / row["peer_ms"] if row.get("peer_ms") else None
            table.append(
                {
                    "work": row["work"], "deals": row["deals"], "wrong": row["wrong"],
                    "limited": row["limited"] or None,
                    "nodes": row["nodes"], "mean ms": row["mean_ms"], "median ms": row.get("median_ms"),
                    "p99 ms": row.get("p99_ms"), "max ms": row.get("max_ms"), "M nodes/s": row["million_nodes_s"],
                    "peer ms": row.get("peer_ms"), "of peer": ratio,
                }
            )  # fmt: skip
    numbers = ("nodes", "mean ms", "median ms", "p99 ms", "max ms", "M nodes/s", "peer ms", "of peer")
    return aligned(table, numbers)


def figure_rows(figures: Sequence[Row]) -> list[Row]:
    """Figures to reach."""
    return aligned(figures, ("value", "must", "goal"))


def ablation_rows(rows: Sequence[Row]) -> list[Row]:
    """Search with a part off, against the whole search on the same deals."""
    table = [
        {
            "work": row["of"], "without": row["without"], "deals": row["deals"], "nodes": row["nodes"],
            "mean ms": row["mean_ms"], "nodes x": row["nodes_ratio"], "time x": row["time_ratio"],
            "limited": row["limited"] or None,
        }
        for row in rows
        if row["kind"] == "ablation"
    ]  # fmt: skip
    return aligned(table, ("nodes", "mean ms", "nodes x", "time x"))


def ending_rows(rows: Sequence[Row]) -> list[Row]:
    """Mean nodes by cards left, a column a suite."""
    found = [row for row in rows if row["kind"] == "endings"]
    suites = list(dict.fromkeys(row["of"] for row in found))
    nodes = {(row["cards_left"], row["of"]): row["nodes"] for row in found}
    left = sorted({row["cards_left"] for row in found})
    table = [{"cards left": n, **{s.replace("_", " "): nodes.get((n, s)) for s in suites}} for n in left]
    return aligned(table, [s.replace("_", " ") for s in suites])


def other_rows(rows: Sequence[Row]) -> list[Row]:
    """Memory and starts."""
    table: list[Row] = []
    for row in rows:
        if row["kind"] == "memory":
            table += [
                {"what": f"{g['game']}, {g['seats']} seats", "value": g["mb"], "unit": "MB"} for g in row["by_game"]
            ]
        if row["kind"] == "start":
            table += [
                {"what": f"{name} start", "value": row[f"{name}_s"], "unit": "s"}
                for name in ("cold", "warm")
                if row[f"{name}_s"]
            ]
    return aligned(table, ("value",))


def notes(found: Bench) -> list[str]:
    """Lines below the tables."""
    told = [
        f"times: {found.method}; of peer: ratio to the peer's mean (U; bridge_table: the same table) in the same run"
    ]
    if found.peer is None:
        told = [f"times: {found.method}; no ratios: the peer, endplay, is not installed or was left out"]
    told.append(f"{found.cpu}; " + ", ".join(f"{k} {v}" for k, v in found.versions.items()))
    if found.quick:
        told.append("a quick run: few deals, rough numbers, U from the first deals of its suite")
    if found.partial:
        told.append("stopped: measured so far")
    return told


def show_bench(found: Bench, form: str) -> None:
    """Print a benchmark on standard output, as tables or as one JSON object.

    Parameters
    ----------
    found
        From `solver.bench.bench.bench`.
    form
        ``"table"`` or ``"json"``.
    """
    if form == "json":
        deals = sum(row["deals"] for row in found.rows if row["kind"] in ("deals", "batch", "table"))
        more = {"figures": found.figures, "wrong": found.wrong, "peer": found.peer, "quick": found.quick}
        write_json(
            json_object(
                found.rows, game=None, options={}, method=found.method, seed=found.seed, n=deals,
                versions=found.versions, date=found.date, cpu=found.cpu, partial=found.partial, **more,
            ),
            sys.stdout,
        )  # fmt: skip
        return
    views = (deal_rows, ending_rows, ablation_rows, other_rows)
    tables = [table for view in views if (table := view(found.rows))]
    if found.figures:
        tables.append(figure_rows(found.figures))
    for table in tables:
        print_table(table, sys.stdout)
        sys.stdout.write("\n")
    for line in notes(found):
        sys.stdout.write(line + "\n")


def holds_rows(path: str) -> bool:
    """Whether a file holds rows of benchmarks, to which more can be added, or nothing at all."""
    *lines, rest = Path(path).read_bytes().split(b"\n")
    try:
        rows = [read_json(line) for line in lines]
    except NotationError:
        return False
    return not rest and all(isinstance(row, dict) and "kind" in row for row in rows)


def save(found: Bench, path: str, *, add: bool) -> None:
    """Write every row into a file of JSON lines, after those that it has or in their place."""
    with Path(path).open("a" if add else "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in found.records())
