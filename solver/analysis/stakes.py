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

from solver.games import Game
from solver.games.base import Rung
from solver.games.kit import Kit
from solver.games.sheepshead import Sheepshead
from solver.games.thousand import Thousand
from solver.games.three_of_spades import ThreeOfSpades
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
        bank = self.game.banked(plan)
        return tuple(Rung(str(need), need, "points", need - bank) for need in self.needs)

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
        if isinstance(game := self.game, Sheepshead):
            times, rungs = game.multiplier(contract), len(self.bids)

            def own(alone: bool) -> list[int]:
                return [game.score(k, alone=alone, multiplier=times)[0] for k in range(rungs + 1)]

            return np.array([own(False), own(True)], np.float64)
        if isinstance(self.game, Kit):
            return np.tile(np.arange(len(self.bids) + 1, dtype=np.float64), (2, 1))
        return None

    def allowed(self, plans: Sequence[Contract]) -> NDArray[np.bool_] | None:
        """Whether a plan may be played at a bid, ``[plans, rungs]``: one bid may call for more called cards."""
        if not isinstance(self.game, ThreeOfSpades) or not self.game.options.extra_partner:
            return None
        calls = np.array([len(p.called) for p in plans])
        return np.stack([calls == self.game.calls_at(b) for b in self.bids], axis=1)


def stakes_of(
    game: Game, contract: Contract, hand: frozenset[Card], *, only: Sequence[int] | None = None, above: int = 20
) -> Stakes:
    """Thresholds for a hand.

    Parameters
    ----------
    game
        With its options.
    contract
        What is settled, for games whose ladder depends on it.
    hand
        All cards that the declarer has, as far as it has seen them.
    only
        These bids, and no others; all of interest when None.
    above
        Thousand: how far bids go beyond what the hand's own cards and marriages can bring.
    """
    if isinstance(game, Thousand):
        cap = game.cap(hand) if game.options.bid_cap != "none" and len(hand) == game.hand_size else 0
        own = 120 + game.bonus_in(hand) * game.options.marriages + game.options.last_trick_bonus
        top = max(own, cap, 120) + above
        bids = tuple(b for b in game.bids() if b <= top or b == contract.target) if only is None else tuple(only)
        pairs = [(game.raw_need(b), b if game.options.round_before_check else game.rounded_need(b)) for b in bids]
        needs = tuple(sorted({need for pair in pairs for need in pair}))
        column, other = (tuple(needs.index(p[i]) for p in pairs) for i in (0, 1))
        return Stakes(game, bids, needs, column, other, *game.stakes)
    if isinstance(game, ThreeOfSpades):
        bids = game.bids if only is None else tuple(only)
        if only is None and contract.called:  # one bid may call for more cards than the others
            bids = tuple(b for b in bids if game.calls_at(b) == len(contract.called))
        return Stakes(game, bids, bids, tuple(range(len(bids))), (-1,) * len(bids), *game.stakes)
    ladder = game.ladder(contract)
    return Stakes(game, tuple(r.bid for r in ladder), None, tuple(range(len(ladder))), (-1,) * len(ladder))
