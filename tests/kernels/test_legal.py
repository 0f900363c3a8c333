"""Legal cards: the compiled form, `Position` and the plain twin, in step through random play."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import twin
from naive import minimax
from rule_sets import RULE_SETS, RuleSet
from solver.games import game
from solver.kernels.tricks import legal
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError
from solver.model.layout import layout_of
from solver.model.play import Move, Position
from solver.model.play_rules import PLAY_RULES

pytestmark = pytest.mark.kernel

#: Deals played out under each rule set.
DEALS = 16


def compiled(position: Position) -> frozenset[Card]:
    """Legal cards by the compiled rules."""
    layout = layout_of(position.rules)
    best = position.best
    led = layout.suits[position.rules.suit_of[position.trick[0].card]] if position.trick else -1
    bits = legal(
        layout.record,
        np.uint64(layout.encode(position.hands[position.turn])),
        np.uint64(layout.encode(c for hand in position.hands for c in hand)),
        position.turn,
        led,
        -1 if best is None else layout.bit[best[1]],
        layout.state(position)[0],
    )
    return layout.decode(int(bits))


def check_moves(rules: RuleSet, pos: dict, position: Position, note: str) -> None:
    """Legal moves three times over; what is not legal is barred by a rule that can be said in words."""
    table, hand = rules.table.twin, position.hands[position.turn]
    seat = twin.turn(pos)
    wanted = table.legal(seat, pos["hands"][seat], twin.table(pos), pos["ctx"])
    moves = position.legal()
    assert len(set(moves)) == len(moves), note
    assert {(m.card, m.declare) for m in moves} == wanted, note
    cards = {m.card for m in moves}
    assert compiled(position) == cards, note
    barred = position.barred()
    assert cards | set(barred) == hand, note
    assert not cards & set(barred), note
    for card, rule in barred.items():
        assert rule in PLAY_RULES, note
        sentence = position.explain(rule)
        assert not re.search(r"\{|None", sentence), f"{note}: {sentence}"
        assert len(sentence.split()) > 5, f"{note}: {sentence}"
        with pytest.raises(IllegalPlayError, match=rule):
            position.play(Move(card))


def check_step(before: Position, after: Position, gains: list[int], note: str) -> None:
    """The points that a move brings, and the winner of a trick that it ends."""
    now = [p + b for p, b in zip(after.points, after.bonus, strict=True)]
    then = [p + b for p, b in zip(before.points, before.bonus, strict=True)]
    assert [a - b for a, b in zip(now, then, strict=True)] == gains, note
    took = [a - b for a, b in zip(after.tricks, before.tricks, strict=True)]
    ended = not after.trick
    assert took == [int(ended and s == after.leader) for s in range(before.rules.seats)], note


def tricks_dealt(rules: RuleSet) -> int:
    """Hands as long as the deck allows, shorter where the roles of a called card are dealt by chance."""
    most = len(rules.table.twin.DECK) // rules.table.seats
    return min(most, 4 if rules.variant not in (None, "none") else 8)


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)
def test_random_play(rules: RuleSet) -> None:
    rng, seen = random.Random(rules.id), 0
    for number, pos in enumerate(rules.positions(99, tricks_dealt(rules), DEALS)):
        position = twin.to_position(rules.table, pos)
        assert twin.from_position(rules.table, position) == normal(rules, pos)
        state = twin.state_of(pos)
        while not minimax.finished(state):
            pos = twin.position_of(state, pos["side"])
            note = twin.show(rules.table, pos, f"{rules.id} deal {number}")
            check_moves(rules, pos, position, note)
            move = rng.choice(minimax.moves(rules.table.twin, state))
            state, gains = minimax.play(rules.table.twin, state, move)
            after = position.play(Move(Card(move[0]), move[1]))
            check_step(position, after, gains, f"{note}, play {move}")
            position = after
            pos = twin.position_of(state, pos["side"])
            assert twin.from_position(rules.table, position) == normal(rules, pos), f"{note}, play {move}"
            seen += 1
        assert position.over
    assert seen > DEALS * 2


def normal(rules: RuleSet, pos: dict) -> dict:
    """A twin position with what the solver does not keep apart made equal."""
    ctx = {**rules.table.twin.DEFAULTS, **pos["ctx"]}
    if ctx.get("called") is None or ctx["called"][0] != "T":
        ctx |= {"called_ten_wins": True} if rules.table.name == "sheepshead" else {}
    return {**pos, "ctx": ctx}


def seat_to_play(hand: str, table: str, trump: str | None, **options: bool) -> Position:
    """Thousand: seat 2 or 1 holds a hand, the cards of a table lie before it."""
    trick = tuple(Move(Card(c)) for c in table.split())
    hands = [frozenset[Card]()] * 3
    hands[len(trick)] = frozenset(map(Card, hand.split()))
    rules = game("thousand", **options).trick_rules(Contract())
    return Position(rules, tuple(hands), 0, trick=trick, side=frozenset({0}), trump=trump)


@pytest.mark.parametrize(
    "table, hand, expected, options",
    [
        ("QH JS", "AH 9H QS", "AH 9H", {}),
        ("QH", "AH 9H QS", "AH", {}),
        ("QH", "AH 9H QS", "AH 9H", {"must_beat": False}),
        ("9H JS", "QS 9S AC", "QS", {}),
        ("9H JS", "QS 9S AC", "QS 9S", {"must_overtrump": False}),
        ("9H JS", "9S AC", "9S", {}),
        ("9H JS", "9S AC", "9S AC", {"partial_trumping": True}),
        ("9H", "9S AC", "9S", {"partial_trumping": True}),
        ("9H", "9S AC", "9S AC", {"must_trump": False}),
    ],
)
def test_a_trumped_plain_lead_need_not_be_beaten(table: str, hand: str, expected: str, options: dict) -> None:
    """RULES.md 3.6: no card of the suit led can win any more, so any of them may be played; and the options."""
    position = seat_to_play(hand, table, "S", **options)
    assert {m.card for m in position.legal()} == set(expected.split()) == compiled(position)


def test_declaring_on_the_first_lead() -> None:
    """Position and search agree with RULES.md 3.5 about when a marriage may be declared."""
    deal = twin.Table("thousand", 3)
    hands = [frozenset({"KH", "QH"}), frozenset({"9S", "JS"}), frozenset({"9C", "JC"})]
    for first, needs, expected in ((True, True, 0), (True, False, 2), (False, True, 2)):
        pos = {"hands": hands, "leader": 0, "trick": [], "side": frozenset({0})}
        pos["ctx"] = {"trump": None, "first_lead": first, "needs_trick": needs}
        position = twin.to_position(deal, pos)
        assert sum(m.declare for m in position.legal()) == expected
        if not expected:
            with pytest.raises(IllegalPlayError, match="first lead"):
                position.play("KH!")
