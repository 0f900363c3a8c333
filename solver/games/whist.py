"""Whist, four seats, partners opposite: a game in one file, as in CONTRIBUTING.md, *Add a game in one file*.

All 52 cards are dealt; the last, the dealer's, is turned up and makes its suit trump. Seat 0 leads, left of the dealer.
Follow suit, nothing else is a duty. Seats 0 and 2 play against 1 and 3; each trick above six is a point.
A contract is ``"7 by 0, trump H"``: the side of seat 0 takes seven tricks or more, hearts were turned up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from solver.games.base import Game, Rung, one_by_one, rank_suit
from solver.games.bridge_deal import find_deal, read_hands
from solver.games.options import choice, whole
from solver.model.cards import Deck
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import NotationError
from solver.model.play import Position

__all__ = ["Whist", "WhistOptions"]

_SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
_BOOK = 6  # tricks that score nothing


@dataclass(frozen=True)
class WhistOptions:
    """House rules."""

    trump: str = choice(
        "turned", "none", *_SUITS, help="the suit turned up, as the contract says; none; or a fixed one"
    )
    target: int = whole(5, (5, 7, 9, 10), "points that end a game")


class Whist(Game):
    """Whist."""

    name = "whist"
    title = "Whist"
    about = "52 cards, 4 seats, partners opposite, 13 tricks; follow suit, the last card turned up makes trumps"
    unit = "tricks"
    clauses = frozenset({"bid", "by", "trump", "lead", "side"})
    option_class = WhistOptions
    trial = "7 by 0"
    options: WhistOptions
    left_out: ClassVar[Mapping[str, str]] = {"honours": "points for holding honours do not come from play"}

    @property
    def seats(self) -> int:
        """Four."""
        return 4

    @cached_property
    def deck(self) -> Deck:
        """The full pack."""
        return Deck("the full pack", "CDHS", "AKQJT98765432")

    @property
    def hand_size(self) -> int:
        """All cards are dealt."""
        return 13

    def read(self, text: str) -> Deal:
        """Read a deal by seat, or in PBN, whose North is seat 0."""
        pbn = find_deal(text)
        if pbn is not None:
            text = " | ".join(self.deck.write(hand) for hand in read_hands(pbn))
        return super().read(text)

    def check_contract(self, contract: Contract) -> Contract:
        """Tricks from 1 to 13; seat 0's side where none is named; the trump suit of the option."""
        if contract.target is not None and not 1 <= contract.target <= self.hand_size:
            raise NotationError(f"{contract.target} tricks: a side of whist takes from 1 to {self.hand_size}")
        if contract.declarer is None:
            contract = replace(contract, declarer=0)
        if self.options.trump != "turned":
            fixed = _SUITS.get(self.options.trump)
            if contract.trump not in (None, fixed):
                raise NotationError(f"trump {contract.trump}: with trump={self.options.trump} no other suit is trump")
            contract = replace(contract, trump=fixed)
        return contract

    def trick_rules(self, contract: Contract) -> TrickRules:
        """One point a trick, nothing for cards."""
        suits = one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit)
        return TrickRules(seats=self.seats, suits=suits, trick_value=1)

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The seat left of the dealer leads."""
        if contract.trump is None and self.options.trump == "turned":
            raise NotationError("no trump suit: write 'trump H', the suit of the dealer's last card, turned up")
        declarer = self.require_declarer(contract)
        side = contract.side or frozenset({declarer, (declarer + 2) % 4})
        rules = self.trick_rules(contract)
        return Position(rules, deal.hands, contract.leader, side=side, trump=contract.trump, first_lead=True)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """At least 1, 2, … tricks."""
        return tuple(Rung(f"{k} or more", k, "points", k) for k in range(1, self.hand_size + 1))

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Each trick above six is a point for both partners."""
        tricks = position.tricks
        taken = [tricks[s] + tricks[(s + 2) % 4] for s in range(4)]
        made = self.made(position, contract)
        scores = tuple(max(0, t - _BOOK) for t in taken)
        return Outcome(tricks, tricks, made, scores, f"tricks 0 and 2: {taken[0]}, 1 and 3: {taken[1]}")

    def usual_contract(self) -> str:
        """Some suit is turned up."""
        return f"{self.trial}, trump H" if self.options.trump == "turned" else self.trial

    @property
    def match_target(self) -> int:
        """Points that end a game."""
        return self.options.target
