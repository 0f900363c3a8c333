"""Every deal of the kit: the table of RULES.md 1.7, K8."""

from __future__ import annotations

import os
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from naive import kit, minimax
from solver.deals.search import thread_memory
from solver.games import game
from solver.kernels.batch import levels
from solver.kernels.maxn import max_n_batch
from solver.model.contract import Contract
from solver.model.layout import layout_of

pytestmark = pytest.mark.kernel

#: Number of deals with 0, 1, 2, 3, 4 tricks for each seat, and the mean.
ONE_V_TWO = {
    0: ([8196, 5976, 9528, 8052, 2898], 1.754113),
    1: ([17247, 9963, 5382, 1587, 471], 0.789957),
    2: ([17247, 9963, 5382, 1587, 471], 0.789957),
}
MAX_N = {
    0: ([7305, 5531, 10026, 8890, 2898], 1.842569),
    1: ([13738, 9919, 6677, 3172, 1144], 1.078355),
    2: ([13737, 9904, 6685, 3180, 1144], 1.079076),
}

LAYOUT = layout_of(game("kit").trick_rules(Contract()))


def all_deals() -> list[tuple[int, int, int]]:
    """Hands of the three seats in the layout's bits, every deal once, in a fixed order."""
    every = (1 << 12) - 1
    out = []
    for first in combinations(range(12), 4):
        h0 = sum(1 << c for c in first)
        rest = [c for c in range(12) if not h0 >> c & 1]
        for second in combinations(rest, 4):
            h1 = sum(1 << c for c in second)
            out.append((h0, h1, every ^ h0 ^ h1))
    return out


DEALS = all_deals()


def one_v_two(deals: list[tuple[int, int, int]], seat: int) -> NDArray[np.int16]:
    """Tricks that one seat takes against the other two together, seat 0 leading."""
    n = len(deals)
    low, high = np.zeros(n, np.int16), np.zeros(n, np.int16)
    nodes = np.zeros(n, np.int64)
    levels(
        LAYOUT.record, np.array(deals, np.uint64), np.full(n, 1 << seat, np.int64), 0, 0, 0,
        np.tile(np.arange(1, 5, dtype=np.int64), (n, 1)), low, high, nodes, thread_memory(12), 0,
    )  # fmt: skip
    assert np.array_equal(low, high)
    assert nodes.min() > 0
    return low


def max_n(deals: list[tuple[int, int, int]]) -> NDArray[np.int64]:
    """Tricks of every seat when each maximises its own."""
    out = np.zeros((len(deals), 3), np.int64)
    max_n_batch(LAYOUT.record, np.array(deals, np.uint64), 0, 0, out)
    assert np.all(out.sum(axis=1) == 4)
    return out


def check(values: NDArray[np.integer], expected: tuple[list[int], float]) -> None:
    """Compare a distribution over all deals, and its mean to six places."""
    assert np.bincount(values, minlength=5).tolist() == expected[0]
    assert round(float(values.mean()), 6) == expected[1]


def test_number_of_deals() -> None:
    assert len(DEALS) == len(set(DEALS)) == 34_650
    assert [len(LAYOUT.decode(h)) for h in DEALS[0]] == [4, 4, 4]


def test_K8_one_v_two() -> None:
    value = {seat: one_v_two(DEALS, seat) for seat in range(3)}
    for seat, expected in ONE_V_TWO.items():
        check(value[seat], expected)
    place = {deal: i for i, deal in enumerate(DEALS)}
    swapped = [place[h0, h2, h1] for h0, h1, h2 in DEALS]
    assert np.array_equal(value[1], value[2][swapped])
    assert np.all(value[0] + value[1] + value[2] <= 4)  # each is what a seat can be sure of


#: The same over every 17th deal, from the run that gave `MAX_N`.
MAX_N_SAMPLE = {
    0: [436, 309, 592, 528, 174],
    1: [843, 558, 376, 189, 73],
    2: [797, 578, 419, 182, 63],
}


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("TRICKWISE_SMALL")), reason="a minute; the normal suite has a sample")
def test_K8_max_n() -> None:
    values = max_n(DEALS)
    for seat, expected in MAX_N.items():
        check(values[:, seat], expected)


def test_K8_max_n_of_a_sample() -> None:
    some = DEALS[::17]
    values = max_n(some)
    for seat in range(3):
        assert np.bincount(values[:, seat], minlength=5).tolist() == MAX_N_SAMPLE[seat]
        # What a seat takes when the others look after themselves is no less than against both together.
        assert np.all(values[:, seat] >= one_v_two(some, seat))


def test_max_n_as_in_the_plain_twin() -> None:
    some = DEALS[5::700]
    values = max_n(some)
    for deal, got in zip(some, values.tolist(), strict=True):
        hands = [LAYOUT.decode(h) for h in deal]
        assert minimax.max_n(kit, list(hands), 0, {}) == got, [sorted(h) for h in hands]
