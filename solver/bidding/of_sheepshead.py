"""Sheepshead as bidding sees it: to pick or to pass; bids are the tiers of the settlement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.bidding.of_game import BiddingOf, Feature, Hand, Light, card_points, of_ranks
from solver.bidding.passing_sheepshead import SeatsBehind
from solver.deals.halving import Round
from solver.games.sheepshead import Sheepshead
from solver.games.sheepshead_score import TRUMPS, power
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer
    from solver.bidding.passing import Passing

__all__ = ["OF"]


def _trumps(ranks: str) -> Callable[[Any, Hand], int]:
    return lambda game, hand: sum(c in TRUMPS and c.rank in ranks for c in hand)


def _fail(hand: Hand, suit: str) -> list[Card]:
    return [c for c in hand if c.suit == suit and c not in TRUMPS]


class BiddingOfSheepshead(BiddingOf[Sheepshead]):
    """The picking side's tier."""

    before = (Round(1000, 4), Round(24, 8), Round(6, 32))
    chunk = 16
    few = 0
    worlds = 400
    limit = 0
    passed = 300
    light = Light(12, (Round(1000, 2), Round(16, 4), Round(4, 16)), 60)
    features = (
        Feature("trumps", "queens, jacks and diamonds", _trumps("QJATK987"), "{n} or more trumps"),
        Feature("queens", "queens", of_ranks("Q"), "{n} or more queens", within="trumps"),
        Feature("jacks", "jacks", of_ranks("J"), "{n} or more jacks", within="trumps"),
        Feature("tops", "queens and jacks", of_ranks("QJ"), "{n} or more of the queens and jacks", within="trumps"),
        Feature("power", "trump power: a queen counts 3, a jack 2, any other diamond 1", lambda g, h: power(h)[0],
                "trump power {n} or more"),
        Feature("aces", "aces of clubs, spades and hearts", lambda g, h: sum(c.rank == "A" and c != "AD" for c in h),
                "{n} or more fail aces"),
        Feature("points", "card points of the hand", card_points, "{n} or more card points", 5),
        Feature("voids", "of clubs, spades and hearts those without a card", lambda g, h:
                sum(not _fail(h, s) for s in "CSH"), "{n} or more void fail suits"),
    )  # fmt: skip
    by = ("trumps",)
    tabled = (31, 61, 91)
    before_talon = True
    tiered = True
    rung_word = "settlement tier"

    def check_study(self) -> None:
        """Somebody must pick."""
        if self.game.options.partner == "queens":
            raise UnsupportedError("sheepshead with partner=queens: nobody picks, so there is nothing to study")

    def check_duel(self) -> None:
        """Somebody must pick."""
        if self.game.options.partner == "queens":
            raise UnsupportedError("sheepshead with partner=queens: nobody picks, so there are no plans")

    def check_target(self, target: int) -> None:
        """A number of points that is a tier of the settlement."""
        tiers = self.bids()
        if target not in tiers:
            raise UnsupportedError(f"{target} is no tier of sheepshead: {', '.join(map(str, tiers))}")

    @property
    def forced(self) -> int | None:
        """The dealer, where it must pick."""
        return self.game.seats - 1 if self.game.options.no_pick == "forced_dealer" else None

    def usual_bid(self, agreed: Contract | None) -> int:
        """What makes the contract."""
        return 61

    def worth(self, contract: Contract, rungs: int) -> NDArray[np.float64]:
        """The picker's score by tiers."""
        game, times = self.game, self.game.multiplier(contract)

        def own(alone: bool) -> list[int]:
            return [game.score(k, alone=alone, multiplier=times)[0] for k in range(rungs + 1)]

        return np.array([own(False), own(True)], np.float64)

    def passing(self) -> Passing:
        """The seats behind pick by a rule; with queens nobody picks."""
        return super().passing() if self.game.options.partner == "queens" else SeatsBehind()

    def question(self, answer: Answer) -> str:
        """What `bid` was asked."""
        contract, position = answer.contract, answer.start
        side = contract.side
        who = f"seat {contract.declarer} picks" if side is None else f"seats {' '.join(map(str, sorted(side)))}"
        each = f" for each {self.game.talon_label}" * answer.clustered
        which = ", the best plan" * bool(answer.rounds) + each
        leads = contract.leader if position is None else position.leader
        return f"the picking side reaches at least this tier, {who}{which}, seat {leads} leads"

    def notes(self, answer: Answer, summary: Mapping[str, float]) -> Iterator[str]:
        """The score of picking, against passing where that was judged."""
        made = summary.get("p_make", float("nan"))
        contract = answer.contract
        bury = f"bury {self.game.banked(contract)} points, counted; " if contract.bury else ""
        if answer.rounds:
            yield "each p is of the plan with the best chance of that tier, the score of the plan with the best score"
        if answer.clustered:
            yield "seats before this one that were not heard count as having passed"
        yield (f"{bury}P(make) {made:.3f}, expected score of the picker {summary['expected_score']:+.2f} a deal, "
               f"standard error {summary['standard_error']:.2f}, 95 % from {summary['score_low']:+.2f} to "
               f"{summary['score_high']:+.2f}")  # fmt: skip
        if "gain" in summary:
            low, high = summary["gain_low"], summary["gain_high"]
            better = "pick" if low > 0 else "pass" if high < 0 else "too close to call"
            passing = f"{summary['pass_score']:+.2f} ({summary['pass_low']:+.2f} to {summary['pass_high']:+.2f})"
            yield (f"passing brings {passing}; picking gains {summary['gain']:+.2f} over it ({low:+.2f} to "
                   f"{high:+.2f}): {better}")  # fmt: skip
        if not answer.rounds:
            yield "the plan is one for all worlds; what passes of other seats tell is not used"

    def heard(self, place: int) -> str:
        """All seats before have passed."""
        return " ".join(["pass"] * place)

    @property
    def asked(self) -> str:
        """What a study of hands asks."""
        return "pick or pass"

    def verb(self, bid: int) -> str:
        """What a rule of thumb says to do."""
        return "pick"

    def groupings(self, places: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
        """The last seat, and those before it."""
        return [(places[:-1], places[-1:]), tuple((p,) for p in places)]


#: The class.
OF = BiddingOfSheepshead
