"""The result of `solver.bid`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from solver.deals.estimate import Estimate, plain_rows

__all__ = ["Bids"]


@dataclass(frozen=True)
class Bids(Estimate):
    """How often each bid is made, and what it scores.

    `frame` has a row a bid: `bid` (in Sheepshead a tier, with its `label`), `p` with `low` to `high`, `n` worlds; where
    a bid scores, `expected_score` with its interval and, before the talon of Thousand, `with_raise`, the same when the
    contract is raised after the talon where that scores more; where the seat may still pass, `pass_score` and `gain`
    over it with its interval; `legal`; `plan`, the best for this bid.

    Parameters
    ----------
    seat
        Who bids.
    passing
        The model of what passing brings, in words; empty where there is nothing to pass.
    break_even
        The highest legal bid whose expected score is no worse than passing; None where there is none.
    cases
        For each talon drawn the chance of the bid of interest and the best plan for it.
    """

    seat: int = 0
    passing: str = ""
    break_even: int | None = None
    cases: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        found = super().to_json()
        rows = found.pop("rows")
        more = {"seat": self.seat, "passing": self.passing, "break_even": self.break_even,
                "cases": plain_rows(self.cases)}  # fmt: skip
        return {**found, **more, "rows": rows}
