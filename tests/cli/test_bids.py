"""The commands ``bid`` and ``plan``: tables, JSON and CSV, and what is refused in one line."""

from __future__ import annotations

import csv
import io
import json

import pytest

from deciding import PICKER, QUICK, SEVEN, SPADES, TEN
from solver.bidding import bid as bidding
from solver.bidding.of_game import bidding_class
from solver.deals.halving import Round

from .test_cli import run, table  # noqa: F401

SIX = " ".join(PICKER.split()[:6])
BEFORE = ("bid", "thousand", SEVEN, "--talons", "3", "--seed", "1")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rounds in QUICK.items():
        monkeypatch.setattr(bidding_class(name), "schedule", rounds)
    for name in ("thousand", "sheepshead"):
        monkeypatch.setattr(bidding_class(name), "before", (Round(90, 1), Round(6, 2), Round(2, 4)))
    for name, passed in {"three_of_spades": 2, "sheepshead": 10, "thousand": 10}.items():
        monkeypatch.setattr(bidding_class(name), "passed", passed)


# ---------------------------------------------------------------------- bid


@pytest.mark.kernel
def test_bid_before_the_talon(run) -> None:  # noqa: F811
    ran = run(*BEFORE)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0].startswith("thousand: seat 0 makes its bid, before the talon")
    assert lines[1].endswith("n = 12, seed 1")
    head = next(line for line in lines if line.startswith("bid "))
    assert "gain" in head
    assert "gain_low" not in head
    row = next(line for line in lines if line.startswith("100 "))
    assert " to " in row
    assert lines[-1].startswith("p: share of these deals")
    assert any(line.startswith("break-even: ") for line in lines)


@pytest.mark.kernel
def test_bid_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*BEFORE, "--json"))
    assert (found["n"], found["seed"], found["seat"]) == (12, 1, 0)
    assert {"gain", "gain_low", "gain_high", "with_raise", "legal"} <= set(found["rows"][0])
    assert len(found["cases"]) == 3
    ran = run(*BEFORE, "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [float(r["gain_low"]) for r in rows] == pytest.approx([r["gain_low"] for r in found["rows"]])
    assert ran.err.startswith("thousand: seat 0")


@pytest.mark.kernel
def test_bid_with_the_plan_open_or_told(run) -> None:  # noqa: F811
    open_ = table(run("bid", "sheepshead", PICKER, "--seed", "2", "--json"))
    assert all("bury" in row["plan"] for row in open_["rows"])
    told = table(run("bid", "sheepshead", PICKER, "--plan", "call AH, bury TC 8H", "--worlds", "20", "--json"))
    assert "plan" not in told["rows"][0]
    assert told["n"] == 20
    ten = run("bid", "thousand", TEN, "--seed", "1")
    assert "pass" in ten.out
    spades = table(run("bid", "3s", SPADES, "--plan", "trump S", "--worlds", "4", "--limit", "300", "--json"))
    assert all(row["plan"].startswith("trump S, call") for row in spades["rows"])


@pytest.mark.kernel
def test_bid_from_parts(run) -> None:  # noqa: F811
    seen = table(run("bid", "thousand", SEVEN, "--talon", "TH JS 9C", "--seed", "1", "--json"))
    ten = table(run("bid", "thousand", SEVEN + " TH JS 9C", "--seed", "1", "--json"))
    assert seen["rows"] == ten["rows"]
    heard = table(run(*BEFORE, "--seat", "1", "--auction", "0:110", "--json"))
    assert heard["seat"] == 1
    dealt = table(run("bid", "sheepshead", SIX, "--dealer", "0", "--seat", "2", "--talons", "2", "--json"))
    assert dealt["seat"] == 2
    lead = table(run("bid", "kit", "o1 o4 t3 s4", "--lead", "1", "--json"))
    assert lead["contract"] == "by 0, lead 1"


@pytest.mark.kernel
def test_totals_and_until(run) -> None:  # noqa: F811
    found = table(run(*BEFORE, "--totals", "880,300,-120", "--json"))
    rows = {row["bid"]: row for row in found["rows"]}
    assert rows[115]["match_change"] == 0
    assert rows[120]["match_change"] > 0
    plan = ("--plan", "call AH, bury TC 8H", "--worlds", "3000", "--json")
    for text in ("10%", "0.1", " 10 %"):
        found = table(run("bid", "sheepshead", PICKER, *plan, "--until", text))
        row = found["rows"][2]
        assert row["high"] - row["low"] <= 0.2
        assert found["n"] < 3000


# ---------------------------------------------------------------------- plan

PASSES = ("plan", "thousand", TEN, "--bid", "160", "--sampled", "--seed", "1")


@pytest.mark.kernel
def test_plan_table(run) -> None:  # noqa: F811
    ran = run(*PASSES)
    assert ran.code == 0, ran.err
    assert "the best 20 of 90 plans: --all prints all" in ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "thousand: seat 0 plans, 90 plans"
    first = next(i for i, line in enumerate(lines) if line.startswith("pass to 1"))
    assert lines[first].split("  ")[-1].strip() == "n"
    assert " best " in lines[first + 2]
    assert "best plan for each bid, by halving" in lines
    assert len(run(*PASSES, "--all").out.splitlines()) == len(lines) + 70


@pytest.mark.kernel
def test_plan_json_and_csv(run) -> None:  # noqa: F811
    found = table(run(*PASSES, "--json"))
    assert (len(found["rows"]), found["bid"], found["exact"]) == (90, 160, False)
    assert found["rows"][0]["diff"] == 0
    assert found["best"] == found["rows"][0]["plan"]
    assert found["by_bid"][0]["bid"] == 160
    rows = list(csv.DictReader(io.StringIO(run(*PASSES, "--csv").out)))
    assert [r["plan"] for r in rows] == [r["plan"] for r in found["rows"]]


@pytest.mark.kernel
def test_plans_of_other_games(run) -> None:  # noqa: F811
    found = table(run("plan", "sheepshead", PICKER, "--contract", "picker 2, call AH", "--seat", "2", "--json"))
    assert {row["call"] for row in found["rows"]} == {"AH"}
    ran = run("plan", "sheepshead", PICKER, "--seed", "1")
    assert "score" in ran.out
    assert "best plan for each bid" not in ran.out
    found = table(run("plan", "3s", SPADES, "--contract", "trump S", "--bid", "160", "--limit", "300", "--json"))
    assert len(found["rows"]) == 780
    some = table(run("plan", "sheepshead", PICKER, "--worlds", "4", "--workers", "1", "--json"))
    assert some["n"] == 16


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "args, part",
    [
        (["bid"], "name a game and your cards"),
        (["bid", "kit"], "name a game and your cards"),
        (["bid", "kit", "o1 o2 t3"], "too short"),
        (["bid", "kit", "o1 o2 t3 s4", "--worlds", "0"], "worlds"),
        (["bid", "kit", "o1 o2 t3 s4", "--until", "soon"], "expected a number above 0"),
        (["bid", "kit", "o1 o2 t3 s4", "--until", "0"], "half-width between 0 and 1"),
        (["bid", "kit", "o1 o2 t3 s4", "--totals", "1,2,3"], "only a match of thousand"),
        (["bid", "thousand", SEVEN, "--totals", "1,2"], "expected 3 whole numbers"),
        (["bid", "thousand", SEVEN, "--talons", "x"], "whole number"),
        (["bid", "thousand", SEVEN, "--plan", "pass 9C to 1, 9D to 2"], "leave the passes out"),
        (["bid", "thousand", SEVEN, "--talon", "TH JS"], "3 are expected"),
        (["bid", "thousand", SEVEN, "--auction", "0:101"], "101"),
        (["bid", "sheepshead", PICKER, "--plan", "leaster"], "no bids"),
        (["bid", "sheepshead", PICKER, "--plan", "call AH, bury 9H 8H"], "must keep"),
        (["bid", "skat", "AS KS QS JS TS 9S AH KH AD 7D"], "not estimated"),
        (["plan", "kit", "o1 o2 t3 s4"], "kit has no plans"),
        (["plan", "thousand", SEVEN], "the talon has not been seen"),
        (["plan", "thousand", TEN, "--bid", "101"], "multiples of 5"),
        (["plan", "thousand", TEN, "--contract", "pass 9C to 1, 9D to 2"], "told already"),
        (["plan", "sheepshead", PICKER, "--worlds", "all"], "too many"),
        (["plan", "sheepshead", PICKER, "--worlds", "few"], "whole number"),
        (["plan", "sheepshead", PICKER, "--json", "--csv"], "choose one"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, args: list[str], part: str) -> None:  # noqa: F811
    ran = run(*args)
    assert ran.code == 2, ran.err
    assert ran.out == ""
    assert part in ran.err
    assert ran.err.splitlines()[-1].startswith("trickwise: ")
    assert sum(line.startswith("trickwise: ") for line in ran.err.splitlines()) == 1


@pytest.mark.kernel
def test_an_interrupt_shows_what_was_finished(run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    inner, asked = bidding.decide, []

    def some(*args: object, **more: object) -> object:
        asked.append(1)
        if len(asked) == 3:
            raise bidding.SearchInterruptedError
        return inner(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(bidding, "decide", some)
    ran = run(*BEFORE, "--json")
    assert ran.code == 130
    found = json.loads(ran.out)
    assert found["partial"]
    assert found["summary"]["talons"] == 2
    asked[:] = [1, 1]
    ran = run(*BEFORE)
    assert (ran.code, ran.out) == (130, "")
