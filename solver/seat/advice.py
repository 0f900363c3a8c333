"""Which card to play, on what one seat can know: every legal card over the same worlds, double dummy.

For each world that the seat's knowledge leaves open every legal card is searched on one table. What a card scores is
then a mean over worlds, and two cards are compared world by world, so that what a world is worth anyway drops out.

Double dummy means that in each world all seats play as if they saw all cards from the next card on. A card is judged
rightly by that where nothing is gained by finding out more first, or by hiding something; see the notes of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.interrupt import STOPPED
from solver.deals.success import CHUNK, Progress, Runner
from solver.formats.record import contract_text
from solver.model.checks import checks_numbers, excerpt
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
from solver.seat.advice_answer import Advice, barred_rows, card_row
from solver.seat.judged import Judged
from solver.seat.world_values import OBJECTIVES, Judge
from solver.stats.paired import Interval, Sample
from solver.worlds.evidence import Evidence
from solver.worlds.knowledge import Knowledge
from solver.worlds.situation import played_size

__all__ = ["WORLDS", "Advice", "Solved", "advise"]

#: Worlds that are drawn unless a number is named.
WORLDS = 1000

#: Worlds after which an answer that may stop early is first looked at.
_FIRST = 32


class Solved(Protocol):
    """A game solved with its hidden cards, which can tell what to play: an equilibrium of `solver.hidden`."""

    def advise_at(self, knowledge: Knowledge, objective: str | None, seed: int) -> Advice | tuple[str, ...]:
        """Judge the cards of the seat on turn; notes that say why not where the solution has nothing for it."""


@checks_numbers
def advise(
    knowledge: Knowledge,
    *,
    seed: int,
    worlds: int = WORLDS,
    objective: str | None = None,
    model: str = "rest",
    totals: Sequence[int] | None = None,
    until: float | str | None = None,
    limit: int = 0,
    evidence: Evidence | None = None,
    equilibrium: Solved | None = None,
    workers: int | None = None,
    progress: Progress = None,
    chunk: int = CHUNK,
) -> Advice:
    """Judge every legal card of a seat that is to play.

    Parameters
    ----------
    knowledge
        What the seat knows, at any point of the play at which it is on turn.
    seed
        Of the worlds; recorded in the result.
    worlds
        How many to draw; where there are no more than that, all are taken and nothing is sampled.
    objective
        What the cards are compared in: ``"score"`` (settlement of the deal), ``"make"`` (the contract, and nothing
        else is searched), ``"points"``, ``"tricks"``, or for the last hand of a session of the kit ``"session"`` (to
        win or share it). None: the score, or points where the contract says too little for one. Of cards that are
        equal in it the one with more points in the mean is best, then the one that leaves the seat the better hand.
    model
        Where each seat plays for itself: ``"rest"``, the seat against all others together, or ``"max-n"``, each seat
        for its own most.
    totals
        What each seat has from the hands before, for ``"session"``.
    until
        Stop before all worlds are searched: as soon as every card is surely worse than the best or known to within so
        much, its own value and its difference to the best; or ``"clear"``, as soon as all others are surely worse. The
        intervals are then such that looking at them again and again does no harm.
    limit
        Most positions to search for one card in one world, 0 for no limit. A world left open counts with its bounds.
    evidence
        Weighs worlds by what calls make likely; nothing when None.
    equilibrium
        Of the kit, from which to answer; see `Solved.advise_at`. Where somebody has left
        its path the answer says so, and is found as without one.
    workers
        Threads, None for all cores; numbers depend neither on it nor on `chunk`, the worlds that one takes at once.
    progress
        True for a bar, or a function of (done, total).

    Returns
    -------
    Advice

    Raises
    ------
    IllegalPlayError
        When another seat is on turn.
    NotationError, UnsupportedError
        When the play has not begun or is over, or for a question that has no answer.
    """
    knowledge = _at_play(knowledge)
    _check(knowledge, objective, model, until, evidence)
    left: tuple[str, ...] = ()
    if equilibrium is not None:
        told = equilibrium.advise_at(knowledge, objective, seed)
        if isinstance(told, Advice):
            return told
        left = told
    drawn = knowledge.sample(worlds, seed=seed, evidence=evidence)
    judge = Judge(drawn, objective, model, totals)
    peek = until is not None and not drawn.exact
    n = len(drawn)
    with Runner(workers=workers, progress=progress, limit=limit, chunk=chunk) as runner:
        runner.total = 0 if peek else len(judge.worlds)
        seen = 0
        while True:
            seen = n if not peek else min(n, max(_FIRST, seen + seen // 8))
            found = judge.upto(seen, runner)
            sample = _sample(judge, found, drawn.weights, exact=drawn.exact, peek=peek)
            if runner.interrupted or found.n >= n or (peek and until is not None and sample.settled(until)):
                break
        if not found.n:
            raise KeyboardInterrupt("stopped before any world was searched")
        order, best = judge.ranked(found, sample, runner)
    sample = replace(sample, chosen=order[0])
    answer = _answer(knowledge, judge, found, sample, order, best, seed, peek=peek, stopped=runner.interrupted)
    return replace(answer, notes=(*left, *answer.notes))


def _at_play(knowledge: Knowledge) -> Knowledge:
    """The same with the plainest contract, where none is told and the game needs none."""
    if knowledge.position is None and knowledge.agreed is None:
        with suppress(TrickwiseError):
            return knowledge.contract("")
    return knowledge


def _check(
    knowledge: Knowledge, objective: str | None, model: str, until: float | str | None, evidence: Evidence | None
) -> None:
    position = knowledge.position
    if position is None:
        raise NotationError("the play has not begun: tell the contract with its plan first")
    if len(knowledge.play) == knowledge.game.seats * played_size(knowledge.game):
        raise UnsupportedError("the deal is over: no card is left to play")
    if position.turn != knowledge.seat:
        raise IllegalPlayError(
            f"seat {position.turn} is on turn, not seat {knowledge.seat}: advice is for the seat that is to play"
        )
    if objective is not None and objective not in OBJECTIVES:
        raise UnsupportedError(f"objective {excerpt(objective)}: expected one of {', '.join(OBJECTIVES)}")
    if model not in ("rest", "max-n"):
        raise UnsupportedError(f"model {excerpt(model)}: expected 'rest' or 'max-n'")
    if until is not None and until != "clear" and not (isinstance(until, int | float) and until > 0):
        raise UnsupportedError(f"until is {excerpt(until)}: expected a half-width above 0, or 'clear'")
    if until is not None and evidence is not None:
        raise UnsupportedError("until with evidence: intervals of weighted worlds hold for a fixed number of them only")


def _sample(judge: Judge, found: Judged, weights: NDArray[np.float64] | None, *, exact: bool, peek: bool) -> Sample:
    """What the statistics need of the worlds searched so far."""
    full = exact and found.n == len(judge.rep)
    own = found.own(judge.objective)
    return Sample(
        own[0], own[1], judge.range(judge.objective), judge.rates(judge.objective),
        None if weights is None else weights[: found.n], exact=full, peek=peek, same=judge.same,
    )  # fmt: skip


def _answer(
    knowledge: Knowledge, judge: Judge, found: Judged, sample: Sample, order: Sequence[int], best: NDArray[np.bool_],
    seed: int, *, peek: bool, stopped: bool,
) -> Advice:  # fmt: skip
    game, contract = knowledge.game, judge.contract
    rows: list[dict[str, Any]] = []
    columns = judge.columns
    tables = {
        name: [sample.like(*found.parts[name], judge.range(name), judge.rates(name)).interval(k)
               for k in range(len(judge.moves))]
        for name in columns
    }  # fmt: skip
    for k in order:
        move = judge.moves[k]
        row = card_row(str(move.card), move.declare, best=bool(best[k]))
        for name, column in columns.items():
            row |= _three(column, tables[name][k])
        row |= _three("diff", sample.difference(k))
        equal = [str(m) for j, m in enumerate(judge.moves) if j != k and judge.same[j] == judge.same[k]]
        rows.append({**row, "equals": " ".join(equal)})
    rows += barred_rows(judge.position)
    names = ["card", "declare", "legal", "best"]
    names += [f"{c}{end}" for c in (*columns.values(), "diff") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=[*names, "equals", "barred_by", "why"])
    frame = frame.astype({"barred_by": object, "why": object, "equals": object})
    return Advice(
        game.name, game.option_values(), f"seat {knowledge.seat} plays a card, {len(knowledge.play)} played before",
        game.deck.write(judge.position.hands[knowledge.seat]), contract_text(game, contract),
        judge.method(found.n, peek=peek), seed, found.n, game.unit_of(contract), frame,
        {"worlds": float(knowledge.count()), "distinct": float(found.distinct), "nodes": float(found.nodes)},
        stopped, notes=(*judge.notes(found, peek=peek), *((STOPPED,) if stopped else ())), seat=knowledge.seat,
        objective=judge.objective, worlds=knowledge.count(), distinct=found.distinct, exact=sample.exact,
        nodes=found.nodes,
    )  # fmt: skip


def _three(column: str, found: Interval) -> dict[str, float]:
    return {column: found.value, f"{column}_low": found.low, f"{column}_high": found.high}
