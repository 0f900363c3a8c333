"""What a move says of its hand has one form: for every rule set, on random hands, it tells exactly which are legal."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import twin
from rule_sets import RULE_SETS, RuleSet
from solver.model.errors import IllegalPlayError
from solver.model.play import Move, Position
from solver.worlds.constraints import duty, reason


def other_hands(rng: random.Random, position: Position) -> list[frozenset]:
    """Random hands of the seat on turn, from the cards that are not on the table."""
    deck = [c for _, cards in position.rules.suits for c in cards if all(m.card != c for m in position.trick)]
    called = position.rules.called and position.rules.called.card
    gone = called is not None and not any(called in h for h in position.hands)
    pool = [c for c in deck if not (gone and c == called)]
    return [frozenset(rng.sample(pool, rng.randrange(1, min(9, len(pool))))) for _ in range(12)]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)
def test_duty_says_which_hands_are_legal(rules: RuleSet) -> None:
    rng = random.Random(rules.id)
    for pos in rules.positions(11, 3, 6):
        position = twin.to_position(rules.table, pos)
        called = position.rules.called and position.rules.called.card
        out = called is not None and (any(called in h for h in position.hands))
        deck = {c for _, cards in position.rules.suits for c in cards} - {m.card for m in position.trick}
        if called is not None and not out:
            deck -= {called}
        for hand in other_hands(rng, position):
            for move in [Move(c, d) for c in hand for d in (False, True)]:
                if move.declare and move.card not in position.rules.marriage_of:
                    continue
                legal = reason(position, hand, move, called_out=out) is None
                hands = list(position.hands)
                hands[position.turn] = hand
                holders = [s for s, h in enumerate(hands) if called in h]
                if out and not holders:
                    hands[(position.turn + 1) % len(hands)] |= {called}
                assert legal == (move in replace(position, hands=tuple(hands)).legal())
                try:
                    said = duty(position, 1, move, deck - {move.card}, len(hand), called_out=out)
                except IllegalPlayError:
                    assert not legal
                    continue
                told = not (said.barred.keys() & hand) and (not said.needs or bool(said.needs & hand))
                assert told == legal, (rules.id, hand, move, said)
