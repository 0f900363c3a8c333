"""What plans are played for: the thresholds of a game, the bids that rest on them, and what a result scores.

A ladder is a row of rising thresholds. In Thousand every bid has two, one for each reading of the contract check
(rounded and exact); in 3 of Spades a bid is a threshold; in Sheepshead the thresholds are the tiers of the settlement,
and a score follows from the tier without a bid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

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
from solver.model.errors import UnsupportedError

__all__ = ["Stakes", "check_target", "stakes_of"]


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
        return _points(self.needs, self.game.banked(plan))

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


@lru_cache(maxsize=64)
def _points(needs: tuple[int, ...], bank: int) -> tuple[Rung, ...]:
    """Rungs of points, so much of which is there before the play; one row for all plans that have the same."""
    return tuple(Rung(str(need), need, "points", need - bank) for need in needs)


def check_target(game: Sheepshead, target: int) -> None:
    """Refuse a number of points that is no tier of the settlement.

    Raises
    ------
    UnsupportedError
        Naming the tiers.
    """
    tiers = [rung.bid for rung in game.ladder(game.contract("by 0"))]
    if target not in tiers:
        raise UnsupportedError(f"{target} is no tier of sheepshead: {', '.join(map(str, tiers))}")


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
    if isinstance(game, Thousand):
        before = game.talon_size > 0 and len(hand) == game.hand_size
        unseen = [c for c in game.deck.cards if c not in hand]
        bonus = max(game.bonus_in(hand | set(t)) for t in combinations(unseen, game.talon_size if before else 0))
        top = 120 + bonus * game.options.marriages + game.options.last_trick_bonus
        if before and game.options.bid_cap != "none":
            top = max(top, game.cap(hand))
        bids = tuple(b for b in game.bids() if b <= top or b == contract.target) if only is None else tuple(only)
        pairs = [(game.raw_need(b), b if game.options.round_before_check else game.rounded_need(b)) for b in bids]
        needs = tuple(sorted({need for pair in pairs for need in pair}))
        column, other = (tuple(needs.index(p[i]) for p in pairs) for i in (0, 1))
        return Stakes(game, bids, needs, column, other, *game.stakes)
    if isinstance(game, ThreeOfSpades):
        bids = game.bids if only is None else tuple(only)
        if only is None and contract.target is not None:  # one bid may call for more cards than the others
            bids = tuple(b for b in bids if game.calls_at(b) == game.calls_at(contract.target))
        return Stakes(game, bids, bids, tuple(range(len(bids))), (-1,) * len(bids), *game.stakes)
    ladder = game.ladder(contract)
    return Stakes(game, tuple(r.bid for r in ladder), None, tuple(range(len(ladder))), (-1,) * len(ladder))
