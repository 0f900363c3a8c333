"""Each seat for itself: max-n over a whole deal, with the tie rule of RULES.md 1.7.

Every seat maximises its own points. Cards are examined in layout order, lowest bit first, and a seat changes its mind
only for a strict improvement of its own; with ties the answer depends on that rule, so it is part of the result.
Unpruned: meant for the kit and for endings.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit_allocating
from solver.kernels.bits import ONE, ZERO, lowest, wrap
from solver.kernels.table import MAX_PLIES
from solver.kernels.tricks import TRUMP_BITS, beats, legal

__all__ = ["max_n", "max_n_batch"]


@jit_allocating
def max_n(rules, hands, leader, played, state, out):
    """Write the points of each seat from here on to `out`; returns the number of positions visited.

    Marriages are not offered (each-for-self contracts have none).
    """
    seats = rules.seats
    rest = np.zeros(MAX_PLIES, np.uint64)  # legal cards still to examine
    chosen = np.zeros(MAX_PLIES, np.int64)
    turn = np.zeros(MAX_PLIES, np.int64)
    places = np.zeros(MAX_PLIES, np.int64)
    tops = np.zeros(MAX_PLIES, np.int64)
    top_seats = np.zeros(MAX_PLIES, np.int64)
    worths = np.zeros(MAX_PLIES, np.int64)
    leds = np.zeros(MAX_PLIES, np.int64)
    bests = np.zeros((MAX_PLIES, seats), np.int64)  # best vector so far, own entry -1 before the first card
    gains = np.zeros((MAX_PLIES, 2), np.int64)  # seat and points of a trick finished by the card now tried
    trump = (state & TRUMP_BITS) - 1
    nodes = np.int64(0)

    ply = 0
    seat = wrap(leader + played.size, seats)
    place = np.int64(played.size)
    best = np.int64(-1)
    best_seat = np.int64(-1)
    worth = np.int64(0)
    led = np.int64(-1)
    for i in range(played.size):
        card = played[i]
        worth += rules.points[card]
        if i == 0:
            led = rules.suit_of[card]
        if i == 0 or beats(rules, card, best, trump):
            best = card
            best_seat = wrap(leader + i, seats)
    vector = np.zeros(seats, np.int64)
    while True:
        nodes += 1
        left = ZERO
        for s in range(seats):
            left |= hands[s]
        if left == ZERO:
            vector[:] = 0
            ply -= 1
            if ply < 0:
                out[:] = vector
                return nodes
        else:
            rest[ply] = legal(rules, hands[seat], left, seat, led if place > 0 else -1, best, state)
            turn[ply] = seat
            places[ply] = place
            tops[ply] = best
            top_seats[ply] = best_seat
            worths[ply] = worth
            leds[ply] = led
            bests[ply, :] = 0
            bests[ply, seat] = -1
            chosen[ply] = -1
        while True:
            seat = turn[ply]
            if chosen[ply] >= 0:
                hands[seat] |= ONE << np.uint64(chosen[ply])
                if gains[ply, 0] >= 0:
                    vector[gains[ply, 0]] += gains[ply, 1]
                if vector[seat] > bests[ply, seat]:
                    bests[ply, :] = vector
            if rest[ply] != ZERO:
                break
            vector[:] = bests[ply]
            ply -= 1
            if ply < 0:
                out[:] = vector
                return nodes
        card = lowest(rest[ply])
        rest[ply] &= rest[ply] - ONE
        chosen[ply] = card
        hands[seat] ^= ONE << np.uint64(card)
        place = places[ply]
        best = tops[ply]
        best_seat = top_seats[ply]
        led = leds[ply]
        worth = worths[ply] + rules.points[card]
        if place == 0:
            led = rules.suit_of[card]
        if place == 0 or beats(rules, card, best, trump):
            best = card
            best_seat = seat
        place += 1
        seat = wrap(seat + 1, seats)
        gains[ply, 0] = -1
        if place == seats:
            left = ZERO
            for s in range(seats):
                left |= hands[s]
            gains[ply, 0] = best_seat
            gains[ply, 1] = worth + rules.trick_value + (rules.last_value if left == ZERO else 0)
            seat = best_seat
            place = 0
            worth = 0
            led = -1
            best = -1
        ply += 1


@jit_allocating
def max_n_batch(rules, deals, leader, state, out):
    """`max_n` of each deal at the start of a trick: uint64[n, seats] -> int64[n, seats]."""
    nothing = np.empty(0, np.int64)
    hands = np.empty(deals.shape[1], np.uint64)
    for i in range(deals.shape[0]):
        for s in range(deals.shape[1]):
            hands[s] = deals[i, s]
        max_n(rules, hands, leader, nothing, state, out[i])
