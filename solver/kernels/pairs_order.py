"""Which card to try first where two partnerships sit crosswise and count tricks, as in bridge and whist.

The groups follow what bridge players are taught: leads through strength and up to weakness, second hand low, third hand
high but no higher than needed, the cheapest ruff, discards from length. Nothing here changes a value.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, lowest

__all__ = ["order_follow", "order_lead"]

# Groups of leads, the best first, and what lies between two of them.
RUFF, FINESSE, STRONG, NEUTRAL, SHORT, TENACE, TRUMPS, RUFFED = range(8)
GROUP = 1000

#: Below every group: cards between the highest and the lowest of a hand's suit.
MIDDLE = -100 * GROUP


@jit
def _top(cards):
    """Bit of the highest card, 0 where there is none."""
    return ZERO if cards == ZERO else ONE << np.uint64(highest(cards))


@jit
def _lead_group(hands, seat, mask, trumps):
    """Kind of lead that a suit offers."""
    lho = hands[(seat + 1) & 3]
    rho = hands[(seat + 3) & 3]
    mate = hands[(seat + 2) & 3]
    a = hands[seat] & mask
    x = lho & mask
    b = mate & mask
    y = rho & mask
    if mask == trumps:
        return TRUMPS
    if (x == ZERO and (lho & trumps) != ZERO) or (y == ZERO and (rho & trumps) != ZERO):
        return RUFFED
    ours = a | b
    rest = ours | x | y
    first = _top(rest)
    second = _top(rest ^ first)
    rest ^= first | second
    third = _top(rest)
    fourth = _top(rest ^ third)
    fifth = _top(rest ^ (third | fourth))
    if count(b) >= 2 and count(x) >= 2:
        # An honour on the left can be caught, or the partner's promoted.
        if (b & second) != ZERO and (x & first) != ZERO:
            return FINESSE
        pair = third | fourth
        if (b & first) != ZERO and (x & second) != ZERO and ((b & third) != ZERO or (ours & pair) == pair):
            return FINESSE
        pair = fourth | fifth
        if (b & second) != ZERO and (x & third) != ZERO and ((b & fourth) != ZERO or (ours & pair) == pair):
            return FINESSE
    if trumps != ZERO and count(a) >= 2 and count(y) >= 2:
        # Leading away from an honour that the right-hand opponent would otherwise have to lead up to.
        if (a & first) != ZERO and (y & second) != ZERO:
            return TENACE
        if (a & second) != ZERO and (y & first) != ZERO and (ours & third) == ZERO:
            return TENACE
    if x != ZERO and y != ZERO:
        if count(ours & (first | second | third)) >= 2:
            return STRONG
        if (
            b == ZERO
            and (mate & trumps) != ZERO
            and count(mate & trumps) <= count(hands[seat] & trumps)
            and (a & (~a + ONE)) != first
        ):
            return RUFF
    return SHORT if b == ZERO or x == ZERO or y == ZERO else NEUTRAL


@jit
def order_lead(rules, hands, out, n, scores, seat, trump):
    """Score the leads in `out`, which has each suit's from the top.

    Parameters
    ----------
    hands : uint64[4]
    out : int64[:]
        The moves.
    n : int
        How many.
    scores : int64[:]
        Receives a score for each, the best highest.
    seat, trump : int
    """
    trumps = ZERO if trump < 0 else rules.suit_mask[trump]
    suit = np.int64(-1)
    group = NEUTRAL
    top = True
    for k in range(n):
        top = rules.suit_of[out[k]] != suit
        suit = rules.suit_of[out[k]]
        if top:
            group = _lead_group(hands, seat, rules.suit_mask[suit], trumps)
        bottom = k + 1 >= n or rules.suit_of[out[k + 1]] != suit
        score = -group * GROUP
        # Of a suit the top and the bottom: a ruff wants the lowest, an honour led away from wants to win.
        if group == RUFF:
            score += 0 if bottom else MIDDLE
        elif top:
            score += 1
        elif not bottom or group == TENACE:
            score += MIDDLE
        scores[k] = score


@jit
def order_follow(rules, hands, out, n, scores, seat, place, led, best, best_seat, trump):
    """Score the cards in `out` that a seat may play to a trick; parameters as in `order.order`."""
    own = hands[seat]
    mask = rules.suit_mask[led]
    lho = hands[(seat + 1) & 3]
    last = place == 3
    with_mate = ((best_seat ^ seat) & 1) == 0
    ruffed = rules.suit_of[best] != led
    x = ZERO if last else lho & mask
    mine = own & mask
    if mine != ZERO:
        top = highest(mine)
        low_first = ruffed or top < best
        if not low_first:
            over_best = ~((ONE << np.uint64(best)) - ONE)
            over_top = ~((ONE << np.uint64(top)) - ONE)
            if with_mate and (last or x == ZERO or best > highest(x) or (x & over_best) == (x & over_top)):
                low_first = True  # the partner wins, or the opponent's winner is forced out just as well
            elif place == 1:
                b = hands[(seat + 2) & 3] & mask
                if b != ZERO and highest(b) > best:
                    third = highest(b)
                    over_third = ~((ONE << np.uint64(third)) - ONE)
                    if x == ZERO or third > highest(x):
                        low_first = True
                    elif highest(x) > max(third, top) and (x & over_third) == (x & over_top):
                        low_first = True
        upward = True
        if not low_first and x != ZERO:
            higher = mine & ~((ONE << np.uint64(best)) - ONE)
            upward = lowest(higher) > highest(x)
        for k in range(n):
            card = out[k]
            if low_first or card < best:
                scores[k] = -card
            else:
                scores[k] = GROUP - card if upward else GROUP + card
        return
    ruff = trump >= 0 and (own & rules.suit_mask[trump]) != ZERO
    if ruff and with_mate and (last or (x != ZERO and (ruffed or best > highest(x)))):
        ruff = False  # the partner has it
    for k in range(n):
        card = out[k]
        suit = rules.suit_of[card]
        bottom = k + 1 >= n or rules.suit_of[out[k + 1]] != suit
        if suit == trump:
            if not ruff:
                scores[k] = -2 * GROUP - card
            elif ruffed:
                scores[k] = GROUP - card if not with_mate and card > best else -2 * GROUP + card
            elif bottom or (not last and x == ZERO and (lho & rules.suit_mask[suit]) != ZERO):
                scores[k] = GROUP - card
            else:
                scores[k] = -2 * GROUP + card
        else:
            scores[k] = count(own & rules.suit_mask[suit]) if bottom else -GROUP + card
