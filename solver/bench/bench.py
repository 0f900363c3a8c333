"""The benchmark: recorded deals solved again, how long that takes, and whether the answers are the recorded ones.

All times are CPU times (`solver.bench.timing`), and those of another solver, where it is installed, are taken in the
same run, in turns with ours, so that whatever else the machine does meets both.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from solver.bench.measure import SEED, Row, Run
from solver.bench.peers import find_peer
from solver.bench.workloads import FIGURES, chosen, suites_folder
from solver.deals.versions import versions
from solver.kernels._jit import fingerprint

__all__ = ["Bench", "bench"]


@dataclass(frozen=True)
class Bench:
    """Answer of `bench`.

    Parameters
    ----------
    rows
        One for each work; for endings and the ablation one for each part.
    figures
        The figures to reach, with the values of this run.
    wrong
        Answers that differ from the recorded ones.
    peer
        Name and version of the other solver, None without.
    quick, partial
        Whether only some deals were measured; whether an interrupt came first.
    date, cpu, versions
        When, where and with what.
    """

    rows: list[Row]
    figures: list[Row]
    wrong: list[Row]
    peer: str | None
    quick: bool
    partial: bool
    date: str
    cpu: str
    versions: dict[str, str]
    seed: int = SEED
    method: str = "CPU time of one thread"

    def records(self) -> list[Row]:
        """Every row and figure with all that it needs to stand alone."""
        common = {
            "date": self.date, "cpu": self.cpu, "versions": self.versions, "peer": self.peer, "quick": self.quick,
            "seed": self.seed,
        }  # fmt: skip
        return [{**row, **common} for row in (*self.rows, *({"kind": "figure", **f} for f in self.figures))]


def bench(
    names: Sequence[str] = (),
    *,
    suites: str = "",
    quick: bool = False,
    peers: bool = True,
    parts: bool = False,
    workers: int = 1,
    limit: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Bench:
    """Measure the search.

    Parameters
    ----------
    names
        Works (`solver.bench.workloads.WORKS`) or suites; everything when there are none.
    suites
        Folder of the suites; the package's own when empty.
    quick
        Few deals, and no cold start.
    peers
        Whether another solver takes part, if one is installed.
    parts
        Also measure the search without each of its parts.
    workers
        Threads that search at the same time, each measured by itself.
    limit
        Nodes a question, 0 for none.
    progress
        Told how many deals of how many are done.

    Returns
    -------
    Bench
    """
    folder = suites_folder(suites)
    works = chosen(tuple(names), folder)
    run = Run(folder, quick, find_peer() if peers else None, workers, limit, progress)
    run.plan(works, parts)
    partial = False
    try:
        for work in works:
            run.measure(work)
        if parts:
            run.ablation(works)
    except KeyboardInterrupt:
        partial = True
    peer = run.peer
    used = {**versions(), "kernels": fingerprint()[:8], **({peer.name: peer.version} if peer else {})}
    return Bench(
        run.rows, figures(run.rows), run.wrong, f"{peer.name} {peer.version}" if peer else None, quick, partial,
        datetime.now(UTC).isoformat(timespec="seconds"), cpu_name(), used,
    )  # fmt: skip


def cpu_name() -> str:
    """Model of the processor, as far as the system says."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def figures(rows: Sequence[Row]) -> list[Row]:
    """Figures that these rows give; a ratio needs the peer, without it times are in ms and have nothing to reach."""
    by_work = {row["work"]: row for row in rows if row["kind"] != "endings"}
    out = []
    for one in FIGURES:
        row = by_work.get(one.work, {})
        value, unit = row.get(one.field), one.unit
        must: float | None = one.must
        goal: float | None = one.goal
        if value is None:
            continue
        if unit in ("U", "x"):
            if row.get("peer_ms"):
                value /= row["peer_ms"]
            else:
                unit, must, goal = "ms", None, None
        reached = None
        if must is not None and goal is not None:
            better = [value >= m if one.rising else value <= m for m in (must, goal)]
            reached = "goal" if better[1] else "must" if better[0] else "no"
        out.append({"figure": one.about, "value": value, "unit": unit, "must": must, "goal": goal, "reached": reached})
    return out
