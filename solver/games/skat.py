"""Skat, three seats: suit games, grand and null; there is no auction and no game value here.

32 cards, ten a hand, two in the skat; 120 card points. The declarer plays alone against two. In a suit game the jacks
(clubs, spades, hearts, diamonds) and the other seven cards of the suit are trumps, in grand the jacks alone; aces and
tens stand above the king. Follow suit, nothing else is a duty. 61 points win; what lies in the skat counts for the
declarer, whether two cards were laid away or, in a hand game, it stayed untouched. In null cards rank A K Q J T 9 8 7
without trumps, and the declarer may take no trick.

A contract is ``"hearts by 0, bury TC 8H"``, ``"grand by 1"``, ``"null by 2"``; ``"90 by 0, trump H"`` asks for
schneider. Seat 0 is forehand and leads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

from solver.games.base import Game, Need, Rung, one_by_one, rank_suit
from solver.games.clauses import Clause, Spoken
from solver.games.options import bool_option
from solver.model.cards import Card, Deck
from solver.model.checks import excerpt
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position
from solver.model.shown import counted

__all__ = ["Skat", "SkatOptions"]

_PLAIN = "789QKTA"  # rising, without the jack
_NULL = "789TJQKA"
_JACKS = tuple(map(Card, ("JD", "JH", "JS", "JC")))  # rising
_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
_SUITS = {name: suit for suit, name in _NAMES.items()}
_WINS = 61
_SCHWARZ = 120


@dataclass(frozen=True)
class SkatOptions:
    """House rules."""

    skat_counts: bool = bool_option(True, "card points in the skat, or laid away, count for the declarer")


class Skat(Game):
    """Skat."""

    name = "skat"
    title = "Skat"
    about = "32 cards, 3 seats and a skat of 2, declarer against two, suit games, grand and null; no auction"
    talon_label = "skat"
    clauses = frozenset({"bid", "bury", "by", "lead", "play", "trump"})
    option_class = SkatOptions
    trial = "grand by 0"
    quickly_counted = 60
    trump_words = ("grand", "null")
    options: SkatOptions
    spoken = Spoken(
        re.compile("clubs|spades|hearts|diamonds|grand|null", re.I),
        ("hearts by 0", "grand by 1", "null by 2", "90 by 0", "trump H", "bury TC 8H", "lead 1"),
    )
    talon_may_stay = True
    left_out: ClassVar[Mapping[str, str]] = {
        "auction": "the contract is given; the game value needs the bidding and the jacks held",
        "ramsch": "a game that all have passed is not played",
        "ouvert": "an open hand changes nothing double dummy, where all hands are seen",
    }

    @property
    def seats(self) -> int:
        """Three."""
        return 3

    @cached_property
    def deck(self) -> Deck:
        """Sevens to aces."""
        return Deck("the skat deck", "CSHD", "JATKQ987")

    @property
    def hand_size(self) -> int:
        """Ten."""
        return 10

    @property
    def talon_size(self) -> int:
        """Two."""
        return 2

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """As dealt, or without the two cards that were laid away."""
        return [(10, 2), (10, 0)]

    def points(self, cards: Iterable[str]) -> int:
        """Card points."""
        return sum(_POINTS[card[0]] for card in cards)

    # ------------------------------------------------------------------ contract

    def read_clause(self, clause: Clause, given: dict[str, Any], text: str) -> None:
        """Read a clause; ``hearts`` stands for ``trump H``."""
        if clause.word == "play":
            word = clause.rest.lower()
            key, value = ("trump", _SUITS[word]) if word in _SUITS else ("kind", word)
            said = given.get("kind") or given.get("trump")
            if said and said != value:
                raise NotationError(f"{excerpt(clause.rest)} at {clause.where(text)} follows {excerpt(said)}")
            given[key] = value
        else:
            super().read_clause(clause, given, text)

    def check_contract(self, contract: Contract) -> Contract:
        """Fill in the target: 61 points, no trick in null."""
        if contract.kind and contract.trump:
            raise NotationError(f"{contract.kind} with trump {contract.trump}: no suit is trump in it")
        if len(contract.bury) not in (0, 2):
            raise NotationError(f"the bury {' '.join(contract.bury)}: the declarer lays away 2 cards")
        if contract.kind == "null":
            if contract.target:
                raise NotationError(f"a target of {contract.target}: in null the declarer takes no trick")
            return replace(contract, target=0)
        if contract.target is None:
            contract = replace(contract, target=_WINS)
        if not 1 <= contract.target <= 120:  # type: ignore[operator]
            raise NotationError(f"a target of {contract.target}: card points go from 1 to 120")
        return contract

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """Every two cards that a declarer who holds `hand`, skat included, may lay away."""
        if len(hand) != self.hand_size + self.talon_size:
            wanted = self.hand_size + self.talon_size
            raise NotationError(f"a hand of {len(hand)} cards: two of {wanted} are laid away, the skat included")
        for bury in [contract.bury] if contract.bury else combinations(self.deck.sort(hand), 2):
            yield replace(contract, bury=bury)

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """Suits and trumps of the game played; null counts tricks, and wants none."""
        plain = "".join(s for s in self.deck.suits if s != contract.trump)
        if contract.kind == "null":
            suits = one_by_one(self.deck, plain, _NULL, rank_suit)
            return TrickRules(seats=self.seats, suits=suits, trick_value=1, misere=True)
        if not contract.kind and not contract.trump:
            raise NotationError("no game: write 'hearts by 0', 'grand by 0' or 'null by 0'")
        own = tuple(Card(r + contract.trump) for r in _PLAIN) if contract.trump else ()
        suits = (*one_by_one(self.deck, plain, _PLAIN, rank_suit), ("T", (*own, *_JACKS)))
        points = tuple((c, _POINTS[c.rank]) for c in self.deck.cards)
        return TrickRules(seats=self.seats, suits=suits, points=points)

    def start(self, deal: Deal, contract: Contract) -> Position:
        """Seat 0, forehand, leads, or whoever the contract names.

        Two cards laid away are named by ``bury``; without it the skat was left alone. Either way they are out of play.
        """
        declarer = self.require_declarer(contract)
        hands = list(deal.hands)
        if contract.bury:
            held = hands[declarer] | (deal.talon or self._away(hands))
            if not held.issuperset(contract.bury):
                card = next(c for c in contract.bury if c not in held)
                raise IllegalPlayError(f"seat {declarer} lays away {card} but does not hold it")
            if not deal.talon and hands[declarer] & set(contract.bury):
                raise NotationError(
                    f"the bury {' '.join(contract.bury)}: the deal has no skat, so it shows hands after two cards "
                    f"were laid away, {self.deck.write(self._away(hands))}"
                )
            hands[declarer] = held - set(contract.bury)
        rules = self.trick_rules(contract)
        untouched = self._counted(self._away(hands) - set(contract.bury), contract)
        bonus = tuple(untouched if s == declarer else 0 for s in range(self.seats))
        trump = None if rules.misere else "T"
        side = frozenset({declarer})
        return Position(rules, tuple(hands), contract.leader, side=side, trump=trump, first_lead=True, bonus=bonus)

    def _away(self, hands: Iterable[frozenset[Card]]) -> frozenset[Card]:
        """Cards in no hand."""
        return frozenset(self.deck.cards).difference(*hands)

    def _counted(self, cards: Iterable[str], contract: Contract) -> int:
        """Points of cards out of play that count for the declarer."""
        return self.points(cards) if self.options.skat_counts and contract.kind != "null" else 0

    def banked(self, contract: Contract) -> int:
        """Points laid away; those of an untouched skat come with the position."""
        return self._counted(contract.bury, contract)

    def unit_of(self, contract: Contract) -> str:
        """Points; tricks in null."""
        return "tricks" if contract.kind == "null" else "points"

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Out of schneider, won, schneider, schwarz; nothing in null."""
        if contract.kind == "null":
            return ()
        bank = self.banked(contract)
        rows = (
            (31, "31 (out of schneider)"), (_WINS, "61 (wins)"), (90, "90 (schneider)"),
            (_SCHWARZ, "all tricks (schwarz)"),
        )  # fmt: skip
        return tuple(Rung(label, bid, *self._need(bid, bank)) for bid, label in rows)

    def need(self, contract: Contract) -> Need | None:
        """No trick in null, else points with those laid away; 120 is schwarz, every trick."""
        if contract.kind == "null":
            return Need("tricks", 0)
        return None if contract.target is None else self._need(contract.target, self.banked(contract))

    def _need(self, target: int, bank: int) -> Need:
        return Need("tricks", self.hand_size) if target == _SCHWARZ else Need("points", target - bank)

    # ------------------------------------------------------------------ score

    def _points_text(self, contract: Contract, points: int) -> str:
        """Say what so many points of the declarer are."""
        what = contract.kind or _NAMES[contract.trump or ""]
        how = "won" if points >= _WINS else "lost"
        how += " with schneider" if points >= 90 or points <= 30 else ""
        return f"{what}: declarer {points}, defenders {120 - points}, {how}"

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """1 for the declarer, or for both defenders; the game's value is not computed."""
        declarer = self.require_declarer(contract)
        tricks = position.tricks
        made = bool(self.made(replace(position, side=frozenset({declarer})), contract))
        out = position.bonus[declarer] + self.banked(contract)
        points = tuple(p + (out if s == declarer else 0) for s, p in enumerate(position.points))
        if contract.kind == "null":
            text = f"null: declarer {counted(tricks[declarer], 'tricks')}, {'won' if made else 'lost'}"
        else:
            text = self._points_text(contract, points[declarer])
        scores = tuple(int((s == declarer) == made) for s in range(self.seats))
        return Outcome(points, tricks, made, scores, text)

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Say what the points are worth, those out of play among them."""
        if contract.kind == "null":
            return (
                (f"null: the declarer must take {counted(low, 'tricks')}, {'lost' if low else 'won'}",)
                if low == high
                else ()
            )
        out = position.collected + self.banked(contract)
        notes = (f"{out} points out of play are the declarer's",) if self.options.skat_counts else ()
        if low != high or not self.options.skat_counts:
            return notes
        return (self._points_text(contract, low + out), *notes)
