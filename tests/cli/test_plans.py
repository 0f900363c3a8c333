"""The command ``plans``: counts of RULES.md, how long lists are shown, what is refused."""

from __future__ import annotations

import json

import pytest

from .test_cli import run  # noqa: F401


@pytest.mark.parametrize(
    "hand, counts",
    [
        ("QC JS AD 9D TC 8C AS KH", {"": 76, "AC": 27, "AH": 21, "alone": 28}),
        ("QC QS JD AD TD 7D AH KD", {"": 364, "AC": 168, "AS": 168, "alone": 28}),
        ("AC AS AH QC JD TD 8D KS", {"": 97, "TC": 21, "TS": 27, "TH": 21, "alone": 28}),
    ],
)
def test_S8(run, hand: str, counts: dict[str, int]) -> None:  # noqa: F811
    for call, count in counts.items():
        ran = run("plans", "sheepshead", hand, "--json", *(["--call", call] if call else []))
        found = json.loads(ran.out)
        assert (ran.code, found["count"], len(found["rows"])) == (0, count, count)


def test_the_90_passes(run) -> None:  # noqa: F811
    hand = "AH KH QH 9H TS JC 9D | talon: TH JS 9C"
    found = json.loads(run("plans", "thousand", "-", "--contract", "120 by 0", "--json", text=hand).out)
    assert (found["count"], len({r["plan"] for r in found["rows"]})) == (90, 90)
    assert found["rows"][0].keys() >= {"pass to 1", "pass to 2", "reach", "plan"}
    best = next(r for r in found["rows"] if r["plan"] == "pass 9C to 1, pass 9D to 2")
    broken = next(r for r in found["rows"] if r["plan"] == "pass KH to 1, pass 9D to 2")
    assert (best["reach"], broken["reach"]) == (220, 120)
    assert any("surrender: seat 0 gives up 120: -120, each opponent 60" in note for note in found["notes"])


def test_long_lists_are_cut_with_a_note(run) -> None:  # noqa: F811
    ran = run("plans", "three_of_spades", "@3", "--contract", "160 by 1")
    assert "the first 40 of 3120 plans" in ran.err
    assert len(ran.out.splitlines()) < 50
    some = run("plans", "three_of_spades", "@3", "--contract", "160 by 1, trump S", "--call", "2H", "--all")
    assert "first" not in some.err
    assert len(some.out.splitlines()) > 39
    assert len(run("plans", "thousand", "@3", "--all").out.splitlines()) > 90
    assert len(run("plans", "thousand", "@3", "--csv").out.splitlines()) == 91


@pytest.mark.parametrize(
    "args, part",
    [
        (["plans", "kit", "o1 o2 o3 o4"], "kit has no plans"),
        (["plans", "whist", "AH"], "whist has no plans"),
        (["plans", "thousand", "AH KH"], "a hand of 2 cards"),
        (["plans", "three_of_spades", "AH KH"], "expected 10 cards"),
        (["plans", "thousand", "AH KH AH"], "AH stands twice"),
        (["plans", "thousand", "@x"], "'@7'"),
        (["plans", "thousand", "@1", "--contract", "by 9"], "seat from 0 to 2"),
        (["plans", "sheepshead", "QC JS AD 9D TC 8C AS KH", "--call", "TC"], "the declarer holds it"),
        (["plans", "sheepshead", "QC JS AD 9D TC 8C AS KH", "--call", "XX"], "'XX'"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, args: list[str], part: str) -> None:  # noqa: F811
    ran = run(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert part in ran.err.splitlines()[-1]
    assert ran.err.splitlines()[-1].startswith("trickwise: ")
