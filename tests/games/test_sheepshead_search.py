"""House rules that reach the search, against unpruned searches of the plain twin."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import twin
from at_table import SHEEPSHEAD_DEAL, cards, play, sheepshead
from naive import deals, minimax
from naive import sheepshead as naive
from solver.deals.doubledummy import cards as table
from solver.deals.doubledummy import solve
from solver.deals.line import line
from solver.deals.search import Search
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError
from solver.model.play import Position

pytestmark = pytest.mark.kernel


def fewest(state: minimax.State, seat: int) -> int:
    """Points of a seat that wants few when all others want it to have many; every line is followed."""
    if minimax.finished(state):
        return 0
    values = []
    for move in minimax.moves(naive, state):
        child, gains = minimax.play(naive, state, move)
        values.append(gains[seat] + fewest(child, seat))
    return min(values) if minimax.to_move(state) == seat else max(values)


def ending_of(rng: random.Random, seats: int, tricks: int) -> list[frozenset[str]]:
    drawn = rng.sample(naive.DECK, seats * tricks)
    return [frozenset(drawn[s * tricks : (s + 1) * tricks]) for s in range(seats)]


@pytest.mark.parametrize("seats, tricks, count", [(3, 3, 60), (4, 2, 60), (4, 3, 12), (5, 2, 60)])
@pytest.mark.parametrize("blind", [0, 13])
def test_leaster_against_a_search_that_minimises(seats: int, tricks: int, count: int, blind: int) -> None:
    rng = random.Random(f"{seats} {tricks} {blind}")
    rules = replace(sheepshead(seats=seats).trick_rules(Contract(kind="leaster")), last_value=blind)
    values = set()
    for _ in range(count):
        hands, leader, seat = ending_of(rng, seats, tricks), rng.randrange(seats), rng.randrange(seats)
        state = minimax.start(hands, leader, [], {**naive.DEFAULTS, "last_trick": blind})
        held = tuple(frozenset(map(Card, h)) for h in hands)
        position = Position(rules, held, leader, side=frozenset({seat}), trump="T", first_lead=True)
        for _ in range(rng.choice([0, 0, rng.randrange(seats)])):
            move = rng.choice(minimax.moves(naive, state))
            state, _ = minimax.play(naive, state, move)
            position = position.play(move[0])
        want = fewest(state, seat)
        one = Search(position)
        assert one.value(position) == (want, want), f"{hands} leader {leader} seat {seat} trick {state.trick}"
        assert one.reaches(position, want) is True
        assert one.reaches(position, want + 1) is False
        values.add(want)
    assert len(values) > 3


def test_leaster_from_a_deal() -> None:
    one = sheepshead()
    deal = one.deal(seed=2)
    found = solve(deal, "leaster, side 2")
    assert found.points == found.high
    assert found.target is None
    assert found.made is None
    played = line(deal, "leaster, side 2")
    assert played.points == found.points
    position = one.start(deal, one.contract("leaster, side 2"))
    for trick in played.tricks:
        for move in trick.moves:
            position = position.play(move)
    assert position.points[2] == found.points
    for ask in (solve, table, line):
        with pytest.raises(UnsupportedError, match="name a seat, as in 'leaster, side 2'"):
            ask(deal, "leaster")
    moster = sheepshead(no_pick="moster")
    with pytest.raises(UnsupportedError, match="'moster, side 2'"):
        solve(moster.deal(seed=2), "moster")
    middle = sheepshead(no_pick="mittler")
    with pytest.raises(UnsupportedError, match="neither most nor fewest points, so nothing is searched"):
        line(middle.deal(seed=2), "mittler")


def test_leaster_questions_that_are_not_searched() -> None:
    first = sheepshead(leaster_blind="first_trick")
    deal = first.read(SHEEPSHEAD_DEAL)
    with pytest.raises(UnsupportedError, match="15 points go to the first trick"):
        solve(deal, "leaster, side 2")
    middle = sheepshead(no_pick="mittler")
    with pytest.raises(UnsupportedError, match="neither most nor fewest"):
        solve(middle.deal(seed=2), "mittler, side 2")


@pytest.mark.parametrize("seats, tricks, count", [(4, 2, 120), (4, 3, 40), (5, 2, 120), (5, 3, 6)])
def test_own_ace_against_the_twin(seats: int, tricks: int, count: int) -> None:
    """A picker who calls its own ace is alone, with the duties of picker and partner."""
    rng = random.Random(f"own {seats} {tricks}")
    one = sheepshead(seats=seats, call_own_ace=True, partner="called")
    bound = 0
    for _ in range(count):
        picker, suit = rng.randrange(seats), rng.choice("SH")
        while True:
            hands = ending_of(rng, seats, tricks)
            if "A" + suit in hands[picker] and not (seats == 4 and any({"7C", "7S"} & h for h in hands)):
                break
        contract = Contract(declarer=picker, called=(Card("A" + suit),))
        ctx = {**naive.DEFAULTS, "called": "A" + suit, "picker": picker}
        leader = rng.randrange(seats)
        state = minimax.start(hands, leader, [], ctx)
        held = tuple(frozenset(map(Card, h)) for h in hands)
        position = Position(one.trick_rules(contract), held, leader, side=frozenset({picker}), trump="T")
        want = minimax.value(naive, hands, leader, [], ctx, frozenset({picker}))
        assert Search(position).value(position) == (want, want), f"{hands} leader {leader} picker {picker}"
        while not position.over:
            twin = {m[0] for m in minimax.moves(naive, state)}
            assert {m.card for m in position.legal()} == twin
            bound += len(position.barred()) > 0
            move = (rng.choice(sorted(twin)), False)
            state, _ = minimax.play(naive, state, move)
            position = position.play(move[0])
    assert bound > 0


@pytest.mark.parametrize(
    "options", [{"seats": 4, "partner": "queens"}, {"seats": 4, "partner": "called"}, {"seats": 7}]
)
def test_other_tables_are_solved(options: dict) -> None:
    one = sheepshead(**options)
    deal = one.deal(seed=5)
    picker = next((s for s, h in enumerate(deal.hands) if {"QC", "QS"} & h), 0)
    plan = one.contract("")
    if one.options.partner != "queens":
        plan = next(one.plans(deal.hands[picker] | deal.talon, one.contract(f"picker {picker}")))
    found = solve(deal, plan)
    assert found.points == found.high
    assert found.notes


# ---------------------------------------------------------------------- a called ten that stays in hand


def test_a_called_ten_beats_its_ace_on_the_first_lead_only() -> None:
    """RULES.md 2.5; the partner, seat 1, leads another club first and keeps the ten."""
    contract = Contract(declarer=0, called=tuple(cards("TC")))
    rules = sheepshead(partner_leads_any=True).trick_rules(contract)
    hands = tuple(cards(h) for h in ("AC 9C", "TC KC", "8C AH", "7C KH", "9H TH"))
    start = Position(rules, hands, 1, side=frozenset({0, 1}), trump="T")
    assert play(replace(start, leader=0), "AC TC 8C 7C 9H").leader == 1
    later = play(start, "KC 8C 7C 9H 9C")
    assert later.leader == 1
    assert play(later, "TC AH KH TH AC").leader == 0


@pytest.mark.parametrize("seats, tricks", [(4, 4), (5, 5)])
def test_a_called_ten_with_any_lead_against_the_twin(seats: int, tricks: int) -> None:
    rng = random.Random(f"ten leads any {seats}")
    home = twin.Table("sheepshead", seats, loose=True)
    loose = {"partner_leads_any": True, "hold_card": True, "opening": False}
    kept = 0
    for _ in range(250):
        drawn = deals.random_position("sheepshead", rng, tricks, seats, variant="ten", table=0, **loose)
        state, position = twin.state_of(drawn), twin.to_position(home, drawn)
        with pytest.raises(UnsupportedError, match="highest only when its suit is first led"):
            Search(position)
        while not position.over:
            moves = minimax.moves(home.twin, state)
            assert {m.card for m in position.legal()} == {m[0] for m in moves}
            move = rng.choice(moves)
            state, _ = minimax.play(home.twin, state, move)
            position = position.play(move[0])
            assert position.leader == state.leader
            called = position.rules.called and position.rules.called.card
            if position.called_led and any(called in hand for hand in position.hands):
                kept += 1
                if sum(map(len, position.hands)) <= 2 * seats:
                    side = drawn["side"]
                    want = twin.value(home, twin.position_of(state, side))
                    assert Search(position).value(position) == (want, want), twin.show(home, drawn)
    assert kept > 50


def test_a_called_ten_is_searched_where_it_cannot_stay() -> None:
    contract = Contract(declarer=0, called=tuple(cards("TC")))
    for options in ({}, {"partner_leads_any": True, "called_ten_wins": False}):
        assert not sheepshead(**options).trick_rules(contract).suits_later
    ace = Contract(declarer=0, called=tuple(cards("AC")))
    assert not sheepshead(partner_leads_any=True).trick_rules(ace).suits_later
