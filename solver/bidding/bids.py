"""The result of `solver.bid`, and what it is made from: worlds that were read together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.estimate import Estimate, plain_rows

__all__ = ["Bids", "Read"]


class Read(NamedTuple):
    """Worlds read together: of one talon, or some of one decision.

    Parameters
    ----------
    low, high
        ``[worlds, questions]``, the least and the most that the chosen plan has.
    hint
        ``[2, questions]``, see `solver.deals.halving.Chosen`; None where nothing is chosen.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    hint: NDArray[np.float64] | None = None


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
