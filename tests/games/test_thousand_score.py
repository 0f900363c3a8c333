"""Plans, raises, settlement and giving up in Thousand, at each kind of table."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twin
from at_table import cards, ending, value
from naive import thousand as naive
from solver.deals.doubledummy import solve
from solver.games import deal, game
from solver.games.thousand import Settlement, Thousand, nearest
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.play import Position

TEN = "AH KH QH 9H TS JC 9D TH JS 9C"


def thousand(**options: object) -> Thousand:
    found = game("thousand", **options)
    assert isinstance(found, Thousand)
    return found


def settle(
    points: tuple[int, ...], bonus: tuple[int, ...], text: str, tricks: tuple[int, ...] = (), **options: object
) -> Settlement:
    """Settlement of a deal that ended with these card points, bonuses and tricks."""
    one = thousand(**options)
    over = ending(one.trick_rules(Contract()), [""] * one.seats, points=points, bonus=bonus, tricks=tricks)
    return one.settle(over, one.contract(text))


# ---------------------------------------------------------------------- plans


def test_ninety_passes() -> None:
    one = thousand()
    plans = list(one.plans(cards(TEN), one.contract("120 by 1")))
    assert len(plans) == len(set(plans)) == 90
    assert {p.passes for p in plans} == {((2, a), (0, b)) for a, b in itertools.permutations(cards(TEN), 2)}
    assert all(p.target == 120 and p.declarer == 1 and one.check_contract(p) == p for p in plans)
    dealt = one.read("AS KS QS 9S AC TC JD | AH KH QH 9H TS JC 9D | AD TD KD QD KC QC JH | talon: TH JS 9C")
    for plan in plans:
        assert [len(h) for h in one.start(dealt, plan).hands] == [8, 8, 8]


def test_plans_need_ten_cards_and_a_declarer() -> None:
    one = thousand()
    with pytest.raises(NotationError, match="plans with 10"):
        next(one.plans(cards("AH KH QH"), Contract(declarer=0)))
    with pytest.raises(NotationError, match="no declarer"):
        next(one.plans(cards(TEN), Contract()))
    with pytest.raises(UnsupportedError, match="no talon"):
        next(thousand(table="four_pairs").plans(cards("AH KH QH 9H TS JC"), Contract(declarer=0)))


@pytest.mark.parametrize("bid, count", [(100, 40), (195, 21), (200, 20), (400, 0)])
def test_raises(bid: int, count: int) -> None:
    eight = cards("AH TH KH QH 9H TS JS JC")
    found = thousand().raises(eight, bid)
    assert len(found) == count
    assert [r.bid for r in found] == naive.legal_bids(bid, 400)
    assert [r.bid for r in found if r.reachable] == naive.legal_bids(bid, 220)


def test_raises_by_options() -> None:
    eight = cards("AH TH KH 9H TS JS JC 9C")

    def top(**options: object) -> int:
        return max(r.bid for r in thousand(**options).raises(eight, 100) if r.reachable)

    assert top() == top(round_before_check=False) == 120
    assert top(last_trick_bonus=10) == 130
    assert thousand(table="four_pairs").raises(eight, 100) == ()
    assert [r.bid for r in thousand(bid_step=10).raises(eight, 180)][:3] == [190, 200, 210]


# ---------------------------------------------------------------------- settlement


@given(
    st.tuples(*[st.integers(0, 120)] * 3), st.tuples(*[st.sampled_from([0, 40, 60, 100])] * 3), st.integers(0, 2),
    st.sampled_from(naive.legal_bids(None, 400)), st.booleans(),
)  # fmt: skip
def test_settles_like_the_twin(points: tuple, bonus: tuple, declarer: int, bid: int, rounded: bool) -> None:
    found = settle(points, bonus, f"{bid} by {declarer}", round_before_check=rounded)
    assert list(found.scores) == naive.settle(list(points), list(bonus), declarer, bid, rounded)
    assert found.made_rounded == naive.made(points[declarer] + bonus[declarer], bid, True)
    assert found.made_exact == naive.made(points[declarer] + bonus[declarer], bid, False)
    assert found.declarer == declarer


@given(st.integers(0, 130), st.sampled_from([0, 40, 100, 400]), st.integers(20, 80), st.sampled_from([5, 10]))
def test_need_is_the_check_before_rounding(points: int, bonus: int, fives: int, step: int) -> None:
    """RULES.md 3.8: bid - 2 with fives; and the same for tens."""
    bid = 5 * fives
    one = thousand(rounding=step)
    assert (points + bonus >= one.rounded_need(bid)) == (nearest(points, step) + bonus >= bid)


def test_both_readings() -> None:
    """T8 by both readings in one answer."""
    found = settle((78, 25, 17), (40, 0, 0), "120 by 0")
    assert (found.made, found.made_rounded, found.made_exact) == (True, True, False)
    assert "118" in found.text
    assert "made rounded, failed exact" in found.text
    exact = settle((78, 25, 17), (40, 0, 0), "120 by 0", round_before_check=False)
    assert (exact.made, exact.made_rounded, exact.made_exact) == (False, True, False)


@pytest.mark.parametrize(
    "options, text, expected",
    [
        ({}, "120 by 0", (120, 25, 15)),
        ({"rounding": 10}, "120 by 0", (120, 25, 15)),
        ({"rounding": 10}, "115 by 0", (115, 25, 15)),
        ({"defender_rounding": 10}, "120 by 0", (120, 30, 20)),
        ({"score_actual": True}, "100 by 0", (120, 25, 15)),
        ({"score_actual": True}, "130 by 0", (-130, 25, 15)),
        ({"score_actual": True}, "120 by 0", (120, 25, 15)),
    ],
)
def test_settlement_options(options: dict, text: str, expected: tuple) -> None:
    assert settle((78, 25, 17), (40, 0, 0), text, **options).scores == expected


def test_polish_rounding() -> None:
    """Tens for the defenders; the declarer's check stays with fives."""
    assert settle((78, 24, 18), (40, 0, 0), "120 by 0", preset="polish3").scores == (120, 20, 20)
    assert settle((77, 25, 18), (40, 0, 0), "120 by 0", preset="polish3").scores == (-120, 30, 20)
    assert [nearest(x, 10) for x in (4, 5, 14, 15, 96)] == [0, 10, 10, 20, 100]


def test_last_trick_counts() -> None:
    one = thousand(last_trick_bonus=10)
    over = ending(one.trick_rules(Contract()), ["AH", "9H", "9S"], points=(80, 10, 19))
    for card in ("AH", "9H", "9S"):
        over = over.play(card)
    found = one.settle(over, one.contract("100 by 0"))
    assert (over.points, found.scores) == ((101, 10, 19), (100, 10, 20))


def test_explain_value() -> None:
    one = thousand()
    position = ending(one.trick_rules(Contract()), ["AH", "9H", "9S"])
    agreed = Contract(declarer=0, target=120)
    assert one.explain_value(position, agreed, 118, 118) == ("120: made rounded (needs 118), failed exact (needs 120)",)
    assert "undecided rounded" in one.explain_value(position, agreed, 100, 120)[0]
    assert one.explain_value(position, Contract(declarer=0), 118, 118) == ()


# ---------------------------------------------------------------------- giving up


@pytest.mark.parametrize(
    "options, text, expected",
    [
        ({}, "100 by 0, surrender", (-100, 50, 50)),
        ({}, "120 by 1, surrender", (60, -120, 60)),
        ({}, "105 by 2, surrender", (55, 55, -105)),
        ({"write_off": "rospis"}, "140 by 1, surrender", (60, 0, 60)),
        ({"table": "two_fixed"}, "100 by 1, surrender", (50, -100)),
        ({"table": "four_sit_out"}, "100 by 1, surrender", (50, -100, 50)),
    ],
)
def test_surrender(options: dict, text: str, expected: tuple) -> None:
    one = thousand(**options)
    agreed = one.contract(text)
    assert agreed.surrender is True
    found = one.surrender(agreed)
    assert (found.scores, found.surrender, found.made) == (expected, True, False)
    with pytest.raises(IllegalPlayError, match="gave up"):
        one.start(deal(one, seed=1), agreed)


@pytest.mark.parametrize("options", [{"write_off": "none"}, {"preset": "polish3"}, {"table": "four_pairs"}])
def test_no_surrender(options: dict) -> None:
    one = thousand(**options)
    with pytest.raises(IllegalPlayError, match=r"write_off=none|in pairs"):
        one.contract("100 by 0, surrender")
    with pytest.raises(IllegalPlayError, match=r"write_off=none|in pairs"):
        one.surrender(one.contract("100 by 0"))


def test_no_bid_no_settlement() -> None:
    one = thousand()
    with pytest.raises(NotationError, match="names no bid"):
        one.surrender(Contract(declarer=0))
    with pytest.raises(NotationError, match="no declarer"):
        one.surrender(Contract(target=100))


# ---------------------------------------------------------------------- four and two


def play_out(position: Position) -> Position:
    """Play the first legal card until the end."""
    while not position.over:
        position = position.play(position.legal()[0])
    return position


def test_pairs() -> None:
    one = thousand(preset="four_pairs")
    agreed = one.contract("100 by 1")
    start = one.start(deal(one, seed=5), agreed)
    assert start.side == {1, 3}
    assert start.turn == 1
    over = play_out(start)
    assert sum(over.tricks) == 6
    assert sum(over.points) == 120
    assert settle((10, 50, 12, 40), (0, 40, 0, 0), "120 by 1", preset="four_pairs").scores == (20, 120, 20, 120)
    assert settle((11, 20, 12, 30), (0, 0, 60, 0), "100 by 3", preset="four_pairs").scores == (85, -100, 85, -100)
    with pytest.raises(NotationError, match="no talon"):
        one.hands_after(deal(one, seed=5), Contract(declarer=0, passes=((1, Card("9H")),)))


@pytest.mark.kernel
def test_pairs_are_solved_together() -> None:
    one = thousand(preset="four_pairs")
    rules = one.trick_rules(Contract())
    # seat 2 overtakes its partner and cashes: all four tricks' points go to the pair
    together = ending(rules, ["9H KS", "JH 9S", "AH AS", "QH JS"], side=(0, 2))
    alone = ending(rules, ["9H KS", "JH 9S", "AH AS", "QH JS"], side=(0,))
    assert value(together) == 11 + 2 + 3 + 11 + 4 + 2
    assert value(alone) == 0


TWO = ("AH KH QH TS 9S AC TC KC 9D JD | TH JH 9H AS KS QS QC JC AD TD | talon: KD QD JS 9C", "100 by 0")


def test_two() -> None:
    one = thousand(preset="two_fixed")
    dealt = one.read(TWO[0])
    agreed = one.contract("100 by 0, take KD QD, bury 9S 9D")
    start = one.start(dealt, agreed)
    assert start.hands[0] == cards("AH KH QH TS AC TC KC JD KD QD")
    over = play_out(start)
    assert sum(over.tricks) == 10
    assert sum(over.points) == 120 - 2
    plans = list(one.plans(dealt.hands[0] | cards("KD QD"), one.contract("100 by 0, take KD QD")))
    assert len(plans) == len(set(plans)) == 66
    assert {len(one.start(dealt, p).hands[0]) for p in plans} == {10}


@pytest.mark.parametrize(
    "text, error, words",
    [
        ("100 by 0", NotationError, "two musiks"),
        ("100 by 0, take KD AH, bury 9S 9D", IllegalPlayError, "takes AH"),
        ("100 by 0, take KD QD, bury TH 9D", IllegalPlayError, "buries TH"),
        ("100 by 0, take KD QD", NotationError, "two musiks"),
    ],
)
def test_two_wrong(text: str, error: type, words: str) -> None:
    one = thousand(preset="two_fixed")
    with pytest.raises(error, match=words):
        one.start(one.read(TWO[0]), one.contract(text))


def test_discards() -> None:
    own = thousand(preset="two_fixed", discards="declarer")
    agreed = own.contract("120 by 0, take KD QD, bury TS TC")
    assert own.banked(agreed) == 20
    assert own.need(agreed) == ("points", 98)
    assert thousand(preset="two_fixed").need(agreed) == ("points", 118)
    over = ending(own.trick_rules(Contract()), ["", ""], points=(98, 2))
    assert own.settle(over, agreed).scores == (120, 0)
    assert thousand(preset="two_fixed").settle(over, agreed).scores == (-120, 0)
    assert own.ladder(agreed)[0].need == 78


@pytest.mark.kernel
def test_two_seats_are_searched() -> None:
    """Ten cards each take the search too long without a limit: the end of such a deal, against the plain twin."""
    one = thousand(preset="two_fixed")
    position = one.start(one.read(TWO[0]), one.contract("100 by 0, take KD QD, bury 9S 9D"))
    while len(position.hands[0]) > 4:
        position = position.play(position.legal()[-1])
    table = twin.Table("thousand", 2)
    assert value(position) == twin.value(table, twin.from_position(table, position))


@pytest.mark.kernel
def test_solve_gives_both_readings() -> None:
    dealt = thousand().read("AH KH QH 9H TS JC 9D | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TH JS 9C")
    found = solve(dealt, "120 by 0, pass 9C to 1, 9D to 2")
    assert any("rounded (needs 118)" in note for note in found.notes)
