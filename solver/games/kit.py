"""The follow-suit kit: 12 cards, three seats, four tricks (RULES.md 1).

Circles ``o``, triangles ``t`` and squares ``s`` with ranks 1 to 4, four highest. No trumps. Follow suit if you can;
the highest card of the suit led wins. One point a trick, each seat for itself. A contract asks how one seat fares
against the others together: ``"2 by 0, lead 0"``; a bound for a seat that plays for itself. A session is three hands,
each seat leading one of them; the most tricks win, and equal seats share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

from solver.games.base import Game, Rung, one_by_one
from solver.games.match import Match
from solver.games.options import bool_option, choice, whole
from solver.model.cards import Deck
from solver.model.checks import excerpt
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.play import Position

__all__ = ["Kit", "KitOptions", "Session"]


@dataclass(frozen=True)
class KitOptions:
    """Variants of RULES.md 1.6."""

    seats: int = whole(3, (2, 3, 4), "number of players")
    suits: int = whole(3, (1, 2, 3), "number of suits, of circles, triangles and squares")
    ranks: int = whole(4, tuple(range(1, 10)), "ranks in each suit")
    trump: str = choice("none", "o", "t", "s", help="suit that is trump")
    must_beat: bool = bool_option(False, "a follower must beat the best card of the suit led when able")
    hands: int = whole(3, tuple(range(1, 13)), "hands of a session; the seats lead in turn, seat 0 first")


class Kit(Game):
    """The kit, or a variant of its size."""

    name = "kit"
    title = "Follow-suit kit"
    about = "12 cards in 3 suits, 3 seats for themselves, 4 tricks; follow suit, no trumps"
    unit = "tricks"
    clauses = frozenset({"bid", "by", "lead", "trump", "side"})
    option_class = KitOptions
    each_for_itself = True
    suits_alike = True
    small_tree = True
    studies = frozenset({"match", "threshold"})
    trial = ""
    quickly_counted = 250
    options: KitOptions
    left_out: ClassVar[Mapping[str, str]] = {
        "trump=turned": "the kit is dealt in no order, so no card is the last; name the suit of the card turned",
        "suits=4": "there are three suits, circles, triangles and squares",
        "must_trump": "the kit has no such duty",
    }

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        if self.options.suits * self.options.ranks % self.options.seats:
            raise UnsupportedError(
                f"kit of {self.options.suits} suits x {self.options.ranks} ranks cannot be dealt evenly to "
                f"{self.options.seats} seats"
            )
        if self.options.trump != "none" and self.options.trump not in self.deck.suits:
            raise UnsupportedError(f"kit option trump is {excerpt(self.options.trump)}, a suit that this kit lacks")

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.options.seats

    @cached_property
    def deck(self) -> Deck:
        """Suits by ranks."""
        ranks = "987654321"[9 - self.options.ranks :]
        return Deck("the kit", "ots"[: self.options.suits], ranks)

    @property
    def hand_size(self) -> int:
        """All cards are dealt."""
        return len(self.deck) // self.seats

    def check_contract(self, contract: Contract) -> Contract:
        """Fill in the trump suit and check the number of tricks."""
        if contract.target is not None and not 0 <= contract.target <= self.hand_size:
            raise NotationError(f"{contract.target} tricks: a hand of the kit has {self.hand_size}")
        if contract.trump is None and self.options.trump != "none":
            return replace(contract, trump=self.options.trump)
        return contract

    def trick_rules(self, contract: Contract) -> TrickRules:
        """One point a trick, nothing for cards."""
        return TrickRules(
            seats=self.seats,
            suits=one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], lambda s, r: s + r),
            trick_value=1,
            must_beat=self.options.must_beat,
        )

    def start(self, deal: Deal, contract: Contract) -> Position:
        """Position before the lead; without a declarer nobody collects."""
        side = contract.side or (frozenset() if contract.declarer is None else frozenset({contract.declarer}))
        rules = self.trick_rules(contract)
        return Position(rules, deal.hands, contract.leader, side=side, trump=contract.trump, first_lead=True)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """At least 1, 2, … tricks."""
        return tuple(Rung(f"{k} or more", k, "points", k) for k in range(1, self.hand_size + 1))

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Tricks are points."""
        text = "tricks " + " ".join(f"{s}:{t}" for s, t in enumerate(position.tricks))
        return Outcome(position.tricks, position.tricks, self.made(position, contract), position.tricks, text)

    @property
    def match_deals(self) -> int:
        """Hands of a session."""
        return self.options.hands

    def match(self) -> Session:
        """Return a session before its first hand."""
        return Session(self)


@dataclass(frozen=True)
class Session(Match):
    """Hands of the kit, each led first by the next seat (RULES.md 1.3)."""

    @property
    def leader(self) -> int:
        """Seat that leads the next hand, fixed before it is dealt."""
        return (self.dealer + 1) % len(self.scores)

    def add(self, deltas: Sequence[int]) -> Self:
        """Return the session after a hand with these tricks, one number a seat."""
        kit = self.game
        if any(t < 0 for t in deltas) or sum(deltas) != kit.hand_size:
            raise NotationError(f"tricks {' '.join(map(str, deltas))}: a hand of the kit has {kit.hand_size} in all")
        return super().add(deltas)
