"""House rules of Sheepshead: defaults, values, what contradicts, what is left out, and the cards of each table."""

from __future__ import annotations

import dataclasses

import pytest

from at_table import sheepshead
from solver.games import game
from solver.games.sheepshead import Sheepshead, SheepsheadOptions
from solver.games.sheepshead_options import LEFT_OUT
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError

DEFAULTS = {
    "seats": 5, "partner": "called", "jd_call_up": False, "hold_card": True, "partner_leads_any": False,
    "picker_leads_called": False,
    "under_may_be_led": True, "under_test": "eight", "call_own_ace": False, "call_ten": True, "called_ten_wins": True,
    "bury_trump": True, "bury_ace": True, "picker_alone_leads": False, "no_pick": "leaster", "doubler_stacks": False,
    "weak_redeal": False, "leaster_blind": "last_trick", "leaster_tie": "wash", "double_on_bump": True,
    "partner_off_hook": True, "schwarz": "tricks", "crack": "off", "blitz": False, "multiplier_cap": 0,
}  # fmt: skip


# ---------------------------------------------------------------------- the record itself


def test_defaults() -> None:
    assert sheepshead().option_values() == DEFAULTS
    assert sheepshead().changed_options() == {}
    with pytest.raises(dataclasses.FrozenInstanceError):
        sheepshead().options.seats = 4  # type: ignore[misc]


def test_each_is_described() -> None:
    described = {o["option"]: o for o in Sheepshead.describe_options()}
    assert {name: o["default"] for name, o in described.items()} == DEFAULTS
    assert all(o["meaning"] and o["default"] in o["values"] for o in described.values())


@pytest.mark.parametrize("field", dataclasses.fields(SheepsheadOptions), ids=lambda f: f.name)
def test_each_value_is_taken_and_others_are_refused(field: dataclasses.Field) -> None:
    needs = {"jd_call_up": {"partner": "jd"}, "doubler_stacks": {"no_pick": "doubler"}, "queens": {"seats": 4}}
    for value in field.metadata["values"]:
        one = sheepshead(**{**needs.get(field.name, {}), **needs.get(str(value), {}), field.name: value})
        assert getattr(one.options, field.name) == value
        again = game("sheepshead", **{k: str(v) for k, v in one.option_values().items()})
        assert again == one
    with pytest.raises(UnsupportedError, match=f"option {field.name} is 'odd'"):
        sheepshead(**{field.name: "odd"})


@pytest.mark.parametrize("seats, partner", [(3, "none"), (4, "none"), (5, "called"), (6, "jd"), (7, "jd")])
def test_the_usual_partner_of_each_number_of_seats(seats: int, partner: str) -> None:
    one = sheepshead(seats=seats)
    assert one.options.partner == partner
    assert one.changed_options() == ({} if seats == 5 else {"seats": seats})


def test_changed_options_build_the_game_again() -> None:
    for options in (
        {},
        {"seats": 4, "partner": "called"},
        {"seats": 4},
        {"seats": 6, "partner": "jc", "crack": "crack"},
    ):
        one = sheepshead(**options)
        assert one.changed_options() == options
        assert game("sheepshead", **one.changed_options()) == one
        assert eval(repr(one)) == one


@pytest.mark.parametrize("variant", LEFT_OUT)
def test_left_out_with_a_reason(variant: str) -> None:
    option, value = variant.split("=")
    with pytest.raises(UnsupportedError) as error:
        sheepshead(**{option: value})
    assert variant in str(error.value)
    assert LEFT_OUT[variant] in str(error.value)


@pytest.mark.parametrize(
    "options, named",
    [
        ({"seats": 3, "partner": "called"}, "partner is 'called'"),
        ({"seats": 5, "partner": "queens"}, "partner is 'queens'"),
        ({"jd_call_up": True}, "jd_call_up is True"),
        ({"seats": 4, "no_pick": "mittler"}, "no_pick is 'mittler'"),
        ({"doubler_stacks": True}, "doubler_stacks is True"),
    ],
)
def test_contradictions(options: dict, named: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        sheepshead(**options)
    assert named in str(error.value)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    "options, deck, hand, blind",
    [
        ({"seats": 3}, 32, 10, 2),
        ({"seats": 4}, 32, 7, 4),
        ({"seats": 4, "partner": "jd"}, 32, 7, 4),
        ({"seats": 4, "partner": "called"}, 30, 7, 2),
        ({"seats": 4, "partner": "queens"}, 32, 8, 0),
        ({}, 32, 6, 2),
        ({"seats": 6}, 32, 5, 2),
        ({"seats": 7}, 32, 4, 4),
    ],
)
def test_cards(options: dict, deck: int, hand: int, blind: int) -> None:
    one = sheepshead(**options)
    deal = one.deal(seed=3)
    assert (len(one.deck), one.hand_size, one.talon_size) == (deck, hand, blind)
    assert {len(h) for h in deal.hands} == {hand}
    assert len(deal.talon) == blind
    assert one.read(deal.text) == deal
    assert sum(map(one.points, one.deck.cards)) == 120
    rules = one.trick_rules(Contract())
    assert {c for _, suit in rules.suits for c in suit} == set(one.deck.cards)


def test_four_with_a_called_ace_play_without_two_sevens() -> None:
    with pytest.raises(NotationError, match="removed before dealing"):
        sheepshead(seats=4, partner="called").deck.card("7C")


def test_queens_are_partners_and_nobody_picks() -> None:
    one = sheepshead(seats=4, partner="queens")
    deal = one.deal(seed=3)
    position = one.start(deal, one.contract(""))
    assert position.side == {s for s, hand in enumerate(deal.hands) if hand & {"QC", "QS"}}
    for text in ("picker 0", "bury 7C 8C", "call AS", "alone"):
        with pytest.raises(NotationError, match="nobody picks"):
            one.contract(text)
    with pytest.raises(NotationError, match="no auction"):
        one.contract("leaster")
