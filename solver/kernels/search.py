"""Two-sided search of a deal with all cards known.

One question: can the collecting side X still take at least `need` points? It is a zero-window alpha-beta
search, iterative over an explicit stack, fail-soft (the answer is a proved bound, often better than asked). The
value is found by bisection over such questions with one shared table.

Points count from the root: what X has of a finished trick, of a declared marriage, of the cards still to be won.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, lowest
from solver.kernels.order import order
from solver.kernels.table import fetch, store
from solver.kernels.tricks import CALLED_LED, DECLARE, TRUMP_BITS, beats, legal, moves

__all__ = ["search", "solve_levels", "solve_value"]

# Columns of a stack frame.
SEAT, PLACE, LED, BEST, BEST_SEAT, WORTH, STATE, NEXT, GOT, REST, COUNT, AT, VALUE, MOVE = range(14)
# Columns of its words: cards on the table, key of a trick's start, all hands.
TABLE, KEY, LEFT = range(3)


@jit
def _bonus_left(rules, hands, side):
    """Most that X can still get by declaring marriages."""
    total = 0
    for suit in range(rules.pair.size):
        pair = rules.pair[suit]
        if pair != ZERO:
            for seat in range(len(rules.seats)):
                if ((side >> seat) & 1) != 0 and (hands[seat] & pair) == pair:
                    total += rules.bonus[suit]
    return total


@jit
def search(rules, hands, side, leader, played, state, following, first_lead, need, memory, limit):
    """Ask whether X takes at least `need` points from here on.

    Parameters
    ----------
    rules : Rules
    hands : uint64[seats]
        Cards left; changed during the search and restored.
    side : int
        Seats of X, one bit each.
    leader : int
    played : int64[:]
        Bits numbers of the cards on the table, the leader's first.
    state, following : int
        State word of this trick and of the next.
    first_lead : int
        1 when no marriage may be declared in this trick.
    need : int
    memory : Memory
    limit : int
        Nodes after which to give up; 0 for none.

    Returns
    -------
    value : int
        At least `need`: X can take that much. Less: X cannot take more than that.
    nodes : int
    done : bool
        False when the limit came first; the value then says nothing.
    """
    seats = len(rules.seats)
    frames = memory.frames
    words = memory.words
    out = memory.moves

    left = ZERO
    rest = np.int64(0)  # card points not yet in a finished trick
    for s in range(seats):
        left |= hands[s]
    w = left
    while w != ZERO:
        rest += rules.points[lowest(w)]
        w &= w - ONE
    table = ZERO
    best = np.int64(-1)
    best_seat = np.int64(-1)
    worth = np.int64(0)
    led = np.int64(-1)
    for i in range(played.size):
        card = played[i]
        rest += rules.points[card]
        worth += rules.points[card]
        table |= ONE << np.uint64(card)
        if i == 0:
            led = rules.suit_of[card]
        if i == 0 or beats(rules, card, best, (state & TRUMP_BITS) - 1):
            best = card
            best_seat = (leader + i) % seats
    place = np.int64(played.size)
    seat = np.int64((leader + place) % seats)
    got = np.int64(0)
    nodes = np.int64(0)
    ply = 0
    value = np.int64(0)
    now = np.int64(state)
    then = np.int64(following)

    while True:
        # ---- a new position: ply, seat, place, left, table, best, worth, now, then, got, rest
        nodes += 1
        if limit > 0 and nodes > limit:
            for p in range(ply - 1, -1, -1):
                hands[frames[p, SEAT]] |= ONE << np.uint64(out[p, frames[p, AT]] & (DECLARE - 1))
            return 0, nodes, False
        settled = False
        first = np.int64(-1)
        key = ZERO
        if place == 0:
            if got >= need or left == ZERO:
                value = got
                settled = True
            else:
                tricks = count(hands[seat])
                most = got + rest + tricks * rules.trick_value + rules.last_value + _bonus_left(rules, hands, side)
                if most < need:
                    value = most
                    settled = True
                else:
                    key = left | (np.uint64(seat) << np.uint64(53)) | (np.uint64(now) << np.uint64(57))
                    found, low, high, first = fetch(memory, key)
                    if found:
                        if got + low >= need:
                            value = got + low
                            settled = True
                        elif got + high < need:
                            value = got + high
                            settled = True
        if not settled:
            frame = frames[ply]
            frame[SEAT] = seat
            frame[PLACE] = place
            frame[LED] = led
            frame[BEST] = best
            frame[BEST_SEAT] = best_seat
            frame[WORTH] = worth
            frame[STATE] = now
            frame[NEXT] = then
            frame[GOT] = got
            frame[REST] = rest
            words[ply, TABLE] = table
            words[ply, KEY] = key
            words[ply, LEFT] = left
            hand = hands[seat]
            good = legal(rules, hand, left, seat, led if place > 0 else -1, best, now)
            declare = place == 0 and not (first_lead != 0 and ply == 0)
            n = moves(rules, good, hand, left ^ hand, table, place == 0, declare, out[ply])
            if n > 1:
                order(
                    rules, hands, out[ply], n, memory.scores, memory, side,
                    seat, place, led, best, best_seat, worth, now, first,
                )  # fmt: skip
            frame[COUNT] = n
            frame[AT] = -1
            frame[MOVE] = -1
            frame[VALUE] = -1 if ((side >> seat) & 1) != 0 else 1 << 40
        else:
            ply -= 1
            if ply < 0:
                return value, nodes, True

        # ---- give values back until some position has a move left to try
        while True:
            frame = frames[ply]
            seat = frame[SEAT]
            mine = ((side >> seat) & 1) != 0
            if settled:
                move = out[ply, frame[AT]]
                hands[seat] |= ONE << np.uint64(move & (DECLARE - 1))
                if (mine and value > frame[VALUE]) or (not mine and value < frame[VALUE]):
                    frame[VALUE] = value
                    frame[MOVE] = move
                cut = (mine and value >= need) or (not mine and value < need)
                if cut:
                    card = move & (DECLARE - 1)
                    depth = count(hands[seat])
                    memory.history[seat, card] += depth * depth
                    if memory.history[seat, card] > 1 << 20:
                        for s in range(seats):
                            for c in range(64):
                                memory.history[s, c] >>= 1
                if cut or frame[AT] + 1 >= frame[COUNT]:
                    value = frame[VALUE]
                    if frame[PLACE] == 0:
                        _keep(memory, words[ply, KEY], value - frame[GOT], value >= need, frame[MOVE])
                    ply -= 1
                    if ply < 0:
                        return value, nodes, True
                    continue
            break

        # ---- play the next move of this position
        frame = frames[ply]
        frame[AT] += 1
        move = out[ply, frame[AT]]
        card = move & (DECLARE - 1)
        bit = ONE << np.uint64(card)
        place = frame[PLACE]
        best = frame[BEST]
        best_seat = frame[BEST_SEAT]
        now = frame[STATE]
        then = frame[NEXT]
        got = frame[GOT]
        rest = frame[REST]
        worth = frame[WORTH] + rules.points[card]
        led = frame[LED]
        hands[seat] ^= bit
        left = words[ply, LEFT] ^ bit
        table = words[ply, TABLE] | bit
        if place == 0:
            led = rules.suit_of[card]
            best = card
            best_seat = seat
            if move >= DECLARE:
                if ((side >> seat) & 1) != 0:
                    got += rules.bonus[led]
                if rules.one_trump == 0 or (now & TRUMP_BITS) == 0:
                    then = (then & ~TRUMP_BITS) | (led + 1)
                    if rules.immediate_trump != 0:
                        now = then
            if rules.partner_leads_any != 0 and led == rules.called_suit:
                then |= CALLED_LED
        elif beats(rules, card, best, (now & TRUMP_BITS) - 1):
            best = card
            best_seat = seat
        place += 1
        seat += 1
        if seat == seats:
            seat = 0
        ply += 1
        if place == seats:
            if ((side >> best_seat) & 1) != 0:
                got += worth + rules.trick_value
                if left == ZERO:
                    got += rules.last_value
            rest -= worth
            seat = best_seat
            place = 0
            worth = 0
            led = -1
            best = -1
            table = ZERO
            now = then


@jit
def _keep(memory, key, bound, reached, move):
    """Store what a finished trick start proved, together with what was known of it."""
    found, low, high, _ = fetch(memory, key)
    if not found:
        low = 0
        high = 0xFFFF
    if reached:
        low = max(low, bound)
    else:
        high = min(high, bound)
    store(memory, key, low, high, move)


@jit
def _most(rules, hands, side, played):
    """Most that X can take from here on, and the tricks left."""
    total = rules.last_value + _bonus_left(rules, hands, side)
    tricks = 0
    for s in range(len(rules.seats)):
        tricks = max(tricks, count(hands[s]))
        w = hands[s]
        while w != ZERO:
            total += rules.points[lowest(w)]
            w &= w - ONE
    for i in range(played.size):
        total += rules.points[played[i]]
    return total + tricks * rules.trick_value


@jit
def solve_value(rules, hands, side, leader, played, state, following, first_lead, low, high, memory, limit):
    """Bisect for the value.

    Parameters
    ----------
    low, high : int
        What is known already; `high` below 0 asks for the trivial bound.
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
    while low < high:
        need = (low + high + 1) // 2
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
