"""Measuring single deals: what is asked, how long the search takes, and whether the answer is the recorded one.

The time of a deal is the CPU time of the thread for what one more deal costs in a batch: noting the deal (`next_deal`)
and searching it. Reading the line and turning cards into bits come before. The same call with nothing to search is
measured next to it and taken off, as it is the price of crossing from Python, not of the deal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver.deals.search import Search
from solver.formats.jsonl import load, read_position
from solver.kernels.table import Memory
from solver.model.errors import NotationError, TrickwiseError
from solver.model.play import Position

__all__ = ["Case", "Timed", "differing", "endings", "many_timed", "read_suite", "summary", "timed"]


class Case(NamedTuple):
    """A deal of a suite: whether the side takes `need`, or how much it takes, and the recorded answer."""

    id: str
    game: str
    position: Position
    need: int | None
    recorded: int | bool | None


class Timed(NamedTuple):
    """What one deal took, and its answer: proved bounds, (0, 0) no and (1, 1) yes for a threshold."""

    case: Case
    low: int
    high: int
    nodes: int
    seconds: float

    @property
    def answer(self) -> int | bool | None:
        """The answer in the form of the recorded one; None when the limit came first."""
        if self.low != self.high:
            return None
        return self.low if self.case.need is None else bool(self.low)

    @property
    def wrong(self) -> bool:
        """Whether what was proved excludes the recorded answer."""
        return self.case.recorded is not None and not self.low <= self.case.recorded <= self.high


def read_suite(path: Path) -> list[Case]:
    """Read a suite of JSON lines with recorded answers.

    Raises
    ------
    NotationError
        With file and line, when one cannot be read.
    """
    cases = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found = load(text)
            name, position, question = read_position(found)
        except TrickwiseError as wrong:
            raise NotationError(f"{path.name} line {number}: {wrong}") from None
        recorded = found.get("value" if question.need is None else "makes")
        cases.append(Case(str(number if name is None else name), found["game"], position, question.need, recorded))
    if not cases:
        raise NotationError(f"{path.name} is empty: a suite has a deal a line")
    return cases


def as_threshold(case: Case, need: int) -> Case:
    """Ask whether the side reaches `need` instead of how much it takes; the recorded value answers that too."""
    assert case.need is None, "a recorded threshold answers no other"
    recorded = None if case.recorded is None else case.recorded >= need
    return case._replace(need=need, recorded=recorded)


def timed(case: Case, *, limit: int = 0, memory: Memory | None = None) -> Timed:
    """Search one deal from scratch."""
    one = Search(case.position, limit=limit, memory=memory)
    arguments = one.arguments(case.position)
    clock = time.thread_time
    start = clock()
    one.ask_nothing(arguments)
    empty = clock() - start
    start = clock()
    one.renew()
    if case.need is None:
        low, high = one.ask_value(arguments)
    else:
        reached = one.ask_need(arguments, case.need)
        low, high = (0, 1) if reached is None else (int(reached), int(reached))
    seconds = max(clock() - start - empty, 0.0)
    return Timed(case, low, high, one.nodes, seconds)


def many_timed(cases: Sequence[Case], workers: int, *, limit: int = 0) -> list[Timed]:
    """Search deals on several threads at once, each measured by the CPU time of its thread."""
    with ThreadPoolExecutor(workers, thread_name_prefix="trickwise") as pool:
        return list(pool.map(lambda case: timed(case, limit=limit), cases))


def differing(found: Sequence[Timed]) -> list[dict[str, Any]]:
    """Answers that are not the recorded ones."""
    rows = []
    for one in found:
        if one.wrong:
            got = one.answer if one.answer is not None else f"{one.low} to {one.high}"
            rows.append({"id": one.case.id, "recorded": one.case.recorded, "found": got})
    return rows


def summary(seconds: Sequence[float], nodes: Sequence[int]) -> dict[str, Any]:
    """Mean, median, 99th percentile and maximum of times, nodes, and nodes a second."""
    ms = 1000 * np.array(seconds)
    return {
        "nodes": float(np.mean(nodes)), "nodes_in_all": int(np.sum(nodes)), "mean_ms": float(ms.mean()),
        "median_ms": float(np.median(ms)), "p99_ms": float(np.percentile(ms, 99)), "max_ms": float(ms.max()),
        "million_nodes_s": float(np.sum(nodes) / max(ms.sum(), 1e-6) / 1000),
    }  # fmt: skip


def endings(cases: Sequence[Case], tricks: int, count: int, *, seed: int) -> list[Case]:
    """Value questions about the first deals of a suite, with so many random cards of each hand left."""
    out = []
    for i, case in enumerate(cases[:count]):
        rng = np.random.default_rng((seed, tricks, i))
        hands = []
        for hand in case.position.hands:
            cards = sorted(hand)
            hands.append(frozenset(cards[at] for at in rng.permutation(len(cards))[:tricks]))
        position = case.position
        rest = Position(position.rules, tuple(hands), position.leader, side=position.side, trump=position.trump)
        out.append(Case(f"{case.id}, {tricks} left", case.game, rest, None, None))
    return out
