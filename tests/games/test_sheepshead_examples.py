"""Worked examples of RULES.md 2.7 to 2.9 and 2.12 that go beyond single cards: settlement, plans, leaster."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import cards, ending
from naive import sheepshead as naive
from solver.games import game
from solver.games.sheepshead import Sheepshead
from solver.model.contract import Contract, Outcome
from solver.model.errors import NotationError

LEASTER = Contract(kind="leaster")


def sheepshead(**options: object) -> Sheepshead:
    one = game("sheepshead", **options)
    assert isinstance(one, Sheepshead)
    return one


def settled(
    one: Sheepshead,
    points: list[int],
    tricks: list[int],
    side: set[int],
    contract: Contract | None = None,
) -> Outcome:
    """Outcome of a deal that ended with these points and tricks."""
    contract = contract or Contract(declarer=None if one.options.partner == "queens" else 0)
    rules = one.trick_rules(contract)
    return one.settle(ending(rules, [""] * one.seats, side=side, points=tuple(points), tricks=tuple(tricks)), contract)


def result(one: Sheepshead, points: int, taken: int, side: set[int], contract: Contract | None = None) -> Outcome:
    """The same with the side's share with its first seat and the rest with the last seat that is not of it."""
    first, other = min(side), max(set(range(one.seats)) - side)
    shares = [points if s == first else 120 - points if s == other else 0 for s in range(one.seats)]
    total = one.hand_size
    tricks = [taken if s == first else total - taken if s == other else 0 for s in range(one.seats)]
    return settled(one, shares, tricks, side, contract)


# ---------------------------------------------------------------------- S7, other tables


@pytest.mark.parametrize(
    "options, side, points, taken, expected",
    [
        ({"seats": 4}, {0}, 61, 3, (3, -1, -1, -1)),
        ({"seats": 4, "partner": "called"}, {0, 2}, 70, 4, (1, -1, 1, -1)),
        ({"seats": 4, "partner": "called"}, {0, 2}, 60, 4, (-2, 2, -2, 2)),
        ({"seats": 4, "partner": "called"}, {0, 2}, 0, 0, (-12, 6, 0, 6)),
        ({"seats": 4, "partner": "called", "partner_off_hook": False}, {0, 2}, 0, 0, (-6, 6, -6, 6)),
        ({"seats": 4, "partner": "queens"}, {1, 3}, 91, 5, (-2, 2, -2, 2)),
        ({"seats": 4, "partner": "queens"}, {1, 3}, 60, 5, (2, -2, 2, -2)),
        ({"seats": 4, "partner": "queens"}, {1, 3}, 0, 0, (6, -6, 6, -6)),
        ({"seats": 4, "partner": "queens"}, {1}, 61, 5, (-1, 3, -1, -1)),
        ({"seats": 6}, {0, 1}, 61, 3, (3, 1, -1, -1, -1, -1)),
        ({"seats": 6}, {0, 1}, 0, 0, (-24, 0, 6, 6, 6, 6)),
        ({"seats": 7}, {0, 6}, 91, 3, (8, -2, -2, -2, -2, -2, 2)),
        ({"seats": 7}, {0}, 120, 4, (18, -3, -3, -3, -3, -3, -3)),
    ],
)
def test_S7_other_seats(options: dict, side: set[int], points: int, taken: int, expected: tuple[int, ...]) -> None:
    assert result(sheepshead(**options), points, taken, side).scores == expected


def test_S7_the_bury_counts_only_with_a_trick() -> None:
    one = sheepshead()
    buried = Contract(declarer=0, bury=tuple(sorted(cards("AD TD"))))
    rules = one.trick_rules(buried)
    for tricks, expected, word in ((1, -8, "21 points in 1"), (0, -18, "0 points in 0")):
        over = ending(rules, [""] * 5, side={0, 1}, points=(0, 0, 99, 0, 0), tricks=(tricks, 0, 6 - tricks, 0, 0))
        outcome = one.settle(over, buried)
        assert outcome.scores[0] == expected
        assert word in outcome.text


def test_a_deal_in_play_is_not_settled() -> None:
    one = sheepshead()
    start = one.start(one.deal(seed=1), one.contract("leaster"))
    with pytest.raises(NotationError, match="30 cards are in hand"):
        one.settle(start, one.contract("leaster"))


@given(
    points=st.integers(0, 120),
    taken=st.integers(0, 6),
    partner=st.booleans(),
    bump=st.booleans(),
    hook=st.booleans(),
)
def test_S7_against_the_twin(points: int, taken: int, partner: bool, bump: bool, hook: bool) -> None:
    points = 0 if taken == 0 else 120 if taken == 6 else points
    one = sheepshead(double_on_bump=bump, partner_off_hook=hook)
    side = {0, 3} if partner else {0}
    got = result(one, points, taken, side)
    want = naive.settle(points, taken, 6, 5 - len(side), not partner, bump, hook)
    roles = ["picker", "opponent", "opponent", "partner" if partner else "opponent", "opponent"]
    assert got.scores == tuple(want[role] for role in roles)


@given(data=st.data())
def test_every_settlement_sums_to_nothing(data: st.DataObject) -> None:
    options: dict[str, object] = {"seats": data.draw(st.integers(3, 7))}
    if options["seats"] == 4:
        options["partner"] = data.draw(st.sampled_from(["none", "called", "queens"]))
    options |= {k: data.draw(st.booleans()) for k in ("double_on_bump", "partner_off_hook", "blitz")}
    options |= {"schwarz": data.draw(st.sampled_from(["tricks", "points"])), "crack": "recrack"}
    options["leaster_tie"] = data.draw(st.sampled_from(["wash", "split"]))
    kinds = ["leaster", "moster", "schneidster"] + ["mittler"] * (int(str(options["seats"])) % 2)
    options["no_pick"] = data.draw(st.sampled_from(["doubler", *kinds]))
    one = sheepshead(**options)
    winners = data.draw(st.lists(st.integers(0, one.seats - 1), min_size=one.hand_size, max_size=one.hand_size))
    points, tricks, left = [0] * one.seats, [0] * one.seats, 120
    for i, winner in enumerate(winners):
        worth = left if i == one.hand_size - 1 else data.draw(st.integers(0, left))
        points[winner] += worth
        tricks[winner] += 1
        left -= worth
    if one.options.no_pick != "doubler" and one.options.partner != "queens" and data.draw(st.booleans()):
        outcome = settled(one, points, tricks, set(), Contract(kind=one.options.no_pick))
    else:
        doubles = ("crack", "recrack") * data.draw(st.booleans()) + ("blitz",) * one.options.blitz
        side = {0, data.draw(st.integers(0, one.seats - 1))}
        contract = Contract(declarer=None if one.options.partner == "queens" else 0, doubles=doubles)
        outcome = settled(one, points, tricks, side, contract)
    assert sum(outcome.scores) == 0
    assert len(outcome.scores) == one.seats
    assert all(type(s) is int for s in outcome.scores)


# ---------------------------------------------------------------------- S8


@pytest.mark.parametrize(
    "eight, expected",
    [
        ("QC JS AD 9D TC 8C AS KH", {"AC": 27, "AH": 21, "alone": 28}),
        ("QC QS JD AD TD 7D AH KD", {"AC": 168, "AS": 168, "alone": 28}),
        ("AC AS AH QC JD TD 8D KS", {"TC": 21, "TS": 27, "TH": 21, "alone": 28}),
    ],
)
def test_S8_listed(eight: str, expected: dict[str, int]) -> None:
    one = sheepshead()
    plans = list(one.plans(cards(eight), one.contract("picker 3, lead 1")))
    assert Counter(p.called[0] if p.called else p.kind for p in plans) == expected
    assert len(set(plans)) == len(plans)
    assert all((p.declarer, p.leader, p.target) == (3, 1, 61) for p in plans)
    for plan in plans:
        assert one.contract(plan) == plan
        one.check_plan(cards(eight), plan)


# ---------------------------------------------------------------------- S10


@pytest.mark.parametrize(
    "points, tricks, expected",
    [
        ((0, 18, 35, 40, 27), (0, 1, 2, 2, 1), (-1, 4, -1, -1, -1)),
        ((0, 18, 35, 40, 27), (1, 1, 1, 2, 1), (4, -1, -1, -1, -1)),
        ((0, 30, 30, 30, 30), (0, 2, 1, 1, 2), (0, 0, 0, 0, 0)),
        ((120, 0, 0, 0, 0), (6, 0, 0, 0, 0), (4, -1, -1, -1, -1)),
    ],
)
def test_S10(points: tuple[int, ...], tricks: tuple[int, ...], expected: tuple[int, ...]) -> None:
    outcome = settled(sheepshead(), list(points), list(tricks), set(), LEASTER)
    assert outcome.scores == expected
    assert outcome.made is None
    assert list(outcome.scores) == naive.leaster(list(points), list(tricks), 0, 0)


def test_S10_the_blind_goes_to_the_last_trick() -> None:
    one = sheepshead()
    deal = one.deal(seed=2)
    contract = one.contract("leaster")
    position = one.start(deal, contract)
    assert (position.side, position.leader, position.rules.called) == (frozenset(), 0, None)
    before = position
    while not position.over:
        before, position = position, position.play(position.legal()[-1])
    blind = sum(one.points(c) for c in deal.talon)
    last = sum(one.points(c) for c in [*(m.card for m in before.trick), *frozenset().union(*before.hands)])
    assert blind > 0
    assert position.points[position.leader] - before.points[position.leader] == last + blind
    assert sum(position.points) == 120
    outcome = one.settle(position, contract)
    points = [p - blind * (s == position.leader) for s, p in enumerate(position.points)]
    assert list(outcome.scores) == naive.leaster(points, list(position.tricks), blind, position.leader)


def test_a_leaster_has_no_duties_and_hands_without_a_blind_will_do() -> None:
    one = sheepshead()
    deal = one.deal(seed=4)
    bare = one.read(" | ".join(one.deck.write(h) for h in deal.hands))
    assert one.start(bare, LEASTER) == one.start(deal, LEASTER)


@pytest.mark.parametrize(
    "text", ["leaster, call AH", "61, leaster", "leaster, bury TC 8H", "leaster, alone", "leaster, side 1 2", "moster"]
)
def test_a_leaster_has_no_plan(text: str) -> None:
    with pytest.raises(NotationError):
        sheepshead().contract(text)


def test_a_leaster_by_a_seat_asks_about_it() -> None:
    one = sheepshead()
    for text in ("leaster, side 2", "leaster, by 2"):
        assert one.start(one.deal(seed=4), one.contract(text)).side == {2}
    assert one.contract("leaster, side 2").target is None
    assert one.need(one.contract("leaster, side 2")) is None


# ---------------------------------------------------------------------- other games when nobody picks


@pytest.mark.parametrize(
    "kind, points, tricks, expected",
    [
        ("moster", (0, 18, 35, 40, 27), (0, 1, 2, 2, 1), (1, 1, 1, -4, 1)),
        ("moster", (0, 18, 40, 40, 22), (0, 1, 2, 2, 1), (0, 0, 0, 0, 0)),
        ("moster", (0, 0, 0, 120, 0), (0, 0, 0, 6, 0), (-1, -1, -1, 4, -1)),
        ("mittler", (0, 18, 35, 40, 27), (0, 1, 2, 2, 1), (-1, -1, -1, -1, 4)),
        ("mittler", (0, 27, 33, 33, 27), (0, 1, 2, 2, 1), (0, 0, 0, 0, 0)),
        ("schneidster", (30, 18, 31, 31, 10), (1, 1, 2, 1, 1), (4, -1, -1, -1, -1)),
        ("schneidster", (29, 29, 31, 31, 0), (1, 1, 2, 1, 1), (0, 0, 0, 0, 0)),
    ],
)
def test_nobody_picked(kind: str, points: tuple[int, ...], tricks: tuple[int, ...], expected: tuple[int, ...]) -> None:
    one = sheepshead(no_pick=kind)
    contract = one.contract(kind)
    assert settled(one, list(points), list(tricks), set(), contract).scores == expected


def test_schneidster_when_all_are_above_thirty() -> None:
    one = sheepshead(seats=3, no_pick="schneidster")
    outcome = settled(one, [40, 40, 40], [3, 3, 4], set(), one.contract("schneidster"))
    assert outcome.scores == (0, 0, 0)


SHOWN = (
    "QC QS 7C 8C 9C TC | JC JS JH JD 7S 8S | QH QD 9S TS KS AS | AD TD KD 9D 8D 7D | AC KC 7H 8H 9H TH | blind: KH AH"
)


def test_schwanzer_is_shown_down() -> None:
    one = sheepshead(no_pick="schwanzer")
    contract = one.contract("schwanzer")
    position = one.start(one.read(SHOWN), contract)
    outcome = one.settle(position, contract)
    assert outcome.scores == (1, -4, 1, 1, 1)
    assert "power 6 8 6 6 0: seat 1 loses" in outcome.text
    with pytest.raises(NotationError, match="not played"):
        one.settle(position.play("QC"), contract)


@pytest.mark.parametrize("first, second, loser", [("JH", "JC", 1), ("JC", "JH", 0)])
def test_schwanzer_of_equals_the_highest_trump_loses(first: str, second: str, loser: int) -> None:
    one = sheepshead(no_pick="schwanzer", seats=3)
    contract = one.contract("schwanzer")
    position = ending(one.trick_rules(contract), [first, second, "7D"], side=())
    assert one.settle(position, contract).scores[loser] == -2
