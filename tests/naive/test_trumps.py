"""Worked examples T1-T14 (Thousand) and P1-P8 (3 of Spades) of RULES.md 3.14 and 4.8."""

from __future__ import annotations

import pytest

from . import minimax, thousand, three_of_spades
from .replay import cards, hand, hands, pairs, replay, trick_points
from .thousand_match import Player, deal, score, winners


def legal_thousand(table: str, held: str, trump: str | None, **ctx) -> set[str]:
    """Legal cards for the seat after the cards on the table."""
    trick = pairs(0, table, 3)
    return cards(thousand.legal(len(trick), hand(held), trick, {"trump": trump, **ctx}))


@pytest.mark.parametrize(
    "table, held, expected",
    [
        ("JH", "AH 9H KS", "AH"),
        ("JH", "QH 9H KS", "QH"),
        ("KH", "TH QH 9H", "TH"),
        ("KH TH", "AH 9H", "AH"),
        ("KH TH", "QH 9H", "QH 9H"),
        ("9H", "KS AC", "KS AC"),
    ],
)
def test_T1(table: str, held: str, expected: str) -> None:
    assert legal_thousand(table, held, None) == hand(expected)


@pytest.mark.parametrize(
    "table, held, expected",
    [
        ("9H JS", "AH QH QS", "AH QH"),
        ("9H JS", "QS 9S AC", "QS"),
        ("9H JS", "9S AC", "9S"),
        ("9H JS", "AC TD", "AC TD"),
        ("9H", "KS 9S AH", "AH"),
        ("9H", "KS 9S AD", "KS 9S"),
    ],
)
def test_T2(table: str, held: str, expected: str) -> None:
    assert legal_thousand(table, held, "S") == hand(expected)


def test_a_trumped_plain_lead_need_not_be_beaten() -> None:
    """3.6 point 1; the first line of T2 allows both hearts under the other reading too."""
    assert legal_thousand("QH JS", "AH 9H QS", "S") == hand("AH 9H")


@pytest.mark.parametrize(
    "table, held, expected",
    [("QS TH", "KS 9S AD", "KS"), ("QS", "JS 9S AD", "JS 9S"), ("QS", "AD TD", "AD TD"), ("KH 9D", "AH 9S", "AH")],
)
def test_T3(table: str, held: str, expected: str) -> None:
    assert legal_thousand(table, held, "S") == hand(expected)


@pytest.mark.parametrize(
    "table, held, options, expected",
    [
        ("JH", "AH 9H KS", {"must_beat": False}, "AH 9H"),
        ("9H", "9S AC", {"must_trump": False}, "9S AC"),
        ("9H JS", "QS 9S AC", {"must_overtrump": False}, "QS 9S"),
        ("9H JS", "9S AC", {"partial_trumping": True}, "9S AC"),
        ("9H JS", "QS 9S AC", {"partial_trumping": True}, "QS"),
        ("9H", "9S AC", {"partial_trumping": True}, "9S"),
    ],
)
def test_options_of_3_12(table: str, held: str, options: dict, expected: str) -> None:
    assert legal_thousand(table, held, "S", **options) == hand(expected)


@pytest.mark.parametrize(
    "plays, trump, place, points",
    [
        ("JH AH TH", None, 1, 23),
        ("9H JS QS", "S", 2, 5),
        ("KH AC TD", None, 0, 25),
        ("AH 9S TH", "S", 1, 21),
        ("9D JS AD", "C", 2, 13),
    ],
)
def test_T4(plays: str, trump: str | None, place: int, points: int) -> None:
    trick = pairs(0, plays, 3)
    assert thousand.winner(trick, {"trump": trump}) == place
    assert trick_points(thousand, trick, {"trump": trump}) == points


T5_HANDS = hands("AH KH QH 9H TS JC 9D", "AS KS QS 9S AC TC JD", "AD TD KD QD KC QC JH")


def test_T5_auctions_and_caps() -> None:
    caps = [thousand.cap(h) for h in T5_HANDS]
    assert caps == [220, 160, 260]
    assert thousand.cap(hand("AH KH QS 9S TS JC 9D")) == 120
    assert thousand.auction([100, 110, None, 120, None], caps) == (0, 120)
    assert thousand.auction([None, None], caps) == (2, 100)


@pytest.mark.parametrize(
    "bid, current, cap, expected",
    [
        (100, None, 120, True),
        (95, None, 120, False),
        (103, None, 120, False),
        (110, 110, 120, False),
        (115, 110, 120, True),
        (125, 120, 120, False),
        (125, 120, 160, True),
        (165, 160, 160, False),
        (200, 195, 260, True),
        (205, 200, 260, False),
        (210, 200, 260, True),
    ],
)
def test_T5_legality(bid: int, current: int | None, cap: int, expected: bool) -> None:
    assert thousand.legal_bid(bid, current, cap) is expected
    assert (bid in thousand.legal_bids(current, cap)) is expected


def test_T6() -> None:
    raw = [0, 2, 3, 7, 8, 67, 72, 73, 117, 118, 120]
    assert [thousand.round5(x) for x in raw] == [0, 0, 5, 5, 10, 65, 70, 75, 115, 120, 120]


T7_HANDS = hands("AH TH KH QH 9H TS JS JC", "AS KS QS 9S AC TC JD 9C", "AD TD KD QD KC QC JH 9D")
T7_PLAY = ["AH JD JH", "KH* 9C 9D", "TH 9S QC", "TS AS KC", "QS* QD JS", "AC KD JC", "TC TD 9H", "KS AD QH"]


def test_T7() -> None:
    record = replay(thousand, T7_HANDS, 0, T7_PLAY, {"first_lead": True})
    assert [w for w, _ in record.tricks] == [0, 0, 0, 1, 1, 1, 1, 1]
    assert [p for _, p in record.tricks] == [15, 4, 13, 25, 8, 17, 20, 18]
    assert (record.points, record.bonuses) == ([32, 88, 0], [100, 40, 0])
    scores = [thousand.deal_score(c, b) for c, b in zip(record.points, record.bonuses, strict=True)]
    assert scores == [130, 130, 0]
    assert thousand.settle(record.points, record.bonuses, 0, 120) == [120, 130, 0]
    assert record.counts == [3, 5, 0]  # seat 2 gets a stick


def test_T7_no_marriage_on_the_first_lead() -> None:
    state = minimax.start(T7_HANDS, 0, [], {"first_lead": True})
    assert not any(declare for _, declare in minimax.moves(thousand, state))
    state = minimax.start(T7_HANDS, 0, [], {"first_lead": True, "needs_trick": False})
    assert {m for m in minimax.moves(thousand, state) if m[1]} == {("KH", True), ("QH", True)}


def test_T8() -> None:
    args = ([78, 25, 17], [40, 0, 0], 0, 120)
    assert thousand.settle(*args) == [120, 25, 15]
    assert thousand.settle(*args, rounding=False) == [-120, 25, 15]


def test_T9() -> None:
    assert thousand.settle([40, 62, 18], [0, 0, 60], 1, 100) == [40, -100, 80]
    assert thousand.settle([10, 10, 100], [0, 0, 60], 2, 160)[2] == 160
    assert thousand.settle([14, 10, 96], [0, 0, 60], 2, 160)[2] == -160


def test_T10_barrel_of_one_player() -> None:
    player = score(Player(770), 120)
    assert player == Player(880, 3)
    totals = []
    for delta in (45, -120, 60):
        player = score(player, delta)
        totals.append(player.total)
    assert totals == [880, 880, 760]
    assert winners([score(Player(880, 2), 120)]) == [0]
    assert score(Player(880, 1, 2), 60).total == 0  # third fall


def test_T10_direct_win_and_dump_truck() -> None:
    assert score(Player(875), 125).total == 1000
    assert score(Player(435), 120).total == 0
    assert score(Player(-455), -100).total == 0


def test_T10_second_player_mounts() -> None:
    after = deal([Player(880, 3), Player(800), Player(0)], [30, 100, 0], 1)
    assert after == [Player(760, 0, 1), Player(880, 3), Player(0)]
    both = deal([Player(800), Player(790), Player(0)], [80, 90, 0], 1)
    assert [p.total for p in both] == [760, 880, 0]


@pytest.mark.parametrize(
    "dealt, trump, options, expected",
    [
        (("TS TC", "QS AH", "9S AS"), "S", {}, {"TC": 21, "TS": 0}),
        (("TS TC", "QS AH", "9S AS"), "S", {"must_overtrump": False}, {"TC": 0, "TS": 0}),
        (("TD JD", "QD AC", "AD 9D"), None, {}, {"JD": 21, "TD": 13}),
    ],
)
def test_T11(dealt: tuple[str, ...], trump: str | None, options: dict, expected: dict) -> None:
    ctx = {"trump": trump, **options}
    got = minimax.move_values(thousand, hands(*dealt), 0, [], ctx, frozenset({0}))
    assert {card: v for (card, _), v in got.items()} == expected
    assert minimax.value(thousand, hands(*dealt), 0, [], ctx, frozenset({0})) == max(expected.values())


@pytest.mark.parametrize(
    "timing, expected, reply, best", [("next_trick", "TH", "TH", 1), ("immediate", "TH AD", "AD", 0)]
)
def test_T12(timing: str, expected: str, reply: str, best: int) -> None:
    before = {"trump": "H", "timing": timing}
    assert ("KS", True) in thousand.legal(0, hand("KS QS"), [], before)
    ctx, bonus = thousand.after_move(0, "KS", True, [], before)
    assert bonus == 40
    assert cards(thousand.legal(1, hand("TH AD"), [(0, "KS")], ctx)) == hand(expected)
    assert thousand.winner(pairs(0, f"KS {reply} 9S", 3), ctx) == best
    assert thousand.after_trick(ctx, best)["trump"] == "S"


def test_T13() -> None:
    dealt = hands("KH QH 9D", "AD JS 9S", "TD KC JC")
    assert minimax.value(thousand, dealt, 0, [], {}, frozenset({0})) == 115


def test_T14() -> None:
    dealt = hands("KH QH AH", "TH JS 9S", "KC JC 9C")
    got = minimax.move_values(thousand, dealt, 0, [], {}, frozenset({0}))
    assert max(got.values()) == got[("AH", False)] == 136
    assert max(got[("KH", True)], got[("QH", True)]) < 136


@pytest.mark.parametrize("players, size", [(5, 50), (6, 48), (7, 49)])
def test_P1(players: int, size: int) -> None:
    deck = three_of_spades.deck(players)
    assert len(deck) == size
    assert size % players == 0
    assert sum(three_of_spades.value(c, {}) for c in deck) == 250


@pytest.mark.parametrize(
    "current, expected",
    [
        (None, list(range(150, 251, 5))),
        (150, [155, 160, 250]),
        (235, [240, 245, 250]),
        (240, [245, 250]),
        (245, [250]),
        (250, []),
    ],
)
def test_P2(current: int | None, expected: list[int]) -> None:
    assert three_of_spades.raises(current) == expected


@pytest.mark.parametrize(
    "actions, expected",
    [
        ([150, 160, None, 165, None, None, 175, None], (1, 175)),
        ([150, None, None, None, None], (0, 150)),
        ([150, 250], (1, 250)),
    ],
)
def test_P3(actions: list[int | None], expected: tuple[int, int]) -> None:
    assert three_of_spades.auction(5, 0, actions) == expected


def test_P3_opener_must_bid() -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        three_of_spades.auction(5, 0, [None, 150])


@pytest.mark.parametrize("held, expected", [("AD 5H 3S", "5H"), ("AD 3S", "AD 3S")])
def test_P4_legal(held: str, expected: str) -> None:
    assert cards(three_of_spades.legal(1, hand(held), [(0, "KH")], {"trump": "D"})) == hand(expected)


@pytest.mark.parametrize(
    "trump, plays, best, points",
    [
        ("D", "KH AH 5H QH 3S", "AH", 65),
        ("D", "KH 4D AH TH 3S", "4D", 60),
        ("S", "AH 3S 4S KH 9H", "4S", 50),
        ("S", "7C AD AH AS KC", "AS", 40),
        ("H", "3S 4S 5S 6S 7S", "7S", 35),
    ],
)
def test_P4_winner(trump: str, plays: str, best: str, points: int) -> None:
    trick, ctx = pairs(0, plays, 5), {"trump": trump}
    assert dict(trick)[three_of_spades.winner(trick, ctx)] == best
    assert trick_points(three_of_spades, trick, ctx) == points


def test_P5() -> None:
    team = {1, 3, 4}
    assert three_of_spades.settle([20, 80, 15, 60, 75], team, 175) == [0, 175, 0, 175, 175]
    assert three_of_spades.settle([40, 80, 40, 60, 30], team, 175) == [175, 0, 175, 0, 0]


def test_P6() -> None:
    assert three_of_spades.settle([100, 20, 30, 60, 40], {0, 3}, 160) == [160, 0, 0, 160, 0]


def test_P7() -> None:
    assert three_of_spades.settle([60, 0, 90, 30, 20, 50], {2, 0, 5}, 200) == [200, 0, 200, 0, 0, 200]
    lost = three_of_spades.settle([60, 50, 40, 0, 5, 0, 95], {6, 0, 1, 2}, 250)
    assert lost == [0, 0, 0, 250, 250, 250, 0]


def test_P8() -> None:
    dealt = hands("AH 4C", "KH 9H", "3S 2H", "TH 7C", "8H QC")
    got = minimax.move_values(three_of_spades, dealt, 0, [], {"trump": "D"}, frozenset({0, 2, 3}))
    assert got == {("4C", False): 50, ("AH", False): 20}
