"""What Sheepshead is like beside its rules: its words, what a card and a blind are worth, how strong a hand is.

Players judge a hand by its trumps: queens above jacks above the other diamonds, whatever their points. So a blind is
sorted by the trumps that it brings, and only then by its points, and a seat is taken to pick by the same scale, on
which a fail ace counts as much as a low trump.
"""

from __future__ import annotations

from solver.games.sheepshead_options import SheepsheadOptions
from solver.games.sheepshead_score import TRUMPS
from solver.games.traits import Traits
from solver.model.cards import Card

__all__ = ["POINTS", "SheepsheadTraits"]

#: Card points, 120 in all; in trumps they do not follow the rank.
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


class SheepsheadTraits(Traits):
    """Properties of Sheepshead beside its rules."""

    #: The game's words: the blind, and the seat that picks it up.
    talon_label = "blind"
    declarer_word = "picker"
    studies = frozenset({"match", "threshold"})
    quickly_counted = 40
    middle_strength = 8.0
    line_keys = ("duties",)
    fixed_trumps = ("D", "T")
    options: SheepsheadOptions

    def points(self, card: str) -> int:
        """Card points."""
        return POINTS[card[0]]

    @property
    def has_plans(self) -> bool:
        """The picker buries and calls; with partner=queens nobody picks."""
        return self.options.partner != "queens"

    def usual_contract(self) -> str:
        """Seat 0 picks; with partner=queens nobody does."""
        return self.trial if self.has_plans else ""

    def talon_gain(self, hand: frozenset[Card], talon: frozenset[Card]) -> tuple[int, ...]:
        """Trumps and points."""
        return sum(c in TRUMPS for c in talon), sum(self.points(c) for c in talon)

    @staticmethod
    def strength(hand: frozenset[Card]) -> float:
        """Queens 3, jacks 2, other diamonds 1, fail aces 1."""

        def worth(card: Card) -> int:
            if card.rank in "QJ":
                return 3 if card.rank == "Q" else 2
            return int(card.suit == "D" or card.rank == "A")

        return sum(map(worth, hand))
