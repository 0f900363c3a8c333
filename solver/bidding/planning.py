"""Which plan: every pass, call with its bury, or contract of a hand, ranked over common worlds, double dummy.

The declarer sees its cards and the talon and chooses once for all hidden cards. Plans are thinned out by sequential
halving (`solver.deals.halving`); where the worlds can all be searched for all plans, as in Thousand after the talon
(3,432 worlds, 90 passes), that is done instead and the answer is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from solver.bidding.of_game import bidding_of, stakes_of
from solver.bidding.plans import plan_row
from solver.bidding.question import as_declarer, ask, at_play, open_plans
from solver.bidding.stakes import Stakes
from solver.deals.estimate import Estimate, plain_rows
from solver.deals.halving import Chosen, Questions, Race, Round
from solver.deals.plan_matrix import Found, SearchInterruptedError, open_field
from solver.deals.success import Progress, Runner
from solver.formats.record import contract_text, plan_text
from solver.games import Game
from solver.model.cards import Card
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError
from solver.seat.firstlead import nearby
from solver.seat.plan_ties import PlanTies
from solver.stats.paired import Sample
from solver.worlds.knowledge import MOST_LISTED, Knowledge

__all__ = ["MOST_EXHAUSTIVE", "Ranking", "decide", "plan", "searches"]

#: So many searches at most are made for all plans in all worlds without being asked for.
MOST_EXHAUSTIVE = 400_000


@dataclass(frozen=True)
class Ranking(Estimate):
    """Plans of a hand, the best first.

    `frame` has a row a plan: what is called, buried, passed; `p` with `low` to `high`, the chance of the bid (in
    Sheepshead of 61 points unless another tier is named); `score` with its interval, the declarer's expected score;
    `diff` to the best plan in what plans are ranked by, paired on the same worlds, with its interval; `n`, worlds
    searched for the plan; `plan`, as a contract says it.

    Parameters
    ----------
    seat
        The declarer.
    bid
        What `p` is about.
    objective
        ``"make"`` or ``"score"``: what plans are ranked by.
    exact
        Whether all plans were searched in all worlds.
    by_bid
        For each bid its best plan: `bid`, `p` with its interval, `expected_score`, `gain` over the bid asked about,
        `plan`. Empty where there are no bids.
    """

    seat: int = 0
    bid: int = 0
    objective: str = "make"
    exact: bool = False
    by_bid: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)

    @property
    def best(self) -> str:
        """The plan to choose, as a contract says it."""
        return str(self.frame["plan"].iloc[0])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        found = super().to_json()
        rows = found.pop("rows")
        more = {"seat": self.seat, "bid": self.bid, "objective": self.objective, "exact": self.exact,
                "best": self.best, "by_bid": plain_rows(self.by_bid)}  # fmt: skip
        return {**found, **more, "rows": rows}


@checks_numbers
def plan(
    source: Knowledge | Game | str,
    hand: str | frozenset[Card] = "",
    contract: str | Contract | None = None,
    *,
    seat: int | None = None,
    bid: int | None = None,
    worlds: int | None = None,
    exhaustive: bool | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress = None,
    limit: int = 0,
    **options: Any,
) -> Ranking:
    """Rank every plan open to a declarer, on what it can know.

    Parameters
    ----------
    source
        What the declarer knows, the talon seen; or a game, or its name with `options`.
    hand, contract, seat
        With a game: the cards with the talon, and what is settled (``"120"``, ``"picker 2, call AH"``).
    bid
        The bid to make; the contract's when None, and where it has none the one that scores best.
    worlds
        How many the last plans are compared in; a number for each game when None.
    exhaustive
        Search all plans in all worlds, or never; None for where it takes no more than `MOST_EXHAUSTIVE` searches.
    seed
        Of the worlds; recorded in the result.
    workers
        Threads, None for all cores; numbers do not depend on it.
    progress
        True for a bar, or a function of (done, total).
    limit
        Most positions to search for one plan in one world, 0 for no limit. What stays open counts with its bounds.
    **options
        Options of the game, when it is named by text.

    Raises
    ------
    NotationError, IllegalPlayError, UnsupportedError
        When the talon is still to be seen, the plan is told already, or the game has none.
    """
    known = ask(source, hand, contract, seat=seat, options=options)
    game, of = known.game, bidding_of(known.game)
    if not game.has_plans:
        game.plans(frozenset(), Contract())  # says that there are none
        raise UnsupportedError(f"{game.name} with these options has no plans: nothing is passed or buried")
    if not of.ranked:
        raise UnsupportedError(f"plans of {game.name} with {game.seats} seats are not ranked: `plans` lists them")
    if known.agreed is not None and known.agreed.kind in game.undeclared:
        raise UnsupportedError(f"a {known.agreed.kind} has no plans: every seat plays for itself")
    if at_play(known):
        raise NotationError("the plan is told already: leave the bury, the passes or the call out to have it ranked")
    if game.talon_size and known.talon is None:
        raise NotationError(
            f"the {game.talon_label} has not been seen: give {game.hand_size + game.talon_size} cards, or see it first"
        )
    agreed = as_declarer(known)
    if bid is not None:
        agreed = replace(agreed, target=bid)
        game.contract(agreed)
    if agreed.target is not None:
        of.check_target(agreed.target)
    ranking = _Ranker(known, agreed, seed, worlds)
    with Runner(workers=workers, progress=progress, limit=limit, chunk=of.chunk) as runner:
        try:
            return ranking.rank(runner, exhaustive)
        except SearchInterruptedError:
            raise KeyboardInterrupt("stopped before the plans could be compared") from None


def searches(rounds: Sequence[Round], plans: int) -> int:
    """Searches that rounds of halving take."""
    return sum(min(r.plans, plans) * r.worlds for r in rounds)


def decide(
    known: Knowledge, stakes: Stakes, plans: Sequence[Contract], rounds: Sequence[Round], runner: Runner, *,
    seed: int, focus: Sequence[int] = (), exhaustive: bool = False,
) -> tuple[Race, Chosen]:  # fmt: skip
    """Choose a plan for each question on what the declarer knows.

    Parameters
    ----------
    known
        With the talon seen.
    stakes
        Thresholds.
    plans
        Open to the declarer.
    rounds
        Of halving; the last one is read.
    runner
        Worker threads.
    seed
        Of the worlds.
    focus
        Questions to choose for; all when empty.
    exhaustive
        All plans in all worlds instead.

    Raises
    ------
    SearchInterruptedError
        When an interrupt came first.
    """
    count = known.count() if exhaustive else sum(r.worlds for r in rounds)
    if exhaustive and count > MOST_LISTED:
        raise UnsupportedError(f"all of {count:,} worlds are too many to search for every plan: leave it to halving")
    drawn = known.sample(count, seed=seed)  # all of them come in random order: the first ones are a fair sample
    questions = Questions(stakes.rungs, stakes.worth(plans[0]),
                          stakes.allowed(plans), tuple(focus))  # fmt: skip
    arena = open_field(drawn, plans, stakes.ladder)
    race = Race(arena, questions, runner, PlanTies(arena))
    few = len(drawn) < sum(r.worlds for r in rounds[:-1]) + 2  # all there are, and none would be left to read
    return race, race.everything() if exhaustive or few else race.choose(rounds)


class _Ranker:
    """One call of `plan`."""

    def __init__(self, known: Knowledge, agreed: Contract, seed: int, worlds: int | None) -> None:
        self.known, self.game, self.agreed, self.seed = known, known.game, agreed, seed
        self.of = bidding_of(known.game)
        self.full = known.hand | (known.talon or frozenset())
        self.plans = list(open_plans(known, agreed))
        rounds = self.of.schedule
        self.rounds = rounds if worlds is None else (*rounds[:-1], rounds[-1]._replace(worlds=worlds))

    def stakes(self, only: Sequence[int] | None = None) -> Stakes:
        return stakes_of(self.game, self.plans[0], self.full, only=only)

    def rank(self, runner: Runner, exhaustive: bool | None) -> Ranking:
        """Choose the bid where it is open, rank the plans for it, and find the best plan of the other bids."""
        whole = self.stakes()
        decide_ = partial(decide, self.known, runner=runner, seed=self.seed)
        if not whole.scored:  # a score needs no bid, or there is none
            every = self.known.count() * len(self.plans)
            exact = exhaustive if exhaustive is not None else every <= MOST_EXHAUSTIVE
            runner.total = every if exact else searches(self.rounds, len(self.plans))
            bid = self.of.usual_bid(self.agreed) if self.agreed.target is None else self.agreed.target
            nearby(self.game, self.agreed, bid)
            objective, question = "score", len(whole.bids)
            if whole.worth(self.plans[0]) is None:  # nothing but the chance of the bid can be compared
                objective, question = "make", whole.column[whole.bids.index(bid)]
            race, chosen = decide_(whole, self.plans, self.rounds, focus=[question], exhaustive=exact)
            return self.answer(race, chosen, whole, bid, question, objective, pd.DataFrame(), exact)
        curve_race, curve = decide_(whole, self.plans, self.rounds)
        by_bid = self.curve(curve_race, curve, whole)
        target = self.agreed.target
        if target is None:
            target = int(by_bid["bid"].iloc[int(by_bid["expected_score"].argmax())])
        if curve_race.stopped:
            exhaustive = False
        by_bid["gain"] = by_bid["expected_score"] - by_bid.loc[by_bid["bid"] == target, "expected_score"].max()
        every = self.known.count() * len(self.plans)
        exact = exhaustive if exhaustive is not None else every <= MOST_EXHAUSTIVE
        if exact:
            runner.total = runner.searches + every
            stakes = self.stakes(only=[target])
            race, chosen = decide_(stakes, self.plans, self.rounds, focus=[stakes.column[0]], exhaustive=True)
            return self.answer(race, chosen, stakes, target, stakes.column[0], "make", by_bid, True)
        column = whole.column[whole.bids.index(target)]
        return self.answer(curve_race, curve, whole, target, column, "make", by_bid, False)

    def curve(self, race: Race, chosen: Chosen, stakes: Stakes) -> pd.DataFrame:
        """Best plan of each bid."""
        rows = []
        for bid, column in zip(stakes.bids, stakes.column, strict=True):
            if self.agreed.target is not None and bid < self.agreed.target and self.game.may_raise:
                continue  # a contract is raised, never lowered
            found = Sample(chosen.low[:, [column]], chosen.high[:, [column]], (0, 1), True, None, False, False, (0,))
            p = found.interval(0)
            rows.append({"bid": bid, "p": p.value, "low": p.low, "high": p.high, "n": len(chosen.low),
                         "expected_score": stakes.score(bid, p.value),
                         "plan": plan_text(self.game, self.plans[int(chosen.best[column])])})  # fmt: skip
        return pd.DataFrame(rows)

    def answer(
        self, race: Race, chosen: Chosen, stakes: Stakes, bid: int, question: int, objective: str,
        by_bid: pd.DataFrame, exact: bool,
    ) -> Ranking:  # fmt: skip
        """Put the plans in order, each against the best."""
        exact = exact and not race.stopped
        column = stakes.column[stakes.bids.index(bid)]
        order = race.order(question)
        if (allowed := race.questions.allowed) is not None:
            order = [i for i in order if allowed[i, question]]
        best = race.history(order[0])
        rows = []
        for plan_number in order:
            own = best if plan_number == order[0] else race.history(plan_number)
            few = objective == "make" and len(race.log) > 1 and plan_number not in race.log[1][0]
            rows.append({**plan_row(self.game, self.full, self.plans[plan_number]),
                         **self.row(race, own, best, stakes, bid, column, question, exact, few)})  # fmt: skip
        frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
        frame["plan"] = frame.pop("plan")
        game, value = self.game, _value(chosen, question, objective, exact, race)
        drawn = race.arena.worlds
        how = "all plans" if exact else "sequential halving"
        return Ranking(
            game.name, game.option_values(), f"seat {self.known.seat} plans, {len(self.plans)} plans",
            game.deck.write(self.full), contract_text(game, replace(self.agreed, target=self.agreed.target or None)),
            f"double dummy, {how}, {drawn.method}", self.seed, race.worlds, game.unit, frame,
            {"plans": float(len(self.plans)), "worlds": float(self.known.count()),
             "searches": float(race.runner.searches), **value}, race.runner.interrupted,
            notes=tuple(self.notes(race, stakes, bid, objective, value, exact)), seat=self.known.seat, bid=bid,
            objective=objective, exact=exact, by_bid=by_bid,
        )  # fmt: skip

    def row(
        self, race: Race, own: Found, best: Found, stakes: Stakes, bid: int, column: int, question: int, exact: bool,
        few: bool,
    ) -> dict[str, Any]:  # fmt: skip
        n = own.low.shape[1]
        same = best.part(slice(0, n))
        values = race.questions.values
        (low, high), (other_low, other_high) = values(own, question), values(same, question)
        made = values(own, column)
        worth = race.questions.worth
        limits = (0.0, 1.0) if worth is None else (float(worth.min()), float(worth.max()))
        p = Sample(made[0].T, made[1].T, (0, 1), True, None, exact, False, (0,)).interval(0)
        row: dict[str, Any] = {"p": p.value, "low": p.low, "high": p.high}
        if few:  # too few worlds for more than a first look
            row |= {"low": np.nan, "high": np.nan}
        if other := stakes.other[stakes.bids.index(bid)] + 1:
            row[self.of.other_column] = float(sum(v.mean() for v in values(own, other - 1)) / 2)
        if worth is None and stakes.scored:
            row["expected_score"] = stakes.score(bid, p.value)
        elif worth is not None:
            score = Sample(low.T, high.T, limits, False, None, exact, False, (0,)).interval(0)
            row |= {"score": score.value, "score_low": score.low, "score_high": score.high}
        pair = Sample(
            np.concatenate([low, other_low]).T, np.concatenate([high, other_high]).T, limits, False, None, exact,
            False, (0, 0 if own is best else 1),
        )  # fmt: skip
        diff = pair.against(0, 1)
        row |= {"diff": diff.value, "diff_low": np.nan if few else diff.low, "diff_high": np.nan if few else diff.high}
        return {**row, "n": n}

    def notes(
        self, race: Race, stakes: Stakes, bid: int, objective: str, value: dict[str, float], exact: bool
    ) -> list[str]:
        """What was done, for people."""
        what = f"{bid} points" if objective == "score" else str(bid)
        notes = [f"p: chance of {what}; diff: {'score' if objective == 'score' else 'p'} against the best plan, "
                 "on the same worlds"]  # fmt: skip
        if exact:
            notes.append(f"all {len(self.plans)} plans in all {race.worlds:,} worlds: exact double dummy, no sampling")
        else:
            steps = " - ".join(f"{len(p)} in {f.low.shape[1]}" for p, f in race.log)
            name, unit = ("score", "") if objective == "score" else ("p", "")
            notes.append(
                f"halving: {steps} worlds, all of which the rows count; the best plan read in worlds that did not "
                f"choose it: {name} "
                f"{value['best']:.3f}{unit}, from {value['best_low']:.3f} to {value['best_high']:.3f}"
            )
        if race.stopped:
            notes.append("stopped: what was found so far")
        if stakes.scored:
            notes.append(f"expected_score = {stakes.formula}")
        column = stakes.column[stakes.bids.index(bid)]
        never = objective == "make" and not any((found.high > column).any() for _, found in race.log)
        if never:
            notes.append(f"no {self.of.plan_word} makes {bid} in any of these {race.worlds:,} worlds, double dummy")
        contract = replace(self.agreed, target=bid, declarer=self.known.seat)
        best = self.plans[race.order(column)[0]] if never else None
        notes += self.of.ranking_notes(contract, best, race.arena.worlds, race.runner.limit)
        return [note for note in notes if note]


def _value(chosen: Chosen, question: int, objective: str, exact: bool, race: Race) -> dict[str, float]:
    """What the chosen plan is worth in worlds that did not choose it."""
    worth = race.questions.worth
    limits = (0.0, 1.0) if worth is None else (float(worth.min()), float(worth.max()))
    low, high = chosen.low[:, [question]], chosen.high[:, [question]]
    found = Sample(low, high, limits, objective == "make", None, exact, False, (0,)).interval(0)
    return {"best": found.value, "best_low": found.low, "best_high": found.high}
