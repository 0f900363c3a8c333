"""Every record of tests/data/positions.json against the solver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from at_table import cards, contract, ending
from solver.deals.doubledummy import solve_position
from solver.deals.search import Search
from solver.games import game
from solver.model.contract import Contract
from solver.model.play import Position

pytestmark = pytest.mark.kernel

DATA = json.loads((Path(__file__).parent / "data" / "positions.json").read_text())


def records(name: str) -> list:
    """The records of one section as numbered parameters."""
    return [pytest.param(r, id=f"{name.split('_')[0]}-{i}") for i, r in enumerate(DATA[name])]


def check(position: Position, value: int) -> None:
    """The value, and the thresholds on either side of it."""
    low, high, _ = solve_position(position)
    assert (low, high) == (value, value)
    one = Search(position)
    assert one.reaches(position, value) is True
    assert one.reaches(position, value + 1) is False


def test_sections() -> None:
    sizes = {name: len(found) for name, found in DATA.items() if name != "note"}
    assert sizes == {
        "kit_full_hand_one_vs_two": 36,
        "sheepshead_3_trick_endings_no_duties": 48,
        "sheepshead_3_trick_endings_called_ace_duties_active": 36,
        "thousand_endings_fixed_trump_no_marriages": 48,
        "thousand_4_trick_endings_with_optional_marriages": 30,
        "three_of_spades_endings": 45,
    }


@pytest.mark.parametrize("record", records("kit_full_hand_one_vs_two"))
def test_kit(record: dict) -> None:
    rules = game("kit").trick_rules(Contract())
    for seat, value in enumerate(record["solo_value"]):
        check(ending(rules, record["hands"], leader=record["leader"], side=(seat,)), value)


@pytest.mark.parametrize("record", records("sheepshead_3_trick_endings_no_duties"))
def test_sheepshead(record: dict) -> None:
    rules = game("sheepshead").trick_rules(Contract())
    check(ending(rules, record["hands"], leader=record["leader"], side=record["side"], trump="T"), record["value"])


@pytest.mark.parametrize("record", records("sheepshead_3_trick_endings_called_ace_duties_active"))
def test_sheepshead_duties(record: dict) -> None:
    five = game("sheepshead")
    side = (record["picker"], record["partner"])
    called = contract(declarer=record["picker"], called=record["called"])
    assert five.picking_side(tuple(map(cards, record["hands"])), called) == set(side)  # type: ignore[attr-defined]
    for agreed, value in ((called, record["value"]), (Contract(), record["value_without_duties"])):
        rules = five.trick_rules(agreed)
        check(ending(rules, record["hands"], leader=record["leader"], side=side, trump="T"), value)


@pytest.mark.parametrize("record", records("thousand_endings_fixed_trump_no_marriages"))
def test_thousand(record: dict) -> None:
    rules = game("thousand", marriages=False).trick_rules(Contract())
    position = ending(rules, record["hands"], leader=record["leader"], side=record["side"], trump=record["trump"])
    check(position, record["value"])


@pytest.mark.parametrize("timing", ["next_trick", "immediate"])
@pytest.mark.parametrize("record", records("thousand_4_trick_endings_with_optional_marriages"))
def test_thousand_marriages(record: dict, timing: str) -> None:
    rules = game("thousand", trump_timing=timing).trick_rules(Contract())
    side = (record["declarer"],)
    position = ending(rules, record["hands"], leader=record["leader"], side=side, trump=record["trump"])
    check(position, record["value_" + timing])


@pytest.mark.parametrize("record", records("three_of_spades_endings"))
def test_three_of_spades(record: dict) -> None:
    some = game("three_of_spades", seats=record["players"])
    rules = some.trick_rules(Contract())
    position = ending(rules, record["hands"], leader=record["leader"], side=record["side"], trump=record["trump"])
    assert all(card in some.deck for hand in position.hands for card in hand)
    check(position, record["value"])
