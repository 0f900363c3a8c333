"""The command ``league``: both tables, JSON, CSV, pictures, what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from solver.hidden import league as module
from solver.hidden.kit_policies import POLICIES

from .test_cli import run, table  # noqa: F401  (a fixture)

KIT = ("league", "kit", "-o", "suits=2", "-o", "ranks=3", "--iterations", "4")


def test_tables(run) -> None:  # noqa: F811
    ran = run(*KIT)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "kit, suits=2, ranks=3, each seat for itself: ways to play, in tricks"
    assert lines[1] == "exact over all 90 deals; equilibrium: predictive, 4 iterations"
    assert lines[3].split()[:3] == ["policy", "nashconv", "loss"]
    random = next(line for line in lines if line.startswith("random"))
    assert random.split()[1:4] == ["0.2944", "0.2889", "0.8167"]
    assert any(line.startswith("nashconv: ") for line in lines)
    assert "-0.0000" not in ran.out
    chances = run(*KIT, "--contract", "1 by 1").out.splitlines()
    assert chances[0] == "kit, suits=2, ranks=3, 1 by 1: ways to play, in chance"
    assert next(line for line in chances if line.startswith("random")).split()[1:3] == ["10.00", "%"]


def test_truths(run) -> None:  # noqa: F811
    ran = run(*KIT, "--truths")
    assert ran.code == 0, ran.err
    rows = {line[:6]: line[6:].split() for line in ran.out.splitlines()}
    assert rows["1 by 0"] == ["60.00", "%", "0.00", "0.00", "0.00", "0.00"]
    assert rows["1 by 1"] == ["42.22", "%", "-4.44", "0.00", "0.00", "-4.44"]
    assert "guaranteed: what the declarer surely gets" in ran.out
    found = table(run(*KIT, "--truths", "--contract", "1 by 2", "--contract", "2 by 1", "--json"))
    assert [row["contract"] for row in found["rows"]] == ["1 by 2", "2 by 1"]
    assert found["rows"][0]["double_dummy"] == pytest.approx(0.4222 - 0.0444, abs=1e-3)
    assert (found["n"], found["iterations"], found["partial"]) == (90, 4, False)


def test_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*KIT, "--json"))
    assert (found["n"], found["seed"], found["unit"], found["contract"]) == (90, None, "tricks", "")
    assert sorted(row["policy"] for row in found["rows"]) == sorted([*POLICIES, "equilibrium"])
    assert {"nashconv", "loss", "value_2", "loss_2", "sure_2"} <= set(found["rows"][0])
    ran = run(*KIT, "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [float(row["nashconv"]) for row in rows] == [row["nashconv"] for row in found["rows"]]
    assert ran.err.startswith("kit, suits=2, ranks=3")


def test_pictures(run, tmp_path: Path) -> None:  # noqa: F811
    for more in ((), ("--truths", "--force")):
        file = tmp_path / "one.svg"
        assert run(*KIT, *more, "--plot", str(file)).code == 0
        assert file.read_text().count("<path") > 5


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (("league", "skat"), "skat: only the kit and its variants"),
        (("league", "kit", "-o", "ranks=5"), "its tree would take about"),
        ((*KIT, "--contract", "1 by 0", "--contract", "1 by 1"), "2 contracts: only --truths takes more than one"),
        ((*KIT, "--truths", "--contract", "lead 1"), "expected a seat and a target, as in '2 by 1'"),
        (("league", "kit", "--iterations", "0", "-o", "ranks=2"), "iterations is 0: expected a whole number from 1"),
        ((*KIT, "--gigabytes", "-1"), "gigabytes is -1: expected a number from 0"),
        ((*KIT, "--plot", "one.doc"), "one.doc"),
        ((*KIT, "--json", "--csv"), "--json and --csv: choose one of them"),
    ],
)
def test_refused(run, arguments: tuple[str, ...], expected: str) -> None:  # noqa: F811
    ran = run(*arguments)
    assert ran.code == 2
    assert expected in ran.err
    assert ran.err.count("\n") == 1
    assert not ran.out


def test_interrupted(run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    learn = module.Learner.learn

    def some(learner: module.Learner) -> None:
        if learner.rounds == 2:
            raise KeyboardInterrupt
        learn(learner)

    monkeypatch.setattr(module.Learner, "learn", some)
    ran = run(*KIT)
    assert ran.code == 130
    assert "2 iterations, PARTIAL: interrupted" in ran.out
    ran = run(*KIT, "--truths")
    assert ran.code == 130
    assert not ran.out
    assert "stopped before the first contract was done" in ran.err
