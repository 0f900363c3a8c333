"""Sheepshead, five seats with a called ace, or three to seven seats (RULES.md 2).

Fourteen trumps, all queens, jacks and diamonds; fail suits A T K 9 8 7; 120 points. The picker takes the blind, buries
as many cards, and calls a fail ace whose holder is its secret partner. Until the called suit has been led the partner
keeps the called card and the picker a card of its suit; the partner plays the called card when its suit is led.
A contract is ``"picker 2, call AH, bury TC 8H"``, or ``alone``; ``under 7D`` names the under card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from solver.games.base import Game, Rung
from solver.games.options import bool_option, choice, whole
from solver.model.cards import Card, Deck
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position

__all__ = ["Sheepshead", "SheepsheadOptions"]

_TRUMPS = ("7D", "8D", "9D", "KD", "TD", "AD", "JD", "JH", "JS", "JC", "QD", "QH", "QS", "QC")  # rising
_FAIL = "789KTA"
_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_SIZES = {3: (10, 2), 4: (7, 4), 5: (6, 2), 6: (5, 2), 7: (4, 4)}


@dataclass(frozen=True)
class SheepsheadOptions:
    """Variants of RULES.md 2.11."""

    seats: int = whole(5, (3, 4, 5, 6, 7), "number of players")
    partner: str = choice("called", "jd", "none", help="who helps the picker: holder of a called card, of JD, nobody")
    hold_card: bool = bool_option(True, "the picker needs, and keeps, a card of the called suit")
    partner_leads_any: bool = bool_option(False, "the partner may lead any card of the called suit")
    under_may_be_led: bool = bool_option(True, "the picker may lead the under card")
    called_ten_wins: bool = bool_option(True, "a called ten beats its ace when the suit is first led")
    double_on_bump: bool = bool_option(True, "losses of the picking side count double")
    partner_off_hook: bool = bool_option(True, "the partner pays nothing when the picking side takes no trick")


class Sheepshead(Game):
    """Sheepshead."""

    name = "sheepshead"
    title = "Sheepshead"
    about = "32 cards, 5 seats (3 to 7) and a blind, picker and called-ace partner, 61 of 120 points"
    talon_label = "blind"
    clauses = frozenset({"bid", "by", "call", "bury", "under", "alone", "lead", "side"})
    option_class = SheepsheadOptions
    options: SheepsheadOptions

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.options.seats

    @cached_property
    def deck(self) -> Deck:
        """Sevens to aces."""
        return Deck("the deck of Sheepshead", "CSHD", "QJATK987")

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return _SIZES[self.seats][0]

    @property
    def talon_size(self) -> int:
        """Cards in the blind."""
        return _SIZES[self.seats][1]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """As dealt, or after the bury."""
        return [(self.hand_size, self.talon_size), (self.hand_size, 0)]

    def points(self, card: str) -> int:
        """Card points."""
        return _POINTS[card[0]]

    # ------------------------------------------------------------------ plans

    def called_card(self, contract: Contract) -> Card | None:
        """Return the one called card, None when alone or with another partner rule."""
        return contract.called[0] if contract.called else None

    def check_contract(self, contract: Contract) -> Contract:
        """Check what needs no hands: the target, the bury's length, the called card, the partner rule."""
        if contract.target is None:
            contract = replace(contract, target=61)
        if not 1 <= contract.target <= 120:  # type: ignore[operator]
            raise NotationError(f"a target of {contract.target}: card points go from 1 to 120")
        if contract.bury and len(contract.bury) != self.talon_size:
            raise NotationError(f"the bury {' '.join(contract.bury)}: the picker buries {self.talon_size} cards")
        if contract.called and self.options.partner != "called":
            raise NotationError(
                f"call {' '.join(contract.called)}: with partner={self.options.partner} nothing is called"
            )
        if len(contract.called) > 1:
            raise NotationError(f"call {' '.join(contract.called)}: one card is called")
        card = self.called_card(contract)
        if card is not None and (card in _TRUMPS or card.rank not in "AT"):
            raise NotationError(f"call {card}: a fail ace is called, or with all three of them a fail ten")
        if contract.under is not None and card is None:
            raise NotationError(f"under {contract.under}: an under card goes with a called ace")
        return contract

    def check_plan(self, eight: frozenset[Card], contract: Contract) -> None:
        """Check call, under card and bury against the picker's hand with the blind (RULES.md 2.3).

        Raises
        ------
        IllegalPlayError
            Naming the rule that bars the plan.
        """
        missing = [c for c in (*contract.bury, *([contract.under] if contract.under else [])) if c not in eight]
        if missing:
            raise IllegalPlayError(f"the picker buries or puts under {' '.join(missing)} but does not hold it")
        if contract.under is not None and contract.under in contract.bury:
            raise IllegalPlayError(f"{contract.under} cannot be both buried and the under card")
        called = self.called_card(contract)
        if called is None:
            return
        if called in eight:
            raise IllegalPlayError(f"call {called}: the picker holds it")
        aces = {c for c in eight if c.rank == "A" and c.suit != "D"}
        own = {c for c in eight if c not in _TRUMPS and c.suit == called.suit}
        kept = own - set(contract.bury)
        if called.rank == "T" and len(aces) < 3:
            raise IllegalPlayError(f"call {called}: a ten is called only with all three fail aces in hand")
        if called.rank == "A" and len(aces) == 3:
            raise IllegalPlayError(f"call {called}: the picker holds all three fail aces, so a ten is called")
        if contract.under is None:
            if self.options.hold_card and not kept:
                raise IllegalPlayError(f"call {called}: the picker must keep a card of that suit after the bury")
            return
        if own:
            raise IllegalPlayError(f"under {contract.under}: the picker has {' '.join(sorted(own))} of the called suit")
        ordinary = self.ordinary_calls(eight)
        if ordinary:
            raise IllegalPlayError(f"under {contract.under}: an ordinary call is open ({' '.join(ordinary)})")

    def ordinary_calls(self, eight: frozenset[Card]) -> list[Card]:
        """Aces that the picker may call with a hold card of their suit."""
        fails = [c for c in eight if c not in _TRUMPS]
        return [Card("A" + s) for s in "CSH" if "A" + s not in eight and any(c.suit == s for c in fails)]

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Trumps and three fail suits, with the called card's duties."""
        called, under = self.called_card(contract), contract.under
        suits: list[tuple[str, tuple[Card, ...]]] = []
        for suit in "CSH":
            cards = [Card(r + suit) for r in _FAIL if r + suit != under]
            if called is not None and called.suit == suit:
                if called.rank == "T" and self.options.called_ten_wins:
                    cards = [c for c in cards if c != called] + [called]
                if under is not None:
                    cards = [under, *cards]
            suits.append((suit, tuple(cards)))
        suits.append(("T", tuple(Card(c) for c in _TRUMPS if c != under)))
        return TrickRules(
            seats=self.seats,
            suits=tuple(suits),
            points=tuple((c, self.points(c)) for c in self.deck.cards),
            called=called,
            caller=contract.declarer if called is not None else None,
            under=under,
            under_may_be_led=self.options.under_may_be_led,
            partner_leads_any=self.options.partner_leads_any,
            hold_card=self.options.hold_card,
        )

    def picking_side(self, hands: tuple[frozenset[Card], ...], contract: Contract) -> frozenset[int]:
        """Picker and partner."""
        picker = self.require_declarer(contract)
        card = Card("JD") if self.options.partner == "jd" else self.called_card(contract)
        holders = {s for s, hand in enumerate(hands) if card in hand} if card is not None else set()
        return frozenset(holders | {picker})

    def start(self, deal: Deal, contract: Contract) -> Position:
        """Seat 0 (or `leader`) leads; the bury is away, the under card counts as one of the called suit.

        Raises
        ------
        NotationError, IllegalPlayError
            When bury or call are missing or barred.
        """
        hands = list(deal.hands)
        if contract.side is None:
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
        return Position(
            self.trick_rules(contract), tuple(hands), contract.leader, side=side, trump="T", first_lead=True
        )

    def banked(self, contract: Contract) -> int:
        """Points in the bury."""
        return sum(self.points(c) for c in contract.bury)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """One trick, 31, 61, 91 points, all tricks (RULES.md 2.7); the bury counts towards the points."""
        bury = self.banked(contract)

        def points(bid: int, label: str) -> Rung:
            # With enough in the bury a single worthless trick is what is needed.
            return Rung(label, bid, "points", bid - bury) if bid > bury else Rung(label, bid, "tricks", 1)

        return (
            Rung("a trick", 0, "tricks", 1),
            points(31, "31 (out of schneider)"),
            points(61, "61 (wins)"),
            points(91, "91 (schneider)"),
            Rung("all tricks (schwarz)", 120, "tricks", self.hand_size),
        )

    def score(self, rung: int, *, alone: bool) -> tuple[int, int, int]:
        """Score of (picker, partner, each opponent) when `rung` rungs of the ladder are reached, 0 to 5."""
        m = (-3, -2, -1, 1, 2, 3)[rung]
        if m < 0 and self.options.double_on_bump:
            m *= 2
        opponents = self.seats - (1 if alone else 2)
        if alone:
            return opponents * m, 0, -m
        if rung == 0 and self.options.partner_off_hook:
            return opponents * m, 0, -m
        return (opponents - 1) * m, m, -m

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Score a played deal from the table of RULES.md 2.7."""
        picker = self.require_declarer(contract)
        taken = sum(position.tricks[s] for s in position.side)
        total = sum(position.tricks)
        points = position.collected + self.banked(contract) if taken else 0
        rung = (
            0 if taken == 0 else 5 if taken == total else 4 if points >= 91 else 3 if points >= 61
            else 2 if points >= 31 else 1
        )  # fmt: skip
        alone = len(position.side) == 1
        own, partner, other = self.score(rung, alone=alone)
        scores = tuple(own if s == picker else partner if s in position.side else other for s in range(self.seats))
        word = ("no trick", "schneider against", "lost", "won", "schneider", "schwarz")[rung]
        text = f"picking side {points} points in {taken} of {total} tricks: {word}"
        return Outcome(position.points, position.tricks, rung >= 3, scores, text)
