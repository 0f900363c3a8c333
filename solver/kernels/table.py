"""Memory of one searching thread: what was proved, and the search's own stack.

What two positions at the start of a trick must share for one to answer for the other is little: the *shape* (how many
cards each seat holds in each suit), the seat on lead, the trump, and the owners of the ranks that mattered in the
proof. The points of their cards may differ; the bound then shifts by what the difference can cost at most (`margin`).

Both are one word each. `shape` has each seat's cards of a suit pushed down to the lowest places that the seat was
dealt there; `rank` gives each card, from the top of its suit, the highest dealt place of its owner below the place of
the card above it. Equal shapes mean equal counts, and a prefix of `rank` names the owners of the top cards, exactly.

Entries of one shape hang in one list, newest first, four side by side. A generation stamp makes all lists void without
clearing them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, lowest

__all__ = [
    "DEALS", "LIVE", "MAX_PLIES", "SLOTS", "STAMP", "STOP", "SWITCHES", "WITHOUT", "Memory", "identity", "new_memory",
    "next_deal", "probe", "shape_of", "store", "suit_rank",
]  # fmt: skip

#: More than the cards of any deck here.
MAX_PLIES = 64

#: Entries of one shape that a probe looks at.
SCAN = 128

#: Entries side by side in a list.
CHUNK = 4

#: Places of `counters`: stamp of the entries, entries used, deals begun, features turned off, a wish to stop, slots of
#: the cut-off table.
GENERATION, USED, DEALS, WITHOUT, STOP, SLOTS = range(6)

#: Bits of the deal's number that stamp what is remembered for one deal only; no deal has the stamp 0 of cleared words.
STAMP = 0xFFFFF

#: Bits of the generation that stamp a list of entries; none has generation 0, that of cleared heads.
_LAST_GENERATION = 0xFFFFFFFF

#: What can be turned off, for ablation: a bit of `WITHOUT` each. No value depends on them, only the number of nodes.
SWITCHES = {
    "table": 1, "relevance": 2, "margin": 4, "decided": 8, "quick": 16, "slow": 32, "excuse": 64, "cutoff": 128,
    "order": 256,
}  # fmt: skip
_MARGIN_OFF = SWITCHES["margin"]

#: Bits of a key that say which marriages can still change the trump; in a game without any they may be cards.
LIVE = np.uint64(0xFF << 40)

#: What a search needs in fixed size. One record: as an argument one word, where as many arrays would be dozens.
WORK = np.dtype(
    [
        ("counters", np.int64, (8,)),
        ("owner", np.int64, (64,)),  # seat that was dealt each card
        ("dealt", np.uint64, (8,)),  # cards that each seat was dealt
        ("frames", np.int64, (MAX_PLIES, 18)),  # the search's stack
        ("words", np.uint64, (MAX_PLIES, 10)),
        ("moves", np.int64, (MAX_PLIES, 64)),
        ("scores", np.int64, (64,)),
        ("killers", np.int64, (1 << 16,)),  # deal, hash of the place, card that cut last there + 1
        ("ranks", np.int64, (8 << 14,)),  # deal, rank word of each subset of each suit, shifted to the right
    ],
    align=True,
)


class Memory(NamedTuple):
    """Memory of one thread; made by `new_memory`."""

    work: Any  # a record of type WORK
    heads: NDArray[np.uint64]  # [heads, 2] shape of a list; generation << 32 | newest entry
    entries: NDArray[np.uint64]  # [pool, 4] rank prefix, its mask, the cards, bound | kind | points | next entry

    @property
    def counters(self) -> NDArray[np.int64]:
        """The record's counters, for callers outside the kernels."""
        counters: NDArray[np.int64] = self.work.counters
        return counters


def new_memory(bits: int, without: int = 0) -> Memory:
    """Memory for 2**bits proved positions.

    An entry takes 32 bytes, a quarter as many heads of lists 16 bytes each, the fixed part 1.6 MB.

    Parameters
    ----------
    bits : int
        From 4 to 31.
    without : int
        Features turned off, bits of `SWITCHES`.
    """
    if not 4 <= bits <= 31:  # an entry's number and one more take 32 bits
        raise ValueError(f"a table of 2**{bits} positions: expected 4 to 31 bits")
    memory = Memory(
        work=np.zeros(1, WORK).view(np.recarray)[0],
        heads=np.zeros((1 << (bits - 2), 2), np.uint64),
        entries=np.zeros((1 << bits, 4), np.uint64),
    )
    memory.counters[WITHOUT] = without
    memory.counters[SLOTS] = 1 << max(8, min(16, bits - 4))
    return memory


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
    memory.work.counters[DEALS] += 1
    if (memory.work.counters[DEALS] & STAMP) == 0:  # stamps begin anew, so nothing stamped before may stay
        memory.work.killers[:] = 0
        memory.work.ranks[:] = 0
        memory.work.counters[DEALS] += 1
    memory.work.dealt[:] = ZERO
    for seat in range(hands.size):
        memory.work.dealt[seat] = hands[seat]
        w = hands[seat]
        while w != ZERO:
            memory.work.owner[lowest(w)] = seat
            w &= w - ONE


@jit
def _drop(memory):
    if memory.work.counters[GENERATION] >= _LAST_GENERATION:
        memory.heads[:] = ZERO
        memory.work.counters[GENERATION] = 0
    memory.work.counters[GENERATION] += 1
    memory.work.counters[USED] = 0


@jit
def shape_of(rules, hands, memory):
    """Shape word of these hands."""
    out = ZERO
    for seat in range(rules.seats):
        for suit in range(rules.suit_mask.size):
            places = memory.work.dealt[seat] & rules.suit_mask[suit]
            for _ in range(count(hands[seat] & rules.suit_mask[suit])):
                out |= places & (~places + ONE)
                places &= places - ONE
    return out


@jit
def identity(rules, hands, left):
    """What the key must say beyond shapes: a called card in play, each live marriage with the cards above it."""
    word = ZERO
    if rules.called & left != ZERO:
        word = ONE << np.uint64(48)
    for suit in range(4):
        pair = rules.pair[suit]
        if pair != ZERO and (left & pair) == pair:
            for seat in range(rules.seats):
                if (hands[seat] & pair) == pair:
                    above = count(left & rules.suit_mask[suit] & ~((ONE << np.uint64(highest(pair))) - ONE)) - 1
                    word |= np.uint64(above + 1) << np.uint64(40 + 2 * suit)  # within LIVE
    return word


@jit
def suit_rank(rules, suit, left, memory):
    """Rank word of one suit, remembered for the deal."""
    mask = rules.suit_mask[suit]
    shift = np.uint64(lowest(mask))
    cards = (left & mask) >> shift
    slot = (suit << 14) | np.int64(cards)
    kept = memory.work.ranks[slot]
    stamp = memory.work.counters[DEALS] & STAMP
    if (kept >> 16) == stamp:
        return np.uint64(kept & 0xFFFF) << shift
    out = ZERO
    below = mask
    w = left & mask
    while w != ZERO:
        card = highest(w)
        w ^= ONE << np.uint64(card)
        bit = ONE << np.uint64(highest(memory.work.dealt[memory.work.owner[card]] & below))
        out |= bit
        below = mask & (bit - ONE)
    memory.work.ranks[slot] = (stamp << 16) | np.int64(out >> shift)
    return out


@jit
def _find(memory, key):
    """Slot of a shape's list, and whether it is this shape's."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mask = memory.heads.shape[0] - 1
    at = np.int64(mixed >> np.uint64(24)) & mask
    stamp = memory.work.counters[GENERATION]
    for i in range(4):
        slot = (at + i) & mask
        if np.int64(memory.heads[slot, 1] >> np.uint64(32)) != stamp:
            return slot, False
        if memory.heads[slot, 0] == key:
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
        for seat in range(rules.seats):
            own = memory.work.dealt[seat]
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
    with_margin = (memory.work.counters[WITHOUT] & _MARGIN_OFF) == 0
    at = np.int64(memory.heads[slot, 1] & np.uint64(0xFFFFFFFF))
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
                    if cost <= room and (cost == 0 or with_margin):
                        return True, bound - cost, _relevant(rules, entry[0], left)
            else:
                room = need - 1 - bound
                if room >= 0 and rest - points <= room:
                    cost = np.int64(0)
                    if rules.levels > 0 and entry[2] != left:
                        cost = _margin(rules, memory, entry[0], left, entry[2], room)
                    if cost <= room and (cost == 0 or with_margin):
                        return True, bound + cost, _relevant(rules, entry[0], left)
        if (at & (CHUNK - 1)) != 0:
            at -= 1
            continue
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
    slot, known = _find(memory, key)
    following = np.int64(0)
    at = np.int64(CHUNK - 1)
    if known:
        at = np.int64(memory.heads[slot, 1] & np.uint64(0xFFFFFFFF))
    if (at & (CHUNK - 1)) == CHUNK - 1:
        if memory.work.counters[USED] + CHUNK > memory.entries.shape[0]:
            _drop(memory)
            slot, known = _find(memory, key)
        if known:
            following = at + 1
        at = memory.work.counters[USED]
        memory.work.counters[USED] += CHUNK
    else:
        at += 1
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
    memory.heads[slot, 0] = key
    memory.heads[slot, 1] = np.uint64((memory.work.counters[GENERATION] << 32) | at)
