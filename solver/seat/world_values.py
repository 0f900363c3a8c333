"""Worlds searched for a decision: what each card makes, scores and takes in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from solver.deals.success import Runner
from solver.games.base import Need
from solver.model.checks import whole_number
from solver.model.errors import NotationError, UnsupportedError
from solver.model.play import Position
from solver.seat.candidates import Bounds, candidates
from solver.seat.judged import Judged
from solver.seat.outcomes import ALL, NONE, SOME, Outcomes
from solver.seat.ties import card_ranks
from solver.stats.paired import Sample
from solver.worlds.sample import Worlds, distinct

__all__ = ["OBJECTIVES", "Judge"]

OBJECTIVES = ("score", "make", "points", "tricks", "session")

#: Most cards for which max-n is searched, which nothing prunes.
MOST_SELFISH = 18

#: Most worlds in which points are searched for nothing but ties.
MOST_POINTS = 100

_Floats = NDArray[np.float64]


class Judge:
    """A decision over drawn worlds, searched as far as asked.

    Parameters
    ----------
    drawn
        The worlds; of equal ones each is searched once.
    objective, model, totals
        See `solver.seat.advice.advise`.
    """

    def __init__(self, drawn: Worlds, objective: str | None, model: str, totals: Sequence[int] | None) -> None:
        self.drawn, self.model = drawn, model
        self.game, self.seat = drawn.knowledge.game, drawn.knowledge.seat
        first, self.rep = distinct(drawn.owners)  # `rep`: of each world drawn, its number among the different ones
        self.worlds = replace(drawn, owners=drawn.owners[first], weights=None)
        self.each = not self.worlds.sides.any()
        self.sides = np.full(len(self.worlds), 1 << self.seat) if self.each else self.worlds.sides
        self.cards = candidates(self.worlds, self.sides)
        self.moves, self.same, self.position = self.cards.moves, self.cards.same, self.cards.position
        self.contract = self.worlds.contract(0)
        self.size = len(self.worlds.start(0).hands[0])
        self.scores = Outcomes(self.worlds, self.sides)
        self._check_model()
        self.objective = self._objective(objective)
        self.totals = self._session(totals)
        if model == "max-n":
            self.same = tuple(range(len(self.moves)))
        members = (self.sides >> self.seat) & 1
        self.sided = np.where(members == 1, 1.0, -1.0)
        self.signs = -self.sided if self.position.rules.misere else self.sided
        shape = len(self.worlds), len(self.moves)
        self.parts = {name: (np.zeros(shape), np.zeros(shape)) for name in self.columns}
        self.done = np.zeros(len(self.worlds), np.bool_)
        self.nodes = self.asked = 0

    # ------------------------------------------------------------------ the question

    def _check_model(self) -> None:
        if self.model != "max-n":
            return
        if not self.each:
            raise UnsupportedError("max-n is for deals in which each seat plays for itself: this one has two sides")
        if self.position.rules.misere:
            raise UnsupportedError(f"max-n is not searched where few points win: {self.contract.kind} has 'rest' only")
        cards = sum(map(len, self.position.hands)) + len(self.position.trick)
        if cards > MOST_SELFISH:
            raise UnsupportedError(f"max-n with {cards} cards left: it is searched for at most {MOST_SELFISH}")

    def _objective(self, objective: str | None) -> str:
        if objective is None:
            return "points" if self.scores.why else "score"
        if objective == "score" and self.scores.why:
            raise NotationError(f"no score: {self.scores.why}")
        if objective == "make" and self.need is None:
            raise NotationError("the contract names no target, so that nothing is made: name one, as in '2 by 0'")
        if objective == "tricks" and self.model == "max-n":
            raise UnsupportedError("max-n counts the game's own points: ask for points")
        return objective

    def _session(self, totals: Sequence[int] | None) -> tuple[int, ...]:
        if self.objective != "session":
            if totals is not None:
                raise NotationError("running totals belong to the objective 'session'")
            return ()
        if not (self.each and self.scores.counts_tricks and self.game.match_deals):
            raise UnsupportedError("the objective 'session' is for the kit without a declarer")
        before = (self.game.match_deals - 1) * self.size
        given = tuple(whole_number("a total", one, 0) for one in totals or ())
        if len(given) != self.game.seats or min(given, default=-1) < 0 or sum(given) != before:
            raise NotationError(
                f"totals {' '.join(map(str, given)) or 'missing'}: expected the tricks of {self.game.seats} seats "
                f"before the last hand of a session, {before} in all"
            )
        return given

    @cached_property
    def columns(self) -> dict[str, str]:
        """Name of each number that is found, and its column."""
        if self.objective == "make":
            return {"make": "p_make"}
        if self.objective == "tricks" and not self.scores.counts_tricks:
            return {"tricks": "tricks"}
        found = {"session": "p_session"} if self.objective == "session" else {}
        found |= {"make": "p_make"} if self.need is not None and self.model == "rest" else {}
        found |= {} if self.scores.why else {"score": "score"}
        unit = "tricks" if self.scores.counts_tricks else "points"
        if self.objective == "tricks":
            return found | {"tricks": unit}
        return found | {"points": unit}

    @cached_property
    def need(self) -> Need | None:
        """What makes the contract, in all: with what the side put away; most that it may take, in a misere."""
        need = self.game.need(self.contract)
        if need is None or need.measure == "tricks":  # where tricks are all that counts, they are the points
            return need._replace(measure="points") if need and self.scores.counts_tricks else need
        return need._replace(amount=need.amount + self.game.banked(self.contract))

    def rates(self, name: str) -> bool:
        """Whether a number is 0 or 1."""
        return name in ("make", "session")

    def range(self, name: str) -> tuple[float, float]:
        """What a number can be; in the seat's own view for points, whose sign may be turned."""
        if self.rates(name):
            return 0.0, 1.0
        if name == "score":
            return self._score_range
        most = float(self.size if name == "tricks" else self.scores.most)
        return (-most, 0.0) if name == self.objective and self.signs[0] < 0 else (0.0, most)

    @cached_property
    def _score_range(self) -> tuple[float, float]:
        if self.model == "max-n":
            return 0.0, float(self.size)
        low, high = self.scores.range
        return float(low), float(high)

    # ------------------------------------------------------------------ the search

    def upto(self, seen: int, runner: Runner) -> Judged:
        """Search so many of the drawn worlds, those that were not searched before."""
        wanted = int(self.rep[:seen].max()) + 1
        if wanted > self.asked:
            self._search(np.arange(self.asked, wanted), runner)
            self.asked = wanted
        missing = np.flatnonzero(~self.done)
        # After an interrupt those before the first that is missing count: which finish first is no chance.
        ready = int(missing[0]) if len(missing) else len(self.done)
        late = np.flatnonzero(self.rep[:seen] >= ready)
        n = int(late[0]) if len(late) else seen
        rows = self.rep[:n]
        parts = {name: (low[rows], high[rows]) for name, (low, high) in self.parts.items()}
        return Judged(n, len(np.unique(rows)), self.nodes, parts, self.signs[rows], self.sided[rows])

    def _search(self, chosen: NDArray[np.int64], runner: Runner) -> None:
        if self.model == "max-n":
            self._selfish(chosen, runner)
        elif self.objective == "make":
            self.done[chosen] = self._made(chosen, runner)
        else:
            self._valued(chosen, runner)

    def _put(self, name: str, chosen: NDArray[np.int64], low: NDArray[np.generic], high: NDArray[np.generic]) -> None:
        if name in self.parts:
            self.parts[name][0][chosen], self.parts[name][1][chosen] = low, high

    def _made(self, chosen: NDArray[np.int64], runner: Runner) -> NDArray[np.bool_]:
        """Thresholds only; returns which worlds were searched."""
        need, misere = self.need, self.position.rules.misere
        assert need is not None
        tricks = need.measure == "tricks"
        left = need.amount + misere - self.cards.taken(tricks=tricks)
        found = self.cards.search(
            runner, chosen, lambda index: left[index][:, self.cards.first][:, :, None], tricks=tricks
        )
        low, high = (1 - found.high, 1 - found.low) if misere else (found.low, found.high)
        self._put("make", chosen, low, high)
        self.nodes += found.nodes
        return found.done

    def _valued(self, chosen: NDArray[np.int64], runner: Runner) -> None:
        """Values, and what follows from them."""
        tricks = self.objective == "tricks"
        taken = self.cards.taken(tricks=tricks)[chosen]
        found = self.cards.search(runner, chosen, tricks=tricks)
        low, high = taken + found.low, taken + found.high
        self._put("tricks" if tricks else "points", chosen, low, high)
        self.nodes += found.nodes
        done = found.done.copy()
        if self.need is not None and "make" in self.parts:
            if self.need.measure == "tricks":
                runner.total += len(chosen) * bool(runner.total)
                done &= self._made(chosen, runner)
            else:
                amount = self.need.amount
                reached = (high <= amount, low <= amount) if self.position.rules.misere else \
                    (low >= amount, high >= amount)  # fmt: skip
                self._put("make", chosen, *reached)
        if "session" in self.parts:
            least = self._enough(self.position)
            self._put("session", chosen, low >= least, high >= least)
        if "score" in self.parts:
            done &= self._scored(chosen, low, high, found, runner)
        self.done[chosen] = done

    def _enough(self, position: Position) -> NDArray[np.int64]:
        """Tricks of this hand with which the seat surely wins or shares, wherever the others' go; by card."""
        out = []
        for move in self.moves:
            taken = position.play(move).tricks
            others = [s for s in range(self.game.seats) if s != self.seat]

            def enough(mine: int, taken: tuple[int, ...] = taken, others: list[int] = others) -> bool:
                rest = self.size - mine - sum(taken[s] for s in others)
                return all(self.totals[self.seat] + mine >= self.totals[s] + taken[s] + rest for s in others)

            out.append(next((t for t in range(self.size + 1) if enough(t)), self.size + 1))
        return np.array(out, np.int64)

    def _scored(
        self, chosen: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64], found: Bounds, runner: Runner
    ) -> NDArray[np.bool_]:
        """Scores, and which worlds were searched; tricks too where points do not tell them and the score needs them."""
        sides = np.broadcast_to(self.sides[chosen][:, None], low.shape)
        mine = self.cards.taken(tricks=True)[chosen]
        gone = self.size - (sum(map(len, self.position.hands)) + len(self.position.trick)) // self.game.seats
        gone += self.ends_trick
        first, last = np.full(low.shape, SOME), np.full(low.shape, SOME)
        bank = self.worlds.banked[chosen][:, None]
        bare = (mine == 0) & (low == bank) & self._matters(sides, low, NONE)
        full = (mine == gone) & (high >= self.in_play[chosen][:, None] + bank) & self._matters(sides, high, ALL)
        rows = np.flatnonzero((bare | full).any(axis=1))
        done = found.done.copy()
        if runner.interrupted:  # left open, as by a limit
            first, last = np.where(bare, NONE, SOME), np.where(full, ALL, SOME)
        elif len(rows):
            needs = np.stack([1 - self.cards.taken(tricks=True), self.size - self.cards.taken(tricks=True)], axis=-1)
            runner.total += len(rows) * bool(runner.total)
            more = self.cards.search(runner, chosen[rows], lambda index: needs[index][:, self.cards.first], tricks=True)
            first[rows] = np.where(bare[rows] | full[rows], more.low, SOME)
            last[rows] = np.where(bare[rows] | full[rows], more.high, SOME)
            done[rows] &= more.done
            self.nodes += more.nodes
        keys = np.stack([sides, low, high, first, last], axis=-1).reshape(-1, 5)
        first_of, kind_of = distinct(keys)
        bounds = np.array([self.scores.bounds(*map(int, kind)) for kind in keys[first_of]], np.float64)[kind_of]
        self._put("score", chosen, bounds[:, 0].reshape(low.shape), bounds[:, 1].reshape(low.shape))
        return done

    @cached_property
    def ends_trick(self) -> int:
        """1 when the card to be played is the last of its trick."""
        return int(len(self.position.trick) == self.game.seats - 1)

    @cached_property
    def in_play(self) -> NDArray[np.int64]:
        """Points that the play brings in each world, marriages left out."""
        one, rules = self.worlds.knowledge.situation, self.position.rules
        worth = np.array([rules.value_of[c] for c in one.unseen], np.int64)
        held = np.isin(self.worlds.owners, [*range(self.game.seats), one.place("under") or 0])
        known = sum(rules.value_of[c] for c, place in one.where.items() if place >= 0)
        return held @ worth + known + self.size * rules.trick_value + rules.last_value

    def _matters(self, sides: NDArray[np.int64], totals: NDArray[np.int64], tricks: int) -> NDArray[np.bool_]:
        """Whether no trick, or every trick, scores otherwise than the same points."""

        @cache
        def differs(side: int, total: int) -> bool:
            return self.scores.score(side, total, tricks) != self.scores.score(side, total, SOME)

        flat = zip(sides.ravel().tolist(), totals.ravel().tolist(), strict=True)
        return np.array([differs(*one) for one in flat], np.bool_).reshape(sides.shape)

    def _selfish(self, chosen: NDArray[np.int64], runner: Runner) -> None:
        """Each seat for itself."""
        found, done, nodes = self.cards.selfish(runner, chosen)
        own = self.cards.taken()[chosen] + found[:, :, self.seat]
        self._put("points", chosen, own, own)
        ends = [self.position.play(move) for move in self.moves]

        @cache
        def scores(k: int, more: tuple[int, ...]) -> tuple[int, ...]:
            return self.scores.settled(0, ends[k], more)

        for i, world in enumerate(chosen.tolist()):
            for k in range(len(self.moves)):
                more = tuple(found[i, k].tolist())
                end = scores(k, more) if self.scores.counts_tricks else (0,) * self.game.seats
                if "score" in self.parts:
                    self._put_one("score", world, k, end[self.seat])
                if "session" in self.parts:
                    last = [a + b for a, b in zip(self.totals, end, strict=True)]
                    self._put_one("session", world, k, int(last[self.seat] == max(last)))
        self.done[chosen] = done
        self.nodes += nodes

    def _put_one(self, name: str, world: int, k: int, value: float) -> None:
        for part in self.parts[name]:
            part[world, k] = value

    # ------------------------------------------------------------------ the order of the cards

    def ranked(self, found: Judged, sample: Sample, runner: Runner) -> tuple[list[int], NDArray[np.bool_]]:
        """Places of the cards from the best, and whether no card is better in what is compared and in points.

        The mean of the objective comes first, then more points for the seat in the mean, then what leaves it the better
        hand (`solver.seat.ties`). Whoever judges cards over worlds does it by this order.

        Parameters
        ----------
        found, sample
            Worlds searched so far, and the objective in them.
        runner
            Worker threads, where points are still to be searched for cards that are equal.
        """
        own = sample.middle
        if "points" in found.parts:
            finer = sample.like(*found.own("points"), (0.0, 0.0), False).middle
        else:
            finer = self._points(np.flatnonzero(own == own.max()), found, sample, runner)
        order = np.lexsort((card_ranks(self.position, self.moves), -finer, -own))
        best = order[0]
        return order.tolist(), (own == own[best]) & (finer == finer[best])

    def _points(self, tied: NDArray[np.int64], found: Judged, sample: Sample, runner: Runner) -> _Floats:
        """Mean points, as the seat wants them, of equal cards where they are not searched anyhow; 0 for other cards."""
        out, first = np.zeros(len(self.moves)), sorted({self.same[k] for k in tied.tolist()})
        if len(first) == 1 or self.model != "rest":
            return out
        rows = self.rep[: found.n]
        rows = rows[: int(np.argmax(rows >= MOST_POINTS)) or len(rows)]
        chosen = np.arange(int(rows.max()) + 1)
        runner.total += len(chosen) * bool(runner.total)
        some = replace(self.cards, moves=tuple(self.moves[k] for k in first), same=tuple(range(len(first))))
        searched = some.search(runner, chosen)
        self.nodes += searched.nodes
        if searched.done.all():
            taken, signs = some.taken()[chosen], self.signs[chosen][:, None]
            ends = [(signs * (taken + end))[rows] for end in (searched.low, searched.high)]
            weights = None if sample.weights is None else sample.weights[: len(rows)]
            means = replace(sample, low=ends[0], high=ends[1], weights=weights).middle
            out[tied] = means[[first.index(self.same[k]) for k in tied.tolist()]]
        return out

    # ------------------------------------------------------------------ in words

    def method(self, n: int, *, peek: bool) -> str:
        """How values and worlds were found."""
        found = self.drawn if n == len(self.drawn) else replace(
            self.drawn, owners=self.drawn.owners[:n], exact=False,
            weights=None if self.drawn.weights is None else self.drawn.weights[:n],
        )  # fmt: skip
        model = "" if not self.each else ", one against the rest" if self.model == "rest" else ", max-n"
        return f"double dummy{model}, {found.method}" + (", stopped when clear" if peek and n < len(self.drawn) else "")

    def notes(self, found: Judged, *, peek: bool) -> tuple[str, ...]:
        """Lines for people."""
        side = "the seat's" if self.each else "the collecting side's"
        what = {"make": "p make: the contract makes", "points": f"{self.columns.get('points')}: {side}"}
        said = [what[name] for name in ("make", "points") if name in self.columns]
        said += [f"tricks: {side}"] if "tricks" in self.columns else []
        kind = (
            "all worlds were searched: nothing is sampled" if self.drawn.exact and found.n == len(self.rep)
            else "95 % confidence sequences, good at every look: Robbins for rates, betting for means" if peek
            else "95 % intervals: Wilson for rates, normal for means, differences world by world"
        )  # fmt: skip
        notes = ["; ".join([*said, f"diff: {self.objective} against the best card, in the seat's view"]), kind]
        if self.scores.turned and "score" in self.columns:
            notes.append("score: the declarer's with its sign turned, as no search of two sides says which of the "
                         "others gets what")  # fmt: skip
        if found.open:
            notes.append(f"in {found.open} of {found.n} worlds a search met its limit: they count with their bounds")
        return tuple(notes)
