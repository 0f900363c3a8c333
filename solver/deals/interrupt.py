"""Ctrl-C during a compiled search.

A compiled call runs without the GIL, but Python handles an interrupt on the main thread only, and there not before the
call returns. So a question of the main thread is searched on a thread of its own while the main thread waits; an
interrupt sets the stop flag in the search's memory, the search gives up (it looks there every 1024 nodes), and what it
had proved stands.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from solver.kernels.table import STOP, Memory

__all__ = ["STOP", "STOPPED", "interruptible", "stopping"]

#: Note of an answer that an interrupt cut short.
STOPPED = "stopped: proved so far"

#: Seconds of one wait; where a wait cannot be interrupted, Ctrl-C takes as long to be seen.
_NAP = 0.2

_T = TypeVar("_T")


def stopping(memory: Memory) -> bool:
    """Whether the searches of a memory have been told to give up."""
    return bool(memory.counters[STOP])


def interruptible(ask: Callable[[], _T], memory: Memory) -> tuple[_T, bool]:
    """Ask a question in such a way that Ctrl-C ends it.

    Parameters
    ----------
    ask
        Searches with `memory` and nothing else.
    memory
        Not in use elsewhere.

    Returns
    -------
    answer
        Of `ask`, whose searches met the stop flag if there was an interrupt.
    stopped : bool
        Whether there was one. Away from the main thread never: no interrupt reaches other threads.
    """
    if threading.current_thread() is not threading.main_thread():
        return ask(), False
    answers: list[_T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            answers.append(ask())
        except BaseException as wrong:
            errors.append(wrong)
        finally:
            done.set()

    stopped = False
    thread = threading.Thread(target=run, name="trickwise search", daemon=True)
    thread.start()
    while not done.is_set():
        try:
            done.wait(_NAP)
        except KeyboardInterrupt:
            stopped = True
            memory.counters[STOP] = 1
        except BaseException as wrong:  # a handler of another signal ends the program: the search ends first
            errors.insert(0, wrong)
            memory.counters[STOP] = 1
    thread.join()
    memory.counters[STOP] = 0
    if errors:
        raise errors[0]
    return answers[0], stopped
