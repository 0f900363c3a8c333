"""Thousand as bidding sees it: every bid has two thresholds, one for each reading of the contract check.

Passes are planned, a contract may be raised after the talon or given up, and a match changes what a score is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from solver.bidding.of_game import LONGEST, VOIDS, BiddingOf, Counts, Feature, Hand, Light, Talon, by_suit, of_ranks
from solver.bidding.of_thousand_exact import best_passes, talon_classes
from solver.bidding.of_thousand_giving_up import playing_on
from solver.bidding.of_thousand_match import check_match, ends_in_match, match_from, passed_in_match
from solver.bidding.passing_thousand import NextBidder
from solver.bidding.stakes import Stakes
from solver.deals.halving import Round
from solver.games import Game
from solver.games.match import Match
from solver.games.thousand import Thousand
from solver.games.thousand_tables import POINTS
from solver.model.contract import Contract
from solver.model.errors import TrickwiseError, UnsupportedError

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer
    from solver.bidding.passing import Passed
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.sample import Worlds

__all__ = ["OF"]


def _halves(game: Game, hand: Hand) -> int:
    return sum(len({c.rank for c in own} & {"K", "Q"}) == 1 for own in by_suit(game, hand))


def _points(game: Game, hand: Hand) -> int:
    return sum(POINTS[c.rank] for c in hand)


class BiddingOfThousand(BiddingOf[Thousand]):
    """Points with marriages."""

    schedule = (Round(90, 32), Round(24, 128), Round(8, 1024))
    before = (Round(90, 4), Round(24, 8), Round(6, 32))
    chunk = 64
    worlds = 500
    limit = 0
    light = Light(12, (Round(90, 2), Round(20, 4), Round(5, 16)), 48)
    features = (
        Feature("aces", "aces", of_ranks("A"), "{n} or more aces"),
        Feature("tens", "tens", of_ranks("T"), "{n} or more tens"),
        Feature("marriages", "bonus of the marriages held (H 100, D 80, C 60, S 40)", lambda g, h: g.bonus_in(h),
                "marriages worth {n} or more", 20),
        Feature("halves", "suits with the king or the queen alone, which the talon may complete", _halves,
                "{n} or more half marriages"),
        Feature("points", "card points of the hand", _points, "{n} or more card points", 5),
        Feature("worth", "card points and marriage bonuses of the hand together",
                lambda g, h: _points(g, h) + g.bonus_in(h),
                "{n} or more card points and marriage bonuses together", 10),
        LONGEST,
        VOIDS,
    )  # fmt: skip
    by = ("marriages",)
    tabled = (100, 110, 120)
    before_talon = True
    plan_word = "pass"

    def check_table(self) -> None:
        """Three seats, or pairs."""
        if self.game.seats == 2:
            raise UnsupportedError(
                f"thousand with table={self.game.options.table}: bids are estimated for three seats and in pairs"
            )

    def check_study(self) -> None:
        """Three seats."""
        if self.game.seats == 2 or not self.game.talon_size:
            raise UnsupportedError(
                f"thousand with table={self.game.options.table}: thresholds are studied for three seats"
            )

    def check_duel(self) -> None:
        """Three seats."""
        if self.game.seats != 3:
            raise UnsupportedError(f"thousand with table={self.game.options.table}: a match is for three seats")

    @property
    def forced(self) -> int | None:
        """Forehand, where it must bid."""
        return 0 if self.game.options.all_pass == "forced_forehand" else None

    # ------------------------------------------------------------------ bids and scores

    def bids(self) -> Sequence[int]:
        """Every bid."""
        return self.game.bids()

    def usual_bid(self, agreed: Contract | None) -> int:
        """What the cards alone hold."""
        return 120

    def stakes(self, contract: Contract, hand: Hand, only: Sequence[int] | None) -> Stakes:
        """Bids go as far as the hand and the best talon can bring."""
        game = self.game
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
        return Stakes(game, bids, needs, column, other, *game.stakes, settling=self)

    @property
    def other_column(self) -> str:
        """The check is of rounded points, or of exact ones."""
        return "p_exact" if self.game.options.round_before_check else "p_rounded"

    def cap(self, hand: Hand) -> int | None:
        """By the option `bid_cap`."""
        return self.game.cap(hand) if len(hand) == self.game.hand_size else None

    def plans(self, hand: Hand, contract: Contract) -> Iterator[Contract]:
        """Passes of a table that is estimated."""
        self.check_table()
        return self.game.plans(hand, contract)

    # ------------------------------------------------------------------ every plan in every world

    def check_exact(self) -> None:
        """Three seats."""
        if self.game.seats != 3:
            raise UnsupportedError(f"thousand with table={self.game.options.table}: an exact curve is for three seats")

    def talon_classes(self, hand: Hand, count: int, *, seed: int) -> tuple[list[Talon], list[int]]:
        """Alike but for the names of suits."""
        return talon_classes(self.game, hand, count, seed=seed)

    def best_plans(self, known: Knowledge, needs: Sequence[int], *, worlds: int, seed: int) -> Counts:
        """Of 90 passes."""
        return best_passes(known, needs, worlds=worlds, seed=seed)

    # ------------------------------------------------------------------ passing, and a match

    def check_passing(self) -> None:
        """A contract made must score its bid."""
        if self.game.options.score_actual:
            raise UnsupportedError("a made contract scores its points (score_actual), which no threshold tells")

    def passing(self) -> NextBidder:
        """Another seat takes the contract at the next bid."""
        return NextBidder()

    def match_from(self, totals: str) -> Match:
        """A match with these totals."""
        return match_from(self.game, totals)

    def check_match(self, match: Match) -> None:
        """A match of this game."""
        check_match(match)

    def ends_in_match(self, match: Match, seat: int, stakes: Stakes) -> dict[int, tuple[float, float]]:
        """Barrel and falls count."""
        return ends_in_match(check_match(match), seat, stakes)

    def passed_in_match(self, match: Match, seat: int, passed: Passed) -> Passed:
        """Barrel and falls count."""
        return passed_in_match(check_match(match), seat, passed)

    # ------------------------------------------------------------------ words

    def question(self, answer: Answer) -> str:
        """What `bid` was asked."""
        seat = answer.known.seat
        if answer.clustered:
            return f"seat {seat} makes its bid, before the talon, the best pass for each talon and bid"
        if answer.rounds:
            return f"seat {seat} makes its bid with these cards, the best pass for each bid"
        cards = 0 if answer.start is None else len(answer.start.hands[seat])
        return f"seat {answer.contract.declarer} makes its bid with these {cards} cards"

    def notes(self, answer: Answer, summary: Mapping[str, float]) -> Iterator[str]:
        """The check of the contract, the options left out, and what the talon may bring."""
        game, o = self.game, self.game.options
        check = "rounded" if o.round_before_check else "exact"
        yield (f"p: the {check} check of the contract (120 needs {game.rounded_need(120)} raw points rounded, 120 "
               f"exact); expected_score = {answer.stakes.formula}")  # fmt: skip
        if answer.raises and answer.passed is not None:
            yield "with_raise: the contract is raised after the talon where that scores more; gain counts it"
        if answer.ends is not None:
            yield ("match change, with_raise, the scores of passing and gain are changes of the seat's total in the "
                   "match, by its rules of barrel and falls")  # fmt: skip
        if o.score_actual:
            yield "a made contract scores its points here, which may be more than the bid that expected_score counts"
        if o.redeal_four_nines or o.redeal_three_nines or o.redeal_weak_hand or o.redeal_bad_talon:
            yield "deals that would be dealt again are not left out of the worlds"
        if not game.talon_size:
            yield "the partner sees all cards as well; its marriages count"
        if answer.clustered:
            hand = answer.known.hand
            every = list(combinations(answer.known.situation.unseen, game.talon_size))
            lucky = sum(game.bonus_in(hand | set(t)) > game.bonus_in(hand) for t in every)
            yield (f"the talon completes a marriage in {lucky} of {len(every)} ({lucky / len(every):.3f}); "
                   f"highest bid allowed before the talon {answer.cap}")  # fmt: skip
        elif not answer.rounds and game.talon_size:
            known = answer.known.agreed is not None and answer.known.agreed.passes
            yield "cards passed are known" if known else "no pass named: the unseen cards lie anywhere with the others"

    def plan_columns(self, hand: Hand, plan: Contract) -> dict[str, Any]:
        """How far the cards kept may reach."""
        if not plan.passes:
            return {}
        kept = hand - {card for _, card in plan.passes}
        return {"reach": max((r.bid for r in self.game.raises(kept, 0) if r.reachable), default=None)}

    def plan_notes(self, contract: Contract) -> Iterator[str]:
        """What `reach` is, and giving up."""
        yield ("reach: the highest bid that card points and the marriages kept can make; any higher legal bid may be "
               "named")  # fmt: skip
        if contract.target is not None:
            try:
                yield f"or surrender: {self.game.surrender(contract).text}"
            except TrickwiseError as barred:
                yield str(barred)

    def ranking_notes(self, contract: Contract, never: Contract | None, worlds: Worlds, limit: int) -> Iterator[str]:
        """Giving up, set against playing on where no pass makes the bid."""
        try:
            given = self.game.surrender(contract)
        except TrickwiseError as barred:
            yield str(barred)
            return
        yield f"or surrender: {given.text}"
        if never is not None:
            yield playing_on(worlds, replace(never, target=contract.target), given, limit=limit)


#: The class.
OF = BiddingOfThousand
