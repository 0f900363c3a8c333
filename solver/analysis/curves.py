"""Success curves over the worlds of one seat: the parts they share, and the games whose plan is given.

`Question` is what was asked, `deal_worlds` gives the worlds and the collecting side in each; `plain`, `sheepshead` and
`three_of_spades` turn searched worlds into rows. Thousand, with a choice inside, is in `solver.analysis.talon`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.analysis.estimate import Estimate, Rate, exact, mean, sampled
from solver.analysis.success import CHUNK, Levels, Progress, Runner, task
from solver.formats.record import contract_text
from solver.games import Game
from solver.games.sheepshead import Sheepshead
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.worlds import sampler

__all__ = ["ALL", "FEW", "Question", "Worlds", "deal_worlds", "plain", "reached", "sheepshead", "three_of_spades"]

#: Up to so many worlds all of them are searched where searches are cheap.
FEW = 20_000
#: What `worlds` may be to ask for all of them.
ALL = "all"
#: Worlds drawn by default.
DEFAULT_WORLDS = {"kit": 400, "sheepshead": 400, "thousand": 500, "three_of_spades": 100}


@dataclass(frozen=True)
class Question:
    """What `bid` was asked, read and checked."""

    game: Game
    hand: frozenset[Card]
    contract: Contract
    seat: int
    worlds: int | str | None
    talons: int | str | None
    seed: int
    workers: int | None
    progress: Progress
    limit: int

    @property
    def others(self) -> list[int]:
        """The other seats, clockwise from the seat's left."""
        return [(self.seat + i) % self.game.seats for i in range(1, self.game.seats)]

    def runner(self, total: int = 0, chunk: int = CHUNK) -> Runner:
        """Worker threads for this question."""
        return Runner(workers=self.workers, progress=self.progress, total=total, limit=self.limit, chunk=chunk)

    def answer(self, words: str, method: str, n: int, rows: Sequence[dict[str, Any]], **more: Any) -> Estimate:
        """Make the estimate."""
        one = self.game
        return Estimate(
            one.name, one.option_values(), words, one.deck.write(self.hand), contract_text(one, self.contract),
            f"double dummy, {method}", self.seed, n, one.unit, pd.DataFrame(rows), **more,
        )  # fmt: skip


class Worlds(NamedTuple):
    """Worlds of one seat.

    Parameters
    ----------
    position
        Start of play in the first of them.
    hands
        ``uint64[n, seats]`` in the bits of the position's layout.
    sides
        ``int64[n]``, collecting seats as bits.
    total
        How many worlds there are.
    complete
        Whether `hands` are all of them.
    """

    position: Position
    hands: NDArray[np.uint64]
    sides: NDArray[np.int64]
    total: int
    complete: bool

    def method(self, partial: bool) -> str:
        """How they were found, in words; an interrupted list of all is a sample."""
        return f"all {self.total:,} worlds" if self.complete and not partial else "uniform worlds"


# ---------------------------------------------------------------------- worlds


def deal_worlds(asked: Question, known: dict[int, frozenset[Card]], out: frozenset[Card], *, few: int = 0) -> Worlds:
    """Deal the unseen cards to the seats' free places, once for each world.

    Parameters
    ----------
    asked
        Gives contract, seed and the number of worlds.
    known
        Cards known to be with each seat; the declarer's are all it has.
    out
        Cards known to be with nobody (bury).
    few
        All worlds are taken, unless a number was named, when there are no more.
    """
    one, contract = asked.game, asked.contract
    mine = known[asked.seat]
    seen = frozenset().union(out, *known.values())
    unseen = [c for c in one.deck.cards if c not in seen]
    seats: list[int | None] = [*asked.others]
    sizes = [len(mine) - len(known.get(s, ())) for s in asked.others]
    if spare := len(unseen) - sum(sizes):  # cards that nobody holds
        seats, sizes = [*seats, None], [*sizes, spare]
    total = sampler.count(unseen, sizes)
    n = asked.worlds
    if n is None:
        n = total if total <= few else DEFAULT_WORLDS.get(one.name, 100)
    complete = n == ALL or int(n) >= total
    if complete and total > 10 * FEW:
        raise UnsupportedError(f"all of {total:,} worlds are too many: name a number of worlds")
    rng = np.random.default_rng(asked.seed)
    if complete:
        # In random order, so that the worlds finished before an interrupt are a fair sample.
        owners = sampler.enumerate_all(unseen, sizes)[rng.permutation(total)]
    else:
        owners = sampler.uniform(unseen, sizes, int(n), rng)
    first = dict(known)
    for card, place in zip(unseen, owners[0], strict=True):
        if (seat := seats[place]) is not None:
            first[seat] = first.get(seat, frozenset()) | {card}
    position = one.start(Deal(one, tuple(first[s] for s in range(one.seats))), contract)
    hands = sampler.hands(owners, unseen, layout_of(position.rules), seats, known)
    return Worlds(position, hands, _sides(asked, position, hands), total, complete)


def _sides(asked: Question, position: Position, hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Collecting seats of each world: the declarer and whoever holds a partner card; the same where there is none."""
    one, contract = asked.game, asked.contract
    partners = one.partner_cards(contract) if isinstance(one, Sheepshead) else contract.called
    if contract.side is not None or not partners:
        return np.full(len(hands), sum(1 << s for s in position.side), np.int64)
    sides = np.full(len(hands), 1 << asked.seat, np.int64)
    wanted = np.uint64(layout_of(position.rules).encode(set(partners) - set(contract.bury)))
    for seat in range(one.seats):
        sides |= np.where(hands[:, seat] & wanted != 0, 1 << seat, 0)
    return sides


def reached(levels: NDArray[np.int16], thresholds: int) -> NDArray[np.bool_]:
    """Turn counts of reached thresholds into answers, one more axis."""
    answers: NDArray[np.bool_] = levels[..., None] > np.arange(thresholds)
    return answers


def rate(worlds: Worlds, low: NDArray[np.bool_], high: NDArray[np.bool_], partial: bool) -> Rate:
    """Rate over finished worlds, exact when they are all."""
    return exact(low, high) if worlds.complete and not partial else sampled(low, high)


def curve(worlds: Worlds, answer: Levels, needs: Sequence[int], partial: bool) -> tuple[dict[int, Rate], int]:
    """Rate for each threshold, and how many worlds they rest on."""
    low, high = (reached(x[answer.done], len(needs)) for x in (answer.low, answer.high))
    return {need: rate(worlds, low[:, i], high[:, i], partial) for i, need in enumerate(needs)}, len(low)


def interval_note(worlds: Worlds, partial: bool) -> str:
    """Say what low and high are."""
    if worlds.complete and not partial:
        return f"all {worlds.total:,} worlds searched: exact double dummy rates, no sampling error"
    return f"low to high: 95 % Wilson interval, worlds drawn from {worlds.total:,}, all equally likely"


def in_bids(p: float, stakes: tuple[int, int]) -> float:
    """Expected score in bids, for the scores of a bid made and failed that the game's settlement has."""
    won, lost = stakes
    return (won - lost) * p + lost


def in_bids_text(stakes: tuple[int, int]) -> str:
    """`in_bids` as a formula, ``bid x (2 p - 1)``."""
    won, lost = stakes
    slope = "p" if won - lost == 1 else f"{won - lost} p"
    return f"bid x ({slope} {'-' if lost < 0 else '+'} {abs(lost)})" if lost else f"bid x {slope}"


def limit_note(answers: Sequence[Levels], limit: int) -> tuple[str, ...]:
    """Say how many worlds a node limit left undecided, if any."""
    done = answers[0].done
    open_ = sum(int((a.low[done] != a.high[done]).sum()) for a in answers)
    if not open_:
        return ()
    return (f"{open_} searches stopped at {limit:,} nodes: their worlds count from 0 to 1 and widen the intervals",)


# ---------------------------------------------------------------------- games


def plain(asked: Question) -> Estimate:
    """At least so many points or tricks, where nothing is planned."""
    one, contract = asked.game, asked.contract
    worlds = deal_worlds(asked, {asked.seat: asked.hand}, frozenset(), few=FEW)
    ladder = one.ladder(contract)
    needs = [rung.need for rung in ladder]
    with asked.runner(chunk=1 if asked.limit else CHUNK) as runner:
        (answer,) = runner.run(task(worlds.position, worlds.hands, worlds.sides, needs))
    partial = runner.interrupted
    rates, n = curve(worlds, answer, needs, partial)
    rows = [{"bid": rung.bid, **rates[rung.need]._asdict(), "n": n} for rung in ladder]
    side = worlds.position.side
    who = f"seat {asked.seat} against the rest" if len(side) == 1 else f"seats {' '.join(map(str, sorted(side)))}"
    words = f"at least so many {one.unit} by {who}, seat {worlds.position.leader} leads"
    summary: dict[str, float] = {}
    notes = [interval_note(worlds, partial), *limit_note([answer], asked.limit)]
    if needs == list(range(1, len(needs) + 1)):
        expected = sum(r.p for r in rates.values())
        summary[f"expected_{one.unit}"] = expected
        notes.append(f"expected {one.unit} {expected:.4g}")
    if contract.target:
        summary["p_make"] = next(rates[rung.need].p for rung in ladder if rung.bid == contract.target)
    if len(side) == 1:
        notes.append("one against the rest, who also see all cards: what the seat could be sure of if all were told")
    return asked.answer(words, worlds.method(partial), n, rows, summary=summary, notes=tuple(notes), partial=partial)


def sheepshead(asked: Question, one: Sheepshead) -> Estimate:
    """Tiers of the settlement for one plan, and the picker's expected score."""
    contract = asked.contract
    ladder = one.ladder(contract)
    if not ladder:
        raise UnsupportedError(f"a {contract.kind} has no bids: every seat plays for itself")
    planned = contract.called or contract.kind == "alone" or contract.side is not None
    if one.options.partner == "called" and not planned:
        raise NotationError("no plan: write 'call AH, bury TC 8H', or 'alone, bury TC 8H' without a partner")
    if len(contract.bury) != one.talon_size and (contract.side is None or len(asked.hand) > one.hand_size):
        raise NotationError(f"no bury: say which {one.talon_size} cards are buried, as in 'bury TC 8H'")
    if len(asked.hand) > one.hand_size:
        if not set(contract.bury) <= asked.hand:
            one.check_plan(asked.hand, contract)  # says which card is not held
        six = asked.hand - set(contract.bury)
    else:
        six = asked.hand
        if both := six & set(contract.bury):
            raise NotationError(
                f"the bury {one.deck.write(both)} is still in the hand of {len(six)} cards: "
                f"give the hand after the bury, or all {one.hand_size + one.talon_size} cards"
            )
    worlds = deal_worlds(asked, {asked.seat: six}, frozenset(contract.bury))
    measures = sorted({r.measure for r in ladder})
    needs = {m: sorted({r.need for r in ladder if r.measure == m}) for m in measures}
    tasks = [task(worlds.position, worlds.hands, worlds.sides, needs[m], measure=m) for m in measures]
    with asked.runner(total=len(worlds.hands) * len(tasks)) as runner:
        answers = dict(zip(measures, runner.run(*tasks), strict=True))
    done = answers[measures[0]].done

    def rungs(bound: str) -> NDArray[np.bool_]:
        columns = []
        for rung in ladder:
            known = needs[rung.measure]
            columns.append(reached(getattr(answers[rung.measure], bound)[done], len(known))[:, known.index(rung.need)])
        return np.stack(columns, axis=1)

    low = np.logical_or.accumulate(rungs("low")[:, ::-1], axis=1)[:, ::-1]  # a rung reached has all below it
    high = np.logical_and.accumulate(rungs("high"), axis=1)
    partial = runner.interrupted
    rates = [rate(worlds, low[:, i], high[:, i], partial) for i in range(len(ladder))]
    n = len(low)
    rows = [{"bid": r.bid, "label": r.label, **p._asdict(), "n": n} for r, p in zip(ladder, rates, strict=True)]
    times = one.multiplier(contract)
    table = np.array(
        [[one.score(k, alone=a, multiplier=times)[0] for k in range(len(ladder) + 1)] for a in (False, True)]
    )
    alone = (worlds.sides[done] == 1 << asked.seat).astype(np.int64)
    score = mean(
        table[alone, low.sum(axis=1)], table[alone, high.sum(axis=1)], all_worlds=worlds.complete and not partial
    )
    made = next(p for r, p in zip(ladder, rates, strict=True) if r.bid == 61)
    summary = {
        "p_make": made.p, "expected_score": score.value, "standard_error": score.error,
        "score_low": score.low, "score_high": score.high,
    }  # fmt: skip
    notes = (
        interval_note(worlds, partial),
        *limit_note(list(answers.values()), asked.limit),
        f"bury {one.banked(contract)} points, counted; P(make) {made.p:.3f}, expected score of the picker "
        f"{score.value:+.2f} a deal, standard error {score.error:.2f}, 95 % from {score.low:+.2f} to {score.high:+.2f}",
        "the plan is one for all worlds; what passes of other seats tell is not used",
    )
    words = f"the picking side reaches at least this tier, seat {asked.seat} picks, seat {worlds.position.leader} leads"
    return asked.answer(words, worlds.method(partial), n, rows, summary=summary, notes=notes, partial=partial)


def three_of_spades(asked: Question, one: ThreeOfSpades) -> Estimate:
    """Bids for given trumps and called cards."""
    contract = asked.contract
    if contract.trump is None or not (contract.called or contract.side):
        cards = "a called card" if one.calls == 1 else f"{one.calls} called cards"
        raise NotationError(f"no plan: write trumps and {cards}, as in 'trump S, call AS KD'")
    contract = replace(contract, leader=asked.seat)
    asked = replace(asked, contract=contract)
    one.team(tuple(asked.hand if s == asked.seat else frozenset() for s in range(one.seats)), contract)
    worlds = deal_worlds(asked, {asked.seat: asked.hand}, frozenset())
    calls = len(contract.called)
    ladder = [r for r in one.ladder(contract) if not calls or one.calls_at(r.bid) == calls]  # bids of these calls
    needs = [rung.need for rung in ladder]
    with asked.runner(chunk=1) as runner:
        (answer,) = runner.run(task(worlds.position, worlds.hands, worlds.sides, needs))
    partial = runner.interrupted
    rates, n = curve(worlds, answer, needs, partial)
    rows = []
    for rung in ladder:
        found = rates[rung.need]
        rows.append(
            {"bid": rung.bid, **found._asdict(), "n": n, "expected_score": rung.bid * in_bids(found.p, one.stakes)}
        )
    best = max(rows, key=lambda r: r["expected_score"])
    summary = {"best_bid": best["bid"], "best_score": best["expected_score"]}
    if contract.target:
        summary["p_make"] = rates[contract.target].p
    sizes = np.bincount([int(s).bit_count() for s in worlds.sides], minlength=one.seats + 1)
    teams = ", ".join(f"{k} seats in {c / len(worlds.sides):.0%}" for k, c in enumerate(sizes) if c)
    notes = (
        interval_note(worlds, partial),
        *limit_note([answer], asked.limit),
        f"team of {teams} of the worlds drawn; expected_score of the bid winner = "
        + in_bids_text(one.stakes)
        + ("" if one.options.bidder_bonus else ", as of every member of the team"),
        "all seats know the teams from the start; what the auction tells is not used",
    )
    words = f"the team of seat {asked.seat} takes at least this many of {one.total} points"
    return asked.answer(words, worlds.method(partial), n, rows, summary=summary, notes=notes, partial=partial)
