"""The command `table`, and PBN where a deal is asked for."""

from __future__ import annotations

import csv
import io

import pytest

from solver.games import game
from solver.games.bridge_deal import write_hands

from .test_cli import run, table  # noqa: F401  (run is a fixture)

PBN = "N:AT7.5.. K9.KJ.. Q.Q87.. 83.AT.."
FILE = f'[Board "5"]\n[Deal "{PBN}"]\n\n[Board "6"]\n[Deal "{PBN.replace("N:", "E:")}"]\n'

pytestmark = pytest.mark.kernel


def test_one_deal(run) -> None:  # noqa: F811
    found = table(run("table", PBN, "--json"))
    assert (found["game"], found["unit"], found["n"]) == ("bridge", "tricks", 1)
    assert [set(row) for row in found["rows"]] == [{"strain", "seat", "declarer", "tricks"}] * 20
    house = game("bridge").read(PBN).text
    assert table(run("table", house, "--json")) == found
    assert table(run("table", "-", "--json", text=PBN)) == found
    assert table(run("table", "-", "--json", "--workers", "1", text=f"a line\n\n{house}\n")) == found
    lines = run("table", PBN).out.splitlines()
    assert lines[0].split() == ["declarer", "C", "D", "H", "S", "NT"]
    assert [line.split()[0] for line in lines[2:6]] == ["North", "East", "South", "West"]
    assert "double dummy" in lines[-1]


def test_a_file_of_boards(run) -> None:  # noqa: F811
    found = table(run("table", "-", "--json", text=FILE))
    assert found["n"] == len(found["deal"]) == 2
    first, second = ([r for r in found["rows"] if r["board"] == b] for b in ("5", "6"))
    assert {(r["strain"], (r["seat"] + 1) % 4): r["tricks"] for r in first} == {
        (r["strain"], r["seat"]): r["tricks"] for r in second
    }
    rows = list(csv.DictReader(io.StringIO(run("table", "-", "--csv", text=FILE.replace("6", "5")).out)))
    assert [r["board"] for r in rows] == ["1"] * 20 + ["2"] * 20


def test_pbn_in_other_commands(run) -> None:  # noqa: F811
    for args in (("solve",), ("cards",), ("line",)):
        ran = run(*args, "bridge", PBN, "3 by S, trump S", "--json")
        assert table(ran)["deal"] == game("bridge").read(PBN).text
    ran = run("cards", "bridge", f'[Deal "{PBN}"]', "3 by S, trump S", "--play", "3 AH")
    assert "tricks of the collecting side" in ran.out
    whole = write_hands(game("bridge").deal(seed=1).hands)
    assert "1NT by West: 11 tricks, 4 over" in run("solve", "bridge", whole, "1NT by W").out


@pytest.mark.parametrize(
    "args, text, part",
    [
        (["N:- - - -"], "", "hand of North at place 3"),
        (["N:AK.. 2... 3... 4..."], "", "3 suits at place 3"),
        (["@x"], "", "'@7'"),
        (["-"], '[Board "1"]', "no [Deal"),
        (["-"], '[Deal "N:A"]', "line 1: read 1 hands"),
        (["-"], "", "read 1 hands"),
    ],
)
def test_bad_input(run, args: list[str], text: str, part: str) -> None:  # noqa: F811
    ran = run("table", *args, text=text)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.count("\n") == 1
