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
from solver.kernels.bits import ONE, ZERO, count, highest, lowest, wrap
from solver.kernels.bounds import bonus_left, decided
from solver.kernels.certain import certain, partnerships
from solver.kernels.excuse import excuse, run_of
from solver.kernels.order import order, sort_moves
from solver.kernels.pairs_order import order_follow, order_lead
from solver.kernels.table import (
    DEALS,
    LIVE,
    SLOTS,
    STAMP,
    STOP,
    SWITCHES,
    WITHOUT,
    identity,
    probe,
    shape_of,
    store,
    suit_rank,
)
from solver.kernels.tricks import CALLED_LED, DECLARE, TRUMP_BITS, beats, legal_and_relevant, moves

__all__ = ["search"]

# Columns of a frame of the stack.
(
    SEAT, PLACE, LED, BEST, BEST_SEAT, WORTH, STATE, NEXT, GOT, REST, COUNT, AT, VALUE, SURE, KILLER, SORTED, SLOT,
) = range(17)  # fmt: skip
# Columns of its words: cards on the table; key and rank word of a trick's start; all hands; shape; relevance of the
# moves that failed, of the position itself, and of the trick that the move now tried completes; cards that stand for
# themselves; legal cards.
TABLE, KEY, RANK, LEFT, SHAPE, FAILED, OWN, WON, APART, GOOD = range(10)

# In SORTED: how far a position's list of moves has come.
ALONE = 2  # only the card that cut last in such a place is in it
LISTED = 0  # the others have been listed
LEAD_FIRST = -1  # listed, the card that cut last put first
ORDERED = 1

#: Nodes between two looks at the wish to stop.
POLL = 1023

_TABLE = SWITCHES["table"]
_RELEVANCE = SWITCHES["relevance"]
_DECIDED = SWITCHES["decided"]
_QUICK = SWITCHES["quick"]
_SLOW = SWITCHES["slow"]
_EXCUSE = SWITCHES["excuse"]
_CUTOFF = SWITCHES["cutoff"]
_ORDER = SWITCHES["order"]


@jit
def _hash_of_place(rules, hands, left, table, hand, seat, place, led, best, best_seat, now, wanted, pairs):
    """Hash of what a cutting card depends on most: the suit that is led, or the hand, and the best card so far."""
    follow = ZERO if place == 0 else hand & rules.suit_mask[led]
    part = hand if follow == ZERO else (left | table) & rules.suit_mask[led]
    extra = best + 1
    if pairs:
        trumps = (now & TRUMP_BITS) != 0
        if place == 0:
            mate = hands[(seat + 2) & 3]
            for suit in range(4):
                extra = extra * 2 + (count(mate & rules.suit_mask[suit]) & 1)
        elif follow == ZERO and not trumps:
            extra = best_seat
        if follow == ZERO and trumps:
            extra += (wanted + 1) << 12
    extra = (extra * 8 + seat) * 8 + place
    mixed = (part ^ (np.uint64(extra) * np.uint64(0xD6E8FEB86659FD93))) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    return mixed * np.uint64(0x9E3779B97F4A7C15)


@jit
def _list_behind(rules, out, frame, word, hand, apart):
    """List the moves of a position whose only one so far was the card that cut last; it stays the first."""
    first = out[0]
    n = moves(rules, word[GOOD], hand, word[LEFT] ^ hand, word[TABLE], frame[PLACE] == 0, False, out)
    run = run_of(rules.suit_mask[rules.suit_of[first]], hand, apart, first)
    if (word[APART] & (ONE << np.uint64(first))) != ZERO:
        run = ZERO
    for k in range(n):
        other = ONE << np.uint64(out[k])
        same = (other & run & ~word[APART]) != ZERO and rules.points[out[k]] == rules.points[first]
        if out[k] == first or same:
            out[k] = out[0]
            out[0] = first
            break
    frame[COUNT] = n
    frame[SORTED] = LISTED


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
    seats = rules.seats
    work = memory.work
    frames = work.frames
    words = work.words
    out = work.moves
    off = work.counters[WITHOUT]
    slots = work.counters[SLOTS] - 1
    stamp = np.uint64(work.counters[DEALS] & STAMP) << np.uint64(40)
    named = rules.called | rules.under
    marriages = False
    for suit in range(rules.pair.size):
        marriages = marriages or rules.pair[suit] != ZERO

    pairs = partnerships(rules, side) and named == ZERO and not marriages
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
            best_seat = wrap(leader + i, seats)
    place = np.int64(played.size)
    seat = wrap(leader + place, seats)
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
        if (limit > 0 and nodes > limit) or ((nodes & POLL) == 0 and work.counters[STOP] != 0):
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
                    most += bonus_left(rules, hands, side)
                if most < need:
                    value = most
                    settled = True
                else:
                    for suit in range(rules.suit_mask.size):
                        mask = rules.suit_mask[suit]
                        if (mask & stale) != ZERO:
                            rank = (rank & ~mask) | suit_rank(rules, suit, left, memory)
                    key = shape | (np.uint64(seat) << np.uint64(53)) | (np.uint64(now) << np.uint64(56))
                    if marriages or named != ZERO:
                        key |= identity(rules, hands, left)
                    if (off & _TABLE) == 0:
                        settled, value, relevant = probe(rules, memory, key, rank, left, rest, need - got)
                        value += got
                    if not settled and rules.misere == 0:
                        fixed = not marriages or rules.one_trump != 0 or (key & LIVE) == ZERO
                        settled, value, relevant = certain(
                            rules, hands, left, seat, side, now, fixed, pairs, tricks, rest, got,
                            most, need, off,
                        )  # fmt: skip
        else:
            used = ZERO
            # Where no card counts, it matters only if this trick settles the question.
            if (off & _DECIDED) == 0 and (not pairs or got + 1 >= need or got + count(hand) - 1 < need):
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
                    most += bonus_left(rules, hands, side)
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
            if pairs:
                own = ZERO
                good = hand
                if place > 0:
                    good = hand & rules.suit_mask[led]
                    if good == ZERO:
                        good = hand
            else:
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
            # The card that cut last in such a place comes first; the others are listed and ordered when it fails.
            killer = np.int64(-1)
            if (off & _CUTOFF) == 0:
                mixed = _hash_of_place(
                    rules, hands, left, table, hand, seat, place, led, best, best_seat, now, need - got, pairs
                )
                slot = np.int64(mixed >> np.uint64(40)) & slots
                tag = np.int64(((mixed & np.uint64(0xFFFFFFFF)) << np.uint64(8)) | stamp)
                frame[SLOT] = slot
                frame[KILLER] = tag
                killer = work.killers[slot]
                killer = (killer & 0xFF) - 1 if (killer & ~0xFF) == tag else -1
            frame[AT] = -1
            words[ply, GOOD] = good
            if (good & (good - ONE)) == ZERO:
                out[ply, 0] = lowest(good)
                frame[COUNT] = 1
                frame[SORTED] = ORDERED
            elif not declare and killer >= 0 and killer < DECLARE and ((good >> np.uint64(killer)) & ONE) != ZERO:
                out[ply, 0] = killer
                frame[COUNT] = 1
                frame[SORTED] = ALONE
            else:
                n = moves(rules, good, hand, left ^ hand, table, place == 0, declare, out[ply])
                frame[COUNT] = n
                frame[SORTED] = ORDERED if n == 1 else LISTED
                if n > 1 and killer >= 0:
                    for k in range(n):
                        if out[ply, k] == killer:
                            out[ply, k] = out[ply, 0]
                            out[ply, 0] = killer
                            frame[SORTED] = LEAD_FIRST
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
                    if (off & _CUTOFF) == 0:
                        work.killers[frame[SLOT]] = frame[KILLER] | (move + 1)
                    frame[AT] = frame[COUNT] - 1
                else:
                    apart = (words[ply, LEFT] ^ hand) | words[ply, TABLE]
                    if frame[SORTED] == ALONE:
                        _list_behind(rules, out[ply], frame, words[ply], hand, apart)
                    if frame[AT] + 1 < frame[COUNT] or relevant != ZERO:
                        value, used = excuse(
                            rules, out[ply], frame[AT], frame[COUNT], hand, apart, words[ply, APART], frame[SURE],
                            frame[BEST], move, value, relevant, need, mine, (off & _EXCUSE) != 0,
                        )  # fmt: skip
                        words[ply, FAILED] |= used
                    frame[VALUE] = max(frame[VALUE], value) if mine else min(frame[VALUE], value)
                    while frame[AT] + 1 < frame[COUNT] and out[ply, frame[AT] + 1] < 0:
                        frame[AT] += 1
                if frame[AT] + 1 >= frame[COUNT]:
                    value = frame[VALUE]
                    relevant = words[ply, FAILED] | words[ply, OWN]
                    if frame[PLACE] == 0 and (off & _TABLE) == 0:
                        if (off & _RELEVANCE) != 0:
                            relevant = words[ply, LEFT]
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
        if frame[SORTED] == LISTED:
            n = np.int64(0)
            for k in range(at, frame[COUNT]):
                if out[ply, k] >= 0:
                    out[ply, at + n] = out[ply, k]
                    n += 1
            frame[COUNT] = at + n
            if n > 1 and (off & _ORDER) == 0:
                seat = frame[SEAT]
                rest_of = out[ply, at:]
                trump = (now & TRUMP_BITS) - 1
                if not pairs:
                    order(
                        rules, hands, rest_of, n, work.scores, side, seat, place, frame[LED], best, best_seat,
                        frame[WORTH], now,
                    )  # fmt: skip
                elif place == 0:
                    order_lead(rules, hands, rest_of, n, work.scores, seat, trump)
                else:
                    order_follow(rules, hands, rest_of, n, work.scores, seat, place, frame[LED], best, best_seat, trump)
                sort_moves(rest_of, n, work.scores)
            frame[SORTED] = ORDERED
        elif frame[SORTED] == LEAD_FIRST:
            frame[SORTED] = LISTED
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
        shape ^= ONE << np.uint64(highest(shape & memory.work.dealt[seat] & rules.suit_mask[rules.suit_of[card]]))
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
