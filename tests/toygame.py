"""A game that only tests know, as a user may register one: `register` makes it known as ``toy``.

It has what a game can have without being named anywhere else. Its declarer takes a talon and buries; or all cards are
dealt, and it names the trump suit or decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import pytest

from solver.games import GAMES
from solver.games.base import Game, Rung, disjoint, one_by_one, rank_suit
from solver.games.options import choice
from solver.model.cards import Card, Deck
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position

DECISIONS = ("bury", "trump", "nothing")
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


@dataclass(frozen=True)
class ToyOptions:
    """House rules."""

    decides: str = choice(*DECISIONS, help="what the declarer settles before the first lead")


class Toy(Game):
    """Three seats, one against two, 12 cards, 30 points."""

    name = "toy"
    title = "Toy"
    about = "12 cards, 3 seats, one against two; follow suit"
    clauses = frozenset({"bid", "by", "bury", "trump", "lead"})
    option_class = ToyOptions
    options: ToyOptions

    seats = 3

    @cached_property
    def deck(self) -> Deck:
        return Deck("the toy pack", "CDH", "AKQJ")

    @property
    def hand_size(self) -> int:
        return (len(self.deck) - self.talon_size) // self.seats

    @property
    def talon_size(self) -> int:
        return 3 if self.options.decides == "bury" else 0

    def check_contract(self, contract: Contract) -> Contract:
        if contract.target is not None and not 1 <= contract.target <= 30:
            raise NotationError(f"{contract.target} points: there are 30")
        if contract.bury and len(contract.bury) != self.talon_size:
            raise NotationError(f"{len(contract.bury)} cards buried: expected {self.talon_size}")
        return contract

    def trick_rules(self, contract: Contract) -> TrickRules:
        suits = one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit)
        points = tuple((card, POINTS[card.rank]) for card in self.deck.cards)
        return TrickRules(seats=self.seats, suits=suits, points=points)

    def start(self, deal: Deal, contract: Contract) -> Position:
        declarer = self.require_declarer(contract)
        hands = list(deal.hands)
        if self.talon_size and deal.talon:
            if not contract.bury:
                raise NotationError(f"nothing is buried: write 'bury' and {self.talon_size} cards")
            full = hands[declarer] | deal.talon
            if not set(contract.bury) <= full:
                raise IllegalPlayError(f"seat {declarer} buries {self.deck.write(contract.bury)} and does not hold it")
            hands[declarer] = full - set(contract.bury)
        else:
            disjoint(deal, [("the bury", contract.bury)])
        side = frozenset({declarer})
        if self.options.decides == "trump" and contract.trump is None:
            raise NotationError("no trump suit: write 'trump C', 'trump D' or 'trump H'")
        rules = self.trick_rules(contract)
        return Position(rules, tuple(hands), contract.leader, side=side, trump=contract.trump, first_lead=True)

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        if self.options.decides == "nothing":
            yield from super().plans(hand, contract)
        elif self.options.decides == "trump":
            yield from (replace(contract, trump=suit) for suit in contract.trump or self.deck.suits)
        else:
            for bury in combinations(self.deck.sort(hand), self.talon_size):
                if not contract.bury or set(contract.bury) == set(bury):
                    yield replace(contract, bury=bury)

    def banked(self, contract: Contract) -> int:
        return sum(POINTS[card.rank] for card in contract.bury)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        return tuple(Rung(f"{n} or more", n, "points", n - self.banked(contract)) for n in range(5, 31, 5))

    def settle(self, position: Position, contract: Contract) -> Outcome:
        declarer = self.require_declarer(contract)
        points = tuple(p + self.banked(contract) * (s == declarer) for s, p in enumerate(position.points))
        made = None if contract.target is None else points[declarer] >= contract.target
        score = 0 if made is None else 1 if made else -1
        scores = tuple(score * (s == declarer) for s in range(3))
        return Outcome(points, position.tricks, made, scores, f"seat {declarer} has {points[declarer]}")


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it known until the test ends."""
    monkeypatch.setitem(GAMES, Toy.name, Toy)
