"""Ways to play a whole tree of hidden cards that need no equilibrium: sampling worlds over some value of the deal.

`max_n`, `two_sides` and `one_ply` give each position, a deal with a history, a value; `add_up` adds these over the
positions that a seat can't tell apart, all worlds alike, and `choose` takes the best sums. Ties are shared evenly: a
rule by the names of the cards would tell suits apart that are alike.

`last_moves` helps to turn one seat against all others, who see everything, into a game of two sides.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.cfr import after

__all__ = ["TIE", "add_up", "choose", "last_moves", "max_n", "one_ply", "two_sides"]

#: Differences below this are rounding.
TIE = 1e-9


@jit
def max_n(tree, worth):
    """With all cards known each side takes what is best for itself; the mean over moves that are equally good.

    Parameters
    ----------
    tree : Tree
    worth : float64[sides, n]
        Receives the values of each position.
    """
    sides = worth.shape[0]
    for n in range(tree.action.size - 1, -1, -1):
        own = tree.side[n]
        best = -np.inf
        for e in range(tree.first[n], tree.first[n + 1]):
            best = max(best, after(tree, own, worth[own], tree.child[e]))
        many = 0
        for s in range(sides):
            worth[s, n] = 0.0
        for e in range(tree.first[n], tree.first[n + 1]):
            child = tree.child[e]
            if after(tree, own, worth[own], child) > best - TIE:
                many += 1
                for s in range(sides):
                    worth[s, n] += after(tree, s, worth[s], child)
        for s in range(sides):
            worth[s, n] /= many


@jit
def two_sides(tree, side, team, worth):
    """With all cards known a team takes what is best for one of it, and the others what is worst for that one.

    Parameters
    ----------
    tree : Tree
    side : int
        Whose payoffs.
    team : bool[sides]
    worth : float64[n]
        Receives the value of each position.
    """
    for n in range(tree.action.size - 1, -1, -1):
        sign = 1.0 if team[tree.side[n]] else -1.0
        best = -np.inf
        for e in range(tree.first[n], tree.first[n + 1]):
            best = max(best, sign * after(tree, side, worth, tree.child[e]))
        worth[n] = sign * best


@jit
def one_ply(tree, side, chances, worth, out):
    """Value of each position for a side when the seat in turn plays by chances, and `worth` holds after that."""
    for n in range(tree.action.size):
        shift = tree.action[n] - tree.first[n]
        out[n] = 0.0
        for e in range(tree.first[n], tree.first[n + 1]):
            out[n] += chances[e + shift] * after(tree, side, worth, tree.child[e])


@jit
def add_up(tree, side, worth, gain):
    """Add values after each action over the positions that a side can't tell apart; its actions only."""
    for n in range(tree.action.size):
        if tree.side[n] == side:
            for e in range(tree.first[n], tree.first[n + 1]):
                gain[tree.action[n] + e - tree.first[n]] += after(tree, side, worth, tree.child[e])


@jit
def choose(tree, side, gain, chances):
    """Chances of a side that takes the best sums, evenly among those that are equal."""
    for s in range(tree.owner.size):
        if tree.owner[s] != side:
            continue
        best = -np.inf
        for a in range(tree.base[s], tree.base[s + 1]):
            best = max(best, gain[a])
        many = 0
        for a in range(tree.base[s], tree.base[s + 1]):
            chances[a] = 1.0 if gain[a] > best - TIE * max(1.0, abs(best)) else 0.0
            many += np.int64(chances[a])
        for a in range(tree.base[s], tree.base[s + 1]):
            chances[a] /= many


@jit
def last_moves(tree, side, last):
    """Write for each position the last move before it that was not the side's, -1 for none."""
    for n in range(last.size):
        last[n] = -1
    for n in range(tree.action.size):
        for e in range(tree.first[n], tree.first[n + 1]):
            if tree.child[e] >= 0:
                last[tree.child[e]] = last[n] if tree.side[n] == side else e
