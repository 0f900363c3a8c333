"""Worked examples of RULES.md 1.7 (kit) and 2.12 (Sheepshead), under their numbers."""

from __future__ import annotations

from itertools import combinations

import pytest

from at_table import card_values, cards, contract, ending, legal, play, to_play, trick, value
from solver.deals.search import Search
from solver.games import game
from solver.games.sheepshead import Sheepshead
from solver.model.contract import Contract, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError

KIT = game("kit")
KIT_RULES = KIT.trick_rules(Contract())
SHEEPSHEAD = game("sheepshead")


def rules_with(called: str | None = None, picker: int = 0, under: str | None = None, **options: bool) -> TrickRules:
    """Sheepshead for five with a called card."""
    five = game("sheepshead", **options)
    return five.trick_rules(contract(declarer=picker, called=called or "", under=under))


PLAIN = rules_with()

# ---------------------------------------------------------------------- kit


def test_K1() -> None:
    assert trick(KIT_RULES, "o2 o4 s4") == ("o4", 1)


@pytest.mark.parametrize(
    "hand, led, expected", [("o1 o3 t4 s2", "o2", "o1 o3"), ("o1 o3 t4 s2", "t1", "t4"), ("o1 o3 t4", "s1", "o1 o3 t4")]
)
def test_K2(hand: str, led: str, expected: str) -> None:
    position = to_play(KIT_RULES, hand, led, seat=1)
    assert legal(position) == set(expected.split())
    assert set(position.barred().values()) <= {"follow-suit"}


def test_K3() -> None:
    assert trick(KIT_RULES, "t1 s4 o4", leader=2) == ("t1", 1)


K4 = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"


def test_K4() -> None:
    agreed = KIT.contract("1 by 2")
    position = KIT.start(KIT.read(K4), agreed)
    leaders = []
    for text in ("s4 s1 s2", "t3 t1 t4", "o4 o1 o3", "s3 o2 t2"):
        position = play(position, text)
        leaders.append(position.leader)
    assert leaders == [0, 2, 2, 2]
    outcome = KIT.settle(position, agreed)
    assert outcome.scores == outcome.tricks == (1, 0, 3)
    assert outcome.made is True


def test_K4_revoke() -> None:
    position = play(KIT.start(KIT.read(K4), KIT.contract("1 by 2")), "s4")
    with pytest.raises(IllegalPlayError, match="follow-suit"):
        position.play("o3")


@pytest.mark.kernel
def test_K6() -> None:
    position = ending(KIT_RULES, ["o2 s4", "o3 t1", "o4 t2"])
    assert value(position) == 1
    assert card_values(position) == {"s4": 1, "o2": 0}


@pytest.mark.kernel
def test_K7() -> None:
    assert value(ending(KIT_RULES, ["o4 o1 t3", "o3 t4 s1", "o2 t1 s2"])) == 2


# ---------------------------------------------------------------------- Sheepshead, following


@pytest.mark.parametrize(
    "led, hand, expected",
    [("AH", "JH 9H AC", "9H"), ("AH", "JH QS AC", "JH QS AC"), ("7D", "QC AS", "QC"), ("QD", "KD 8S JC", "KD JC")],
)
def test_S1(led: str, hand: str, expected: str) -> None:
    assert legal(to_play(PLAIN, hand, led, seat=1, trump="T")) == set(expected.split())


@pytest.mark.parametrize(
    "hand, led, expected, barred",
    [
        ("AS TS KC JD", "9S", "AS", {"TS": "partner-plays-called", "KC": "follow-suit", "JD": "follow-suit"}),
        ("AS TS KC JD", "9C", "KC", dict.fromkeys(["AS", "TS", "JD"], "follow-suit")),
        ("AS TS KC JD", "9H", "TS KC JD", {"AS": "called-held-back"}),
        ("AS TS KC JD", "", "AS KC JD", {"TS": "partner-leads-called"}),
        ("AS TS", "", "AS", {"TS": "partner-leads-called"}),
        ("AS TS", "7D", "TS", {"AS": "called-held-back"}),
        ("AS", "7D", "AS", {}),
        ("TS KC JD", "", "TS KC JD", {}),  # the ace is gone: the suit has been led
    ],
)
def test_S2(hand: str, led: str, expected: str, barred: dict[str, str]) -> None:
    position = to_play(rules_with("AS", picker=3), hand, led, seat=1, trump="T")
    assert legal(position) == set(expected.split())
    assert position.barred() == barred


@pytest.mark.parametrize(
    "hand, led, ace, expected, barred",
    [
        ("9S QD KH", "9C", True, "QD KH", {"9S": "hold-card"}),
        ("9S QD KH", "", True, "9S QD KH", {}),
        ("9S QD KH", "8D", True, "QD", dict.fromkeys(["9S", "KH"], "follow-suit")),
        ("9S 8S QD", "9H", True, "9S 8S QD", {}),
        ("9S QD", "9H", False, "9S QD", {}),
        ("9S KH", "8D", True, "KH", {"9S": "hold-card"}),
        ("9S", "8D", True, "9S", {}),
        ("9S", "9H", True, "9S", {}),
    ],
)
def test_S3(hand: str, led: str, ace: bool, expected: str, barred: dict[str, str]) -> None:
    position = to_play(rules_with("AS", picker=2), hand, led, seat=2, trump="T", others="AS" if ace else "")
    assert legal(position) == set(expected.split())
    assert position.barred() == barred


FIVE = "QC QS JD AD TD"


@pytest.mark.parametrize(
    "hand, led, expected",
    [
        (FIVE + " 7D", "9C", "7D"),
        (FIVE + " 7D", "8D", FIVE),
        (FIVE + " 7D", "KH", FIVE),
        (FIVE + " 7D", "", FIVE + " 7D"),
        ("7D", "KH", "7D"),
        ("7D", "8D", "7D"),
        ("7D", "", "7D"),
    ],
)
def test_S4_legal(hand: str, led: str, expected: str) -> None:
    position = to_play(rules_with("AC", picker=1, under="7D"), hand, led, seat=1, trump="T", others="AC")
    assert legal(position) == set(expected.split())


def test_S4_under_not_led() -> None:
    rules = rules_with("AC", picker=1, under="7D", under_may_be_led=False)
    position = to_play(rules, FIVE + " 7D", seat=1, trump="T", others="AC")
    assert legal(position) == set(FIVE.split())
    assert position.barred() == {"7D": "under-led"}
    assert legal(to_play(rules, "7D", seat=1, trump="T", others="AC")) == {"7D"}


@pytest.mark.parametrize(
    "leader, text, under, best, points",
    [
        (0, "TC 7D AC 8C 7C", "7D", "AC", 21),
        (0, "TC KD AC 8C 7C", "KD", "AC", 25),
        (1, "7D AC 8C 9C 9D", "7D", "9D", 11),
    ],
)
def test_S4_winner(leader: int, text: str, under: str, best: str, points: int) -> None:
    rules = rules_with("AC", picker=1, under=under)
    assert trick(rules, text, leader=leader, trump="T") == (best, points)


@pytest.mark.parametrize(
    "text, best, points",
    [
        ("9H KH AH 7D JC", "JC", 17),
        ("QH AD QC 7D JS", "QC", 19),
        ("7S AC 8S AH 9S", "9S", 22),
        ("TC AC KC 9C 8C", "AC", 25),
        ("8D 7D AH AS TC", "8D", 32),
    ],
)
def test_S5(text: str, best: str, points: int) -> None:
    assert trick(PLAIN, text, leader=3, trump="T") == (best, points)


@pytest.mark.parametrize("option, best", [(True, "TC"), (False, "AC")])
def test_S5_called_ten(option: bool, best: str) -> None:
    assert trick(rules_with("TC", called_ten_wins=option), "AC 9C TC KC 8C", trump="T") == (best, 25)


# ---------------------------------------------------------------------- Sheepshead, a whole hand and its score

S6 = "QS 9D AC 9C KH 7S | QH JD AS KS 9S 8C | QC QD JS AD TD 9H | JH KD 7D TS TH KC | JC 8D AH 7H 7C 8S"
S6_PLAY = [
    ("AC 8C TD KC 7C", 2, 25),
    ("QC 7D 8D 9D JD", 2, 5),
    ("9H TH AH KH QH", 1, 28),
    ("AS AD TS 8S 7S", 2, 32),
    ("QD KD JC QS 9S", 0, 12),
    ("9C KS JS JH 7H", 2, 8),
]


def test_S6() -> None:
    agreed = SHEEPSHEAD.contract("picker 2, call AH, bury TC 8H")
    position = SHEEPSHEAD.start(SHEEPSHEAD.read(S6), agreed)
    assert position.side == {2, 4}
    assert SHEEPSHEAD.banked(agreed) == 10
    for number, (text, winner, points) in enumerate(S6_PLAY):
        if number == 0:
            third = play(position, "AC 8C")
            assert legal(third) == cards("QC QD JS AD TD")
            assert third.barred() == {"9H": "hold-card"}
        if number == 2:
            assert legal(play(position, "9H TH")) == {"AH"}
        before = sum(position.points)
        position = play(position, text)
        assert (position.leader, sum(position.points) - before) == (winner, points)
    assert position.over
    assert sum(position.points) == 110
    outcome = SHEEPSHEAD.settle(position, agreed)
    assert "80 points" in outcome.text
    assert outcome.scores == (-1, -1, 2, -1, 1)
    assert outcome.made is True


def rung(points: int, tricks: int, total: int) -> int:
    """The row of the table of RULES.md 2.7 that a result falls in, from the game's own ladder."""
    if tricks == 0 or tricks == total:
        return 5 if tricks else 0
    plain = [step.bid for step in SHEEPSHEAD.ladder(Contract()) if step.measure == "points"]
    return 1 + sum(points >= bid for bid in plain)


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
    five = game("sheepshead", **options)
    assert isinstance(five, Sheepshead)
    own, partner, other = five.score(rung(points, tricks, 6), alone=False)
    assert (own, partner, other) == expected
    assert own + partner + 3 * other == 0
    assert settled(five, points, tricks, 6, {0, 1}) == (own, partner, other, other, other)


@pytest.mark.parametrize(
    "seats, points, tricks, total, bump, expected",
    [
        (5, 61, 3, 6, True, (4, -1)),
        (5, 95, 4, 6, True, (8, -2)),
        (5, 120, 6, 6, True, (12, -3)),
        (5, 60, 3, 6, True, (-8, 2)),
        (5, 0, 0, 6, True, (-24, 6)),
        (5, 0, 0, 6, False, (-12, 3)),
        (3, 70, 6, 10, True, (2, -1)),
        (3, 45, 4, 10, True, (-4, 2)),
    ],
)
def test_S7_alone(seats: int, points: int, tricks: int, total: int, bump: bool, expected: tuple[int, int]) -> None:
    some = game("sheepshead", seats=seats, double_on_bump=bump)
    own, other = expected
    assert settled(some, points, tricks, total, {0}) == (own, *(other,) * (seats - 1))


def test_S7_four_with_a_partner() -> None:
    four = game("sheepshead", seats=4)
    assert settled(four, 70, 4, 7, {0, 1}) == (1, 1, -1, -1)


def settled(some: object, points: int, tricks: int, total: int, side: set[int]) -> tuple[int, ...]:
    """Scores of a deal that ended with these points and tricks of the side, all with the picker, seat 0."""
    assert isinstance(some, Sheepshead)
    rest = tuple(120 - points if s == 2 else 0 for s in range(1, some.seats))
    took = tuple(total - tricks if s == 2 else 0 for s in range(1, some.seats))
    over = ending(
        some.trick_rules(Contract()), [""] * some.seats, side=side, points=(points, *rest), tricks=(tricks, *took)
    )
    return some.settle(over, Contract(declarer=0)).scores


# ---------------------------------------------------------------------- Sheepshead, plans and double dummy


@pytest.mark.parametrize(
    "eight, expected",
    [
        ("QC JS AD 9D TC 8C AS KH", {"AC": 27, "AH": 21, "alone": 28}),
        ("QC QS JD AD TD 7D AH KD", {"AC": 168, "AS": 168, "alone": 28}),
        ("AC AS AH QC JD TD 8D KS", {"TC": 21, "TS": 27, "TH": 21, "alone": 28}),
    ],
)
def test_S8(eight: str, expected: dict[str, int]) -> None:
    held = cards(eight)
    found: dict[str, int] = {}
    for call in ("alone", "AC", "AS", "AH", "TC", "TS", "TH"):
        for under in (None, *sorted(held)):
            for bury in combinations(sorted(held), 2):
                if call == "alone" and under is not None:
                    continue
                called = "" if call == "alone" else call
                plan = contract(declarer=0, called=called, under=under, bury=" ".join(bury))
                try:
                    SHEEPSHEAD.check_plan(held, plan)  # type: ignore[attr-defined]
                except IllegalPlayError:
                    continue
                found[call] = found.get(call, 0) + 1
    assert found == expected


def test_S8_a_deal_checks_its_plan() -> None:
    deal = SHEEPSHEAD.read(
        "QC JS AD 9D TC 8C | QS QH JC JH AC KC | QD JD TD KD AH TH | 8D 7D 9C 7C 9H 8H | TS KS 9S 8S 7S 7H"
        "| blind: AS KH"
    )
    start = SHEEPSHEAD.start(deal, SHEEPSHEAD.contract("picker 0, call AC, bury AS KH"))
    assert start.side == {0, 1}
    for text in ("call AC, bury TC 8C", "call AS, bury TC 8C", "call AH, bury KH TC", "call TC, bury AS KH"):
        with pytest.raises(IllegalPlayError):
            SHEEPSHEAD.start(deal, SHEEPSHEAD.contract("picker 0, " + text))
    assert isinstance(deal, Deal)


@pytest.mark.kernel
def test_S9() -> None:
    position = ending(PLAIN, ["JD 9H", "QC TS", "JC AS", "KD 7C", "AH 8S"], trump="T", side=(0, 1))
    assert Search(position).value(position) == (25, 25)
    assert card_values(position) == {"9H": 25, "JD": 11}
    after = position.play("9H")
    assert card_values(after) == {"QC": 25, "TS": 7}
    best_defence = play(after, "QC AS")
    assert value(best_defence) == 25
    assert value(play(after, "QC JC")) > 25
