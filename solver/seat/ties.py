"""How ties are settled: which plan or card is taken of those that reach the same in the worlds searched.

The order in which plans and cards are listed says nothing about them, so it decides last. Before it come

1. more points in the mean, for plans as `solver.seat.plan_ties` asks them;
2. what keeps the better cards: one hand dominates another when, both sorted from the best card, it has a card at least
   as good in every place. Trumps are better than other cards, and cards of one suit as they beat each other; other
   suits are compared by the cards that rank above in their own suit;
3. what gives the opponents least, in card points.

None of it depends on workers or chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.model.contract import TrickRules
from solver.model.play import Move, Position

__all__ = ["card_ranks", "preference", "strengths"]


def strengths(rules: TrickRules, trump: str | None) -> Mapping[str, int]:
    """How good each card is to keep, whatever its suit: trumps above all others, each suit counted from its best card.

    Where the fewest points win the low cards are the good ones; an under card, which wins nothing, is the worst.
    """
    sign = -1 if rules.misere else 1
    out: dict[str, int] = {}
    for name, cards in rules.suits:
        above = len(rules.suit_of) if name == trump else 0
        out |= {card: sign * (above + place - len(cards)) for place, card in enumerate(cards)}
    if rules.called is not None and rules.called.under is not None:
        out[rules.called.under] = -2 * len(rules.suit_of)
    return out


def preference(kept: NDArray[np.int64], given: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank of each choice, 0 the best: first what no other dominates, then what gives least, then the first.

    Parameters
    ----------
    kept
        ``[choices, cards]``, how good the cards are that each keeps, in any order.
    given
        Points that each gives to opponents.
    """
    sorted_ = -np.sort(-kept, axis=1)
    hands, which = np.unique(sorted_, axis=0, return_inverse=True)
    # As many dominate a hand as dominate what dominates it, and one more: the number puts better hands first.
    better = [int((hands >= hand).all(axis=1).sum()) for hand in hands]
    order = np.lexsort((given, np.array(better, np.int64)[which.ravel()]))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def card_ranks(position: Position, moves: Sequence[Move]) -> NDArray[np.int64]:
    """Rank of each card of the seat on turn, 0 for the one that leaves it the best hand."""
    rules, hand = position.rules, position.hands[position.turn]
    good = strengths(rules, position.trump)
    kept = np.array([[good[card] for card in hand if card != move.card] for move in moves], np.int64)
    return preference(kept, np.array([rules.value_of[move.card] for move in moves], np.int64))
