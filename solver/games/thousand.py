"""Thousand (Tysiacha), three seats, seven cards each and a talon of three (RULES.md 3).

Rank A T K Q J 9 in every suit, 120 card points. The bid winner takes the talon, gives one card to each opponent and
leads. One must follow, beat, trump and overtrump when able. King and queen of a suit, declared on lead by a seat
that has taken a trick, earn a bonus and make the suit trump from the next trick on.
A contract is ``"120 by 0, pass 9C to 1, 9D to 2"``; hands of eight need no pass. The option `table` seats two or four.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

from solver.games.base import Game, Need, Rung, one_by_one, rank_suit
from solver.games.options import make_options
from solver.games.thousand_auction import FLOOR, ThousandAuction
from solver.games.thousand_match import ThousandMatch
from solver.games.thousand_options import LEFT_OUT, PRESETS, ThousandOptions
from solver.games.thousand_tables import (
    BONUS,
    POINTS,
    TABLES,
    TOP,
    Raise,
    Settlement,
    Table,
    bonus_in,
    nearest,
    redeal_reason,
    round5,
)  # fmt: skip
from solver.games.thousand_traits import ThousandTraits
from solver.model.cards import Card, Deck
from solver.model.checks import seat_number
from solver.model.contract import Contract, Marriage, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.play import Position

__all__ = ["Settlement", "Thousand", "ThousandAuction", "ThousandMatch", "ThousandOptions", "nearest", "round5"]


class Thousand(ThousandTraits, Game):
    """Thousand for three; for two or four with the option `table`."""

    name = "thousand"
    title = "Thousand"
    about = "24 cards, 3 seats and a talon of 3, bids from 100, marriages make trumps, must beat and trump"
    clauses = frozenset({"bid", "by", "trump", "pass", "lead", "side", "bury", "take", "surrender"})
    option_class = ThousandOptions
    options: ThousandOptions
    first_call = "100"
    left_out = LEFT_OUT

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        checked = self.options
        named = {name: getattr(checked, name) for name in options}
        self.options = make_options(ThousandOptions, self.name, {**PRESETS[checked.preset], **named})
        if self.options.redeal_bad_talon and self.talon_size != 3:
            raise UnsupportedError(
                f"thousand option redeal_bad_talon with table={self.options.table}: a bad talon is one of three cards"
            )

    def changed_options(self) -> dict[str, Any]:
        """The preset, and options that differ from it."""
        usual = self.option_class(**{"preset": self.options.preset, **PRESETS[self.options.preset]})
        changed = {k: v for k, v in self.option_values().items() if v != getattr(usual, k)}
        return changed if self.options.preset == "russian3" else {"preset": self.options.preset, **changed}

    # ------------------------------------------------------------------ cards

    @property
    def _table(self) -> Table:
        return TABLES[self.options.table]

    @property
    def seats(self) -> int:
        """Seats that play: three, two or four; where the dealer sits out, the other three, forehand 0."""
        return self._table.seats

    @property
    def table_seats(self) -> int:
        """Seats of a match: one more where the dealer sits out."""
        return self._table.at_table

    @cached_property
    def deck(self) -> Deck:
        """Nines to aces."""
        return Deck("the deck of Thousand", "HDCS", "ATKQJ9")

    @property
    def hand_size(self) -> int:
        """Seven, eight after the talon; six in pairs, ten for two."""
        return self._table.hand

    @property
    def talon_size(self) -> int:
        """Three; none in pairs, two musiks of two for two seats."""
        return self._table.talon

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """As dealt, or as played."""
        t = self._table
        return [(t.hand, t.talon), (t.played, 0)] if t.talon else [(t.hand, 0)]

    def redeal_reason(self, deal: Deal) -> str | None:
        """Why a deal is dealt again by the options; None when it is played."""
        return redeal_reason(deal, self.options)

    def sitter_score(self, talon: frozenset[Card]) -> int:
        """What the dealer who sits out scores for the talon (option sitter_credit)."""
        how = self.options.sitter_credit
        aces = 50 * sum(c.rank == "A" for c in talon) if how in ("aces", "both") else 0
        return aces + (bonus_in(talon) if how in ("marriages", "both") else 0)

    # ------------------------------------------------------------------ auction and plans

    def bids(self, top: int = TOP) -> list[int]:
        """Legal amounts from 100 up to `top`."""
        return [b for b in (*range(FLOOR, 200, self.options.bid_step), *range(200, TOP + 1, 10)) if b <= top]

    @property
    def steps(self) -> str:
        """The rule for amounts, in words."""
        if self.options.bid_step == 10:
            return "bids are multiples of 10 from 100, to 400"
        return "bids are multiples of 5 from 100, of 10 from 200, to 400"

    def cap(self, hand: frozenset[Card]) -> int:
        """Highest bid before the talon (RULES.md 3.3)."""
        if self.options.bid_cap == "flat120":
            return 120
        return TOP if self.options.bid_cap == "none" else 120 + self.bonus_in(hand)

    def auction(
        self, *, dealer: int | None = None, hands: tuple[frozenset[Card], ...] | None = None
    ) -> ThousandAuction:
        """Return the auction before its first call; the dealer is the last seat unless named."""
        who = self.seats - 1 if dealer is None else seat_number(dealer, self.seats, "dealer")
        if hands is not None and len(hands) != self.seats:
            raise NotationError(f"{len(hands)} hands for an auction of {self.seats} seats")
        return ThousandAuction(self, who, hands)

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """The 90 ordered passes of ten cards; for two seats the 66 discards of twelve.

        Giving up instead is `surrender`, a higher bid one of `raises`.
        """
        declarer = self.require_declarer(contract)
        if not self.talon_size:
            raise UnsupportedError("thousand in pairs has no plans: there is no talon, so nothing is passed")
        two = self.seats == 2
        size = 12 if two else 10
        if len(hand) != size:
            raise NotationError(f"a hand of {len(hand)} cards: the declarer plans with {size}, the talon taken")
        cards = self.deck.sort(hand)
        if two:
            for pair in combinations(cards, 2):
                yield replace(contract, bury=pair)
            return
        left, right = self.opponents(declarer)
        for a, b in permutations(cards, 2):
            yield replace(contract, passes=((left, a), (right, b)))

    def raises(self, hand: frozenset[Card], bid: int) -> tuple[Raise, ...]:
        """Amounts to which a contract may be raised after the talon, without a cap (RULES.md 3.4).

        None is reachable above 120 with the marriages of the hand that is kept, and what the last trick brings.
        """
        if not self.talon_size:
            return ()
        top = 120 + self.bonus_in(hand) * self.options.marriages + self.options.last_trick_bonus
        reach = [b for b in self.bids() if self.raw_need(b) <= top]
        return tuple(Raise(b, b in reach) for b in self.bids() if b > bid)

    def sees_talon(self, seat: int, contract: Contract, *, forced: bool = False) -> bool:
        """All see it, but not with hidden_talon that of a forced bid; of two musiks nobody sees the other."""
        return self.seats > 2 and (seat == contract.declarer or not (forced and self.options.hidden_talon))

    def opponents(self, declarer: int) -> tuple[int, ...]:
        """Seats against the declarer, its left neighbour first."""
        team = self.team(declarer)
        around = ((declarer + i) % self.seats for i in range(1, self.seats))
        return tuple(s for s in around if s not in team)

    def team(self, seat: int) -> frozenset[int]:
        """Seats that score together."""
        return frozenset({seat, (seat + 2) % 4}) if self.options.table == "four_pairs" else frozenset({seat})

    def check_contract(self, contract: Contract) -> Contract:
        """Bids by the steps of the auction; passes, or what is taken and buried, as the table has them."""
        bid = contract.target
        if bid is not None and bid not in self.bids():
            raise NotationError(f"a bid of {bid}: {self.steps}")
        table = self.options.table
        if (contract.bury or contract.taken) and table != "two_fixed":
            raise NotationError(f"thousand {self._table.words} has no 'bury' and no 'take': the declarer passes cards")
        if contract.passes and self.seats != 3:
            raise NotationError(f"thousand {self._table.words} has no 'pass': no card is given to another seat")
        for word, cards in (("bury", contract.bury), ("take", contract.taken)):
            if cards and len(set(cards)) != 2:
                raise NotationError(f"{word} {' '.join(cards)}: with two seats two cards are taken and two buried")
        if contract.passes:
            others = set(self.opponents(self.require_declarer(contract)))
            if {s for s, _ in contract.passes} != others or len({c for _, c in contract.passes}) != len(
                contract.passes
            ):
                raise NotationError(
                    f"the passes {', '.join(f'{c} to {s}' for s, c in contract.passes)}: "
                    f"the declarer gives one card to each of seats {' and '.join(map(str, sorted(others)))}"
                )
        if contract.surrender:
            self._may_surrender()
        return contract

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Must follow, beat, trump, overtrump, and marriages on lead."""
        o = self.options
        pairs = tuple(Marriage(s, Card("K" + s), Card("Q" + s), worth) for s, worth in BONUS.items())
        return TrickRules(
            seats=self.seats,
            suits=one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit),
            points=tuple((c, POINTS[c.rank]) for c in self.deck.cards),
            last_value=o.last_trick_bonus,
            must_beat=o.must_beat,
            must_play_highest=o.must_play_highest,
            must_trump=o.must_trump,
            must_overtrump=o.must_overtrump,
            partial_trumping=o.partial_trumping,
            marriages=pairs if o.marriages else (),
            marriage_on_first_lead=not o.marriage_needs_trick,
            immediate_trump=o.trump_timing == "immediate",
            one_trump=o.one_trump,
        )

    def hands_after(self, deal: Deal, contract: Contract) -> tuple[frozenset[Card], ...]:
        """Hands as played, after talon and passes.

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
            if contract.passes or contract.taken:
                raise NotationError("the deal has no talon, so nothing is passed: leave the passes out")
            held = [c for hand in hands for c in contract.bury if c in hand]
            if held:
                raise IllegalPlayError(f"seat {declarer} buries {' '.join(held)}, in hand in a deal after the talon")
            return deal.hands
        if self.seats == 2:
            return self._hands_of_two(deal, contract, declarer)
        if not contract.passes:
            raise NotationError("the deal has a talon: say what the declarer passes, as in 'pass 9C to 1, 9D to 2'")
        hands[declarer] = hands[declarer] | deal.talon
        for seat, card in contract.passes:
            if card not in hands[declarer]:
                raise IllegalPlayError(f"seat {declarer} passes {card} but does not hold it")
            hands[declarer] = hands[declarer] - {card}
            hands[seat] = hands[seat] | {card}
        return tuple(hands)

    def _hands_of_two(self, deal: Deal, contract: Contract, declarer: int) -> tuple[frozenset[Card], ...]:
        if not (contract.taken and contract.bury):
            raise NotationError("the deal has two musiks: say which is taken and what is discarded, as in "
                                "'take AH TH, bury 9C 9D'")  # fmt: skip
        wrong = [c for c in contract.taken if c not in deal.talon]
        if wrong:
            raise IllegalPlayError(f"seat {declarer} takes {' '.join(wrong)}, which is not in the talon")
        full = deal.hands[declarer] | set(contract.taken)
        missing = [c for c in contract.bury if c not in full]
        if missing:
            raise IllegalPlayError(f"seat {declarer} buries {' '.join(missing)} but does not hold it")
        kept = full - set(contract.bury)
        return tuple(kept if s == declarer else hand for s, hand in enumerate(deal.hands))

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The declarer leads, alone or with the partner opposite."""
        declarer = self.require_declarer(contract)
        if contract.surrender:
            raise IllegalPlayError(f"seat {declarer} gave up, so no card is played")
        hands = self.hands_after(deal, contract)
        side = contract.side or self.team(declarer)
        rules = self.trick_rules(contract)
        return Position(rules, hands, declarer, side=side, trump=contract.trump, first_lead=True)

    # ------------------------------------------------------------------ score

    def rounded_need(self, bid: int) -> int:
        """Raw points that make a bid when card points are rounded before the check: bid - 2 with fives."""
        step = self.options.rounding
        return -(-bid // step) * step - step // 2

    def raw_need(self, bid: int) -> int:
        """Raw points that make a bid by the check in force (RULES.md 3.8)."""
        return self.rounded_need(bid) if self.options.round_before_check else bid

    def banked(self, contract: Contract) -> int:
        """Points of the discards, where they count for the declarer."""
        if self.options.discards == "nobody":
            return 0
        return sum(POINTS[c.rank] for c in contract.bury)

    def need(self, contract: Contract) -> Need | None:
        """Raw points that the play must bring to make the contract."""
        if contract.target is None:
            return None
        return Need("points", self.raw_need(contract.target) - self.banked(contract))

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Every bid from 100."""
        bank = self.banked(contract)
        return tuple(Rung(str(b), b, "points", self.raw_need(b) - bank) for b in self.bids())

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Both readings of the contract check."""
        bid = contract.target
        if bid is None:
            return ()
        bank = self.banked(contract)

        def said(need: int) -> str:
            return "made" if low + bank >= need else "failed" if high + bank < need else "undecided"

        rounded = self.rounded_need(bid)
        return (f"{bid}: {said(rounded)} rounded (needs {rounded}), {said(bid)} exact (needs {bid})",)

    def settle(self, position: Position, contract: Contract) -> Settlement:
        """Score a deal: the bid for the declarer, own points for defenders (RULES.md 3.8)."""
        if self.options.discards != "nobody" and self.options.table == "two_fixed" and not contract.bury:
            raise NotationError("the discards count for the declarer but are not named: write 'bury' and two cards")
        declarer = self.require_declarer(contract)
        bid = self._bid(contract)
        team, o = self.team(declarer), self.options
        cards = [p + (self.banked(contract) if s == declarer else 0) for s, p in enumerate(position.points)]
        own = []
        for s in range(self.seats):
            step = o.rounding if s in team else o.defender_rounding
            together = self.team(s)
            own.append(nearest(sum(cards[t] for t in together), step) + sum(position.bonus[t] for t in together))
        raw = sum(cards[t] + position.bonus[t] for t in team)
        rounded, exact = raw >= self.rounded_need(bid), raw >= bid
        made = rounded if o.round_before_check else exact
        won, lost = (bid * times for times in self.stakes)
        score = (max(won, own[declarer]) if o.score_actual else won) if made else lost
        scores = tuple(score if s in team else own[s] for s in range(self.seats))
        readings = f"{'made' if rounded else 'failed'} rounded, {'made' if exact else 'failed'} exact"
        who = f"seat {declarer} has" if len(team) == 1 else f"seats {' and '.join(map(str, sorted(team)))} have"
        text = f"{who} {raw} ({own[declarer]} rounded): {bid} {'made' if made else 'failed'} ({readings})"
        points = tuple(c + b for c, b in zip(cards, position.bonus, strict=True))
        return Settlement(points, position.tricks, made, scores, text, declarer, rounded, exact)

    def surrender(self, contract: Contract) -> Settlement:
        """Give up after the talon, before the play (RULES.md 3.10, option write_off).

        The extra 120 for every third time is the match's.
        """
        self._may_surrender()
        declarer, bid = self.require_declarer(contract), self._bid(contract)
        rospis = self.options.write_off == "rospis"
        lost, gain = (0, 60) if rospis else (-bid, nearest(-(-bid // 2)))
        scores = tuple(lost if s == declarer else gain for s in range(self.seats))
        zeros = (0,) * self.seats
        text = f"seat {declarer} gives up {bid}: {lost}, each opponent {gain}"
        return Settlement(zeros, zeros, False, scores, text, declarer, False, False, surrender=True)

    def _may_surrender(self) -> None:
        if self.options.write_off == "none":
            raise IllegalPlayError("the declarer may not give up (option write_off=none)")
        if not self.talon_size:
            raise IllegalPlayError("the declarer gives up after the talon, and there is none in pairs")

    def _bid(self, contract: Contract) -> int:
        if contract.target is None:
            raise NotationError("the contract names no bid: nothing to settle")
        return contract.target

    @property
    def match_target(self) -> int:
        """A match goes to 1000."""
        return 1000

    def match(self) -> ThousandMatch:
        """Return a match before its first deal."""
        return ThousandMatch(self)
