"""Passing in Sheepshead: the seats behind pick by a rule, or nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from solver.bidding.passing_base import Passed, Scored, auction_now, before_talon, reach, scored
from solver.deals.success import Runner
from solver.games.auction import NO_DEAL
from solver.games.sheepshead import Sheepshead
from solver.games.sheepshead_picking import Ducking, PickerPlan, PickRule, PlayRule, ShortSuit, TrumpRule
from solver.games.sheepshead_score import weak
from solver.kernels.table import Memory
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge

__all__ = ["SeatsBehind", "tiers"]


@dataclass(frozen=True)
class SeatsBehind:
    """The seats that speak after the one that passes pick by a rule, the first that does plays.

    It takes the blind and plans by a rule; the deal is played double dummy by the sides that follow. When all pass,
    what the option `no_pick` says: a leaster or its like is played by a rule, as no two sides play it; a new deal
    counts nothing, even where it would count double. A weak hand that may claim a new deal (option `weak_redeal`)
    does. Who has spoken before counts as having passed, which says nothing of its cards. Cracks and blitzes are not
    called.

    Parameters
    ----------
    rule
        When a seat picks.
    plan
        What a picker calls and buries.
    play
        Which cards are played when nobody picks.
    """

    rule: PickRule = field(default_factory=TrumpRule)
    plan: PickerPlan = field(default_factory=ShortSuit)
    play: PlayRule = field(default_factory=Ducking)

    @property
    def words(self) -> str:
        """The model in one line."""
        return (
            f"seats behind pick with {self.rule.words}; the picker {self.plan.words}; then double dummy by sides; when "
            f"all pass the option no_pick: in games each for itself {self.play.words}; a new deal counts 0"
        )

    def scores(self, knowledge: Knowledge, bids: Sequence[int | None], *, n: int, seed: int, runner: Runner) -> Passed:
        """See `solver.bidding.passing.Passing`."""
        game = knowledge.game
        assert isinstance(game, Sheepshead)
        behind = self._behind(knowledge, game)
        deals = before_talon(knowledge, n, seed)

        def ask(i: int, memory: Memory, limit: int) -> Scored:
            one = self.score(game, deals[i], behind, knowledge.dealer, memory, limit)
            return Scored(*(np.tile(x, (len(bids), 1)) for x in one))

        return scored(runner, knowledge, len(deals), len(bids), ask)

    @staticmethod
    def _behind(knowledge: Knowledge, game: Sheepshead) -> list[int]:
        """Seats that speak after the one that passes, in turn."""
        me, seats = knowledge.seat, game.seats
        auction = auction_now(knowledge)
        first = (knowledge.dealer + 1) % seats
        place = (me - first) % seats
        if auction.result is not None:
            raise UnsupportedError(f"the auction is over, {auction}: there is nothing to pass")
        if len(auction.calls) > place:
            raise UnsupportedError(f"seat {me} has passed: each seat speaks once")
        if me == knowledge.dealer and game.options.no_pick == "forced_dealer":
            raise UnsupportedError(f"seat {me} is the dealer and must pick when all others pass: it cannot pass")
        return [(first + i) % seats for i in range(place + 1, seats)]

    def picker(self, game: Sheepshead, deal: Deal, behind: Sequence[int], dealer: int) -> int | str:
        """Who picks; or the word for what follows when nobody does."""
        for seat in behind:
            place, hand = (seat - dealer - 1) % game.seats, deal.hands[seat]
            if game.options.weak_redeal and weak(hand):
                return "redeal"
            if (seat == dealer and game.options.no_pick == "forced_dealer") or self.rule.picks(game, hand, place):
                return seat
        return str(game.options.no_pick)

    def score(
        self, game: Sheepshead, deal: Deal, behind: Sequence[int], dealer: int, memory: Memory, limit: int
    ) -> Scored:
        """Least and most score of every seat in one deal, ``[seats]``.

        Parameters
        ----------
        game, deal, dealer
            The deal with its blind.
        behind
            Seats that still speak, in turn.
        memory, limit
            To search with.
        """
        who, leader = self.picker(game, deal, behind, dealer), game.first_leader(None, dealer)
        if isinstance(who, str):
            found = np.array(self._nobody(game, deal, who, leader), np.float64)
            return Scored(found, found)
        asked = game.check_contract(Contract(declarer=who, leader=leader))
        plan = game.check_contract(self.plan.plan(game, deal.hands[who] | deal.talon, asked))
        position = game.start(deal, plan)
        low, high = tiers(game, position, game.banked(plan), memory, limit)
        times = game.multiplier(plan)
        found = np.array([_shares(game, rung, position.side, who, times) for rung in range(low, high + 1)], np.float64)
        return Scored(found.min(axis=0), found.max(axis=0))

    def _nobody(self, game: Sheepshead, deal: Deal, kind: str, leader: int) -> tuple[int, ...]:
        """Scores when nobody picks."""
        if kind in NO_DEAL:
            return (0,) * game.seats
        contract = game.check_contract(Contract(leader=leader, kind=kind))
        position = game.start(deal, contract)
        while kind != "schwanzer" and not position.over:
            position = position.play(self.play.move(position))
        return game.settle(position, contract).scores


@cache
def _shares(game: Sheepshead, rung: int, side: frozenset[int], picker: int, times: int) -> tuple[int, ...]:
    """Scores of all seats for a tier."""
    alone = len(side) == 1
    own, partner, other = game.score(rung, alone=alone, multiplier=times)
    return tuple(own if s == picker else partner if s in side else other for s in range(game.seats))


def tiers(game: Sheepshead, position: Position, bank: int, memory: Memory, limit: int) -> tuple[int, int]:
    """Least and most tier of the picking side double dummy, 0 to 5 as in `Sheepshead.score`.

    Tricks are searched only where points leave open whether there is none, or every one: a side without a trick has
    nothing, whatever was buried, and one with all of them has 120.
    """
    by_points = game.options.schwarz == "points"
    steps = (1, 31, 61, 91, 120) if by_points else (31, 61, 91)
    found = reach(position, [points - bank for points in steps], memory, limit)
    held = sum(bank >= points for points in steps)

    @cache
    def tricks(need: int) -> tuple[bool, bool]:
        answer = reach(position, [need], memory, limit, tricks=True)
        return bool(answer.low[0]), bool(answer.high[0])

    def tier(level: int, bound: int) -> int:
        if level == held and (held or not by_points) and not tricks(1)[bound]:
            return 0  # nothing but what was buried, and no trick to count it with
        if by_points:
            return level
        return 5 if level == 3 and tricks(game.hand_size)[bound] else level + 1

    return tier(int(found.low[0]), 0), tier(int(found.high[0]), 1)
