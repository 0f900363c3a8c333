"""Moves that need no search of their own: those that fail because another one failed."""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, highest, lowest
from solver.kernels.tricks import DECLARE

__all__ = ["excuse", "run_of"]


@jit
def run_of(mask, hand, apart, card):
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
def excuse(rules, out, at, n, hand, apart, special, sure, best, move, value, relevant, need, mine, alone):
    """After a failed move: strike the moves that fail with it, and return (value, relevance) to book for all of them.

    A card of the same run, or of the same suit when no rank that low mattered, does as the failed card would, but
    for the difference in their points; on a trick that is decided the difference counts in one direction only.
    """
    card = move & (DECLARE - 1)
    suit = rules.suit_of[card]
    mask = rules.suit_mask[suit]
    run = run_of(mask, hand, apart, card)
    inside = relevant & mask
    used = relevant
    if (relevant & run) != ZERO:
        used |= run & (~run + ONE)
    if alone or move >= DECLARE or (special & (ONE << np.uint64(card))) != ZERO:
        return value, used
    floor = np.int64(64) if inside == ZERO else lowest(inside)
    held = ONE << np.uint64(best) if sure > 0 else ZERO  # what the claim of a decided trick rests on
    booked = value
    for k in range(at + 1, n):
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
        if sure > 0 and gain != 0:
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
                    used |= held
        elif value - room >= need:
            booked = min(booked, value - room)
            out[k] = -1
            if one_sided:
                used |= held
    return booked, used
