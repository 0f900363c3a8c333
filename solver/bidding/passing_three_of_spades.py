"""Passing in 3 of Spades: each other seat is as likely to win the bid, perhaps with the one that passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from solver.bidding.passing_base import Passed, Scored, before_talon, in_turns, next_amount, others_in, reach, scored
from solver.deals.success import Runner
from solver.games.three_of_spades import ThreeOfSpades
from solver.kernels.table import Memory
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge

__all__ = ["AnySeat", "LongSuit", "TrumpAndCalls"]


class TrumpAndCalls(Protocol):
    """Which trumps a bid winner names and which cards it calls."""

    @property
    def words(self) -> str:
        """The rule in a few words."""

    def plan(self, game: ThreeOfSpades, hand: frozenset[Card], contract: Contract) -> Contract:
        """Complete a contract that has a declarer and a bid."""


@dataclass(frozen=True)
class LongSuit:
    """The longest suit is trump; called are the best cards that the hand lacks."""

    @property
    def words(self) -> str:
        """The rule in a few words."""
        return (
            "its longest suit as trump, of equals the one with most points, and calls the best cards it lacks: trump "
            "ace, trump king, other aces (longest suit first), lower trumps"
        )

    def plan(self, game: ThreeOfSpades, hand: frozenset[Card], contract: Contract) -> Contract:
        """Complete a contract that has a declarer and a bid."""

        def weight(suit: str) -> tuple[int, int]:
            own = [c for c in hand if c.suit == suit]
            return len(own), sum(game.points(c) for c in own)

        trump, *others = sorted(game.deck.suits, key=weight, reverse=True)
        top = ["3S"] * game.options.three_on_top
        wanted = [*top, "A" + trump, "K" + trump, *("A" + s for s in others), *(r + trump for r in game.deck.ranks)]
        missing = [Card(c) for c in dict.fromkeys(wanted) if c in game.deck and c not in hand]
        more = [c for c in game.deck.cards if c not in hand and c not in missing]  # a hand with nearly all trumps
        return replace(contract, trump=trump, called=tuple((missing + more)[: game.calls_at(contract.target)]))


@dataclass(frozen=True)
class AnySeat:
    """Another seat wins the bid at the next amount above the one declined, each of those left equally often.

    Parameters
    ----------
    plan
        How the bid winner names trumps and calls.
    """

    plan: TrumpAndCalls = field(default_factory=LongSuit)

    @property
    def words(self) -> str:
        """The model in one line."""
        return (
            "each other seat still bidding wins as often, at the next bid above the one declined (the standing bid "
            f"when nobody else is left), names {self.plan.words}; then double dummy by teams"
        )

    def scores(self, knowledge: Knowledge, bids: Sequence[int | None], *, n: int, seed: int, runner: Runner) -> Passed:
        """See `solver.bidding.passing.Passing`."""
        game = knowledge.game
        assert isinstance(game, ThreeOfSpades)
        if game.options.failed_bid == "collected":
            raise UnsupportedError(
                "passing in three_of_spades with failed_bid=collected: a score depends on who of a side takes what"
            )
        others, standing = others_in(knowledge)
        opener = (knowledge.dealer + 1) % game.seats
        if game.options.all_pass == "opener_bids" and knowledge.seat == opener and not knowledge.calls:
            raise UnsupportedError(f"seat {opener} opens and must bid: it has nothing to pass")
        deals = before_talon(knowledge, n, seed)
        who = in_turns(others, len(deals), seed)
        amounts = [next_amount(game.bids, bid, standing, others) for bid in bids]

        def ask(i: int, memory: Memory, limit: int) -> Scored:
            return self._score(game, deals[i], int(who[i]), amounts, memory, limit)

        return scored(runner, knowledge, len(deals), len(bids), ask, who)

    def _score(
        self, game: ThreeOfSpades, deal: Deal, declarer: int, amounts: Sequence[int], memory: Memory, limit: int
    ) -> Scored:
        """One world: the winner's plan, which amounts its team makes, and the settlement."""
        rising = sorted(set(amounts))
        found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for calls in dict.fromkeys(game.calls_at(bid) for bid in rising):
            some = [bid for bid in rising if game.calls_at(bid) == calls]
            asked = Contract(declarer=declarer, leader=declarer, target=some[0])
            contract = game.check_contract(self.plan.plan(game, deal.hands[declarer], asked))
            position = game.start(deal, contract)
            levels = reach(position, some, memory, limit)
            for k, bid in enumerate(some):
                surely, possibly = bool(levels.low[0] > k), bool(levels.high[0] > k)
                ends = [_settled(game, position, replace(contract, target=bid), made) for made in (surely, possibly)]
                found[bid] = ends[0], ends[1]
        every = np.array([found[bid] for bid in amounts], np.float64).reshape(len(amounts), 2, game.seats)
        return Scored(every.min(axis=1), every.max(axis=1))


def _settled(game: ThreeOfSpades, position: Position, contract: Contract, made: bool) -> tuple[int, ...]:
    """Scores of all seats when the team makes its bid, or just does not."""
    bid, declarer = contract.target, contract.declarer
    assert bid is not None
    points = tuple((bid if made else bid - 1) * (s == declarer) for s in range(game.seats))
    end = replace(position, hands=(frozenset[Card](),) * game.seats, points=points)
    return game.settle(end, contract).scores
