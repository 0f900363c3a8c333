"""The benchmark: that it asks what it says and notices wrong answers. Nothing here depends on time."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import json
from pathlib import Path

import pytest

from solver.bench import bench as benching
from solver.bench.ablation import ablation, agreed
from solver.bench.bench import Bench, bench, figures
from solver.bench.peers import find_peer
from solver.bench.startup import Start, first_answer, memories, starts
from solver.bench.timing import (
    Timed,
    as_threshold,
    differing,
    endings,
    many_timed,
    read_suite,
    summary,
    timed,
)
from solver.bench.workloads import FIGURES, WORKS, chosen, suites_folder
from solver.deals.search import Search
from solver.formats.jsonl import read_position
from solver.kernels._jit import cache_dir
from solver.kernels.table import SWITCHES
from solver.model.errors import NotationError, UnsupportedError

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "solver" / "bench" / "suites"
DEALS = {"deals", "wrong", "limited", "nodes", "nodes_in_all", "mean_ms", "million_nodes_s"}


@pytest.fixture(scope="module")
def maker():
    """The script that makes suites."""
    spec = importlib.util.spec_from_file_location("make_suites", ROOT / "benchmarks" / "make_suites.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --------------------------------------------------------------------- suites


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda p: p.stem)
def test_suites_are_complete(path: Path) -> None:
    cases = read_suite(path)
    assert [c.id for c in cases] == [f"{path.stem}-{i}" for i in range(len(cases))]
    for case in cases:
        assert (case.need is None) == (type(case.recorded) is int), case.id
        hands = case.position.hands
        assert len({len(h) for h in hands}) == 1, case.id
        assert 0 < len(case.position.side) < len(hands), case.id


def test_hard_deals_are_what_they_are_called() -> None:
    cases = read_suite(FOLDER / "hard.jsonl")
    assert [sum(c.game == g for c in cases) for g in ("bridge", "three_of_spades", "sheepshead")] == [26, 12, 12]
    lengths = {
        tuple(sorted(sum(card[1] == s for card in hand) for s in "CDHS"))
        for c in cases
        if c.game == "bridge"
        for hand in c.position.hands
    }
    assert {(0, 0, 5, 8), (2, 2, 2, 7), (3, 3, 3, 4), (0, 0, 0, 13)} <= lengths
    assert all(len(c.position.side) == 3 for c in cases if c.game == "three_of_spades")


@pytest.mark.slow
def test_hard_deals() -> None:
    for case in read_suite(FOLDER / "hard.jsonl"):
        assert not timed(case, limit=300_000).wrong, case.id


@pytest.mark.parametrize("name", ["kit", "thousand_120"])
def test_suites_can_be_made_again(maker, name: str) -> None:
    lines = (FOLDER / f"{name}.jsonl").read_text().splitlines()[:8]
    assert [json.dumps(line) for line in itertools.islice(maker.SUITES[name](), 8)] == lines


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text((FOLDER / "kit.jsonl").read_text().splitlines()[0] + '\n{"game": "kit"}\n')
    with pytest.raises(NotationError, match=r"mine\.jsonl line 2: the key 'hands' is missing"):
        read_suite(path)
    path.write_text("")
    with pytest.raises(NotationError, match=r"mine\.jsonl is empty"):
        read_suite(path)


def test_folder_and_names(tmp_path: Path) -> None:
    assert suites_folder() == FOLDER
    with pytest.raises(UnsupportedError, match="no suites in the folder"):
        suites_folder(str(tmp_path / "none"))
    assert [w.name for w in chosen((), FOLDER)] == [w.name for w in WORKS]
    assert [w.name for w in chosen(("skat", "kit"), FOLDER)] == ["skat", "kit"]
    assert [w.name for w in chosen(("three_of_spades_5",), FOLDER)] == ["spades_5"]
    assert [w.name for w in chosen((), tmp_path)] == ["endings", "memory", "start"]
    (tmp_path / "mine.jsonl").write_text("")
    assert chosen(("mine",), tmp_path)[0].suite == "mine"
    with pytest.raises(NotationError, match=r"no suite 'skta' to measure: there are bridge, .*mine"):
        chosen(("skta",), tmp_path)
    with pytest.raises(UnsupportedError, match=r"skat\.jsonl is not in"):
        chosen(("skat",), tmp_path)


# --------------------------------------------------------------------- one deal


def test_timed_is_the_search() -> None:
    for case in read_suite(FOLDER / "thousand_8.jsonl")[:3] + read_suite(FOLDER / "three_of_spades_7.jsonl")[:2]:
        one = Search(case.position)
        found = timed(case)
        assert found.answer == case.recorded
        assert not found.wrong
        assert found.seconds >= 0
        if case.need is None:
            assert (found.low, found.high) == one.value(case.position)
        else:
            assert found.answer is one.reaches(case.position, case.need)
        assert found.nodes == one.nodes, "every measurement is from scratch"


def test_threads_measure_the_same() -> None:
    cases = read_suite(FOLDER / "thousand_120.jsonl")[:6]
    one, two = ([(t.low, t.high, t.nodes) for t in many_timed(cases, n)] for n in (1, 2))
    assert one == two


def test_threshold_of_a_value() -> None:
    case = read_suite(FOLDER / "skat.jsonl")[0]
    assert isinstance(case.recorded, int)
    for need in (case.recorded, case.recorded + 1):
        asked = as_threshold(case, need)
        assert asked.recorded is (need <= case.recorded)
        assert timed(asked).answer is asked.recorded


def test_limits_and_wrong_answers() -> None:
    case = read_suite(FOLDER / "bridge.jsonl")[0]
    assert isinstance(case.recorded, int)
    short = timed(case, limit=10)
    assert short.answer is None
    assert not short.wrong, "bounds that hold the recorded answer do not contradict it"
    assert Timed(case, 0, case.recorded - 1, 1, 1.0).wrong
    right = Timed(case, case.recorded, case.recorded, 1, 1.0)
    other = case._replace(recorded=case.recorded + 1)
    rows = differing([right, right._replace(case=other)])
    assert rows == [{"id": "bridge-0", "recorded": case.recorded + 1, "found": case.recorded}]


def test_endings() -> None:
    cases = read_suite(FOLDER / "skat.jsonl")
    some = endings(cases, 4, 5, seed=1)
    assert len(some) == 5
    assert all(len(hand) == 4 for case in some for hand in case.position.hands)
    assert [c.position for c in endings(cases, 4, 5, seed=1)] == [c.position for c in some]
    assert [c.position for c in endings(cases, 4, 5, seed=2)] != [c.position for c in some]
    for left, case in ((10, cases[0]), (1, cases[0])):
        whole = endings([case], left, 1, seed=1)[0].position.hands
        assert (whole == case.position.hands) == (left == 10)


def test_summary() -> None:
    found = summary([0.001, 0.003, 0.002], [10, 30, 20])
    assert found["nodes"] == 20
    assert found["nodes_in_all"] == 60
    assert found["mean_ms"] == pytest.approx(2)
    assert found["median_ms"] == pytest.approx(2)
    assert found["max_ms"] == pytest.approx(3)
    assert found["million_nodes_s"] == pytest.approx(0.01)


# --------------------------------------------------------------------- runs


def test_a_quick_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    found = bench(["kit", "sheepshead_5", "memory"], quick=True, peers=False, progress=lambda a, b: told.append((a, b)))
    assert isinstance(found, Bench)
    assert [row["work"] for row in found.rows] == ["kit", "sheepshead_61", "sheepshead", "memory"]
    assert not found.wrong
    assert found.peer is None
    assert not found.partial
    for row in found.rows[:3]:
        assert set(row) >= DEALS
        assert "peer_ms" not in row
        assert row["wrong"] == row["limited"] == 0
    assert len(found.rows[1]["each_ms"]) == len(found.rows[1]["each_nodes"]) == found.rows[1]["deals"] == 8
    assert {g["game"] for g in found.rows[3]["by_game"]} == {
        "bridge", "skat", "sheepshead", "thousand", "three_of_spades", "kit",
    }  # fmt: skip
    assert told[-1] == (100 + 8 + 8 + 1,) * 2
    assert [f["unit"] for f in found.figures] == ["ms", "ms", "ms", "MB"]
    for row in json.loads(json.dumps(found.records())):
        assert set(row) >= {"kind", "date", "cpu", "versions", "seed", "quick", "peer"}
        assert set(row["versions"]) == {"trickwise", "numpy", "numba", "python", "kernels"}


def test_nodes_do_not_depend_on_the_run() -> None:
    one, two = (bench(["thousand_120"], quick=True, peers=False, workers=n).rows[0]["each_nodes"] for n in (1, 2))
    assert one == two


def test_wrong_answers_are_found(tmp_path: Path) -> None:
    for name, key in (("kit", "value"), ("thousand_120", "makes")):
        lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()[:6]]
        lines[4][key] = not lines[4][key] if key == "makes" else lines[4][key] + 1
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = bench(["kit", "thousand_120"], suites=str(tmp_path), quick=True, peers=False)
    assert [(row["work"], row["id"]) for row in found.wrong] == [("kit", "kit-4"), ("thousand_120", "thousand_120-4")]
    assert [row["wrong"] for row in found.rows] == [1, 1]


def test_a_suite_of_ones_own(tmp_path: Path) -> None:
    lines = (FOLDER / "hard.jsonl").read_text().splitlines()
    (tmp_path / "mine.jsonl").write_text("\n".join([lines[0], lines[-1]]) + "\n")
    (row,) = bench(["mine"], suites=str(tmp_path), peers=False).rows
    assert (row["work"], row["deals"], row["wrong"]) == ("mine", 2, 0)


def test_a_batch_is_of_one_kind(tmp_path: Path) -> None:
    lines = (FOLDER / "kit.jsonl").read_text().splitlines()[:2]
    (tmp_path / "kit.jsonl").write_text("\n".join([lines[0], lines[1].replace('"leader": 0', '"leader": 1')]) + "\n")
    with pytest.raises(UnsupportedError, match="the same rules and the same leader"):
        bench(["kit"], suites=str(tmp_path), peers=False)


def test_endings_of_a_run(tmp_path: Path) -> None:
    for name in ("kit", "thousand_8"):
        text = "\n".join((FOLDER / f"{name}.jsonl").read_text().splitlines()[:2]) + "\n"
        (tmp_path / f"{name}.jsonl").write_text(text)
    rows = bench(["endings"], suites=str(tmp_path), quick=True, peers=False).rows
    assert [(r["of"], r["cards_left"]) for r in rows] == [
        *(("thousand_8", n) for n in range(1, 9)), *(("kit", n) for n in range(1, 5)),
    ]  # fmt: skip
    assert all(row["nodes"] >= 0 for row in rows)


def test_an_interrupt_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.bench.measure.memories", interrupted)
    found = bench(["kit", "memory"], quick=True, peers=False)
    assert found.partial
    assert [row["work"] for row in found.rows] == ["kit"]


def test_figures() -> None:
    assert {one.work for one in FIGURES} <= {work.name for work in WORKS}
    assert all(one.goal > one.must if one.rising else one.goal < one.must for one in FIGURES)
    row = {"kind": "deals", "work": "bridge", "mean_ms": 30.0, "million_nodes_s": 7.0}
    with_peer, speed = figures([{**row, "peer_ms": 20.0}])
    assert (with_peer["value"], with_peer["unit"], with_peer["reached"]) == (1.5, "U", "must")
    assert (speed["value"], speed["reached"]) == (7.0, "must")
    assert figures([{**row, "peer_ms": 100.0}])[0]["reached"] == "goal"
    assert figures([{**row, "peer_ms": 10.0}])[0]["reached"] == "no"
    without, _ = figures([row])
    assert (without["value"], without["unit"], without["must"], without["reached"]) == (30.0, "ms", None, None)
    (start,) = figures([{"kind": "start", "work": "start", "cold_s": None, "warm_s": 0.9}])
    assert start["reached"] == "must"


def test_memory() -> None:
    rows = memories(read_suite(FOLDER / "kit.jsonl"))
    assert [(r["game"], r["seats"], r["deck"]) for r in rows] == [("kit", 3, 12)]
    assert 0 < rows[0]["mb"] < 64


def test_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert min(first_answer(cache_dir.parent)) > 0
    monkeypatch.setattr("solver.bench.startup.first_answer", lambda _: Start(2.0, 1.0))
    assert starts() == {"cold_s": 2.0, "cold_cpu_s": 1.0, "warm_s": 2.0, "warm_cpu_s": 1.0}
    assert starts(cold=False) == {"cold_s": None, "cold_cpu_s": None, "warm_s": 2.0, "warm_cpu_s": 1.0}


def test_start_notices_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.bench.startup._ANSWER", 1)
    with pytest.raises(UnsupportedError, match="where 1 is right"):
        first_answer(cache_dir.parent)
    monkeypatch.setattr("solver.bench.startup._ASKED", ("solve", "nothing", "-"))
    with pytest.raises(UnsupportedError, match="a new process could not answer: trickwise: no game"):
        first_answer(cache_dir.parent)


def test_processor() -> None:
    assert benching.cpu_name()


# --------------------------------------------------------------------- ablation


def test_ablation() -> None:
    cases = read_suite(FOLDER / "thousand_120.jsonl")[:4]
    told: list[None] = []
    rows, wrong = ablation(cases, limit=100_000, tell=lambda: told.append(None))
    assert not wrong
    assert [row["without"] for row in rows] == ["nothing", *SWITCHES]
    assert len(told) == 4
    assert rows[0]["nodes_ratio"] == rows[0]["time_ratio"] == 1


def test_every_part_can_be_turned_off() -> None:
    for name, count in (("sheepshead_5", 2), ("kit", 6)):
        rows, wrong = ablation(read_suite(FOLDER / f"{name}.jsonl")[:count], limit=200_000)
        assert not wrong, name
        assert any(row["nodes_ratio"] > 1 for row in rows)


def test_ablation_of_a_run() -> None:
    found = bench(["thousand_120"], quick=True, peers=False, parts=True)
    rows = [row for row in found.rows if row["kind"] == "ablation"]
    assert [row["without"] for row in rows] == ["nothing", *SWITCHES]
    assert {row["of"] for row in rows} == {"thousand_120"}


def test_agreed() -> None:
    for name in ("kit", "thousand_120"):
        line = json.loads((FOLDER / f"{name}.jsonl").read_text().splitlines()[0])
        _, position, question = read_position(line)
        assert agreed(position, question) == line["value" if question.need is None else "makes"]


# --------------------------------------------------------------------- the peer


def test_without_a_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    load = importlib.import_module

    def missing(name: str, package: str | None = None) -> object:  # numba loads its cache by the same function
        if name.startswith("endplay"):
            raise ImportError(name)
        return load(name, package)

    monkeypatch.setattr("solver.bench.peers.importlib.import_module", missing)
    assert find_peer() is None
    assert bench(["kit"], quick=True).peer is None


def test_the_peer_agrees() -> None:
    pytest.importorskip("endplay")
    peer = find_peer()
    assert peer is not None
    for case in read_suite(FOLDER / "bridge.jsonl")[:3]:
        ready = peer.prepare(case.position)
        assert peer.value(ready) == case.recorded
        cells = peer.table(ready)
        assert len(cells) == 20
        declarer = (case.position.leader + 3) % 4
        tricks = cells[declarer, case.position.trump or "NT"]
        assert (tricks if declarer in case.position.side else 13 - tricks) == case.recorded


def test_a_run_with_the_peer() -> None:
    pytest.importorskip("endplay")
    found = bench(["kit", "bridge_table"], quick=True)
    kit, table = found.rows
    assert kit["peer_deals"] == 10
    assert table["peer_deals"] == table["deals"] == 1
    assert not found.wrong
    assert [f["unit"] for f in found.figures] == ["x", "U"]
    assert all(f["reached"] in ("goal", "must", "no") for f in found.figures)
    assert found.versions["endplay"]
