"""3 of Spades (Kaali Teeri), five to seven seats, or three or four (RULES.md 4).

A full pack less a few low cards; A K Q J T are worth 10 each, fives 5, the three of spades 30: 250 together. The seat
left of the dealer opens the bidding at 150 or more; the bid winner names a trump suit and two cards (three with seven
seats) that others hold; their holders are its secret partners. Follow suit, nothing else is a duty. The team makes its
bid by points in tricks. A contract is ``"175 by 1, trump S, call AS KD"``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

from solver.games.auction import BidAuction, Result
from solver.games.base import Game, Rung, one_by_one, rank_suit
from solver.games.options import bool_option, choice, whole
from solver.model.cards import Card, Deck
from solver.model.checks import seat_number
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.limits import Holding, Limit
from solver.model.play import Position

__all__ = ["SpadesAuction", "ThreeOfSpades", "ThreeOfSpadesOptions"]

_THREE = Card("3S")
_TWOS = ("2C", "2D", "2H", "2S")
#: Three and four seats are not in RULES.md 4.1: as few twos go as make the deal even, and one card is called.
_REMOVED = {3: ("2C",), 4: (), 5: ("2C", "2D"), 6: ("2C", "2D", "2H", "4C"), 7: ("2C", "2D", "2H")}
_CALLS = {3: 1, 4: 1, 5: 2, 6: 2, 7: 3}
_ACE_ELEVEN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


@dataclass(frozen=True)
class ThreeOfSpadesOptions:
    """Variants of RULES.md 4.7."""

    seats: int = whole(5, (3, 4, 5, 6, 7), "number of players")
    removed: str = choice(
        "usual", "twos", "twos_threes",
        help="cards taken out: 2C 2D for five, 2C 2D 2H 4C for six, 2C 2D 2H for seven, 2C for three, none for four; "
        "all twos; or all twos and 3C 3D 3H. What is left must go round evenly",
    )  # fmt: skip
    partners: int = whole(
        0, (0, 1, 2, 3), "cards called; 0 for the usual number: 1 for three or four seats, 2 for five or six, 3 for 7"
    )
    extra_partner: bool = bool_option(False, "the highest bid calls one card more")
    own_call: bool = bool_option(False, "the bid winner may call cards of its own hand, and so play alone unknown")
    three_on_top: bool = bool_option(False, "3S is the highest trump whatever suit is trump; a low spade without one")
    point_values: str = choice(
        "ten_each", "ace_eleven", help="A K Q J T 10 each; or A 11, T 10, K 4, Q 3, J 2, 170 points in all"
    )
    minimum: int = whole(150, (50, 100, 120, 150, 175), "lowest bid")
    raises: str = choice("steps", "any", "tens", help="+5, +10 or the highest bid; any multiple of 5; of 10 upward")
    final_raise: bool = bool_option(False, "when all others have passed, the bid winner may raise once more")
    all_pass: str = choice(
        "opener_bids", "opener", "dealer", help="the opener must bid; or all may pass, and it, or the dealer, must play"
    )
    failed_bid: str = choice("bid", "collected", help="what an opponent scores for a failed bid: the bid, own points")
    bidder_bonus: bool = bool_option(
        False, "the bid winner scores twice the bid when it is made, minus the bid when it fails"
    )
    target: int = whole(500, (300, 500, 750), "score that ends a match")


class ThreeOfSpades(Game):
    """3 of Spades."""

    name = "three_of_spades"
    title = "3 of Spades"
    about = "50 cards, 5 seats (3 to 7), secret partners by called cards, bids 150 to 250 of 250 points"
    clauses = frozenset({"bid", "by", "trump", "call", "lead", "side"})
    option_class = ThreeOfSpadesOptions
    studies = frozenset({"match", "threshold"})
    quickly_counted = 15
    middle_strength = 6.0
    options: ThreeOfSpadesOptions
    first_call = "150"
    left_out: ClassVar[Mapping[str, str]] = {
        "decks": "there is one deck; two hold equal cards",
        "seats=8": "eight and more seats need two decks",
        "duplicates": "there is one deck, so no card stands twice",
        "end_of_round": "all tricks are played; stopping once the bid is decided changes no score of the usual rules",
        "all_pass=random": "chance names the declarer; 'opener' and 'dealer' name it by rule",
        "removed=33_cards": "the cards of that deck differ from table to table",
    }

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        if len(self.deck) % self.seats:
            raise UnsupportedError(
                f"three_of_spades with removed={self.options.removed}: {len(self.deck)} cards cannot be dealt evenly "
                f"to {self.seats} seats"
            )
        if self.calls_at(self.total) > self.seats - 2:
            raise UnsupportedError(
                f"three_of_spades with {self.calls_at(self.total)} called cards for {self.seats} seats: "
                f"at most {self.seats - 2}, so that the team has an opponent"
            )
        if self.options.minimum > self.total:
            raise UnsupportedError(
                f"three_of_spades option minimum is {self.options.minimum}: there are {self.total} points in the deck"
            )

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.options.seats

    @cached_property
    def deck(self) -> Deck:
        """The pack less the removed cards."""
        how = self.options.removed
        removed = _REMOVED[self.seats] if how == "usual" else _TWOS if how == "twos" else (*_TWOS, "3C", "3D", "3H")
        return Deck(f"the {self.seats}-seat deck of 3 of Spades", "CDHS", "AKQJT98765432", frozenset(removed))

    @property
    def hand_size(self) -> int:
        """All cards are dealt."""
        return len(self.deck) // self.seats

    @property
    def calls(self) -> int:
        """How many cards the bid winner calls."""
        return self.options.partners or _CALLS[self.seats]

    def calls_at(self, bid: int | None) -> int:
        """How many cards a bid calls."""
        return self.calls + (self.options.extra_partner and bid == self.total)

    def points(self, card: str) -> int:
        """Card points (RULES.md 4.1)."""
        if card == _THREE:
            return 30
        if card[0] == "5":
            return 5
        return _ACE_ELEVEN.get(card[0], 0) if self.options.point_values == "ace_eleven" else 10 * (card[0] in "AKQJT")

    @cached_property
    def total(self) -> int:
        """Points in the deck, the highest bid."""
        return sum(self.points(c) for c in self.deck.cards)

    # ------------------------------------------------------------------ auction and plans

    @property
    def step(self) -> int:
        """What bids are multiples of."""
        return 10 if self.options.raises == "tens" else 5

    @cached_property
    def bids(self) -> tuple[int, ...]:
        """Amounts that can be bid, rising: multiples of 5 (or 10) from the lowest bid to all points."""
        low, top = self.options.minimum, self.total
        return tuple(sorted({low, top, *(b for b in range(low, top + 1) if b % self.step == 0)}))

    def raises(self, standing: int | None) -> tuple[int, ...]:
        """Amounts open over a standing bid, or to the first bidder (RULES.md 4.2)."""
        if standing is None:
            return self.bids
        over = tuple(b for b in self.bids if b > standing)
        if self.options.raises == "steps":
            return tuple(b for b in over if b in (standing + 5, standing + 10, self.total))
        return over

    def auction(self, *, dealer: int | None = None, hands: tuple[frozenset[Card], ...] | None = None) -> SpadesAuction:
        """Return the auction before its first call; the dealer is the last seat unless named."""
        who = self.seats - 1 if dealer is None else seat_number(dealer, self.seats, "dealer")
        return SpadesAuction(self, who, hands)

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """Every trump suit with every set of called cards, as far as `contract` leaves them open."""
        open_cards = [c for c in self.deck.cards if self.options.own_call or c not in hand]
        trumps = tuple(self.deck.suits) if contract.trump is None else (contract.trump,)
        for trump in trumps:
            if contract.called:
                yield replace(contract, trump=trump)
                continue
            for called in combinations(open_cards, self.calls_at(contract.target)):
                yield replace(contract, trump=trump, called=called)

    def check_contract(self, contract: Contract) -> Contract:
        """Bids are those of the auction; as many called cards as the rules say."""
        bid = contract.target
        if bid is not None and bid not in self.bids:
            raise NotationError(
                f"a bid of {bid}: bids are multiples of {self.step} from {self.options.minimum} to {self.total}"
            )
        calls = self.calls_at(bid)
        if contract.called and len(contract.called) != calls:
            raise NotationError(
                f"{len(contract.called)} called cards ({' '.join(contract.called)}): with {self.seats} seats "
                f"the bid winner calls {calls}"
            )
        return contract

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Follow suit; the trump suit comes with the position, the contract's says where 3S stands if it is on top."""
        suits = one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit)
        if self.options.three_on_top and contract.trump is not None:
            suits = tuple(
                (name, (*(c for c in cards if c != _THREE), *([_THREE] if name == contract.trump else [])))
                for name, cards in suits
            )
        points = tuple((c, self.points(c)) for c in self.deck.cards)
        return TrickRules(seats=self.seats, suits=suits, points=points)

    def team(self, hands: tuple[frozenset[Card], ...], contract: Contract) -> frozenset[int]:
        """Bid winner and the holders of the called cards.

        Raises
        ------
        IllegalPlayError
            When the bid winner holds a called card and may not.
        """
        declarer = self.require_declarer(contract)
        own = [c for c in contract.called if c in hands[declarer]]
        if own and not self.options.own_call:
            raise IllegalPlayError(f"seat {declarer} calls {' '.join(own)} but holds it: cards of others are called")
        holders = {s for s, hand in enumerate(hands) if hand & set(contract.called)}
        return frozenset(holders | {declarer})

    def untold(self, contract: Contract) -> str:
        """The called cards."""
        told = contract.called or contract.declarer is None or contract.side is not None
        return "" if told else "name the called cards, as in 'call AS KD'"

    def plan_limits(self, contract: Contract, *, under: bool = False) -> tuple[Limit, ...]:
        """The bid winner calls cards of others (RULES.md 4.6)."""
        if self.options.own_call or not contract.called:
            return ()
        none = Holding(frozenset(contract.called), frozenset({"kept"}), 0, 0)
        return (Limit((none,), "the called cards are those of others"),)

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The bid winner leads; the team follows from who holds the called cards."""
        if contract.side is not None:
            side, leader = contract.side, contract.leader
        else:
            if not contract.called:
                calls = self.calls_at(contract.target)
                raise NotationError(
                    f"no called cards: write 'call' and {calls} card{'s' * (calls > 1)}, as in "
                    "'175 by 1, trump S, call AS KD'"
                )
            side, leader = self.team(deal.hands, contract), self.require_declarer(contract)
        rules = self.trick_rules(contract)
        return Position(rules, deal.hands, leader, side=side, trump=contract.trump, first_lead=True)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Every bid, from 150 to 250 as a rule."""
        return tuple(Rung(str(b), b, "points", b) for b in self.bids)

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Who is in the team and by which card, and how the value stands to the bid."""
        lines = []
        if contract.side is None and contract.declarer is not None:
            held = {c: s for s, hand in enumerate(position.hands) for c in hand}
            partners = ", ".join(f"seat {held[c]} by {c}" for c in contract.called if c in held)
            lines.append(f"team: bid winner seat {contract.declarer}; {partners}")
        if contract.target is not None and low == high:
            more = low - contract.target
            how = f"made with {more} to spare" if more >= 0 else f"failed by {-more}"
            lines.append(f"target {contract.target} of {self.total} points: {how}")
        return tuple(lines)

    # ------------------------------------------------------------------ score

    @property
    def match_target(self) -> int:
        """Score that ends a match; equal highest scores share."""
        return self.options.target

    def usual_contract(self) -> str:
        """The lowest bid."""
        return f"{self.bids[0]} by 0"

    def random_plan(self, rng: random.Random, deal: Deal, contract: Contract) -> Contract:
        """Trumps and called cards; the plans are too many to be listed."""
        hand = deal.hands[self.require_declarer(contract)]
        trump = contract.trump or rng.choice(self.deck.suits)
        others = [c for c in self.deck.cards if self.options.own_call or c not in hand]
        return replace(contract, trump=trump, called=tuple(rng.sample(others, self.calls_at(contract.target))))

    @staticmethod
    def strength(hand: frozenset[Card]) -> float:
        """Aces 2, kings 1, queens a half."""
        return sum({"A": 2.0, "K": 1.0, "Q": 0.5}.get(c.rank, 0.0) for c in hand)

    @property
    def stakes(self) -> tuple[int, int]:
        """What the bid winner scores when the bid is made and when it fails, in bids."""
        return (2, -1) if self.options.bidder_bonus else (1, 0)

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Every member of the winning team scores the bid (RULES.md 4.5), with the options of 4.7."""
        bid = contract.target
        if bid is None:
            raise NotationError("the contract names no bid: nothing to settle")
        took = position.collected
        made = bool(self.made(position, contract))
        scores = [bid if (s in position.side) == made else 0 for s in range(self.seats)]
        if not made and self.options.failed_bid == "collected":
            scores = [0 if s in position.side else p for s, p in enumerate(position.points)]
        if self.options.bidder_bonus:
            won, lost = self.stakes
            scores[self.require_declarer(contract)] = bid * (won if made else lost)
        team = " ".join(map(str, sorted(position.side)))
        text = f"team {team} took {took}: {bid} {'made' if made else 'failed'}"
        return Outcome(position.points, position.tricks, made, tuple(scores), text)


@dataclass(frozen=True)
class SpadesAuction(BidAuction):
    """The auction of RULES.md 4.2: a forced opener, raises of 5, 10 or to the top, a pass is final."""

    game: ThreeOfSpades

    @property
    def turn(self) -> int | None:
        """Seat to call: the next that has not passed; None after the highest bid, or when one seat is left."""
        active, standing = self.active, self.standing
        last = self.calls[-1].seat if self.calls else self.dealer
        if standing is not None:
            holder, bid = standing
            if bid == self.game.total or not active - {holder}:
                more = bid < self.game.total and self.game.options.final_raise and last != holder
                return holder if more else None
        return self.next_active

    def legal(self) -> tuple[str, ...]:
        """Pass, unless the opener must bid, and the bids open."""
        if self.turn is None:
            return ()
        standing = self.standing
        bids = self.game.raises(None if standing is None else standing[1])
        return (*(() if self._must_bid else ("pass",)), *map(str, bids))

    @property
    def _must_bid(self) -> bool:
        return self.standing is None and self.game.options.all_pass == "opener_bids"

    def bar(self, word: str) -> str | None:
        """Why the seat on turn may not make this call; None when it may."""
        if self.turn is None:
            return "the auction is over"
        if word in self.legal():
            return None
        low, top, step = self.game.options.minimum, self.game.total, self.game.step
        if word == "pass":
            return f"the opener must bid {low} or more"
        if not (word.isascii() and word.isdigit()) or word != word.lstrip("0"):
            return "a call is 'pass' or a bid in figures"
        bid = int(word) if len(word) < 10 else top + 1
        if bid > top:
            return f"the highest bid is {top}"
        standing = self.standing
        if standing is None:
            return f"the first bid is a multiple of {step} from {low} to {top}"
        if bid <= standing[1]:
            return f"a bid of {standing[1]} stands and must be raised"
        if self.game.options.raises == "steps":
            return f"a bid of {standing[1]} is raised by 5, by 10 or to {top}"
        return f"bids are multiples of {step}"

    @property
    def result(self) -> Result | None:
        """The last active seat at the standing bid; when all have passed, whom the option names, at the lowest bid."""
        if self.turn is not None:
            return None
        standing = self.standing
        if standing is not None:
            seat, bid = standing
            return Result(seat, bid, "bid", f"seat {seat} plays at {bid}")
        forced = self.game.options.all_pass == "dealer"
        seat, bid = self.dealer if forced else (self.dealer + 1) % self.game.seats, self.game.options.minimum
        return Result(seat, bid, "forced", f"all pass: seat {seat} must play at {bid}")
