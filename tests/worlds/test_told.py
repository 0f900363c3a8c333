"""What is told fits together or is refused in one line; what is said in words is no more than what is known."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pandas as pd
import pytest

from solver.formats.record_read import read_record
from solver.games import game
from solver.model.errors import IllegalPlayError, NotationError
from solver.worlds.knowledge import Knowledge, knowledge

from .test_knowledge import T5, T5_1, TALON

HAND = "QC QS 7H 7S AS TS"
BIDS = "0:100 1:pass 2:160 0:165 2:pass"
LONG = (
    "0 7H, 1 8H, 2 TC, 3 9H, 4 KH, 4 TH, 0 QS, 1 9D, 2 JD, 3 7D, 0 7S, 1 8S, 2 JS, 3 9S, 4 KS, 2 9C, 3 AC, 4 KC, "
    "0 QC, 1 8C"
)
BLACK = "AC KC QC JC TC 9C 8C 7C 6C 5C"


def sheep(seat: int = 0, hand: str = HAND, **options: object) -> Knowledge:
    return game("sheepshead", **options).knowledge(seat, hand)


def partners(known: Knowledge) -> dict[int | None, float]:
    frame = known.partner()
    return {None if pd.isna(s) else int(s): p for s, p in zip(frame["seat"], frame["p"], strict=True)}


# --------------------------------------------------------------------- words


def test_a_need_names_the_cards_that_may_meet_it() -> None:
    lines = sheep().contract("picker 2, call AC").played("0 7H, 1 8H, 2 TC").explain()
    assert "seat 2 held one of 7C 8C 9C KC: it threw TC in trick 1 (hold-card)" in lines  # AC is the partner's
    assert not any("is kept to call" in line for line in lines)  # TC was such a card


def test_a_need_that_a_played_card_met_is_not_said() -> None:
    lines = sheep().contract("picker 2, call AC").played(LONG).explain()
    assert not any("hold-card" in line or "is kept to call" in line for line in lines)
    assert "seat 3 is a partner of seat 2: it played AC" in lines


def test_a_hold_card_is_said_until_one_was_played() -> None:
    me, line = sheep().contract("picker 2, call AC"), "seat 2: a card of the called suit is kept to call"
    assert line in me.explain()
    assert line in me.played("0 QC, 1 7D, 2 8D, 3 9D, 4 JH").explain()
    assert line not in me.played("0 QC, 1 7D, 2 8D, 3 9D, 4 JH, 0 7H, 1 8H, 2 KC").explain()


def test_a_single_card_left_to_meet_a_need() -> None:
    me = sheep(0, "9C 8C KC QS 7H 7S").contract("picker 2, call AC").played("0 7H, 1 8H, 2 TC")
    assert "seat 2 held 7C: it threw TC in trick 1 (hold-card)" in me.explain()
    assert me.chance("7C", 2) == 1


def test_partial_trumping_bars_only_higher_trumps() -> None:
    eight = "KH QH JH 9H AS KS 9S AD"
    me = game("thousand", partial_trumping=True).knowledge(0, eight)
    over = me.contract("120 by 2, trump H").played("2 AC, 0 KH, 1 TS").explain()
    assert "seat 1 holds no heart above the king: it played TS and did not trump in trick 1" in over
    first = me.contract("120 by 1, trump H").played("1 AC, 2 TS").explain()
    assert "seat 2 holds no heart: it played TS and did not trump in trick 1" in first
    usual = game("thousand").knowledge(0, eight).contract("120 by 2, trump H").played("2 AC, 0 KH, 1 TS").explain()
    assert "seat 1 holds no heart: it played TS and did not trump in trick 1" in usual


# --------------------------------------------------------------------- partners


def test_a_leaster_has_no_partner() -> None:
    me = sheep(partner="jd").contract("leaster").played("0 7H, 1 8H, 2 JD")
    assert not any("partner" in line or "JD is in" in line for line in me.explain())
    assert partners(me) == {None: 1}


def test_queens_in_one_hand_or_in_two() -> None:
    options = {"seats": 4, "partner": "queens"}
    both = sheep(0, "QC QS 7H 7S AS TS 8S 9S", **options).contract("lead 0")
    assert both.explain() == ("seat 0 plays alone: it was dealt QC and QS",)  # RULES 2.9
    assert partners(both) == {0: 0, 1: 0, 2: 0, 3: 0, None: 1}
    one = sheep(0, "QC JS 7H 7S AS TS 8S 9S", **options).contract("lead 0")
    assert one.explain()[0] == "seat 0 is on the side of QC and QS: it holds QC"
    assert partners(one) == pytest.approx({0: 1, 1: 1 / 3, 2: 1 / 3, 3: 1 / 3})
    none = sheep(0, "JC JS 7H 7S AS TS 8S 9S", **options).contract("lead 0")
    together = Fraction(7, 23)  # QS among the other seven cards of who holds QC, of 23
    each = float((1 - together) * 2 / 3)
    assert partners(none) == pytest.approx({0: 0, 1: each, 2: each, 3: each, None: float(together)})
    worlds = none.sample(2000, seed=1)
    alone = [int(s).bit_count() == 1 for s in worlds.sides]
    assert sum(alone) / 2000 == pytest.approx(float(together), abs=0.04)


def test_an_untold_call_is_not_alone() -> None:
    me = sheep().heard("0 pass, 1 pick")
    for known in (me, me.contract("picker 1"), sheep().contract("picker 2, bury ?")):
        with pytest.raises(NotationError, match="'call AC', or say 'alone'"):
            known.played("0 7S")
    with pytest.raises(NotationError, match="not known yet"):
        me.contract("picker 1").partner()
    assert me.contract("picker 1").position is None
    assert partners(me.contract("picker 1, alone").played("0 7S")) == {None: 1}
    assert me.contract("picker 1, call AH").played("0 7S").position is not None
    assert sheep(partner="jd").heard("0 pass, 1 pick").played("0 7S").position is not None  # nothing is called
    text = f"game: sheepshead\nseat: 0\nhands: {HAND} | ? | ? | ? | ?\nblind: ?\ncontract: picker 1\nplay: 0 7S\n"
    with pytest.raises(NotationError, match="no call"):
        Knowledge.from_record(read_record(text))


# --------------------------------------------------------------------- an auction and a contract


@pytest.mark.parametrize(
    "options, calls, contract, words",
    [
        ({}, "0 pass, 1 pick", "leaster", "a leaster is said to be played, but by the auction seat 1 picks"),
        ({}, "0 pass, 1 pass", "picker 1, call AH", "seat 1 is said to play, but it has passed"),
        ({}, "pass pass pass pass pass", "picker 1, call AH", "seat 1 is said to play"),
        ({}, "pass pass pass pass pass", "alone", "'alone' is said to be played"),
        ({"no_pick": "redeal"}, "pass pass pass pass pass", "picker 1, call AH", "a new deal"),
    ],
)  # fmt: skip
def test_pick_and_contract_contradict(options: dict, calls: str, contract: str, words: str) -> None:
    me = sheep(**options)
    for ask in (lambda: me.heard(calls).contract(contract), lambda: me.contract(contract).heard(calls)):
        with pytest.raises(IllegalPlayError, match=words):
            ask()


@pytest.mark.parametrize(
    "name, options, calls, contract, words",
    [
        ("three_of_spades", {}, "0:150 1:pass 2:pass 3:pass 4:pass", "175 by 0, trump S, call AS KD",
         "the contract is 175, higher than the bid of 150"),
        ("three_of_spades", {"final_raise": True}, "0:150 1:pass 2:pass 3:pass 4:pass 0:160",
         "175 by 0, trump S, call AS KD", "higher than the bid of 160"),
        ("three_of_spades", {}, "0:160 1:pass", "150 by 2, trump S, call AS KD", "lower than the bid of 160"),
        ("three_of_spades", {}, "0:160 1:pass", "160 by 2, trump S, call AS KD", "that of seat 0"),
        ("three_of_spades", {}, "0:160 1:pass", "175 by 1, trump S, call AS KD", "it has passed"),
        ("thousand", {}, "0:120 1:pass 2:pass", "110 by 0", "lower than the bid of 120"),
        ("thousand", {"preset": "four_pairs"}, "0:120 1:pass 2:pass 3:pass", "130 by 0", "higher than the bid"),
    ],
)  # fmt: skip
def test_bid_and_contract_contradict(name: str, options: dict, calls: str, contract: str, words: str) -> None:
    one = game(name, **options)
    hand = one.deck.write(one.deal(seed=1).hands[1]) if name == "thousand" else BLACK
    with pytest.raises(IllegalPlayError, match=words):
        one.knowledge(1, hand).heard(calls).contract(contract)


def test_what_an_auction_can_come_to() -> None:
    assert sheep().heard("0 pass, 1 pass").contract("picker 2, call AH").count()
    assert sheep().heard("0 pass, 1 pass").contract("leaster").count()
    named = sheep().heard("pass pass pass pass pass").contract("lead 1").agreed
    assert named is not None
    assert (named.kind, named.leader, named.target) == ("leaster", 1, None)
    assert game("thousand").knowledge(1, T5_1).heard("0:100 1:pass 2:pass").contract("120 by 0, pass 9D to 1").count()
    may_pass = game("three_of_spades", all_pass="opener").knowledge(1, BLACK).heard("0:pass 1:pass")
    assert may_pass.contract("150 by 0, trump H, call AS KD").count()
    with pytest.raises(IllegalPlayError, match="has passed"):
        may_pass.heard("2:150").contract("150 by 0, trump H, call AS KD")


# --------------------------------------------------------------------- Thousand: eight cards, talon, passes


def test_eight_cards_of_the_declarer_with_talon_and_auction() -> None:
    eight, plan = T5 + " JS", "120 by 0, pass 9C to 1, TH to 2"
    seven = knowledge("thousand", 0, T5).see(talon=TALON).contract(plan)
    for calls in ("", "0:100 1:110 2:pass 0:120 1:pass"):
        me = knowledge("thousand", 0, eight)
        me = me.heard(calls) if calls else me
        me = me.see(talon=TALON).contract(plan)
        assert me.count() == seven.count() == 3432
    over = knowledge("thousand", 0, eight).see(talon=TALON).heard("0:250 1:pass 2:pass")
    with pytest.raises(IllegalPlayError, match="to 220"):  # by the marriage that it was dealt
        over.contract("250 by 0, pass 9C to 1, TH to 2")
    with pytest.raises(NotationError, match="7 are expected"):  # eight cards and nothing about how
        knowledge("thousand", 0, eight).see(talon=TALON).count()


def test_eight_cards_of_a_defender_say_what_seven_and_the_pass_do() -> None:
    seven = knowledge("thousand", 1, T5_1).heard(BIDS)
    eight = knowledge("thousand", 1, T5_1 + " 9D").heard(BIDS).contract("165 by 0, pass 9D to 1")
    assert seven.contract("165 by 0, pass 9D to 1").count() == eight.count() == 7524
    assert eight.explain() == seven.contract("165 by 0, pass 9D to 1").explain()
    untold = knowledge("thousand", 1, T5_1 + " 9D").heard(BIDS).contract("165 by 0")
    assert untold.count() == 12_870  # any card of the eight may be the pass


def test_the_one_card_of_the_talon_is_the_pass() -> None:
    told = knowledge("thousand", 1, T5_1).heard(BIDS).see(talon=TALON).contract("165 by 0, pass 9C to 1")
    found = knowledge("thousand", 1, T5_1 + " 9C").heard(BIDS).see(talon=TALON).contract("165 by 0")
    assert found.count() == told.count()
    assert found.probabilities().equals(told.probabilities())
    own = knowledge("thousand", 1, T5_1 + " 9C").heard("0:100 1:170 2:pass 0:175 1:pass").see(talon=TALON)
    with pytest.raises(IllegalPlayError, match="to 160"):  # its own bid is judged by what it was dealt
        own.contract("175 by 0")


def test_a_plan_before_the_talon_is_seen() -> None:
    assert knowledge("thousand", 0, T5).contract("120 by 0").count() == 2_333_760  # the bid alone needs no talon
    assert sheep().contract("picker 0").count() > 0
    after = sheep(2, "QC QD JS AD TD 9H").contract("picker 2, call AH, bury TC 8H")
    assert after.count() == 2_308_743_493_056  # the hand after the bury


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: knowledge("thousand", 1, "AS KS QS 9S AC TC JS 9C").see(talon=TALON).contract("120 by 0"),
         "seat 1 holds 9C JS of the talon"),
        (lambda: knowledge("thousand", 1, T5_1 + " 9C").see(talon=TALON).contract("120 by 0, pass JD to 1"),
         "the card passed to it, JD, is the only one"),
        (lambda: knowledge("thousand", 1, T5_1 + " 9C").contract("120 by 0, pass 9D to 1"),
         "9D is passed to seat 1, but is not in its hand"),
        (lambda: knowledge("thousand", 1, "AS KS QS 9S AC TC JS").see(talon=TALON).contract("120 by 0, pass 9D to 1"),
         "JS stands twice"),
        (lambda: knowledge("thousand", 0, T5 + " TH").see(talon=TALON).contract("120 by 0, pass 9C to 1, AD to 2"),
         "seat 0 took JS with the talon, but neither holds nor passes it"),
        (lambda: knowledge("thousand", 0, T5).contract("120 by 0, pass 9C to 1, 9D to 2"), "tell the talon first"),
        (lambda: knowledge("thousand", 0, T5).contract("120 by 0, pass 9C to 0"), "9C is passed to seat 0, the decl"),
        (lambda: knowledge("thousand", 1, T5_1).contract("120 by 0, pass 9C to 0"), "9C is passed to seat 0, the decl"),
        (lambda: sheep().contract("picker 0, call AC"), "tell the blind first"),
        (lambda: sheep().contract("picker 0, alone"), "tell the blind first"),
        (lambda: sheep().contract("picker 0, call AC, bury AS TS"), "tell the blind first"),
        (lambda: sheep().see(talon="7C 8C").contract("picker 0, bury 7C 8C"), "a bury is told, but no call"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together(call: Callable[[], Knowledge], words: str) -> None:
    with pytest.raises(NotationError, match=words) as found:
        call()
    assert "\n" not in str(found.value)


# --------------------------------------------------------------------- names of places


def test_chance_takes_every_name_that_probabilities_writes() -> None:
    for me in (
        sheep(), sheep().contract("picker 2, call AC, under ?, bury ?"), knowledge("thousand", 0, T5),
        knowledge("kit", 0, "o1 o2 t3 s4"), knowledge("skat", 0, "JC JS AC TC KC QC 9C 8C 7C AS"),
    ):  # fmt: skip
        for row in me.probabilities().itertuples():
            assert float(me.chance(row.card, row.place)) == row.p
    assert sheep().chance("JD", "blind") == sheep().chance("JD", "talon") == Fraction(2, 26)


def test_chance_of_a_card_whose_place_is_known() -> None:
    me = sheep(2, "QC QD JS AD TD 9H").see(talon="TC 8H").contract("picker 2, call AH, bury TC 8H")
    assert [me.chance("TC", place) for place in ("bury", "blind", "under card", 2)] == [1, 0, 0, 0]
    assert [me.chance("QC", place) for place in ("bury", 2, "seat 2", 1)] == [0, 1, 1, 0]
    assert me.chance("AH", "bury") == 0
    seen = knowledge("thousand", 0, T5).see(talon=TALON)
    assert seen.chance("TH", "talon") == 1
    played = me.played("0 7H, 1 8C")
    assert played.chance("7H", 0) == 0


@pytest.mark.parametrize("place", ["attic", 5, -1, "seat 9", ""])
def test_chance_of_no_place(place: int | str) -> None:
    with pytest.raises(NotationError, match="may lie with seat 0, seat 1, seat 2, seat 3, seat 4, blind, bury"):
        sheep().chance("JD", place)
    for name, hand in (("kit", "o1 o2 t3 s4"), ("thousand", T5)):
        me = knowledge(name, 0, hand)
        with pytest.raises(NotationError, match="no place 'bury'"):
            me.chance(me.cards[0], "bury")
