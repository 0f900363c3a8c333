"""Rates and means with their intervals.

Three kinds of uncertainty are kept apart.

* Worlds were drawn: `wilson` gives an interval for a rate over independent worlds.
* Worlds share an outer chance, such as the talon, and are not independent: `clustered` takes the outer case as unit.
* A search stopped at its node limit and knows bounds only: its world counts as anything from 0 to 1, so the lower end
  of an interval is built from the pessimistic count and the upper end from the optimistic one.

When every world was searched to the end nothing is uncertain but the model, and the interval is a point. The model is
double dummy: all seats see all cards, which real players do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression
from scipy.special import ndtri, stdtrit

__all__ = [
    "CONFIDENCE", "Mean", "Rate", "clustered", "effective", "exact", "falling", "mean", "sampled", "wilson",
]  # fmt: skip

#: Confidence of every interval.
CONFIDENCE = 0.95


class Rate(NamedTuple):
    """A success rate with its interval."""

    p: float
    low: float
    high: float


#: A rate that rests on no world at all.
NOTHING = Rate(nan, 0.0, 1.0)


class Mean(NamedTuple):
    """A mean with its standard error and interval."""

    value: float
    error: float
    low: float
    high: float


def wilson(successes: float, n: float, *, z: float | None = None) -> tuple[float, float]:
    """Wilson's score interval for a rate, without continuity correction.

    Parameters
    ----------
    successes, n
        Of how many trials how many went well; both may be effective numbers, not whole.
    z
        Normal quantile; by default that of `CONFIDENCE`.

    Returns
    -------
    low, high : float
    """
    if n <= 0:
        return 0.0, 1.0
    z = float(ndtri(0.5 + CONFIDENCE / 2)) if z is None else z
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(max(p * (1 - p), 0.0) / n + z * z / (4 * n * n))
    low = 0.0 if successes <= 0 else max(0.0, middle - half)
    high = 1.0 if successes >= n else min(1.0, middle + half)
    return low, high


def _both(surely: ArrayLike, possibly: ArrayLike | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first = np.asarray(surely, np.float64)
    return first, first if possibly is None else np.asarray(possibly, np.float64)


def sampled(surely: ArrayLike, possibly: ArrayLike | None = None) -> Rate:
    """Rate over independent worlds, by Wilson.

    Parameters
    ----------
    surely, possibly
        One entry a world, 0 or 1: reached for certain, and perhaps. They differ where a search was stopped.
    """
    a, b = _both(surely, possibly)
    n = a.size
    if n == 0:
        return NOTHING
    return Rate(float(a.mean() + b.mean()) / 2, wilson(float(a.sum()), n)[0], wilson(float(b.sum()), n)[1])


def exact(surely: ArrayLike, possibly: ArrayLike | None = None) -> Rate:
    """Rate over all worlds: no sampling, so the interval holds nothing but what stopped searches left open."""
    a, b = _both(surely, possibly)
    return Rate(float(a.mean() + b.mean()) / 2, float(a.mean()), float(b.mean())) if a.size else NOTHING


def clustered(surely: ArrayLike, possibly: ArrayLike | None = None, *, population: int | None = None) -> Rate:
    """Rate over outer cases with several worlds each; the outer case is the unit.

    The variance of the mean is that of two-stage sampling, ``(1 - f) B / m + f W / (m w)`` with ``B`` the variance
    between the means of the m cases, ``W`` the variance within a case of w worlds and ``f`` the share of all outer
    cases that was drawn. It gives the effective number of worlds ``p (1 - p) / variance``, kept between m and m w, and
    Wilson's interval is taken with it and with Student's quantile for m - 1 degrees of freedom. When all worlds agree
    the effective number is m.

    Parameters
    ----------
    surely, possibly : array_like of shape (m, w)
        As for `sampled`.
    population
        Number of outer cases there are; None for no end of them.
    """
    a, b = _both(surely, possibly)
    if a.size == 0:
        return NOTHING
    cases = a.shape[0]
    if cases < 2 and population != cases:
        return Rate(float(a.mean() + b.mean()) / 2, 0.0, 1.0)
    share = 0.0 if population is None else cases / population
    z = float(stdtrit(cases - 1, 0.5 + CONFIDENCE / 2)) if cases > 1 else None
    low = wilson(*_effective(a, share), z=z)[0]
    high = wilson(*_effective(b, share), z=z)[1]
    return Rate(float(a.mean() + b.mean()) / 2, low, high)


def _effective(x: NDArray[np.float64], share: float) -> tuple[float, float]:
    """Effective number of successes and of worlds."""
    cases, worlds = x.shape
    p = float(x.mean())
    between = float(x.mean(axis=1).var(ddof=1)) if cases > 1 else 0.0
    within = float(x.var(axis=1, ddof=1).mean()) if worlds > 1 else p * (1 - p)
    variance = (1 - share) * between / cases + share * within / (cases * worlds)
    n = p * (1 - p) / variance if variance > 0 else float("inf") if 0 < p < 1 else 0.0
    n = min(max(n, float(cases)), float(cases * worlds))
    return p * n, n


def falling(rates: Sequence[Rate], weights: Sequence[float] | None = None) -> list[Rate]:
    """Make the rates of rising thresholds fall, as the truth does.

    Rates estimated one by one may rise by chance. They are pooled (isotonic regression); a lower end that holds for a
    higher threshold holds for a lower one, and an upper end the other way round.

    Parameters
    ----------
    rates
        By rising threshold.
    weights
        Worlds behind each; None where they are the same.
    """
    if not rates or isnan(rates[0].p):
        return list(rates)
    p = isotonic_regression([r.p for r in rates], weights=weights, increasing=False).x
    low = np.maximum.accumulate([r.low for r in rates][::-1])[::-1]
    high = np.minimum.accumulate([r.high for r in rates])
    return [Rate(float(q), float(min(a, q)), float(max(b, q))) for q, a, b in zip(p, low, high, strict=True)]


def mean(surely: ArrayLike, possibly: ArrayLike | None = None, *, all_worlds: bool = False) -> Mean:
    """Mean of a quantity over independent worlds, with Student's interval.

    Parameters
    ----------
    surely, possibly
        One entry a world: the least and the most that it can be.
    all_worlds
        Every world is there, so nothing was sampled.
    """
    a, b = _both(surely, possibly)
    if a.size == 0:
        return Mean(nan, nan, nan, nan)
    if a.size < 2 or all_worlds:
        error = 0.0 if all_worlds else float("nan")
        return Mean(float(a.mean() + b.mean()) / 2, error, float(a.mean()) - error, float(b.mean()) + error)
    z = float(stdtrit(a.size - 1, 0.5 + CONFIDENCE / 2))
    errors = [float(x.std(ddof=1)) / sqrt(x.size) for x in (a, b)]
    return Mean(
        float(a.mean() + b.mean()) / 2, max(errors), float(a.mean()) - z * errors[0], float(b.mean()) + z * errors[1]
    )


def effective(weights: NDArray[np.float64]) -> float:
    """Effective sample size: as many worlds of equal weight would tell as much."""
    total = float(weights.sum())
    return total**2 / float((weights**2).sum()) if total else 0.0
