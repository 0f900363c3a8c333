"""The kit as bidding sees it: no auction, so that a bid is a number of tricks that one seat counts on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.bidding.of_game import LONGEST, VOIDS, BiddingOf, Feature, Hand, Light, by_suit
from solver.games import Game
from solver.games.kit import Kit
from solver.model.contract import Contract

__all__ = ["OF"]


def _winners(game: Game, hand: Hand) -> int:
    """Cards that head their suit without a gap: a leader takes a trick with each, where nothing trumps them."""
    total = 0
    for own in by_suit(game, hand):
        held = {c.rank for c in own}
        gap = next((i for i, rank in enumerate(game.deck.ranks) if rank not in held), len(game.deck.ranks))
        total += gap
    return total


def _nth_rank(place: int) -> Callable[[Any, Hand], int]:
    return lambda game, hand: sum(c.rank == game.deck.ranks[place : place + 1] for c in hand)


class BiddingOfKit(BiddingOf[Kit]):
    """Tricks of a seat against the rest."""

    chunk = 64
    worlds = 400
    limit = 0
    light = Light()
    features = (
        Feature("highest", "cards of the highest rank, the 4s", _nth_rank(0), "{n} or more of the highest cards"),
        Feature("second", "cards of the second rank, the 3s", _nth_rank(1), "{n} or more of the second highest cards"),
        Feature("winners", "cards that head their suit without a gap, such as 4, or 4 and 3", _winners,
                "{n} or more cards from the top"),
        LONGEST,
        VOIDS,
    )  # fmt: skip
    by = ("winners",)
    tabled = (1, 2, 3)
    rung_word = "at least"

    def usual_bid(self, agreed: Contract | None) -> int:
        """Two tricks."""
        return 2

    def worth(self, contract: Contract, rungs: int) -> NDArray[np.float64]:
        """A trick is a point."""
        return np.tile(np.arange(rungs + 1, dtype=np.float64), (2, 1))

    @property
    def asked(self) -> str:
        """What a study of hands asks."""
        return "tricks of a seat against the rest"

    def verb(self, bid: int) -> str:
        """Nothing is bid."""
        return f"count on {bid} or more tricks"

    def groupings(self, places: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
        """The leader, and the others."""
        return [(places[:1], places[1:]), tuple((p,) for p in places)]

    def place_words(self, group: Sequence[int]) -> str:
        """The first seat leads."""
        return "as the leader" if list(group) == [0] else ""


#: The class.
OF = BiddingOfKit
