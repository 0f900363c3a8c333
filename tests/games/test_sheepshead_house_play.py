"""House rules of Sheepshead that change who helps the picker, and what may be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from at_table import SHEEPSHEAD_DEAL, cards, ending, legal, play, sheepshead, to_play
from solver.deals.doubledummy import solve_position
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Position

# ---------------------------------------------------------------------- who helps the picker


@pytest.mark.parametrize(
    "options, plan, side",
    [
        ({}, "call AC, bury AS KH", {0, 1}),
        ({}, "alone, bury AS KH", {0}),
        ({"partner": "jd"}, "bury AS KH", {0, 2}),
        ({"partner": "jc"}, "bury AS KH", {0, 1}),
        ({"partner": "none"}, "bury AS KH", {0}),
        ({"partner": "none"}, "alone, bury AS KH", {0}),
        ({"call_own_ace": True}, "call AS, bury TC KH", {0}),
        ({"hold_card": False}, "call AC, bury TC 8C", {0, 1}),
    ],
)
def test_side(options: dict, plan: str, side: set[int]) -> None:
    one = sheepshead(**options)
    assert one.start(one.read(SHEEPSHEAD_DEAL), one.contract(f"picker 0, {plan}")).side == side


@pytest.mark.parametrize(
    "picker, plan, side",
    [
        (2, "bury AS KH", {2}),
        (2, "bury JD KH", {2}),
        (2, "alone, bury AS KH", {2}),
        (2, "call JH, bury AS KH", {1, 2}),
        (2, "call JH, bury JD KH", {1, 2}),
        (0, "bury AS KH", {0, 2}),
    ],
)
def test_jack_of_diamonds_with_the_picker(picker: int, plan: str, side: set[int]) -> None:
    one = sheepshead(partner="jd", jd_call_up=True)
    position = one.start(one.read(SHEEPSHEAD_DEAL), one.contract(f"picker {picker}, {plan}"))
    assert position.side == side
    assert position.rules.called is None
    assert not position.duties_open


@pytest.mark.parametrize(
    "options, text",
    [
        ({}, "picker 0, call JH"),
        ({}, "picker 0, call KC"),
        ({}, "picker 0, call AC AH"),
        ({}, "picker 0, alone, call AC"),
        ({}, "picker 0, alone, leaster"),
        ({}, "picker 0, under 7D"),
        ({}, "picker 0, alone AC"),
        ({"partner": "jd"}, "picker 0, call JH"),
        ({"partner": "jd"}, "picker 0, call AC"),
        ({"partner": "jd", "jd_call_up": True}, "picker 0, call AC"),
        ({"partner": "jd", "jd_call_up": True}, "picker 0, call JH, under 7D"),
        ({"no_pick": "redeal"}, "leaster"),
    ],
)
def test_contracts_that_the_house_rules_do_not_have(options: dict, text: str) -> None:
    with pytest.raises(NotationError) as error:
        sheepshead(**options).contract(text)
    assert "\n" not in str(error.value)


def test_alone_cannot_shake_off_the_jack_of_diamonds() -> None:
    one = sheepshead(partner="jd")
    with pytest.raises(IllegalPlayError, match="who holds JD"):
        one.start(one.read(SHEEPSHEAD_DEAL), one.contract("picker 0, alone, bury AS KH"))


# ---------------------------------------------------------------------- play


def test_partner_leads_any() -> None:
    for value, expected in ((False, {"AC", "QS"}), (True, {"AC", "QS", "KC"})):
        one = sheepshead(partner_leads_any=value)
        rules = one.trick_rules(Contract(declarer=0, called=tuple(cards("AC"))))
        assert legal(to_play(rules, "QS AC KC", seat=1, trump="T")) == expected


def test_hold_card_off() -> None:
    for value, expected in ((True, {"QS", "AD"}), (False, {"QS", "AD", "8C"})):
        rules = sheepshead(hold_card=value).trick_rules(Contract(declarer=0, called=tuple(cards("AC"))))
        assert legal(to_play(rules, "QS AD 8C", "7H", trump="T", others="AC")) == expected


def test_own_ace_brings_both_duties() -> None:
    rules = sheepshead(call_own_ace=True).trick_rules(Contract(declarer=0, called=tuple(cards("AS"))))
    assert legal(to_play(rules, "AS 9S QD", trump="T")) == {"AS", "QD"}
    assert legal(to_play(rules, "AS 9S QD", "7S", trump="T")) == {"AS"}
    assert legal(to_play(rules, "AS 9S QD", "7H", trump="T")) == {"9S", "QD"}
    assert legal(to_play(rules, "AS QD", "7H", trump="T")) == {"QD"}


def test_picker_alone_leads() -> None:
    usual, changed = sheepshead(), sheepshead(picker_alone_leads=True)
    for text, leader in (("alone", 2), ("call AS", 0)):
        hands = "QS QH JC JH AC KC | QC JS AD 9D TC 8C | QD JD TD KD TH 7S | 8D 7D 9C 7C 9H 8H | TS AS 9S 8S KS 7H"
        read = f"picker 2, {text}, bury AH KH"
        assert usual.start(usual.read(hands), usual.contract(read)).leader == 0
        assert changed.start(changed.read(hands), changed.contract(read)).leader == leader
    jacks = sheepshead(partner="jd", picker_alone_leads=True)  # alone in silence: nobody knows
    assert jacks.start(jacks.read(SHEEPSHEAD_DEAL), jacks.contract("picker 2, bury AS KH")).leader == 0
    four = sheepshead(seats=4, picker_alone_leads=True)
    deal = four.deal(seed=1)
    bury = " ".join(sorted(deal.talon))
    assert four.start(deal, four.contract(f"picker 3, bury {bury}")).leader == 3


@pytest.mark.parametrize("where", ["last_trick", "first_trick", "nobody"])
def test_leaster_blind(where: str) -> None:
    one = sheepshead(leaster_blind=where)
    deal = one.read(SHEEPSHEAD_DEAL)  # 15 points in the blind
    position = one.start(deal, one.contract("leaster"))
    first = play(position, "QC QS TD 8D TS")
    assert first.points[first.leader] == 3 + 3 + 10 + 10 + 15 * (where == "first_trick")
    while not position.over:
        position = position.play(position.legal()[0])
    assert sum(position.points) == (105 if where == "nobody" else 120)


def test_leaster_tie() -> None:
    for tie, expected in (("wash", (0, 0, 0, 0, 0)), ("split", (3, 3, -2, -2, -2))):
        one = sheepshead(leaster_tie=tie)
        contract = one.contract("leaster")
        rules = one.trick_rules(contract)
        over = ending(rules, [""] * 5, side=(), points=(10, 10, 30, 30, 40), tricks=(1, 1, 1, 1, 2))
        assert one.settle(over, contract).scores == expected
        single = ending(rules, [""] * 5, side=(), points=(9, 11, 30, 30, 40), tricks=(1, 1, 1, 1, 2))
        assert one.settle(single, contract).scores == (4, -1, -1, -1, -1)


def test_the_picker_leads_the_called_suit_for_want_of_other_cards() -> None:
    """A house rule: until the called suit has been led the picker may not choose it."""
    one = sheepshead(seats=4, partner="called", picker_leads_called=True, called_ten_wins=False)
    rules = one.trick_rules(Contract(declarer=0, called=(Card("TS"),)))
    hands = tuple(frozenset(map(Card, h.split())) for h in ("AS KC", "7H KH", "KS QD", "8H TS"))
    position = Position(rules, hands, 0, trump="T", side=frozenset({0, 3}))
    assert [str(move) for move in position.legal()] == ["KC"]
    assert position.barred() == {"AS": "picker-leads-called"}
    assert solve_position(position)[:2] == (8, 8)
    free = replace(position, rules=replace(rules, called=replace(rules.called, picker_leads_called=False)))
    assert solve_position(free)[0] > 8
    after = position.play("KC").play("7H").play("QD").play("8H")
    assert {str(m) for m in after.legal()} == {"KS"}
    only = replace(position, hands=(frozenset({Card("AS")}), *(frozenset({max(h)}) for h in hands[1:])))
    assert [str(move) for move in only.legal()] == ["AS"]
