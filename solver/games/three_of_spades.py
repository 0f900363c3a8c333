"""3 of Spades (Kaali Teeri), five to seven seats (RULES.md 4).

A full pack less a few low cards; A K Q J T are worth 10 each, fives 5, the three of spades 30: 250 together. The bid
winner names a trump suit and two cards (three with seven seats) that others hold; their holders are its
secret partners. Follow suit, nothing else is a duty. The team makes its bid by points in tricks.
A contract is ``"175 by 1, trump S, call AS KD"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from solver.games.base import Game, Rung, one_by_one, rank_suit
from solver.games.options import whole
from solver.model.cards import Card, Deck
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position

__all__ = ["ThreeOfSpades", "ThreeOfSpadesOptions"]

_REMOVED = {5: ("2C", "2D"), 6: ("2C", "2D", "2H", "4C"), 7: ("2C", "2D", "2H")}
_CALLS = {5: 2, 6: 2, 7: 3}


@dataclass(frozen=True)
class ThreeOfSpadesOptions:
    """Variants of RULES.md 4.7."""

    seats: int = whole(5, (5, 6, 7), "number of players")


class ThreeOfSpades(Game):
    """3 of Spades."""

    name = "three_of_spades"
    title = "3 of Spades"
    about = "50 cards, 5 to 7 seats, secret partners by called cards, bids 150 to 250 of 250 points"
    clauses = frozenset({"bid", "by", "trump", "call", "lead", "side"})
    option_class = ThreeOfSpadesOptions
    options: ThreeOfSpadesOptions

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.options.seats

    @cached_property
    def deck(self) -> Deck:
        """The pack less the removed cards."""
        removed = frozenset(_REMOVED[self.seats])
        return Deck(f"the {self.seats}-seat deck of 3 of Spades", "CDHS", "AKQJT98765432", removed)

    @property
    def hand_size(self) -> int:
        """All cards are dealt."""
        return len(self.deck) // self.seats

    @property
    def calls(self) -> int:
        """How many cards the bid winner calls."""
        return _CALLS[self.seats]

    def points(self, card: str) -> int:
        """Card points (RULES.md 4.1)."""
        return 30 if card == "3S" else 10 if card[0] in "AKQJT" else 5 if card[0] == "5" else 0

    def check_contract(self, contract: Contract) -> Contract:
        """Bids are multiples of 5 from 150 to 250; distinct called cards, as many as the rules say."""
        bid = contract.target
        if bid is not None and not (150 <= bid <= 250 and bid % 5 == 0):
            raise NotationError(f"a bid of {bid}: bids are multiples of 5 from 150 to 250")
        if contract.called and len(contract.called) != self.calls:
            raise NotationError(
                f"{len(contract.called)} called cards ({' '.join(contract.called)}): with {self.seats} seats "
                f"the bid winner calls {self.calls}"
            )
        return contract

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Follow suit; the trump suit comes with the position."""
        return TrickRules(
            seats=self.seats,
            suits=one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit),
            points=tuple((c, self.points(c)) for c in self.deck.cards),
        )

    def team(self, hands: tuple[frozenset[Card], ...], contract: Contract) -> frozenset[int]:
        """Bid winner and the holders of the called cards.

        Raises
        ------
        IllegalPlayError
            When the bid winner holds a called card.
        """
        declarer = self.require_declarer(contract)
        own = [c for c in contract.called if c in hands[declarer]]
        if own:
            raise IllegalPlayError(f"seat {declarer} calls {' '.join(own)} but holds it: cards of others are called")
        holders = {s for s, hand in enumerate(hands) if hand & set(contract.called)}
        return frozenset(holders | {declarer})

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The bid winner leads; the team follows from who holds the called cards."""
        if contract.side is not None:
            side, leader = contract.side, contract.leader
        else:
            if not contract.called:
                raise NotationError(
                    f"no called cards: write 'call' and {self.calls} cards, as in '175 by 1, trump S, call AS KD'"
                )
            side, leader = self.team(deal.hands, contract), self.require_declarer(contract)
        rules = self.trick_rules(contract)
        return Position(rules, deal.hands, leader, side=side, trump=contract.trump, first_lead=True)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Every bid from 150 to 250."""
        return tuple(Rung(str(b), b, "points", b) for b in range(150, 251, 5))

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Every member of the winning team scores the bid (RULES.md 4.5)."""
        if contract.target is None:
            raise NotationError("the contract names no bid: nothing to settle")
        took = position.collected
        made = took >= contract.target
        scores = tuple(contract.target if (s in position.side) == made else 0 for s in range(self.seats))
        team = " ".join(map(str, sorted(position.side)))
        text = f"team {team} took {took}: {contract.target} {'made' if made else 'failed'}"
        return Outcome(position.points, position.tricks, made, scores, text)
