"""The outer chance: which cards the talon may hold, drawn fairly and spread over what matters.

A talon is as likely as the number of worlds that have it: all alike where nothing couples it to the hands, otherwise
counted for each (a bid above 120 in Thousand shows a marriage, which then is in no talon).

Talons are sorted by what they bring (a marriage completed, trumps in the blind), by chance within that, and drawn at
equal steps from a random start. Every talon has its right chance, and what matters is spread as evenly as it can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.model.cards import Card
from solver.model.errors import UnsupportedError
from solver.worlds.knowledge import Knowledge

__all__ = ["Talons", "draw_talons"]


@dataclass(frozen=True, eq=False)
class Talons:
    """Talons drawn.

    Parameters
    ----------
    cards
        Each talon, in random order, so that any first part of them is a fair sample.
    known
        For each what the seat knows with the talon seen.
    total
        How many talons are possible.
    even
        Whether all of them are equally likely.
    """

    cards: tuple[frozenset[Card], ...]
    known: tuple[Knowledge, ...]
    total: int
    even: bool

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def complete(self) -> bool:
        """Whether these are all talons, each once."""
        return self.even and len(self) == self.total


def draw_talons(known: Knowledge, n: int | None, *, seed: int) -> Talons:
    """Draw talons that fit what a seat knows.

    Parameters
    ----------
    known
        Before the talon is seen.
    n
        How many; all of them when None or when there are no more.
    seed
        Of the draw.
    """
    game = known.game
    every = [frozenset(t) for t in combinations(known.situation.unseen, game.talon_size)]
    rng = np.random.default_rng(seed)
    even = not known.situation.conditions and len({frozenset(a) for a in known.situation.allowed.values()}) <= 1
    weights = np.ones(len(every)) if even else np.array([_count(known, t) for t in every], np.float64)
    every = [t for t, w in zip(every, weights, strict=True) if w > 0]
    weights = weights[weights > 0]
    keys = [game.talon_gain(known.hand, t) for t in every]
    tie = rng.permutation(len(every))
    order = np.array(sorted(range(len(every)), key=lambda i: (keys[i], tie[i])), np.int64)
    if n is None and not even:
        raise UnsupportedError(
            f"after these calls the {len(every)} {game.talon_label}s are not equally likely: name a number to draw"
        )
    n = len(every) if n is None else n
    chosen = order if even and n >= len(every) else _steps(weights, order, n, rng)
    chosen = chosen[rng.permutation(len(chosen))]
    cards = tuple(every[i] for i in chosen)
    return Talons(cards, tuple(known.see(talon=t) for t in cards), len(every), even)


def _steps(
    weights: NDArray[np.float64], order: NDArray[np.int64], n: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Systematic sampling: n equal steps through the weights in this order, from a random start."""
    ends = np.cumsum(weights[order])
    at = (rng.random() + np.arange(n)) / n * ends[-1]
    chosen = np.minimum(np.searchsorted(ends, at, side="right"), len(order) - 1)
    return np.asarray(order[chosen], np.int64)


def _count(known: Knowledge, talon: frozenset[Card]) -> int:
    """Worlds that have a talon, 0 where it contradicts what is known."""
    try:
        return known.see(talon=talon).situation.problem.counted().total
    except ValueError:
        return 0
