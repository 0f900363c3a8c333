"""The command ``worlds``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from .test_cli import run, table  # noqa: F401

FOLDER = Path(__file__).parents[1] / "data" / "records"
T5 = "AH KH QH 9H TS JC 9D"


def test_table(run) -> None:  # noqa: F811
    ran = run("worlds", "kit", "o1 o2 t3 s4", "--play", "0 t3, 1 s1")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "kit: seat 0 with o2 o1 t3 s4, 2 cards played"
    assert lines[1] == "4 worlds"
    assert lines[3].split() == ["card", "seat", "1", "seat", "2"]
    assert "seat 1 holds no triangle: it played s1 when triangles were led in trick 1" in lines


def test_json_has_the_count_as_a_whole_number(run) -> None:  # noqa: F811
    found = table(run("worlds", "three_of_spades", "AC KC QC JC TC 9C 8C 7C 6C 5C", "--json"))
    assert found["count"] == 4705360871073570227520
    assert found["rows"][0] == {"card": "4C", "place": "seat 1", "p": 0.25}
    assert len(found["rows"]) == 40 * 4


def test_steps(run) -> None:  # noqa: F811
    args = ["thousand", T5, "--auction", "0:100 1:110 2:pass 0:120 1:pass", "--talon", "TH JS 9C"]
    assert table(run("worlds", *args, "--json"))["count"] == 3432
    found = table(run("worlds", *args, "--contract", "120 by 0, pass 9C to 1, 9D to 2", "--play", "AH JD JH", "--json"))
    assert found["count"] == 924
    assert "seat 1 holds 9C: it was passed to it" in found["notes"]
    defender = ["--seat", "1", "--talon", "TH JS 9C", "--contract", "120 by 0, pass 9D to 1"]
    assert table(run("worlds", "thousand", "AS KS QS 9S AC TC JD", *defender, "--json"))["count"] == 6435


def test_partners(run) -> None:  # noqa: F811
    found = table(run("worlds", "sheepshead", "QS 9D AC 9C KH 7S", "--contract", "picker 2, call AH", "--json"))
    assert [row["seat"] for row in found["partner"]] == [0, 1, 3, 4]
    assert sum(row["p"] for row in found["partner"]) == pytest.approx(1)
    ran = run("worlds", "sheepshead", "QS 9D AC 9C KH 7S", "--contract", "picker 2, call AH")
    assert "partner: seat 1 33.3 %, seat 3 33.3 %, seat 4 33.3 %" in ran.out


NOBODY = [
    ("picker 2", ["-o", "partner=jd"]),  # JD may be buried
    ("picker 0", ["-o", "partner=jd"]),  # or in the blind
    ("picker 2, call AC", ["-o", "call_own_ace=true"]),
    ("picker 2", ["-o", "seats=7", "-o", "partner=jd"]),
    ("175 by 2, trump S, call AS KD", ["-o", "own_call=true"]),
]


@pytest.mark.parametrize("contract, options", NOBODY, ids=str)
def test_nobody_may_be_the_partner(run, contract: str, options: list[str]) -> None:  # noqa: F811
    name, hand = "sheepshead", "QC QS 7H 7S" if "seats=7" in options else "QC QS 7H 7S AS TS"
    if "own_call=true" in options:
        name, hand = "three_of_spades", "AC KC QC JC TC 9C 8C 7C 6C 5C"
    args = ["worlds", name, hand, "--contract", contract, *options]
    rows = table(run(*args, "--json"))["partner"]
    assert rows[-1]["seat"] is None
    assert 0 < rows[-1]["p"] < 1
    assert {type(row["seat"]) for row in rows[:-1]} == {int}
    shown = next(line for line in run(*args).out.splitlines() if line.startswith("partner: "))
    assert f"nobody {100 * rows[-1]['p']:.1f} %" in shown
    assert run(*args, "--csv").code == 0


def test_a_leaster_has_no_partners(run) -> None:  # noqa: F811
    args = ["worlds", "sheepshead", "QC QS 7H 7S AS TS", "--contract", "leaster", "-o", "partner=jd"]
    assert table(run(*args, "--json"))["partner"] == []
    assert "partner" not in run(*args).out


def test_eight_cards_with_talon_or_auction(run) -> None:  # noqa: F811
    args = ["AS KS QS 9S AC TC JD 9D", "--seat", "1", "--contract", "100 by 0", "--auction", "0 100, 1 pass, 2 pass"]
    assert table(run("worlds", "thousand", *args, "--json"))["count"] == 12_870
    args = [f"{T5} JS", "--talon", "TH JS 9C", "--contract", "120 by 0, pass 9C to 1, TH to 2", "--json"]
    assert table(run("worlds", "thousand", *args))["count"] == 3432


def test_record(run) -> None:  # noqa: F811
    name = str(FOLDER / "sheepshead_view.txt")
    found = table(run("worlds", "--record", name, "--json"))
    assert (found["seat"], found["count"]) == (0, 113_400)
    text = (FOLDER / "thousand_t7.txt").read_bytes()
    assert table(run("worlds", "--record", "-", "--seat", "1", "--json", text=text))["rows"] == []
    ran = run("worlds", "--record", name, "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert rows[0].keys() == {"card", "place", "p"}
    assert float(rows[0]["p"]) == 0.2


def test_random_hand_and_options(run) -> None:  # noqa: F811
    ran = run("worlds", "kit", "@7", "-o", "seats=4", "--json")
    assert json.loads(ran.out)["count"] == 1680
    assert "the hand of seat 0 in the deal of seed 7" in ran.err


@pytest.mark.parametrize(
    "args, words",
    [
        ([], "name a game and your cards"),
        (["kit"], "name a game and your cards"),
        (["kit", "o1 o2"], "too short"),
        (["kit", "o1 o2 t3 s4", "--play", "1 o3"], "seat 0 is on turn"),
        (["kit", "o1 o2 t3 s4", "--seat", "5"], "expected a seat from 0 to 2"),
        (["kit", "o1 o2 t3 s4", "--json", "--csv"], "choose one"),
        (["kit", "--record", str(FOLDER / "kit_k4.txt")], "name only --seat"),
        (["--record", str(FOLDER / "kit_k4.txt")], "nobody's view"),
        (["--record", str(FOLDER / "kit_errors.txt"), "--seat", "0"], "it held o1, and played it in trick 4"),
        (["--record", "nowhere.txt"], "cannot use nowhere.txt"),
        (["thousand", T5, "--contract", "120 by 0", "--play", "0 AH"], "say what is passed"),
        (["thousand", f"{T5} JS", "--talon", "TH JS 9C"], "holds 8 cards: 7 are expected"),
        (["sheepshead", "QC QS 7H 7S AS TS", "--auction", "0 pass, 1 pick", "--play", "0 7S"], "or say 'alone'"),
    ],
)
def test_errors(run, args: list[str], words: str) -> None:  # noqa: F811
    ran = run("worlds", *args)
    assert ran.code == 2
    assert ran.out == ""
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1
