"""Deals drawn from a counted graph: exactly uniform, without rejection, and the i-th deal of all.

The graph comes from `solver.worlds.counting`. Cards that may lie in the same places form a row, places that may hold
the same rows form a column. A node decides how many cards of one row go to one column; an edge is one such number.
Which cards these are is drawn at random, and at the end the cards of a column are dealt to its places.

Each world has its own stream of random numbers, that follows from the seed and its number, so that neither chunks nor
threads change a world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels._jit import jit, jit_allocating

__all__ = ["Graph", "draw", "list_all"]


class Graph(NamedTuple):
    """A counted graph as arrays.

    `node_*` have an entry a node, `edge_*` an entry an edge, in the order of their nodes; node 0 is the start. A node
    without edges is the end.
    """

    node_row: np.ndarray  # [nodes] row that the node deals from
    node_column: np.ndarray  # [nodes] column that it deals to
    node_edges: np.ndarray  # [nodes + 1] first edge
    edge_cards: np.ndarray  # [edges] how many cards
    edge_node: np.ndarray  # [edges] node that follows
    edge_share: np.ndarray  # [edges] uint64: share of the deals of this and earlier edges, in units of 2**-64
    edge_ways: np.ndarray  # [edges] int64: deals that follow the edge for one choice of cards; 0 where there are more
    rows: np.ndarray  # [rows + 1] where each row begins in `cards`
    cards: np.ndarray  # [cards] numbers of the cards, row by row
    columns: np.ndarray  # [columns + 1] where each column begins in `places`
    places: np.ndarray  # [places] numbers of the places, column by column
    sizes: np.ndarray  # [places] cards that each takes, in the order of `places`


@jit
def _mix(x):
    """Scramble 64 bits (the finalizer of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@jit
def _below(state, n):
    """A random number from 0 to n - 1 for n up to 64, and the next state."""
    state += np.uint64(0x9E3779B97F4A7C15)
    return np.int64(((_mix(state) >> np.uint64(6)) * np.uint64(n)) >> np.uint64(58)), state


@jit
def _deal_columns(graph, held, filled, out):
    """Give the cards of each column to its places, in the order in which they lie."""
    for column in range(len(graph.columns) - 1):
        at = 0
        for p in range(graph.columns[column], graph.columns[column + 1]):
            for _ in range(graph.sizes[p]):
                out[held[column, at]] = graph.places[p]
                at += 1
        filled[column] = 0


@jit
def _draw_one(graph, state, row_cards, used, held, filled, out):
    """Draw one world into `out`."""
    for i in range(len(graph.cards)):
        row_cards[i] = graph.cards[i]
    used[:] = 0
    node = 0
    while graph.node_edges[node] < graph.node_edges[node + 1]:
        edge, last = graph.node_edges[node], graph.node_edges[node + 1] - 1
        if edge < last:
            state += np.uint64(0x9E3779B97F4A7C15)
            r = _mix(state)
            while edge < last and r >= graph.edge_share[edge]:
                edge += 1
        row, column = graph.node_row[node], graph.node_column[node]
        for _ in range(graph.edge_cards[edge]):
            first = graph.rows[row] + used[row]
            j, state = _below(state, graph.rows[row + 1] - first)
            card = row_cards[first + j]
            row_cards[first + j] = row_cards[first]
            held[column, filled[column]] = card
            filled[column] += 1
            used[row] += 1
        node = graph.edge_node[edge]
    for column in range(len(graph.columns) - 1):
        if graph.columns[column + 1] - graph.columns[column] > 1:
            for i in range(filled[column] - 1, 0, -1):
                j, state = _below(state, i + 1)
                held[column, i], held[column, j] = held[column, j], held[column, i]
    _deal_columns(graph, held, filled, out)


@jit_allocating
def draw(graph, seed, first, out):
    """Draw worlds, each equally likely.

    Parameters
    ----------
    graph : Graph
    seed : uint64
    first : int
        Number of the first world drawn.
    out : int8[n, cards]
        Receives the place of each card in the worlds first, first + 1, ...
    """
    cards = len(graph.cards)
    columns = len(graph.columns) - 1
    row_cards, used = np.empty(cards, np.int64), np.zeros(len(graph.rows) - 1, np.int64)
    held, filled = np.empty((columns, cards + 1), np.int64), np.zeros(columns, np.int64)
    for i in range(out.shape[0]):
        state = _mix(seed ^ _mix(np.uint64(first + i) + np.uint64(0x9E3779B97F4A7C15)))
        _draw_one(graph, state, row_cards, used, held, filled, out[i])


@jit
def _choose(ways, pool, n, k, rank, target, at):
    """Move the k cards of a combination of the first n in `pool` to `target[at:]`, by its rank; the rest stay in order.

    Returns how many are left.
    """
    kept = 0
    for i in range(n):
        with_it = ways[n - i - 1, k - 1] if k > 0 else 0
        if k > 0 and rank < with_it:
            target[at] = pool[i]
            at += 1
            k -= 1
        else:
            rank -= with_it
            pool[kept] = pool[i]
            kept += 1
    return kept


@jit
def _list_one(graph, ways, index, row_cards, left, held, filled, pool, out):
    """Write world number `index` of all into `out`."""
    for row in range(len(graph.rows) - 1):
        left[row] = graph.rows[row + 1] - graph.rows[row]
        for i in range(left[row]):
            row_cards[row, i] = graph.cards[graph.rows[row] + i]
    node = 0
    while graph.node_edges[node] < graph.node_edges[node + 1]:
        row, column = graph.node_row[node], graph.node_column[node]
        edge = graph.node_edges[node]
        while True:
            k = graph.edge_cards[edge]
            here = ways[left[row], k] * graph.edge_ways[edge]
            if index < here:
                break
            index -= here
            edge += 1
        rank, index = index // graph.edge_ways[edge], index % graph.edge_ways[edge]
        left[row] = _choose(ways, row_cards[row], left[row], k, rank, held[column], filled[column])
        filled[column] += k
        node = graph.edge_node[edge]
    # What is left of the index says how the columns are dealt to their places; see `Counted.graph`.
    for column in range(len(graph.columns) - 1):
        n = filled[column]
        for i in range(n):
            pool[i] = held[column, i]
        at = 0
        for p in range(graph.columns[column], graph.columns[column + 1]):
            k = graph.sizes[p]
            all_ways = ways[n, k]
            rank, index = index % all_ways, index // all_ways
            n = _choose(ways, pool, n, k, rank, held[column], at)
            at += k
    _deal_columns(graph, held, filled, out)


@jit_allocating
def list_all(graph, ways, first, out):
    """Write the worlds first, first + 1, ... of all into `out`; the graph's `edge_ways` must be set.

    Parameters
    ----------
    graph : Graph
    ways : int64[m, m]
        Binomial coefficients.
    first : int
    out : int8[n, cards]
    """
    cards = len(graph.cards)
    rows, columns = len(graph.rows) - 1, len(graph.columns) - 1
    row_cards, left = np.empty((rows, cards + 1), np.int64), np.zeros(rows, np.int64)
    held, filled = np.empty((columns, cards + 1), np.int64), np.zeros(columns, np.int64)
    pool = np.empty(cards + 1, np.int64)
    for i in range(out.shape[0]):
        _list_one(graph, ways, first + i, row_cards, left, held, filled, pool, out[i])
