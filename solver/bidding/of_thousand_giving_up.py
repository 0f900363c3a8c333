"""Giving up after the talon in Thousand, set against playing on where no pass makes the bid.

The declarer loses the bid either way; what is left to choose is what the opponents get. They score what they take, so
one line of best play for both sides is followed in some worlds, under the pass that leaves them least double dummy.
"""

from __future__ import annotations

import numpy as np

from solver.bidding.passing_thousand import play_out
from solver.deals.search import thread_memory
from solver.formats.record import plan_text
from solver.games.thousand import Thousand
from solver.games.thousand_tables import Settlement
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.worlds.sample import Worlds

__all__ = ["WORLDS", "playing_on"]

#: Worlds in which a line is followed.
WORLDS = 100


def playing_on(worlds: Worlds, plan: Contract, given: Settlement, *, limit: int = 0) -> str:
    """Say what playing on scores where no pass makes the bid, and what giving up costs or saves against that.

    Parameters
    ----------
    worlds
        Of the declarer's knowledge, the talon seen; the first `WORLDS` are played.
    plan
        The best pass, with the bid.
    given
        What giving up scores.
    limit
        Most nodes for one search, 0 for none; a world that meets it is left out.

    Returns
    -------
    str
        Empty where no line could be followed.
    """
    known, declarer = worlds.knowledge, worlds.knowledge.seat
    game = known.game
    assert isinstance(game, Thousand)
    memory, scores = thread_memory(len(game.deck)), []
    for i in range(min(WORLDS, len(worlds))):
        hands = [worlds.place_cards(i, s) | (known.shown[s] or frozenset()) for s in range(game.seats)]
        hands[declarer] = known.hand
        start = game.start(Deal(game, tuple(hands), known.talon or frozenset()), plan)
        end = play_out(start, memory, limit)
        scores += [game.settle(end, plan).scores] if end is not None else []
    if not scores:
        return ""
    mean, others = np.array(scores, np.float64).mean(axis=0), list(game.opponents(declarer))
    lost = mean[declarer] - given.scores[declarer]
    gained = sum(given.scores[s] for s in others) - mean[others].sum()
    cost = float(lost + gained)
    return (
        f"playing on with {plan_text(game, plan)} scores {mean[declarer]:.0f}, the opponents "
        f"{' and '.join(f'{mean[s]:.1f}' for s in others)} (mean of {len(scores)} worlds, one double dummy line each): "
        f"with the opponents' gains counted giving up {'costs' if cost >= 0 else 'saves'} {abs(cost):.1f} against it"
    )
