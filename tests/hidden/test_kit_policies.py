"""Plays of a whole kit that need no equilibrium: values with all cards seen, and choices over sampled worlds."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hidden_kits import KITS, Case, random_chances
from naive import hidden as naive
from solver.kernels import cfr, policies

pytestmark = pytest.mark.kernel

each_kit = pytest.mark.parametrize("case", KITS, ids=str)
FINE = 1e-9


def values_of(tree: cfr.Tree, side: int, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Value of each deal."""
    return np.array([worth[r] if r >= 0 else tree.pays[-1 - r, side] for r in tree.roots])


def max_n(tree: cfr.Tree) -> NDArray[np.float64]:
    worth = np.empty((tree.pays.shape[1], len(tree.action)))
    policies.max_n(tree, worth)
    return worth


def two_sides(tree: cfr.Tree, side: int, team: frozenset[int]) -> NDArray[np.float64]:
    worth = np.empty(len(tree.action))
    policies.two_sides(tree, side, np.isin(np.arange(tree.pays.shape[1]), sorted(team)), worth)
    return worth


def chosen(tree: cfr.Tree, worths: NDArray[np.float64]) -> NDArray[np.float64]:
    """What all sides choose by these values, one row a side."""
    chances = np.zeros(tree.base[-1])
    gain = np.zeros(tree.base[-1])
    for side in range(tree.pays.shape[1]):
        policies.add_up(tree, side, worths[side], gain)
        policies.choose(tree, side, gain, chances)
    return chances


@each_kit
def test_max_n(case: Case) -> None:
    found, nodes = max_n(case.full.tree), case.paths
    for node, at in nodes[:: 20 if case.seats == 4 else 1]:
        assert tuple(found[:, at]) == pytest.approx(naive.max_n(node), abs=FINE)


@each_kit
def test_two_sides(case: Case) -> None:
    nodes = case.paths[:: 20 if case.seats == 4 else 3]
    for side in range(case.seats):
        for team in (frozenset({side}), frozenset({side, (side + 1) % case.seats}), frozenset[int]()):
            found = two_sides(case.full.tree, side, team)
            for node, at in nodes:
                assert found[at] == naive.two_sides(node, side, team)


@each_kit
def test_sampling_chooses(case: Case) -> None:
    """Over max-n, over one against all, and over values in which no two actions are equally good."""
    tree = case.full.tree
    nodes = case.paths
    rng = np.random.default_rng(11)
    one_against_all = np.array([two_sides(tree, side, frozenset({side})) for side in range(case.seats)])
    for worths in (max_n(tree), one_against_all, rng.random((case.seats, len(tree.action)))):
        found = chosen(tree, worths)
        of = {node: worths[:, at] for node, at in nodes}
        expected: naive.Chances = {}
        for side in range(case.seats):

            def worth(node: naive.Node, side: int = side, of: dict = of) -> float:
                return of[node][side] if node.after else node.pays[side]

            expected |= naive.sampled(case.deals, side, worth)
        assert found.tolist() == pytest.approx([expected[knows][card] for knows, card in case.full_actions])


@each_kit
def test_one_ply(case: Case) -> None:
    """Values of positions again, when the seat in turn plays as it plays."""
    tree = case.full.tree
    rng = np.random.default_rng(12)
    chances, after = random_chances(rng, tree, pure=0.3), rng.random(len(tree.action))
    told = case.table(chances)
    nodes = case.paths
    of = dict(nodes)
    for side in range(case.seats):
        out = np.empty(len(tree.action))
        policies.one_ply(tree, side, chances, after, out)
        for node, at in nodes:
            total = 0.0
            for card, child in node.after.items():
                total += told[node.knows][card] * (after[of[child]] if child.after else child.pays[side])
            assert out[at] == pytest.approx(total, abs=FINE)


@each_kit
def test_one_of_all_names(case: Case) -> None:
    """The tree that keeps one of all names has the same values of deals, and the same choices."""
    short, full = case.short.tree, case.full.tree
    found, expected = max_n(short), max_n(full)
    for side in range(case.seats):
        assert values_of(short, side, found[side]) == pytest.approx(values_of(full, side, expected[side]), abs=FINE)
        for team in (frozenset({side}), frozenset({0, 1})):
            assert (
                values_of(short, side, two_sides(short, side, team))
                == values_of(full, side, two_sides(full, side, team))
            ).all()  # fmt: skip
    assert case.spread(chosen(short, found)) == pytest.approx(chosen(full, expected), abs=FINE)


@each_kit
def test_last_moves(case: Case) -> None:
    """The last move before a position that was not the seat's, forced ones left out."""
    tree = case.full.tree
    of = dict(case.paths)
    for side in range(case.seats):
        last = np.empty(len(tree.action), np.int32)
        policies.last_moves(tree, side, last)
        stack = [(deal, -1) for deal in case.deals]
        while stack:
            node, before = stack.pop()
            if not node.after:
                continue
            at = of[node]
            assert last[at] == before
            for k, card in enumerate(card for _, card in case.full_actions[tree.action[at] :][: len(node.after)]):
                stack.append((node.after[card], before if node.seat == side else int(tree.first[at]) + k))
