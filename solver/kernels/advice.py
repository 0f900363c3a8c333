"""All candidate cards of a seat in many worlds: one table a world, shared by its cards.

The public part of what a card leads to (leader, cards on the table, trump) is the same in every world, so that it is
worked out once outside; here the card is taken from the hand and the rest is searched.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit_allocating
from solver.kernels.bits import ONE
from solver.kernels.maxn import max_n
from solver.kernels.solve import solve_levels, solve_value
from solver.kernels.table import next_deal

__all__ = ["card_levels", "card_max_n", "card_values"]


@jit_allocating
def card_values(
    rules, deals, table, sides, seat, cards, leaders, played, lengths, states, followings, firsts, low, high, nodes,
    memory, limit,
):  # fmt: skip
    """Points that the side takes from here on after each candidate card, in each world.

    Parameters
    ----------
    rules : Rules
    deals : uint64[n, seats]
        Hands, with what lies on the table, in the layout's bits.
    table : uint64[seats]
        What each seat has on the table.
    sides : int64[n]
        Collecting seats of each world, one bit each.
    seat : int
        Who plays.
    cards : int64[k]
        Bit numbers of the candidates.
    leaders, lengths, states, followings, firsts : int64[k]
        After the candidate: leader, number of cards on the table, state words of this trick and the next, 1 where no
        marriage may be declared.
    played : int64[k, seats]
        Bit numbers of the cards on the table then.
    low, high : int16[n, k]
        Receive proved bounds, equal unless a limit was met.
    nodes : int64[n]
        Receive the nodes searched.
    memory : Memory
    limit : int
        Nodes for one card of one world, 0 for none.
    """
    hands = np.empty(deals.shape[1], np.uint64)
    for i in range(deals.shape[0]):
        next_deal(memory, deals[i])
        for s in range(hands.size):
            hands[s] = deals[i, s] & ~table[s]
        nodes[i] = 0
        guess = np.int64(-1)
        for k in range(cards.size):
            hands[seat] ^= ONE << np.uint64(cards[k])
            found, most, n = solve_value(
                rules, hands, sides[i], leaders[k], played[k, : lengths[k]], states[k], followings[k], firsts[k],
                0, -1, guess, memory, limit,
            )  # fmt: skip
            hands[seat] |= ONE << np.uint64(cards[k])
            low[i, k] = found
            high[i, k] = most
            nodes[i] += n
            guess = found


@jit_allocating
def card_levels(
    rules, deals, table, sides, seat, cards, leaders, played, lengths, states, followings, firsts, needs, low, high,
    nodes, memory, limit,
):  # fmt: skip
    """Count the thresholds reached after each candidate card in each world; further arguments as for `card_values`.

    Parameters
    ----------
    needs : int64[n, k, q]
        Rising thresholds of each world and card.
    low, high : int16[n, k]
        Receive how many are surely and possibly reached.
    """
    hands = np.empty(deals.shape[1], np.uint64)
    for i in range(deals.shape[0]):
        next_deal(memory, deals[i])
        for s in range(hands.size):
            hands[s] = deals[i, s] & ~table[s]
        nodes[i] = 0
        for k in range(cards.size):
            hands[seat] ^= ONE << np.uint64(cards[k])
            low[i, k], high[i, k], n = solve_levels(
                rules, hands, sides[i], leaders[k], played[k, : lengths[k]], states[k], followings[k], firsts[k],
                needs[i, k], memory, limit,
            )  # fmt: skip
            hands[seat] |= ONE << np.uint64(cards[k])
            nodes[i] += n


@jit_allocating
def card_max_n(rules, deals, table, seat, cards, leaders, played, lengths, states, out, nodes):
    """`solver.kernels.maxn.max_n` after each candidate card in each world, to ``out: int64[n, k, seats]``."""
    hands = np.empty(deals.shape[1], np.uint64)
    for i in range(deals.shape[0]):
        for s in range(hands.size):
            hands[s] = deals[i, s] & ~table[s]
        nodes[i] = 0
        for k in range(cards.size):
            hands[seat] ^= ONE << np.uint64(cards[k])
            nodes[i] += max_n(rules, hands, leaders[k], played[k, : lengths[k]], states[k], out[i, k])
            hands[seat] |= ONE << np.uint64(cards[k])
