"""What plans are played for: the thresholds of a game, the bids that rest on them, and what a result scores.

A ladder is a row of rising thresholds. In Thousand every bid has two, one for each reading of the contract check
(rounded and exact); in 3 of Spades a bid is a threshold; in Sheepshead the thresholds are the tiers of the settlement,
and a score follows from the tier without a bid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bidding.of_game import bidding_of
from solver.deals.plan_matrix import point_rungs
from solver.games import Game
from solver.games.base import Rung
from solver.model.cards import Card
from solver.model.contract import Contract

__all__ = ["Stakes", "stakes_of"]


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
    """

    game: Game
    bids: tuple[int, ...]
    needs: tuple[int, ...] | None
    column: tuple[int, ...]
    other: tuple[int, ...]
    won: int = 0
    lost: int = 0

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
        return bidding_of(self.game).worth(contract, len(self.bids))

    def allowed(self, plans: Sequence[Contract]) -> NDArray[np.bool_] | None:
        """Whether a plan may be played at a bid, ``[plans, rungs]``: one bid may call for more called cards."""
        return bidding_of(self.game).allowed(plans, self.bids)


def stakes_of(game: Game, contract: Contract, hand: frozenset[Card], *, only: Sequence[int] | None = None) -> Stakes:
    """Thresholds for a hand.

    Parameters
    ----------
    game
        With its options.
    contract
        What is settled, for games whose ladder depends on it.
    hand
        All cards that the declarer has, as far as it has seen them. In Thousand bids go as far as these and the best
        talon can bring.
    only
        These bids, and no others; all of interest when None.
    """
    return bidding_of(game).stakes(contract, hand, only)
