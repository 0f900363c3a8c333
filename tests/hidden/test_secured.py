"""What a seat secures against all others who see everything: a linear programme, and `guaranteed` hand by hand."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import linprog

from naive import kit as rules
from naive import minimax
from naive.guaranteed import Programme
from solver.games import Game, game
from solver.hidden.equilibrium import equilibrium
from solver.hidden.kit_tree import kit_tree
from solver.hidden.learner import Learner
from solver.hidden.secured import against_all, proved, secured
from solver.kernels import cfr
from solver.model.errors import NotationError, UnsupportedError
from solver.seat.guaranteed import guaranteed

pytestmark = pytest.mark.kernel

TINY = 1e-9  # of sums of many floats


# --------------------------------------------------------------------- tricks, by a linear programme


def others(cards: frozenset[str], seats: int) -> Iterator[tuple[frozenset[str], ...]]:
    """All ways to deal cards evenly."""
    if not seats:
        yield ()
        return
    for hand in map(frozenset, itertools.combinations(sorted(cards), len(cards) // seats)):
        for rest in others(cards - hand, seats - 1):
            yield hand, *rest


def tricks_of_a_hand(one: Game, seat: int, hand: frozenset[str], leader: int, ctx: dict) -> float:
    """Most tricks, in the mean of all deals, that a plan of this hand gets when the others see everything."""
    rest = list(others(frozenset(one.deck.cards) - hand, one.seats - 1))
    programme = Programme()
    programme.variable(("plan", ()))
    worlds = [(w, minimax.State((*d[:seat], hand, *d[seat:]), leader, (), ctx), 0) for w, d in enumerate(rest)]
    _expand(programme, (), seat, worlds)
    cost = np.zeros(len(programme.number))
    for w in range(len(rest)):
        cost[programme.number["worth", (), w]] = -1 / len(rest)
    most, equal = programme.matrix("most"), programme.matrix("equal")
    bounds = np.array([(0, 1 if name[0] == "plan" else one.hand_size) for name in programme.number], float)
    bounds[programme.number["plan", ()]] = 1
    found = linprog(
        cost, A_ub=most, b_ub=np.zeros(most.shape[0]), A_eq=equal, b_eq=np.zeros(equal.shape[0]), bounds=bounds,
        method="highs",
    )  # fmt: skip
    assert found.status == 0
    return -found.fun


def _expand(one: Programme, history: tuple, seat: int, worlds: list[tuple[int, minimax.State, int]]) -> None:
    """A plan is split at the seat's own turns; in each world the others leave a history no more than it is worth."""
    if minimax.finished(worlds[0][1]):
        for w, _, got in worlds:
            one.add("most", [(1, ("worth", history, w)), (-got, ("plan", history))])
        return
    after: dict[minimax.Move, list[tuple[int, minimax.State, int]]] = {}
    mine = minimax.to_move(worlds[0][1]) == seat
    for w, state, got in worlds:
        moves = minimax.moves(rules, state)
        for move in moves:
            child, gains = minimax.play(rules, state, move)
            after.setdefault(move, []).append((w, child, got + gains[seat]))
        if mine:
            one.add("most", [(1, ("worth", history, w)), *((-1, ("worth", (*history, m), w)) for m in moves)])
        else:
            for move in moves:
                one.add("most", [(1, ("worth", history, w)), (-1, ("worth", (*history, move), w))])
    if mine:
        one.add("equal", [(1, ("plan", history)), *((-1, ("plan", (*history, m))) for m in after)])
    for move, children in after.items():
        if not mine:
            one.add("equal", [(1, ("plan", history)), (-1, ("plan", (*history, move)))])
        _expand(one, (*history, move), seat, children)


@pytest.mark.parametrize(
    "options, contract, leader, trump",
    [
        ({"suits": 2, "ranks": 3}, "", 0, None), ({"suits": 3, "ranks": 2}, "lead 1", 1, None),
        ({"suits": 3, "ranks": 1}, "lead 1", 1, None), ({"suits": 2, "ranks": 3, "trump": "o"}, "lead 2", 2, "o"),
        ({"suits": 2, "ranks": 3, "must_beat": True}, "", 0, None), ({"suits": 3, "ranks": 2, "seats": 2}, "", 0, None),
    ],
)  # fmt: skip
def test_tricks_are_those_of_the_linear_programme(options: dict, contract: str, leader: int, trump: str | None) -> None:
    one = game("kit", **options)
    ctx = {"trump": trump, "must_beat": options.get("must_beat", False)}
    for seat in (0, one.seats - 1):
        found = secured(one, seat, contract, gap=1e-5, iterations=1000)
        assert found.high - found.low <= 1e-5
        value = sum(n * tricks_of_a_hand(one, seat, frozenset(hand), leader, ctx) for hand, n in classes(one))
        value /= math.comb(len(one.deck), one.hand_size)
        assert found.low - TINY <= value + 1e-7
        assert value - 1e-7 <= found.high + TINY


# --------------------------------------------------------------------- thresholds, by `guaranteed`


@pytest.mark.parametrize(
    "options, asked",
    [
        ({"suits": 3, "ranks": 3}, [(0, 2), (1, 1), (2, 2)]),
        ({"suits": 2, "ranks": 3, "trump": "t"}, [(0, 1), (2, 2)]),
        ({"suits": 3, "ranks": 2, "must_beat": True}, [(0, 2), (1, 1)]),
        ({"suits": 3, "ranks": 2, "seats": 2}, [(0, 2), (1, 1)]),
        ({"suits": 2, "ranks": 4, "seats": 4}, [(1, 1), (3, 2)]),
    ],
)  # fmt: skip
def test_a_contract_is_guaranteed_hand_by_hand(options: dict, asked: list[tuple[int, int]]) -> None:
    one = game("kit", **options)
    for seat, need in asked:
        contract = f"{need} by {seat}, lead {one.seats - 1}"
        found = secured(one, seat, contract, gap=1e-4)
        assert found.unit == "chance"
        assert found.high - found.low <= 1e-4
        low = high = 0.0
        for hand, times in classes(one):
            by_hand = guaranteed(one.knowledge(seat, " ".join(hand)).contract(contract), gap=5e-4)
            low, high = low + times * by_hand.low, high + times * by_hand.high
        every = math.comb(len(one.deck), one.hand_size)
        assert low / every <= found.high + TINY
        assert found.low <= high / every + TINY


def classes(one: Game) -> list[tuple[tuple[str, ...], int]]:
    """Hands that differ in more than the names of suits, each with how many it stands for."""
    found: dict[object, list[tuple[str, ...]]] = {}
    trump = one.option_values()["trump"]
    for hand in itertools.combinations(one.deck.cards, one.hand_size):
        ranks = {suit: tuple(card[1] for card in hand if card[0] == suit) for suit in one.deck.suits}
        found.setdefault((ranks.pop(trump, None), tuple(sorted(ranks.values()))), []).append(hand)
    return [(hands[0], len(hands)) for hands in found.values()]


# --------------------------------------------------------------------- what must hold of it


@pytest.mark.parametrize(
    "options, contract",
    [
        ({"ranks": 3}, ""), ({"ranks": 3}, "2 by 0, lead 1"), ({"ranks": 3}, "2, side 1 2, lead 2"),
        ({"suits": 2, "ranks": 4, "seats": 4}, ""), ({"suits": 2, "ranks": 4, "seats": 4}, "side 0 2"),
    ],
)  # fmt: skip
def test_a_best_answer_at_an_equilibrium_gets_no_less(options: dict, contract: str) -> None:
    one = game("kit", **options)
    whole = equilibrium(one, contract, iterations=20)
    for seat in range(one.seats):
        found = secured(one, seat, contract, iterations=20)
        assert found.low <= found.high + TINY
        assert found.low <= whole.frame["best_response"][seat] + TINY
        assert found.seat == seat


def test_the_tree_against_all_is_one_of_two_sides_and_zero_sum() -> None:
    kit = kit_tree(game("kit", ranks=3), "lead 1")
    rng = np.random.default_rng(1)
    for seat in range(3):
        tree = against_all(kit, seat)
        learner = Learner(tree, "predictive")
        assert (tree.pays.sum(axis=1) == 0).all()
        assert (tree.owner[:-1] <= tree.owner[1:]).all()  # of the seat first
        mine = kit.tree.owner == seat
        assert (tree.owner == 0).sum() == mine.sum()
        assert (np.diff(tree.base)[tree.owner == 0] == np.diff(kit.tree.base)[mine]).all()
        assert (tree.before < tree.base[:-1]).all()
        for chances in (cfr.new_play(tree).now, _random(tree, rng)):
            values, answers = learner.values(chances), learner.answers(chances)
            assert values.sum() == pytest.approx(0)
            assert (answers >= values - TINY).all()
            # Who sees everything answers best by looking at each position alone.
            assert -answers[1] == pytest.approx(learner.worst(chances, 0))


def _random(tree: cfr.Tree, rng: np.random.Generator) -> np.ndarray:
    numbers = rng.random(tree.base[-1])
    numbers[tree.member] = numbers[tree.twin]
    return numbers / np.repeat(np.add.reduceat(numbers, tree.base[:-1]), np.diff(tree.base))


def test_more_iterations_prove_more() -> None:
    one = game("kit", ranks=3)
    found = [secured(one, 1, "1 by 1", gap=0, iterations=n) for n in (1, 10, 20, 40, 80)]
    for less, more in itertools.pairwise(found):
        assert less.low <= more.low <= more.high + TINY
        assert more.high <= less.high
    assert [one.iterations for one in found] == [1, 10, 20, 40, 80]
    assert found[-1].high - found[-1].low < found[1].high - found[1].low < 0.05
    assert found[-1] == secured(one, 1, "1 by 1", gap=0, iterations=80)
    wide, fine = secured(one, 1, "1 by 1", gap=0.01), secured(one, 1, "1 by 1", gap=1e-5)
    assert wide.iterations < fine.iterations
    assert fine.high - fine.low <= 1e-5
    assert wide.low <= fine.high + TINY
    assert fine.low <= wide.high + TINY


def test_what_stands_in_the_answer() -> None:
    told: list[tuple[int, int, float]] = []
    found = secured(
        game("kit", ranks=3), 2, "2 by 2", gap=0, iterations=12, progress=lambda *how_far: told.append(how_far)
    )
    assert [row[:2] for row in told] == [(n, 12) for n in range(1, 13)]
    assert told[0][2] == 1  # nothing is proved yet
    assert told[-1][2] == found.high - found.low <= told[9][2] < 0.1
    assert (found.seat, found.unit, found.contract) == (2, "chance", "2 by 2")
    assert (found.iterations, found.partial) == (12, False)
    assert str(found).startswith("seat 2 secures 0.")
    assert "chance against all others, who see everything and act as one (12 iterations)" in str(found)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["low"] == found.low
    assert secured(game("kit", ranks=3), 0).unit == "tricks"


@pytest.mark.parametrize("seat", range(3))
def test_nobody_has_a_choice(seat: int) -> None:
    found = secured(game("kit", suits=1, ranks=3), seat, gap=0)
    assert found.low == found.high == pytest.approx(1 / 3)
    certain = secured(game("kit", suits=2, ranks=3), seat, "0 by 1", gap=0, iterations=3)
    assert certain.low == certain.high == (seat == 1)


def test_an_interrupt_leaves_what_was_proved() -> None:
    def stop(done: int, total: int, gap: float) -> None:
        if done == 13:
            raise KeyboardInterrupt

    one = game("kit", ranks=3)
    found = secured(one, 0, gap=0, progress=stop)
    assert found.partial
    assert found.iterations == 13
    ten = secured(one, 0, gap=0, iterations=10)
    assert (found.low, found.high) == (ten.low, ten.high)


def test_bounds_once_proved_stay() -> None:
    kit = kit_tree(game("kit", ranks=3))
    learner = Learner(against_all(kit, 0), "predictive")
    learner.learn()
    low, high = proved(learner, -5.0, 5.0)
    assert -5 < low <= high < 5
    assert proved(learner, 1.4, 1.6) == (max(low, 1.4), min(high, 1.6))


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        ({"seat": 3}, NotationError, "seat is 3: expected a seat from 0 to 2"),
        ({"seat": -1}, NotationError, "seat is -1: expected a seat from 0 to 2"),
        ({"iterations": 0}, NotationError, "iterations is 0: expected a whole number from 1"),
        ({"gap": -0.1}, NotationError, "gap is -0.1: expected a number from 0"),
        ({"gap": math.nan}, NotationError, "gap is nan"),
        ({"contract": "2"}, NotationError, "name the seat"),
        ({"contract": "5 by 0"}, NotationError, "a hand of the kit has 4"),
        ({"one": game("thousand")}, UnsupportedError, "only the kit"),
        ({"one": game("kit", ranks=5)}, UnsupportedError, r"would take about [\d,.]+ GB"),
        ({"gigabytes": 0.1}, UnsupportedError, "GB"),
    ],
)
def test_what_makes_no_sense(wrong: dict, error: type[Exception], message: str) -> None:
    given = {"one": game("kit"), "seat": 0, **wrong}
    with pytest.raises(error, match=message) as found:
        secured(given.pop("one"), given.pop("seat"), given.pop("contract", None), **given)
    assert "\n" not in str(found.value)
