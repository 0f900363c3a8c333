"""Passing in Thousand: another seat takes the contract at the next bid, and the seat that passed defends.

A defender scores its own points, so it matters who takes what, which no value of two sides says. One line of best play
is followed in each world; where several cards are equally good, who takes what may hang on the one chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from solver.bidding.passing_base import (
    Passed,
    Scored,
    before_talon,
    in_turns,
    next_amount,
    others_in,
    scored,
)
from solver.deals.search import Search
from solver.deals.success import Runner
from solver.games.thousand import Thousand
from solver.games.thousand_auction import FLOOR
from solver.games.thousand_tables import POINTS
from solver.kernels.table import Memory
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge

__all__ = ["GiveRule", "LeastCards", "NextBidder", "play_out"]


class GiveRule(Protocol):
    """Which two of its ten cards a declarer gives away."""

    @property
    def words(self) -> str:
        """The rule in a few words."""

    def give(self, game: Thousand, ten: frozenset[Card]) -> tuple[Card, Card]:
        """The card for the left neighbour and the one for the right."""


@dataclass(frozen=True)
class LeastCards:
    """The least cards that break no marriage and are no ace or ten, as far as there are such."""

    @property
    def words(self) -> str:
        """The rule in a few words."""
        return "gives its least cards that are no ace or ten and break no marriage, the least to its left"

    def give(self, game: Thousand, ten: frozenset[Card]) -> tuple[Card, Card]:
        """The card for the left neighbour and the one for the right."""

        def order(card: Card) -> tuple[bool, bool, int, int]:
            pair = card.rank in "KQ" and {"K" + card.suit, "Q" + card.suit} <= ten and game.options.marriages
            return pair, card.rank in "AT", POINTS[card.rank], sum(c.suit == card.suit for c in ten)

        first, second = sorted(game.deck.sort(ten), key=order)[:2]
        return first, second


@dataclass(frozen=True)
class NextBidder:
    """The seat with the standing bid, else any other seat still in the auction, takes the contract.

    Declining an amount leaves the contract to the other seat at the next amount above it; declining to open at 100, at
    100. A seat whose hand does not allow so much before the talon takes it at the most that its hand allows. The
    defenders' scores do not depend on the amount.

    Parameters
    ----------
    give
        How the declarer passes cards after the talon.
    """

    give: GiveRule = field(default_factory=LeastCards)

    @property
    def words(self) -> str:
        """The model in one line."""
        return (
            "the seat with the standing bid, else each other seat still bidding as often, plays at the next bid above "
            "the one declined (its own bid when nobody else is left; 100 when nobody has opened and 100 is declined; "
            f"at most what its hand allows before the talon), takes the talon, {self.give.words}; then one double "
            "dummy line, of equal cards the first in the hand's order"
        )

    def scores(self, knowledge: Knowledge, bids: Sequence[int | None], *, n: int, seed: int, runner: Runner) -> Passed:
        """See `solver.bidding.passing.Passing`."""
        game = knowledge.game
        assert isinstance(game, Thousand)
        if game.seats == 2:
            raise UnsupportedError(
                f"passing in thousand with table={game.options.table}: which musik the other seat takes is not modelled"
            )
        others, standing = others_in(knowledge)
        deals = before_talon(knowledge, n, seed)
        who = in_turns([standing[0]] if standing else others, len(deals), seed)
        amounts = [self._amount(game, knowledge, bid, standing, others) for bid in bids]

        def ask(i: int, memory: Memory, limit: int) -> Scored:
            return self._score(game, deals[i], int(who[i]), amounts, standing, memory, limit)

        return scored(runner, knowledge, len(deals), len(bids), ask, who)

    @staticmethod
    def _amount(
        game: Thousand, knowledge: Knowledge, bid: int | None, standing: tuple[int, int] | None, others: Sequence[int]
    ) -> int:
        """What another seat plays at when a bid is declined, as far as its hand allows."""
        opened = any(call.word != "pass" for call in knowledge.calls)
        forced = game.options.all_pass == "forced_forehand"  # then 100 is always bid
        if bid is None or (bid == FLOOR and not opened and not forced):
            return FLOOR
        return next_amount(game.bids(), bid, standing, others)

    def _score(
        self, game: Thousand, deal: Deal, declarer: int, amounts: Sequence[int], standing: tuple[int, int] | None,
        memory: Memory, limit: int,
    ) -> Scored:  # fmt: skip
        """One world: talon and pass, one line, and its settlement at each amount."""
        cap = max(game.cap(deal.hands[declarer]), standing[1] if standing else FLOOR)
        at = [min(amount, max(b for b in game.bids() if b <= cap)) for amount in amounts]
        contract = game.contract(Contract(declarer=declarer, leader=declarer, target=FLOOR))
        if deal.talon:
            cards = self.give.give(game, deal.hands[declarer] | deal.talon)
            contract = replace(contract, passes=tuple(zip(game.opponents(declarer), cards, strict=True)))
        position = game.start(deal, game.check_contract(contract))
        end = play_out(position, memory, limit)
        ends = (end,) if end is not None else _extremes(game, position)
        found = {
            bid: [game.settle(one, replace(contract, target=bid)).scores for one in ends] for bid in dict.fromkeys(at)
        }
        every = np.array([found[bid] for bid in at], np.float64).reshape(len(at), len(ends), game.seats)
        return Scored(every.min(axis=1), every.max(axis=1))


def play_out(position: Position, memory: Memory, limit: int) -> Position | None:
    """End of a line of best play for both sides; None when a search gave up.

    Of several best cards the first in the order of `Position.legal` is taken.

    Parameters
    ----------
    position
        With a side that collects.
    memory
        To search with, on the thread that calls.
    limit
        Nodes for each question, 0 for none.
    """
    one = Search(position, limit=limit, memory=memory)
    value, high = one.value(position)
    if value != high:
        return None
    while not position.over:
        collects = (position.turn in position.side) != position.rules.misere
        *others, after = [position.play(move) for move in position.legal()]  # when no other is best, the last is
        for other in others:
            need = value - (other.collected - position.collected)
            found = one.reaches(other, need if collects else need + 1)
            if found is None:
                return None
            if found == collects:
                after = other
                break
        value -= after.collected - position.collected
        position = after
    return position


def _extremes(game: Thousand, position: Position) -> tuple[Position, ...]:
    """Ends between which every score lies: each seat in turn takes all, declaring all that it might."""
    empty = (frozenset[Card](),) * game.seats
    size, total = len(position.hands[0]), sum(POINTS[c.rank] for c in game.deck.cards) + game.options.last_trick_bonus

    def end(seat: int) -> Position:
        def only(amount: int) -> tuple[int, ...]:
            return tuple(amount * (s == seat) for s in range(game.seats))

        bonus = game.bonus_in(position.hands[seat]) if game.options.marriages else 0
        return replace(position, hands=empty, points=only(total), bonus=only(bonus), tricks=only(size))

    return tuple(end(seat) for seat in range(game.seats))
