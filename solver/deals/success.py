"""Many worlds, one question: how many thresholds of a rising row the side reaches in each.

A `Task` is a stack of deals that share rules, leader and state. `Runner` cuts tasks into chunks of fixed size and
searches them on threads; the kernels hold no GIL. Every deal is searched on its own, so the answers depend neither on
the chunks nor on the number of workers. An interrupt (Ctrl-C) stops running chunks and returns what was finished.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.deals.search import counting_tricks, thread_memory
from solver.kernels.batch import levels
from solver.kernels.table import STOP, Memory
from solver.model.layout import layout_of
from solver.model.play import Position

__all__ = ["CHUNK", "Levels", "Progress", "Runner", "Searchable", "Task", "kept_apart", "progress_bar", "task"]

#: Deals that a worker takes at once.
CHUNK = 8

#: Chunks in hand or waiting, for each worker.
_WAITING = 4

#: What `progress` may be: a function of (done, total), True for a bar, None or False for silence.
Progress = Callable[[int, int], None] | bool | None


@dataclass(frozen=True)
class Task:
    """Deals to search, all at the start of a trick.

    Parameters
    ----------
    record
        The kernels' `Rules`.
    cards
        Cards of the deck, for the size of a thread's table.
    hands
        ``uint64[n, seats]`` in the layout's bits.
    sides
        ``int64[n]``, one bit each collecting seat.
    needs
        ``int64[q]``, rising thresholds of what the side takes from the play; ``int64[n, q]`` where they differ.
    leader, state, first_lead
        The same for all deals.
    """

    record: Any
    cards: int
    hands: NDArray[np.uint64]
    sides: NDArray[np.int64]
    needs: NDArray[np.int64]
    leader: int
    state: int
    first_lead: int

    def __len__(self) -> int:
        return len(self.hands)

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        """Room for the answers, with the shared note of what is done."""
        n = len(self)
        return Levels(np.zeros(n, np.int16), np.zeros(n, np.int16), np.zeros(n, np.int64), done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        """Search some of the deals, on the thread that calls."""
        search_part(self, part, answer, memory, limit)


def task(
    position: Position,
    hands: NDArray[np.uint64],
    sides: NDArray[np.int64] | int,
    needs: Sequence[int] | NDArray[np.int64],
    *,
    measure: str = "points",
) -> Task:
    """Put a question about many deals that differ from a position in nothing but hands and sides.

    Parameters
    ----------
    position
        Start of one of the deals: gives rules, leader, trump and whether it is the first lead.
    hands
        In the bits of the layout of `position.rules`.
    sides
        Collecting seats as bits, by deal or for all.
    needs
        Rising thresholds, for all deals or ``[n, thresholds]``.
    measure
        ``"points"`` as the rules count them, or ``"tricks"``.
    """
    rules = position.rules if measure == "points" else counting_tricks(position.rules)
    layout = layout_of(rules)
    barred = int(position.first_lead and not rules.marriage_on_first_lead)
    every = np.full(len(hands), sides, np.int64)
    return Task(
        layout.record, len(layout.cards), np.ascontiguousarray(hands, np.uint64), every,
        np.array(needs, np.int64), position.leader, layout.state(position)[0], barred,
    )  # fmt: skip


def search_part(one: Task, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
    """Search some deals of a task, on the thread that calls."""
    hands = one.hands[part]
    needs = one.needs[part] if one.needs.ndim > 1 else np.tile(one.needs, (len(hands), 1))
    levels(
        one.record, hands, one.sides[part], one.leader, one.state, one.first_lead, needs,
        answer.low[part], answer.high[part], answer.nodes[part], memory, limit,
    )  # fmt: skip


class Searchable(Protocol):
    """What a `Runner` searches: a `Task`, or anything of its kind."""

    @property
    def cards(self) -> int:
        """Cards of the deck, for the size of a thread's table."""

    def __len__(self) -> int: ...

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        """Room for the answers, with the shared note of what is done."""

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        """Search some of the deals, on the thread that calls."""


class Levels(NamedTuple):
    """Answers, by deal.

    Parameters
    ----------
    low, high
        How many thresholds are surely and possibly reached; equal unless a search met its node limit.
    nodes
        Positions searched.
    done
        False where an interrupt came first; the other entries then mean nothing.
    """

    low: NDArray[np.int16]
    high: NDArray[np.int16]
    nodes: NDArray[np.int64]
    done: NDArray[np.bool_]


def kept_apart(done: NDArray[np.bool_]) -> Levels:
    """No room for answers: those of a `Searchable` that keeps them itself."""
    none = np.zeros(0, np.int16)
    return Levels(none, none, np.zeros(0, np.int64), done)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Runner:
    """Worker threads for the length of a ``with`` block.

    Parameters
    ----------
    workers
        Threads; None for one each core. Numbers do not depend on it.
    progress
        Told after every chunk how many deals are done and how many there are.
    total
        Deals of all runs together, for `progress`; 0 takes the run's own number.
    limit
        Nodes a deal, 0 for none.
    chunk
        Deals that a worker takes at once.

    Attributes
    ----------
    interrupted
        Whether an interrupt ended a run early; runs after it return at once with nothing done.
    searches
        Deals finished so far.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        progress: Progress = None,
        total: int = 0,
        limit: int = 0,
        chunk: int = CHUNK,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"workers is {workers}: at least one is needed, or None for all cores")
        self.workers = workers or cores()
        self.tell = progress_bar(progress)
        self.total = total
        self.limit = limit
        self.chunk = chunk
        self.interrupted = False
        self.searches = 0
        self._pool: ThreadPoolExecutor | None = None
        self._memories: dict[int, Memory] = {}  # in use, by identity

    def __enter__(self) -> Runner:
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="trickwise")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._pool is not None
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _some(self, tasks: Sequence[Searchable], answers: Sequence[Levels], start: int, stop: int) -> int:
        """Search deals start to stop of every task, on the thread that calls."""
        part = slice(start, stop)
        for one, answer in zip(tasks, answers, strict=True):
            memory = thread_memory(one.cards)
            self._memories[id(memory)] = memory
            if self.interrupted:  # asked after the memory is known to `_stop`, so none is missed
                return 0
            one.search(part, answer, memory, self.limit)
        if self.interrupted:  # what the stop flag cut short proves nothing
            return 0
        answers[0].done[part] = True  # one array, shared by all answers
        return (stop - start) * len(tasks)

    def run(self, *tasks: Searchable) -> list[Levels]:
        """Search every deal of some tasks about the same worlds; a world counts as done when all tasks have it."""
        assert self._pool is not None, "use a Runner in a with block"
        n = len(tasks[0])
        done = np.zeros(n, np.bool_)
        answers = [one.answer(done) for one in tasks]
        if self.interrupted:
            return answers
        futures: set[Future[int]] = set()
        base = self.searches
        try:
            self._some(tasks, answers, 0, 0)  # compile, or load what was compiled, before threads start
            starts = iter(range(0, n, self.chunk))
            while True:
                for at in islice(starts, _WAITING * self.workers - len(futures)):  # few, so that all can be taken back
                    futures.add(self._pool.submit(self._some, tasks, answers, at, min(at + self.chunk, n)))
                if not futures:
                    break
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    futures.remove(future)
                    self.searches += future.result()
                    if self.tell is not None:
                        self.tell(self.searches, self.total or base + n * len(tasks))
        except KeyboardInterrupt:
            self._stop(futures)
            self.searches = base + int(done.sum()) * len(tasks)
        return answers

    def _stop(self, futures: Collection[Future[int]]) -> None:
        """Let searches give up, and wait for them; further interrupts change nothing."""
        while True:
            try:
                self.interrupted = True
                for memory in list(self._memories.values()):
                    memory.counters[STOP] = 1
                for future in futures:
                    future.cancel()
                for future in futures:
                    if not future.cancelled():
                        future.result()
                for memory in self._memories.values():
                    memory.counters[STOP] = 0
                return
            except KeyboardInterrupt:
                continue


def progress_bar(progress: Progress) -> Callable[[int, int], None] | None:
    """Return the function to call with (done, total): the given one, a bar on standard error, or None."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress

    def bar(done: int, total: int) -> None:
        full = 30 * done // max(total, 1)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r[{'#' * full}{'.' * (30 - full)}] {done}/{total}{end}")
        sys.stderr.flush()

    return bar
