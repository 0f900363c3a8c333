"""House rules of Sheepshead: defaults, what each changes on a small example, what contradicts, what is left out."""

from __future__ import annotations

import dataclasses

import pytest

from at_table import cards, ending, legal, play, to_play
from solver.games import game
from solver.games.sheepshead import Sheepshead, SheepsheadOptions
from solver.games.sheepshead_options import LEFT_OUT
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError

DEFAULTS = {
    "seats": 5, "partner": "called", "jd_call_up": False, "hold_card": True, "partner_leads_any": False,
    "under_may_be_led": True, "under_test": "eight", "call_own_ace": False, "call_ten": True, "called_ten_wins": True,
    "bury_trump": True, "bury_ace": True, "picker_alone_leads": False, "no_pick": "leaster", "doubler_stacks": False,
    "weak_redeal": False, "leaster_blind": "last_trick", "leaster_tie": "wash", "double_on_bump": True,
    "partner_off_hook": True, "schwarz": "tricks", "crack": "off", "blitz": False, "multiplier_cap": 0,
}  # fmt: skip

DEALT = (
    "QC JS AD 9D TC 8C | QS QH JC JH AC KC | QD JD TD KD AH TH | 8D 7D 9C 7C 9H 8H | TS KS 9S 8S 7S 7H | blind: AS KH"
)


def sheepshead(**options: object) -> Sheepshead:
    one = game("sheepshead", **options)
    assert isinstance(one, Sheepshead)
    return one


def scores(one: Sheepshead, points: int, tricks: int, contract: Contract, side: tuple[int, ...] = (0, 1)) -> int:
    """What the picker, seat 0, scores."""
    over = ending(
        one.trick_rules(contract), [""] * 5, side=side, points=(points, 0, 120 - points, 0, 0),
        tricks=(tricks, 0, 6 - tricks, 0, 0),
    )  # fmt: skip
    outcome = one.settle(over, contract)
    assert sum(outcome.scores) == 0
    return outcome.scores[0]


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
    assert one.start(one.read(DEALT), one.contract(f"picker 0, {plan}")).side == side


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
    position = one.start(one.read(DEALT), one.contract(f"picker {picker}, {plan}"))
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
        one.start(one.read(DEALT), one.contract("picker 0, alone, bury AS KH"))


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
    assert jacks.start(jacks.read(DEALT), jacks.contract("picker 2, bury AS KH")).leader == 0
    four = sheepshead(seats=4, picker_alone_leads=True)
    deal = four.deal(seed=1)
    bury = " ".join(sorted(deal.talon))
    assert four.start(deal, four.contract(f"picker 3, bury {bury}")).leader == 3


@pytest.mark.parametrize("where", ["last_trick", "first_trick", "nobody"])
def test_leaster_blind(where: str) -> None:
    one = sheepshead(leaster_blind=where)
    deal = one.read(DEALT)  # 15 points in the blind
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


# ---------------------------------------------------------------------- score


@pytest.mark.parametrize(
    "schwarz, points, tricks, expected",
    [
        ("tricks", 120, 5, 4), ("points", 120, 5, 6), ("tricks", 120, 6, 6), ("points", 120, 6, 6),
        ("tricks", 0, 1, -8), ("points", 0, 1, -18), ("points", 0, 0, -18), ("points", 1, 1, -8),
    ],
)  # fmt: skip
def test_schwarz(schwarz: str, points: int, tricks: int, expected: int) -> None:
    assert scores(sheepshead(schwarz=schwarz), points, tricks, Contract(declarer=0)) == expected


@pytest.mark.parametrize(
    "options, words, expected",
    [
        ({"crack": "crack"}, "crack", 4),
        ({"crack": "recrack"}, "crack", 4),
        ({"crack": "recrack"}, "crack, re-crack", 8),
        ({"blitz": True}, "blitz", 4),
        ({"crack": "recrack", "blitz": True}, "crack, recrack, blitz", 16),
        ({"crack": "recrack", "blitz": True, "multiplier_cap": 4}, "crack, recrack, blitz", 8),
        ({"no_pick": "doubler"}, "doubler", 4),
        ({"no_pick": "doubler", "doubler_stacks": True}, "doubler, doubler", 8),
        ({"no_pick": "doubler", "crack": "crack"}, "doubler, crack", 8),
    ],
)
def test_doubling(options: dict, words: str, expected: int) -> None:
    one = sheepshead(**options)
    contract = one.contract(f"picker 0, {words}")
    assert scores(one, 61, 3, contract) == expected
    assert one.multiplier(contract) == expected // 2
    assert scores(one, 60, 3, contract) == -2 * expected


@pytest.mark.parametrize(
    "options, words, why",
    [
        ({}, "crack", "crack is off"),
        ({}, "blitz", "blitz is False"),
        ({}, "doubler", "no_pick is leaster"),
        ({"crack": "crack"}, "crack, recrack", "crack is crack"),
        ({"crack": "recrack"}, "recrack", "only a crack is answered"),
        ({"crack": "crack"}, "crack, crack", "counts once"),
        ({"no_pick": "doubler"}, "doubler, doubler", "counts once"),
        ({"crack": "crack"}, "crack 2", "expected a comma"),
    ],
)
def test_doubling_that_the_house_rules_do_not_have(options: dict, words: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        sheepshead(**options).contract(f"picker 0, {words}")


# ---------------------------------------------------------------------- what a value means


@pytest.mark.parametrize(
    "options, text, low, high, expected",
    [
        (
            {}, "picker 0, bury TC 8H", 70, 70,
            ("80 points, 10 of them buried: won (picker +2, partner +1, each opponent -1)",),
        ),
        ({}, "picker 0", 60, 60, ("60 points: lost (picker -4, partner -2, each opponent +2)",)),
        ({"double_on_bump": False}, "picker 0", 60, 60, ("60 points: lost (picker -2, partner -1, each opponent +1)",)),
        (
            {"crack": "crack"}, "picker 0, crack", 91, 91,
            ("91 points: schneider (picker +8, partner +4, each opponent -4)",),
        ),
        (
            {"schwarz": "points"}, "picker 0", 120, 120,
            ("120 points: schwarz (picker +6, partner +3, each opponent -3)",),
        ),
        (
            {}, "picker 0", 30, 61,
            ("at least 30 points: schneider against (picker -8, partner -4, each opponent +4)",
             "at most 61 points: won (picker +2, partner +1, each opponent -1)"),
        ),
        (
            {}, "picker 0", 120, 120,
            ("120 points: schneider (picker +4, partner +2, each opponent -2); "
             "with every trick schwarz (picker +6, partner +3, each opponent -3)",),
        ),
        (
            {}, "picker 0", 0, 0,
            ("no points from tricks: no trick (picker -18, partner +0, each opponent +6); with a worthless trick "
             "0 points: schneider against (picker -8, partner -4, each opponent +4)",),
        ),
    ],
)  # fmt: skip
def test_explain_value(options: dict, text: str, low: int, high: int, expected: tuple[str, ...]) -> None:
    one = sheepshead(**options)
    contract = one.contract(text)
    position = ending(one.trick_rules(contract), [""] * 5, side=(0, 1))
    assert one.explain_value(position, contract, low, high) == expected


def test_explain_value_alone_and_without_a_picker() -> None:
    one = sheepshead()
    contract = one.contract("picker 0, alone")
    position = ending(one.trick_rules(contract), [""] * 5, side=(0,))
    assert one.explain_value(position, contract, 95, 95) == ("95 points: schneider (picker +8, each opponent -2)",)
    assert one.explain_value(position, one.contract("side 0"), 95, 95) == ()
    four = sheepshead(seats=4, partner="queens")
    contract = four.contract("")
    for side, words in (((0, 2), "each holder +1"), ((0,), "holder of both +3")):
        position = ending(four.trick_rules(contract), [""] * 4, side=side)
        assert words in four.explain_value(position, contract, 61, 61)[0]


def test_explain_leaster_says_what_is_not_searched() -> None:
    one = sheepshead()
    contract = one.contract("leaster, side 2")
    notes = one.explain_value(one.start(one.read(DEALT), contract), contract, 4, 4)
    assert "blind of 15 points" in notes[1]
    assert "cannot win" in notes[2]
    assert one.ladder(contract) == ()


@pytest.mark.parametrize("bury", ["TC 8H", "9D 8D"])
def test_ladder_of_schwarz_by_points(bury: str) -> None:
    one = sheepshead(schwarz="points")
    contract = one.contract(f"picker 0, bury {bury}")
    banked = one.banked(contract)
    ladder = one.ladder(contract)
    assert [r.bid for r in ladder[1:]] == [31, 61, 91, 120]
    assert ladder[0].measure == ("tricks" if banked else "points")
    assert ladder[-1].need == 120 - banked
