"""`plans`: as many as there are ways to choose, each of them playable, and the same as the game itself lists."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

import solver as tw


def test_thousand_passes_any_two_cards_in_either_order() -> None:
    hand = "AH KH QH 9H TS JC 9D | talon: TH JS 9C"
    cards = hand.replace("| talon: ", "").split()
    answer = tw.plans("thousand", hand, "120 by 0")
    assert answer.count == len(answer) == 90
    assert {tuple(card for _, card in sorted(plan.passes)) for plan in answer.plans} == set(permutations(cards, 2))
    assert all((plan.declarer, plan.target) == (0, 120) for plan in answer.plans)


def test_skat_buries_any_two_of_twelve() -> None:
    deal = tw.deal("skat", seed=1)
    cards = deal.hands[0] | deal.talon
    answer = tw.plans("skat", " ".join(cards), "by 0, trump H")
    assert {frozenset(plan.bury) for plan in answer.plans} == {frozenset(two) for two in combinations(cards, 2)}


@pytest.mark.parametrize("call", ["AC", "AH", "alone"])
def test_a_call_keeps_the_plans_that_have_it(call: str) -> None:
    hand = "QC JS AD 9D TC 8C AS KH"
    whole = tw.plans("sheepshead", hand, "picker 0")
    some = tw.plans("sheepshead", hand, "picker 0", call=call)
    wanted = () if call == "alone" else (call,)
    assert some.plans == tuple(plan for plan in whole.plans if plan.called == wanted)
    assert len(some.frame) == some.count > 0


def test_a_listed_plan_can_be_played() -> None:
    deal = tw.deal("thousand", seed=3)
    hand = " ".join(deal.hands[0] | deal.talon)
    for plan, row in zip(tw.plans("thousand", hand, "100 by 0").plans[::9], range(10), strict=True):
        position = deal.game.start(deal, plan)
        assert [len(h) for h in position.hands] == [8, 8, 8], row
        for seat, card in plan.passes:
            assert card in position.hands[seat]


@pytest.mark.parametrize("name, hand", [("kit", "o1 o2 o3 o4"), ("whist", "AH"), ("bridge", "AH")])
def test_games_without_plans_say_so(name: str, hand: str) -> None:
    with pytest.raises(tw.UnsupportedError, match="no plans"):
        tw.plans(name, hand)
