"""What Thousand is like beside its rules: its words, what a talon is worth, how strong a hand is.

A marriage outweighs the cards that it is made of: the bonus of hearts alone is nearly as much as all card points. So a
talon is sorted by the bonus that it completes, and only then by its points, and a seat is taken to bid by a scale on
which a marriage counts its bonus over 20 beside aces and tens.

Lines of JSON say by keys of their own which marriages may be declared and when they make trumps.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from solver.games.thousand_options import ThousandOptions
from solver.games.thousand_tables import POINTS, bonus_in
from solver.games.traits import Traits
from solver.model.cards import Card

__all__ = ["ThousandTraits"]


class ThousandTraits(Traits):
    """Properties of Thousand beside its rules."""

    studies = frozenset({"exact", "match", "threshold"})
    trial = "120 by 0"
    quickly_counted = 100
    middle_strength = 7.0
    line_keys = ("marriages", "declarer", "first_lead", "timing", "declared")
    line_options: ClassVar[Mapping[str, str]] = {"marriages": "marriages", "timing": "trump_timing"}
    #: What the declarer scores when the bid is made and when it fails, in bids; see also the option score_actual.
    stakes = (1, -1)
    options: ThousandOptions

    @property
    @abstractmethod
    def talon_size(self) -> int:
        """Cards of the talon, none in pairs."""

    @property
    def has_plans(self) -> bool:
        """Cards are passed where there is a talon."""
        return self.talon_size > 0

    @property
    def may_raise(self) -> bool:
        """After the talon (RULES.md 3.4)."""
        return self.talon_size > 0

    def bonus_in(self, hand: frozenset[Card]) -> int:
        """Sum of the bonuses of the marriages in a hand."""
        return bonus_in(hand)

    def talon_gain(self, hand: frozenset[Card], talon: frozenset[Card]) -> tuple[int, ...]:
        """Marriage bonus and points."""
        return bonus_in(hand | talon) - bonus_in(hand), sum(POINTS[c.rank] for c in talon)

    @staticmethod
    def strength(hand: frozenset[Card]) -> float:
        """Aces 2, tens 1, each marriage its bonus over 20."""
        return sum({"A": 2, "T": 1}.get(c.rank, 0) for c in hand) + bonus_in(hand) / 20
