"""What `solver.bid` answers: chances, scores and intervals from what was read, set against passing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from solver.bidding.bid_words import method_of, notes_of
from solver.bidding.bids import Bids, Read
from solver.bidding.of_game import BiddingOf, bidding_of
from solver.bidding.passing import Passed, Passing
from solver.bidding.stakes import Stakes
from solver.deals.halving import Round
from solver.deals.success import Runner
from solver.formats.record import contract_text
from solver.games.auction import BidAuction
from solver.games.match import Match
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.stats.paired import Interval, Sample
from solver.stats.rates import Rate, clustered, exact, falling, sampled
from solver.stats.sequences import bounded_mean, rate
from solver.worlds.calls import auction_of
from solver.worlds.knowledge import Knowledge

__all__ = ["Answer"]

_ALPHA = 0.05


@dataclass(eq=False)
class Answer:
    """What has been read so far.

    Parameters
    ----------
    known, contract, stakes
        What was asked.
    unit
        What the intervals count: ``"world"``, or the game's word for the talon.
    exact
        Whether the worlds are all there are.
    seed, limit, until
        As asked; nodes a search.
    total
        How many worlds, or talons, there are.
    rounds, plans
        How plans were chosen, and from how many; none where the plan is told.
    """

    known: Knowledge
    contract: Contract
    stakes: Stakes
    unit: str
    exact: bool
    seed: int
    limit: int
    total: int
    until: float | None
    rounds: tuple[Round, ...] = ()
    plans: int = 1
    reads: list[Read] = field(default_factory=list)
    more: list[Read] = field(default_factory=list)  # further worlds of the one rung `alone`
    every: bool = False  # all talons were drawn, each once
    alone: int | None = None
    aim: int | None = None  # the bid of interest, once it is settled
    cases: list[tuple[frozenset[Card], tuple[str, ...]]] = field(default_factory=list)
    best: tuple[str, ...] = ()
    team: tuple[int, ...] = ()
    start: Position | None = None  # of play in some world, where the plan is told
    stopped: bool = False
    model: str = ""
    passed: Passed | None = None
    ends: dict[int, tuple[float, float]] | None = None  # of bids in a match

    # ------------------------------------------------------------------ numbers

    @property
    def of(self) -> BiddingOf[Any]:
        """The game as bidding sees it."""
        return bidding_of(self.known.game)

    @property
    def n(self) -> int:
        """Worlds read."""
        return sum(len(r.low) for r in self.reads)

    @property
    def read_on(self) -> int:
        """Worlds read for one rung alone."""
        return sum(len(r.low) for r in self.more)

    @property
    def whole(self) -> bool:
        """Whether all worlds were read."""
        return self.exact and not self.stopped and self.n >= self.total

    @property
    def clustered(self) -> bool:
        """Whether the talon is the unit."""
        return self.unit != "world"

    @property
    def complete(self) -> bool:
        """Whether every talon was read, all of them equally likely."""
        return self.every and len(self.reads) == self.total

    @property
    def raises(self) -> bool:
        """Whether the contract may still be raised after what is to come."""
        return self.clustered and self.known.game.may_raise

    def bounds(self, question: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Least and most of each unit."""
        if not self.reads:
            return np.zeros(0), np.zeros(0)
        parts = [(r.low[:, question], r.high[:, question]) for r in self.reads]
        if self.clustered:
            return np.array([a.mean() for a, _ in parts]), np.array([b.mean() for _, b in parts])
        if question == self.alone and self.more:  # by worlds that neither the plan nor the bid was chosen by
            parts = [(r.low[:, 0], r.high[:, 0]) for r in self.more]
        return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])

    def rate(self, question: int) -> Rate:
        """Chance of a rung: exact, by Wilson where the worlds were fixed, else by a confidence sequence."""
        low, high = self.bounds(question)
        if not len(low) or self.whole:
            return exact(low, high) if len(low) else sampled(low)
        p = float(low.mean() + high.mean()) / 2
        if self.clustered and self.complete and self.until is None:
            return self.fixed(question)
        if self.clustered:
            return Rate(p, *bounded_mean(low, high, 0.0, 1.0, _ALPHA))
        if self.until is None and not self.rounds:
            return sampled(low, high)
        return Rate(p, *rate(int(low.sum()), int(high.sum()), len(low), _ALPHA))

    def fixed(self, question: int) -> Rate:
        """Chance of a rung with an interval for a fixed number of units."""
        if not self.clustered:
            return sampled(*self.bounds(question))
        low = np.stack([r.low[:, question] for r in self.reads])
        return clustered(low, np.stack([r.high[:, question] for r in self.reads]), population=self.total)

    def score(self, least: float, most: float) -> Interval:
        """Mean of the score that needs no bid."""
        low, high = self.bounds(self.stakes.rungs)
        return self.interval(low, high, (least, most)) if len(low) else Interval(*[float("nan")] * 3)

    def chance(self, bid: int) -> float:
        """Chance of a bid, without interval."""
        low, high = self.bounds(self.stakes.column[self.stakes.bids.index(bid)])
        return float(low.mean() + high.mean()) / 2 if len(low) else float("nan")

    @property
    def target(self) -> int:
        """The bid of interest: the contract's, else the one that scores best."""
        bids = self.stakes.bids
        if self.aim is not None:
            return self.aim
        if self.contract.target in bids:
            return int(self.contract.target)
        if not self.stakes.scored or not self.reads:
            return bids[0]
        return max(self.legal_bids, key=lambda b: self.stakes.score(b, self.chance(b)))

    @property
    def column(self) -> int:
        """The rung of the bid of interest."""
        return self.stakes.column[self.stakes.bids.index(self.target)]

    @property
    def cap(self) -> int | None:
        """Highest bid that the rules allow the seat now, where they set one."""
        own = self.contract.declarer == self.known.seat and self.known.talon is None
        return self.of.cap(self.known.hand) if own else None

    @cached_property
    def standing(self) -> int | None:
        """The bid that must be beaten."""
        auction = auction_of(self.known) if self.known.calls else None
        if not isinstance(auction, BidAuction) or auction.standing is None:
            return None
        return auction.standing[1] - (auction.standing[0] == self.known.seat)

    def legal(self, bid: int) -> bool:
        """Whether the seat may bid so much, now or later in the auction."""
        return (self.cap is None or bid <= self.cap) and (self.standing is None or bid > self.standing)

    @property
    def legal_bids(self) -> list[int]:
        """Bids that the rules allow; all where none is left."""
        return [b for b in self.stakes.bids if self.legal(b)] or list(self.stakes.bids)

    def settled(self) -> bool:
        """Whether the chance of the bid of interest is known well enough to stop."""
        if self.until is None:
            return False
        found = self.rate(self.column)
        return found.high - found.low <= 2 * self.until

    # ------------------------------------------------------------------ passing

    def set_against(self, model: Passing, match: Match | None, runner: Runner, n: int | None) -> None:
        """Judge passing by a model, in fresh worlds of what the seat knows before it bids."""
        one = self.known
        known = Knowledge(one.game, one.seat, one.hand, one.dealer, calls=one.calls)
        bids: Sequence[int | None] = self.stakes.bids if self.stakes.scored else [None]
        seed = int(np.random.SeedSequence([self.seed, 1]).generate_state(1)[0])
        try:
            if self.contract.doubles:
                raise UnsupportedError("scores are doubled, which the models of passing leave out")
            self.of.check_passing()
            passed = model.scores(known, bids, n=n or self.of.passed, seed=seed, runner=runner)
        except UnsupportedError as barred:
            self.model = f"not judged: {barred}"
            return
        self.model = model.words
        self.passed = passed if len(passed.low) else None
        if match is not None and self.passed is not None:
            self.ends = self.of.ends_in_match(match, one.seat, self.stakes)
            self.passed = self.of.passed_in_match(match, one.seat, self.passed)

    def payoff(self, bid: int) -> tuple[float, float]:
        """What a bid made and failed brings: its score, in a match the change of the seat's total."""
        if self.ends is not None:
            return self.ends[bid]
        return float(self.stakes.won * bid), float(self.stakes.lost * bid)

    def scores(self, bid: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Least and most of each unit for a bid that is not raised."""
        low, high = self.bounds(self.stakes.column[self.stakes.bids.index(bid)])
        won, lost = self.payoff(bid)
        return low * (won - lost) + lost, high * (won - lost) + lost

    def raised(self, bid: int) -> NDArray[np.float64]:
        """What each talon brings when a bid is raised after it to what scores more.

        The raise for one half of the worlds is chosen by what was seen outside of it, as the plan is.
        """
        bids = [b for b in self.stakes.bids if b >= bid]
        columns = [self.stakes.column[self.stakes.bids.index(b)] for b in bids]
        won, lost = (np.array(x) for x in zip(*(self.payoff(b) for b in bids), strict=True))
        out = []
        for read in self.reads:
            assert read.hint is not None
            total = 0.0
            for half in (0, 1):
                k = int(np.argmax(read.hint[half, columns] * (won - lost) + lost))
                own = (read.low[half::2, columns[k]].mean() + read.high[half::2, columns[k]].mean()) / 2
                total += float(own * (won[k] - lost[k]) + lost[k]) / 2
            out.append(total)
        return np.array(out)

    def interval(self, low: NDArray[np.float64], high: NDArray[np.float64], limits: tuple[float, float]) -> Interval:
        """Mean over the units with its interval: Student's for a fixed number, a sequence where it may stop early."""
        peek = self.until is not None
        found = Sample(low[:, None], high[:, None], limits, False, None, self.whole, peek, (0,)).interval(0)
        if peek or self.whole:
            return found
        wide = float(stdtrit(len(low) - 1, 1 - _ALPHA / 2) / ndtri(1 - _ALPHA / 2)) if len(low) > 1 else np.inf
        down, up = (found.value - found.low) * wide, (found.high - found.value) * wide
        if len(low) < 2:
            return Interval(found.value, *limits)
        return Interval(found.value, max(limits[0], found.value - down), min(limits[1], found.value + up))

    def widened(
        self, own: Interval, spread: NDArray[np.float64], question: int, payoff: tuple[float, float],
        limits: tuple[float, float],
    ) -> Interval:  # fmt: skip
        """An interval at least as wide as that of the bid's chance, which knows what few hits can hide."""
        if self.until is not None or self.whole:
            return own
        found = self.fixed(question)
        slope = abs(payoff[0] - payoff[1])
        down, up = (found.p - found.low) * slope, (found.high - found.p) * slope
        if len(spread) > 1 and np.ptp(spread) > 0:
            down, up = max(down, own.value - own.low), max(up, own.high - own.value)
        return Interval(own.value, max(limits[0], own.value - down), min(limits[1], own.value + up))

    def gain(self, own: Interval, column: int, limits: tuple[float, float]) -> dict[str, float]:
        """What a score gains over passing; the two are drawn apart, so their deviations add in squares."""
        assert self.passed is not None
        low, high = self.passed.low[:, column], self.passed.high[:, column]
        limits = min(limits[0], float(self.passed.low.min())), max(limits[1], float(self.passed.high.max()))
        other = Sample(low[:, None], high[:, None], limits, False, None, False, False, (0,)).interval(0)
        down = float(np.hypot(own.value - own.low, other.high - other.value))
        up = float(np.hypot(own.high - own.value, other.value - other.low))
        gain = own.value - other.value
        return {"pass_score": other.value, "pass_low": other.low, "pass_high": other.high, "gain": gain,
                "gain_low": gain - down, "gain_high": gain + up}  # fmt: skip

    # ------------------------------------------------------------------ the answer

    def rows(self) -> list[dict[str, Any]]:
        """A row a bid."""
        stakes = self.stakes
        raw = [self.rate(q) for q in range(stakes.rungs)]
        weights = [float(self.read_on if self.more and q == self.alone else self.n) for q in range(len(raw))]
        rates = raw if self.whole else falling(raw, weights if self.n else None)
        labels = self.of.labels(self.contract)
        rows = []
        for i, b in enumerate(stakes.bids):
            found = rates[stakes.column[i]]
            row: dict[str, Any] = {"bid": b, "label": labels.get(b), **found._asdict(), "n": self._n(i)}
            if stakes.other[i] >= 0:
                row[self.of.other_column] = rates[stakes.other[i]].p
            if stakes.scored:
                row |= self._scores(i, b, found)
            if stakes.scored and (self.cap is not None or self.standing is not None):
                row["legal"] = self.legal(b)
            if self.best:
                row["plan"] = self.best[stakes.column[i]]
            rows.append(row)
        return rows

    def _n(self, i: int) -> int:
        return self.read_on if self.more and self.stakes.column[i] == self.alone else self.n

    def _scores(self, i: int, bid: int, found: Rate) -> dict[str, Any]:
        """Scores of a bid, and what it gains over passing."""
        stakes = self.stakes
        row: dict[str, Any] = {"expected_score": stakes.score(bid, found.p)}
        if self.passed is None:
            return row
        low, high = self.scores(bid)
        ends = [x for b in stakes.bids if b >= bid for x in self.payoff(b)]
        if self.ends is not None:
            row["match_change"] = float(low.mean() + high.mean()) / 2
        if self.raises:
            raised = self.raised(bid)
            row["with_raise"] = float(raised.mean())
            low, high = raised, raised
        else:
            ends = list(self.payoff(bid))
        limits = min(ends), max(ends)
        own = self.widened(self.interval(low, high, limits), low, self.stakes.column[i], self.payoff(bid), limits)
        against = self.gain(own, i, limits)
        return row | {"score_low": own.low, "score_high": own.high, "pass_score": against["pass_score"],
                      **{name: against[name] for name in ("gain", "gain_low", "gain_high")}}  # fmt: skip

    def bids(self, runner: Runner) -> Bids:
        """Make the answer."""
        game, rows = self.known.game, self.rows()
        summary = self.summary(rows)
        summary["searches"] = float(runner.searches)
        if self.clustered:
            summary[f"{self.unit}s"] = float(len(self.reads))
        frame = pd.DataFrame(rows).dropna(axis="columns", how="all") if self.n else pd.DataFrame(rows)
        frame = frame.drop(columns=[c for c in ("label",) if c in frame and frame[c].isna().all()])
        gains = [r for r in rows if r.get("gain", -1.0) >= 0 and r.get("legal", True)]
        hand = self.known.hand | (self.known.talon or frozenset())
        return Bids(
            game.name, game.option_values(), self.of.question(self), game.deck.write(hand),
            contract_text(game, self.contract), f"double dummy, {method_of(self)}", self.seed, self.n, game.unit, frame,
            summary, self.stopped, notes=tuple(notes_of(self, rows, summary)), seat=self.known.seat, passing=self.model,
            break_even=max((r["bid"] for r in gains), default=None),
            cases=pd.DataFrame(self._case_rows()),
        )  # fmt: skip

    def _case_rows(self) -> list[dict[str, Any]]:
        """A row a talon: the chance of the bid of interest, and the plan for it."""
        column, write = self.column, self.known.game.deck.write
        rows = []
        for (talon, best), read in zip(self.cases, self.reads, strict=False):
            p = float(read.low[:, column].mean() + read.high[:, column].mean()) / 2
            rows.append({self.unit: write(talon), "p": p, "plan": best[column]})
        return rows

    def summary(self, rows: Sequence[dict[str, Any]]) -> dict[str, float]:
        """Single numbers."""
        out: dict[str, float] = {}
        made = [r["p"] for r in rows if r["bid"] == self.contract.target]
        if made:
            out["p_make"] = made[0]
        if self.stakes.scored and self.n:
            best = max((r for r in rows if r.get("legal", True)), key=lambda r: r["expected_score"])
            out |= {"best_bid": best["bid"], "best_score": best["expected_score"]}
        if self.known.game.unit == "tricks" and [r["bid"] for r in rows] == list(range(1, len(rows) + 1)):
            out["expected_tricks"] = sum(r["p"] for r in rows)
        if self.of.tiered:
            worth = self.stakes.worth(self.contract)
            assert worth is not None
            own = self.score(float(worth.min()), float(worth.max()))
            low, high = self.bounds(len(self.stakes.bids))
            error = float(np.std((low + high) / 2, ddof=1) / np.sqrt(len(low))) if len(low) > 1 else float("nan")
            out |= {"expected_score": own.value, "standard_error": 0.0 if self.whole else error, "score_low": own.low,
                    "score_high": own.high}  # fmt: skip
            if self.passed is not None:
                out |= self.gain(own, 0, (float(worth.min()), float(worth.max())))
        return out
