"""Measurements of a benchmark, one method for each kind of work."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from solver.bench.ablation import ablation
from solver.bench.peers import Endplay
from solver.bench.startup import memories, starts
from solver.bench.timing import (
    Case,
    Timed,
    as_threshold,
    differing,
    endings,
    many_timed,
    read_suite,
    summary,
    timed,
)
from solver.bench.workloads import WORKS, Work
from solver.deals.search import Search, thread_memory
from solver.deals.success import Levels, search_part, task
from solver.deals.table import table
from solver.games import game
from solver.games.skat import Skat
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of

__all__ = ["SEED", "Row", "Run"]

#: Seed of the endings.
SEED = 1
#: Deals of the unit U, and in a quick run.
UNIT, UNIT_QUICK = 100, 10
#: Turns of ours and the peer's in one work whose deals are short; a longer one takes turns deal by deal.
TURNS = 10
#: Deals and nodes a deal of the ablation, and in a quick run.
ABLATION, ABLATION_QUICK = (10, 2_000_000), (2, 50_000)
#: Deals of the kit solved in all, and in a quick run.
BATCH, BATCH_QUICK = 20_000, 1_000

#: Columns of one measurement.
Row = dict[str, Any]


@dataclass
class Run:
    """One run: its settings, the peer's deals, and what was found so far."""

    folder: Path
    quick: bool
    peer: Endplay | None
    workers: int
    limit: int
    progress: Callable[[int, int], None] | None
    rows: list[Row] = field(default_factory=list)
    wrong: list[Row] = field(default_factory=list)
    done: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        self._suites: dict[str, list[Case]] = {}
        self.unit: list[tuple[Case, Any]] = []  # the peer's deals, ready to be solved
        if self.peer is not None and (self.folder / "bridge.jsonl").exists():
            some = self.suite("bridge")[: UNIT_QUICK if self.quick else UNIT]
            self.unit = [(case, self.peer.prepare(case.position)) for case in some]

    def suite(self, name: str) -> list[Case]:
        """Deals of a suite."""
        if name not in self._suites:
            self._suites[name] = read_suite(self.folder / f"{name}.jsonl")
        return self._suites[name]

    def all_suites(self) -> list[str]:
        """Suites of the folder whose deals are all of one kind."""
        names = dict.fromkeys(w.suite for w in WORKS if w.suite and w.suite != "hard")
        return [name for name in names if (self.folder / f"{name}.jsonl").exists()]

    def cases(self, work: Work) -> list[Case]:
        """Deals of a work, with its question."""
        found = self.suite(work.suite)[: min(work.most, work.quick if self.quick else work.most)]
        if work.need is None:
            return found
        return [as_threshold(case, work.need - (rest_points(case) if work.rest_counts else 0)) for case in found]

    def plan(self, works: Sequence[Work], parts: bool) -> None:
        """Count what there is to do."""
        for work in works:
            self.total += len(self.cases(work)) if work.suite else 1
        if parts:
            count, _ = ABLATION_QUICK if self.quick else ABLATION
            self.total += sum(len(self.cases(work)[:count]) for work in self.ablated(works))

    def tell(self, steps: int = 1) -> None:
        """Count something as done."""
        self.done += steps
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)

    def measure(self, work: Work) -> None:
        """Do one work and keep its rows."""
        kinds = {
            "deals": self.deals, "batch": self.batch, "table": self.table, "endings": self.endings,
            "memory": self.memory, "start": self.start,
        }  # fmt: skip
        common = {"kind": work.kind, "work": work.name, "about": work.about, "suite": work.suite or None}
        self.rows += [{**common, **row} for row in kinds[work.kind](work)]

    def unit_turn(self, at: int, turns: int) -> list[float]:
        """Let the peer solve its share of the unit's deals; seconds of each."""
        if self.peer is None:
            return []
        out = []
        for case, ready in self.unit[len(self.unit) * at // turns : len(self.unit) * (at + 1) // turns]:
            start = time.thread_time()
            value = self.peer.value(ready)
            out.append(time.thread_time() - start)
            if value != case.recorded:
                self.wrong.append({"work": self.peer.name, "id": case.id, "recorded": case.recorded, "found": value})
        return out

    def against(self, peer: Sequence[float]) -> Row:
        """Columns about the peer."""
        return {"peer_ms": 1000 * float(np.mean(peer)), "peer_deals": len(peer)} if peer else {}

    def warm(self, case: Case) -> None:
        """Compile, or load, everything that a measurement will call."""
        Search(case.position).memory.entries.fill(0)  # so that no deal pays for the first touch of a page
        timed(case, limit=self.limit or 10_000)
        if self.peer is not None and self.unit:
            self.peer.value(self.unit[0][1])

    # ------------------------------------------------------------------ kinds of work

    def deals(self, work: Work) -> list[Row]:
        """Deals one by one."""
        cases = self.cases(work)
        for kind in {(c.game, len(c.position.hands), c.need is None): c for c in cases}.values():
            self.warm(kind)
        found: list[Timed] = []
        peer: list[float] = []
        turns = min(len(cases), len(self.unit) if work.suite == "bridge" and self.unit else TURNS)
        if self.workers > 1:
            found = many_timed(cases, self.workers, limit=self.limit or work.limit)
            peer = self.unit_turn(0, 1)
            self.tell(len(cases))
        else:
            for at in range(turns):
                for case in cases[len(cases) * at // turns : len(cases) * (at + 1) // turns]:
                    found.append(timed(case, limit=self.limit or work.limit))
                    self.tell()
                peer += self.unit_turn(at, turns)
        bad = [{"work": work.name, **row} for row in differing(found)]
        self.wrong += bad
        limited = sum(t.answer is None for t in found)
        times, nodes = [t.seconds for t in found], [t.nodes for t in found]
        return [
            {
                "deals": len(found), "wrong": len(bad), "limited": limited, **summary(times, nodes),
                **self.against(peer), "each_ms": [round(1000 * s, 5) for s in times], "each_nodes": nodes,
            }
        ]  # fmt: skip

    def batch(self, work: Work) -> list[Row]:
        """Many small deals in one call."""
        cases = self.cases(work)
        first = cases[0].position
        if any(c.position.leader != first.leader or c.position.rules != first.rules for c in cases):
            raise UnsupportedError(f"{work.suite}.jsonl: deals of one batch have the same rules and the same leader")
        layout = layout_of(first.rules)
        hands = np.array([[layout.encode(hand) for hand in c.position.hands] for c in cases], np.uint64)
        sides = np.array([sum(1 << s for s in c.position.side) for c in cases], np.int64)
        asked = task(first, hands, sides, range(1, len(first.hands[0]) + 1))
        memory = thread_memory(asked.cards)
        n = len(cases)
        answer = Levels(np.zeros(n, np.int16), np.zeros(n, np.int16), np.zeros(n, np.int64), np.ones(n, np.bool_))
        search_part(asked, slice(0, 0), answer, memory, self.limit)
        self.warm(cases[0])
        peer: list[float] = []
        seconds = 0.0
        calls = max((BATCH_QUICK if self.quick else BATCH) // n, 1)
        turns = min(TURNS, calls)
        for at in range(turns):
            start = time.thread_time()
            for _ in range(calls // turns):
                search_part(asked, slice(0, n), answer, memory, self.limit)
            seconds += time.thread_time() - start
            peer += self.unit_turn(at, turns)
        asked_in_all = calls // turns * turns * n
        found = [
            Timed(c, int(low), int(high), int(nodes), 0.0)
            for c, low, high, nodes in zip(cases, answer.low, answer.high, answer.nodes, strict=True)
        ]
        bad = [{"work": work.name, **row} for row in differing(found)]
        self.wrong += bad
        self.tell(n)
        mean = summary([seconds / asked_in_all] * n, answer.nodes.tolist())
        kept = ("nodes", "nodes_in_all", "mean_ms", "million_nodes_s")
        return [{"deals": n, "wrong": len(bad), "limited": 0, **{k: mean[k] for k in kept}, **self.against(peer)}]

    def table(self, work: Work) -> list[Row]:
        """Table of 20 cells, deal by deal in turns with the peer; CPU time of all threads, as the peer has its own."""
        bridge = game("bridge")
        times, nodes, peer, bad = [], [], [], []
        cases = self.cases(work)
        table(Deal(bridge, endings(cases, 1, 1, seed=SEED)[0].position.hands), workers=1)
        if self.peer is not None:
            self.peer.table(self.peer.prepare(cases[0].position))
        for case in cases:
            start = time.process_time()
            found = table(Deal(bridge, case.position.hands), workers=1)
            times.append(time.process_time() - start)
            nodes.append(found.nodes)
            cells = {(int(r["seat"]), str(r["strain"])): int(r["tricks"]) for r in found.frame.to_dict("records")}
            declarer = (case.position.leader + 3) % 4
            own = cells[declarer, case.position.trump or "NT"]
            value = own if declarer in case.position.side else len(case.position.hands[0]) - own
            if case.recorded is not None and value != case.recorded:
                bad.append({"work": work.name, "id": case.id, "recorded": case.recorded, "found": value})
            if self.peer is not None:
                ready = self.peer.prepare(case.position)
                start = time.process_time()
                theirs = self.peer.table(ready)
                peer.append(time.process_time() - start)
                bad += [
                    {"work": work.name, "id": f"{case.id}, {strain} by {seat}", "recorded": tricks, "found": got}
                    for (seat, strain), tricks in theirs.items()
                    if (got := cells[seat, strain]) != tricks
                ]
            self.tell()
        self.wrong += bad
        row = {"deals": len(cases), "wrong": len(bad), "limited": 0, **summary(times, nodes), **self.against(peer)}
        return [{**row, "each_ms": [round(1000 * s, 5) for s in times], "each_nodes": nodes}]

    def endings(self, work: Work) -> list[Row]:
        """Nodes and time by cards left."""
        rows = []
        for name in self.all_suites():
            cases = self.suite(name)
            if cases[0].need is not None:
                cases = [c._replace(need=None, recorded=None) for c in cases]
            self.warm(endings(cases, 1, 1, seed=SEED)[0])
            for left in range(1, len(cases[0].position.hands[0]) + 1):
                some = endings(cases, left, work.quick if self.quick else work.most, seed=SEED)
                found = [timed(case, limit=self.limit or 20_000_000) for case in some]
                mean = summary([t.seconds for t in found], [t.nodes for t in found])
                kept = {k: mean[k] for k in ("nodes", "mean_ms", "million_nodes_s")}
                limited = sum(t.answer is None for t in found)
                rows.append({"of": name, "cards_left": left, "deals": len(some), "limited": limited, **kept})
        self.tell()
        return rows

    def memory(self, work: Work) -> list[Row]:
        """Memory of a searching thread: the row's `mb` is the largest, `by_game` has all."""
        found = memories(case for name in self.all_suites() for case in self.suite(name)[:1])
        self.tell()
        return [{"mb": max((row["mb"] for row in found), default=None), "by_game": found}]

    def start(self, work: Work) -> list[Row]:
        """Start of a new process, without compiled code and with it."""
        found = starts(cold=not self.quick)
        self.tell()
        return [dict(found)]

    def ablated(self, works: Sequence[Work]) -> list[Work]:
        """Works that the ablation repeats."""
        return [w for w in works if w.kind == "deals" and w.name != "hard"]

    def ablation(self, works: Sequence[Work]) -> None:
        """Search some deals of each work without each part."""
        count, limit = ABLATION_QUICK if self.quick else ABLATION
        for work in self.ablated(works):
            rows, bad = ablation(self.cases(work)[:count], limit=limit, tell=self.tell)
            self.rows += [{"kind": "ablation", "work": f"{work.name} without", "of": work.name, **r} for r in rows]
            self.wrong += [{"work": work.name, **row} for row in bad]


def rest_points(case: Case) -> int:
    """Points of the cards in no hand: the skat, or what was laid away."""
    played = frozenset[str]().union(*case.position.hands)
    return Skat().points(set(Skat().deck.cards) - played)
