"""One seat that does not know the hidden cards against others who see everything: CFR+ on the tree of its game.

Both sides are kept as realisation plans, the product of their own chances along a history, whose averages are plans
again (sequence form, Koller, Megiddo and von Stengel 1996). The payoff is 1 in a slot that is won.
The rounds are CFR+ (Tammelin 2014): regrets cut at 0, one side after the other. What early rounds taught is forgotten:
round t weighs t to a power in the regrets, as in discounted CFR (Brown and Sandholm 2019), and more in the mean plans;
that reaches a given gap in a tenth to a thirtieth of the rounds. The proof is the gap, not the theory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels._jit import jit

__all__ = ["Side", "certify", "improve"]

# Round t weighs t to these powers in the regrets and in the mean plans.
_MEMORY = 1.5
_WEIGHT = 4


class Side(NamedTuple):
    """One side's tree, of nodes for the seat and of slots for the others, and its play.

    Parameters
    ----------
    above : int32[n]
        The entry before each, -1 for a root; always a smaller number.
    mine : int8[n]
        1 where a move of this side leads here.
    fan : int32[n]
        How many such moves there are from here.
    regret : float64[n]
        For not having made the move to here, never below 0.
    share : float64[n]
        Chance of the move to here, 1 where it is not this side's.
    plan : float64[n]
        Product of the chances on the way.
    mean : float64[n]
        Weighted sum of the plans so far.
    value : float64[n]
        Room to work.
    """

    above: np.ndarray
    mine: np.ndarray
    fan: np.ndarray
    regret: np.ndarray
    share: np.ndarray
    plan: np.ndarray
    mean: np.ndarray
    value: np.ndarray


@jit
def _walk(side, weight):
    """Match the regrets: make the next plan of them, and add it to the mean."""
    total = side.value
    for i in range(total.size):
        total[i] = 0.0
    for i in range(total.size):
        if side.mine[i] != 0:
            total[side.above[i]] += side.regret[i]
    for i in range(total.size):
        u = side.above[i]
        if side.mine[i] != 0:
            side.share[i] = side.regret[i] / total[u] if total[u] > 0.0 else 1.0 / side.fan[u]
        side.plan[i] = side.share[i] * side.plan[u] if u >= 0 else 1.0
        side.mean[i] += weight * side.plan[i]


@jit
def _learn(side, sign, kept):
    """Add up values from the last entry to the roots, and the regrets of a side that wants much (1) or little (-1)."""
    value = side.value
    for i in range(value.size - 1, -1, -1):
        if side.above[i] >= 0:
            value[side.above[i]] += side.share[i] * value[i]
    for i in range(value.size):
        if side.mine[i] != 0:
            side.regret[i] = max(0.0, kept * side.regret[i] + sign * (value[i] - value[side.above[i]]))


@jit
def _wins_of_plan(node, won, plan, value):
    """What a plan of the seat wins in each slot that is won."""
    for s in range(value.size):
        value[s] = plan[node[s]] if won[s] != 0 else 0.0


@jit
def _wins_of_plans(node, won, plans, value):
    """What plans of the others leave in each node that is won, over all worlds."""
    for h in range(value.size):
        value[h] = 0.0
    for s in range(node.size):
        if won[s] != 0:
            value[node[s]] += plans[s]


@jit
def improve(node, won, seat, others, first, last):
    """Play rounds `first` to `last` - 1 of CFR+, counted from 1.

    Parameters
    ----------
    node : int32[slots]
    won : int8[slots]
        1 in slots that are won.
    seat, others : Side
        Nodes and slots; changed.
    """
    for t in range(first, last):
        weight = np.float64(t) ** _WEIGHT
        kept = ((t - 1.0) / t) ** _MEMORY
        _walk(seat, weight)
        _wins_of_plan(node, won, seat.plan, others.value)
        _learn(others, -1.0, kept)
        _walk(others, weight)
        _wins_of_plans(node, won, others.plan, seat.value)
        _learn(seat, 1.0, kept)


@jit
def _best(side, sign):
    """Best answer of a side to what `value` holds at the ends; returns the sum over the roots."""
    value = side.value
    for i in range(value.size):
        value[i] *= sign
    for i in range(value.size):
        if side.mine[i] != 0:
            value[side.above[i]] = -np.inf
    found = 0.0
    for i in range(value.size - 1, -1, -1):
        u = side.above[i]
        if u < 0:
            found += value[i]
        elif side.mine[i] != 0:
            value[u] = max(value[u], value[i])
        else:
            value[u] += value[i]
    return sign * found


@jit
def certify(node, won, seat, others):
    """What the mean plans prove: worlds that the seat surely wins against any play, and those that no plan exceeds.

    Returns
    -------
    low, high : float
        Expected number of worlds won: the others answer the seat's mean plan best, the seat that of the others.
    """
    _wins_of_plan(node, won, seat.mean, others.value)
    low = _best(others, -1.0) / seat.mean[0]
    _wins_of_plans(node, won, others.mean, seat.value)
    high = _best(seat, 1.0) / others.mean[0]
    return low, high
