"""The tree of a game in which one seat does not know the hidden cards and the others see everything.

A *node* is a public history: what the seat knows beside its own hand. A *slot* is a node in one world: what the others
know. A world that is lost double dummy stays lost whatever the seat does, so no slot is made for it, and where the seat
wins all worlds left by one plan, nothing below matters: what is left of a tree is what hidden cards make hard.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, lowest, wrap
from solver.kernels.bounds import bonus_left
from solver.kernels.tricks import CALLED_LED, DECLARE, TRUMP_BITS, beats, legal, moves

__all__ = ["OTHERS", "OWN", "WON", "grow", "plant", "prune"]

#: What a node is: the others or the seat are on turn, or the question is settled for the seat.
OTHERS, OWN, WON = range(3)

# Columns of a frame of the stack.
SEAT, PLACE, LED, BEST, BEST_SEAT, WORTH, STATE, NEXT, GOT, REST, TABLE, COUNT, AT, ALIVE, SLOT = range(15)


@jit
def grow(
    rules, hands, me, unseen, leader, played, state, following, first_lead, need, sure, up, move, kind, start, frames,
    out, limit,
):  # fmt: skip
    """Write the slots of one world, those that are won double dummy, each after the one that it follows.

    Parameters
    ----------
    rules : Rules
    hands : uint64[seats]
        Cards left; changed on the way and restored unless the limit comes first.
    me : int
        The seat that does not know the cards and collects alone.
    unseen : uint64
        Cards that it does not see, the same in all worlds.
    leader, played, state, following, first_lead
        As for `solver.kernels.search.search`.
    need : int
        Points that the seat must take from here on; in a misere those that it may take.
    sure : int
        Points from here on that are enough in every world.
    up, move, kind : int32[:], int16[:], int8[:]
        Receive, by slot, the slot before, the move that led here (`DECLARE` added for a marriage) and what the node is;
        -1 and -1 for the first.
    start : int
        First slot to write.
    frames : int64[plies, 15]
    out : int64[plies, moves]
        Room for the stack.
    limit : int
        Positions after which to give up.

    Returns
    -------
    end : int
        The slot after the last one; `start` in a lost world, -1 where there was no more room or the limit came.
    visits : int
        Positions looked at.
    """
    seats = rules.seats
    side = 1 << me
    marriages = False
    for suit in range(rules.pair.size):
        marriages = marriages or rules.pair[suit] != ZERO
    left = ZERO
    rest = np.int64(0)
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
    now = np.int64(state)
    then = np.int64(following)
    for i in range(played.size):
        card = played[i]
        worth += rules.points[card]
        table |= ONE << np.uint64(card)
        if i == 0:
            led = rules.suit_of[card]
        if i == 0 or beats(rules, card, best, (now & TRUMP_BITS) - 1):
            best = card
            best_seat = wrap(leader + i, seats)
    rest += worth
    place = np.int64(played.size)
    seat = wrap(leader + place, seats)
    got = np.int64(0)
    visits = np.int64(0)
    end = np.int64(start)
    ply = 0

    while True:
        # ---- a new position: is it settled?
        visits += 1
        if visits > limit or end >= up.size:
            return -1, visits
        settled = False
        alive = False
        if place == 0:
            if left == ZERO:
                settled = True
                alive = got <= need if rules.misere != 0 else got >= need
            elif rules.misere != 0:
                settled = got > need
            elif got >= sure:
                settled = True
                alive = True
            else:
                most = got + rest + count(hands[seat]) * rules.trick_value + rules.last_value
                if marriages:
                    most += bonus_left(rules, hands, side)
                settled = most < need
        if alive or not settled:
            up[end] = frames[ply - 1, SLOT] if ply > 0 else -1
            move[end] = out[ply - 1, frames[ply - 1, AT]] if ply > 0 else -1
            kind[end] = WON if alive else OWN if seat == me else OTHERS
            end += 1
        if settled:
            ply -= 1
        else:
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
            frame[TABLE] = np.int64(table)
            frame[AT] = -1
            frame[ALIVE] = 0
            frame[SLOT] = end - 1
            good = legal(rules, hands[seat], left, seat, led if place > 0 else -1, best, now)
            declare = marriages and place == 0 and not (first_lead != 0 and ply == 0)
            if seat == me:
                # Cards of one run are one move for the seat, whatever lies where: only unseen cards part them.
                n = moves(rules, good, hands[me], unseen, table, place == 0, declare, out[ply])
            else:
                # Which card of a run another seat plays tells something, so that each is a move of its own.
                n = 0
                while good != ZERO:
                    card = lowest(good)
                    bit = ONE << np.uint64(card)
                    good ^= bit
                    pair = rules.pair[rules.suit_of[card]]
                    if declare and (pair & bit) != ZERO and (pair & hands[seat]) == pair:
                        out[ply, n] = card + DECLARE
                        n += 1
                    out[ply, n] = card
                    n += 1
            frame[COUNT] = n

        # ---- give results back until some position has a move left to try
        while True:
            if ply < 0:
                return end, visits
            frame = frames[ply]
            seat = frame[SEAT]
            if settled:
                card = out[ply, frame[AT]] & (DECLARE - 1)
                bit = ONE << np.uint64(card)
                hands[seat] |= bit
                left |= bit
                if seat != me:
                    unseen |= bit
                frame[ALIVE] += 1 if alive else 0
                if not alive and seat != me:
                    frame[ALIVE] = 0
                    frame[AT] = frame[COUNT] - 1
                if frame[AT] + 1 >= frame[COUNT]:
                    alive = frame[ALIVE] > 0
                    if not alive:
                        end = frame[SLOT]
                    ply -= 1
                    continue
            break

        # ---- play the next move of this position
        frame[AT] += 1
        place = frame[PLACE]
        led = frame[LED]
        best = frame[BEST]
        best_seat = frame[BEST_SEAT]
        now = frame[STATE]
        then = frame[NEXT]
        got = frame[GOT]
        step = out[ply, frame[AT]]
        card = step & (DECLARE - 1)
        bit = ONE << np.uint64(card)
        worth = frame[WORTH] + rules.points[card]
        hands[seat] ^= bit
        left ^= bit
        table = np.uint64(frame[TABLE]) | bit
        rest = frame[REST]
        if seat != me:
            unseen &= ~bit
        if place == 0:
            led = rules.suit_of[card]
            best = card
            best_seat = seat
            if step >= DECLARE:
                if seat == me:
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
        seat = wrap(seat + 1, seats)
        if place == seats:
            if best_seat == me:
                got += worth + rules.trick_value
                if left == ZERO:
                    got += rules.last_value
            rest -= worth
            seat = best_seat
            place = 0
            table = ZERO
            worth = 0
            led = -1
            best = -1
            now = then
        ply += 1


@jit
def plant(up, move, kind, node, start, end, parent, step, what, child, sibling, size):
    """Find or make the nodes of some slots.

    Parameters
    ----------
    up, move, kind : int32[:], int16[:], int8[:]
        Of the slots, from `grow`.
    node : int32[:]
        Receives the node of each.
    start, end : int
        Slots of one world.
    parent, step, what : int32[:], int16[:], int8[:]
        Of the nodes, grown here: the node before, the move from there, what it is.
    child, sibling : int32[:]
        First node after each, and the next one after the same node; -1 for none.
    size : int
        Nodes so far.

    Returns
    -------
    size : int
        Nodes now; there are never more than slots.
    """
    for s in range(start, end):
        before = -1 if up[s] < 0 else node[up[s]]
        at = child[before] if before >= 0 else min(size, 1) - 1
        while at >= 0 and step[at] != move[s]:
            at = sibling[at]
        if at < 0:
            at = size
            size += 1
            parent[at] = before
            step[at] = move[s]
            what[at] = kind[s]
            child[at] = -1
            sibling[at] = -1
            if before >= 0:
                sibling[at] = child[before]
                child[before] = at
        node[s] = at
    return size


@jit
def prune(parent, what, size, up, node, slots, held, sure, new):
    """Settle nodes at which the seat wins all worlds that are left by one plan, and close the gaps below them.

    Parameters
    ----------
    parent, what : int32[:], int8[:]
        Of the nodes; changed.
    size : int
        Number of nodes.
    up, node : int32[:]
        Of the slots; changed.
    slots : int
        Number of slots.
    held, sure, new : int32[size], int8[size], int32[max(size, slots)]
        Room to work.

    Returns
    -------
    size, slots : int
        Nodes and slots that are left.
    """
    for h in range(size):
        held[h] = 0
        sure[h] = 0
    for s in range(slots):
        held[node[s]] += 1
    # Until a node is reached, from the last up, `sure` says of one of the seat's own that a move wins everything, and
    # of one of the others that some move of theirs leaves the question open.
    for h in range(size - 1, -1, -1):
        if what[h] == WON or held[h] == 1:
            sure[h] = 1
        elif what[h] == OTHERS:
            sure[h] = 1 - sure[h]
        p = parent[h]
        if p >= 0:
            if what[p] == OWN:
                if sure[h] == 1 and held[h] == held[p]:
                    sure[p] = 1
            elif sure[h] == 0:
                sure[p] = 1
    # From now on `new` is the number that a node gets, -1 where it goes.
    kept = 0
    for h in range(size):
        p = parent[h]
        if p >= 0 and (new[p] < 0 or sure[p] == 1):
            new[h] = -1
            continue
        new[h] = kept
        parent[kept] = -1 if p < 0 else new[p]
        what[kept] = WON if sure[h] == 1 else what[h]
        kept += 1
    for s in range(slots):
        node[s] = new[node[s]]
    left = 0
    for s in range(slots):
        if node[s] < 0:
            continue
        new[s] = left
        up[left] = -1 if up[s] < 0 else new[up[s]]
        node[left] = node[s]
        left += 1
    return kept, left
