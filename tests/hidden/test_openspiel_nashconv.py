"""NashConv of Kuhn and Leduc poker against OpenSpiel's, for the same play.

Runs where OpenSpiel is installed (`pip install -e ".[oracles]"`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hidden_kits import random_chances
from naive import hidden as naive
from naive import poker
from solver.hidden.learner import METHODS, Learner
from solver.kernels import cfr

pyspiel = pytest.importorskip("pyspiel")

pytestmark = pytest.mark.kernel

WORDS = {"kuhn": ("pass", "bet"), "leduc": ("fold", "call", "raise")}


def sets(name: str) -> dict[str, tuple[naive.Knows, list[int]]]:
    """OpenSpiel's information sets by their text: ours, and the legal moves."""
    found: dict[str, tuple[naive.Knows, list[int]]] = {}
    stack = [pyspiel.load_game(f"{name}_poker").new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            found[state.information_state_string()] = knows(name, state), state.legal_actions()
        stack += [state.child(action) for action in state.legal_actions()]
    return found


def knows(name: str, state: Any) -> naive.Knows:
    """What the seat in turn knows, in our words."""
    seat = state.current_player()
    cards = [one.action for one in state.full_history() if one.player < 0]
    rounds: list[list[str]] = [[]]
    for one in list(state.full_history())[2:]:
        if one.player < 0:
            rounds.append([])
        else:
            rounds[-1].append(WORDS[name][one.action])
    if name == "kuhn":
        return seat, cards[seat] + 1, tuple(rounds[0])
    rounds += [[]] * (2 - len(rounds))
    ranks = ["JQK"[card // 2] for card in cards]
    return seat, ranks[seat], ranks[2] if len(ranks) > 2 else "", tuple(map(tuple, rounds))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_nashconv(name: str) -> None:
    """Of random play, of play that is partly pure, and of what is learned in a few iterations."""
    lists, actions = naive.as_lists(getattr(poker, name)())
    tree = cfr.new_tree(**lists)
    learner = Learner(tree, "cfr")
    theirs = sets(name)
    assert {k for k, _ in theirs.values()} == {k for k, _ in actions}
    rng = np.random.default_rng(13)
    plays = [learner.chances.copy(), *(random_chances(rng, tree, pure=pure) for pure in (0.0, 0.3, 0.6))]
    for method in METHODS:
        other = Learner(tree, method)
        for _ in range(20):
            other.learn()
        plays.append(other.mix().copy())
    game = pyspiel.load_game(f"{name}_poker")
    for chances in plays:
        of = dict(zip(actions, chances.tolist(), strict=True))
        policy = pyspiel.TabularPolicy(
            {text: [(a, of[k, WORDS[name][a]]) for a in legal] for text, (k, legal) in theirs.items()}
        )
        ours = (learner.answers(chances) - learner.values(chances)).sum()
        assert ours == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-9)
        assert learner.values(chances) == pytest.approx(
            pyspiel.expected_returns(game.new_initial_state(), policy, -1, False), abs=1e-9
        )
