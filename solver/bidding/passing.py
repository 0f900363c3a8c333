"""What passing brings, under a stated model that users can replace, so that a bid can be set against not bidding.

No search says what the other seats would call. A `Passing` says who plays when a seat passes, at what, and with which
plan; the deal is then played double dummy and settled with the options in force.

The models of a game stand in `passing_NAME`; `BiddingOf.passing` names the usual one, `Nothing` without an auction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solver.bidding.passing_base import Passed
from solver.deals.success import Runner
from solver.worlds.knowledge import Knowledge

__all__ = ["Nothing", "Passed", "Passing"]


class Passing(Protocol):
    """A model of what follows when a seat passes."""

    @property
    def words(self) -> str:
        """The model in one line, with its parameters, as results state it."""

    def scores(self, knowledge: Knowledge, bids: Sequence[int | None], *, n: int, seed: int, runner: Runner) -> Passed:
        """Score a pass in drawn worlds.

        Parameters
        ----------
        knowledge
            What the seat knows before the talon is revealed: its hand as dealt, and calls heard.
        bids
            Amounts that the seat could have bid, one column each; None where a bid has no amount.
        n
            Worlds to draw; all are taken where there are no more.
        seed
            Of the worlds and of what else is drawn.
        runner
            Worker threads; an interrupt leaves fewer rows.

        Raises
        ------
        UnsupportedError
            When the seat has nothing to pass, or the model does not cover the options.
        """


@dataclass(frozen=True)
class Nothing:
    """No model, for games without an auction."""

    @property
    def words(self) -> str:
        """The model in one line."""
        return "there is no bidding to pass"

    def scores(self, knowledge: Knowledge, bids: Sequence[int | None], *, n: int, seed: int, runner: Runner) -> Passed:
        """No score: no row."""
        empty = np.zeros((0, len(bids)))
        return Passed(empty, empty, np.zeros((0, len(bids), knowledge.game.seats)))
