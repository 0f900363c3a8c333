"""Plans over common worlds: hands, sides and needs are those of the game, and rungs reached those of plain values."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from deciding import PICKER, TEN, Listener, planner, points_and_tricks, some_plans, start_of
from naive import kit as naive_kit
from naive import minimax
from naive import sheepshead as naive_sheepshead
from solver.bidding.of_game import stakes_of
from solver.bidding.question import as_declarer
from solver.bidding.stakes import Stakes
from solver.deals.plan_matrix import Field, SearchInterruptedError, fixed_field, open_field
from solver.deals.success import Runner
from solver.games import Game, game
from solver.games.sheepshead import Sheepshead
from solver.model.contract import Contract
from solver.model.errors import NotationError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

pytestmark = pytest.mark.kernel

#: A game, its options, the cards to plan with or the seed of a deal, what is settled.
CASES: list[tuple[str, dict, int | str, str]] = [
    ("sheepshead", {}, PICKER, ""),
    ("sheepshead", {}, PICKER, "lead 3"),
    ("sheepshead", {}, "QC QS JD AD TD 7D AH KD", ""),  # an ace with a card under
    ("sheepshead", {}, "AC AS AH QC JD TD 8D KS", ""),  # a ten, or alone
    ("sheepshead", {"partner_leads_any": True}, PICKER, ""),
    ("sheepshead", {"picker_alone_leads": True}, PICKER, "lead 3"),
    ("sheepshead", {"schwarz": "points"}, PICKER, ""),
    ("sheepshead", {"partner": "jd"}, "QC QS JD AD TD 7S AH KH", ""),  # with the jack buried or kept
    ("sheepshead", {"partner": "jd", "jd_call_up": True}, "QC QS JD AD TD 7S AH KH", ""),
    ("sheepshead", {"partner": "jc"}, 4, ""),
    ("sheepshead", {"seats": 3}, 1, ""),
    ("sheepshead", {"seats": 4}, "QC QS AD AC TC AS TS AH TH KH 7H", ""),  # up to 44 points can be buried
    ("sheepshead", {"seats": 4, "schwarz": "points"}, "QC QS AD AC TC AS TS AH TH KH 7H", ""),
    ("sheepshead", {"seats": 4, "partner": "called"}, 2, ""),
    ("sheepshead", {"seats": 6}, 3, ""),
    ("sheepshead", {"seats": 7}, 4, ""),
    ("thousand", {}, TEN, ""),
    ("thousand", {}, 5, "120"),
    ("thousand", {"marriage_needs_trick": False, "last_trick_bonus": 10}, 6, ""),
    ("three_of_spades", {"seats": 7}, 1, ""),
    ("three_of_spades", {"seats": 6, "three_on_top": True}, 2, "trump C"),
    ("three_of_spades", {"seats": 7, "own_call": True}, 3, "trump D"),
]


def names(case: tuple) -> str:
    name, options, dealt, _ = case
    return " ".join([name, *(f"{k}={v}" for k, v in options.items()), str(dealt)[:5]])


def case_field(case: tuple, plans: int, worlds: int, seat: int = 1) -> tuple[Field, Stakes, Worlds]:
    name, options, dealt, contract = case
    one = game(name, **options)
    known = planner(one, dealt, contract, seat)
    chosen, drawn = some_plans(known, plans, 7), known.sample(worlds, seed=3)
    stakes = stakes_of(one, chosen[0], known.hand | (known.talon or frozenset()))
    return open_field(drawn, chosen, stakes.ladder), stakes, drawn


# ---------------------------------------------------------------------- what is searched


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("case", CASES, ids=names)
def test_hands_sides_and_needs_are_those_of_the_game(case: tuple, seat: int) -> None:
    field, stakes, worlds = case_field(case, 40, 3, seat)
    alone = set()
    for number, plan in enumerate(field.plans):
        if field.known is not None:
            field.known.clear()
        listener = Listener()
        found = field.search(listener, np.array([number]), 0, len(worlds))  # type: ignore[arg-type]
        asked = listener.asked[0]
        assert len(asked) == len(worlds)
        for i in range(len(worlds)):
            start = start_of(worlds, i, plan)
            layout = layout_of(start.rules)
            assert asked.record is layout.record
            assert asked.hands[i].tolist() == [layout.encode(hand) for hand in start.hands]
            assert asked.sides[i] == sum(1 << s for s in start.side)
            barred = start.first_lead and not start.rules.marriage_on_first_lead
            assert (asked.leader, asked.state, asked.first_lead) == (start.leader, layout.state(start)[0], barred)
            assert found.alone[0, i] == (len(start.side) == 1)
            alone.add(len(start.side) == 1)
        needs = [rung.need for rung in stakes.ladder(plan) if rung.measure == "points"]
        assert asked.needs.tolist() == [needs] * len(worlds)
    if case == CASES[0]:
        assert alone == {True, False}


def test_cases_have_every_kind_of_plan() -> None:
    seen = set()
    for case in (c for c in CASES if c[0] == "sheepshead"):
        field, _, worlds = case_field(case, 40, 3)
        for plan in field.plans:
            called = plan.called[0] if plan.called else ""
            under = "under" * (plan.under is not None)
            jack = "JD buried" if "JD" in plan.bury else "JD kept" if "JD" in worlds.knowledge.hand else ""
            much = "much buried" * (worlds.knowledge.game.banked(plan) > 30)
            seen |= {plan.kind, under, jack, called[:1], much}
    assert seen >= {"alone", "under", "A", "T", "J", "JD buried", "JD kept", "much buried"}


def test_worlds_are_searched_from_any_to_any() -> None:
    field, _, worlds = case_field(CASES[0], 3, 6)
    listener = Listener()
    field.search(listener, np.array([2]), 4, 6)  # type: ignore[arg-type]
    asked = listener.asked[0]
    layout = layout_of(start_of(worlds, 4, field.plans[2]).rules)
    expected = [[layout.encode(h) for h in start_of(worlds, i, field.plans[2]).hands] for i in (4, 5)]
    assert asked.hands.tolist() == expected


# ---------------------------------------------------------------------- rungs reached


def rungs(start: Position, ladder: tuple, values: tuple[int, int]) -> int:
    """How many rungs the values reach, each by itself."""
    points, tricks = values
    return sum((points if rung.measure == "points" else tricks) >= rung.need for rung in ladder)


def by_settlement(one: Game, start: Position, plan: Contract, values: tuple[int, int]) -> int:
    """The tier of Sheepshead that the values are, from the table of scores."""
    points, tricks = values
    points += sum(naive_sheepshead.value(c, {}) for c in plan.bury) if tricks else 0
    total = len(start.hands[0])
    if one.options.schwarz == "points":  # type: ignore[attr-defined]
        tricks, total = points, 120
    return {-3: 0, -2: 1, -1: 2, 1: 3, 2: 4, 3: 5}[naive_sheepshead.multiplier(points, tricks, total)]


def check_levels(field: Field, stakes: Stakes, worlds: Worlds, found: object) -> set[int]:
    one, seen = worlds.knowledge.game, set()
    for number, plan in enumerate(field.plans):
        for i in range(len(worlds)):
            start = start_of(worlds, i, plan)
            values = points_and_tricks(start)
            expected = rungs(start, stakes.ladder(plan), values)
            if isinstance(one, Sheepshead):
                assert expected == by_settlement(one, start, plan, values)
            assert found.low[number, i] == found.high[number, i] == expected, (plan, i)  # type: ignore[attr-defined]
            seen.add(expected)
    return seen


@pytest.mark.parametrize("case", CASES, ids=names)
def test_rungs_are_those_of_plain_values(case: tuple) -> None:
    field, stakes, worlds = case_field(case, 3 if case[0] == "sheepshead" else 2, 2)
    with Runner(workers=1) as runner:
        found = field.search(runner, np.arange(len(field.plans)), 0, len(worlds))
    assert check_levels(field, stakes, worlds, found)


@pytest.mark.parametrize("schwarz", ["tricks", "points"])
def test_much_buried_still_needs_a_trick(schwarz: str) -> None:
    # Four seats: 31 points and more are buried by a hand that may be left without a trick.
    one = game("sheepshead", seats=4, schwarz=schwarz)
    known = planner(one, "8C 7C AC TC 8S AS TS 7S AH TH 8H", "by 0, bury AC AS TC TS", 0)
    (plan,) = some_plans(known, 1, 1)
    assert one.banked(plan) == 42
    worlds = known.sample(12, seed=1)
    stakes = stakes_of(one, plan, known.hand)
    field = open_field(worlds, [plan], stakes.ladder)
    with Runner(workers=1) as runner:
        found = field.search(runner, np.arange(1), 0, len(worlds))
    assert check_levels(field, stakes, worlds, found) >= {0, 2}


def test_a_node_limit_leaves_bounds() -> None:
    for case, limit in ((CASES[0], 60), (CASES[16], 20), (CASES[19], 60)):
        (field, _, worlds), (other, _, _) = (case_field(case, 4, 8) for _ in range(2))
        every = np.arange(4)
        with Runner(workers=1) as runner:
            whole = other.search(runner, every, 0, len(worlds))
            runner.limit = limit
            short = field.search(runner, every, 0, len(worlds))
            assert (short.low <= whole.low).all()
            assert (whole.high <= short.high).all()
            assert (short.low < short.high).any()
            runner.limit = 0  # what a limit left open is asked again without it
            again = field.search(runner, every, 0, len(worlds))
        assert (again.low == whole.low).all()
        assert (again.high == whole.high).all()


def test_chunks_and_parts_do_not_change_answers() -> None:
    for case in (CASES[0], CASES[16], CASES[19]):
        found = []
        for chunk, cuts in ((1, (0, 5)), (64, (0, 2, 5)), (3, (0, 1, 4, 5))):
            field, _, _ = case_field(case, 5, 5)
            with Runner(workers=2, chunk=chunk) as runner:
                parts = [field.search(runner, np.arange(5), a, b) for a, b in pairwise(cuts)]
            found.append(np.concatenate([p.low for p in parts], axis=1))
        assert all((one == found[0]).all() for one in found)


def test_worlds_are_searched_once_for_each_trump_and_side() -> None:
    one = game("three_of_spades", seats=7)
    known = planner(one, 1, "", 0)
    plans, worlds = some_plans(known, 150, 2), known.sample(3, seed=5)
    field = open_field(worlds, plans, one.ladder)
    teams = {(i, p.trump, start_of(worlds, i, p).side) for p in plans for i in range(3)}
    listener = Listener()
    field.search(listener, np.arange(150), 0, 3)  # type: ignore[arg-type]
    assert sum(map(len, listener.asked)) == len(teams) < 450
    field.search(listener, np.arange(150), 0, 3)  # type: ignore[arg-type]
    assert sum(map(len, listener.asked)) == len(teams)


def test_an_interrupt_leaves_no_answer() -> None:
    field, _, worlds = case_field(CASES[0], 4, 8)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with Runner(workers=1, progress=stop) as runner, pytest.raises(SearchInterruptedError):
        field.search(runner, np.arange(4), 0, len(worlds))


def test_no_plan_is_refused() -> None:
    known = planner(game("thousand"), TEN)
    with pytest.raises(NotationError, match="no plan is open"):
        open_field(known.sample(2, seed=1), [])


# ---------------------------------------------------------------------- a plan that is told


def test_kit_is_brute_force() -> None:
    one = game("kit")
    worlds = one.knowledge(1, "o1 o4 t3 s4").contract("1 by 1, lead 2").enumerate()
    with Runner(workers=1) as runner:
        found = fixed_field(worlds).search(runner, np.zeros(1, np.int64), 0, len(worlds))
    for i in range(0, 70, 5):
        hands = [frozenset(map(str, h)) for h in worlds.start(i).hands]
        value = minimax.value(naive_kit, hands, 2, [], dict(naive_kit.DEFAULTS), frozenset({1}))
        assert found.low[0, i] == found.high[0, i] == value


@pytest.mark.parametrize(
    "name, options, seat, hand, contract",
    [
        ("sheepshead", {}, 2, "QC QD JS AD TD 9H", "by 2, call AH, bury TC 8H"),
        ("sheepshead", {}, 0, "QS 9D AC 9C KH 7S", "by 2, call AH"),  # a defender: the bury is hidden
        ("sheepshead", {}, 0, "QS 9D AC 9C KH 7S", "by 2, call AH, under ?"),
        ("sheepshead", {"seats": 4}, 0, "QC QD QS JC JS AD 7C", "by 2"),  # and may hold more than 31 points
        ("sheepshead", {"seats": 4}, 0, "AC AS AH TC TS TH 7D", "by 2"),
        ("thousand", {}, 1, "AS KS QS 9S AC TC JD 9C", "120 by 0"),
        ("thousand", {"table": "four_pairs", "preset": "four_pairs"}, 1, "AS KS QS 9S AC TC", "120 by 1"),
        ("three_of_spades", {"seats": 7}, 2, "AS KS QS JS TS 9S AH", "by 0, trump S, call KD QD AC"),
    ],
)
def test_told_plans_by_plain_values(name: str, options: dict, seat: int, hand: str, contract: str) -> None:
    one = game(name, **options)
    known = one.knowledge(seat, hand).contract(contract)
    worlds = known.sample(24 if options.get("seats") == 4 else 3, seed=4)
    stakes = stakes_of(one, worlds.contract(0), frozenset(), only=[100, 120] if name == "thousand" else None)
    field = fixed_field(worlds, stakes.ladder)
    with Runner(workers=1) as runner:
        found = field.search(runner, np.zeros(1, np.int64), 0, len(worlds))
    for i in range(len(worlds)):
        start, told = worlds.start(i), worlds.contract(i)
        expected = rungs(start, stakes.ladder(told), points_and_tricks(start))
        assert found.low[0, i] == found.high[0, i] == expected, i
        assert found.alone[0, i] == (len(start.side) == 1)


# ---------------------------------------------------------------------- names of suits and seats


def renamed(known: Knowledge, suits: dict[str, str], turn: int) -> tuple[Knowledge, dict]:
    """The same knowledge with other suits and seats, and where each card went."""
    one = known.game
    to = {c: one.deck.card(c.rank + suits.get(c.suit, c.suit)) for c in one.deck.cards}
    if one.name == "sheepshead":  # trumps keep their names but for the jacks' and queens' suits, which rank them
        to = {c: c if c in naive_sheepshead.TRUMPS else to[c] for c in to}
    other = replace(
        known, seat=(known.seat + turn) % one.seats, dealer=(known.dealer + turn) % one.seats,
        hand=frozenset(to[c] for c in known.hand), agreed=None, shown=(),
        talon=None if known.talon is None else frozenset(to[c] for c in known.talon),
    )  # fmt: skip
    return other.contract(moved(as_declarer(known), to, turn, one.seats)), to


def moved(plan: Contract, to: dict, turn: int, seats: int) -> Contract:
    suits = {a.suit: b.suit for a, b in to.items() if a not in naive_sheepshead.TRUMPS or a.suit != "D"}
    return replace(
        plan, declarer=(plan.declarer + turn) % seats, leader=(plan.leader + turn) % seats,
        called=tuple(to[c] for c in plan.called), bury=tuple(to[c] for c in plan.bury),
        under=None if plan.under is None else to[plan.under], trump=suits.get(plan.trump, plan.trump),
        passes=tuple(((s + turn) % seats, to[c]) for s, c in plan.passes),
    )  # fmt: skip


@pytest.mark.parametrize(
    "case, suits, turn",
    [
        (CASES[0], {"C": "S", "S": "H", "H": "C"}, 0),
        (CASES[0], {"C": "H", "H": "C"}, 3),
        (CASES[2], {"C": "S", "S": "C"}, 2),
        (CASES[3], {"C": "S", "S": "H", "H": "C"}, 1),
        (CASES[14], {"C": "S", "S": "C"}, 4),
        (CASES[16], {}, 2),
        (("thousand", {"marriages": False}, TEN, ""), {"H": "S", "S": "D", "D": "C", "C": "H"}, 1),
        (CASES[19], {"C": "H", "H": "D", "D": "C"}, 5),  # spades have the three
        (CASES[20], {"D": "H", "H": "D"}, 1),
    ],
)
def test_names_of_suits_and_seats_change_nothing(case: tuple, suits: dict, turn: int) -> None:
    field, stakes, worlds = case_field(case, 4, 4)
    known, one = worlds.knowledge, worlds.knowledge.game
    other, to = renamed(known, suits, turn)
    columns = [worlds.cards.index(c) for card in other.cards for c in to if to[c] == card]
    owners = worlds.owners[:, columns]
    owners = np.where(owners < one.seats, (owners + turn) % one.seats, owners).astype(np.int8)
    plans = [moved(p, to, turn, one.seats) for p in field.plans]
    again = open_field(replace(worlds, knowledge=other, owners=owners), plans, stakes.ladder)
    with Runner(workers=1) as runner:
        a, b = (f.search(runner, np.arange(len(plans)), 0, len(worlds)) for f in (field, again))
    assert (a.low == b.low).all()
    assert (a.alone == b.alone).all()
