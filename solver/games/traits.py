"""What a game is like, for whoever plays, draws, reads or estimates it: defaults that do for any game.

None of it is a rule of the play. A game that differs says so in its own file, and nobody asks which game it is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError

if TYPE_CHECKING:
    from solver.games.base import Game
    from solver.model.deal import Deal

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

    def random_plan(self, rng: random.Random, deal: Deal, contract: Contract) -> Contract:
        """A legal plan of the declarer, each as likely as the others."""
        game: Game = deal.game
        assert contract.declarer is not None
        hand, talon = deal.hands[contract.declarer], deal.talon
        if game.seats == 2 and talon:  # of two talons the declarer takes one
            contract = replace(contract, taken=tuple(rng.sample(game.deck.sort(talon), len(talon) // 2)))
            talon = frozenset(contract.taken)
        try:
            return rng.choice(list(game.plans(hand | talon, contract)))
        except UnsupportedError:  # a game without plans
            return contract

    def talon_gain(self, hand: frozenset[Card], talon: frozenset[Card]) -> tuple[int, ...]:
        """What a talon brings to a hand, for sorting."""
        return (0,)

    @staticmethod
    def strength(hand: frozenset[Card]) -> float:
        """Strength of a hand as dealt, by which seats are taken to call."""
        return 0.0
