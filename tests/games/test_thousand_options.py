"""Options and presets of Thousand: defaults, what wins, what reaches the play, what is not offered."""

from __future__ import annotations

import dataclasses

import pytest

import twin
from at_table import card_values, cards, ending, legal, to_play, value
from naive import thousand as naive
from solver.games import deal, game, read
from solver.games.thousand import Thousand
from solver.games.thousand_options import LEFT_OUT, PRESETS, ThousandOptions
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError

EXPECTED = {
    "russian3": {"barrel": 880, "barrel_deals": 3, "sticks": True, "dump_truck": True, "write_off": "write_off"},
    "polish3": {
        "bid_step": 10, "all_pass": "forced_forehand", "bid_cap": "marriage", "defender_rounding": 10, "rounding": 5,
        "points_capped_from": 800, "sticks": False, "dump_truck": False, "write_off": "none", "table": "three",
    },
    "ukrainian3": {"barrel_deals": 2, "sticks": False, "dump_truck": False, "write_off": "none", "bid_step": 5},
    "lviv": {"barrel": 900, "barrel_deals": 0},
    "four_sit_out": {"table": "four_sit_out"},
    "four_pairs": {"table": "four_pairs"},
    "two_fixed": {"table": "two_fixed"},
}  # fmt: skip


def thousand(**options: object) -> Thousand:
    found = game("thousand", **options)
    assert isinstance(found, Thousand)
    return found


def rules(**options: object):
    return thousand(**options).trick_rules(Contract())


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    one = thousand(preset=preset)
    values = one.option_values()
    assert {k: values[k] for k in EXPECTED[preset]} == EXPECTED[preset]
    assert one.changed_options() == ({} if preset == "russian3" else {"preset": preset})
    assert game("thousand", **one.changed_options()) == one
    assert game("thousand", **values) == one
    assert eval(repr(one), {"game": game}) == one


def test_named_options_win_over_a_preset() -> None:
    one = thousand(preset="polish3", bid_step="5", sticks="on")
    assert one.options.bid_step == 5
    assert one.options.sticks is True
    assert one.options.all_pass == "forced_forehand"
    assert one.changed_options() == {"preset": "polish3", "bid_step": 5, "sticks": True}
    assert game("thousand", **one.changed_options()) == one
    assert thousand(preset="polish3", dump_truck=False).changed_options() == {"preset": "polish3"}
    both = thousand(preset="polish3", table="two_fixed")
    assert (both.seats, both.options.bid_step) == (2, 10)


def test_presets_name_real_options_and_values() -> None:
    for preset, changes in PRESETS.items():
        for name, worth in changes.items():
            assert getattr(thousand(**{name: worth}).options, name) == worth
            assert getattr(ThousandOptions(), name) != worth, f"{preset} repeats a default"


def test_described() -> None:
    described = Thousand.describe_options()
    assert [d["option"] for d in described] == [f.name for f in dataclasses.fields(ThousandOptions)]
    for d in described:
        assert len(d["meaning"].split()) > 3
        assert d["default"] in d["values"]


@pytest.mark.parametrize("key", LEFT_OUT)
def test_left_out(key: str) -> None:
    name, _, wanted = key.partition("=")
    with pytest.raises(UnsupportedError, match=f"{name}.* is not offered: ") as caught:
        game("thousand", **{name: wanted or "on"})
    assert "\n" not in str(caught.value)


def test_wrong_values() -> None:
    with pytest.raises(UnsupportedError, match="russian3, polish3"):
        game("thousand", preset="martian")
    with pytest.raises(UnsupportedError, match="it can be 5, 10"):
        game("thousand", rounding=7)
    with pytest.raises(UnsupportedError, match="redeal_bad_talon"):
        game("thousand", table="four_pairs", redeal_bad_talon=True)


# ---------------------------------------------------------------------- the play


@pytest.mark.kernel
@pytest.mark.parametrize(
    "options, hand, table, trump, expected",
    [
        ({}, "AH TH KH 9S", "JH", None, "AH TH KH"),
        ({"must_play_highest": True}, "AH TH KH 9S", "JH", None, "AH"),
        ({"must_play_highest": True}, "QH 9H KS", "JH", None, "QH"),
        ({"must_play_highest": True}, "TH 9H", "AH", None, "TH 9H"),
        ({"must_play_highest": True}, "AH TH", "JH 9S", "S", "AH TH"),
        ({}, "9S AC", "9H JS", "S", "9S"),
        ({"partial_trumping": True}, "9S AC", "9H JS", "S", "9S AC"),
        ({"must_overtrump": False}, "QS 9S AC", "9H JS", "S", "QS 9S"),
        ({"must_trump": False}, "QS AC", "9H", "S", "QS AC"),
        ({"must_beat": False}, "QH 9H", "JH", None, "QH 9H"),
    ],
)
def test_legal_cards(options: dict, hand: str, table: str, trump: str | None, expected: str) -> None:
    position = to_play(rules(**options), hand, table, seat=len(table.split()), trump=trump)
    assert legal(position) == set(expected.split())
    pos = twin.from_position(twin.Table("thousand", 3), position)
    found = naive.legal(position.turn, position.hands[position.turn], twin.table(pos), pos["ctx"])
    assert {c for c, _ in found} == set(expected.split())


@pytest.mark.kernel
def test_options_reach_the_search() -> None:
    # the last trick: ten more for who takes it
    last = ["AH", "9H", "9S"]
    assert value(ending(rules(), last)) == 11
    assert value(ending(rules(last_trick_bonus=10), last)) == 21
    # the marriage on the first lead
    pair = ["KH QH", "9S JS", "9C JC"]
    assert value(ending(rules(), pair, first_lead=True)) == 4 + 3 + 4
    assert value(ending(rules(marriage_needs_trick=False), pair, first_lead=True)) == 111
    # the highest-card rule takes the ten from seat 1, which would rather keep it behind the queen
    held = ["JH 9S 9C", "QH TH AC", "AH KS KC"]
    free, strict = (card_values(ending(rules(must_play_highest=on), held)) for on in (False, True))
    for got, on in ((free, False), (strict, True)):
        table = twin.Table("thousand", 3)
        pos = twin.from_position(table, ending(rules(must_play_highest=on), held))
        assert got == {str(m): v for m, v in twin.move_values(table, pos).items()}
    # declaring needs marriages
    assert not any(m.declare for m in ending(rules(marriages=False), pair).legal())
    # one trump, and trump at once
    second = ["KS QS", "TH AD", "9S JS"]
    by_default = ending(rules(), second, trump="H").play("KS!")
    assert by_default.pending == "S"
    assert ending(rules(one_trump=True), second, trump="H").play("KS!").pending is None
    assert ending(rules(trump_timing="immediate"), second, trump="H").play("KS!").trump == "S"


# ---------------------------------------------------------------------- deals


DEALT = {
    "fine": "AH KH QH 9H TS JC 9D | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TH JS 9C",
    "four": "9H 9D 9C 9S AH TH KH | AS KS QS JS AC TC JD | AD TD KD QD KC QC JH | talon: TS JC QH",
    "three": "9H 9D 9C AH TH KH QH | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TS JC JS",
    "weak": "9H JH 9D JD JC QC QD | AS KS QS 9S AC TC TS | AD TD KD AH KC TH KH | talon: JS QH 9C",
    "talon": "AH KH QH TH TS JC AC | AS KS QS 9S KC TC JD | AD TD KD QD QC JS 9D | talon: JH 9H 9C",
}


@pytest.mark.parametrize(
    "which, option, reason",
    [
        ("four", "redeal_four_nines", "seat 0 holds four nines"),
        ("four", "redeal_three_nines", "seat 0 holds four nines"),
        ("three", "redeal_three_nines", "seat 0 holds three nines"),
        ("weak", "redeal_weak_hand", "seat 0 holds 12 card points, less than 14"),
        ("talon", "redeal_bad_talon", "the talon holds 2 card points, less than 5"),
        ("three", "redeal_four_nines", None),
        ("fine", "redeal_four_nines", None),
        ("fine", "redeal_three_nines", None),
        ("fine", "redeal_weak_hand", None),
    ],
)
def test_redeals(which: str, option: str, reason: str | None) -> None:
    one = thousand(**{option: True})
    dealt = one.read(DEALT[which])
    assert one.redeal_reason(dealt) == reason
    assert thousand().redeal_reason(dealt) is None


def test_no_redeal_after_the_talon() -> None:
    one = thousand(redeal_weak_hand=True)
    eight = "AH TH KH QH 9H TS JS JC | AS KS QS 9S AC TC JD 9C | AD TD KD QD KC QC JH 9D"
    assert one.redeal_reason(one.read(eight)) is None


@pytest.mark.parametrize(
    "table, seats, hand, talon", [("three", 3, 7, 3), ("four_sit_out", 3, 7, 3), ("four_pairs", 4, 6, 0),
                                  ("two_fixed", 2, 10, 4)],
)  # fmt: skip
def test_tables(table: str, seats: int, hand: int, talon: int) -> None:
    one = thousand(table=table)
    assert (one.seats, one.hand_size, one.talon_size) == (seats, hand, talon)
    dealt = deal(one, seed=3)
    assert len(dealt.hands) == seats
    assert {len(h) for h in dealt.hands} == {hand}
    assert len(dealt.talon) == talon
    assert one.read(dealt.text) == dealt
    assert read("thousand", dealt.text, table=table) == dealt


def test_sitter() -> None:
    talon = cards("AH KS QS")
    points = {how: thousand(table="four_sit_out", sitter_credit=how).sitter_score(talon) for how in
              ("none", "aces", "marriages", "both")}  # fmt: skip
    assert points == {"none": 0, "aces": 50, "marriages": 40, "both": 90}


def test_clauses_of_another_table() -> None:
    for options, text, words in (
        ({}, "100 by 0, bury 9C 9D", "'bury'"),
        ({}, "100 by 0, take 9C 9D", "'take'"),
        ({"table": "two_fixed"}, "100 by 0, pass 9C to 1", "'pass'"),
        ({"table": "four_pairs"}, "100 by 0, pass 9C to 1", "'pass'"),
        ({"table": "two_fixed"}, "100 by 0, bury 9C", "two cards"),
        ({"bid_step": 10}, "105 by 0", "multiples of 10"),
        ({}, "100 by 0, pass 9C to 1", "one card to each of seats 1 and 2"),
        ({}, "100 by 0, surrender now", "nothing after it"),
    ):
        with pytest.raises(NotationError, match=words):
            thousand(**options).contract(text)
