"""Rules of thumb: "pick with 4 or more trumps including 2 or more queens", found by trying all of them.

A rule is a conjunction of at most three conditions "at least so many". All are tried, and the best one loses least: the
mean score that is given away against the estimate's own decision, which bids where the gain is above 0. How many
conditions a rule has, and whether places at the table have rules of their own, is chosen by cross-validation with the
rule of one standard error (Breiman, Friedman, Olshen and Stone 1984, 3.4.3): the plainest form that is no worse than
the best one by more than the standard error of the difference.

What a rule loses is told by cross-validation around all of that, so that no hand is judged by a rule that saw it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.thresholds.features import Feature

__all__ = ["FOLDS", "MOST", "Condition", "Form", "Rule", "Thumb", "best_rules", "cross_validate", "find_thumb"]

#: Most conditions of a rule, and parts of the cross-validation.
MOST = 3
FOLDS = 5

_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]


class Condition(NamedTuple):
    """At least so much of a feature."""

    feature: str
    least: int


class Rule(NamedTuple):
    """Bid when all conditions hold: always when there are none, never when they are None."""

    conditions: tuple[Condition, ...] | None

    def accepts(self, hands: Mapping[str, NDArray[np.int64]], n: int) -> _Bools:
        """Which of n hands the rule bids on; `hands` has an array of each feature."""
        out = np.full(n, self.conditions is not None)
        for feature, least in self.conditions or ():
            out &= hands[feature] >= least
        return out

    def said(self, verb: str, known: Sequence[Feature], where: str = "") -> str:
        """The rule as a sentence; `where` comes last, as in ``"from the last seat"``."""
        tail = f" {where}" if where else ""
        if not self.conditions:
            return f"{'never' if self.conditions is None else 'always'} {verb}{tail}"
        by_name = {one.name: one for one in known}
        names = {c.feature for c in self.conditions}
        whole = [c for c in self.conditions if by_name[c.feature].within not in names]
        parts = []
        for one in whole:
            inside = [by_name[c.feature].said(c.least) for c in self.conditions
                      if c not in whole and by_name[c.feature].within == one.feature]  # fmt: skip
            said = by_name[one.feature].said(one.least)
            parts.append(f"{said} including {' and '.join(inside)}" if inside else said)
        return f"{verb} with {' and '.join(parts)}{tail}"


class Form(NamedTuple):
    """How a rule may look: groups of places that each have their own, and most conditions."""

    groups: tuple[tuple[int, ...], ...]
    size: int


@dataclass(frozen=True, eq=False)
class Thumb:
    """Rules for a decision, with what each hand would lose by them.

    Parameters
    ----------
    form
        As chosen.
    rules
        One for each group of places, found on all hands.
    follows
        ``bool[n]``, whether the hand is bid by rules that were found without it.
    """

    form: Form
    rules: tuple[Rule, ...]
    follows: _Bools


def lost(gains: _Floats, follows: _Bools) -> _Floats:
    """Score given away on each hand against bidding where the gain is above 0."""
    return np.asarray(np.maximum(gains, 0) - gains * follows, np.float64)


def best_rules(
    hands: Mapping[str, NDArray[np.int64]], gains: _Floats, known: Sequence[Feature], most: int = MOST
) -> list[Rule]:
    """The best rule with at most 0, 1, … conditions, by the sum of the gains of the hands that it bids on.

    Of equally good rules the first counts: fewer conditions, features in their order, the lower threshold.

    Parameters
    ----------
    hands
        An array of each feature.
    gains
        Of bidding over passing.
    known
        Features that rules may use, and their steps.
    most
        Conditions.
    """
    conditions = [Condition(f.name, least) for f in known for least in _thresholds(hands[f.name], f.step)]
    best, found = (Rule(()), float(gains.sum())), []
    if best[1] <= 0:
        best = Rule(None), 0.0
    found.append(best[0])
    masks = np.array([hands[c.feature] >= c.least for c in conditions], np.float64).reshape(len(conditions), len(gains))
    names = [f.name for f in known]
    owner = np.array([names.index(c.feature) for c in conditions], np.int64)
    barred = np.where(owner[None] > owner[:, None], 0.0, -np.inf)  # each pair of features once

    def better(values: _Floats, of: Callable[[int], tuple[int, ...]]) -> None:
        nonlocal best
        if not values.size or values.max() <= best[1] + 1e-6:
            return
        rounded = np.round(values, 6).ravel()  # sums of the same numbers in another order are no better
        at = int(rounded.argmax())
        if rounded[at] > best[1] + 1e-6:
            best = Rule(tuple(conditions[i] for i in of(at))), float(rounded[at])

    count = len(conditions)
    if most >= 1:
        better(masks @ gains, lambda at: (at,))
        found.append(best[0])
    if most >= 2:
        better((masks * gains) @ masks.T + barred, lambda at: divmod(at, count))
        found.append(best[0])
    if most >= 3:
        for i in range(count):
            start = int(np.searchsorted(owner, owner[i], side="right"))  # conditions on later features
            rest, width = masks[start:], count - start

            def of(at: int, i: int = i, start: int = start, width: int = width) -> tuple[int, ...]:
                return i, start + at // width, start + at % width

            better((rest * (masks[i] * gains)) @ rest.T + barred[start:, start:], of)
        found.append(best[0])
    return found


def _thresholds(values: NDArray[np.int64], step: int) -> list[int]:
    """Multiples of a step that split the hands, none of which splits them as another does."""
    if not len(values):
        return []
    return [t for t in sorted({v // step * step for v in values.tolist()}) if t > values.min()]


def _fit(
    hands: Mapping[str, NDArray[np.int64]], gains: _Floats, places: NDArray[np.int64], known: Sequence[Feature],
    groups: Sequence[Sequence[int]], train: _Bools,
) -> list[list[Rule]]:  # fmt: skip
    """Best rules of each group of places on some hands, by the number of conditions."""
    out = []
    for group in groups:
        some = train & np.isin(places, group)
        out.append(best_rules({k: v[some] for k, v in hands.items()}, gains[some], known))
    return out


def _follow(
    hands: Mapping[str, NDArray[np.int64]], places: NDArray[np.int64], groups: Sequence[Sequence[int]],
    rules: Sequence[Rule],
) -> _Bools:  # fmt: skip
    """Which hands the rules of their places bid on."""
    out = np.zeros(len(places), np.bool_)
    for group, rule in zip(groups, rules, strict=True):
        out |= np.isin(places, group) & rule.accepts(hands, len(places))
    return out


def _folds(n: int) -> int:
    return max(2, min(FOLDS, n))


def _choose(
    hands: Mapping[str, NDArray[np.int64]], gains: _Floats, places: NDArray[np.int64], known: Sequence[Feature],
    splits: Sequence[tuple[tuple[int, ...], ...]], train: _Bools,
) -> tuple[Form, list[Rule]]:  # fmt: skip
    """Choose a form by cross-validation within some hands, and find its rules on all of them."""
    index = np.flatnonzero(train)
    fold = np.zeros(len(gains), np.int64)
    fold[index] = np.arange(len(index)) % _folds(len(index))
    missed: dict[Form, _Floats] = {}
    for groups in splits:
        forms = [Form(groups, size) for size in range(MOST + 1)]
        follows = np.zeros((len(forms), len(gains)), np.bool_)
        for k in range(_folds(len(index))):
            rules = _fit(hands, gains, places, known, groups, train & (fold != k))
            for one, form in enumerate(forms):
                new = _follow(hands, places, groups, [r[form.size] for r in rules])
                follows[one] = np.where(fold == k, new, follows[one])
        missed |= {form: lost(gains, follows[one])[index] for one, form in enumerate(forms)}
    best = min(missed, key=lambda form: (round(float(missed[form].mean()), 9), len(form.groups), form.size))
    plain = sorted(missed, key=lambda form: (len(form.groups) * max(form.size, 1), len(form.groups), form.size))
    for form in plain:
        more = missed[form] - missed[best]
        error = float(more.std(ddof=1)) / len(more) ** 0.5 if len(more) > 1 else 0.0
        if form == best or float(more.mean()) <= error:
            break
    found = _fit(hands, gains, places, known, form.groups, train)
    return form, [rules[form.size] for rules in found]


def cross_validate(
    hands: Mapping[str, NDArray[np.int64]], gains: _Floats, places: NDArray[np.int64], known: Sequence[Feature],
    splits: Sequence[tuple[tuple[int, ...], ...]],
) -> _Bools:  # fmt: skip
    """Which hands are bid by rules that were chosen and found without them."""
    n, out = len(gains), np.zeros(len(gains), np.bool_)
    fold = np.arange(n) % _folds(n)
    for k in range(_folds(n)):
        form, rules = _choose(hands, gains, places, known, splits, fold != k)
        out = np.where(fold == k, _follow(hands, places, form.groups, rules), out)
    return out


def find_thumb(
    hands: Mapping[str, NDArray[np.int64]], gains: _Floats, places: NDArray[np.int64], known: Sequence[Feature],
    splits: Sequence[tuple[tuple[int, ...], ...]],
) -> Thumb:  # fmt: skip
    """Find the rules of a decision.

    Parameters
    ----------
    hands
        An array of each feature, ``int64[n]``.
    gains
        ``float64[n]``, of bidding over passing.
    places
        ``int64[n]``, seats that speak before.
    known
        Features that rules may use.
    splits
        Ways in which places may be grouped, each with all places, the plainest first.
    """
    form, rules = _choose(hands, gains, places, known, splits, np.ones(len(gains), np.bool_))
    return Thumb(form, tuple(rules), cross_validate(hands, gains, places, known, splits))
