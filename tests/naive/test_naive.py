"""Worked examples K1-K7 (kit) and S1-S10 (Sheepshead) of RULES.md 1.7 and 2.12."""

from __future__ import annotations

import pytest

from . import kit, minimax, sheepshead
from .replay import cards, hand, hands, pairs, replay, trick_points


def test_K1() -> None:
    assert kit.winner(pairs(0, "o2 o4 s4", 3), {}) == 1


@pytest.mark.parametrize(
    "held, led, expected", [("o1 o3 t4 s2", "o2", "o1 o3"), ("o1 o3 t4 s2", "t1", "t4"), ("o1 o3 t4", "s1", "o1 o3 t4")]
)
def test_K2(held: str, led: str, expected: str) -> None:
    assert cards(kit.legal(1, hand(held), [(0, led)], {})) == hand(expected)


def test_K3() -> None:
    assert kit.winner(pairs(2, "t1 s4 o4", 3), {}) == 2


K4_HANDS = hands("o1 o2 t3 s4", "o3 t1 t2 s1", "o4 t4 s2 s3")


def test_K4() -> None:
    record = replay(kit, K4_HANDS, 0, ["s4 s1 s2", "t3 t1 t4", "o4 o1 o3", "s3 o2 t2"], {})
    assert [w for w, _ in record.tricks] == [0, 2, 2, 2]
    assert record.counts == [1, 0, 3]


def test_K4_revoke_is_refused() -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        replay(kit, K4_HANDS, 0, ["s4 o3 s2"], {})


def test_K5() -> None:
    assert kit.session([[1, 0, 3], [2, 2, 0], [1, 2, 1]]) == ([4, 4, 4], [0, 1, 2])
    assert kit.session([[2, 2, 0], [1, 2, 1], [0, 3, 1]]) == ([3, 7, 2], [1])


def test_K6() -> None:
    dealt = hands("o2 s4", "o3 t1", "o4 t2")
    assert minimax.value(kit, dealt, 0, [], {}, frozenset({0})) == 1
    assert minimax.move_values(kit, dealt, 0, [], {}, frozenset({0})) == {("o2", False): 0, ("s4", False): 1}


def test_K7() -> None:
    dealt = hands("o4 o1 t3", "o3 t4 s1", "o2 t1 s2")
    assert minimax.value(kit, dealt, 0, [], {}, frozenset({0})) == 2


@pytest.mark.parametrize(
    "led, held, expected",
    [("AH", "JH 9H AC", "9H"), ("AH", "JH QS AC", "JH QS AC"), ("7D", "QC AS", "QC"), ("QD", "KD 8S JC", "KD JC")],
)
def test_S1(led: str, held: str, expected: str) -> None:
    assert cards(sheepshead.legal(1, hand(held), [(0, led)], {})) == hand(expected)


@pytest.mark.parametrize(
    "held, led, suit_led, expected",
    [
        ("AS TS KC JD", "9S", False, "AS"),
        ("AS TS KC JD", "9C", False, "KC"),
        ("AS TS KC JD", "9H", False, "TS KC JD"),
        ("AS TS KC JD", None, False, "AS KC JD"),
        ("AS TS", None, False, "AS"),
        ("AS TS", "7D", False, "TS"),
        ("TS KC JD", None, True, "TS KC JD"),
    ],
)
def test_S2(held: str, led: str | None, suit_led: bool, expected: str) -> None:
    ctx = {"called": "AS", "picker": 0, "called_suit_led": suit_led}
    trick = [(0, led)] if led else []
    assert cards(sheepshead.legal(1, hand(held), trick, ctx)) == hand(expected)


@pytest.mark.parametrize(
    "held, led, suit_led, expected",
    [
        ("9S QD KH", "9C", False, "QD KH"),
        ("9S QD KH", None, False, "9S QD KH"),
        ("9S QD KH", "8D", False, "QD"),
        ("9S 8S QD", "9H", False, "9S 8S QD"),
        ("9S QD", "9H", True, "9S QD"),
        ("9S KH", "8D", False, "KH"),
        ("9S", "8D", False, "9S"),
        ("9S", "9H", False, "9S"),
    ],
)
def test_S3(held: str, led: str | None, suit_led: bool, expected: str) -> None:
    ctx = {"called": "AS", "picker": 2, "called_suit_led": suit_led}
    trick = [(0, led)] if led else []
    assert cards(sheepshead.legal(2, hand(held), trick, ctx)) == hand(expected)


UNDER = {"called": "AC", "picker": 1, "under": "7D"}
FIVE = "QC QS JD AD TD"


@pytest.mark.parametrize(
    "held, led, expected",
    [
        (FIVE + " 7D", "9C", "7D"),
        (FIVE + " 7D", "8D", FIVE),
        (FIVE + " 7D", "KH", FIVE),
        (FIVE + " 7D", None, FIVE + " 7D"),
        ("7D", "KH", "7D"),
        ("7D", "8D", "7D"),
        ("7D", None, "7D"),
    ],
)
def test_S4_legal(held: str, led: str | None, expected: str) -> None:
    trick = [(0, led)] if led else []
    assert cards(sheepshead.legal(1, hand(held), trick, UNDER)) == hand(expected)


def test_S4_under_may_not_be_led_option() -> None:
    ctx = {**UNDER, "under_may_be_led": False}
    assert cards(sheepshead.legal(1, hand(FIVE + " 7D"), [], ctx)) == hand(FIVE)
    assert cards(sheepshead.legal(1, hand("7D"), [], ctx)) == {"7D"}


@pytest.mark.parametrize(
    "leader, plays, under, best, points",
    [(0, "TC 7D AC 8C 7C", "7D", 2, 21), (0, "TC KD AC 8C 7C", "KD", 2, 25), (1, "7D AC 8C 9C 9D", "7D", 0, 11)],
)
def test_S4_winner(leader: int, plays: str, under: str, best: int, points: int) -> None:
    ctx = {**UNDER, "under": under}
    trick = pairs(leader, plays, 5)
    assert sheepshead.winner(trick, ctx) == best
    assert trick_points(sheepshead, trick, ctx) == points


@pytest.mark.parametrize(
    "plays, best, points",
    [
        ("9H KH AH 7D JC", "JC", 17),
        ("QH AD QC 7D JS", "QC", 19),
        ("7S AC 8S AH 9S", "9S", 22),
        ("TC AC KC 9C 8C", "AC", 25),
        ("8D 7D AH AS TC", "8D", 32),
    ],
)
def test_S5(plays: str, best: str, points: int) -> None:
    trick = pairs(3, plays, 5)
    assert dict(trick)[sheepshead.winner(trick, {})] == best
    assert trick_points(sheepshead, trick, {}) == points


@pytest.mark.parametrize("option, best", [(True, "TC"), (False, "AC")])
def test_S5_called_ten(option: bool, best: str) -> None:
    ctx = {"called": "TC", "picker": 0, "called_ten_wins": option}
    trick = pairs(0, "AC 9C TC KC 8C", 5)
    assert dict(trick)[sheepshead.winner(trick, ctx)] == best


S6_HANDS = hands(
    "QS 9D AC 9C KH 7S", "QH JD AS KS 9S 8C", "QC QD JS AD TD 9H", "JH KD 7D TS TH KC", "JC 8D AH 7H 7C 8S"
)
S6_PLAY = ["AC 8C TD KC 7C", "QC 7D 8D 9D JD", "9H TH AH KH QH", "AS AD TS 8S 7S", "QD KD JC QS 9S", "9C KS JS JH 7H"]
S6_CTX = {"called": "AH", "picker": 2}


def test_S6() -> None:
    record = replay(sheepshead, S6_HANDS, 0, S6_PLAY, S6_CTX)
    assert record.tricks == [(2, 25), (2, 5), (1, 28), (2, 32), (0, 12), (2, 8)]
    p = record.points[2] + record.points[4] + 10
    assert (p, record.points[0] + record.points[1] + record.points[3]) == (80, 40)
    tricks = record.counts[2] + record.counts[4]
    assert sheepshead.settle(p, tricks, 6, 3, False) == {"picker": 2, "partner": 1, "opponent": -1}


def test_S6_legal_moves() -> None:
    trick = pairs(0, "AC 8C", 5)
    assert cards(sheepshead.legal(2, S6_HANDS[2], trick, S6_CTX)) == hand("QC QD JS AD TD")
    lead = {**S6_CTX, "called_suit_led": True}
    assert cards(sheepshead.legal(4, hand("JC AH 7H 8S"), pairs(2, "9H TH", 5), lead)) == {"AH"}


@pytest.mark.parametrize(
    "points, tricks, options, expected",
    [
        (61, 3, {}, (2, 1, -1)),
        (60, 3, {}, (-4, -2, 2)),
        (90, 4, {}, (2, 1, -1)),
        (91, 4, {}, (4, 2, -2)),
        (31, 2, {}, (-4, -2, 2)),
        (30, 2, {}, (-8, -4, 4)),
        (120, 6, {}, (6, 3, -3)),
        (120, 5, {}, (4, 2, -2)),
        (0, 0, {}, (-18, 0, 6)),
        (25, 0, {}, (-18, 0, 6)),
        (60, 3, {"double_on_bump": False}, (-2, -1, 1)),
        (30, 2, {"double_on_bump": False}, (-4, -2, 2)),
        (9, 0, {"double_on_bump": False}, (-9, 0, 3)),
        (9, 0, {"partner_off_hook": False}, (-12, -6, 6)),
        (9, 0, {"partner_off_hook": False, "double_on_bump": False}, (-6, -3, 3)),
    ],
)
def test_S7_partner(points: int, tricks: int, options: dict, expected: tuple[int, int, int]) -> None:
    got = sheepshead.settle(points, tricks, 6, 3, False, **options)
    assert (got["picker"], got["partner"], got["opponent"]) == expected
    assert got["picker"] + got["partner"] + 3 * got["opponent"] == 0


@pytest.mark.parametrize(
    "points, tricks, total, k, bump, expected",
    [
        (61, 3, 6, 4, True, (4, -1)),
        (95, 4, 6, 4, True, (8, -2)),
        (120, 6, 6, 4, True, (12, -3)),
        (60, 3, 6, 4, True, (-8, 2)),
        (0, 0, 6, 4, True, (-24, 6)),
        (0, 0, 6, 4, False, (-12, 3)),
        (70, 6, 10, 2, True, (2, -1)),
        (45, 4, 10, 2, True, (-4, 2)),
    ],
)
def test_S7_alone(points: int, tricks: int, total: int, k: int, bump: bool, expected: tuple[int, int]) -> None:
    got = sheepshead.settle(points, tricks, total, k, True, double_on_bump=bump)
    assert (got["picker"], got["opponent"]) == expected


def test_S7_four_with_partner() -> None:
    assert sheepshead.settle(70, 4, 7, 2, False) == {"picker": 1, "partner": 1, "opponent": -1}


@pytest.mark.parametrize(
    "eight, counts",
    [
        ("QC JS AD 9D TC 8C AS KH", {"AC": 27, "AH": 21, None: 28}),
        ("QC QS JD AD TD 7D AH KD", {"AC": 168, "AS": 168, None: 28}),
        ("AC AS AH QC JD TD 8D KS", {"TC": 21, "TS": 27, "TH": 21, None: 28}),
    ],
)
def test_S8(eight: str, counts: dict[str | None, int]) -> None:
    plans = sheepshead.plans(set(hand(eight)))
    assert len(plans) == len(set(plans)) == sum(counts.values())
    assert {call: sum(p[0] == call for p in plans) for call, _, _ in plans} == counts


def test_S9() -> None:
    dealt = hands("JD 9H", "QC TS", "JC AS", "KD 7C", "AH 8S")
    side = frozenset({0, 1})
    assert minimax.move_values(sheepshead, dealt, 0, [], {}, side) == {("9H", False): 25, ("JD", False): 11}
    after = [dealt[0] - {"9H"}, *dealt[1:]]
    assert minimax.move_values(sheepshead, after, 0, ["9H"], {}, side) == {("QC", False): 25, ("TS", False): 7}


@pytest.mark.parametrize(
    "points, tricks, expected",
    [
        ([0, 18, 35, 40, 27], [0, 1, 2, 2, 1], [-1, 4, -1, -1, -1]),
        ([0, 18, 35, 40, 27], [1, 1, 1, 2, 1], [4, -1, -1, -1, -1]),
        ([0, 30, 30, 30, 30], [0, 2, 1, 1, 2], [0, 0, 0, 0, 0]),
        ([120, 0, 0, 0, 0], [6, 0, 0, 0, 0], [4, -1, -1, -1, -1]),
    ],
)
def test_S10(points: list[int], tricks: list[int], expected: list[int]) -> None:
    assert sheepshead.leaster(points, tricks, 0, 0) == expected


def test_S10_blind_goes_to_the_last_trick() -> None:
    assert sheepshead.leaster([10, 12, 30, 30, 30], [1, 1, 1, 2, 1], 8, 0) == [-1, 4, -1, -1, -1]
