"""What an estimate says besides its number: how many worlds, how sure, from which seed, by which method."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from solver.deals.versions import versions
from solver.games import GAMES
from solver.model.shown import Shown

__all__ = ["Estimate", "plain_rows"]


def _plain(value: Any) -> Any:
    """A JSON value; NaN is None, an array a list."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if value is None or value is pd.NA or (isinstance(value, float) and isnan(value)):
        return None
    return value


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table as plain values for JSON."""
    return [{str(k): _plain(v) for k, v in row.items()} for row in frame.to_dict("records")]


@dataclass(frozen=True)
class Estimate(Shown):
    """Success rates over the worlds that a seat considers possible.

    Parameters
    ----------
    game, options
        What was asked about.
    question
        In words.
    hand, contract
        As read, in the strict form.
    method
        How values were found, ``"double dummy, uniform worlds"``.
    seed
        Seed of the worlds.
    n
        Worlds behind every rate.
    unit
        What a threshold counts, ``"points"`` or ``"tricks"``.
    frame
        A row a threshold: `bid`, `p` with the interval `low` to `high`, `n`, and what the game adds.
    summary
        Single numbers: chance to make the contract, expected score and its standard error, searches done.
    partial
        Whether the work was interrupted; the rates then rest on the worlds that were finished.
    versions
        Of trickwise, numpy, numba and Python.
    notes
        Lines for people: what was assumed.
    """

    game: str
    options: dict[str, Any]
    question: str
    hand: str
    contract: str
    method: str
    seed: int
    n: int
    unit: str
    frame: pd.DataFrame = field(repr=False, compare=False)
    summary: dict[str, float] = field(default_factory=dict)
    partial: bool = False
    versions: dict[str, str] = field(default_factory=versions, repr=False)
    notes: tuple[str, ...] = ()

    @property
    def heading(self) -> tuple[str, ...]:
        """What was asked and how it was answered."""
        usual = {o["option"]: o["default"] for o in GAMES[self.game].describe_options()}
        changed = "".join(f", {k}={v}" for k, v in self.options.items() if v != usual.get(k))
        drawn = f"{self.method}, n = {self.n}, seed {self.seed}" + (", PARTIAL: interrupted" if self.partial else "")
        return f"{self.game}{changed}: {self.question}", drawn

    def __str__(self) -> str:
        with pd.option_context("display.float_format", "{:.3f}".format):
            table = self.frame.to_string(index=False)
        return "\n".join([*self.heading, table, *self.notes])

    def _repr_html_(self) -> str:
        head = "<br>".join(self.heading)
        foot = "<br>".join(self.notes)
        return f"<p>{head}</p>{self.frame.to_html(index=False, float_format='{:.3f}'.format)}<p>{foot}</p>"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`: what was asked, `n`, `seed`, `versions`, and `rows` of the table."""
        return {
            "game": self.game, "options": {k: _plain(v) for k, v in self.options.items()}, "question": self.question,
            "hand": self.hand, "contract": self.contract, "method": self.method, "seed": self.seed, "n": self.n,
            "unit": self.unit, "partial": self.partial, "versions": dict(self.versions), "rows": plain_rows(self.frame),
            "summary": {k: _plain(v) for k, v in self.summary.items()}, "notes": list(self.notes),
        }  # fmt: skip
