"""Memory of one searching thread: the transposition table, move history and the search's own stack.

Entries hold bounds on the points still to be won by the collecting side from the start of a trick. The owners of
the cards are fixed by the deal, so the set of cards left, the seat on lead and the trump in force are an exact key
in one word. A generation stamp makes all entries of earlier deals void without clearing them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kernels._jit import jit
from solver.kernels.bits import ZERO, count

__all__ = ["MAX_PLIES", "Memory", "fetch", "new_memory", "next_deal", "store"]

#: More than the cards of any deck here.
MAX_PLIES = 64

_CARDS = np.uint64((1 << 53) - 1)  # a key's bits that are cards


class Memory(NamedTuple):
    """Arrays of one thread; made by `new_memory`."""

    keys: NDArray[np.uint64]
    data: NDArray[np.uint64]
    stamp: NDArray[np.int64]  # [1] current generation
    history: NDArray[np.int64]  # [8, 64] how well a card did, by seat
    frames: NDArray[np.int64]  # [64, 16] the search's stack
    words: NDArray[np.uint64]  # [64, 3]
    moves: NDArray[np.int64]  # [64, 64]
    scores: NDArray[np.int64]  # [64]


def new_memory(bits: int) -> Memory:
    """Memory with 2**bits table entries of 16 bytes."""
    size = 1 << bits
    return Memory(
        keys=np.zeros(size, np.uint64),
        data=np.zeros(size, np.uint64),
        stamp=np.zeros(1, np.int64),
        history=np.zeros((8, 64), np.int64),
        frames=np.zeros((MAX_PLIES, 16), np.int64),
        words=np.zeros((MAX_PLIES, 3), np.uint64),
        moves=np.zeros((MAX_PLIES, 64), np.int64),
        scores=np.zeros(64, np.int64),
    )


@jit
def next_deal(memory):
    """Void every entry: what follows is another deal, contract or side."""
    memory.stamp[0] += 1
    if memory.stamp[0] > 0xFFFF:
        memory.stamp[0] = 1
        memory.data[:] = ZERO
    memory.history[:] = 0


@jit
def _slot(memory, key):
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.int64((mixed >> np.uint64(20)) & np.uint64(memory.keys.size - 2))


@jit
def fetch(memory, key):
    """Look a position up: (found, low, high, move), move -1 for none."""
    at = _slot(memory, key)
    for i in range(at, at + 2):
        word = memory.data[i]
        if memory.keys[i] == key and np.int64(word >> np.uint64(48)) == memory.stamp[0]:
            low = np.int64(word & np.uint64(0xFFFF))
            high = np.int64((word >> np.uint64(16)) & np.uint64(0xFFFF))
            move = np.int64((word >> np.uint64(32)) & np.uint64(0xFF))
            return True, low, high, move - 1
    return False, 0, 0, -1


@jit
def store(memory, key, low, high, move):
    """Keep bounds; of two slots the second gives way, the first only to a larger position or a new deal."""
    at = _slot(memory, key)
    stamp = memory.stamp[0]
    into = at + 1
    if memory.keys[at] == key or np.int64(memory.data[at] >> np.uint64(48)) != stamp:
        into = at
    elif memory.keys[at + 1] != key and count(key & _CARDS) >= count(memory.keys[at] & _CARDS):
        memory.keys[at + 1] = memory.keys[at]
        memory.data[at + 1] = memory.data[at]
        into = at
    memory.keys[into] = key
    memory.data[into] = (
        np.uint64(low)
        | (np.uint64(high) << np.uint64(16))
        | (np.uint64(move + 1) << np.uint64(32))
        | (np.uint64(stamp) << np.uint64(48))
    )
