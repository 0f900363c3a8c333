"""Bounds that need no search: tricks already decided, masters that cannot be stopped.

Each returns with the cards whose rank it used.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, wrap
from solver.kernels.tricks import TRUMP_BITS

__all__ = ["bonus_left", "decided", "quick_points", "top_trumps"]


@jit
def bonus_left(rules, hands, side):
    """Most that X can still get by declaring marriages."""
    total = 0
    for suit in range(rules.pair.size):
        pair = rules.pair[suit]
        if pair != ZERO:
            for seat in range(rules.seats):
                if ((side >> seat) & 1) != 0 and (hands[seat] & pair) == pair:
                    total += rules.bonus[suit]
    return total


@jit
def decided(rules, hands, table, seat, place, side, led, best, best_seat, state):
    """Whether the trick on the table is lost to one side whatever comes.

    Returns
    -------
    int
        0 undecided, 1 for X, 2 for the others.
    uint64
        Cards whose rank the answer rests on.
    """
    seats = rules.seats
    trump = (state & TRUMP_BITS) - 1
    holder = (side >> best_seat) & 1
    suit = rules.suit_of[best]
    mask = rules.suit_mask[suit]
    above = mask & ~((ONE << np.uint64(best + 1)) - ONE)
    compared = table & mask
    if (compared & (compared - ONE)) != ZERO:
        compared = ONE << np.uint64(best)  # it has beaten a card of its suit already
    else:
        compared = ZERO
    for i in range(seats - place):
        other = wrap(seat + i, seats)
        if ((side >> other) & 1) == holder:
            continue
        hand = hands[other]
        void = (hand & rules.suit_mask[led]) == ZERO
        if suit == led:
            if (hand & above) != ZERO:
                return 0, ZERO
            if void and trump >= 0 and trump != led and (hand & rules.suit_mask[trump]) != ZERO:
                return 0, ZERO
            if (hand & mask) != ZERO:
                compared = ONE << np.uint64(best)
        elif void:
            if (hand & above) != ZERO:
                return 0, ZERO
            if (hand & mask) != ZERO:
                compared = ONE << np.uint64(best)
    return (1 if holder != 0 else 2), compared


@jit
def _cheapest(rules, hand, k):
    """Points of the k cheapest cards of a hand."""
    total = np.int64(0)
    for level in range(rules.levels):
        cheap = count(hand & ~rules.at_least[level])
        if k > cheap:
            total += (k - cheap) * rules.step[level]
    return total


@jit
def quick_points(rules, hands, leads, left, seat, side, trump, tricks, rest):
    """Points that the seat on lead takes for its side by leading masters that nobody can ruff.

    Masters are looked for among `leads`, the cards that it may lead one after another, not in the whole hand.

    Trumps first, then each suit as long as no other seat with a trump left can be void in it; partners count as
    ruffers, since a duty to trump may force them. Other seats throw at least their cheapest cards.

    Returns
    -------
    int
        Points of the tricks, the lowest card value taken as 0 where cards are worth that.
    uint64
        The lowest master counted in each suit.
    """
    seats = rules.seats
    hand = hands[seat]
    total = np.int64(0)
    led = np.int64(0)
    used = ZERO
    drawn = np.int64(0)
    if trump >= 0:
        mask = rules.suit_mask[trump]
        others = left & mask & ~hand
        mine = leads & mask
        if mine != ZERO:
            masters = mine
            if others != ZERO:
                masters = mine & ~((ONE << np.uint64(highest(others))) - ONE)
            n = count(masters)
            if n > 0:
                longest = np.int64(0)
                for i in range(1, seats):
                    longest = max(longest, count(hands[wrap(seat + i, seats)] & mask))
                drawn = n
                # Once nobody else has a trump, every one left is a master.
                if n >= longest:
                    masters = mine
                    n = count(mine)
                led += n
                if longest > 0:
                    top = masters
                    for _ in range(max(0, n - drawn)):
                        top &= top - ONE
                    used |= top & (~top + ONE)
                w = masters
                while w != ZERO:
                    card = highest(w)
                    w ^= ONE << np.uint64(card)
                    total += rules.points[card]
    for suit in range(rules.suit_mask.size):
        mask = rules.suit_mask[suit]
        mine = leads & mask
        if suit == trump or mine == ZERO:
            continue
        others = left & mask & ~hand
        masters = mine
        if others != ZERO:
            masters = mine & ~((ONE << np.uint64(highest(others))) - ONE)
        n = count(masters)
        if n == 0:
            continue
        longest = np.int64(0)
        safe = np.int64(64)
        for i in range(1, seats):
            other = hands[wrap(seat + i, seats)]
            length = count(other & mask)
            longest = max(longest, length)
            if trump >= 0 and count(other & rules.suit_mask[trump]) > drawn:
                safe = min(safe, length)
        high = n
        if n >= longest:
            masters = mine
            n = count(mine)
        n = min(n, safe)
        if n == 0:
            continue
        led += n
        k = np.int64(0)
        w = masters
        low = ZERO
        while k < n:
            card = highest(w)
            bit = ONE << np.uint64(card)
            w ^= bit
            total += rules.points[card]
            k += 1
            if k <= high:
                low = bit
        if longest > 0:
            used |= low
    if led == 0:
        return 0, ZERO
    total += led * rules.trick_value
    if led >= tricks:
        return rest + tricks * rules.trick_value + rules.last_value, used
    for i in range(1, seats):
        total += _cheapest(rules, hands[wrap(seat + i, seats)], led)
    return total, used


@jit
def top_trumps(rules, hands, left, side, trump, tricks):
    """Points that a side takes with the highest trumps, which it holds in an unbroken run: (points, relevance).

    Each of one seat's cards in the run wins a trick of its own for the side, whoever leads; every other seat throws at
    least its cheapest cards to them.
    """
    seats = rules.seats
    mask = rules.suit_mask[trump]
    own = ZERO
    against = ZERO
    for seat in range(seats):
        if ((side >> seat) & 1) != 0:
            own |= hands[seat] & mask
        else:
            against |= hands[seat] & mask
    if against != ZERO:
        own &= ~((ONE << np.uint64(highest(against))) - ONE)
    best = np.int64(0)
    used = ZERO
    if own == ZERO:
        return best, used
    for seat in range(seats):
        run = hands[seat] & own
        n = count(run)
        if n == 0:
            continue
        total = n * rules.trick_value + (rules.last_value if n == tricks else 0)
        for level in range(rules.levels):
            total += count(run & rules.at_least[level]) * rules.step[level]
        for other in range(seats):
            if other != seat:
                total += _cheapest(rules, hands[other], n)
        if total > best:
            best = total
            used = run & (~run + ONE) if against != ZERO else ZERO
    return best, used
