"""What calls make likely: weights of worlds by a stated model, off unless asked for.

A model gives the chance of each call for a dealt hand; a world's weight is the product over the calls of the other
seats. The model here is one curve a game, stated below, and any object of the same shape may take its place. Weights
rest on a model of people, not on rules; they come with the effective sample size, that says how few worlds carry them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.model.cards import Card

if TYPE_CHECKING:
    from solver.worlds.sample import Worlds

__all__ = ["STRENGTH", "CallModel", "Evidence"]


class Evidence(Protocol):
    """Whatever weighs worlds."""

    def weigh(self, worlds: Worlds) -> NDArray[np.float64]:
        """A weight for each world, none negative."""


def _sheepshead(hand: frozenset[Card]) -> float:
    """Queens 3, jacks 2, other diamonds 1, fail aces 1."""
    return sum(3 if c.rank == "Q" else 2 if c.rank == "J" else 1 if c.suit == "D" or c.rank == "A" else 0 for c in hand)


def _thousand(hand: frozenset[Card]) -> float:
    """Aces 2, tens 1, each marriage its bonus over 20."""
    bonus = {"H": 100, "D": 80, "C": 60, "S": 40}
    pairs = sum(worth for suit, worth in bonus.items() if {"K" + suit, "Q" + suit} <= hand)
    return sum({"A": 2, "T": 1}.get(c.rank, 0) for c in hand) + pairs / 20


def _spades(hand: frozenset[Card]) -> float:
    """Aces 2, kings 1, queens a half."""
    return sum({"A": 2.0, "K": 1.0, "Q": 0.5}.get(c.rank, 0.0) for c in hand)


#: By game: strength of a dealt hand, and the strength at which a seat passes half the time.
STRENGTH: Mapping[str, tuple[Callable[[frozenset[Card]], float], float]] = {
    "sheepshead": (_sheepshead, 8.0), "thousand": (_thousand, 7.0), "three_of_spades": (_spades, 6.0),
}  # fmt: skip


@dataclass(frozen=True)
class CallModel:
    """A seat passes with chance 1 / (1 + exp((strength - middle) / spread)) and calls otherwise.

    The first call of each other seat is weighed, and only where the hand as dealt can be read off a world.

    Parameters
    ----------
    middle
        Strength at which it passes half the time; the game's own of `STRENGTH` when None.
    spread
        How soft the model is; large values weigh nearly nothing.
    """

    middle: float | None = None
    spread: float = 2.0

    def weigh(self, worlds: Worlds) -> NDArray[np.float64]:
        """A weight for each world."""
        known = worlds.knowledge
        if known.game.name not in STRENGTH:
            return np.ones(len(worlds))
        strength, usual = STRENGTH[known.game.name]
        middle = usual if self.middle is None else self.middle
        first: dict[int, str] = {}
        for call in known.calls:
            first.setdefault(call.seat, call.word)
        out = np.ones(len(worlds))
        for seat, word in first.items():
            if seat == known.seat or not worlds.dealt_known(seat):
                continue
            kept: dict[bytes, float] = {}
            for i, row in enumerate(worlds.owners == seat):
                key = row.tobytes()
                if key not in kept:
                    passes = 1 / (1 + exp((strength(worlds.dealt(i, seat)) - middle) / self.spread))
                    kept[key] = passes if word == "pass" else 1 - passes
                out[i] *= kept[key]
        return out
