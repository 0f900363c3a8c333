"""Two-sided search of a deal with all cards known.

One question: can the collecting side X still take at least `need` points? It is a zero-window alpha-beta
search, iterative over an explicit stack, fail-soft (the answer is a proved bound, often better than asked). The
value is found by bisection over such questions with one shared table.

Points count from the root: what X has of finished tricks and declared marriages, then what is still to be won.

With every result goes its *relevance*: the cards whose rank its proof used. Ranks below the lowest relevant card of a
suit may be anything, so one proof answers for many positions (`solver.kernels.table`), and a move that failed
without its rank mattering excuses its neighbours.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, lowest
from solver.kernels.bounds import decided, quick_points, top_trumps
from solver.kernels.order import order
from solver.kernels.table import probe, shape_of, store, suit_rank
from solver.kernels.tricks import CALLED_LED, DECLARE, TRUMP_BITS, beats, legal_and_relevant, moves

__all__ = ["search", "solve_levels", "solve_value"]

# Columns of a stack frame.
SEAT, PLACE, LED, BEST, BEST_SEAT, WORTH, STATE, NEXT, GOT, REST, COUNT, AT, VALUE, SURE, KILLER, SORTED = range(16)
# Columns of its words: cards on the table; key and rank word of a trick's start; all hands; shape; relevance of the
# moves that failed, of the position itself, and of the trick that the move now tried completes; cards that stand for
# themselves.
TABLE, KEY, RANK, LEFT, SHAPE, FAILED, OWN, WON, APART = range(9)

#: Bits of a key that say which marriages can still change the trump; in a game without any they may be cards.
LIVE = np.uint64(0xFF << 40)


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
def _identity(rules, hands, left):
    """What the key must say beyond shapes: a called card in play, each live marriage with the cards above it."""
    word = ZERO
    if rules.special[0] & left != ZERO:
        word = ONE << np.uint64(48)
    for suit in range(4):
        pair = rules.pair[suit]
        if pair != ZERO and (left & pair) == pair:
            for seat in range(len(rules.seats)):
                if (hands[seat] & pair) == pair:
                    above = count(left & rules.suit_mask[suit] & ~((ONE << np.uint64(highest(pair))) - ONE)) - 1
                    word |= np.uint64(above + 1) << np.uint64(40 + 2 * suit)  # within LIVE
    return word


@jit
def _run(mask, hand, apart, card):
    """Cards of a hand's suit next to `card`, with no card of `apart` between."""
    bit = ONE << np.uint64(card)
    low = apart & mask & (bit - ONE)
    high = apart & mask & ~((bit << ONE) - ONE)
    out = hand & mask
    if low != ZERO:
        out &= ~((ONE << np.uint64(highest(low))) - ONE)
    if high != ZERO:
        out &= (high & (~high + ONE)) - ONE
    return out


@jit
def _excuse(rules, out, frame, hand, apart, special, move, value, relevant, need, mine):
    """After a failed move: strike the moves that fail with it, and return (value, relevance) to book for all of them.

    A card of the same run, or of the same suit when no rank that low mattered, does as the failed card would, but
    for the difference in their points; on a trick that is decided the difference counts in one direction only.
    """
    card = move & (DECLARE - 1)
    suit = rules.suit_of[card]
    mask = rules.suit_mask[suit]
    run = _run(mask, hand, apart, card)
    inside = relevant & mask
    used = relevant
    if (relevant & run) != ZERO:
        used |= run & (~run + ONE)
    if move >= DECLARE or (special & (ONE << np.uint64(card))) != ZERO:
        return value, used
    floor = np.int64(64) if inside == ZERO else lowest(inside)
    sure = frame[SURE]
    booked = value
    for k in range(frame[AT] + 1, frame[COUNT]):
        other = out[k]
        if other < 0 or other >= DECLARE or rules.suit_of[other] != suit:
            continue
        bit = ONE << np.uint64(other)
        if (bit & special) != ZERO or ((bit & run) == ZERO and max(card, other) >= floor):
            continue
        gain = rules.points[other] - rules.points[card]
        room = abs(gain)
        one_sided = False
        # What the trick brings X changes by `gain` when X wins it, what is left later by as much the other way.
        if sure > 0:
            toward = gain if sure == 1 else -gain
            toward = toward if mine else -toward
            if toward <= 0:
                room = 0
                one_sided = True
        if mine:
            if value + room < need:
                booked = max(booked, value + room)
                out[k] = -1
                if one_sided:
                    used |= _holder(frame)
        elif value - room >= need:
            booked = min(booked, value - room)
            out[k] = -1
            if one_sided:
                used |= _holder(frame)
    return booked, used


@jit
def _holder(frame):
    """Card that a decided trick's claim rests on."""
    return ONE << np.uint64(frame[BEST])


@jit
def search(rules, hands, side, leader, played, state, following, first_lead, need, memory, limit):
    """Ask whether X takes at least `need` points from here on.

    Parameters
    ----------
    rules : Rules
    hands : uint64[seats]
        Cards left; changed during the search and restored. They are part of what `next_deal` was told.
    side : int
        Seats of X, one bit each.
    leader : int
    played : int64[:]
        Bit numbers of the cards on the table, the leader's first.
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
    named = rules.special[0] | rules.special[1]
    marriages = False
    for suit in range(rules.pair.size):
        marriages = marriages or rules.pair[suit] != ZERO

    # In a misere X still collects, but wants little: the other seats maximise.
    up = side if rules.misere == 0 else ~side & ((1 << seats) - 1)
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
    shape = shape_of(rules, hands, memory)
    rank = ZERO
    stale = ~ZERO  # cards of suits whose rank word must be made anew
    got = np.int64(0)
    nodes = np.int64(0)
    ply = 0
    value = np.int64(0)
    relevant = ZERO
    now = np.int64(state)
    then = np.int64(following)

    while True:
        # ---- a new position: ply, seat, place, left, table, best, worth, now, then, got, rest, shape, rank, stale
        nodes += 1
        if limit > 0 and nodes > limit:
            for p in range(ply - 1, -1, -1):
                hands[frames[p, SEAT]] |= ONE << np.uint64(out[p, frames[p, AT]] & (DECLARE - 1))
            return 0, nodes, False
        settled = False
        key = ZERO
        sure = np.int64(0)
        hand = hands[seat]
        if place == 0:
            relevant = ZERO
            if got >= need or left == ZERO:
                value = got
                settled = True
            else:
                tricks = count(hand)
                most = got + rest + tricks * rules.trick_value + rules.last_value
                if marriages:
                    most += _bonus_left(rules, hands, side)
                if most < need:
                    value = most
                    settled = True
                else:
                    for suit in range(rules.suit_mask.size):
                        mask = rules.suit_mask[suit]
                        if (mask & stale) != ZERO:
                            rank = (rank & ~mask) | suit_rank(mask, left, memory)
                    key = shape | (np.uint64(seat) << np.uint64(53)) | (np.uint64(now) << np.uint64(56))
                    if marriages or named != ZERO:
                        key |= _identity(rules, hands, left)
                    found, bound, relevant = probe(rules, memory, key, rank, left, rest, need - got)
                    if found:
                        value = got + bound
                        settled = True
                    elif rules.misere == 0:
                        mine = ((side >> seat) & 1) != 0
                        trump = (now & TRUMP_BITS) - 1
                        low, used = quick_points(rules, hands, left, seat, side, now, tricks, rest)
                        if mine and got + low >= need:
                            value = got + low
                            relevant = used
                            settled = True
                        elif not mine and most - low < need:
                            value = most - low
                            relevant = used
                            settled = True
                        elif trump >= 0 and (not marriages or rules.one_trump != 0 or (key & LIVE) == ZERO):
                            low, used = top_trumps(rules, hands, left, side, trump, tricks)
                            if got + low >= need:
                                value = got + low
                                relevant = used
                                settled = True
                            else:
                                low, used = top_trumps(rules, hands, left, ~side, trump, tricks)
                                if most - low < need:
                                    value = most - low
                                    relevant = used
                                    settled = True
        else:
            sure, used = decided(rules, hands, table, seat, place, side, led, best, best_seat, now)
            if sure == 1:
                gain = got + worth + rules.trick_value
                if gain >= need:
                    value = gain
                    relevant = used
                    settled = True
            elif sure == 2:
                most = got + rest - worth + (count(hand) - 1) * rules.trick_value + rules.last_value
                if count(hand) == 1:
                    most -= rules.last_value
                if marriages:
                    most += _bonus_left(rules, hands, side)
                if most < need:
                    value = most
                    relevant = used
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
            frame[SURE] = sure
            words[ply, TABLE] = table
            words[ply, KEY] = key
            words[ply, RANK] = rank
            words[ply, LEFT] = left
            words[ply, SHAPE] = shape
            words[ply, FAILED] = ZERO
            good, own = legal_and_relevant(rules, hand, left, seat, led if place > 0 else -1, best, now)
            declare = marriages and place == 0 and not (first_lead != 0 and ply == 0)
            special = named
            if marriages:
                for suit in range(rules.pair.size):
                    pair = rules.pair[suit]
                    if pair != ZERO and (hand & pair) == pair:
                        special |= pair
                        if place == 0:
                            own |= pair & (~pair + ONE)
            words[ply, OWN] = own
            words[ply, APART] = special
            n = moves(rules, good, hand, left ^ hand, table, place == 0, declare, out[ply])
            # The card that cut last in such a place comes first; the others are ordered only when it fails.
            follow = ZERO if place == 0 else hand & rules.suit_mask[led]
            part = hand if follow == ZERO else follow
            mixed = (part ^ (np.uint64((seat * 64 + best + 1) * 8 + place) << np.uint64(48))) * np.uint64(
                0x9E3779B97F4A7C15
            )
            slot = np.int64(mixed >> np.uint64(50))
            killer = np.int64(memory.killers[slot]) - 1
            frame[KILLER] = slot
            frame[COUNT] = n
            frame[AT] = -1
            frame[SORTED] = 1 if n == 1 else 0
            if n > 1 and killer >= 0:
                for k in range(n):
                    if out[ply, k] == killer:
                        out[ply, k] = out[ply, 0]
                        out[ply, 0] = killer
                        frame[SORTED] = -1
                        break
            frame[VALUE] = -1 if ((up >> seat) & 1) != 0 else 1 << 40
        else:
            ply -= 1
            if ply < 0:
                return value, nodes, True

        # ---- give values back until some position has a move left to try
        while True:
            frame = frames[ply]
            seat = frame[SEAT]
            mine = ((up >> seat) & 1) != 0
            if settled:
                move = out[ply, frame[AT]]
                hands[seat] |= ONE << np.uint64(move & (DECLARE - 1))
                hand = hands[seat]
                relevant |= words[ply, WON]
                cut = (mine and value >= need) or (not mine and value < need)
                if cut:
                    frame[VALUE] = value
                    words[ply, FAILED] = relevant
                    memory.killers[frame[KILLER]] = np.int16(move + 1)
                    frame[AT] = frame[COUNT] - 1
                else:
                    apart = (words[ply, LEFT] ^ hand) | words[ply, TABLE]
                    if frame[AT] + 1 < frame[COUNT] or relevant != ZERO:
                        value, used = _excuse(
                            rules, out[ply], frame, hand, apart, words[ply, APART], move, value, relevant, need, mine
                        )
                        words[ply, FAILED] |= used
                    frame[VALUE] = max(frame[VALUE], value) if mine else min(frame[VALUE], value)
                    while frame[AT] + 1 < frame[COUNT] and out[ply, frame[AT] + 1] < 0:
                        frame[AT] += 1
                if frame[AT] + 1 >= frame[COUNT]:
                    value = frame[VALUE]
                    relevant = words[ply, FAILED] | words[ply, OWN]
                    if frame[PLACE] == 0:
                        store(
                            rules, memory, words[ply, KEY], words[ply, RANK], words[ply, LEFT], frame[REST], relevant,
                            value - frame[GOT], value >= need,
                        )  # fmt: skip
                    ply -= 1
                    if ply < 0:
                        return value, nodes, True
                    continue
            break

        # ---- play the next move of this position
        frame = frames[ply]
        at = frame[AT] + 1
        place = frame[PLACE]
        best = frame[BEST]
        best_seat = frame[BEST_SEAT]
        now = frame[STATE]
        if frame[SORTED] == 0:
            n = np.int64(0)
            for k in range(at, frame[COUNT]):
                if out[ply, k] >= 0:
                    out[ply, at + n] = out[ply, k]
                    n += 1
            frame[COUNT] = at + n
            if n > 1:
                order(
                    rules, hands, out[ply, at:], n, memory.scores, side, seat, place, frame[LED], best, best_seat,
                    frame[WORTH], now,
                )  # fmt: skip
            frame[SORTED] = 1
        elif frame[SORTED] < 0:
            frame[SORTED] = 0
        frame[AT] = at
        move = out[ply, at]
        card = move & (DECLARE - 1)
        bit = ONE << np.uint64(card)
        then = frame[NEXT]
        got = frame[GOT]
        rest = frame[REST]
        worth = frame[WORTH] + rules.points[card]
        led = frame[LED]
        hands[seat] ^= bit
        left = words[ply, LEFT] ^ bit
        table = words[ply, TABLE] | bit
        shape = words[ply, SHAPE]
        shape ^= ONE << np.uint64(highest(shape & memory.dealt[seat] & rules.suit_mask[rules.suit_of[card]]))
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
        words[ply, WON] = ZERO
        place += 1
        seat += 1
        if seat == seats:
            seat = 0
        if place == seats:
            if ((side >> best_seat) & 1) != 0:
                got += worth + rules.trick_value
                if left == ZERO:
                    got += rules.last_value
            same = table & rules.suit_mask[rules.suit_of[best]]
            if (same & (same - ONE)) != ZERO:
                words[ply, WON] = ONE << np.uint64(best)
            rest -= worth
            seat = best_seat
            place = 0
            worth = 0
            led = -1
            best = -1
            stale = table
            table = ZERO
            now = then
            # The rank word of the trick's start, or of the root, which has none when it lies within a trick.
            if ply + 1 >= seats:
                rank = words[ply + 1 - seats, RANK]
            if ply + 1 - seats < 0 or frames[ply + 1 - seats, PLACE] != 0:
                stale = ~ZERO
        ply += 1


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
