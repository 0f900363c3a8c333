"""The command ``equilibrium``: values of all seats, one decision, what a seat secures; files, pictures, refusals."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from solver.games import game
from solver.hidden import equilibrium as module
from solver.hidden.equilibrium import equilibrium, read_equilibrium
from solver.hidden.learner import Learner
from solver.hidden.secured import secured
from solver.views.equilibrium import learning_bar
from solver.views.plot import convergence

from .test_cli import run, table  # noqa: F401  (run is a fixture)

KIT = ("equilibrium", "kit", "-o", "ranks=3")
FEW = (*KIT, "--iterations", "10")
SMALL = ("equilibrium", "kit", "-o", "suits=2", "-o", "ranks=3")
HAND = ("--hand", "o3 o1 t2", "--history", "0 s2, 1 s3")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A solution of ten iterations in a file."""
    path = str(tmp_path_factory.mktemp("solved") / "kit")
    equilibrium(game("kit", ranks=3), iterations=10).save(path)
    return path


def one_line(ran, said: str) -> None:
    assert (ran.code, ran.out) == (2, ""), ran
    assert said in ran.err
    assert ran.err.count("\n") == 1


# --------------------------------------------------------------------- all seats


def test_table(run) -> None:  # noqa: F811
    ran = run(*FEW)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "kit, ranks=3, lead 0, each seat for itself: value by seat at the equilibrium, in tricks"
    assert "all 1,680 deals; predictive, 10 iterations; NashConv 0.000" in lines[1]
    assert lines[3].split() == ["seat", "value", "best", "response", "gain"]
    want = equilibrium(game("kit", ranks=3), iterations=10)
    values = [float(line.split()[1]) for line in lines[5:8]]
    assert values == pytest.approx(want.frame["value"].tolist(), abs=6e-6)
    assert any(line.startswith("NashConv: the gains together") for line in lines)
    two = run("equilibrium", "kit", "-o", "seats=2", "-o", "ranks=2")
    assert two.code == 0
    assert "NashConv: " not in two.out  # two seats of a fixed sum: nothing to warn of


def test_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*FEW, "--json"))
    want = equilibrium(game("kit", ranks=3), iterations=10)
    assert (found["game"], found["options"]["ranks"], found["contract"]) == ("kit", 3, "")
    assert (found["n"], found["seed"], found["iterations"]) == (1680, None, 10)
    assert (found["method"], found["unit"], found["partial"]) == ("predictive", "tricks", False)
    assert found["nashconv"] == want.nashconv == found["convergence"][-1]["nashconv"]
    assert [row["seat"] for row in found["rows"]] == [0, 1, 2]
    assert {"seat", "value", "best_response", "gain"} == set(found["rows"][0])
    assert sum(row["value"] for row in found["rows"]) == pytest.approx(3)
    assert found["counts"]["deals"] == 1680
    ran = run(*FEW, "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [float(row["value"]) for row in rows] == [row["value"] for row in found["rows"]]
    assert ran.err.startswith("kit, ranks=3, lead 0")


def test_contract(run) -> None:  # noqa: F811
    found = table(run(*FEW, "2 by 0, lead 1", "--json"))
    assert (found["contract"], found["unit"]) == ("2 by 0, lead 1", "chance")
    assert found["rows"][0]["value"] + found["rows"][1]["value"] == pytest.approx(1)
    assert table(run(*FEW, "--contract", "2 by 0, lead 1", "--json")) == found
    shown = run(*FEW, "2 by 0, lead 1").out
    assert f"{100 * found['rows'][0]['value']:.3f} %" in shown
    assert "value: for seat 0 the chance to take 2 or more, for every other seat that of fewer" in shown
    assert "value: for seats 0 1 the tricks of this side" in run(*SMALL, "side 0 1").out


def test_methods_and_an_early_end(run) -> None:  # noqa: F811
    plain = table(run(*FEW, "--method", "cfr", "--json"))
    assert plain["method"] == "cfr"
    soon = table(run(*KIT, "--nashconv", "0.004", "--json"))
    assert soon["iterations"] < 10
    assert soon["nashconv"] <= 0.004 < plain["nashconv"]
    assert table(run(*SMALL, "--json"))["iterations"] == 1  # nobody can gain at once


# --------------------------------------------------------------------- one decision


def test_decision(run, kept: str) -> None:  # noqa: F811
    ran = run("equilibrium", "kit", "--load", kept, *HAND)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    asked = "seat 2 is on turn with o3 o1 t2 after 0 s2, 1 s3"
    assert lines[0] == f"kit, ranks=3, lead 0, each seat for itself: {asked}"
    assert lines[3].split() == ["card", "chance", "worth"]
    want = read_equilibrium(kept).strategy.ask(HAND[1], HAND[3])
    found = table(run("equilibrium", "kit", "--load", kept, *HAND, "--json"))
    assert found["rows"] == want.to_json()["rows"]
    assert {row["card"] for row in found["rows"]} == {"t2", "o1", "o3"}
    assert sum(row["chance"] for row in found["rows"]) == pytest.approx(1)
    assert (found["seat"], found["hand"], found["history"]) == (2, "o3 o1 t2", HAND[3])
    assert (found["iterations"], found["n"], found["on_path"], found["own"]) == (10, 1680, True, 1.0)
    assert table(run(*FEW, *HAND, "--json")) == found  # solved anew
    assert table(run("equilibrium", "kit", "--load", kept, *HAND[:2], "--play", HAND[3], "--json")) == found
    rows = list(csv.DictReader(io.StringIO(run("equilibrium", "kit", "--load", kept, *HAND, "--csv").out)))
    assert [row["card"] for row in rows] == [row["card"] for row in found["rows"]]
    forced = run("equilibrium", "kit", "--load", kept, "--hand", "o3 t1 s2", "--history", "t2 t3").out
    assert forced.splitlines()[5].split() == ["t1", "100.0", "%"]


@pytest.mark.parametrize(
    "hand, history, said",
    [
        ("o3 o1", "", "of 2 cards is too short"),
        ("o3 t2 s2", "t1 o3", "seat 1 does not hold it, but seat 2 does"),
        ("o3 t2 s2", "0 t1, 2 o3", "seat 2 is named, but seat 1 is on turn"),
        ("o3 t2 s2", "o1 o2 s2 t1", "seat 2 must follow the suit led (o): it held o3"),
        ("o3 t2 s2", "o1 s1 o3 t2 t1 t3 o2", "it held o2, and played it in trick 3"),
        ("o3 t2 s2", "o4", "cannot read '4'"),
        ("o3 t2 s2", "o1 o2 o3 t2 t1 t3 s1 s2 s3", "seat 0 does not hold it"),
    ],
)
def test_decisions_refused(run, kept: str, hand: str, history: str, said: str) -> None:  # noqa: F811
    asked = ("--hand", hand, "--history", history)
    loaded = run("equilibrium", "kit", "--load", kept, *asked)
    one_line(loaded, said)
    assert run(*KIT, "--iterations", "100000", *asked) == loaded  # refused before the work begins


# --------------------------------------------------------------------- one seat against all


def test_secured(run) -> None:  # noqa: F811
    ran = run(*KIT, "--clairvoyant", "0")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("kit, ranks=3: what seat 0 secures against all others, who see all cards")
    want = secured(game("kit", ranks=3), 0)
    found = table(run(*KIT, "--clairvoyant", "0", "--json"))
    assert found["rows"] == [{"seat": 0, "low": want.low, "high": want.high}]
    assert (found["unit"], found["n"], found["iterations"]) == ("tricks", 1680, want.iterations)
    assert f"{want.low:.5f}" in ran.out
    assert f"{want.high:.5f}" in ran.out
    wide = table(run(*KIT, "--clairvoyant", "0", "--gap", "0.1", "--json"))
    assert wide["iterations"] < found["iterations"] or wide["iterations"] == 10
    ran = run(*SMALL, "1 by 2", "--clairvoyant", "2", "--csv")
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert 0 < float(row["low"]) <= float(row["high"]) < 1
    assert ran.err.startswith("kit, suits=2, ranks=3, 1 by 2: what seat 2 secures")


# --------------------------------------------------------------------- files, pictures, interrupts


def test_gone_on_with(run, kept: str, tmp_path: Path) -> None:  # noqa: F811
    whole = table(run(*KIT, "--iterations", "25", "--json"))
    more = str(tmp_path / "more")
    assert table(run("equilibrium", "kit", "--start", kept, "--iterations", "25", "--save", more, "--json")) == whole
    assert table(run(*KIT, "--start", more, "--iterations", "25", "--json")) == whole
    assert table(run("equilibrium", "kit", "--load", more, "--json")) == whole
    assert run("equilibrium", "kit", "--load", kept).out == run(*FEW).out
    one_line(run("equilibrium", "kit", "--start", more, "--iterations", "20"), "25 iterations: more than the 20")
    one_line(run(*KIT, "--start", kept, "--method", "cfr"), "start")


@pytest.mark.parametrize("more", [("-o", "ranks=4"), ("2 by 0",), ("lead 1",), ("--contract", "2 by 0")])
def test_files_of_something_else(run, kept: str, more: tuple[str, ...]) -> None:  # noqa: F811
    for how in ("--load", "--start"):
        one_line(run("equilibrium", "kit", *more, how, kept), "not of what is asked")


def test_no_file(run, tmp_path: Path) -> None:  # noqa: F811
    other = tmp_path / "other"
    other.write_text("no solution")
    for how in ("--load", "--start"):
        one_line(run("equilibrium", "kit", how, str(other)), "not a strategy file")
        one_line(run("equilibrium", "kit", how, str(tmp_path / "none")), "cannot use")
    for place, said in ((tmp_path, "directory"), (tmp_path / "none" / "kit", "No such file")):
        one_line(run(*KIT, "--iterations", "100000", "--save", str(place)), said)
    one_line(run(*KIT, "--iterations", "100000", "--plot", str(tmp_path / "none" / "kit.svg")), "No such file")


def stop_after(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    learn = Learner.learn

    def some(self: Learner) -> None:
        if self.rounds == number:
            raise KeyboardInterrupt
        learn(self)

    monkeypatch.setattr(Learner, "learn", some)


def test_interrupted(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    file = str(tmp_path / "kit")
    with monkeypatch.context() as patch:
        stop_after(patch, 6)
        ran = run(*FEW, "--save", file)
        assert ran.code == 130
        assert "6 iterations" in ran.out
        assert "PARTIAL" in ran.out
        ran = run(*KIT, "--clairvoyant", "0", "--json")
        assert ran.code == 130
        assert '"partial": true' in ran.out
        assert "PARTIAL" in run(*KIT, "--clairvoyant", "0").out
    assert table(run("equilibrium", "kit", "--load", file, "--json"))["partial"] is True
    gone_on = table(run("equilibrium", "kit", "--start", file, "--iterations", "10", "--json"))
    assert gone_on["rows"] == table(run(*FEW, "--json"))["rows"]
    stop_after(monkeypatch, 0)
    ran = run(*FEW)
    assert (ran.code, ran.out) == (130, "")
    assert "before the first iteration" in ran.err


def test_shown_where_it_cannot_be_kept(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device", "kit")

    monkeypatch.setattr(module, "write_arrays", full)
    ran = run(*FEW, "--save", str(tmp_path / "kit"))
    assert ran.code == 2
    assert "NashConv" in ran.out
    assert ran.err == "trickwise: cannot use kit: No space left on device\n"


def test_picture(run, kept: str, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "learned.svg"
    assert run("equilibrium", "kit", "--load", kept, "--plot", str(file)).code == 0
    assert file.read_text().count("<path") > 5
    assert run(*SMALL, "--plot", str(file), "--force").code == 0  # a NashConv of 0 has no logarithm


def test_curve() -> None:
    plain, best = (equilibrium(game("kit", ranks=3), iterations=10, method=name) for name in ("cfr", "predictive"))
    ax = convergence(plain)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("iterations", "NashConv (tricks)")
    assert "ranks=3" in ax.get_title()
    assert ax.figure.patch.get_alpha() == 0
    assert list(ax.lines[0].get_ydata()) == plain.convergence["nashconv"].tolist()
    assert convergence(best, ax) is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["cfr", "predictive"]
    assert ax.lines[0].get_color() != ax.lines[1].get_color()
    plt.close(ax.figure)


def test_bar_tells_nashconv(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with learning_bar("NashConv") as tell:
        assert tell is None
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("solver.views.progress.PATIENCE", 0.0)
    said = []
    from rich.progress import Progress

    update = Progress.update

    def heard(self: Progress, task: int, **more: object) -> None:
        said.append((more["description"], more["completed"]))
        update(self, task, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Progress, "update", heard)
    with learning_bar("NashConv") as tell:
        assert tell is not None
        tell(1, 30, float("nan"))
        tell(2, 30, 0.25)
    assert said == [("iterations", 1), ("iterations, NashConv 0.250000", 2)]
    assert capsys.readouterr().out == ""


# --------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "args, said",
    [
        (("skat",), "only the kit and its variants"),
        (("kits",), "no game 'kits'"),
        (("kit", "-o", "ranks=9"), "GB"),
        (("kit", "--gigabytes", "0"), "more than the 0 GB"),
        (("kit", "9 by 0"), "9 tricks: a hand of the kit has 4"),
        (("kit", "2 by 0", "--contract", "2 by 0"), "named twice"),
        (("kit", "--iterations", "0"), "iterations is 0: expected a whole number from 1"),
        (("kit", "--method", "fast"), "expected one of predictive, cfr+, cfr"),
        (("kit", "--nashconv", "-1"), "nashconv is -1: expected a number from 0"),
        (("kit", "--nashconv", "nan"), "nashconv is nan"),
        (("kit", "--gap", "0.1"), "--gap: belongs to --clairvoyant"),
        (("kit", "--history", "o1"), "--history: belongs to --hand"),
        (("kit", "--clairvoyant", "3"), "seat is 3: expected a seat from 0 to 2"),
        (("kit", "--clairvoyant", "-1"), "seat is -1"),
        (("kit", "--clairvoyant", "0", "--gap", "-1"), "gap is -1"),
        (("kit", "--clairvoyant", "0", "--save", "x", "--nashconv", "0"), "--nashconv, --save: not with --clairvoyant"),
        (("kit", "--clairvoyant", "0", "--hand", "o1 o2 o3 o4"), "--hand: not with --clairvoyant"),
        (("kit", "--load", "x", "--iterations", "5"), "--iterations: not with --load"),
        (("kit", "--load", "x", "--start", "y", "--method", "cfr"), "--method, --start: not with --load"),
        (("kit", "--load", "x", "--save", "y"), "--save: not with --load"),
        (("kit", "--plot", "curve.txt"), "the name ends in .png"),
        (("kit", "--json", "--csv"), "choose one of them"),
    ],
)
def test_refusals(run, args: tuple[str, ...], said: str) -> None:  # noqa: F811
    one_line(run("equilibrium", *args), said)


def test_nothing_to_learn(run) -> None:  # noqa: F811
    """One card each: nobody has a choice."""
    found = table(run("equilibrium", "kit", "-o", "ranks=1", "--json"))
    assert found["nashconv"] == 0
    assert sum(row["value"] for row in found["rows"]) == pytest.approx(1)
    assert table(run("equilibrium", "kit", "-o", "ranks=1", "--clairvoyant", "1", "--json"))["rows"][0]["low"] == 0
    assert secured(game("kit", ranks=1), 0).low == 1
