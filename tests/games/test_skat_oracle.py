"""Skat against OpenSpiel: legal cards, whose turn it is, and the points of played deals.

Runs where OpenSpiel is installed (`pip install -e ".[oracles]"`).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.games import game
from solver.model.cards import Card
from solver.model.play import Position

pyspiel = pytest.importorskip("pyspiel")

SKAT = game("skat")
#: OpenSpiel numbers the cards by suit and rank.
CARDS = [Card(r + s) for s in "DHSC" for r in "789QKTAJ"]
#: It deals three, the skat, four and three.
PACKETS = ((0, 3), (1, 3), (2, 3), (None, 2), (0, 4), (1, 4), (2, 4), (0, 3), (1, 3), (2, 3))
WORDS = ("diamonds", "hearts", "spades", "clubs", "grand", "null")


def start(seed: int) -> tuple[Position, Any, str, int]:
    """The same deal, contract and bury on both sides: our position, their state, the game played and its declarer."""
    rng = random.Random(seed)
    deal = SKAT.deal(seed=seed)
    hands = {None: sorted(deal.talon), **{s: sorted(h) for s, h in enumerate(deal.hands)}}
    state = pyspiel.load_game("skat").new_initial_state()
    for seat, count in PACKETS:
        for _ in range(count):
            state.apply_action(CARDS.index(hands[seat].pop()))
    declarer, word = rng.randrange(3), rng.choice(WORDS)
    calls = {state.action_to_string(a): a for a in state.legal_actions()}
    for _ in range(declarer):
        state.apply_action(next(a for name, a in calls.items() if "pass" in name))
    state.apply_action(calls[word])
    bury = rng.sample(sorted(deal.hands[declarer] | deal.talon), 2)
    for card in bury:
        state.apply_action(CARDS.index(card))
    contract = SKAT.contract(f"{word} by {declarer}, bury {' '.join(bury)}")
    return SKAT.start(deal, contract), state, word, declarer


@pytest.mark.parametrize("seed", range(150))
def test_play(seed: int) -> None:
    position, state, word, declarer = start(seed)
    rng = random.Random(seed)
    away = frozenset(CARDS).difference(*position.hands)
    while not position.over:
        if word == "null" and position.tricks[declarer]:  # null is lost, and they play no further
            assert state.is_terminal()
            assert state.returns()[declarer] < 0
            return
        legal = {m.card for m in position.legal()}
        assert state.current_player() == position.turn
        assert {CARDS[a] for a in state.legal_actions()} == legal
        card = rng.choice(sorted(legal))
        position = position.play(str(card))
        state.apply_action(CARDS.index(card))
    assert state.is_terminal()
    if word == "null":
        assert state.returns()[declarer] > 0
        return
    points = position.points[declarer] + SKAT.points(away)
    assert state.returns()[declarer] == pytest.approx((points - 60) / 120)
