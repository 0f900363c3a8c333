"""Bids and plans as tables for people: each number with its interval in one column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.views.advice import cell
from solver.views.tables import plain_rows

if TYPE_CHECKING:
    from solver.bidding.bids import Bids
    from solver.bidding.planning import Ranking

__all__ = ["SHOWN", "bid_rows", "plan_rows", "raise_rows"]

#: Rows of a ranking that is printed without being asked for in full.
SHOWN = 20


def bid_rows(found: Bids) -> list[dict[str, Any]]:
    """Rows of a success curve: `gain` in one column with its interval, ends of the score's left to CSV and JSON."""
    _, rows = plain_rows(found.frame)
    left_out = {"score_low", "score_high", "gain_low", "gain_high"}
    if len({row.get("pass_score") for row in rows}) == 1:  # a note has it
        left_out.add("pass_score")
    made = [i for i, row in enumerate(rows) if row["p"] is None or row["p"] >= 0.005]
    if "expected_score" in found.frame and made:
        rows = rows[: made[-1] + 2]  # above, nothing is made
    out = []
    for row in rows:
        one = {k: v for k, v in row.items() if k not in left_out}
        if "gain" in row:
            one["gain"] = cell(row, "gain", rate=False, signed=True, digits=1)
        legal, plan = one.pop("legal", None), one.pop("plan", None)
        out.append({**one, "legal": legal, "plan": plan})
    return out


def plan_rows(found: Ranking) -> list[dict[str, Any]]:
    """Rows of a ranking."""
    _, rows = plain_rows(found.frame)
    score = found.objective == "score"
    out = []
    for i, row in enumerate(rows):
        parts = {k: row[k] for k in row if k in ("trump", "call", "under", "take", "bury") or k.startswith("pass to")}
        one = {**parts, "chance": cell(row, "p", rate=True, ends=("low", "high"))}
        if score:
            one["score"] = cell(row, "score", rate=False, signed=True)
        else:
            one["expected score"] = row.get("expected_score")
        one["diff"] = "best" if i == 0 else cell(row, "diff", rate=not score, signed=True)
        out.append({**one, "n": row["n"]})
    return out


def raise_rows(found: Ranking) -> list[dict[str, Any]]:
    """Best plan of each bid."""
    _, rows = plain_rows(found.by_bid)
    return [
        {"bid": r["bid"], "chance": cell(r, "p", rate=True, ends=("low", "high")),
         "expected score": r["expected_score"], f"over {found.bid}": r["gain"], "n": r["n"], "plan": r["plan"]}
        for r in rows
    ]  # fmt: skip
