"""Counting, listing and drawing against the plain enumeration of every layout."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from naive import worlds as naive
from solver.games import game
from solver.kernels.dealing import draw, list_all
from solver.model.cards import Card
from solver.worlds.counting import Counter, Problem, at_least, at_most, binomials

DECK = game("three_of_spades").deck.cards


def free(sizes: list[int]) -> Problem:
    """Every card may lie everywhere."""
    n = sum(sizes)
    return Problem(
        tuple(Card(f"{i // 10}{i % 10}") for i in range(n)), (frozenset(range(len(sizes))),) * n, tuple(sizes)
    )


@pytest.mark.parametrize(
    "sizes, total",
    [
        ([4, 4], 70),  # RULES 1.5
        ([6, 6, 6, 6], 2_308_743_493_056),  # 2.10, after the bury
        ([2, 24], 325),  # 2.10, blinds
        ([6, 6, 6, 6, 2], 325 * 2_308_743_493_056),  # 2.10, a defender
        ([7, 7], 3432),  # 3.13, after the talon
        ([3, 7, 7], 2_333_760),  # 3.13, before it
        ([10, 10, 10, 10], factorial(40) // factorial(10) ** 4),  # 4.6
        ([7] * 6, factorial(42) // factorial(7) ** 6),
        ([], 1),
        ([0, 3], 1),
    ],
)
def test_counts_of_the_rules(sizes: list[int], total: int) -> None:
    assert free(sizes).counted().total == total


@st.composite
def problems(draw_: st.DrawFn) -> Problem:
    places = draw_(st.integers(1, 4))
    sizes = draw_(st.lists(st.integers(0, 3), min_size=places, max_size=places).filter(lambda s: sum(s) <= 8))
    cards = DECK[: sum(sizes)]
    allowed = tuple(frozenset(draw_(st.sets(st.integers(0, places - 1), min_size=1))) for _ in cards)
    conditions = []
    for _ in range(draw_(st.integers(0, 2))):
        of = draw_(st.sets(st.sampled_from(cards))) if cards else set()
        where = draw_(st.sets(st.integers(0, places - 1), min_size=1))
        conditions.append(draw_(st.sampled_from([at_least, at_most]))(draw_(st.integers(0, 2)), of, where))
    return Problem(cards, allowed, tuple(sizes), tuple(conditions))


def brute(problem: Problem) -> set[tuple[int, ...]]:
    out = set()
    for world in naive.layouts([str(c) for c in problem.cards], list(enumerate(problem.sizes))):
        at = {card: place for place, cards in world.items() for card in cards}
        row = tuple(at[c] for c in problem.cards)
        if any(place not in one for place, one in zip(row, problem.allowed, strict=True)):
            continue
        counts = [
            tuple(min(n.cap, sum(c in n.cards and at[c] in n.places for c in problem.cards)) for n in c.counters)
            for c in problem.conditions
        ]
        if all(c.accept(n) for c, n in zip(problem.conditions, counts, strict=True)):
            out.add(row)
    return out


@pytest.mark.kernel
@given(problems())
def test_equal_to_every_layout(problem: Problem) -> None:
    every, counted, n = brute(problem), problem.counted(), len(problem.cards)
    assert counted.total == len(every)
    if not every:
        return
    listed = np.empty((len(every), n), np.int8)
    list_all(counted.graph, binomials(n + 1), 0, listed)
    assert set(map(tuple, listed.tolist())) == every
    drawn = np.empty((50, n), np.int8)
    draw(counted.graph, np.uint64(7), 0, drawn)
    assert set(map(tuple, drawn.tolist())) <= every
    for card, chances in enumerate(counted.places()):
        for place in range(len(problem.sizes)):
            exact = Fraction(sum(row[card] == place for row in every), len(every))
            assert Fraction(*chances.get(place, (0, 1))) == exact
    counter = Counter(frozenset(problem.cards[:3]), frozenset({0}), 2)
    for value, ways in problem.counted(counter).distribution().items():
        assert ways == sum(min(2, sum(p == 0 for p in row[:3])) == value for row in every)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(6))
def test_uniform_by_chi_squared(seed: int) -> None:
    rng = random.Random(seed)
    sizes = (2, 3, 2, 1)
    cards = DECK[:8]
    allowed = tuple(frozenset(p for p in range(4) if p == 1 or rng.random() < 0.7) for _ in cards)
    problem = Problem(cards, allowed, sizes, (at_least(1, cards[:3], [1]),))
    every = sorted(brute(problem))
    if not every:
        pytest.skip("no world")
    n = 60 * len(every)
    drawn = np.empty((n, 8), np.int8)
    draw(problem.counted().graph, np.uint64(seed), 0, drawn)
    number = {row: i for i, row in enumerate(every)}
    counts = np.bincount([number[row] for row in map(tuple, drawn.tolist())], minlength=len(every))
    statistic = ((counts - 60) ** 2 / 60).sum()
    assert chi2.sf(statistic, len(every) - 1) > 1e-4  # level 0.01 %, fixed seeds


@pytest.mark.kernel
def test_each_world_has_its_own_stream() -> None:
    graph = free([7, 7]).counted().graph
    one, two = np.empty((40, 14), np.int8), np.empty((10, 14), np.int8)
    draw(graph, np.uint64(3), 0, one)
    draw(graph, np.uint64(3), 30, two)
    assert (one[30:] == two).all()
    draw(graph, np.uint64(4), 30, two)
    assert (one[30:] != two).any()


@pytest.mark.parametrize("hands, size", [(5, 8), (6, 7)])
def test_six_unknown_hands_do_not_blow_up(hands: int, size: int) -> None:
    deck = game("three_of_spades", seats=7).deck.cards
    rng = random.Random(5)
    begun = time.process_time()
    for _ in range(6):
        cards = tuple(rng.sample(deck, hands * size))
        voids = [set(rng.sample("CDHS", rng.choice([0, 1, 2]))) for _ in range(hands)]
        called = rng.sample(cards, 3)
        allowed = tuple(
            frozenset(p for p in range(hands) if c.suit not in voids[p] and not (c in called and p == 0)) for c in cards
        )
        counted = Problem(cards, allowed, (size,) * hands).counted()
        assert counted.size[1] < 1_000_000
    assert time.process_time() - begun < 20


def test_places_must_be_filled() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        Problem(DECK[:5], (frozenset({0}),) * 5, (2, 2))
    assert comb(5, 2) == free([2, 3]).counted().total
