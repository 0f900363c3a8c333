"""What calls make likely: weights of worlds by a stated model, off unless asked for.

A model gives the chance of each call for a dealt hand; a world's weight is the product over the calls of the other
seats. The model here is one curve a game, stated below, and any object of the same shape may take its place. Weights
rest on a model of people, not on rules; they come with the effective sample size, that says how few worlds carry them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from solver.worlds.sample import Worlds

__all__ = ["CallModel", "Evidence"]


class Evidence(Protocol):
    """Whatever weighs worlds."""

    def weigh(self, worlds: Worlds) -> NDArray[np.float64]:
        """A weight for each world, none negative."""


@dataclass(frozen=True)
class CallModel:
    """A seat passes with chance 1 / (1 + exp((strength - middle) / spread)) and calls otherwise.

    The first call of each other seat is weighed, and only where the hand as dealt can be read off a world.

    Parameters
    ----------
    middle
        Strength at which it passes half the time; the game's own, `Game.middle_strength`, when None.
    spread
        How soft the model is; large values weigh nearly nothing.
    """

    middle: float | None = None
    spread: float = 2.0

    def weigh(self, worlds: Worlds) -> NDArray[np.float64]:
        """A weight for each world."""
        known = worlds.knowledge
        usual, strength = known.game.middle_strength, known.game.strength
        if usual is None:
            return np.ones(len(worlds))
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
