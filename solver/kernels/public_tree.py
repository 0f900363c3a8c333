"""The tree of a whole game with hidden cards, grown ply by ply: every public history with every deal that explains it.

All seats see the same history of plays, so positions are kept by (public history, deal), the deals of one history side
by side. Suits that behave alike are named in the order in which all see them first: of histories that differ only by
names one is kept. A card that would open a later suit before the next one stands for its mirror, in which the two have
changed places, and leads to where the mirror leads. A name never depends on cards that are still hidden, or a seat
could read in it what it must not know.

`measure` finds the legal cards of a ply and its size, `expand` writes its moves and the next ply, `settle` plays the
last trick, in which nobody has a choice.
"""

from __future__ import annotations

import numpy as np

from solver.kernels._jit import jit
from solver.kernels.bits import ONE, ZERO, count, lowest, wrap
from solver.kernels.tricks import beats, legal

__all__ = ["CODE_BITS", "HISTORY", "expand", "measure", "settle"]

#: Columns of a history: its first position, whose turn it is, the trick so far, how many suits have their names, the
#: cards played, the tricks of each seat, and the cards in order.
HISTORY = 10
START, LEADER, PLACE, LED, BEST, BEST_SEAT, OPENED, PLAYED, TRICKS, CODE = range(HISTORY)

#: Bits of one card in the code of a history, and of one seat's tricks.
CODE_BITS = 4
_FOUR = np.uint64(CODE_BITS)


@jit
def _rank(cards, card):
    """How many cards of a set lie below one."""
    return count(cards & ((ONE << np.uint64(card)) - ONE))


@jit
def _nameless(alike, opened, suit):
    """Place of a suit among those without a name, `opened` for the one that is named next; -1 for one with a name."""
    for j in range(opened, alike.size):
        if alike[j] == suit:
            return j
    return -1


@jit
def _turn(history, seats):
    return np.int64((history[LEADER] + history[PLACE]) % np.uint64(seats))


@jit
def measure(rules, state, alike, dealt, histories, deals, choice):
    """Find the legal cards of each position of a ply, and how much follows.

    Parameters
    ----------
    rules : Rules
    state : int
        Trump suit + 1, 0 without one.
    alike : int64[:]
        Suits that behave alike, in the order of their names.
    dealt : uint64[deals, seats]
        Hands of each deal.
    histories : uint64[h + 1, HISTORY]
        Of this ply; the last row tells by its `START` where the positions end.
    deals : int32[n]
        Deal of each position.
    choice : uint64[n]
        Receives the legal cards.

    Returns
    -------
    edges, positions, branches : int
        Moves of this ply, and positions and histories of the next.
    """
    edges = 0
    positions = 0
    branches = 0
    seats = dealt.shape[1]
    for h in range(len(histories) - 1):
        history = histories[h]
        opened = np.int64(history[OPENED])
        seat = _turn(history, seats)
        led = np.int64(history[LED]) if history[PLACE] != ZERO else np.int64(-1)
        met = ZERO
        for n in range(np.int64(history[START]), np.int64(histories[h + 1][START])):
            hand = dealt[deals[n], seat] & ~history[PLAYED]
            good = legal(rules, hand, hand, seat, led, np.int64(history[BEST]), state)
            choice[n] = good
            edges += count(good)
            w = good
            while w != ZERO:
                card = lowest(w)
                w &= w - ONE
                if _nameless(alike, opened, rules.suit_of[card]) <= opened:
                    met |= ONE << np.uint64(card)
                    positions += 1
        branches += count(met)
    return edges, positions, branches


@jit
def _sets(
    history, seat, cards, begin, end, dealt, deals, choice, last, set_of, sets, actions, action, base, before, key
):
    """Write the information sets with a choice of one history in the order of their keys; return their new numbers."""
    kept = sets
    for n in range(begin, end):
        hand = np.int64(dealt[deals[n], seat] & ~history[PLAYED])
        if choice[n] & (choice[n] - ONE) != ZERO and set_of[hand] < 0:
            set_of[hand] = 0
            code = (history[CODE] << np.uint64(cards)) | np.uint64(hand)
            at = sets
            while at > kept and key[at - 1] > code:
                key[at] = key[at - 1]
                at -= 1
            key[at] = code
            sets += 1
    low = (ONE << np.uint64(cards)) - ONE
    for s in range(kept, sets):
        set_of[np.int64(key[s] & low)] = s
        base[s] = -1
    for n in range(begin, end):
        if choice[n] & (choice[n] - ONE) != ZERO:
            s = set_of[np.int64(dealt[deals[n], seat] & ~history[PLAYED])]
            base[s] = count(choice[n])  # for now how many
            before[s] = last[n, seat]
    for s in range(kept, sets):
        many = base[s]
        base[s] = actions
        actions += many
    for n in range(begin, end):
        action[n] = -1
        if choice[n] & (choice[n] - ONE) != ZERO:
            action[n] = base[set_of[np.int64(dealt[deals[n], seat] & ~history[PLAYED])]]
    for s in range(kept, sets):
        set_of[np.int64(key[s] & low)] = -1
    return sets, actions


@jit
def _mirror(
    rules, alike, opened, twins, mirrors, keeps, begin, end, deals, choice, place_of, first, action, child, edge_twin,
    action_twin, shift,
):  # fmt: skip
    """Let cards that open a later suit lead where their mirrors do, and find the lowest mirror of each move."""
    for n in range(begin, end):
        place_of[deals[n]] = n
    for n in range(begin, end):
        w = choice[n]
        edge = first[n]
        number = 0
        while w != ZERO:
            card = lowest(w)
            w &= w - ONE
            later = _nameless(alike, opened, rules.suit_of[card]) > opened
            edge_twin[edge] = edge
            lowest_action = action[n] + number
            for p in range(len(twins)):
                if keeps[p] < opened:
                    continue
                m = place_of[mirrors[p, deals[n]]]
                twin = first[m] + _rank(choice[m], twins[p, card])
                edge_twin[edge] = min(edge_twin[edge], twin)
                lowest_action = min(lowest_action, action[m] + twin - first[m])
                if later and rules.suit_of[twins[p, card]] == alike[opened]:
                    child[edge] = child[twin]
            if action[n] >= 0:
                action_twin[action[n] + number - shift] = lowest_action
            edge += 1
            number += 1
    for n in range(begin, end):
        place_of[deals[n]] = -1


@jit
def expand(
    rules, state, alike, dealt, twins, mirrors, keeps, histories, deals, choice, last, place_of, set_of,
    first, child, action, who, base, before, key, edge_twin, action_twin,
    next_histories, next_deals, next_last, start_actions,
):  # fmt: skip
    """Write the moves of a ply, what the seat in turn can tell apart, and the next ply.

    Parameters
    ----------
    rules, state, alike, dealt, histories, deals, choice
        As for `measure`, which filled `choice`.
    twins : int64[renamings, cards]
        Card after each renaming of suits that are alike.
    mirrors : int32[renamings, deals]
        Deal after it.
    keeps : int64[renamings]
        How many of the first names it leaves alone.
    last : int32[n, seats]
        Each seat's own last action, -1 for none.
    place_of, set_of : int32[deals], int32[2**cards]
        Room to work, filled with -1.
    first, child, action, who : int32[n + 1], int32[edges], int32[n], int8[n]
        Receive each position's first move, the position after each move, the first action of its information set (-1
        without a choice) and the seat in turn.
    base, before, key : int32[n], int32[n], uint64[n]
        Receive by information set its first action, the seat's own action before, and the history's code above the bits
        of the hand: rising numbers.
    edge_twin, action_twin : int32[edges]
        Receive the lowest mirror of each move and of each action, counted from `start_actions`, where a history leaves
        two suits without a name; -1 elsewhere.
    next_histories, next_deals, next_last
        Receive the next ply.
    start_actions : int
        Actions before this ply.

    Returns
    -------
    sets, actions : int
        Information sets of this ply; actions now.
    """
    seats = dealt.shape[1]
    cards = twins.shape[1]
    edge = 0
    position = 0
    branch = 0
    sets = 0
    actions = start_actions
    for h in range(len(histories) - 1):
        history = histories[h]
        begin = np.int64(history[START])
        end = np.int64(histories[h + 1][START])
        opened = np.int64(history[OPENED])
        seat = _turn(history, seats)
        met = ZERO
        for n in range(begin, end):
            first[n] = edge
            who[n] = seat
            edge += count(choice[n])
            met |= choice[n]
        sets, actions = _sets(
            history, seat, cards, begin, end, dealt, deals, choice, last, set_of, sets, actions, action, base, before,
            key,
        )  # fmt: skip
        while met != ZERO:
            card = lowest(met)
            met &= met - ONE
            suit = rules.suit_of[card]
            at = _nameless(alike, opened, suit)
            if at > opened:
                continue
            bit = ONE << np.uint64(card)
            best = np.int64(history[BEST])
            best_seat = np.int64(history[BEST_SEAT])
            place = np.int64(history[PLACE]) + 1
            if place == 1 or beats(rules, card, best, state - 1):
                best = card
                best_seat = seat
            follower = next_histories[branch]
            branch += 1
            follower[START] = position
            follower[LEADER] = history[LEADER] if place < seats else np.uint64(best_seat)
            follower[PLACE] = wrap(place, seats)
            follower[LED] = suit if place == 1 else np.int64(history[LED])
            follower[BEST] = best
            follower[BEST_SEAT] = best_seat
            follower[OPENED] = opened + (1 if at == opened else 0)
            follower[PLAYED] = history[PLAYED] | bit
            follower[TRICKS] = history[TRICKS]
            if place == seats:
                follower[TRICKS] += ONE << (_FOUR * np.uint64(best_seat))
            follower[CODE] = (history[CODE] << _FOUR) | np.uint64(card + 1)
            for n in range(begin, end):
                if choice[n] & bit == ZERO:
                    continue
                number = _rank(choice[n], card)
                child[first[n] + number] = position
                next_deals[position] = deals[n]
                for s in range(seats):
                    next_last[position, s] = last[n, s]
                if action[n] >= 0:
                    next_last[position, seat] = action[n] + number
                position += 1
        if opened < alike.size - 1:
            _mirror(
                rules, alike, opened, twins, mirrors, keeps, begin, end, deals, choice, place_of, first, action, child,
                edge_twin, action_twin, start_actions,
            )  # fmt: skip
    first[deals.size] = edge
    next_histories[branch][START] = position
    return sets, actions


@jit
def settle(rules, state, dealt, histories, deals, tricks):
    """Play the last trick of each position, where every seat has one card left.

    Parameters
    ----------
    rules, state, dealt, histories, deals
        As for `measure`.
    tricks : int32[n]
        Receives the tricks of all seats, `CODE_BITS` bits each.
    """
    seats = dealt.shape[1]
    for h in range(len(histories) - 1):
        history = histories[h]
        leader = np.int64(history[LEADER])
        for n in range(np.int64(history[START]), np.int64(histories[h + 1][START])):
            best = 0
            winner = leader
            for i in range(seats):
                seat = wrap(leader + i, seats)
                card = lowest(dealt[deals[n], seat] & ~history[PLAYED])
                if i == 0 or beats(rules, card, best, state - 1):
                    best = card
                    winner = seat
            tricks[n] = np.int64(history[TRICKS] + (ONE << (_FOUR * np.uint64(winner))))
