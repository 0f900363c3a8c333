"""The command ``bench``: tables, JSON, what is kept, exit codes. Nothing here depends on time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solver.views import bench as views

from .test_cli import HEAD, run  # noqa: F401  (a fixture)

pytestmark = pytest.mark.kernel

FOLDER = Path(__file__).parents[2] / "solver" / "bench" / "suites"
QUICK = ("--quick", "--no-peers")


def test_table(run) -> None:  # noqa: F811
    ran = run("bench", "kit", "thousand_120", "memory", *QUICK)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].split()[:4] == ["work", "deals", "wrong", "nodes"]
    assert [line.split()[0] for line in lines[2:4]] == ["kit", "thousand_120"]
    assert any(line.startswith("figure ") for line in lines)
    assert "endplay" in ran.out
    assert "MB" in ran.out


def test_json(run) -> None:  # noqa: F811
    ran = run("bench", "kit", *QUICK, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert set(found) >= HEAD | {"figures", "wrong", "peer", "cpu", "date", "quick", "partial"}
    assert found["method"] == "CPU time of one thread"
    assert found["n"] == 100
    (row,) = found["rows"]
    assert row["work"] == "kit"
    assert found["wrong"] == []
    assert {"trickwise", "python", "numpy", "numba"} <= set(found["versions"])


def test_rows_are_kept(run, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "speed.jsonl"
    for _ in range(2):
        assert run("bench", "kit", *QUICK, "--save", str(path)).code == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["kind"] for row in rows] == ["batch", "figure"] * 2
    assert all(row["versions"] and row["date"] and row["cpu"] for row in rows)


def test_a_wrong_answer_is_shown(run, tmp_path: Path) -> None:  # noqa: F811
    line = json.loads((FOLDER / "kit.jsonl").read_text().splitlines()[0])
    (tmp_path / "kit.jsonl").write_text(json.dumps({**line, "value": line["value"] + 1}) + "\n")
    ran = run("bench", "kit", "--suites", str(tmp_path), *QUICK)
    assert ran.code == 1
    assert "wrong: kit, kit-0: recorded 1, found 0" in ran.err
    assert ran.err.splitlines()[-1] == "trickwise: answers that differ from the recorded ones: 1"
    assert ran.out


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("nonsense",), "no suite 'nonsense' to measure: there are bridge, "),
        (("kit", "--suites", "nowhere"), "no suites in the folder 'nowhere': give --suites DIR"),
        (("kit", "--save", "nowhere/speed.jsonl"), "cannot use nowhere/speed.jsonl: "),
    ],
)
def test_errors(run, arguments: tuple[str, ...], said: str) -> None:  # noqa: F811
    ran = run("bench", *arguments, *QUICK)
    assert ran.code == 2
    assert not ran.out
    (line,) = ran.err.splitlines()
    assert line.startswith(f"trickwise: {said}")


def test_an_interrupt(run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.bench.measure.memories", interrupted)
    ran = run("bench", "kit", "memory", *QUICK)
    assert ran.code == 130
    assert "stopped: measured so far" in ran.out


def test_readme_has_the_last_recorded_figures() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "record.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_numbers() -> None:
    assert [views.number(x) for x in (None, 0, 0.000264, 0.0123, 1.5, 31.26, 1234.6, 1_234_567.0, 2e-6)] == [
        "", "0", "0.000264", "0.0123", "1.5", "31.3", "1 235", "1 234 567", "2.0e-06",
    ]  # fmt: skip


def test_rows_of_other_tables() -> None:
    rows = [
        {"kind": "endings", "of": "kit", "cards_left": n, "nodes": 2.0 * n, "mean_ms": 0.1} for n in (1, 2)
    ] + [
        {"kind": "ablation", "of": "kit", "without": name, "deals": 2, "nodes": 10.0, "mean_ms": 1.0,
         "nodes_ratio": 1.5, "time_ratio": 2.5, "limited": 0}
        for name in ("nothing", "table")
    ]  # fmt: skip
    assert views.ending_rows(rows) == [{"cards left": 1, "kit": "2"}, {"cards left": 2, "kit": "4"}]
    assert [row["without"] for row in views.ablation_rows(rows)] == ["nothing", "table"]
    assert views.ablation_rows(rows)[0]["nodes x"] == "1.5"
