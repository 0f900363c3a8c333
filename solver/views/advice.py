"""Advice as a table for people: each number with its interval in one column."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from solver.views.tables import plain_rows

if TYPE_CHECKING:
    import pandas as pd

    from solver.seat.advice_answer import Advice

__all__ = ["advice_rows", "advice_table", "cell"]


def _number(value: float, *, rate: bool, signed: bool, digits: int) -> str:
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.1f} %" if rate else f"{value:{sign}.{digits}f}"


def cell(
    row: dict[str, Any], name: str, *, rate: bool, signed: bool = False, digits: int = 2,
    ends: tuple[str, str] | None = None,
) -> str | None:  # fmt: skip
    """Number and interval; nothing where it was not asked, no interval where nothing is open or none is known.

    Parameters
    ----------
    row, name
        The number is ``row[name]``.
    rate, signed, digits
        Whether it is a chance, shown in per cent; with its sign; how many digits else.
    ends
        Columns of the interval; ``name_low`` and ``name_high`` when None.
    """
    value = row.get(name)
    low, high = (row.get(e) for e in ends or (f"{name}_low", f"{name}_high"))
    if value is None:
        return None
    text = _number(value, rate=rate, signed=signed, digits=digits)
    if low is None or high is None or math.isclose(low, high, abs_tol=1e-9):
        return text
    said = [_number(x, rate=rate, signed=signed, digits=digits).removesuffix(" %") for x in (low, high)]
    return f"{text}  {' to '.join(said)}"


def advice_rows(frame: pd.DataFrame, objective: str) -> list[dict[str, Any]]:
    """Rows of `advice_table` from the frame of an answer."""
    _, rows = plain_rows(frame)
    names = [c for c in frame.columns if f"{c}_low" in frame.columns]
    declares = any(row["declare"] for row in rows)
    out = []
    for row in rows:
        one: dict[str, Any] = {"card": row["card"] + ("!" if row["declare"] and declares else "")}
        if "chance" in frame.columns:
            one["chance"] = cell(row, "chance", rate=True)
        for name in names:
            rate = name.startswith("p_") or (name == "diff" and objective in ("make", "session"))
            one[name] = cell(row, name, rate=rate, signed=name == "diff")
        if row["legal"] and row["best"]:
            one["diff"] = "best"
        one["equals"] = row["equals"] or None
        one["barred by"] = row["barred_by"]
        out.append(one)
    return out


def advice_table(found: Advice) -> list[dict[str, Any]]:
    """Rows for `solver.views.tables.print_table`."""
    return advice_rows(found.frame, found.objective)
