"""Which move to try first.

Nothing here changes a value; a good order makes cut-offs come early. The score of a move is what the trick would bring
its own side, then how often the card did well in this place before.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO
from solver.kernels.tricks import DECLARE, TRUMP_BITS, beats

__all__ = ["order"]


@jit
def order(rules, hands, out, n, scores, memory, side, seat, place, led, best, best_seat, worth, state, first):
    """Sort the moves in `out`, best first.

    Parameters
    ----------
    hands : uint64[seats]
    out : int64[:]
        The moves, sorted in place.
    n : int
        How many.
    scores : int64[:]
        Scratch.
    side : int
        Collecting seats, one bit each.
    place : int
        Cards already on the table.
    best, best_seat, worth : int
        Winning card so far, its seat, and the points on the table.
    first : int
        Move to try before all others, -1 for none.
    """
    seats = len(rules.seats)
    trump = (state & TRUMP_BITS) - 1
    mine = (side >> seat) & 1
    against = ZERO
    partners = ZERO
    after = ZERO  # cards of opponents still to play to this trick
    for i in range(1, seats):
        other = (seat + i) % seats
        if ((side >> other) & 1) == mine:
            partners |= hands[other]
        else:
            against |= hands[other]
            if place + i < seats:
                after |= hands[other]
    if place == 0:
        after = against
    for k in range(n):
        move = out[k]
        card = move & (DECLARE - 1)
        suit = rules.suit_of[card]
        points = rules.points[card]
        bit = ONE << np.uint64(card)
        higher = rules.suit_mask[suit] & ~((bit << ONE) - ONE)
        score = np.int64(0)
        if place == 0:
            score = np.int64(40) - 3 * points
            if (after & higher) == ZERO:
                score = 200 + 6 * points
            elif (partners & higher) != ZERO and (partners & higher) > (after & higher):
                score = 90 + 2 * points
            if trump >= 0 and suit != trump:
                # A plain lead that an opponent ruffs is worth nothing.
                for i in range(1, seats):
                    other = (seat + i) % seats
                    if ((side >> other) & 1) != mine and (hands[other] & rules.suit_mask[suit]) == ZERO:
                        if (hands[other] & rules.suit_mask[trump]) != ZERO:
                            score -= 150 + 4 * points
                            break
            if move >= DECLARE:
                score += 400
        else:
            wins = beats(rules, card, best, trump)
            top = card if wins else best
            ours = wins or ((side >> best_seat) & 1) == mine
            top_suit = rules.suit_of[top]
            danger = after & rules.suit_mask[top_suit] & ~((ONE << np.uint64(top + 1)) - ONE)
            safe = danger == ZERO
            if safe and trump >= 0 and top_suit != trump:
                for i in range(1, seats - place):
                    other = (seat + i) % seats
                    if ((side >> other) & 1) != mine and (hands[other] & rules.suit_mask[led]) == ZERO:
                        if (hands[other] & rules.suit_mask[trump]) != ZERO:
                            safe = False
                            break
            rank = np.int64(card)
            if ours and safe:
                score = 400 + 6 * points + 4 * worth
                score -= rank if wins else 0
            elif ours:
                score = 200 + 2 * worth - 2 * points + (rank if wins else 0)
            else:
                score = 100 - 6 * points - rank
                if suit == trump:
                    score -= 40
        scores[k] = (score if rules.misere == 0 else -score) * 8 + memory.history[seat, card]
        if move == first:
            scores[k] += 1 << 40
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
