"""Bounds for two partnerships that sit crosswise and count tricks, as in bridge and whist.

Nothing is a duty here but to follow suit, and every trick is worth the same. Each bound returns with the cards whose
rank it used.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest, lowest

__all__ = ["lead_tricks", "quick_tricks", "slow_tricks", "sure_trumps"]


@jit
def _cash(a, b, top, m, k, last):
    """Play a suit from the top of one hand and the bottom of its partner's while the one on lead wins.

    Parameters
    ----------
    a, b : uint64
        The suit's cards of the seat on lead and of its partner.
    top, m : int
        The opponents' highest card, -1 for none, and the length of the longer of their holdings, at first.
    k, last : int
        Rounds played, and where to stop.

    Returns
    -------
    a, b : uint64
        What is left.
    k : int
        Rounds played then.
    used : uint64
        Cards that won over others.
    """
    used = ZERO
    while a != ZERO and k < last:
        card = highest(a)
        if card < top and k < m:
            break
        low = np.int64(-1)
        if b != ZERO:
            low = lowest(b)
            if low > card:
                break
            b &= b - ONE
        if k < m or low >= 0:
            used |= ONE << np.uint64(card)
        a ^= ONE << np.uint64(card)
        k += 1
    return a, b, k, used


@jit
def _safe_rounds(x, y, ruffs_left, ruffs_right):
    """Rounds of a plain suit that no opponent with a trump left can ruff."""
    safe = np.int64(64)
    if ruffs_left:
        safe = count(x)
    if ruffs_right:
        safe = min(safe, count(y))
    return safe


@jit
def quick_tricks(rules, hands, seat, trump, draw, tricks, enough):
    """Tricks that the side on lead takes at once: the leader's masters, then, over an entry, the partner's.

    In each suit the leader plays from the top and the partner from the bottom for as long as the leader wins and no
    opponent can ruff; then, where one of the leader's cards reaches a master of the partner, the partner goes on in
    the same way. Neither may be left with nothing but trumps while the other leads a plain suit.

    Parameters
    ----------
    seat : int
        On lead.
    trump : int
        Trump suit, -1 for none.
    draw : bool
        Whether to lead trumps first; else no trump is led at all.
    tricks : int
        Tricks left.
    enough : int
        Counting stops there, so that no rank is used without need.

    Returns
    -------
    int
        Tricks.
    uint64
        The lowest master counted in each suit.
    """
    own = hands[seat]
    mate = hands[(seat + 2) & 3]
    lho = hands[(seat + 1) & 3]
    rho = hands[(seat + 3) & 3]
    led = np.int64(0)
    used = ZERO
    drawn = np.int64(0)
    trumps = ZERO
    tx = np.int64(0)
    ty = np.int64(0)
    tm = np.int64(0)
    if trump >= 0:
        trumps = rules.suit_mask[trump]
        tx = count(lho & trumps)
        ty = count(rho & trumps)
        tm = count(mate & trumps)
    mine = own
    theirs = mate
    entry = np.int64(-1)
    for step in range(0 if trump < 0 else -1, 4):
        suit = np.int64(step)
        if step < 0:
            suit = np.int64(trump)
            if not draw:
                continue
        elif suit == trump:
            continue
        mask = rules.suit_mask[suit]
        a = own & mask
        if a == ZERO:
            continue
        b = mate & mask
        x = lho & mask
        y = rho & mask
        m = max(count(x), count(y))
        safe = _safe_rounds(x, y, suit != trump and tx > drawn, suit != trump and ty > drawn)
        if safe == 0:
            continue
        top = np.int64(-1) if m == 0 else highest(x | y)
        a, b, k, masters = _cash(a, b, top, m, np.int64(0), min(safe, enough - led))
        used |= masters
        led += k
        if suit == trump:
            drawn = k
        if led >= enough:
            return min(led, tricks - max(tm - drawn, 0)), used
        mine = (mine & ~mask) | a
        theirs = (theirs & ~mask) | b
        if b != ZERO and a != ZERO and k < safe and entry < 0:
            card = highest(b)
            if card > lowest(a) and (card > top or k >= m):
                entry = suit
    if entry < 0:
        return min(led, tricks - max(tm - drawn, 0)), used
    drawn_more = drawn
    for step in range(-2, 4):
        suit = np.int64(step)
        if step == -2:
            suit = entry
        elif step == -1:
            suit = np.int64(trump)
            if suit < 0 or entry == suit or not draw:
                continue
        elif suit in (trump, entry):
            continue
        mask = rules.suit_mask[suit]
        b = theirs & mask
        if b == ZERO:
            continue
        a = mine & mask
        x = lho & mask
        y = rho & mask
        m = max(count(x), count(y))
        safe = _safe_rounds(x, y, suit != trump and tx > drawn_more, suit != trump and ty > drawn_more)
        top = np.int64(-1) if m == 0 else highest(x | y)
        k = count(own & mask & ~a)
        start = k
        b, a, k, masters = _cash(b, a, top, m, k, min(safe, k + enough - led))
        used |= masters
        led += k - start
        if suit == trump:
            drawn_more += k - start
        if led >= enough:
            break
    spare = max(tm, count(own & trumps)) - drawn_more
    return min(led, tricks - max(spare, 0)), used


@jit
def _sure(own, against, enough):
    """Cards of one hand's trumps that win a trick whatever happens: (how many, the lowest card it rests on).

    Each card played to a trick wins it for the side unless a higher trump of the other side lies in the same trick,
    and each of those spoils one trick only. So of the cards from the top down, one is spoilt for each card of the
    other side above it; what cannot be spoilt is certain.
    """
    n = count(own)
    spare = n - count(against)
    if spare >= enough:
        return spare, ZERO
    spoilers = np.int64(0)
    certain = np.int64(0)
    used = ZERO
    w = own
    seen = against
    while w != ZERO and certain < enough:
        bit = ONE << np.uint64(highest(w))
        w ^= bit
        above = seen & ~(bit - ONE)
        spoilers += count(above)
        seen ^= above
        if spoilers > 0:
            spoilers -= 1
        else:
            certain += 1
            used = bit
    if spare >= certain:
        return max(spare, 0), ZERO
    return certain, used


@jit
def sure_trumps(rules, hands, first, trump, tricks, leading, enough):
    """Tricks that the trumps of a side win whoever leads what: (how many, the lowest card they rest on).

    Parameters
    ----------
    first : int
        A seat of the side; the one on lead when `leading`.
    """
    mask = rules.suit_mask[trump]
    a = hands[first] & mask
    b = hands[(first + 2) & 3] & mask
    left_hand = hands[(first + 1) & 3] & mask
    right_hand = hands[(first + 3) & 3] & mask
    against = left_hand | right_hand
    if (a | b) == ZERO:
        return 0, ZERO
    best, used = _sure(a, against, enough)
    if best >= enough:
        return best, used
    n, u = _sure(b, against, enough)
    if n > best:
        best = n
        used = u
    if best >= enough or against == ZERO:
        return best, used
    # Both hands' run from the top, one card a round, for as long as either follows.
    top = highest(against)
    run = (a | b) & ~((ONE << np.uint64(top)) - ONE)
    n = min(count(run), max(count(a), count(b)), enough)
    if n > best:
        best = n
        for _ in range(n - 1):
            run ^= ONE << np.uint64(highest(run))
        used = ONE << np.uint64(highest(run))
    if best > 0:
        return best, used
    # One trick by place: the second-highest, guarded, behind the highest; the third-highest behind both.
    ace = ONE << np.uint64(top)
    rest = against ^ ace
    second = np.int64(-1) if rest == ZERO else highest(rest)
    behind = b  # the hand that plays after the holder of the highest
    holder = left_hand
    on_lead = False
    if (ace & right_hand) != ZERO:
        behind = a
        holder = right_hand
        on_lead = leading
    n = count(behind)
    if n >= 2:
        card = highest(behind)
        if card > second:
            if not on_lead or tricks >= 3:
                return 1, ONE << np.uint64(card)
        elif n >= 3 and second >= 0 and ((ONE << np.uint64(second)) & holder) != ZERO:
            rest ^= ONE << np.uint64(second)
            if (rest == ZERO or card > highest(rest)) and (not on_lead or tricks >= 4):
                return 1, ONE << np.uint64(card)
    return 0, ZERO


@jit
def lead_tricks(rules, hands, left, seat, trump, tricks, enough):
    """Tricks certain for the side on lead: what it cashes at once, or plain winners and then its certain trumps."""
    best, used = quick_tricks(rules, hands, seat, trump, True, tricks, enough)
    if best >= enough or trump < 0 or (left & rules.suit_mask[trump]) == ZERO:
        return best, used
    n, u = sure_trumps(rules, hands, seat, trump, tricks, True, enough)
    if n >= enough:
        return n, u
    if n > 0:
        mask = rules.suit_mask[trump]
        against = (hands[(seat + 1) & 3] | hands[(seat + 3) & 3]) & mask
        plain, v = quick_tricks(rules, hands, seat, trump, False, tricks, enough)
        if plain > 0:
            for i in range(0, 4, 2):
                own = hands[(seat + i) & 3] & mask
                m, u2 = _sure(own, against, enough - plain)
                m = min(m, enough - plain)
                if m > 0 and plain <= tricks - count(own) and m + plain >= enough:
                    return m + plain, u2 | v
    if n > best:
        return n, u
    return best, used


@jit
def slow_tricks(rules, hands, left, seat, trump, tricks, enough):
    """Tricks certain for the side not on lead.

    With trumps, its certain trumps. Without, when the leader has no suit but those that the other side heads: the
    quick tricks of the seat that wins.
    """
    if trump >= 0 and (left & rules.suit_mask[trump]) != ZERO:
        return sure_trumps(rules, hands, (seat + 1) & 3, trump, tricks, False, enough)
    one = hands[(seat + 1) & 3]
    two = hands[(seat + 3) & 3]
    total = np.int64(64)
    used = ZERO
    for suit in range(4):
        mask = rules.suit_mask[suit]
        if (hands[seat] & mask) == ZERO:
            continue
        bit = ONE << np.uint64(highest(left & mask))
        if (bit & (one | two)) == ZERO:
            return 0, ZERO
        winner = (seat + 1) & 3 if (bit & one) != ZERO else (seat + 3) & 3
        n, u = quick_tricks(rules, hands, winner, np.int64(-1), True, tricks, enough)
        total = min(total, n)
        used |= u | bit
    return total, used
