"""Means over common worlds and differences between them, world by world, with intervals.

Three kinds of interval: none, where all worlds were searched (what stopped searches left open is still shown); for a
fixed number of worlds Wilson's for a rate and the normal one for a mean; and confidence sequences
(`solver.stats.sequences`) where somebody looks again and again and may stop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from solver.stats.rates import CONFIDENCE, effective, wilson
from solver.stats.sequences import bounded_mean, rate

__all__ = ["Interval", "Sample"]

_ALPHA = 1 - CONFIDENCE
_Z = float(ndtri(0.5 + CONFIDENCE / 2))


class Interval(NamedTuple):
    """A mean with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Sample:
    """A number of each card in each world.

    Parameters
    ----------
    low, high
        ``[worlds, cards]``, the least and the most that it can be, more being better.
    range
        What it can be at all.
    rates
        Whether it is 0 or 1.
    weights
        Of the worlds; None where all weigh the same.
    exact
        Whether these are all worlds.
    peek
        Whether intervals must hold however often they are looked at.
    same
        For each card the first that it is one move with.
    chosen
        The card that ties were settled for, one of the highest mean; the first of them when None.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    range: tuple[float, float]
    rates: bool
    weights: NDArray[np.float64] | None
    exact: bool
    peek: bool
    same: tuple[int, ...]
    chosen: int | None = None

    def like(
        self, low: NDArray[np.float64], high: NDArray[np.float64], limits: tuple[float, float], rates: bool
    ) -> Sample:
        """Another number in the same worlds."""
        return replace(self, low=low, high=high, range=limits, rates=rates)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Weights that add up to 1."""
        weights = np.ones(len(self.low)) if self.weights is None else self.weights
        return np.asarray(weights / weights.sum(), np.float64)

    def _mean(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean over the worlds; a plain sum where all weigh the same, so that whole numbers stay exact."""
        return np.asarray(x.mean(axis=0) if self.weights is None else self.shares @ x, np.float64)

    @cached_property
    def middle(self) -> NDArray[np.float64]:
        """Mean of each card, halfway between its bounds; rounded, so that equal cards are."""
        return np.round(self._mean(self.low + self.high) / 2, 9)

    @property
    def best(self) -> int:
        """The card with the highest mean."""
        return int(np.argmax(self.middle)) if self.chosen is None else self.chosen

    def interval(self, k: int) -> Interval:
        """Mean of a card."""
        return self._interval(self.low[:, k], self.high[:, k], self.range, self.rates, _ALPHA)

    def difference(self, k: int) -> Interval:
        """How much better than the best card another is: at most 0 in the mean, the interval may reach above."""
        return self.against(k, self.best)

    def against(self, k: int, best: int) -> Interval:
        """How much better one card is than another."""
        if self.same[k] == self.same[best]:
            return Interval(0.0, 0.0, 0.0)
        width = self.range[1] - self.range[0]
        others = len(set(self.same)) - 1
        found = self._interval(
            self.low[:, k] - self.high[:, best], self.high[:, k] - self.low[:, best], (-width, width), False,
            _ALPHA / others if self.peek else _ALPHA,
        )  # fmt: skip
        return found._replace(value=float(self.middle[k] - self.middle[best]))

    def settled(self, until: float | str) -> bool:
        """Whether it is clear enough to stop: see `solver.seat.advice.advise`."""
        for k in sorted(set(self.same)):
            apart = self.difference(k)
            if apart.high < 0:
                continue
            if isinstance(until, str):
                if self.same[k] != self.same[self.best]:
                    return False
                continue
            own = self.interval(k)
            if max(apart.high - apart.low, own.high - own.low) > 2 * until:
                return False
        return True

    def _interval(
        self,
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        limits: tuple[float, float],
        rates: bool,
        alpha: float,
    ) -> Interval:
        a, b = float(self._mean(low)), float(self._mean(high))
        middle = (a + b) / 2
        if self.exact:
            return Interval(middle, a, b)
        n = len(low)
        if self.peek and rates:
            return Interval(middle, *rate(int(low.sum()), int(high.sum()), n, alpha))
        if self.peek:
            return Interval(middle, *bounded_mean(low, high, *limits, alpha))
        size = float(n) if self.weights is None else effective(self.weights)
        if rates:
            return Interval(middle, wilson(a * size, size)[0], wilson(b * size, size)[1])
        return Interval(middle, self._end(low, a, size, limits[0]), self._end(high, b, size, limits[1]))

    def _end(self, x: NDArray[np.float64], mean: float, size: float, limit: float) -> float:
        """End of the normal interval on the side of a limit.

        Where all worlds agree, what was not seen may still be: with chance ``log(2 / alpha) / n`` at most, by as much
        as there can be.
        """
        n = len(x)
        if n > 1 and np.ptp(x) > 0:
            variance = float(self.shares**2 @ (x - mean) ** 2)
            half = _Z * sqrt(variance * n / (n - 1))
            return max(limit, mean - half) if limit < mean else min(limit, mean + half)
        return mean + (limit - mean) * min(1.0, log(2 / _ALPHA) / size)
