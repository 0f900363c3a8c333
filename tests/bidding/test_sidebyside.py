"""`numbers` from any stage on: the plan that it chooses, the order of its numbers, and what a seed promises."""

from __future__ import annotations

import pytest

import solver as tw

HAND = "AH KH QH TH TS JC 9D"
KIT_HAND = "o1 o4 t3 s2"


def test_at_the_lead_they_are_those_of_the_told_plan() -> None:
    """In the kit all 70 worlds are read, so that the chance is the share of deals that `solve` says make."""
    answer = tw.numbers("kit", KIT_HAND, "2 by 0, lead 0", seed=1, fast=True, workers=1)
    worlds = tw.knowledge("kit", 0, KIT_HAND).contract("2 by 0, lead 0").enumerate()
    made = [tw.solve(worlds.deal(i), "2 by 0, lead 0").made for i in range(len(worlds.owners))]
    assert (answer.bid, answer.seat, answer.n) == (2, 0, len(made))
    assert answer.p("double dummy") == pytest.approx(sum(made) / len(made))
    assert answer.p("blind lead") <= answer.p("double dummy")


def test_after_the_talon_the_best_plan_is_chosen_and_named() -> None:
    hand = f"{HAND} | talon: JS 9C 9S"
    answer = tw.numbers("thousand", hand, "by 0", bid=100, seed=2, worlds=20, deals=2, fast=True, workers=1)
    (note,) = (note for note in answer.notes if note.startswith("plan chosen for 100: "))
    told = tw.game("thousand").contract(f"100 by 0, {note.partition(': ')[2]}")
    assert told in tw.plans("thousand", hand, "100 by 0").plans
    assert (answer.bid, answer.seed) == (100, 2)
    assert answer.frame["n"].tolist() == [20, 20]


def test_before_the_talon_there_is_one_row_a_number_over_all_talons() -> None:
    asked = {"bid": 100, "seed": 3, "talons": 2, "worlds": 6, "deals": 1, "fast": True, "workers": 1}
    answer = tw.numbers("thousand", HAND, "by 0", **asked)
    assert answer.frame["number"].tolist() == ["double dummy", "blind lead"]
    assert answer.frame["n"].tolist() == [12, 12]
    assert "before the talon" in answer.question
    assert (answer.frame["low"] <= answer.frame["p"]).all()
    assert (answer.frame["p"] <= answer.frame["high"]).all()
    assert tw.numbers("thousand", HAND, "by 0", **asked).frame.equals(answer.frame)


@pytest.mark.parametrize(
    "name, hand, contract, bid, part",
    [
        ("kit", KIT_HAND, "2 by 0, lead 0", 7, "bid 7"),
        ("sheepshead", "QC JS AD 9D TC 8C", "leaster", None, "threshold"),
    ],
)
def test_a_threshold_that_is_none_is_refused(name: str, hand: str, contract: str, bid: int | None, part: str) -> None:
    with pytest.raises(tw.TrickwiseError, match=part):
        tw.numbers(name, hand, contract, bid=bid, seed=1)
