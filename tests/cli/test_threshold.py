"""The command ``threshold``: tables, JSON, CSV, pictures, a study that is gone on with."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import matplotlib
import pytest

from solver.thresholds import threshold as module
from solver.thresholds.hand_rows import study_hand
from solver.thresholds.threshold import threshold
from solver.views.plot import threshold_curve

from .test_cli import run, table  # noqa: F401  (a fixture)

pytestmark = pytest.mark.kernel

KIT = ("threshold", "kit", "--hands", "12", "--bids", "2", "--seed", "5", "--workers", "1")


def test_table(run) -> None:  # noqa: F811
    ran = run(*KIT)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "kit: tricks of a seat against the rest, by winners"
    assert lines[1] == "double dummy, 12 hands drawn, n = 12, seed 5"
    assert lines[3].split() == ["winners", "hands", "p", "2", "gain", "2"]
    assert "rules of thumb" in lines
    assert any("count on 2 or more tricks" in line for line in lines)
    assert any(line.startswith("rule: of all conjunctions") for line in lines)


def test_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*KIT, "--by", "highest,position", "--json"))
    assert (found["n"], found["seed"], found["by"], len(found["hands"])) == (12, 5, ["highest", "position"], 12)
    assert {"highest", "position", "bid", "n", "p", "low", "high", "gain", "right"} <= set(found["rows"][0])
    ran = run(*KIT, "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert sum(int(row["n"]) for row in rows) == 12
    assert "count on 2 or more tricks" in ran.err


def test_gone_on_with(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    file = str(tmp_path / "study.jsonl")
    whole = run(*KIT).out

    def some(study, number, *, workers):
        if number == 5:
            raise KeyboardInterrupt
        return study_hand(study, number, workers=workers)

    with monkeypatch.context() as patch:
        patch.setattr(module, "study_hand", some)
        ran = run(*KIT, "--checkpoint", file)
    assert ran.code == 130
    assert "n = 5, seed 5, PARTIAL" in ran.out
    assert ran.err.startswith("trickwise: stopped after 5 of 12 hands")
    assert "asked again with the checkpoint" in ran.err
    seedless = tuple(a for a in KIT if a not in ("--seed", "5"))
    assert run(*seedless, "--checkpoint", file).out == whole
    assert run("threshold", "kit", "--hands", "0", "--bids", "2", "--checkpoint", file).out == whole


def test_picture(run, tmp_path: Path) -> None:  # noqa: F811
    for by, more in (("winners", ()), ("winners,position", ("--force",))):
        file = tmp_path / "curve.svg"
        assert run(*KIT, "--by", by, "--plot", str(file), *more).code == 0
        assert file.read_text().count("<path") > 5


def test_curve() -> None:
    matplotlib.use("agg")
    found = threshold("kit", hands=12, seed=5, workers=1, bids=[1, 2])
    ax = threshold_curve(found)
    assert [line.get_label() for line in ax.lines] == ["1", "2"]
    shown = found.frame[found.frame["bid"] == 2]
    assert list(ax.lines[1].get_ydata()) == pytest.approx((100 * shown["p"]).tolist())
    assert [t.get_text() for t in ax.get_xticklabels()] == [
        f"{w}\nn={n}" for w, n in zip(shown["winners"], shown["n"], strict=True)
    ]
    again = threshold_curve(found, value="gain")
    assert "gain" in again.get_ylabel()


@pytest.mark.parametrize(
    "more, said",
    [
        (("--by", "luck"), "no feature 'luck' of kit hands"),
        (("--bids", "many"), "expected whole numbers with commas"),
        (("--bids", "9"), "no bid 9 in kit"),
        (("--position", "3"), "position is 3: expected one of 0, 1, 2"),
        (("--hands", "0"), "hands is 0, which reads a checkpoint"),
        (("--talons", "3"), "talons is given, but a study of kit has none"),
        (("--talons", "all"), "talons is 'all': a study draws a number"),
        (("--plot", "curve.txt"), "the name ends in .png"),
        (("--checkpoint", "nowhere/study.jsonl"), "cannot use nowhere/study.jsonl"),
    ],
)
def test_errors(run, more: tuple[str, ...], said: str) -> None:  # noqa: F811
    ran = run(*KIT, *more)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not ran.out
