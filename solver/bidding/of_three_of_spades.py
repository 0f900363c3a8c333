"""3 of Spades as bidding sees it: a bid is a threshold of the whole team, and the plan names trumps and partners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.bidding.of_game import VOIDS, BiddingOf, Feature, Hand, Light, by_suit, card_points, of_ranks
from solver.bidding.passing_three_of_spades import AnySeat
from solver.bidding.stakes import Stakes
from solver.deals.halving import Round
from solver.games import Game
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.cards import Card
from solver.model.contract import Contract

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer

__all__ = ["OF"]


def _best_suit(game: Game, hand: Hand) -> list[Card]:
    """The longest suit, of equals the one with most points."""
    return max(by_suit(game, hand), key=lambda own: (len(own), card_points(game, frozenset(own))))


class BiddingOfThreeOfSpades(BiddingOf[ThreeOfSpades]):
    """Points of the team."""

    schedule = (Round(10**6, 4, 5_000), Round(40, 8, 50_000), Round(12, 16), Round(5, 64))
    few = 0
    passed = 60
    light = Light(None, (Round(10**6, 2, 2_000), Round(24, 4, 20_000), Round(8, 8, 50_000), Round(4, 32)), 60, 100_000)
    features = (
        Feature("length", "cards of the best suit: the longest, of equals the one with most points",
                lambda g, h: len(_best_suit(g, h)), "{n} or more cards of the best suit"),
        Feature("suit_points", "card points of the best suit",
                lambda g, h: card_points(g, frozenset(_best_suit(g, h))), "{n} or more points in the best suit", 10),
        Feature("aces", "aces", of_ranks("A"), "{n} or more aces"),
        Feature("kings", "kings", of_ranks("K"), "{n} or more kings"),
        Feature("three", "1 with the 3 of spades, else 0", lambda g, h: int("3S" in h), "the 3 of spades"),
        Feature("points", "card points of the hand", card_points, "{n} or more card points", 10),
        VOIDS,
    )  # fmt: skip
    by = ("length",)
    tabled = (180, 200, 220, 240)

    @property
    def forced(self) -> int | None:
        """The opener, where it must bid."""
        return 0 if self.game.options.all_pass == "opener_bids" else None

    def bids(self) -> Sequence[int]:
        """Every bid."""
        return self.game.bids

    def usual_bid(self, agreed: Contract | None) -> int:
        """The lowest."""
        return self.game.bids[0]

    def stakes(self, contract: Contract, hand: Hand, only: Sequence[int] | None) -> Stakes:
        """A bid is a threshold."""
        game = self.game
        bids = game.bids if only is None else tuple(only)
        if only is None and contract.target is not None:  # one bid may call for more cards than the others
            bids = tuple(b for b in bids if game.calls_at(b) == game.calls_at(contract.target))
        return Stakes(game, bids, bids, tuple(range(len(bids))), (-1,) * len(bids), *game.stakes, settling=self)

    def allowed(self, plans: Sequence[Contract], bids: Sequence[int]) -> NDArray[np.bool_] | None:
        """One bid may call for more cards than the others."""
        if not self.game.options.extra_partner:
            return None
        calls = np.array([len(p.called) for p in plans])
        return np.stack([calls == self.game.calls_at(b) for b in bids], axis=1)

    def told_bids(self, plan: Contract) -> list[int] | None:
        """Those that call for so many cards."""
        return [b for b in self.game.bids if self.game.calls_at(b) == len(plan.called)] if plan.called else None

    def plans(self, hand: Hand, contract: Contract) -> Iterator[Contract]:
        """With those of the highest bid, where it calls one card more."""
        game = self.game
        if game.options.extra_partner and contract.target is None and not contract.called:
            return chain(game.plans(hand, contract), game.plans(hand, replace(contract, target=game.total)))
        return game.plans(hand, contract)

    def passing(self) -> AnySeat:
        """Each other seat is as likely to win the bid."""
        return AnySeat()

    def question(self, answer: Answer) -> str:
        """What `bid` was asked."""
        plan = ", the best contract for each bid" * bool(answer.rounds)
        return f"the team of seat {answer.known.seat} takes at least this many of {self.game.total} points{plan}"

    def notes(self, answer: Answer, summary: Mapping[str, float]) -> Iterator[str]:
        """The team, and what its seats know."""
        share = "" if self.game.options.bidder_bonus else ", as of every member of the team"
        teams = ""
        if answer.team:
            whole = sum(answer.team)
            seats = ", ".join(f"{k} seats in {c / whole:.0%}" for k, c in enumerate(answer.team) if c)
            teams = f"team of {seats} of the worlds drawn; "
        yield f"{teams}expected_score of the bid winner = {answer.stakes.formula}{share}"
        yield "all seats know the teams from the start; what the auction tells is not used"


#: The class.
OF = BiddingOfThreeOfSpades
