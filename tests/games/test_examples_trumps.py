"""Worked examples of RULES.md 3.14 (Thousand) and 4.8 (3 of Spades), under their numbers."""

from __future__ import annotations

import pytest

from at_table import card_values, cards, contract, ending, legal, play, to_play, trick, value
from solver.games import game
from solver.games.thousand import round5
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.contract import Contract, TrickRules
from solver.model.errors import IllegalPlayError
from solver.model.play import Move

THOUSAND = game("thousand")
RULES = THOUSAND.trick_rules(Contract())


def rules_with(**options: object) -> TrickRules:
    """Thousand with options."""
    return game("thousand", **options).trick_rules(Contract())


def check_legal(table: str, hand: str, expected: str, trump: str | None, rule: str) -> None:
    """Legal cards of the seat after a table; every other card is barred by `rule` or for not following."""
    position = to_play(RULES, hand, table, seat=len(table.split()), trump=trump)
    assert legal(position) == set(expected.split())
    assert set(position.barred().values()) <= {"follow-suit", rule}
    assert set(position.barred()) == set(hand.split()) - set(expected.split())


@pytest.mark.parametrize(
    "table, hand, expected",
    [
        ("JH", "AH 9H KS", "AH"),
        ("JH", "QH 9H KS", "QH"),
        ("KH", "TH QH 9H", "TH"),
        ("KH TH", "AH 9H", "AH"),
        ("KH TH", "QH 9H", "QH 9H"),
        ("9H", "KS AC", "KS AC"),
    ],
)
def test_T1(table: str, hand: str, expected: str) -> None:
    check_legal(table, hand, expected, None, "must-beat")


@pytest.mark.parametrize(
    "table, hand, expected, rule",
    [
        ("9H JS", "AH QH QS", "AH QH", "follow-suit"),
        ("QH JS", "AH 9H QS", "AH 9H", "follow-suit"),  # trumped already, so even the nine of the led suit is free
        ("9H JS", "QS 9S AC", "QS", "must-overtrump"),
        ("9H JS", "9S AC", "9S", "must-trump"),
        ("9H JS", "AC TD", "AC TD", "follow-suit"),
        ("9H", "KS 9S AH", "AH", "follow-suit"),
        ("9H", "KS 9S AD", "KS 9S", "must-trump"),
    ],
)
def test_T2(table: str, hand: str, expected: str, rule: str) -> None:
    position = to_play(RULES, hand, table, seat=len(table.split()), trump="S")
    assert legal(position) == set(expected.split())
    assert not position.barred() or rule in position.barred().values()


@pytest.mark.parametrize(
    "table, hand, expected",
    [("QS TH", "KS 9S AD", "KS"), ("QS", "JS 9S AD", "JS 9S"), ("QS", "AD TD", "AD TD"), ("KH 9D", "AH 9S", "AH")],
)
def test_T3(table: str, hand: str, expected: str) -> None:
    check_legal(table, hand, expected, "S", "must-beat")


@pytest.mark.parametrize(
    "text, trump, best, points",
    [
        ("JH AH TH", None, "AH", 23),
        ("9H JS QS", "S", "QS", 5),
        ("KH AC TD", None, "KH", 25),
        ("AH 9S TH", "S", "9S", 21),
        ("9D JS AD", "C", "AD", 13),
    ],
)
def test_T4(text: str, trump: str | None, best: str, points: int) -> None:
    assert trick(RULES, text, trump=trump) == (best, points)


def test_T6() -> None:
    raw = [0, 2, 3, 7, 8, 67, 72, 73, 117, 118, 120]
    assert [round5(x) for x in raw] == [0, 0, 5, 5, 10, 65, 70, 75, 115, 120, 120]


T7 = "AH KH QH 9H TS JC 9D | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TH JS 9C"
T7_PLAY = [
    ("AH JD JH", 0, 15, None),
    ("KH! 9C 9D", 0, 4, "H"),
    ("TH 9S QC", 0, 13, "H"),
    ("TS AS KC", 1, 25, "H"),
    ("QS! QD JS", 1, 8, "S"),
    ("AC KD JC", 1, 17, "S"),
    ("TC TD 9H", 1, 20, "S"),
    ("KS AD QH", 1, 18, "S"),
]


def test_T7() -> None:
    agreed = THOUSAND.contract("120 by 0, pass 9C to 1, 9D to 2")
    position = THOUSAND.start(THOUSAND.read(T7), agreed)
    assert position.hands[0] == cards("AH TH KH QH 9H TS JS JC")
    assert not any(m.declare for m in position.legal())
    for text, winner, points, trump in T7_PLAY:
        before = sum(position.points)
        if text.startswith("TS"):
            assert legal(position.play("TS")) == {"AS"}
        position = play(position, text)
        assert (position.leader, sum(position.points) - before) == (winner, points)
        assert position.trump == trump
    assert position.over
    assert (position.points, position.bonus, position.tricks) == ((32, 88, 0), (100, 40, 0), (3, 5, 0))
    outcome = THOUSAND.settle(position, agreed)
    assert outcome.scores == (120, 130, 0)
    assert outcome.points == (132, 128, 0)
    assert outcome.made is True


def test_T7_first_lead_marriage_as_an_option() -> None:
    other = game("thousand", marriage_needs_trick=False)
    start = other.start(other.read(T7), other.contract("120 by 0, pass 9C to 1, 9D to 2"))
    assert {str(m) for m in start.legal() if m.declare} == {"KH!", "QH!"}
    with pytest.raises(IllegalPlayError, match="first lead"):
        THOUSAND.start(THOUSAND.read(T7), THOUSAND.contract("120 by 0, pass 9C to 1, 9D to 2")).play("KH!")


def settle(
    points: tuple[int, ...], bonus: tuple[int, ...], declarer: int, bid: int, **options: bool
) -> tuple[int, ...]:
    """Scores of a deal that ended with these card points and bonuses."""
    some = game("thousand", **options)
    over = ending(some.trick_rules(Contract()), [""] * 3, side=(declarer,), points=points, bonus=bonus)
    return some.settle(over, Contract(declarer=declarer, target=bid)).scores


def test_T8() -> None:
    assert settle((78, 25, 17), (40, 0, 0), 0, 120) == (120, 25, 15)
    assert settle((78, 25, 17), (40, 0, 0), 0, 120, round_before_check=False) == (-120, 25, 15)
    assert [some.need(Contract(declarer=0, target=120)).amount for some in (THOUSAND, game("thousand"))] == [118, 118]
    assert game("thousand", round_before_check=False).need(Contract(declarer=0, target=120)) == ("points", 120)


def test_T9() -> None:
    assert settle((40, 62, 18), (0, 0, 60), 1, 100) == (40, -100, 80)
    assert settle((10, 10, 100), (0, 0, 60), 2, 160)[2] == 160
    assert settle((14, 10, 96), (0, 0, 60), 2, 160)[2] == -160


@pytest.mark.kernel
@pytest.mark.parametrize(
    "hands, trump, options, expected",
    [
        (("TS TC", "QS AH", "9S AS"), "S", {}, {"TC": 21, "TS": 0}),
        (("TS TC", "QS AH", "9S AS"), "S", {"must_overtrump": False}, {"TC": 0, "TS": 0}),
        (("TD JD", "QD AC", "AD 9D"), None, {}, {"JD": 21, "TD": 13}),
    ],
)
def test_T11(hands: tuple[str, ...], trump: str | None, options: dict, expected: dict[str, int]) -> None:
    position = ending(rules_with(**options), hands, trump=trump)
    assert card_values(position) == expected
    assert value(position) == max(expected.values())


@pytest.mark.parametrize(
    "timing, expected, reply, best", [("next_trick", "TH", "TH", 1), ("immediate", "TH AD", "AD", 0)]
)
def test_T12(timing: str, expected: str, reply: str, best: int) -> None:
    before = ending(rules_with(trump_timing=timing), ["KS QS", "TH AD", "9S JS"], trump="H")
    after = before.play(Move(before.rules.suits[3][1][3], True))
    assert str(after.trick[0]) == "KS!"
    assert after.bonus == (40, 0, 0)
    assert legal(after) == set(expected.split())
    done = play(after, f"{reply} 9S")
    assert done.leader == best
    assert done.trump == "S"


@pytest.mark.kernel
def test_T13() -> None:
    position = ending(RULES, ["KH QH 9D", "AD JS 9S", "TD KC JC"])
    assert value(position) == 115
    got = card_values(position)
    assert max(got["KH!"], got["QH!"]) == 115
    assert max(got["KH"], got["QH"], got["9D"]) < 115


@pytest.mark.kernel
def test_T14() -> None:
    position = ending(RULES, ["KH QH AH", "TH JS 9S", "KC JC 9C"])
    got = card_values(position)
    assert value(position) == got["AH"] == 136
    assert max(got["KH!"], got["QH!"]) < 136
    after = play(position, "AH TH 9C")
    assert card_values(after)["KH!"] == value(after)


# ---------------------------------------------------------------------- 3 of Spades


def spades(seats: int = 5) -> ThreeOfSpades:
    """The game with some seats."""
    found = game("three_of_spades", seats=seats)
    assert isinstance(found, ThreeOfSpades)
    return found


FIVE = spades().trick_rules(Contract())


@pytest.mark.parametrize("seats, size, hand", [(5, 50, 10), (6, 48, 8), (7, 49, 7)])
def test_P1(seats: int, size: int, hand: int) -> None:
    some = spades(seats)
    assert len(some.deck) == size
    assert some.hand_size == hand
    assert sum(some.points(c) for c in some.deck.cards) == 250
    rules = some.trick_rules(Contract())
    assert sum(rules.value_of.values()) == 250


@pytest.mark.parametrize("hand, expected", [("AD 5H 3S", "5H"), ("AD 3S", "AD 3S")])
def test_P4_legal(hand: str, expected: str) -> None:
    assert legal(to_play(FIVE, hand, "KH", seat=1, trump="D")) == set(expected.split())


@pytest.mark.parametrize(
    "trump, text, best, points",
    [
        ("D", "KH AH 5H QH 3S", "AH", 65),
        ("D", "KH 4D AH TH 3S", "4D", 60),
        ("S", "AH 3S 4S KH 9H", "4S", 50),
        ("S", "7C AD AH AS KC", "AS", 40),
        ("H", "3S 4S 5S 6S 7S", "7S", 35),
    ],
)
def test_P4_winner(trump: str, text: str, best: str, points: int) -> None:
    assert trick(FIVE, text, trump=trump) == (best, points)


def score(captured: tuple[int, ...], holders: dict[str, int], declarer: int, bid: int) -> tuple[int, ...]:
    """Scores after a deal in which these seats held the called cards and captured these points."""
    some = spades(len(captured))
    agreed = contract(declarer=declarer, target=bid, called=" ".join(holders))
    hands = tuple(cards(c for c, s in holders.items() if s == n) for n in range(some.seats))
    team = some.team(hands, some.check_contract(agreed))
    over = ending(some.trick_rules(agreed), [""] * some.seats, side=team, points=captured)
    return some.settle(over, agreed).scores


def test_P5() -> None:
    assert score((20, 80, 15, 60, 75), {"AS": 3, "KD": 4}, 1, 175) == (0, 175, 0, 175, 175)
    assert score((40, 80, 40, 60, 30), {"AS": 3, "KD": 4}, 1, 175) == (175, 0, 175, 0, 0)


def test_P6() -> None:
    assert score((100, 20, 30, 60, 40), {"AS": 3, "KD": 3}, 0, 160) == (160, 0, 0, 160, 0)


def test_P7() -> None:
    assert score((60, 0, 90, 30, 20, 50), {"AS": 0, "KD": 5}, 2, 200) == (200, 0, 200, 0, 0, 200)
    lost = score((60, 50, 40, 0, 5, 0, 95), {"AS": 0, "KD": 1, "AC": 2}, 6, 250)
    assert lost == (0, 0, 0, 250, 250, 250, 0)


def test_P7_own_card_is_not_called() -> None:
    with pytest.raises(IllegalPlayError, match="holds it"):
        score((100, 20, 30, 60, 40), {"AS": 0, "KD": 3}, 0, 160)


@pytest.mark.kernel
def test_P8() -> None:
    position = ending(FIVE, ["AH 4C", "KH 9H", "3S 2H", "TH 7C", "8H QC"], trump="D", side=(0, 2, 3))
    assert value(position) == 50
    assert card_values(position) == {"4C": 50, "AH": 20}
