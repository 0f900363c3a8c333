"""Thousand (Tysiacha), three seats, seven cards each and a talon of three (RULES.md 3).

Rank A T K Q J 9 in every suit, 120 card points. The bid winner takes the talon, gives one card to each opponent and
leads. One must follow, beat, trump and overtrump when able. King and queen of a suit, declared on lead by a seat
that has taken a trick, earn a bonus and make the suit trump from the next trick on.
A contract is ``"120 by 0, pass 9C to 1, 9D to 2"``; hands of eight need no pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from solver.games.base import Game, Rung, one_by_one, rank_suit
from solver.games.options import bool_option, choice
from solver.model.cards import Card, Deck
from solver.model.contract import Contract, Marriage, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position

__all__ = ["Thousand", "ThousandOptions", "round5"]

BONUS = {"H": 100, "D": 80, "C": 60, "S": 40}
_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}


def round5(points: int) -> int:
    """Nearest multiple of 5: 2 -> 0, 3 -> 5 (RULES.md 3.8)."""
    return (points + 2) // 5 * 5


@dataclass(frozen=True)
class ThousandOptions:
    """Variants of RULES.md 3."""

    bid_cap: str = choice(
        "marriage", "flat120", "none", help="highest bid before the talon: 120 + own marriages, 120, or none"
    )
    round_before_check: bool = bool_option(True, "card points are rounded to 5 before the contract is checked")
    marriages: bool = bool_option(True, "marriages may be declared")
    marriage_needs_trick: bool = bool_option(True, "a marriage needs a trick taken before, so not on the first lead")
    trump_timing: str = choice("next_trick", "immediate", help="when a declared suit becomes trump")
    one_trump: bool = bool_option(False, "only the first marriage makes trumps, later ones only score")
    must_beat: bool = bool_option(True, "a follower must beat the best card of the suit led when able")
    must_trump: bool = bool_option(True, "a seat void in the suit led must trump")
    must_overtrump: bool = bool_option(True, "a seat that must trump must overtrump when able")
    partial_trumping: bool = bool_option(False, "a seat that cannot overtrump may throw any card")


class Thousand(Game):
    """Thousand for three."""

    name = "thousand"
    title = "Thousand"
    about = "24 cards, 3 seats and a talon of 3, bids from 100, marriages make trumps, must beat and trump"
    clauses = frozenset({"bid", "by", "trump", "pass", "lead", "side"})
    option_class = ThousandOptions
    options: ThousandOptions

    @property
    def seats(self) -> int:
        """Three."""
        return 3

    @cached_property
    def deck(self) -> Deck:
        """Nines to aces."""
        return Deck("the deck of Thousand", "HDCS", "ATKQJ9")

    @property
    def hand_size(self) -> int:
        """Seven; eight after the talon."""
        return 7

    @property
    def talon_size(self) -> int:
        """Three."""
        return 3

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """As dealt, or after the pass."""
        return [(7, 3), (8, 0)]

    def bonus_in(self, hand: frozenset[Card]) -> int:
        """Sum of the bonuses of the marriages in a hand."""
        return sum(worth for suit, worth in BONUS.items() if {"K" + suit, "Q" + suit} <= hand)

    def cap(self, hand: frozenset[Card]) -> int:
        """Highest bid before the talon (RULES.md 3.3)."""
        if self.options.bid_cap == "flat120":
            return 120
        return 400 if self.options.bid_cap == "none" else 120 + self.bonus_in(hand)

    def check_contract(self, contract: Contract) -> Contract:
        """Bids are multiples of 5 from 100, of 10 from 200 on; two passes to two different seats."""
        bid = contract.target
        if bid is not None and (bid < 100 or bid > 400 or bid % (5 if bid < 200 else 10)):
            raise NotationError(f"a bid of {bid}: bids are multiples of 5 from 100, of 10 from 200, to 400")
        if contract.passes:
            others = {s for s in range(3) if s != self.require_declarer(contract)}
            if {s for s, _ in contract.passes} != others or len({c for _, c in contract.passes}) != 2:
                raise NotationError(
                    f"the passes {', '.join(f'{c} to {s}' for s, c in contract.passes)}: "
                    f"the declarer gives one card to each of seats {' and '.join(map(str, sorted(others)))}"
                )
        return contract

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Must follow, beat, trump, overtrump, and marriages on lead."""
        o = self.options
        pairs = tuple(Marriage(s, Card("K" + s), Card("Q" + s), worth) for s, worth in BONUS.items())
        return TrickRules(
            seats=3,
            suits=one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit),
            points=tuple((c, _POINTS[c.rank]) for c in self.deck.cards),
            must_beat=o.must_beat,
            must_trump=o.must_trump,
            must_overtrump=o.must_overtrump,
            partial_trumping=o.partial_trumping,
            marriages=pairs if o.marriages else (),
            marriage_on_first_lead=not o.marriage_needs_trick,
            immediate_trump=o.trump_timing == "immediate",
            one_trump=o.one_trump,
        )

    def hands_after(self, deal: Deal, contract: Contract) -> tuple[frozenset[Card], ...]:
        """Hands of eight after talon and passes.

        Raises
        ------
        NotationError
            When the deal has a talon and the contract no passes.
        IllegalPlayError
            When a card passed is not the declarer's.
        """
        declarer = self.require_declarer(contract)
        hands = list(deal.hands)
        if not deal.talon:
            if contract.passes:
                raise NotationError("the deal has no talon, so nothing is passed: leave the passes out")
            return deal.hands
        if not contract.passes:
            raise NotationError("the deal has a talon: say what the declarer passes, as in 'pass 9C to 1, 9D to 2'")
        hands[declarer] = hands[declarer] | deal.talon
        for seat, card in contract.passes:
            if card not in hands[declarer]:
                raise IllegalPlayError(f"seat {declarer} passes {card} but does not hold it")
            hands[declarer] = hands[declarer] - {card}
            hands[seat] = hands[seat] | {card}
        return tuple(hands)

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The declarer leads, alone against the others."""
        declarer = self.require_declarer(contract)
        hands = self.hands_after(deal, contract)
        side = contract.side or frozenset({declarer})
        rules = self.trick_rules(contract)
        return Position(rules, hands, declarer, side=side, trump=contract.trump, first_lead=True)

    def raw_need(self, bid: int) -> int:
        """Raw points that make a bid (RULES.md 3.8)."""
        return bid - 2 if self.options.round_before_check else bid

    def need(self, contract: Contract) -> int | None:
        """Raw points that make the contract."""
        return None if contract.target is None else self.raw_need(contract.target)

    def bids(self, top: int = 400) -> list[int]:
        """Legal amounts from 100 up to `top`."""
        return [b for b in (*range(100, 200, 5), *range(200, 401, 10)) if b <= top]

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Every bid from 100."""
        return tuple(Rung(str(b), b, "points", self.raw_need(b)) for b in self.bids())

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Score a deal: the bid for the declarer, own points for defenders (RULES.md 3.8)."""
        declarer = self.require_declarer(contract)
        if contract.target is None:
            raise NotationError("the contract names no bid: nothing to settle")
        raw = [p + b for p, b in zip(position.points, position.bonus, strict=True)]
        own = [round5(p) + b for p, b in zip(position.points, position.bonus, strict=True)]
        made = raw[declarer] >= self.raw_need(contract.target)
        scores = [contract.target * (1 if made else -1) if s == declarer else own[s] for s in range(3)]
        word = "made" if made else "failed"
        text = f"seat {declarer} has {raw[declarer]} ({own[declarer]} rounded): {contract.target} {word}"
        return Outcome(tuple(raw), position.tricks, made, tuple(scores), text)
