"""What a game is like, for whoever plays, draws, reads or estimates it: defaults that do for any game.

None of it is a rule of the play. A game that differs says so in its own file, and nobody asks which game it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from solver.model.cards import Card
from solver.model.contract import Contract

if TYPE_CHECKING:
    pass

__all__ = ["Traits"]


class Traits:
    """Properties of a game beside its rules.

    Attributes
    ----------
    name
        Word used in calls and files.
    talon_label
        The game's word for cards dealt to nobody.
    declarer_word
        How a contract names who plays it where it names no bid.
    """

    name: ClassVar[str]
    clauses: ClassVar[frozenset[str]]
    talon_label: ClassVar[str] = "talon"
    declarer_word: ClassVar[str] = "by"
    #: Whether a contract may leave open who collects: each seat plays for itself.
    each_for_itself: ClassVar[bool] = False
    #: Whether suits, but for trumps, are alike, and seats too: what differs by their names only is played the same.
    suits_alike: ClassVar[bool] = False
    #: Whether the whole tree of the game, over all deals, may be small enough to be listed.
    small_tree: ClassVar[bool] = False
    #: Whether the hand opposite the declarer lies open after the first lead, and the declarer plays it.
    has_dummy: ClassVar[bool] = False
    #: Kinds of studies, of those that are of some games only, that the game is offered for.
    studies: ClassVar[frozenset[str]] = frozenset()
    #: A contract that any deal may be played under, the plan left out.
    trial: ClassVar[str] = "by 0"
    #: Deals of random play of which the worlds of all turns are counted in a few seconds.
    quickly_counted: ClassVar[int] = 12
    #: Strength of a hand at which a seat passes half the time; None where nobody passes.
    middle_strength: ClassVar[float | None] = None
    #: Keys of lines of JSON that are the game's own, and for those that set an option its name.
    line_keys: ClassVar[tuple[str, ...]] = ()
    line_options: ClassVar[Mapping[str, str]] = {}
    #: What lines of JSON may say for trumps that are always the same.
    fixed_trumps: ClassVar[tuple[str, ...]] = ()
    #: What lines of JSON may say for a contract in place of a trump suit.
    trump_words: ClassVar[tuple[str, ...]] = ()

    def usual_contract(self) -> str:
        """`trial` with these options, where contracts name who plays."""
        return self.trial if "by" in self.clauses else ""

    def talon_gain(self, hand: frozenset[Card], talon: frozenset[Card]) -> tuple[int, ...]:
        """What a talon brings to a hand, for sorting."""
        return (0,)

    @staticmethod
    def strength(hand: frozenset[Card]) -> float:
        """Strength of a hand as dealt, by which seats are taken to call."""
        return 0.0

    def untold(self, contract: Contract) -> str:
        """What a declarer announces before the first lead and the contract lacks, as a request; empty if nothing."""
        return ""

    @property
    def may_raise(self) -> bool:
        """Whether the declarer may raise its bid after the auction."""
        return False

    @property
    def match_target(self) -> int | None:
        """Score that ends a match; None when it ends otherwise."""
        return None

    @property
    def match_deals(self) -> int | None:
        """Deals of a match; None when it ends otherwise."""
        return None
