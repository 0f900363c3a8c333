"""The choice between plans: sequential halving on common worlds, and the honest value of what was chosen.

Whoever plans does not see the hidden cards, so a plan is worth its mean over worlds and the best plan has the greatest
mean: the maximum of the mean, never the mean of the maxima.

* Sequential halving: all plans on a few worlds, the better ones on more, the best on the rest; all on the same worlds
  (Karnin, Koren and Somekh 2013).
* Each question (a bid, a score) finds its own best plan, for the pass best for 100 need not be best for 140. So plans
  live on by turns: the best for each question, then the second best, until there are enough.
* Two-fold cross-fitting: the plan chosen on one half of the last worlds is read on the other half, and the other way
  round, or the winner's luck would count as skill. Worlds of the earlier rounds help to choose and are never read.
* Ties: of plans that are equal for a question the one with the better mean over all questions lives on or is read, then
  the one whose cards `solver.seat.ties` prefers. Between the plans that are tied in the end points decide first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.deals.plan_matrix import Field, Found, SearchInterruptedError, joined
from solver.deals.success import Runner

if TYPE_CHECKING:
    from solver.seat.plan_ties import PlanTies

__all__ = ["Chosen", "Questions", "Race", "Round", "cross_fit"]

_Floats = NDArray[np.float64]

#: Worlds that an exhaustive search takes at once; an interrupt loses no more than these.
BLOCK = 256


class Round(NamedTuple):
    """A round of halving.

    Parameters
    ----------
    plans
        How many plans go in at most.
    worlds
        How many more worlds they are searched in.
    limit
        Nodes a search in this round, 0 for the runner's own limit; an open search counts half.
    """

    plans: int
    worlds: int
    limit: int = 0


@dataclass(frozen=True, eq=False)
class Questions:
    """What plans are compared in: each rung of the ladder, and a score where no bid is needed for one.

    Parameters
    ----------
    rungs
        Thresholds.
    worth
        ``[2, rungs + 1]``: score by rungs reached, with a partner and alone; None where a score needs a bid.
    allowed
        ``bool[plans, rungs]``: whether a plan may be played at a threshold; None for always.
    focus
        Questions to choose for, the first ones first; all when empty.
    """

    rungs: int
    worth: _Floats | None = None
    allowed: NDArray[np.bool_] | None = None
    focus: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Number of questions; the score comes last."""
        return self.rungs + (self.worth is not None)

    def values(self, found: Found, question: int) -> tuple[_Floats, _Floats]:
        """Least and most that plans have in worlds, ``[plans, worlds]``."""
        if question < self.rungs:
            return (found.low > question).astype(np.float64), (found.high > question).astype(np.float64)
        assert self.worth is not None
        alone = found.alone.astype(np.int64)
        return self.worth[alone, found.low], self.worth[alone, found.high]

    def means(self, found: Found, plans: NDArray[np.int64]) -> _Floats:
        """Middle value of each plan in each question, ``[plans, questions]``; what is barred has -inf."""
        out = np.zeros((len(found.low), self.count))
        if found.low.shape[1]:
            rungs = np.arange(self.rungs)
            low, high = ((some[:, :, None] > rungs).mean(axis=1) for some in (found.low, found.high))
            out[:, : self.rungs] = (low + high) / 2
            for q in range(self.rungs, self.count):
                low, high = self.values(found, q)
                out[:, q] = (low.mean(axis=1) + high.mean(axis=1)) / 2
        if self.allowed is not None:
            out[:, : self.rungs][~self.allowed[plans]] = -np.inf
        return out


def _order(own: _Floats, finer: _Floats, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places from the best: by the mean in a question, then by what is finer, then by rank."""
    return np.lexsort((ranks, -np.round(finer, 9), -np.round(own, 9)))


def _overall(means: _Floats) -> _Floats:
    """Mean over the questions."""
    return np.asarray(np.where(np.isfinite(means), means, 0.0).mean(axis=1), np.float64)


def _best(means: _Floats, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Best plan of each question: of equals the one with the best mean over the questions, then the first by rank."""
    overall = _overall(means)
    return np.array([_order(own, overall, ranks)[0] for own in means.T], np.int64)


def live_on(
    means: _Floats, count: int, focus: Sequence[int], ranks: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Plans that go into the next round, by turns the best of every question.

    Parameters
    ----------
    means
        ``[plans, questions]``.
    count
        How many.
    focus
        Questions in the order in which they take their turns; all, the most contested first, when empty.
    ranks
        Of the plans, for ties; in their order when None.
    """
    finite = np.where(np.isfinite(means), means, 0.0)
    turns = list(focus) or np.argsort(-finite.std(axis=0), kind="stable").tolist()
    overall, ranks = _overall(means), np.arange(len(means)) if ranks is None else ranks
    every = np.stack([_order(means[:, q], overall, ranks) for q in turns], axis=1)
    kept = list(dict.fromkeys(every.ravel().tolist()))[:count]
    return np.sort(np.array(kept, np.int64))


class Chosen(NamedTuple):
    """Plans chosen, with what they are worth in worlds that did not choose them.

    Parameters
    ----------
    low, high
        ``[worlds, questions]``: in each world, for each question, what the plan chosen on the other half does.
    best
        ``int64[questions]``: the plan that all worlds together choose.
    hint
        ``[2, questions]``: what the plan read on the even, and on the odd worlds had in the worlds that chose it. Good
        for a further choice that is read on the same half, not for a claim.
    """

    low: _Floats
    high: _Floats
    best: NDArray[np.int64]
    hint: _Floats


def cross_fit(
    questions: Questions, plans: NDArray[np.int64], read: Found, extra: Found, ranks: NDArray[np.int64] | None = None
) -> Chosen:
    """Choose a plan on one half of the worlds and read it on the other, for each question by itself.

    Parameters
    ----------
    questions
        What is asked.
    plans
        Numbers of the plans that are left.
    read
        Their answers in the worlds to read.
    extra
        Their answers in worlds that help every choice and are not read.
    ranks
        Of the plans, for ties; in their order when None.
    """
    worlds = read.low.shape[1]
    ranks = np.arange(len(plans)) if ranks is None else ranks
    low, high = np.zeros((worlds, questions.count)), np.zeros((worlds, questions.count))
    values = [questions.values(read, q) for q in range(questions.count)]
    before, count = questions.means(extra, plans), extra.low.shape[1]
    hint = np.zeros((2, questions.count))
    for half in (0, 1):
        others = np.arange(worlds) % 2 != half
        part = read.part(others)
        seen = _pooled(before, count, questions.means(part, plans), int(others.sum()))
        best = _best(seen, ranks)
        hint[half] = seen[best, np.arange(questions.count)]
        for q, (least, most) in enumerate(values):
            low[half::2, q], high[half::2, q] = least[best[q], half::2], most[best[q], half::2]
    every = _pooled(before, count, questions.means(read, plans), worlds)
    return Chosen(low, high, plans[_best(every, ranks)], hint)


def _pooled(a: _Floats, n: int, b: _Floats, m: int) -> _Floats:
    """Means of n and of m worlds together."""
    with np.errstate(invalid="ignore"):
        return (n * np.where(np.isfinite(a), a, 0.0) + m * b) / max(n + m, 1) if m else a


@dataclass(eq=False)
class Race:
    """Plans that are thinned out round by round.

    Parameters
    ----------
    arena
        Plans and worlds.
    questions
        What they are compared in.
    runner
        Worker threads.
    ties
        What settles ties; the order of the plans when None.

    Attributes
    ----------
    alive
        Numbers of the plans still in.
    worlds
        Worlds used so far.
    stopped
        Whether an interrupt ended it early.
    log
        For each round the plans, and what they reach.
    settled
        Tied plans from the best, by their numbers and whether points were asked.
    """

    arena: Field
    questions: Questions
    runner: Runner
    ties: PlanTies | None = None
    alive: NDArray[np.int64] = field(init=False)
    worlds: int = 0
    stopped: bool = False
    log: list[tuple[NDArray[np.int64], Found]] = field(default_factory=list)
    settled: dict[tuple[tuple[int, ...], bool], NDArray[np.int64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.alive = np.arange(len(self.arena.plans))

    def play(self, one: Round) -> Found:
        """Let the best plans so far into a round; return what they reach in its worlds.

        Raises
        ------
        SearchInterruptedError
            When an interrupt came first.
        """
        if self.log and one.plans < len(self.alive):
            means = self.questions.means(self.seen(self.alive), self.alive)
            self.alive = self.alive[live_on(means, one.plans, self.questions.focus, self._ranks(self.alive))]
        stop = min(self.worlds + one.worlds, self.arena.size)
        usual = self.runner.limit
        if one.limit and (not usual or one.limit < usual):
            self.runner.limit = one.limit
        try:
            found = self.arena.search(self.runner, self.alive, self.worlds, stop)
        finally:
            self.runner.limit = usual
        self.worlds = stop
        self.log.append((self.alive, found))
        return found

    def seen(self, plans: NDArray[np.int64], rounds: int | None = None) -> Found:
        """What some plans reached in the first rounds, all of which they were in."""
        parts = [found.some(np.searchsorted(own, plans)) for own, found in self.log[:rounds]]
        return joined(parts)

    def history(self, plan: int) -> Found:
        """What one plan reached in all rounds that it was in."""
        parts = [found.some(np.flatnonzero(own == plan)) for own, found in self.log if plan in own]
        return joined(parts)

    def choose(self, rounds: Sequence[Round]) -> Chosen:
        """Play all rounds and read the chosen plans in the worlds of the last one.

        An interrupt in a later round leaves it at the rounds before, and `stopped` is set.

        Raises
        ------
        SearchInterruptedError
            When an interrupt came in the first round.
        """
        for one in rounds:
            try:
                self.play(one)
            except SearchInterruptedError:
                if not self.log:
                    raise
                self.stopped = True
                break
        self.alive, read = self.log[-1]
        nothing = np.zeros((len(self.alive), 0))
        empty = Found(nothing.astype(np.int16), nothing.astype(np.int16), nothing.astype(np.bool_))
        before = self.seen(self.alive, len(self.log) - 1) if len(self.log) > 1 else empty
        chosen = cross_fit(self.questions, self.alive, read, before, self._ranks(self.alive))
        return chosen._replace(best=self._chosen())

    def everything(self) -> Chosen:
        """Search all plans in all worlds: the best plan of each question is then the best, and nothing is estimated.

        An interrupt leaves it at the worlds before, and `stopped` is set.

        Raises
        ------
        SearchInterruptedError
            When it came before the first worlds were searched.
        """
        while self.worlds < self.arena.size and not self.stopped:
            try:
                self.play(Round(len(self.arena.plans), BLOCK))
            except SearchInterruptedError:
                if not self.log:
                    raise
                self.stopped = True
        chosen, found = self._chosen(), self.seen(self.alive)
        values = [self.questions.values(found, q) for q in range(self.questions.count)]
        best = np.searchsorted(self.alive, chosen)
        low, high = (np.stack([v[i][best[q]] for q, v in enumerate(values)], axis=1) for i in (0, 1))
        return Chosen(low, high, chosen, np.tile((low + high).mean(axis=0) / 2, (2, 1)))

    # ------------------------------------------------------------------ ties

    def _ranks(self, plans: NDArray[np.int64]) -> NDArray[np.int64]:
        return plans if self.ties is None else self.ties.ranks[plans]

    def _chosen(self) -> NDArray[np.int64]:
        """Best plan of each question, ties settled."""
        means = self.questions.means(self.seen(self.alive), self.alive)
        return self.alive[[self._settled(self.alive, means, q)[0] for q in range(self.questions.count)]]

    def order(self, question: int) -> list[int]:
        """Plans from the best: those that lived longer first, then by what they reached, ties settled."""
        out: list[int] = []
        for rounds in range(len(self.log), 0, -1):
            plans = self.log[rounds - 1][0]
            plans = plans[~np.isin(plans, out)]
            if len(plans):
                means = self.questions.means(self.seen(plans, rounds), plans)
                out += plans[self._settled(plans, means, question)].tolist()
        return out

    def _settled(self, plans: NDArray[np.int64], means: _Floats, question: int) -> NDArray[np.int64]:
        """Places of some plans from the best for a question.

        Where there is one question to choose for, plans are tied that are equal in it; where there are more, that are
        equal in the mean of all, too, which says nearly as much as points and costs nothing. Points are asked for the
        best of those that lived longest.
        """
        own, overall = np.round(means[:, question], 9), np.round(_overall(means), 9)
        order = _order(own, overall, self._ranks(plans))
        first = order[0]
        focus = self.questions.focus or range(self.questions.count)
        alike = np.ones(len(own), np.bool_) if len(focus) == 1 else overall == overall[first]
        tied = np.flatnonzero((own == own[first]) & alike)
        if self.ties is None or len(tied) == 1:
            return order
        asked = question in focus and bool(np.isin(plans, self.alive).all())
        key = tuple(plans[tied].tolist()), asked
        if key not in self.settled:
            searches = sum(found.low.size for _, found in self.log) if asked else 0
            self.settled[key] = self.ties.settle(plans[tied], self.worlds, searches, self.runner)
            self.stopped |= self.runner.interrupted
        return np.append(np.searchsorted(plans, self.settled[key]), order[len(tied) :])  # `order` begins with the tied
