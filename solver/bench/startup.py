"""How long a new process takes to its first answer, and how much memory a searching thread holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from solver.bench.timing import Case
from solver.deals.search import Search
from solver.kernels._jit import cache_dir
from solver.model.errors import UnsupportedError

__all__ = ["Start", "first_answer", "memories", "starts"]

#: What a new process is asked: Thousand, whose rules use most of the search, and the answer.
_DEAL = "AH KH QH 9H TS JC 9D | JH AD TD KC QC KS 9S | KD QD JD AC TC AS QS | talon: TH JS 9C"
_ASKED = ("solve", "thousand", _DEAL, "120 by 0, pass 9C to 1, 9D to 2", "--json")
_ANSWER = 156


class Start(NamedTuple):
    """Seconds of one new process, on the clock and of its CPU time."""

    clock: float
    cpu: float


def first_answer(cache: Path) -> Start:
    """Seconds from starting a process to the end of its first answer.

    Parameters
    ----------
    cache
        Folder of compiled code; empty for a cold start.
    """
    root = str(Path(__file__).parents[2])  # where the package was found, installed or not
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    around = {**os.environ, "TRICKWISE_CACHE_DIR": str(cache), "PYTHONPATH": path}
    start, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-m", "solver.cli", *_ASKED], env=around, capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    seconds, after = time.perf_counter() - start, os.times()
    try:
        value = json.loads(done.stdout)["rows"][0]["value"]
    except (ValueError, LookupError):
        said = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        raise UnsupportedError(f"a new process could not answer: {said}") from None
    if value != _ANSWER:
        raise UnsupportedError(f"a new process answered {value} where {_ANSWER} is right")
    children = after.children_user + after.children_system - before.children_user - before.children_system
    return Start(seconds, children)


def starts(*, cold: bool = True, warm: int = 3) -> dict[str, float | None]:
    """A cold start and the median of some warm ones; a cold one compiles everything and takes long."""
    with tempfile.TemporaryDirectory(prefix="trickwise-bench-") as folder:
        # Without a cold start the folder in use serves, which has what this process compiled or loaded.
        cache = Path(folder) if cold or cache_dir is None else cache_dir.parent
        first = first_answer(cache)
        again = [first_answer(cache) for _ in range(warm)]
    return {
        "cold_s": first.clock if cold else None, "cold_cpu_s": first.cpu if cold else None,
        "warm_s": median(one.clock for one in again), "warm_cpu_s": median(one.cpu for one in again),
    }  # fmt: skip


def memories(cases: Iterable[Case]) -> list[dict[str, Any]]:
    """Megabytes of one thread's search memory, by game and seats."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for case in cases:
        key = (case.game, len(case.position.hands))
        if key not in rows:
            one = Search(case.position)
            size = sum(array.nbytes for array in one.memory)
            rows[key] = {"game": key[0], "seats": key[1], "deck": len(one.layout.cards), "mb": size / 2**20}
    return list(rows.values())
