"""What the start of a trick is worth at least, or at most, before anything is searched."""

from __future__ import annotations

from solver.kernels._jit import jit
from solver.kernels.bits import ZERO
from solver.kernels.bounds import quick_points, top_trumps
from solver.kernels.pairs import lead_tricks, slow_tricks
from solver.kernels.table import SWITCHES
from solver.kernels.tricks import TRUMP_BITS, leads_of_run

__all__ = ["certain", "partnerships"]

_QUICK = SWITCHES["quick"]
_SLOW = SWITCHES["slow"]


@jit
def partnerships(rules, side):
    """Whether two pairs of partners, sitting crosswise, count tricks with no duty but to follow suit."""
    return (
        rules.seats == 4
        and (side == 5 or side == 10)
        and rules.levels == 0
        and rules.trick_value == 1
        and rules.last_value == 0
        and rules.points[0] == 0
        and rules.misere == 0
        and rules.must_beat == 0
        and rules.must_trump == 0
    )


@jit
def certain(rules, hands, left, seat, side, state, fixed, pairs, tricks, rest, got, most, need, off):
    """Whether bounds settle the question: (settled, value, relevance).

    Parameters
    ----------
    state, fixed : int, bool
        State word of this trick; whether its trump suit stays for the rest of the deal.
    pairs : bool
        `partnerships`.
    tricks, rest : int
        Tricks left, and the card points in them.
    got, most, need : int
        What X has, can have at most, and wants.
    off : int
        Features turned off.
    """
    mine = ((side >> seat) & 1) != 0
    trump = (state & TRUMP_BITS) - 1
    # What the side on lead would have to be certain of, and what the other side.
    here = need - got if mine else most - need + 1
    there = most - need + 1 if mine else need - got
    if (off & _QUICK) == 0:
        if pairs:
            low, used = lead_tricks(rules, hands, left, seat, trump, tricks, here)
        else:
            leads = leads_of_run(rules, hands[seat], left, seat, state)
            low, used = quick_points(rules, hands, leads, left, seat, side, trump, tricks, rest)
        if low >= here:
            return True, got + low if mine else most - low, used
    if (off & _SLOW) != 0:
        return False, got, ZERO
    if pairs:
        low, used = slow_tricks(rules, hands, left, seat, trump, tricks, there)
        if low >= there:
            return True, most - low if mine else got + low, used
    elif trump >= 0 and fixed:
        low, used = top_trumps(rules, hands, left, side, trump, tricks)
        if got + low >= need:
            return True, got + low, used
        low, used = top_trumps(rules, hands, left, ~side, trump, tricks)
        if most - low < need:
            return True, most - low, used
    return False, got, ZERO
