"""How many worlds there are, exactly: a dynamic programme over groups of cards and the places left for them.

Unseen cards that may lie in the same places are alike, and so are places that may hold the same cards. What remains is
a table of rows (cards) and columns (places): a world's *split* says how many cards of each row lie in each column, and
stands for a product of binomial coefficients of worlds. The programme walks the table cell by cell; its state is what
is left of rows and columns, and counters for what couples cards (a hold card: one card at least of a set in one place).
It walks row by row or column by column, whichever has fewer states: few groups with many hands need the second.

All numbers are whole and exact. `Counted.graph` hands the programme to `solver.kernels.dealing`, which draws from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np

from solver.kernels.dealing import Graph
from solver.model.cards import Card
from solver.model.errors import UnsupportedError

__all__ = ["Condition", "Counted", "Counter", "Problem", "at_least", "at_most", "binomials", "settled"]

#: Most edges of a graph; a table of this game's size never has so many.
MOST_EDGES = 8_000_000


class Counter(NamedTuple):
    """Counts cards of a set that lie in some places, up to a cap."""

    cards: frozenset[Card]
    places: frozenset[int]
    cap: int


class Condition(NamedTuple):
    """What a world must fulfil beyond which card may lie where.

    Parameters
    ----------
    counters
        What is counted.
    accept
        Of the counts, in the order of `counters`: whether the world is possible.
    why
        The reason, for people; empty where another line says it.
    """

    counters: tuple[Counter, ...]
    accept: Callable[[tuple[int, ...]], bool]
    why: str = ""


def at_least(low: int, cards: Iterable[Card], places: Iterable[int], why: str = "") -> Condition:
    """So many of the cards, or more, lie in the places."""
    return Condition((Counter(frozenset(cards), frozenset(places), low),), lambda n: n[0] >= low, why)


def at_most(high: int, cards: Iterable[Card], places: Iterable[int], why: str = "") -> Condition:
    """No more than so many of the cards lie in the places."""
    return Condition((Counter(frozenset(cards), frozenset(places), high + 1),), lambda n: n[0] <= high, why)


@dataclass(frozen=True)
class Problem:
    """Cards to be laid out.

    Parameters
    ----------
    cards
        The unseen cards.
    allowed
        Places that each may lie in, numbers into `sizes`.
    sizes
        Cards that each place takes, together as many as there are.
    conditions
        What couples them.
    """

    cards: tuple[Card, ...]
    allowed: tuple[frozenset[int], ...]
    sizes: tuple[int, ...]
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if sum(self.sizes) != len(self.cards) or any(s < 0 for s in self.sizes):
            places = " + ".join(map(str, self.sizes))
            raise ValueError(f"{len(self.cards)} unseen cards do not fill places for {places} cards")

    def counted(self, extra: Counter | None = None) -> Counted:
        """Count; with a counter more, `Counted.distribution` says how its values are distributed."""
        return Counted(self, extra)


class _Cell(NamedTuple):
    """One step: cards of a row into a column."""

    row: int
    column: int
    later_columns: int  # room that the row's later cells have at most, as a mask of columns
    later_rows: int
    adds: tuple[int, ...]  # counters that grow here
    closing: tuple[int, ...]  # conditions decided here
    dropped: tuple[int, ...]  # counters not needed after it


@dataclass
class Counted:
    """The solved programme.

    Parameters
    ----------
    problem
        What is laid out.
    extra
        A counter whose distribution is asked for.
    """

    problem: Problem
    extra: Counter | None = None

    def __post_init__(self) -> None:
        self._group()
        self._order()
        self._forward()
        self._backward()

    # ------------------------------------------------------------------ rows, columns, cells

    def _group(self) -> None:
        """Cards alike become rows, places alike columns."""
        p = self.problem
        given = [c for condition in p.conditions for c in condition.counters]
        self.counters = [*dict.fromkeys([*given, *([self.extra] if self.extra else [])])]
        open_places = [i for i, size in enumerate(p.sizes) if size]
        rows: dict[tuple[Any, ...], list[int]] = {}
        for j, card in enumerate(p.cards):
            key = (frozenset(p.allowed[j] & set(open_places)), *(card in c.cards for c in self.counters))
            rows.setdefault(key, []).append(j)
        keys = list(rows)
        columns: dict[tuple[Any, ...], list[int]] = {}
        for place in open_places:
            key = (*(place in k[0] for k in keys), *(place in c.places for c in self.counters))
            columns.setdefault(key, []).append(place)
        self.rows, self.row_places = list(rows.values()), [k[0] for k in keys]
        self.columns = list(columns.values())
        self.row_sizes = [len(r) for r in self.rows]
        self.column_sizes = [sum(p.sizes[place] for place in c) for c in self.columns]
        #: Ways to deal each column's cards to its places.
        self.dealt = prod(
            factorial(n) // prod(factorial(p.sizes[place]) for place in column)
            for n, column in zip(self.column_sizes, self.columns, strict=True)
        )

    def _touches(self, row: int, column: int, counter: int) -> bool:
        one = self.counters[counter]
        return self.problem.cards[self.rows[row][0]] in one.cards and self.columns[column][0] in one.places

    def _order(self) -> None:
        """The cells in the order of fewer states, with what each does to the counters."""
        cells = [
            (r, c) for r in range(len(self.rows)) for c in range(len(self.columns))
            if self.columns[c][0] in self.row_places[r]
        ]  # fmt: skip
        coupled = {i for condition in self.problem.conditions for i in map(self.counters.index, condition.counters)}
        states = [prod(sorted(n + 1 for n in sizes)[:-1]) for sizes in (self.column_sizes, self.row_sizes)]
        # Rows and columns that counters look at come first, so that the counters are soon done with.
        busy_row = {r: sum(self._touches(r, c, i) for c in range(len(self.columns)) for i in coupled) for r, _ in cells}
        busy_column = {c: sum(self._touches(r, c, i) for r in range(len(self.rows)) for i in coupled) for _, c in cells}
        by_row = states[0] <= states[1]
        if by_row:
            cells.sort(key=lambda x: (-busy_row[x[0]], x[0], -busy_column[x[1]], x[1]))
        else:
            cells.sort(key=lambda x: (-busy_column[x[1]], x[1], -busy_row[x[0]], x[0]))
        last: dict[int, int] = {}
        for at, (r, c) in enumerate(cells):
            for i in range(len(self.counters)):
                if self._touches(r, c, i):
                    last[i] = at
        closing: dict[int, list[int]] = {}
        needed = {i: last.get(i, -1) for i in range(len(self.counters))}
        for number, condition in enumerate(self.problem.conditions):
            used = [self.counters.index(c) for c in condition.counters]
            when = max((last.get(i, -1) for i in used), default=-1)
            closing.setdefault(when, []).append(number)
            for i in used:
                needed[i] = max(needed[i], when)
        kept = self.counters.index(self.extra) if self.extra else -1
        self.cells: list[_Cell] = []
        for at, (r, c) in enumerate(cells):
            self.cells.append(
                _Cell(
                    r,
                    c,
                    sum(1 << y for x, y in cells[at + 1 :] if x == r),
                    sum(1 << x for x, y in cells[at + 1 :] if y == c),
                    tuple(i for i in range(len(self.counters)) if self._touches(r, c, i)),
                    tuple(closing.get(at, ())),
                    tuple(i for i, when in needed.items() if when == at and i != kept),
                )
            )
        self.at_once = closing.get(-1, [])

    # ------------------------------------------------------------------ the programme

    def _forward(self) -> None:
        """Every state that can be reached, and the edges between them."""
        sizes = [*self.column_sizes, *self.row_sizes, *(c.cap for c in self.counters)]
        strides = [1]
        for n in sizes:
            strides.append(strides[-1] * (n + 1))
        nc, nr = len(self.column_sizes), len(self.row_sizes)
        used = [[self.counters.index(c) for c in condition.counters] for condition in self.problem.conditions]
        base = nc + nr
        start = sum(n * strides[i] for i, n in enumerate(sizes[:base]))
        zero = all(self.problem.conditions[i].accept((0,) * len(used[i])) for i in self.at_once)
        layer = {start: 0} if zero and all(
            places or not size for places, size in zip(self.row_places, self.row_sizes, strict=True)
        ) else {}  # fmt: skip
        self.layers: list[list[int]] = [list(layer)]
        self.edges: list[list[list[tuple[int, int, int]]]] = []  # layer -> node -> (cards, child, left in row)
        total = 0
        for cell in self.cells:
            cs, rs = strides[cell.column], strides[nc + cell.row]
            cm, rm = sizes[cell.column] + 1, sizes[nc + cell.row] + 1
            columns = [i for i in range(nc) if cell.later_columns >> i & 1]
            rows = [i for i in range(nr) if cell.later_rows >> i & 1]
            adds = [(strides[base + i], sizes[base + i] + 1) for i in cell.adds]
            closing = [
                (self.problem.conditions[i].accept, [(strides[base + j], sizes[base + j] + 1) for j in used[i]])
                for i in cell.closing
            ]
            dropped = [(strides[base + i], sizes[base + i] + 1) for i in cell.dropped]
            following: dict[int, int] = {}
            edges: list[list[tuple[int, int, int]]] = []
            for state in self.layers[-1]:
                in_row, in_column = state // rs % rm, state // cs % cm
                room = sum(state // strides[i] % (sizes[i] + 1) for i in columns)
                stock = sum(state // strides[nc + i] % (sizes[nc + i] + 1) for i in rows)
                out: list[tuple[int, int, int]] = []
                for k in range(max(0, in_row - room, in_column - stock), min(in_row, in_column) + 1):
                    new = state - k * (cs + rs)
                    if k:
                        for stride, modulus in adds:
                            have = new // stride % modulus
                            new += (min(modulus - 1, have + k) - have) * stride
                    if any(not accept(tuple(new // s % m for s, m in at)) for accept, at in closing):
                        continue
                    for stride, modulus in dropped:
                        new -= new // stride % modulus * stride
                    out.append((k, following.setdefault(new, len(following)), in_row))
                edges.append(out)
                total += len(out)
            if total > MOST_EDGES:
                raise UnsupportedError("the unseen cards have too many kinds to be counted: more than "
                                       f"{MOST_EDGES:,} steps")  # fmt: skip
            self.edges.append(edges)
            self.layers.append(list(following))
        at = base + self.counters.index(self.extra) if self.extra else -1
        self.extra_stride = (strides[at], sizes[at] + 1) if self.extra else (1, 1)

    def _backward(self) -> None:
        """Number of completions of each node."""
        after = [1] * len(self.layers[-1])
        self.ways: list[list[int]] = [after]
        for edges in reversed(self.edges):
            after = [sum(comb(left, k) * after[child] for k, child, left in out) for out in edges]
            self.ways.append(after)
        self.ways.reverse()

    @cached_property
    def total(self) -> int:
        """Number of worlds."""
        return sum(self.ways[0]) * self.dealt

    @cached_property
    def _reached(self) -> list[list[int]]:
        """Number of ways to come to each node."""
        before = [1] * len(self.layers[0])
        out = [before]
        for edges, following in zip(self.edges, self.layers[1:], strict=True):
            after = [0] * len(following)
            for ways, node in zip(before, edges, strict=True):
                for k, child, left in node:
                    after[child] += ways * comb(left, k)
            out.append(after)
            before = after
        return out

    def distribution(self) -> dict[int, int]:
        """Number of worlds for each value of the extra counter."""
        stride, modulus = self.extra_stride
        out: dict[int, int] = {}
        for state, ways in zip(self.layers[-1], self._reached[-1], strict=True):
            value = state // stride % modulus
            out[value] = out.get(value, 0) + ways * self.dealt
        return dict(sorted(out.items()))

    def places(self) -> list[dict[int, tuple[int, int]]]:
        """For each card and place that may hold it, the chance as (numerator, denominator) of whole numbers."""
        expected: dict[tuple[int, int], int] = {}
        for number, cell in enumerate(self.cells):
            some = 0
            before, after = self._reached[number], self.ways[number + 1]
            for ways, node in zip(before, self.edges[number], strict=True):
                for k, child, left in node:
                    some += ways * comb(left, k) * after[child] * k
            expected[cell.row, cell.column] = some
        bare = sum(self.ways[0])
        out: list[dict[int, tuple[int, int]]] = [{} for _ in self.problem.cards]
        for (row, column), some in expected.items():
            below = bare * self.row_sizes[row] * self.column_sizes[column]
            for place in self.columns[column]:
                for card in self.rows[row]:
                    out[card][place] = some * self.problem.sizes[place], below
        return out

    # ------------------------------------------------------------------ for the kernels

    @cached_property
    def graph(self) -> Graph:
        """The programme as arrays; nodes without completions are left out."""
        kept = [[i for i, n in enumerate(ways) if n] for ways in self.ways]
        first = np.cumsum([0, *map(len, kept)]).tolist()
        number = [{node: first[at] + i for i, node in enumerate(nodes)} for at, nodes in enumerate(kept)]
        rows: list[int] = []
        columns: list[int] = []
        starts: list[int] = [0]
        cards: list[int] = []
        nodes: list[int] = []
        shares: list[int] = []
        follow: list[int] = []
        exact = self.total < 2**62
        for at, cell in enumerate(self.cells):
            after = self.ways[at + 1]
            for node in kept[at]:
                rows.append(cell.row)
                columns.append(cell.column)
                below, so_far = self.ways[at][node], 0
                for k, child, left in self.edges[at][node]:
                    if not after[child]:
                        continue
                    so_far += comb(left, k) * after[child]
                    cards.append(k)
                    nodes.append(number[at + 1][child])
                    shares.append(min((so_far << 64) // below, 2**64 - 1))
                    follow.append(after[child] * self.dealt if exact else 0)
                starts.append(len(cards))
        for _ in kept[-1]:
            rows.append(0)
            columns.append(0)
            starts.append(len(cards))
        places = [place for column in self.columns for place in column]
        return Graph(
            node_row=np.array(rows, np.int64),
            node_column=np.array(columns, np.int64),
            node_edges=np.array(starts, np.int64),
            edge_cards=np.array(cards, np.int64),
            edge_node=np.array(nodes, np.int64),
            edge_share=np.array(shares, np.uint64),
            edge_ways=np.array(follow, np.int64),
            rows=np.cumsum([0, *self.row_sizes]),
            cards=np.array([card for row in self.rows for card in row], np.int64),
            columns=np.cumsum([0, *map(len, self.columns)]),
            places=np.array(places, np.int64),
            sizes=np.array([self.problem.sizes[place] for place in places], np.int64),
        )

    @property
    def size(self) -> tuple[int, int]:
        """Nodes and edges of the programme."""
        return sum(map(len, self.layers)), sum(len(node) for layer in self.edges for node in layer)


def binomials(n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Table of binomial coefficients up to n, those that 63 bits hold."""
    top = 2**63 - 1
    return np.array([[min(comb(i, j), top) for j in range(n + 1)] for i in range(n + 1)], np.int64)


def settled(condition: Condition, where: Mapping[Card, int]) -> Condition:
    """Fill in cards whose place is known: they count at once, and the counters look at the others only."""
    fixed = [sum(c in where and where[c] in one.places for c in one.cards) for one in condition.counters]
    counters = tuple(
        one._replace(cards=frozenset(c for c in one.cards if c not in where)) for one in condition.counters
    )

    def accept(counts: tuple[int, ...]) -> bool:
        return condition.accept(
            tuple(min(one.cap, n + more) for one, n, more in zip(condition.counters, counts, fixed, strict=True))
        )

    return Condition(counters, accept, condition.why)
