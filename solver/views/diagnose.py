"""Leaf correlation, bias and disambiguation as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.views.advice import cell
from solver.views.tables import plain_rows

if TYPE_CHECKING:
    from solver.hidden.diagnose import Diagnosis

__all__ = ["measure_rows", "turn_rows"]


def measure_rows(found: Diagnosis) -> list[dict[str, Any]]:
    """Rows of the measures, each number with its interval."""
    _, rows = plain_rows(found.frame)
    return [
        {"measure": row["measure"], "of": row["of"],
         "value": cell(row, "value", rate=False, digits=3, ends=("low", "high")), "n": row["n"]}
        for row in rows
    ]  # fmt: skip


def turn_rows(found: Diagnosis) -> list[dict[str, Any]]:
    """Rows of the turns: worlds open to the seat on turn, and the share of them that it has ruled out by its next."""
    _, rows = plain_rows(found.turns)
    return [
        {"turn": row["turn"], "n": row["n"], "worlds": f"{row['worlds']:,.3g}",
         "learned": cell(row, "learned", rate=False, digits=3)}
        for row in rows
    ]  # fmt: skip
