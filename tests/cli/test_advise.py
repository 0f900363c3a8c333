"""The command ``advise``, and ``annotate --seen``."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

import random_records as rr
from solver.games import game

from .test_cli import run, table  # noqa: F401

pytestmark = pytest.mark.kernel

FOLDER = Path(__file__).parents[1] / "data" / "records"
KIT = ("advise", "kit", "o1 o4 t3 s2", "--seed", "1")
T5 = ("advise", "thousand", "AH KH QH 9H TS JC 9D", "--talon", "TH JS 9C", "--seed", "1")


def test_table(run) -> None:  # noqa: F811
    ran = run(*KIT)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "kit: seat 0 with o4 o1 t3 s2"
    assert lines[1] == "double dummy, one against the rest, all 70 worlds, n = 70, seed 1"
    assert lines[5].split() == ["o4", "1.57", "1.57", "best"]


def test_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*KIT, "--json"))
    assert (found["n"], found["best"], found["objective"], found["seed"]) == (70, "o4", "score", 1)
    rows = list(csv.DictReader(io.StringIO(run(*KIT, "--csv").out)))
    assert [row["card"] for row in rows] == [row["card"] for row in found["rows"]]


def test_options(run) -> None:  # noqa: F811
    args = ("--contract", "120 by 0, pass 9C to 1, 9D to 2", "--worlds", "40", "--workers", "1")
    found = table(run(*T5, *args, "--objective", "make", "--limit", "50", "--json"))
    assert found["n"] == 40
    assert set(found["rows"][0]) >= {"p_make", "p_make_low", "diff"}
    assert "score" not in found["rows"][0]
    found = table(run(*T5, *args, "--until", "clear", "--json"))
    assert "confidence sequences" in found["notes"][1]
    found = table(run(*KIT, "--objective", "session", "--totals", "3,3,2", "--model", "max-n", "--json"))
    assert found["rows"][0]["p_session"] > 0


def test_record(run) -> None:  # noqa: F811
    ran = run("advise", "--record", str(FOLDER / "sheepshead_view.txt"), "--seed", "1")
    assert ran.code == 2
    assert "seat 2 is on turn, not seat 0" in ran.err
    played = rr.played(random.Random(4), game("kit"), cards=4, seats=1)
    turn = played.positions[-1].play(played.record.play[-1].cards[-1].move).turn
    text = played.record.text.encode()
    found = table(run("advise", "--record", "-", "--seat", str(turn), "--seed", "1", "--json", text=text))
    assert (found["seat"], found["n"]) == (turn, found["worlds"])


@pytest.mark.parametrize(
    "more, said",
    [
        (("--until", "soon"), "expected a number above 0, or 'clear'"),
        (("--totals", "a,b"), "expected whole numbers"),
        (("--totals", "9" * 5000), "expected whole numbers"),
        (("--objective", "fame"), "expected one of score"),
        (("--play", "o1"), "is on turn"),
        (("--record", "x"), "name only --seat beside it"),
    ],
)
def test_errors(run, more: tuple[str, ...], said: str) -> None:  # noqa: F811
    ran = run(*KIT, *more)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_annotate_seen(run) -> None:  # noqa: F811
    args = ("annotate", "kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3", "2 by 0", "s4 s1 s2 t3 t1 t4")
    found = table(run(*args, "--seen", "--seed", "1", "--json"))
    assert found["seed"] == 1
    assert (found["rows"][0]["loss"], found["rows"][0]["seen_loss"]) == (1, 0)
    ran = run(*args, "--worlds", "9")
    assert ran.code == 2
    assert "belong to --seen" in ran.err
