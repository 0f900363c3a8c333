"""Matches of Thousand: T10 of RULES.md 3.14, each rule of 3.10 by its option, and the plain twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import thousand_match as naive
from solver.games import game
from solver.games.thousand import Thousand
from solver.games.thousand_match import ThousandMatch
from solver.model.errors import NotationError

PLAIN = {"sticks": False, "no_win_streak": False}


def match(scores: tuple[int, ...] = (), **options: object) -> ThousandMatch:
    """A match that stands at some scores."""
    one = game("thousand", **options)
    assert isinstance(one, Thousand)
    return ThousandMatch(one, scores) if scores else one.match()


def run(start: ThousandMatch, *deltas: tuple[int, ...], **more: object) -> ThousandMatch:
    for one in deltas:
        start = start.add(one, **more)
    return start


def said(one: ThousandMatch, words: str) -> bool:
    return any(words in line for line in one.log)


def test_T10_barrel() -> None:
    one = run(match((770, 0, 0)), (120, 10, 10))
    assert one.scores == (880, 10, 10)
    assert one.players[0].left == 3
    assert said(one, "deal 1: seat 0 mounts the barrel at 880, 3 deals")
    totals = []
    for delta in (45, -120, 60):
        one = one.add((delta, 10, 10), declarer=0)
        totals.append(one.scores[0])
    assert totals == [880, 880, 760]
    assert said(one, "falls from the barrel: 760")


def test_T10_wins() -> None:
    one = run(match((770, 0, 0)), (120, 10, 10), (120, 10, 10))
    assert (one.scores[0], one.over, one.winners) == (1000, True, (0,))
    straight = run(match((875, 0, 0)), (125, 10, 10))
    assert (straight.scores[0], straight.over) == (1000, True)
    with pytest.raises(NotationError, match="over"):
        straight.add((0, 0, 0))


def test_T10_dump_truck() -> None:
    assert run(match((435, 0, 0)), (120, 5, 5)).scores[0] == 0
    assert run(match((-455, 0, 0)), (-100, 5, 5)).scores[0] == 0
    assert run(match((435, 0, 0), dump_truck=False), (120, 5, 5)).scores[0] == 555
    assert run(match((435, 0, 0), preset="polish3"), (120, 5, 5), declarer=0).scores[0] == 555


def test_T10_second_mounts() -> None:
    one = run(match((770, 770, 0)), (120, 10, 10))
    one = one.add((30, 110, 10))
    assert one.scores == (760, 880, 20)
    assert said(one, "seat 1 mounts: seat 0 is knocked off and falls from the barrel: 760")


def test_T10_third_fall() -> None:
    one = match((770, 0, 0), **PLAIN)
    seen = []
    for _ in range(3):
        one = one.add((120, 5, 5))
        one = run(one, (0, 5, 5), (0, 5, 5), (0, 5, 5))
        seen.append(one.scores[0])
    assert seen == [760, 760, 0]
    assert said(one, "for the third time: 0")
    assert one.players[0].falls == 3


@pytest.mark.parametrize(
    "how, expected",
    [("knock_off", (760, 880)), ("all_fall", (760, 760)), ("first_stays", (880, 760)), ("coexist", (880, 880))],
)
def test_shared_barrel(how: str, expected: tuple[int, int]) -> None:
    one = run(match((770, 770, 0), barrel_shared=how, **PLAIN), (120, 0, 0), (0, 120, 0))
    assert one.scores[:2] == expected


@pytest.mark.parametrize(
    "how, declarer, expected",
    [
        ("knock_off", 1, (760, 880)), ("knock_off", None, (880, 760)), ("knock_off", 2, (880, 760)),
        ("all_fall", 1, (760, 760)), ("first_stays", 1, (760, 880)), ("coexist", 1, (880, 880)),
    ],
)  # fmt: skip
def test_mounting_together(how: str, declarer: int | None, expected: tuple[int, int]) -> None:
    one = match((770, 770, 0), barrel_shared=how).add((120, 120, 5), declarer=declarer)
    assert one.scores[:2] == expected


def test_barrel_options() -> None:
    two = run(match((770, 0, 0), preset="ukrainian3"), (120, 5, 5), (30, 5, 5), (30, 5, 5))
    assert two.scores[0] == 760
    lviv = run(match((790, 0, 0), preset="lviv"), (100, 5, 5))
    assert lviv.scores[0] == 890
    lviv = run(lviv, (20, 5, 5))
    assert lviv.scores[0] == 900
    stays = run(lviv, *[(60, 5, 5)] * 8)
    assert stays.scores[0] == 900
    assert run(stays, (100, 5, 5)).scores[0] == 1000
    none = run(match((770, 0, 0), barrel=0), (120, 5, 5), (60, 5, 5))
    assert none.scores[0] == 950


def test_sticks() -> None:
    one = match()
    for _ in range(2):
        one = one.add((100, 20, 0), (5, 3, 0))
    assert one.scores == (200, 40, 0)
    assert one.players[2].sticks == 2
    one = one.add((100, 20, 0), (5, 3, 0))
    assert one.scores[2] == -120 - 120  # the third stick, and the third deal without a win
    assert said(one, "seat 2 takes no trick: stick 3 of 3, minus 120")
    assert said(one, "seat 2 has not won for 3 deals: minus 120")
    assert one.players[2].sticks == one.players[2].dry == 0
    assert run(match(no_win_streak=False), *[(100, 20, 0)] * 3, tricks=(5, 3, 0)).scores[2] == -120
    assert run(match(**PLAIN), *[(100, 20, 0)] * 3, tricks=(5, 3, 0)).scores[2] == 0
    assert run(match(no_win_streak=False), *[(100, 20, 0)] * 3).scores[2] == 0  # tricks unknown


def test_declarer_gets_a_stick_too() -> None:
    one = match().add((-100, 60, 60), (0, 4, 4), declarer=0)
    assert one.players[0].sticks == 1


def test_no_win_streak() -> None:
    one = run(match(sticks=False), (-100, 60, 60), (-100, 60, 60), (5, 60, 60), (-100, 5, 5), (0, 5, 5))
    assert one.scores[0] == -295
    assert run(one, (0, 5, 5)).scores[0] == -415
    assert said(run(one, (0, 5, 5)), "has not won for 3 deals")


def test_penalties_change_nothing_on_the_barrel() -> None:
    one = run(match((770, 0, 0), barrel_deals=5), (120, 5, 5), *[(0, 5, 5)] * 3, tricks=(0, 4, 4))
    assert one.scores[0] == 880
    assert said(one, "the penalty changes nothing")


def test_write_offs() -> None:
    one = game("thousand")
    now = one.match()
    for k in range(3):
        now = now.add(one.surrender(one.contract("100 by 1")))
        assert now.scores[1] == -100 * (k + 1) - (240 if k == 2 else 0)  # three without a win as well
    assert now.scores[0] == 150
    assert now.players[1].write_offs == 0
    assert now.players[1].sticks == 0  # nothing was played
    assert said(now, "seat 1 gives up: write-off 3 of 3, minus 120")
    rospis = game("thousand", write_off="rospis", no_win_streak=False)
    now = rospis.match()
    for _ in range(3):
        now = now.add(rospis.surrender(rospis.contract("200 by 0")))
    assert now.scores == (-120, 180, 180)
    with pytest.raises(NotationError, match="name the declarer"):
        one.match().add((-100, 50, 50), surrender=True)


def test_defence_points_are_capped() -> None:
    one = match((800, 790, 0), preset="polish3").add((30, 20, 100), declarer=2)
    assert one.scores == (800, 810, 100)
    assert said(one, "seat 0 is at 800: 30 defence points do not count")
    assert match((800, 790, 0), preset="polish3").add((-100, 5, 50), declarer=0).scores[0] == 700
    assert match((870, 0, 0), preset="polish3").add((120, 5, 50), declarer=0).scores[0] == 880
    with pytest.raises(NotationError, match="name the declarer"):
        match((800, 0, 0), preset="polish3").add((30, 20, 100))


def test_two_reach_1000_together() -> None:
    higher = match((870, 860, 0), barrel=0).add((140, 160, 5), declarer=0)
    assert (higher.scores, higher.winners) == ((1010, 1020, 5), (1,))
    equal = match((870, 860, 0), barrel=0)
    assert equal.add((140, 150, 5), declarer=1).winners == (1,)
    assert equal.add((140, 150, 5), declarer=0).winners == (0,)
    assert equal.add((140, 150, 5), declarer=2).winners == (0, 1)
    assert equal.add((140, 150, 5)).winners == (0, 1)


# ---------------------------------------------------------------------- other tables


def test_four_with_a_sitter() -> None:
    one = match(preset="four_sit_out", sitter_credit="aces")
    assert one.scores == (0, 0, 0, 0)
    assert (one.dealer, one.sitter, one.active) == (3, 3, (0, 1, 2))
    one = one.add((100, 20, 0), (5, 3, 0), declarer=0, sitter=50)
    assert one.scores == (100, 20, 0, 50)
    assert (one.dealer, one.active) == (0, (1, 2, 3))
    one = one.add((100, 10, 5), (5, 2, 1), declarer=0)
    assert one.scores == (100, 120, 10, 55)
    assert one.last_declarer == 1
    assert one.auction().read("pass pass").result.declarer == 2
    # who sits out gets no stick and no deal without a win
    assert (one.players[0].dry, one.players[3].sticks) == (0, 0)
    with pytest.raises(NotationError, match="nobody does"):
        match().add((1, 2, 3), sitter=50)
    with pytest.raises(NotationError, match="4 scores for 3"):
        one.add((1, 2, 3, 4))


def test_sitting_out_on_the_barrel_costs_no_deal() -> None:
    one = match((0, 0, 0, 770), preset="four_sit_out", **PLAIN)
    one = run(one, (5, 5, 5))  # seat 3 deals
    one = one.add((5, 5, 110), declarer=2)  # seats 1 2 3
    assert one.players[3].left == 3
    one = run(one, (5, 5, 5), (5, 5, 5))  # seats 2 3 0, then 3 0 1
    assert one.players[3].left == 1
    one = run(one, (5, 5, 5))  # it deals
    assert (one.players[3].left, one.scores[3]) == (1, 880)


def test_pairs() -> None:
    one = match(preset="four_pairs").add((120, 40, 120, 40), (3, 1, 2, 0), declarer=2)
    assert one.scores == (120, 40, 120, 40)
    assert [p.sticks for p in one.players] == [0, 0]
    one = match((770, 770, 770, 770), preset="four_pairs").add((110, 120, 110, 120), declarer=3)
    assert one.scores == (760, 880, 760, 880)
    assert said(one, "pair 1/3 mounts: pair 0/2 is knocked off")
    with pytest.raises(NotationError, match="partners score alike"):
        match(preset="four_pairs").add((1, 2, 3, 4))
    done = match((900, 0, 900, 0), preset="four_pairs", barrel=0).add((100, 20, 100, 20), declarer=0)
    assert done.winners == (0, 2)


def test_two() -> None:
    one = match(preset="two_fixed").add((100, 20), (6, 4))
    assert (one.scores, one.dealer) == ((100, 20), 0)
    assert one.auction().turn == 1


def test_golden_deals() -> None:
    one = match(golden_deal=True, **PLAIN)
    assert one.golden == (0, 120)
    with pytest.raises(NotationError, match="golden deal has no auction"):
        one.auction()
    one = one.add((120, 20, 10), declarer=0)
    assert one.scores == (240, 40, 20)
    assert one.golden == (1, 120)
    one = run(one, (5, 5, 5), (5, 5, 5))
    assert one.golden is None
    assert one.add((10, 10, 10)).scores == (270, 70, 50)
    assert match(golden_deal=True, preset="four_sit_out").golden == (0, 120)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"deltas": (1, 2)}, "2 scores for 3"),
        ({"deltas": (1, 2, 3), "tricks": (1, 2)}, "tricks of 2 seats"),
        ({"deltas": (1, 2, 3), "declarer": 3}, "declarer 3"),
    ],
)
def test_wrong(given: dict, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        match().add(**given)


T7_PLAY = "AH JD JH KH! 9C 9D TH 9S QC TS AS KC QS! QD JS AC KD JC TC TD 9H KS AD QH"


def test_a_whole_deal_is_added() -> None:
    """T7: an outcome says scores, tricks and declarer by itself."""
    one = game("thousand")
    agreed = one.contract("120 by 0, pass 9C to 1, 9D to 2")
    position = one.start(
        one.read("AH KH QH 9H TS JC 9D | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TH JS 9C"), agreed
    )
    for card in T7_PLAY.split():
        position = position.play(card)
    now = one.match().add(one.settle(position, agreed))
    assert now.scores == (120, 130, 0)
    assert now.log == ("deal 1: seat 2 takes no trick: stick 1 of 3",)
    assert now.last_declarer == 0
    assert str(now).startswith("after 1 deals: 120 130 0")


# ---------------------------------------------------------------------- the twin

DELTAS = st.tuples(*[st.integers(-60, 80).map(lambda x: 5 * x)] * 3)


@given(
    st.tuples(*[st.sampled_from([0, 435, 700, 760, 770, 860])] * 3),
    st.lists(st.tuples(DELTAS | st.just((0, 0, 0)), st.integers(0, 2)), max_size=14),
)
def test_the_twin_agrees(start: tuple[int, int, int], deals: list) -> None:
    mine = match(start, **PLAIN)
    twin = [naive.Player(total) for total in start]
    for deltas, declarer in deals:
        if mine.over:
            break
        mine = mine.add(deltas, declarer=declarer)
        twin = naive.deal(twin, list(deltas), declarer)
        assert mine.scores == tuple(p.total for p in twin)
        assert [(p.left, p.falls) for p in mine.players] == [(p.barrel, p.falls) for p in twin]
        assert mine.over == bool(naive.winners(twin))


@given(st.lists(st.tuples(DELTAS, st.integers(0, 2), st.tuples(*[st.integers(0, 4)] * 3)), max_size=20))
def test_any_match_keeps_its_books(deals: list) -> None:
    """All rules on: totals never lie on the barrel's stretch without being on it, counters stay below three."""
    one = match()
    for deltas, declarer, tricks in deals:
        if one.over:
            break
        one = one.add(deltas, tricks, declarer=declarer)
        assert sum(p.mounted is not None for p in one.players) <= 1
        for score, p in zip(one.scores, one.players, strict=True):
            assert score == p.total
            assert score < 880 or score >= 1000 or (score == 880 and p.mounted is not None and 0 < p.left <= 3)
            assert abs(score) != 555
            assert max(p.sticks, p.dry, p.write_offs) < 3
        assert all(line.startswith("deal ") and "\n" not in line for line in one.log)
