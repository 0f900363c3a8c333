"""One trick in bits: legal cards, moves worth telling apart, the winner so far.

The same rules in plain Python are `solver.model.play`; RULES.md numbers are given where a rule is named.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, highest

__all__ = ["DECLARE", "beats", "leads_of_run", "legal", "legal_and_relevant", "moves"]

#: Added to a card's bit number in a move that declares a marriage.
DECLARE = 64

#: Bits of the state word.
TRUMP_BITS = 7
CALLED_LED = 8


@jit
def beats(rules, card, best, trump):
    """Whether a card, played after `best`, beats it."""
    suit = rules.suit_of[card]
    if suit == rules.suit_of[best]:
        return card > best
    return suit == trump


@jit
def _above(rules, suit, card):
    """Bits of a suit that beat a card of it."""
    return rules.suit_mask[suit] & ~((ONE << np.uint64(card + 1)) - ONE)


@jit
def legal(rules, hand, left, seat, led, best, state):
    """Bits of the cards that a seat may play.

    Parameters
    ----------
    rules : Rules
    hand, left : uint64
        The seat's cards, and the cards of all hands together.
    seat : int
    led : int
        Effective suit led, -1 on lead.
    best : int
        Best card on the table so far.
    state : int
        Trump in force + 1, and whether the called suit has been led.
    """
    return legal_and_relevant(rules, hand, left, seat, led, best, state)[0]


@jit
def _kept_from_lead(rules, hand, left, seat, state):
    """Cards of the called suit that the picker may not lead yet, by that house rule; none without other cards."""
    if rules.picker_leads_called == 0 or seat != rules.caller:
        return ZERO
    if (rules.called & left) == ZERO or (state & CALLED_LED) != 0:
        return ZERO
    same = hand & rules.suit_mask[rules.called_suit]
    return same if same != hand else ZERO


@jit
def leads_of_run(rules, hand, left, seat, state):
    """Bits of the cards that a seat on lead may lead one after another while it wins, in some order.

    The partner may lead its whole hand, the called card before others of its suit.
    """
    return hand & ~_kept_from_lead(rules, hand, left, seat, state)


@jit
def legal_and_relevant(rules, hand, left, seat, led, best, state):
    """`legal`, and the cards whose rank or identity it depended on."""
    called = rules.called
    under = rules.under
    duties = (called & left) != ZERO and (state & CALLED_LED) == 0
    if led < 0:
        good = hand
        relevant = ZERO
        if duties and (hand & called) != ZERO and rules.partner_leads_any == 0:
            others = hand & (rules.suit_mask[rules.called_suit] ^ called)
            if others != ZERO:
                good &= ~others
                relevant = called
        good &= ~_kept_from_lead(rules, hand, left, seat, state)
        if rules.under_may_be_led == 0 and (good & ~under) != ZERO:
            good &= ~under
        return good, relevant
    trump = (state & TRUMP_BITS) - 1
    follow = hand & rules.suit_mask[led]
    if follow != ZERO:
        if (follow & called) != ZERO and (state & CALLED_LED) == 0:
            return called, called if follow != called else ZERO
        if rules.must_beat != 0 and rules.suit_of[best] == led and (follow & (follow - ONE)) != ZERO:
            above = follow & _above(rules, led, best)
            if above != ZERO and rules.must_play_highest != 0:
                top = ONE << np.uint64(highest(above))
                return top, (ONE << np.uint64(best)) | top
            return above if above != ZERO else follow, ONE << np.uint64(best)
        return follow, ZERO
    if rules.must_trump != 0 and trump >= 0:
        trumps = hand & rules.suit_mask[trump]
        if trumps != ZERO:
            if rules.suit_of[best] == trump and (rules.must_overtrump != 0 or rules.partial_trumping != 0):
                compared = ONE << np.uint64(best)
                above = trumps & _above(rules, trump, best)
                if above == ZERO:
                    return hand if rules.partial_trumping != 0 else trumps, compared
                return above if rules.must_overtrump != 0 else trumps, compared
            return trumps, ZERO
    if duties and (hand & (hand - ONE)) != ZERO:
        if (hand & called) != ZERO:
            return hand & ~called, called
        if seat == rules.caller and (rules.hold_card != 0 or under != ZERO):
            held = hand & rules.suit_mask[rules.called_suit]
            if count(held) == 1:
                return hand & ~held, ZERO
    return hand, ZERO


@jit
def moves(rules, good, hand, others, table, leading, may_declare, out):
    """Write the moves worth telling apart, and return how many.

    Cards of one suit and equal points with no card of another seat between them, in hand or on the table, are one
    move (the highest stands for the run). The called card and the under card stand for themselves.

    Parameters
    ----------
    good, hand, others, table : uint64
        Legal cards, the whole hand, the other hands together, the cards on the table.
    leading, may_declare : bool
        Whether marriages may be declared with this card.
    out : int64[:]
        Receives bit numbers, plus `DECLARE` for a declared marriage.
    """
    n = 0
    apart = others | table
    special = rules.called | rules.under
    rest = good
    suit = np.int64(-1)
    last = 64
    seen = np.int64(0)  # point values already represented in the current run
    while rest != ZERO:
        card = highest(rest)
        bit = ONE << np.uint64(card)
        rest ^= bit
        if rules.suit_of[card] != suit:
            suit = rules.suit_of[card]
            seen = 0
        elif apart & ((ONE << np.uint64(last)) - ONE) & ~((bit << ONE) - ONE) != ZERO:
            seen = 0
        last = card
        if (bit & special) == ZERO:
            worth = ONE << np.uint64(rules.points[card])
            if (np.uint64(seen) & worth) != ZERO:
                continue
            seen = np.int64(np.uint64(seen) | worth)
        if leading and may_declare:
            pair = rules.pair[suit]
            if (pair & bit) != ZERO and (pair & hand) == pair:
                out[n] = card + DECLARE
                n += 1
        out[n] = card
        n += 1
    return n
