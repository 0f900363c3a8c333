"""Intervals that may be looked at after every world: confidence sequences.

An interval for a fixed number of worlds is wrong more often than it says when one stops as soon as it looks clear. A
confidence sequence holds at all times together, so that any rule may say when to stop.

* A rate: the beta-binomial mixture of Robbins. With k successes in n worlds p is refuted once
  ``B(k + 1, n - k + 1) / (p**k (1 - p)**(n - k)) >= 1 / alpha``.
* A mean of numbers in a known range: the betting sequence of Waudby-Smith and Ramdas, half the capital on either side,
  with bets that each follow from the worlds before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, xlog1py, xlogy

__all__ = ["bounded_mean", "rate"]

#: Halvings with which the end of an interval is found.
_STEPS = 40

#: Most that a bet risks of the capital.
_CAUTION = 0.75


def _end(refuted: Callable[[float], bool], inside: float, outside: float) -> float:
    """End of an interval between a point in it and one that may be out of it; of the last step the outer one."""
    if not refuted(outside):
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return outside


def rate(surely: int, possibly: int, n: int, alpha: float) -> tuple[float, float]:
    """Interval for a rate.

    Parameters
    ----------
    surely, possibly
        Successes among `n` worlds, where those whose search stopped count for neither and for both.
    n
        Worlds so far.
    alpha
        Chance that the interval is ever wrong.

    Returns
    -------
    low, high : float
    """
    if n == 0:
        return 0.0, 1.0

    def refuted(k: int) -> Callable[[float], bool]:
        mixture = float(betaln(k + 1, n - k + 1))
        return lambda p: bool(mixture - float(xlogy(k, p)) - float(xlog1py(n - k, -p)) >= -np.log(alpha))

    return _end(refuted(surely), surely / n, 0.0), _end(refuted(possibly), possibly / n, 1.0)


def _bets(x: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """What is staked on each number, from those before it."""
    t = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (t + 1)
    variances = (0.25 + np.cumsum((x - means) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], variances[:-1]])
    return np.asarray(np.sqrt(2 * np.log(2 / alpha) / (before * t * np.log(t + 1))), np.float64)


def _least(x: NDArray[np.float64], alpha: float) -> float:
    """Lower end for the mean of numbers from 0 to 1."""
    bets = _bets(x, alpha)

    def refuted(m: float) -> bool:
        if m <= 0:  # no bet can be lost, so any win is enough
            return bool(x.max() > 0 and np.log1p(bets * x).sum() >= np.log(2 / alpha))
        capital = np.log1p(np.minimum(bets, _CAUTION / m) * (x - m))
        return bool(capital.sum() >= np.log(2 / alpha))

    return _end(refuted, float(x.mean()), 0.0)


def bounded_mean(
    surely: ArrayLike, possibly: ArrayLike, least: float, most: float, alpha: float
) -> tuple[float, float]:
    """Interval for a mean of numbers within a range.

    Parameters
    ----------
    surely, possibly
        One entry a world, in the order in which they were drawn: the least and the most that it can be.
    least, most
        The range.
    alpha
        Chance that the interval is ever wrong.

    Returns
    -------
    low, high : float
    """
    a, b = np.asarray(surely, np.float64), np.asarray(possibly, np.float64)
    width = most - least
    if a.size == 0 or width <= 0:
        return least, most
    low = _least((a - least) / width, alpha)
    high = 1 - _least((most - b) / width, alpha)
    return least + width * low, least + width * high
