"""Many deals in one call, without the GIL: the inner loop of every estimate."""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit_allocating
from solver.kernels.solve import solve_levels
from solver.kernels.table import next_deal

__all__ = ["levels"]


@jit_allocating
def levels(rules, deals, sides, leader, state, first_lead, needs, low, high, nodes, memory, limit):
    """Count the thresholds reached in each deal.

    Parameters
    ----------
    rules : Rules
    deals : uint64[n, seats]
        Hands at the start of a trick, in the layout's bits.
    sides : int64[n]
        Collecting seats of each deal, one bit each.
    leader, state, first_lead : int
        The same for all deals.
    needs : int64[n, q]
        Rising thresholds of each deal.
    low, high : int16[n]
        Receive how many thresholds are surely and possibly reached.
    nodes : int64[n]
        Receive the nodes searched.
    memory : Memory
    limit : int
        Nodes a deal, 0 for none.
    """
    seats = deals.shape[1]
    hands = np.empty(seats, np.uint64)
    nothing = np.empty(0, np.int64)
    for i in range(deals.shape[0]):
        for s in range(seats):
            hands[s] = deals[i, s]
        next_deal(memory, hands)
        low[i], high[i], nodes[i] = solve_levels(
            rules, hands, sides[i], leader, nothing, state, state, first_lead, needs[i], memory, limit
        )
