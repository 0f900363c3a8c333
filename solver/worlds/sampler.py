"""Worlds: the ways in which unseen cards can lie, counted, drawn uniformly, or all of them.

A set of worlds is an array of owners, ``int8[n, cards]``: entry ``[i, j]`` is the place that holds the j-th unseen
card in world i. Places are numbered as in `sizes`; `hands` says which seat each place is and turns owners into the bits
that the kernels read.

Worlds are drawn before anything is searched, from one generator, so that neither chunks nor workers change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.model.cards import Card
from solver.model.layout import Layout

__all__ = ["Owners", "count", "enumerate_all", "hands", "holder", "uniform"]

#: Place of every unseen card in every world.
Owners = NDArray[np.int8]


def _check(unseen: Sequence[Card], sizes: Sequence[int]) -> None:
    if sum(sizes) != len(unseen) or any(s < 0 for s in sizes):
        raise ValueError(f"{len(unseen)} unseen cards do not fill places for {' + '.join(map(str, sizes))} cards")


def count(unseen: Sequence[Card], sizes: Sequence[int]) -> int:
    """Count the worlds exactly.

    Parameters
    ----------
    unseen
        Cards whose place is not known.
    sizes
        Cards that each place takes; together as many as are unseen.

    Returns
    -------
    int
        The multinomial coefficient.
    """
    _check(unseen, sizes)
    total, left = 1, len(unseen)
    for size in sizes:
        total *= comb(left, size)
        left -= size
    return total


def uniform(unseen: Sequence[Card], sizes: Sequence[int], n: int, rng: np.random.Generator) -> Owners:
    """Draw worlds, each equally likely, with replacement.

    Parameters
    ----------
    unseen, sizes
        As for `count`.
    n
        How many.
    rng
        Source of chance; the same state gives the same worlds.

    Returns
    -------
    int8[n, len(unseen)]
    """
    _check(unseen, sizes)
    places = np.repeat(np.arange(len(sizes), dtype=np.int8), sizes)
    return rng.permuted(np.tile(places, (n, 1)), axis=1)


def enumerate_all(unseen: Sequence[Card], sizes: Sequence[int]) -> Owners:
    """Every world once, the first place's cards in lexicographic order.

    Parameters
    ----------
    unseen, sizes
        As for `count`, which says how long the answer is.

    Returns
    -------
    int8[count, len(unseen)]
    """
    _check(unseen, sizes)
    rows = np.full((1, len(unseen)), -1, np.int8)
    for place, size in enumerate(sizes):
        left = int((rows[0] < 0).sum())
        chosen = np.array(list(combinations(range(left), size)), np.int64).reshape(comb(left, size), size)
        free = np.nonzero(rows < 0)[1].reshape(len(rows), left)  # indices of the cards still to be placed, by world
        grown = np.repeat(rows, len(chosen), axis=0)
        cards = free[:, chosen].reshape(len(grown), size)
        np.put_along_axis(grown, cards, np.int8(place), axis=1)
        rows = grown
    return rows


def holder(owners: Owners, unseen: Sequence[Card], card: Card) -> NDArray[np.int8]:
    """Place that holds a card, by world."""
    return owners[:, list(unseen).index(card)]


def hands(
    owners: Owners,
    unseen: Sequence[Card],
    layout: Layout,
    seats: Sequence[int | None],
    known: Mapping[int, Iterable[Card]],
) -> NDArray[np.uint64]:
    """Turn worlds into hands in the layout's bits.

    Parameters
    ----------
    owners, unseen
        The worlds.
    layout
        Gives each card its bit and the number of seats.
    seats
        Seat that each place is; None for a place that is nobody's (talon, blind).
    known
        Cards that lie in every world with a seat: the own hand, cards passed.

    Returns
    -------
    uint64[n, seats]
    """
    bits = np.array([1 << layout.bit[c] for c in unseen], np.uint64)
    out = np.zeros((len(owners), layout.rules.seats), np.uint64)
    for seat, cards in known.items():
        out[:, seat] |= np.uint64(layout.encode(cards))
    for place, owner in enumerate(seats):
        if owner is not None:
            out[:, owner] |= np.where(owners == place, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
    return out
