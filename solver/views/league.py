"""Ways to play a kit, and the usual numbers for its contracts beside the truth, as tables and for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.views.tables import plain_rows

if TYPE_CHECKING:
    from solver.hidden.league import League, Truths

__all__ = ["about", "league_rows", "truth_rows"]


def league_rows(found: League) -> list[dict[str, Any]]:
    """Rows of the ways to play; chances in per cent."""
    digits, times, unit = (2, 100, " %") if found.unit == "chance" else (4, 1, "")
    return [
        {name: x if name == "policy" else _plain(times * x, digits) + unit for name, x in row.items()}
        for row in plain_rows(found.frame)[1]
    ]


def truth_rows(found: Truths) -> list[dict[str, Any]]:
    """Rows of the contracts: the truth in per cent, and how many points each other number is off it."""
    return [
        {"contract": row["contract"], "truth": f"{row['truth']:.2f} %",
         **{name: None if row[name] is None else _plain(row[name], 2, "+") for name in list(row)[2:]}}
        for row in plain_rows(found.errors)[1]
    ]  # fmt: skip


def _plain(x: float, digits: int, sign: str = "-") -> str:
    """A number, without the sign of what is rounded to 0."""
    x = round(x, digits) + 0.0
    return f"{x:{sign if x else ''}.{digits}f}"


def about(found: League | Truths) -> dict[str, Any]:
    """Describe an answer for JSON."""
    return {name: value for name, value in found.to_json().items() if name not in ("rows", "notes")}
