"""Every legal plan of the picker, against a plain twin and against the check of a single plan."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import pytest

from at_table import cards, contract
from naive import sheepshead as naive
from solver.games import game
from solver.games.sheepshead import Sheepshead
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError

ORDINARY, UNDER, TENS = "QC JS AD 9D TC 8C AS KH", "QC QS JD AD TD 7D AH KD", "AC AS AH QC JD TD 8D KS"
HANDS = [
    ORDINARY, UNDER, TENS, "AC AS AH TC TS TH KC KS", "QC QS QH QD JC JS JH JD", "7C 8C 9C KC 7S 8S 9S KS",
    "AC 7C AS 7S QC QS QH 7H", "AD TD KD 9D 8D 7D AC AS", "AC AS AH QC QS QH QD JC", "AH TH KH 9H 8H 7H AD TC",
]  # fmt: skip


def sheepshead(**options: object) -> Sheepshead:
    one = game("sheepshead", **options)
    assert isinstance(one, Sheepshead)
    return one


def as_naive(plan: Contract) -> naive.Plan:
    return (plan.called[0] if plan.called else None), plan.under, frozenset(plan.bury)


def listed(one: Sheepshead, eight: str | frozenset, text: str = "picker 0") -> list[Contract]:
    return list(one.plans(cards(eight), one.contract(text)))


def some_hands(one: Sheepshead, count: int) -> list[frozenset]:
    rng = random.Random(7)
    size = one.hand_size + one.talon_size
    return [frozenset(rng.sample(one.deck.cards, size)) for _ in range(count)]


RULES = [
    {}, {"hold_card": False}, {"call_ten": False}, {"under_test": "after_bury"}, {"call_own_ace": True},
    {"bury_trump": False}, {"bury_ace": False}, {"bury_trump": False, "bury_ace": False},
    {"under_test": "after_bury", "call_own_ace": True, "bury_ace": False}, {"hold_card": False, "call_own_ace": True},
]  # fmt: skip


@pytest.mark.parametrize("rules", RULES, ids=lambda r: " ".join(r) or "usual")
def test_against_the_twin(rules: dict) -> None:
    one = sheepshead(**rules)
    twin = {
        ("after_bury" if k == "under_test" else "own_ace" if k == "call_own_ace" else k): v for k, v in rules.items()
    }
    if "after_bury" in twin:
        twin["after_bury"] = True
    for eight in [*map(cards, HANDS), *some_hands(one, 60)]:
        plans = [as_naive(p) for p in listed(one, eight)]
        assert len(set(plans)) == len(plans)
        assert set(plans) == naive.house_plans(set(eight), **twin), one.deck.write(eight)
        if not rules:
            assert set(plans) == set(naive.plans(set(eight)))


def test_four_with_a_called_ace() -> None:
    one = sheepshead(seats=4, partner="called")
    for nine in some_hands(one, 25):
        assert {as_naive(p) for p in listed(one, nine)} == naive.house_plans(set(nine))


@pytest.mark.parametrize("eight", HANDS)
def test_listed_are_exactly_those_that_pass_the_check(eight: str) -> None:
    one = sheepshead(under_test="after_bury", call_own_ace=True)
    held = cards(eight)
    passed = set()
    for call in ("", "AC", "AS", "AH", "TC", "TS", "TH"):
        for under in [None, *sorted(held)] if call.startswith("A") else [None]:
            for bury in combinations(one.deck.sort(held), 2):
                plan = contract(
                    declarer=0, target=61, called=call, under=under, bury=" ".join(bury), kind="" if call else "alone"
                )
                try:
                    one.check_plan(held, plan)
                except IllegalPlayError:
                    continue
                passed.add(plan)
    assert set(listed(one, eight)) == passed


@pytest.mark.parametrize(
    "options, count",
    [
        ({"seats": 3}, comb(12, 2)),
        ({"seats": 4}, comb(11, 4)),
        ({"seats": 5, "partner": "jd"}, comb(8, 2)),
        ({"seats": 5, "partner": "none"}, comb(8, 2)),
        ({"seats": 6}, comb(7, 2)),
        ({"seats": 6, "partner": "jc"}, comb(7, 2)),
        ({"seats": 7}, comb(8, 4)),
    ],
)
def test_without_a_call_there_is_only_the_bury(options: dict, count: int) -> None:
    one = sheepshead(**options)
    eight = some_hands(one, 1)[0] - {"JD", "JC"}
    eight |= frozenset(
        one.deck.sort(frozenset(one.deck.cards) - eight)[-8:][: one.hand_size + one.talon_size - len(eight)]
    )
    plans = listed(one, eight)
    assert len(plans) == len(set(plans)) == count
    assert all(not p.called and p.under is None and p.kind == "" for p in plans)


@pytest.mark.parametrize(
    "eight, call",
    [
        ("JD QC AD 9D TC 8C AS KH", "JH"),
        ("JD JH AD 9D TC 8C AS KH", "JS"),
        ("JD JH JS 9D TC 8C AS KH", "JC"),
        ("JD JS AD 9D TC 8C AS KH", "JH"),
        ("JD JH JS JC TC 8C AS KH", None),
        ("QC JH AD 9D TC 8C AS KH", None),
    ],
)
def test_jack_of_diamonds_call_up(eight: str, call: str | None) -> None:
    one = sheepshead(partner="jd", jd_call_up=True)
    plans = listed(one, eight)
    assert {as_naive(p) for p in plans} == naive.jack_plans(set(cards(eight)))
    assert {p.called for p in plans} == {(), *([(call,)] if call else [])}
    assert {p.kind for p in plans if not p.called} == {"alone" if "JD" in eight else ""}


def test_what_the_contract_names_is_kept() -> None:
    one = sheepshead()
    assert len(listed(one, ORDINARY, "picker 0, call AC")) == 27
    assert len(listed(one, ORDINARY, "picker 0, alone")) == 28
    assert len(listed(one, ORDINARY, "picker 0, bury AD 9D")) == 3
    assert len(listed(one, UNDER, "picker 0, call AC, under 7D")) == 21
    assert len(listed(one, UNDER, "picker 0, call AC, under 7D, bury TD QC")) == 1
    assert listed(one, ORDINARY, "picker 0, call AS") == []


def test_a_plan_needs_the_blind() -> None:
    one = sheepshead()
    with pytest.raises(NotationError, match="a plan is made with 8"):
        one.plans(cards("QC JS AD 9D TC 8C"), one.contract("picker 0"))
    with pytest.raises(UnsupportedError):
        one.plans(cards(ORDINARY), one.contract("leaster"))
    with pytest.raises(UnsupportedError):
        sheepshead(seats=4, partner="queens").plans(cards(ORDINARY), Contract())


@pytest.mark.parametrize(
    "eight, plan, options, why",
    [
        (ORDINARY, "call AS, bury TC 8C", {}, "holds it"),
        (ORDINARY, "call AC, bury TC 8C", {}, "must keep a card of that suit"),
        (ORDINARY, "call TH, bury TC 8C", {}, "all three fail aces"),
        (ORDINARY, "call AC, bury QS 8C", {}, "does not hold it"),
        (ORDINARY, "call AC, under TC, bury QC 8C", {}, "of the called suit"),
        ("QC QS JD AD TD 7D AH KS", "call AC, under 7D, bury QC QS", {}, "an ordinary call is open (AS)"),
        (UNDER, "call AC, under 7D, bury 7D QS", {}, "both buried and the under card"),
        (TENS, "call TC, bury JD 8D", {"call_ten": False}, "call_ten off"),
        (ORDINARY, "call AC, bury AD 8C", {"bury_trump": False}, "bury_trump off"),
        (ORDINARY, "call AC, bury AS 8C", {"bury_ace": False}, "bury_ace off"),
        (ORDINARY, "call AS, bury AS 8C", {"call_own_ace": True}, "must keep it"),
        (UNDER, "call AH, under 7D, bury QS QC", {"call_own_ace": True}, "without an under card"),
        (ORDINARY, "call JH, bury TC 8C", {"partner": "jd", "jd_call_up": True}, "only with JD in hand"),
        (UNDER, "call JS, bury AD TD", {"partner": "jd", "jd_call_up": True}, "may call JH"),
        (ORDINARY, "alone, bury TC 8C", {"partner": "jd"}, "who holds JD"),
    ],
)
def test_the_rule_is_named(eight: str, plan: str, options: dict, why: str) -> None:
    one = sheepshead(**options)
    with pytest.raises(IllegalPlayError) as error:
        one.check_plan(cards(eight), one.contract(f"picker 0, {plan}"))
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_spared_cards_may_be_buried_for_want_of_others() -> None:
    one = sheepshead(bury_trump=False)
    assert len(listed(one, "QC QS QH QD JC JS JH AC", "picker 0, alone")) == 28
    assert len(listed(one, "QC QS QH QD JC JS AC KC", "picker 0, alone")) == 1


def test_under_after_the_bury() -> None:
    eight = cards("QC QS JD AD TD 7D AH KC")  # AC is an ordinary call unless KC is buried
    plan = contract(declarer=0, called="AC", under="7D", bury="KC TD")
    with pytest.raises(IllegalPlayError):
        sheepshead().check_plan(eight, plan)
    sheepshead(under_test="after_bury").check_plan(eight, plan)
