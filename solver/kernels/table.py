"""Memory of one searching thread: what was proved, and the search's own stack.

What two positions at the start of a trick must share for one to answer for the other is little: the *shape* (how many
cards each seat holds in each suit), the seat on lead, the trump, and the owners of the ranks that mattered in the
proof. The points of their cards may differ; the bound then shifts by what the difference can cost at most (`margin`).

Both are one word each. `shape` has each seat's cards of a suit pushed down to the lowest places that the seat was
dealt there; `rank` gives each card, from the top of its suit, the highest dealt place of its owner below the place of
the card above it. Equal shapes mean equal counts, and a prefix of `rank` names the owners of the top cards, exactly.

Entries of one shape hang in one list, newest first. A generation stamp makes all lists void without clearing them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, lowest

__all__ = ["MAX_PLIES", "Memory", "new_memory", "next_deal", "probe", "store"]

#: More than the cards of any deck here.
MAX_PLIES = 64

#: Entries of one shape that a probe looks at.
SCAN = 128

LOWER, UPPER = 0, 1


class Memory(NamedTuple):
    """Arrays of one thread; made by `new_memory`."""

    counters: NDArray[np.int64]  # [8] generation, entries used, deals begun
    owner: NDArray[np.int64]  # [64] seat that was dealt each card
    dealt: NDArray[np.uint64]  # [8] cards that each seat was dealt
    head_key: NDArray[np.uint64]  # [heads] shape of a list
    head: NDArray[np.int64]  # [heads] generation << 32 | first entry
    entries: NDArray[np.uint64]  # [pool, 4] rank prefix, its mask, the cards, bound | kind | points | next entry
    killers: NDArray[np.int16]  # [2**14] card that cut last in such a place, + 1
    frames: NDArray[np.int64]  # [64, 16] the search's stack
    words: NDArray[np.uint64]  # [64, 10]
    moves: NDArray[np.int64]  # [64, 64]
    scores: NDArray[np.int64]  # [64]


def new_memory(bits: int) -> Memory:
    """Memory for 2**bits proved positions of 32 bytes each, and a quarter as many shapes."""
    return Memory(
        counters=np.zeros(8, np.int64),
        owner=np.zeros(64, np.int64),
        dealt=np.zeros(8, np.uint64),
        head_key=np.zeros(1 << (bits - 2), np.uint64),
        head=np.zeros(1 << (bits - 2), np.int64),
        entries=np.zeros((1 << bits, 4), np.uint64),
        killers=np.zeros(1 << 14, np.int16),
        frames=np.zeros((MAX_PLIES, 16), np.int64),
        words=np.zeros((MAX_PLIES, 10), np.uint64),
        moves=np.zeros((MAX_PLIES, 64), np.int64),
        scores=np.zeros(64, np.int64),
    )


@jit
def next_deal(memory, hands):
    """Begin another deal, contract or side: void every entry and note who was dealt what.

    Parameters
    ----------
    memory : Memory
    hands : uint64[seats]
        Cards of each seat, those already on the table with their seats.
    """
    _drop(memory)
    memory.counters[2] += 1
    memory.killers[:] = 0
    memory.dealt[:] = ZERO
    for seat in range(hands.size):
        memory.dealt[seat] = hands[seat]
        w = hands[seat]
        while w != ZERO:
            memory.owner[lowest(w)] = seat
            w &= w - ONE


@jit
def _drop(memory):
    memory.counters[0] += 1
    memory.counters[1] = 0


@jit
def shape_of(rules, hands, memory):
    """Shape word of these hands."""
    out = ZERO
    for seat in range(len(rules.seats)):
        for suit in range(rules.suit_mask.size):
            places = memory.dealt[seat] & rules.suit_mask[suit]
            for _ in range(count(hands[seat] & rules.suit_mask[suit])):
                out |= places & (~places + ONE)
                places &= places - ONE
    return out


@jit
def suit_rank(mask, left, memory):
    """Rank word of one suit."""
    out = ZERO
    below = mask
    w = left & mask
    while w != ZERO:
        card = highest(w)
        w ^= ONE << np.uint64(card)
        bit = ONE << np.uint64(highest(memory.dealt[memory.owner[card]] & below))
        out |= bit
        below = mask & (bit - ONE)
    return out


@jit
def _find(memory, key):
    """Slot of a shape's list, and whether it is this shape's."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mask = memory.head.size - 1
    at = np.int64(mixed >> np.uint64(24)) & mask
    stamp = memory.counters[0]
    for i in range(4):
        slot = (at + i) & mask
        if (memory.head[slot] >> 32) != stamp:
            return slot, False
        if memory.head_key[slot] == key:
            return slot, True
    return at, False


@jit
def _margin(rules, memory, prefix, more, less, room):
    """Most that points of `more` can exceed those of the matched cards of `less`; stops above `room`.

    In each suit the top cards, as many as `prefix` has there, are matched by position; the rest of each hand's suit
    by points. Both sets have the same shape.
    """
    total = np.int64(0)
    for suit in range(rules.suit_mask.size):
        mask = rules.suit_mask[suit]
        a = more & mask
        b = less & mask
        if a == b:
            continue
        for _ in range(count(prefix & mask)):
            i = highest(a)
            j = highest(b)
            a ^= ONE << np.uint64(i)
            b ^= ONE << np.uint64(j)
            if rules.points[i] > rules.points[j]:
                total += rules.points[i] - rules.points[j]
        if total > room:
            return total
        if a == b:
            continue
        for seat in range(len(rules.seats)):
            own = memory.dealt[seat]
            x = a & own
            y = b & own
            if x != y:
                for level in range(rules.levels):
                    extra = count(x & rules.at_least[level]) - count(y & rules.at_least[level])
                    if extra > 0:
                        total += extra * rules.step[level]
        if total > room:
            return total
    return total


@jit
def _relevant(rules, prefix, left):
    """Lowest card of the matched prefix in each suit."""
    out = ZERO
    for suit in range(rules.suit_mask.size):
        mask = rules.suit_mask[suit]
        n = count(prefix & mask)
        if n > 0:
            w = left & mask
            for _ in range(n - 1):
                w ^= ONE << np.uint64(highest(w))
            out |= ONE << np.uint64(highest(w))
    return out


@jit
def probe(rules, memory, key, rank, left, rest, need):
    """Look for a proof that settles whether X takes `need` or more from here.

    Returns
    -------
    found : bool
    bound : int
        Points still to be won: at least this if that reaches `need`, else at most this.
    relevant : uint64
        Cards whose rank the proof used.
    """
    slot, known = _find(memory, key)
    if not known:
        return False, 0, ZERO
    at = memory.head[slot] & 0xFFFFFFFF
    for _ in range(SCAN):
        entry = memory.entries[at]
        if (rank & entry[1]) == entry[0]:
            word = entry[3]
            bound = np.int64(word & np.uint64(0x3FFF))
            points = np.int64((word >> np.uint64(15)) & np.uint64(0x3FFF))
            if ((word >> np.uint64(14)) & ONE) == ZERO:
                room = bound - need
                if room >= 0 and points - rest <= room:
                    cost = np.int64(0)
                    if rules.levels > 0 and entry[2] != left:
                        cost = _margin(rules, memory, entry[0], entry[2], left, room)
                    if cost <= room:
                        return True, bound - cost, _relevant(rules, entry[0], left)
            else:
                room = need - 1 - bound
                if room >= 0 and rest - points <= room:
                    cost = np.int64(0)
                    if rules.levels > 0 and entry[2] != left:
                        cost = _margin(rules, memory, entry[0], left, entry[2], room)
                    if cost <= room:
                        return True, bound + cost, _relevant(rules, entry[0], left)
        following = np.int64(entry[3] >> np.uint64(32))
        if following == 0:
            break
        at = following - 1
    return False, 0, ZERO


@jit
def store(rules, memory, key, rank, left, rest, relevant, bound, reached):
    """Keep a proof: X takes at least (`reached`) or at most `bound`, whatever the ranks below the relevant ones."""
    mask = ZERO
    for suit in range(rules.suit_mask.size):
        within = relevant & rules.suit_mask[suit]
        if within != ZERO:
            cards = left & rules.suit_mask[suit]
            below = cards & ((within & (~within + ONE)) - ONE)
            places = rank & rules.suit_mask[suit]
            for _ in range(count(below)):
                places &= places - ONE
            mask |= rules.suit_mask[suit] & ~((places & (~places + ONE)) - ONE)
    if memory.counters[1] >= memory.entries.shape[0]:
        _drop(memory)
    slot, known = _find(memory, key)
    at = memory.counters[1]
    memory.counters[1] += 1
    following = np.int64(0)
    if known:
        following = (memory.head[slot] & 0xFFFFFFFF) + 1
    entry = memory.entries[at]
    entry[0] = rank & mask
    entry[1] = mask
    entry[2] = left
    entry[3] = (
        np.uint64(bound)
        | (ZERO if reached else np.uint64(1 << 14))
        | (np.uint64(rest) << np.uint64(15))
        | (np.uint64(following) << np.uint64(32))
    )
    memory.head_key[slot] = key
    memory.head[slot] = (memory.counters[0] << 32) | at
