"""The command: exit codes, what goes where, the shapes of JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.cli import app, main
from solver.games import GAMES

K4 = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"
K4_PLAY = "s4 s1 s2, t3 t1 t4, o4 o1 o3, s3 o2 t2"
LINE = {"game": "kit", "hands": [["o2", "s4"], ["o3", "t1"], ["o4", "t2"]], "leader": 0, "side": [0]}
HEAD = {"game", "options", "method", "seed", "n", "versions", "rows"}


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def call(*args: str, text: str | bytes = "") -> Ran:
        raw = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "argv", ["trickwise", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        seen = capsys.readouterr()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 0 if code is None else 1, seen.out, seen.err)

    return call


def table(ran: Ran) -> dict:
    """The JSON object of a run that went well."""
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert set(found) >= HEAD
    assert {"trickwise", "python"} <= set(found["versions"])
    return found


# --------------------------------------------------------------------- start


def test_help_is_light() -> None:
    code = (
        "import sys, solver.cli\n"
        "sys.argv = ['trickwise', '--help']\n"
        "try:\n    solver.cli.main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = {'numba', 'pandas', 'matplotlib', 'scipy', 'numpy', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    for word in ("games", "deal", "solve", "cards", "line", "annotate", "bid", "plan", "plans"):
        assert f"  {word} " in done.stdout


def test_importing_the_package_is_light() -> None:
    code = "import sys, solver; assert not {'numba', 'numpy', 'pandas', 'solver.games'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names() -> None:
    import solver

    assert set(solver.__all__) <= set(dir(solver))
    for name in solver.__all__:
        assert getattr(solver, name) is not None
    assert not hasattr(solver, "no_such_name")
    assert solver.deal("kit", seed=7) == solver.read("kit", solver.game("kit").deal(seed=7).text)


def test_commands_share_what_they_take() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert len(commands) >= 9
    seen: dict[tuple, tuple] = {}
    for name, one in commands.items():
        assert one.help, name
        for taken in one.params:
            if str(taken.metavar).startswith("["):
                continue  # may be left out here, and says so
            told = (taken.help, taken.metavar)
            assert seen.setdefault((taken.name, *taken.opts), told) == told, f"{name}: {taken.name}"


def test_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "solver.cli", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("trickwise ")


def test_version_and_no_command(run) -> None:
    assert run("--version").out.startswith("trickwise ")
    assert run("nonsense").code == 2
    assert run("solve", "--nonsense").code == 2


# --------------------------------------------------------------------- games and deals


def test_games(run) -> None:
    listed = [row["game"] for row in table(run("games", "--json"))["rows"]]
    assert listed == list(GAMES)
    assert {"kit", "sheepshead", "thousand", "three_of_spades", "whist"} <= set(listed)
    assert "thousand" in run("games").out
    found = table(run("games", "thousand", "--json"))
    assert found["game"] == "thousand"
    assert {row["option"] for row in found["rows"]} == set(found["options"])
    assert "must_beat" in run("games", "thousand").out
    rows = list(csv.DictReader(io.StringIO(run("games", "kit", "--csv").out)))
    assert {row["option"] for row in rows} >= {"seats", "trump"}


def test_deal(run) -> None:
    first = run("deal", "thousand", "--seed", "7")
    assert first == run("deal", "thousand", "--seed", "7")
    assert "seed 7" in first.out
    assert "talon" in first.out
    assert first.out.splitlines()[-1].count("|") == 3
    found = table(run("deal", "thousand", "--json"))
    assert found["seed"] >= 0
    again = table(run("deal", "thousand", "--seed", str(found["seed"]), "--json"))
    assert again["deal"] == found["deal"]
    assert table(run("deal", "sheepshead", "-o", "seats=3", "--json"))["options"]["seats"] == 3


# --------------------------------------------------------------------- one deal


@pytest.mark.kernel
def test_solve(run) -> None:
    found = table(run("solve", "kit", K4, "2 by 0", "--json"))
    assert (found["rows"][0]["value"], found["rows"][0]["made"]) == (2, True)
    assert (found["contract"], found["unit"], found["n"]) == ("2 by 0", "tricks", 1)
    shown = run("solve", "kit", K4, "2 by 0")
    assert "double dummy" in shown.out
    assert shown.err == ""
    rows = list(csv.DictReader(io.StringIO(run("solve", "kit", K4, "2 by 0", "--csv").out)))
    assert rows[0]["made"] == "true"
    assert len(table(run("solve", "kit", K4, "--json"))["rows"]) == 3


@pytest.mark.kernel
def test_deal_from_input_and_seed(run) -> None:
    printed = run("deal", "kit", "--seed", "5").out
    piped = table(run("solve", "kit", "-", "1 by 1", "--json", text=printed))
    seeded = run("solve", "kit", "@5", "1 by 1", "--json")
    assert piped == table(seeded)
    assert "seed 5" in seeded.err


@pytest.mark.kernel
def test_cards_and_line(run) -> None:
    rows = table(run("cards", "kit", K4, "2 by 0", "--play", "0 t3, 1 t1", "--json"))["rows"]
    assert [r["card"] for r in rows if r["legal"]] == ["t4"]
    assert {r["barred_by"] for r in rows if not r["legal"]} == {"follow-suit"}
    assert "must follow" in run("cards", "kit", K4, "2 by 0", "--play", "t3 t1").out
    found = table(run("line", "kit", K4, "2 by 0", "--json"))
    assert len(found["rows"]) == 4
    assert "2 tricks" in " ".join(found["notes"])
    assert run("line", "kit", K4, "2 by 0").code == 0


@pytest.mark.kernel
def test_annotate(run) -> None:
    found = table(run("annotate", "kit", K4, "1 by 0", K4_PLAY, "--json"))
    assert len(found["rows"]) == 12
    assert sum(r["loss"] for r in found["rows"]) == 1
    assert "1 mistake" in run("annotate", "kit", K4, "1 by 0", "-", text=K4_PLAY).out


@pytest.mark.kernel
def test_the_remedy_for_a_leaster_works(run) -> None:
    refused = run("solve", "sheepshead", "@2", "leaster")
    assert refused.code == 2
    remedy = re.search(r"name a seat, as in '(.+)'", refused.err)
    assert remedy is not None
    found = table(run("solve", "sheepshead", "@2", remedy[1], "--json"))
    assert (found["rows"][0]["side"], found["rows"][0]["value"]) == ("2", 4)
    assert run("cards", "sheepshead", "@2", "leaster").err.splitlines()[-1].endswith(f"'{remedy[1]}'")


# --------------------------------------------------------------------- bids


@pytest.mark.kernel
def test_bid_kit(run) -> None:
    found = table(run("bid", "kit", "o1 o4 t3 s4", "--seed", "1", "--json"))
    assert [r["bid"] for r in found["rows"]] == [1, 2, 3, 4]
    assert all(r["low"] <= r["p"] <= r["high"] for r in found["rows"])
    assert (found["n"], found["seed"]) == (70, 1)
    shown = run("bid", "kit", "o1 o4 t3 s4", "--seed", "1")
    assert "double dummy" in shown.out.splitlines()[-1]
    assert "%" in shown.out
    rows = list(csv.DictReader(io.StringIO(run("bid", "kit", "o1 o4 t3 s4", "--csv").out)))
    assert [float(r["p"]) for r in rows] == [r["p"] for r in found["rows"]]


@pytest.mark.kernel
def test_bid_seats_leads_and_seeds(run, tmp_path: Path) -> None:
    found = table(
        run("bid", "kit", "-", "--seat", "2", "--lead", "1", "--worlds", "20", "--json", text="o1 o4 t3 s4\n")
    )
    assert (found["n"], found["contract"]) == (20, "by 2, lead 1")
    same = [table(run("bid", "kit", "@3", "--worlds", "20", "--seed", "4", "--json", "--workers", w)) for w in "12"]
    assert same[0] == same[1]
    target = tmp_path / "curve.png"
    assert run("bid", "kit", "@3", "--plot", str(target)).code == 0
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.kernel
def test_bid_thousand(run) -> None:
    shown = run("bid", "thousand", "AH KH QH 9H TS JC 9D", "--seed", "1", "--talons", "2", "--worlds", "4")
    assert shown.code == 0, shown.err
    lines = shown.out.splitlines()
    assert any(line.split()[:1] == ["100"] for line in lines)
    assert "double dummy" in lines[-1]


# --------------------------------------------------------------------- JSON lines


@pytest.mark.kernel
def test_jsonl(run, tmp_path: Path) -> None:
    lines = [{**LINE, "id": "a"}, {**LINE, "id": "b", "need": 2}, {**LINE, "cards": True}]
    path = tmp_path / "positions.jsonl"
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    ran = run("solve", "--jsonl", str(path))
    found = [json.loads(x) for x in ran.out.splitlines()]
    assert ran.code == 0
    assert [f["id"] for f in found] == ["a", "b", 3]
    assert (found[0]["value"], found[1]["makes"], len(found[2]["cards"])) == (1, False, 2)
    assert all("nodes" in f for f in found)


@pytest.mark.kernel
def test_a_bad_line_goes_on_and_ends_with_one(run) -> None:
    text = "\n".join(["{", json.dumps({**LINE, "id": 9, "leader": 5}), json.dumps({**LINE, "id": 10})])
    ran = run("solve", "--jsonl", "-", text=text)
    found = [json.loads(x) for x in ran.out.splitlines()]
    assert ran.code == 1
    assert [("error" in f, f["id"]) for f in found] == [(True, 1), (True, 9), (False, 10)]
    assert "2 of the lines" in ran.err


# --------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "args, part",
    [
        (["deal", "hearts"], "no game 'hearts'"),
        (["deal", "kit", "-o", "seats"], "NAME=VALUE"),
        (["deal", "kit", "-o", "colour=red"], "no option 'colour'"),
        (["deal", "kit", "-o", "seats=9"], "it can be 2, 3, 4"),
        (["deal", "kit", "-o", "seats=3", "-o", "seats=2"], "given twice"),
        (["games", "hearts"], "no game"),
        (["solve"], "nothing to solve"),
        (["solve", "kit", "o1 x9 | o2 | o3"], "'x9' at place 4"),
        (["solve", "kit", K4, "9 by 0"], "9 tricks"),
        (["solve", "kit", "@x"], "'@7'"),
        (["solve", "kit", K4, "--json", "--csv"], "choose one"),
        (["solve", "--jsonl", "no/such/file"], "no/such/file"),
        (["solve", "kit", K4, "--jsonl", "-"], "--jsonl"),
        (["cards", "kit", K4, "1 by 0", "--play", "o9"], "'9' at place 2"),
        (["cards", "kit", K4, "1 by 0", "--play", "1 o3"], "seat 0 is on turn"),
        (["cards", "kit", K4], "name a declarer"),
        (["line", "kit", K4, "1 by 0", "--play", "t3 o3"], "follow-suit"),
        (["annotate", "kit", K4, "1 by 0", "t3 o3"], "follow-suit"),
        (["bid", "kit", "o1 o2"], "too short"),
        (["bid", "kit", "o1 o2 o3 o4", "--worlds", "many"], "whole number"),
        (["bid", "kit", "o1 o2 o3 o4", "--plot", "curve.xyz"], ".png"),
        (["bid", "kit", "o1 o2 o3 o4", "--lead", "7"], "seat from 0 to 2"),
        (["bid", "thousand", "AH KH QH 9H TS JC 9D AD AC"], "of 9 cards"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, args: list[str], part: str) -> None:
    ran = run(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert part in ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("trickwise: ")


def test_input_that_is_no_text(run) -> None:
    """Bytes are read by their mark, as UTF-8 or as Latin 1; what then stands there is no deal."""
    for raw in (b"\xff\xfeo1", b"\xffo1", b"\x00\x01"):
        ran = run("solve", "kit", "-", text=raw)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)


def test_interrupt_is_one_line(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.games.base.Game.deal", stop)
    assert run("deal", "kit", "--seed", "1") == (130, "", "trickwise: stopped\n")


words = st.sampled_from(
    ["kit", "thousand", "@1", "o1 o2 t3 s4", K4, "1 by 0", "-o", "seats=2", "--play", "x", "", "♥", "--json"]
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(["games", "deal", "solve", "cards", "bid"]), st.lists(words | st.text(max_size=8), max_size=4))
def test_any_words_end_with_a_known_code(run, command: str, args: list[str]) -> None:
    args = [a for a in args if "\0" not in a and not a.startswith(("--pl", "--jsonl"))]
    if command == "bid" and "thousand" in args:
        args = []
    assert run(command, *args).code in (0, 2)
