"""Where chunks are worked out: what a pool is given and answers, and the threads of this process."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from solver.model.errors import TrickwiseError
from solver.studies.kinds import Item, Row
from solver.studies.work import work_chunk

__all__ = ["Answer", "Failed", "Moment", "Pool", "Task", "Threads", "failed"]

#: Seconds of one wait; where a wait cannot be interrupted, Ctrl-C takes as long to be seen.
_NAP = 0.2
#: Seconds that chunks in hand have after a stop.
_MOMENT = 0.8
#: Seconds that a thread may keep Python's lock while another comes back from a search; the usual 0.005 cost a tenth.
_SWITCH = 0.0005


class Task(NamedTuple):
    """What is needed to work out a chunk: arguments of `solver.studies.work.work_chunk`."""

    definition: dict[str, Any]
    chunk: int
    units: int
    items: list[Item]


class Failed(NamedTuple):
    """Why a chunk was not worked out, in a line."""

    why: str


Answer = tuple[int, list[Row] | Failed]


class Pool(Protocol):
    """Where chunks are worked out."""

    workers: int

    def map_unordered(self, tasks: Iterator[Task], stop: threading.Event) -> Iterator[Answer]:
        """Work tasks out, and give each answer when it is there; after `stop` only those that come in a `Moment`."""
        ...


class Moment:
    """The time that chunks in hand have after a stop."""

    def __init__(self) -> None:
        self._until: float | None = None

    def over(self) -> bool:
        """Whether it is over; it begins when this is first asked."""
        if self._until is None:
            self._until = time.monotonic() + _MOMENT
        return time.monotonic() > self._until


def failed(wrong: BaseException) -> Failed:
    """What an error says, in a line."""
    said = " ".join(str(wrong).split()) or "no message"
    return Failed(said if isinstance(wrong, TrickwiseError) else f"{type(wrong).__name__}: {said}")


class Threads:
    """Threads of this process; compiled searches run beside each other.

    Parameters
    ----------
    workers
        How many; None for all cores.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or _cores()

    def map_unordered(self, tasks: Iterator[Task], stop: threading.Event) -> Iterator[Answer]:
        """As `Pool.map_unordered`."""
        asked: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

        def work() -> None:
            while (task := asked.get()) is not None:
                try:
                    answers.put((task.chunk, work_chunk(*task)))
                except BaseException as wrong:
                    answers.put((task.chunk, failed(wrong)))

        # Daemons: the program may end without them.
        threads = [threading.Thread(target=work, name=f"trickwise chunk {i}", daemon=True) for i in range(self.workers)]
        for thread in threads:
            thread.start()
        waiting, moment = 0, Moment()
        patience = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        try:
            while True:
                # One more than there are threads, so that none waits for the store.
                while waiting <= self.workers and not stop.is_set() and (task := next(tasks, None)) is not None:
                    asked.put(task)
                    waiting += 1
                if stop.is_set():
                    waiting -= _drain(asked)
                if not waiting or (stop.is_set() and moment.over()):
                    return
                try:
                    answer = answers.get(timeout=_NAP)
                except queue.Empty:
                    continue
                waiting -= 1
                yield answer
        finally:
            sys.setswitchinterval(patience)
            _drain(asked)
            for _ in threads:
                asked.put(None)


def _drain(asked: queue.SimpleQueue[Any]) -> int:
    """Take back what nobody has begun, and count it."""
    taken = 0
    while True:
        try:
            asked.get_nowait()
        except queue.Empty:
            return taken
        taken += 1


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
