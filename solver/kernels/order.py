"""Which move to try first.

Nothing here changes a value; a good order makes cut-offs come early. The score of a move is the swing of its trick:
what it brings if our side's best card, played or still to come, wins it, and what it costs if not.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ZERO, count, highest, wrap
from solver.kernels.tricks import DECLARE, TRUMP_BITS

__all__ = ["order", "sort_moves"]

# Weights, found by coordinate search on the node counts of the recorded suites.
SURE = 400  # the trick is ours whatever this seat plays
SURE_POINTS = 2
NEEDED = 200  # this card is what wins it
NEEDED_WORTH = 4
NEEDED_POINTS = 3
LEAD_NEEDED = 100  # more for a lead that wins by itself
LEAD_POINTS = 8
LOST_POINTS = 6
LOST_RANK = 3
TRUMP_RANK = 3  # a trump counts as so many ranks higher
REPLIES = 6  # fewer answers for the other side make smaller trees
MARRIAGE = 4000


@jit
def _reply(rules, hand, suit, trump):
    """Strength of the best card that a hand can play to a suit: trumps above all, -1 for none that counts."""
    follow = hand & rules.suit_mask[suit]
    if follow != ZERO:
        return highest(follow) + (64 if suit == trump else 0)
    if trump >= 0:
        trumps = hand & rules.suit_mask[trump]
        if trumps != ZERO:
            return highest(trumps) + 64
    return np.int64(-1)


@jit
def order(rules, hands, out, n, scores, side, seat, place, led, best, best_seat, worth, state):
    """Score the moves in `out`.

    Parameters
    ----------
    hands : uint64[seats]
    out : int64[:]
        The moves.
    n : int
        How many.
    scores : int64[:]
        Receives a score for each, the best highest.
    side : int
        Seats of one side, one bit each.
    place : int
        Cards already on the table.
    best, best_seat, worth : int
        Winning card so far, its seat, and the points on the table.
    """
    seats = rules.seats
    trump = (state & TRUMP_BITS) - 1
    mine = (side >> seat) & 1
    ours = np.int64(-1)
    theirs = np.int64(-1)
    replies = np.int64(0)
    if place > 0:
        now = best + (64 if rules.suit_of[best] == trump else 0)
        if ((side >> best_seat) & 1) == mine:
            ours = now
        else:
            theirs = now
        for i in range(1, seats - place):
            other = wrap(seat + i, seats)
            reply = _reply(rules, hands[other], led, trump)
            if ((side >> other) & 1) == mine:
                ours = max(ours, reply)
            else:
                theirs = max(theirs, reply)
    done = np.int64(-1)
    for k in range(n):
        move = out[k]
        card = move & (DECLARE - 1)
        suit = rules.suit_of[card]
        points = rules.points[card]
        strength = np.int64(-1)
        if place == 0:
            if suit != done:
                done = suit
                ours = -1
                theirs = -1
                replies = 0
                for i in range(1, seats):
                    other = wrap(seat + i, seats)
                    reply = _reply(rules, hands[other], suit, trump)
                    if ((side >> other) & 1) == mine:
                        ours = max(ours, reply)
                    else:
                        theirs = max(theirs, reply)
                        follow = hands[other] & rules.suit_mask[suit]
                        replies += count(follow if follow != ZERO else hands[other])
            strength = card + (64 if suit == trump else 0)
        elif suit == trump:
            strength = card + 64
        elif suit == led:
            strength = np.int64(card)
        rank = card + (TRUMP_RANK if suit == trump else 0)
        if ours > theirs:
            score = SURE + SURE_POINTS * points - rank
        elif strength > theirs:
            score = NEEDED + NEEDED_WORTH * worth + NEEDED_POINTS * points - rank
            if place == 0:
                score += LEAD_NEEDED + LEAD_POINTS * points
        else:
            score = -LOST_POINTS * points - LOST_RANK * rank
        if place == 0:
            score -= REPLIES * replies
            if move >= DECLARE:
                score += MARRIAGE
        scores[k] = score if rules.misere == 0 else -score


@jit
def sort_moves(out, n, scores):
    """Sort the first n moves by their scores, highest first; equal ones keep their order."""
    for k in range(1, n):
        move = out[k]
        score = scores[k]
        j = k - 1
        while j >= 0 and scores[j] < score:
            scores[j + 1] = scores[j]
            out[j + 1] = out[j]
            j -= 1
        scores[j + 1] = score
        out[j + 1] = move
