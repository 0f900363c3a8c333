"""Values and thresholds by bisection over zero-window searches that share one table."""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, lowest
from solver.kernels.bounds import bonus_left
from solver.kernels.search import search

__all__ = ["solve_levels", "solve_value"]


@jit
def _most(rules, hands, side, played):
    """Most that X can take from here on, and the tricks left."""
    total = rules.last_value + bonus_left(rules, hands, side)
    tricks = 0
    for s in range(rules.seats):
        tricks = max(tricks, count(hands[s]))
        w = hands[s]
        while w != ZERO:
            total += rules.points[lowest(w)]
            w &= w - ONE
    for i in range(played.size):
        total += rules.points[played[i]]
    return total + tricks * rules.trick_value


@jit
def solve_value(rules, hands, side, leader, played, state, following, first_lead, low, high, guess, memory, limit):
    """Bisect for the value.

    Parameters
    ----------
    low, high : int
        What is known already; `high` below 0 asks for the trivial bound.
    guess : int
        Asked about first, and so proved or refuted before anything is made of it; below 0 for none.
    limit : int
        Nodes for all searches together, 0 for none.

    Returns
    -------
    low, high : int
        Equal unless the limit came first.
    nodes : int
    """
    if high < 0:
        high = _most(rules, hands, side, played)
    total = np.int64(0)
    asked = 0
    while low < high:
        need = (low + high + 1) // 2
        if asked == 0 and guess >= 0:
            need = min(max(guess, low + 1), high)
        elif asked == 1 and low == guess:
            need = low + 1
        asked += 1
        budget = limit - total if limit > 0 else 0
        if limit > 0 and budget <= 0:
            break
        value, nodes, done = search(
            rules, hands, side, leader, played, state, following, first_lead, need, memory, budget
        )
        total += nodes
        if not done:
            break
        if value >= need:
            low = max(low, value)
        else:
            high = min(high, value)
    return low, high, total


@jit
def solve_levels(rules, hands, side, leader, played, state, following, first_lead, needs, memory, limit):
    """How many of the rising thresholds `needs` X reaches: (surely, possibly, nodes); equal unless limited."""
    low = 0  # needs[:low] are reached
    high = needs.size  # needs[high:] are not
    total = np.int64(0)
    while low < high:
        mid = (low + high) // 2
        budget = limit - total if limit > 0 else 0
        if limit > 0 and budget <= 0:
            break
        value, nodes, done = search(
            rules, hands, side, leader, played, state, following, first_lead, needs[mid], memory, budget
        )
        total += nodes
        if not done:
            break
        if value >= needs[mid]:
            low = mid + 1
            while low < high and needs[low] <= value:
                low += 1
        else:
            high = mid
            while high > low and needs[high - 1] > value:
                high -= 1
    return low, high, total
