"""Sheepshead, five seats with a called ace, or three to seven seats (RULES.md 2).

Fourteen trumps, all queens, jacks and diamonds; fail suits A T K 9 8 7; 120 points. The picker takes the blind, buries
as many cards, and calls a fail ace whose holder is its secret partner. Until the called suit has been led the partner
keeps the called card and the picker a card of its suit; the partner plays the called card when its suit is led.
A contract is ``"picker 2, call AH, bury TC 8H"``, or ``alone``; ``under 7D`` names the under card. When nobody picks,
``"leaster"`` is what is played, and ``"leaster, side 2"`` asks how few points seat 2 can take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from solver.games.base import Game, Need, Rung
from solver.games.clauses import Clause
from solver.games.sheepshead_auction import SheepsheadAuction
from solver.games.sheepshead_contract import DOUBLES, check_contract
from solver.games.sheepshead_options import LEFT_OUT, USUAL_PARTNER, SheepsheadOptions, check_options
from solver.games.sheepshead_plans import barred, legal_plans, ordinary_calls, own_call, plan_limits
from solver.games.sheepshead_score import (
    NO_PICK,
    TRUMPS,
    explain_points,
    nobody_picked,
    shares,
    showdown,
    tier,
    tier_name,
)
from solver.games.sheepshead_traits import SheepsheadTraits
from solver.model.cards import Card, Deck
from solver.model.checks import excerpt, seat_number
from solver.model.contract import CalledCard, Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.limits import Limit
from solver.model.play import Position

__all__ = ["Sheepshead", "SheepsheadOptions"]

_FAIL = "789KTA"
_SIZES = {3: (10, 2), 4: (7, 4), 5: (6, 2), 6: (5, 2), 7: (4, 4)}
_WINS, _SCHWARZ = 61, 120
_SEARCHED = ("leaster", "moster")  # of what is played when nobody picks
_PARTNERS = {"jd": ("JD",), "jc": ("JC",), "queens": ("QC", "QS")}


class Sheepshead(SheepsheadTraits, Game):
    """Sheepshead."""

    name = "sheepshead"
    title = "Sheepshead"
    about = "32 cards, 5 seats (3 to 7) and a blind, picker and called-ace partner, 61 of 120 points"
    clauses = frozenset({"bid", "by", "call", "bury", "under", "alone", "lead", "side", *NO_PICK, *DOUBLES})
    option_class = SheepsheadOptions
    options: SheepsheadOptions
    first_call = "pick"
    undeclared = frozenset(NO_PICK)
    left_out = LEFT_OUT

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if "partner" not in options:
            self.options = replace(self.options, partner=USUAL_PARTNER[self.options.seats])
        check_options(self.options)

    def changed_options(self) -> dict[str, Any]:
        """Options that differ from what they are when only `seats` is named."""
        usual = replace(SheepsheadOptions(), seats=self.seats, partner=USUAL_PARTNER[self.seats])
        changed = {k: v for k, v in self.option_values().items() if v != getattr(usual, k)}
        return changed if self.seats == SheepsheadOptions().seats else {"seats": self.seats, **changed}

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.options.seats

    @cached_property
    def deck(self) -> Deck:
        """Sevens to aces; four seats with a called ace play without 7C and 7S."""
        if self.seats == 4 and self.options.partner == "called":
            return Deck("the 30-card deck of Sheepshead", "CSHD", "QJATK987", frozenset({"7C", "7S"}))
        return Deck("the deck of Sheepshead", "CSHD", "QJATK987")

    @cached_property
    def _size(self) -> tuple[int, int]:
        four = {"called": (7, 2), "queens": (8, 0)}
        return four.get(self.options.partner, _SIZES[4]) if self.seats == 4 else _SIZES[self.seats]

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return self._size[0]

    @property
    def talon_size(self) -> int:
        """Cards in the blind."""
        return self._size[1]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """As dealt, or after the bury."""
        return [(self.hand_size, t) for t in dict.fromkeys((self.talon_size, 0))]

    # ------------------------------------------------------------------ contract

    def read_clause(self, clause: Clause, given: dict[str, Any], text: str) -> None:
        """Read a clause; ``alone``, the words of deals that nobody picks and doublings stand alone."""
        if clause.word == "alone" or clause.word in NO_PICK:
            if given.get("kind"):
                raise NotationError(f"{excerpt(clause.word)} at {clause.where(text)} follows {excerpt(given['kind'])}")
            given["kind"] = clause.word
        elif clause.word in DOUBLES:
            given["doubles"] = (*given.get("doubles", ()), clause.word)
        else:
            super().read_clause(clause, given, text)
            return
        if clause.rest:
            raise NotationError(
                f"cannot read {excerpt(clause.rest)} after {excerpt(clause.word)} in {excerpt(text)}: expected a comma"
            )

    def called_card(self, contract: Contract) -> Card | None:
        """Return the one called card, None when alone or with another partner rule."""
        return contract.called[0] if contract.called else None

    def partner_cards(self, contract: Contract) -> tuple[Card, ...]:
        """Cards whose holders help the picker, or with partner=queens each other; none in a leaster."""
        if contract.called or contract.kind == "alone" or contract.kind in NO_PICK:
            return contract.called
        return tuple(map(Card, _PARTNERS.get(self.options.partner, ())))

    def untold(self, contract: Contract) -> str:
        """The call, or that there is none (RULES.md 2.3): silence does not mean that the picker is alone."""
        if self.options.partner != "called" or contract.declarer is None or contract.side is not None:
            return ""
        told = contract.called or contract.kind
        return "" if told else "name the called card, as in 'call AC', or say 'alone'"

    def multiplier(self, contract: Contract) -> int:
        """What doubling calls multiply the score by."""
        full: int = 2 ** len(contract.doubles)
        return min(full, self.options.multiplier_cap or full)

    def check_contract(self, contract: Contract) -> Contract:
        """Check what needs no hands: the target, the bury's length, the called card, doublings, the house rules."""
        return check_contract(contract, self.options, self.talon_size)

    # ------------------------------------------------------------------ auction and plan

    def auction(
        self, *, dealer: int | None = None, hands: tuple[frozenset[Card], ...] | None = None
    ) -> SheepsheadAuction:
        """Return the auction before its first call; the dealer is the last seat unless named."""
        if self.options.partner == "queens":
            raise UnsupportedError("sheepshead with partner=queens has no auction: nobody picks")
        who = self.seats - 1 if dealer is None else seat_number(dealer, self.seats, "dealer")
        return SheepsheadAuction(self, who, hands)

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """Every legal call, under card and bury of a picker who holds `hand`, blind included (RULES.md 2.3).

        What `contract` names of them is kept: with a call only its unders and buries are listed.
        """
        if self.options.partner == "queens" or contract.kind in NO_PICK:
            raise UnsupportedError("nothing is buried or called where nobody picks")
        if len(hand) != self.hand_size + self.talon_size:
            wanted = self.hand_size + self.talon_size
            raise NotationError(f"a hand of {len(hand)} cards: a plan is made with {wanted}, the blind included")
        return legal_plans(hand, contract, self.options, self.deck, self.talon_size)

    def check_plan(self, eight: frozenset[Card], contract: Contract) -> None:
        """Check call, under card and bury against the picker's hand with the blind (RULES.md 2.3).

        Raises
        ------
        IllegalPlayError
            Naming the rule that bars the plan.
        """
        why = barred(eight, contract, self.options, self.hand_size + self.talon_size)
        if why is not None:
            raise IllegalPlayError(why)

    def check_hands(self, hands: Sequence[frozenset[Card]], contract: Contract) -> None:
        """Check hands of any trick: the called card is not the picker's unless it may be, the under card no other's."""
        if contract.declarer is None:
            return
        why = own_call(hands[contract.declarer], contract, self.options) if contract.called else None
        if any(contract.under in hand for seat, hand in enumerate(hands) if seat != contract.declarer):
            why = f"under {contract.under}: the picker does not hold it"
        if why is not None:
            raise IllegalPlayError(why)

    def plan_limits(self, contract: Contract, *, under: bool = False) -> tuple[Limit, ...]:
        """What a legal call and bury say of the picker's cards (RULES.md 2.10)."""
        return tuple(plan_limits(contract, self.options, self.deck, self.talon_size, under=under))

    def ordinary_calls(self, eight: frozenset[Card]) -> list[Card]:
        """Aces that the picker may call without an under card."""
        return ordinary_calls(eight, eight, self.options)

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Trumps and three fail suits, with the called card's duties; a leaster has none and wants few points."""
        o, under = self.options, contract.under
        called = next((c for c in contract.called if c not in TRUMPS), None)
        ten = called if called is not None and called.rank == "T" and o.called_ten_wins else None
        return TrickRules(
            seats=self.seats,
            suits=self._suits(called, under, ten),
            # Only with that option may the ten stay in hand when its suit is led, to lose to the ace later.
            suits_later=self._suits(called, under) if ten is not None and o.partner_leads_any else (),
            points=tuple((c, self.points(c)) for c in self.deck.cards),
            misere=contract.kind in NO_PICK,
            called=None if called is None else CalledCard(
                called, contract.declarer, under, **{name: getattr(o, name) for name in CalledCard.options()}
            ),
        )  # fmt: skip

    def _suits(
        self, called: Card | None, under: Card | None, top: Card | None = None
    ) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        """Fail suits and trumps, the under card lowest of the called suit, `top` above its ace."""
        suits: list[tuple[str, tuple[Card, ...]]] = []
        for suit in "CSH":
            cards = [Card(r + suit) for r in _FAIL if r + suit not in (under, top) and r + suit in self.deck]
            if top is not None and top.suit == suit:
                cards = [*cards, top]
            if under is not None and called is not None and called.suit == suit:
                cards = [under, *cards]
            suits.append((suit, tuple(cards)))
        return *suits, ("T", tuple(Card(c) for c in TRUMPS if c != under))

    def picking_side(self, hands: tuple[frozenset[Card], ...], contract: Contract) -> frozenset[int]:
        """Picker and partner; with the option ``partner="queens"`` the holders of both."""
        cards = self.partner_cards(contract)
        holders = frozenset(s for s, hand in enumerate(hands) if hand & set(cards))
        return holders if self.options.partner == "queens" else holders | {self.require_declarer(contract)}

    def start(self, deal: Deal, contract: Contract) -> Position:
        """Seat 0 (or `leader`) leads; the bury is away, the under card counts as one of the called suit.

        In a leaster nobody collects unless one seat is asked about, and the blind's points come with a trick.

        Raises
        ------
        NotationError, IllegalPlayError
            When bury or call are missing or barred.
        UnsupportedError
            For a question to a game where a seat wants neither many nor few points.
        """
        if contract.kind in NO_PICK:
            return self._start_no_pick(deal, contract)
        hands = list(deal.hands)
        if contract.side is None and self.options.partner != "queens":
            picker = self.require_declarer(contract)
            if deal.talon:
                if len(contract.bury) != self.talon_size:
                    raise NotationError(
                        "the deal has a blind: say what the picker buries, "
                        f"as in 'bury {self.deck.write(sorted(deal.talon))}'"
                    )
                eight = hands[picker] | deal.talon
                hands[picker] = eight - set(contract.bury)
            else:
                for card in contract.bury:
                    holder = next((s for s, h in enumerate(hands) if card in h), None)
                    if holder is not None:
                        raise NotationError(
                            f"the bury {card} is in the hand of seat {holder}: the deal has no blind, "
                            "so it shows hands after the bury"
                        )
                eight = hands[picker] | set(contract.bury)
            self.check_plan(frozenset(eight), contract)
        side = contract.side or self.picking_side(tuple(hands), contract)
        leader = contract.leader
        if self.options.picker_alone_leads and contract.declarer is not None and not self.partner_cards(contract):
            leader = contract.declarer
        return Position(self.trick_rules(contract), tuple(hands), leader, side=side, trump="T", first_lead=True)

    def name_side(self, contract: Contract) -> str:
        """One seat, where nobody picks and each plays for itself."""
        if contract.kind in _SEARCHED:
            return f"name a seat, as in '{contract.kind}, side 2'"
        if contract.kind in NO_PICK:
            return f"in a {contract.kind} a seat wants neither most nor fewest points, so nothing is searched"
        return super().name_side(contract)

    def _start_no_pick(self, deal: Deal, contract: Contract) -> Position:
        if contract.side and contract.kind not in _SEARCHED:
            raise UnsupportedError(
                f"side {' '.join(map(str, contract.side))} in a {contract.kind}: a seat wants neither most nor fewest "
                "points there, so nothing is searched; leave the side out"
            )
        worth = sum(self.points(c) for c in frozenset(self.deck.cards).difference(*deal.hands))
        first, last = (worth if self.options.leaster_blind == where else 0 for where in ("first_trick", "last_trick"))
        rules = replace(self.trick_rules(contract), first_value=first, last_value=last)
        side = contract.side or frozenset()
        return Position(rules, deal.hands, contract.leader, side=side, trump="T", first_lead=True)

    def banked(self, contract: Contract) -> int:
        """Points in the bury."""
        return sum(self.points(c) for c in contract.bury)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """One trick, 31, 61, 91 points, all tricks (RULES.md 2.7); the bury counts towards the points."""
        if contract.kind in NO_PICK:
            return ()
        by_points = self.options.schwarz == "points"
        rows = (
            (1, "a point") if by_points else (0, "a trick"), (31, "31 (out of schneider)"), (_WINS, "61 (wins)"),
            (91, "91 (schneider)"), (_SCHWARZ, "120 (schwarz)" if by_points else "all tricks (schwarz)"),
        )  # fmt: skip
        bury = self.banked(contract)
        return tuple(Rung(label, bid, *self._need(bid, bury)) for bid, label in rows)

    def need(self, contract: Contract) -> Need | None:
        """Points with those of the bury, which count with a trick only; 120 is schwarz (RULES.md 2.7)."""
        return None if contract.target is None else self._need(contract.target, self.banked(contract))

    def _need(self, target: int, bury: int) -> Need:
        if target == _SCHWARZ and self.options.schwarz == "tricks":
            return Need("tricks", self.hand_size)
        # With enough in the bury a single worthless trick is what is needed.
        return Need("points", target - bury) if target > bury else Need("tricks", 1)

    # ------------------------------------------------------------------ score

    def score(self, rung: int, *, alone: bool, multiplier: int = 1) -> tuple[int, int, int]:
        """Score of (picker, partner, each opponent) when `rung` rungs of the ladder are reached, 0 to 5."""
        return shares(rung, self.options, alone=alone, multiplier=multiplier)

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Score a played deal from the table of RULES.md 2.7, or one that nobody picked (2.8)."""
        if contract.kind == "schwanzer":
            return showdown(position)
        if not position.over:
            raise NotationError(f"the deal is not over: {sum(map(len, position.hands))} cards are in hand")
        if contract.kind in NO_PICK:
            return nobody_picked(contract.kind, position, self.options.leaster_tie)
        picker = None if self.options.partner == "queens" else self.require_declarer(contract)
        taken, total = sum(position.tricks[s] for s in position.side), sum(position.tricks)
        points = position.collected + self.banked(contract) if taken else 0
        rung = tier(points, taken, total, self.options)
        times, alone = self.multiplier(contract), len(position.side) == 1
        own, partner, other = self.score(rung, alone=alone, multiplier=times)
        lead = position.side if alone else {picker}
        scores = tuple(own if s in lead else partner if s in position.side else other for s in range(self.seats))
        text = f"picking side {points} points in {taken} of {total} tricks: {tier_name(rung, self.options)}"
        made = self.made(position, contract)
        text += f", x{times}" if times > 1 else ""
        if contract.target != _WINS:
            text += f"; target {contract.target} {'made' if made else 'failed'}"
        return Outcome(position.points, position.tricks, made, scores, text)

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Say which tier a double-dummy value is and what it scores; for a leaster, what the number leaves out."""
        if contract.kind in NO_PICK:
            blind = position.rules.last_value
            return (
                f"{contract.kind}: the fewest points that the seat can keep to when all others load it together, "
                "which they do not, as each plays for itself",
                f"blind of {blind} points to the last trick" if blind else "no points of a blind are in it",
                "a seat without a trick cannot win a leaster: that duty is not searched",
            )
        if contract.declarer is None and self.options.partner != "queens":
            return ()
        alone = len(position.side) == 1

        def say(value: int) -> str:
            times = self.multiplier(contract)
            return explain_points(value, self.banked(contract), self.options, alone=alone, multiplier=times)

        return (say(low),) if low == high else (f"at least {say(low)}", f"at most {say(high)}")
