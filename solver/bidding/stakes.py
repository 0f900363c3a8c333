"""What plans are played for: the thresholds of a game, the bids that rest on them, and what a result scores.

A ladder is a row of rising thresholds. In Thousand every bid has two, one for each reading of the contract check
(rounded and exact); in 3 of Spades a bid is a threshold; in Sheepshead the thresholds are the tiers of the settlement,
and a score follows from the tier without a bid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.deals.plan_matrix import point_rungs
from solver.games import Game
from solver.games.base import Rung
from solver.model.contract import Contract

__all__ = ["Stakes"]


class Settling(Protocol):
    """What a game says of results and plans; `solver.bidding.of_game.BiddingOf` does."""

    def worth(self, contract: Contract, rungs: int) -> NDArray[np.float64] | None:
        """As `Stakes.worth`."""

    def allowed(self, plans: Sequence[Contract], bids: Sequence[int]) -> NDArray[np.bool_] | None:
        """As `Stakes.allowed`."""


@dataclass(frozen=True, eq=False)
class Stakes:
    """Thresholds and scores of a decision.

    Parameters
    ----------
    game
        With its options.
    bids
        Bids, or the tiers' points, rising.
    needs
        In all that the side has, for each rung of the ladder, where they are points; None for the game's own ladder.
    column, other
        For each bid the rung that decides it, and that of the other reading of the check (-1 for none).
    won, lost
        Score of a bid made and failed, in bids; both 0 where bids score nothing.
    settling
        The game's own scores; None where thresholds are all that is asked.
    """

    game: Game
    bids: tuple[int, ...]
    needs: tuple[int, ...] | None
    column: tuple[int, ...]
    other: tuple[int, ...]
    won: int = 0
    lost: int = 0
    settling: Settling | None = field(default=None, compare=False, repr=False)

    def ladder(self, plan: Contract) -> tuple[Rung, ...]:
        """Thresholds of a plan, as needs from the play."""
        if self.needs is None:
            return self.game.ladder(plan)
        return point_rungs(self.needs, self.game.banked(plan))

    @property
    def rungs(self) -> int:
        """Number of thresholds."""
        return len(self.bids) if self.needs is None else len(self.needs)

    @property
    def scored(self) -> bool:
        """Whether a bid made or failed scores."""
        return bool(self.won or self.lost)

    def score(self, bid: int, p: float) -> float:
        """Expected score of a bid that is made with chance p."""
        return bid * ((self.won - self.lost) * p + self.lost)

    @property
    def formula(self) -> str:
        """`score` as a formula, ``bid x (2 p - 1)``."""
        slope = "p" if self.won - self.lost == 1 else f"{self.won - self.lost} p"
        tail = f" {'-' if self.lost < 0 else '+'} {abs(self.lost)}" if self.lost else ""
        return f"bid x ({slope}{tail})" if tail else f"bid x {slope}"

    def worth(self, contract: Contract) -> NDArray[np.float64] | None:
        """Declarer's score by rungs reached, with a partner and alone; None where a score needs a bid."""
        return None if self.settling is None else self.settling.worth(contract, len(self.bids))

    def allowed(self, plans: Sequence[Contract]) -> NDArray[np.bool_] | None:
        """Whether a plan may be played at a bid, ``[plans, rungs]``: one bid may call for more called cards."""
        return None if self.settling is None else self.settling.allowed(plans, self.bids)
