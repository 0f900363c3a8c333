"""Studies of hands as tables for people: a line a bin, and the rules of thumb with what they miss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.bidding.of_game import bidding_class
from solver.views.advice import cell
from solver.views.tables import plain_rows

if TYPE_CHECKING:
    from solver.thresholds.threshold import Thresholds

__all__ = ["bin_rows", "rule_rows", "total_rows"]


def bin_rows(found: Thresholds) -> list[dict[str, Any]]:
    """Rows of a table by bins: the chance of each bid, and the gain over passing, with intervals."""
    _, rows = plain_rows(found.frame)
    out: dict[tuple[Any, ...], dict[str, Any]] = {}
    one_gain = bidding_class(found.game).tiered
    for row in rows:
        key = tuple(row[name] for name in found.by)
        line = out.setdefault(key, {**{name: row[name] for name in found.by}, "hands": row["n"]})
        line[f"p {row['bid']}"] = cell(row, "p", rate=True, ends=("low", "high"))
        if not one_gain or "gain" not in line:
            line["gain" if one_gain else f"gain {row['bid']}"] = cell(row, "gain", rate=False, signed=True, digits=1)
    columns = [*found.by, "hands", *dict.fromkeys(k for p in ("p ", "gain") for row in out.values() for k in row
                                                  if k.startswith(p) and k not in found.by)]  # fmt: skip
    return [{name: row.get(name) for name in columns} for row in out.values()]


def _missed(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "hands": row["n"], "right": cell(row, "right", rate=True), "follows": cell(row, "follows", rate=True),
        "error": cell(row, "error", rate=True), "lost": cell(row, "lost", rate=False),
    }  # fmt: skip


def rule_rows(found: Thresholds) -> list[dict[str, Any]]:
    """Rows of the decision table."""
    _, rows = plain_rows(found.decision)
    return [{"rule": row["rule"], **_missed(row)} for row in rows]


def total_rows(found: Thresholds) -> list[dict[str, Any]]:
    """Rows of what the rules miss over all places, beside bidding always and never."""
    _, rows = plain_rows(found.error)
    return [
        {"bid": row.get("bid"), **_missed(row), "lost always": round(row["always"], 2),
         "lost never": round(row["never"], 2)}
        for row in rows
    ]  # fmt: skip
