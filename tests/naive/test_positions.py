"""Every record of tests/data/positions.json, and properties of the search and of the random positions."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from . import deals, kit, minimax, sheepshead, thousand, three_of_spades

DATA = json.loads((Path(__file__).parents[1] / "data" / "positions.json").read_text())


def records(name: str) -> list:
    """The records of one section as numbered parameters."""
    return [pytest.param(r, id=f"{name.split('_')[0]}-{i}") for i, r in enumerate(DATA[name])]


def dealt(record: dict) -> list[frozenset[str]]:
    """Hands of a record."""
    return [frozenset(h) for h in record["hands"]]


def solve(game, record: dict, ctx: dict, side) -> int:
    """Value of a record under a context."""
    return minimax.value(game, dealt(record), record["leader"], [], ctx, frozenset(side))


@pytest.mark.parametrize("record", records("kit_full_hand_one_vs_two"))
def test_kit(record: dict) -> None:
    assert [solve(kit, record, {}, {seat}) for seat in range(3)] == record["solo_value"]


@pytest.mark.parametrize("record", records("sheepshead_3_trick_endings_no_duties"))
def test_sheepshead(record: dict) -> None:
    assert solve(sheepshead, record, {}, record["side"]) == record["value"]


@pytest.mark.parametrize("record", records("sheepshead_3_trick_endings_called_ace_duties_active"))
def test_sheepshead_duties(record: dict) -> None:
    side = {record["picker"], record["partner"]}
    ctx = {"called": record["called"], "picker": record["picker"]}
    assert solve(sheepshead, record, ctx, side) == record["value"]
    assert solve(sheepshead, record, {}, side) == record["value_without_duties"]


@pytest.mark.parametrize("record", records("thousand_endings_fixed_trump_no_marriages"))
def test_thousand(record: dict) -> None:
    ctx = {"trump": record["trump"], "marriages": False}
    assert solve(thousand, record, ctx, record["side"]) == record["value"]


@pytest.mark.parametrize("timing", ["next_trick", "immediate"])
@pytest.mark.parametrize("record", records("thousand_4_trick_endings_with_optional_marriages"))
def test_thousand_marriages(record: dict, timing: str) -> None:
    ctx = {"trump": record["trump"], "timing": timing}
    assert solve(thousand, record, ctx, {record["declarer"]}) == record["value_" + timing]


@pytest.mark.parametrize("record", records("three_of_spades_endings"))
def test_three_of_spades(record: dict) -> None:
    assert set().union(*dealt(record)) <= set(three_of_spades.deck(record["players"]))
    assert solve(three_of_spades, record, {"trump": record["trump"]}, record["side"]) == record["value"]


POSITIONS = [
    (name, seats, variant)
    for name, counts in deals.SEATS.items()
    for seats in counts
    for variant in (deals.SHEEPSHEAD_VARIANTS if name == "sheepshead" else [None])
]


@pytest.mark.parametrize("name, seats, variant", POSITIONS)
def test_random_positions(name: str, seats: int, variant: str | None) -> None:
    game, rng = deals.GAMES[name], random.Random(f"{name}{seats}{variant}")
    for tricks in (1, 2, 2, 3) * 5:
        pos = deals.random_position(name, rng, tricks, seats, variant=variant)
        on_table, held = pos["trick"], [c for h in pos["hands"] for c in h]
        assert len(on_table) < seats
        assert len(on_table) + len(held) == seats * tricks
        assert len(set(held) | set(on_table)) == seats * tricks
        assert set(held) | set(on_table) <= set(game.DECK)
        assert 0 < len(pos["side"]) < seats
        check_playout(game, rng, pos)


def check_playout(game, rng: random.Random, pos: dict) -> None:
    """Random play to the end always has a legal move, 2.4 and 3.6 leave no hand stuck."""
    state = minimax.start(pos["hands"], pos["leader"], pos["trick"], pos["ctx"])
    while not minimax.finished(state):
        state, _ = minimax.play(game, state, rng.choice(minimax.moves(game, state)))


@pytest.mark.parametrize("name, seats, variant", POSITIONS)
def test_two_sides_share_what_is_left(name: str, seats: int, variant: str | None) -> None:
    game, rng = deals.GAMES[name], random.Random(seats)
    pos = deals.random_position(
        name, rng, 2, seats, variant=variant, **({"marriages": False} if name == "thousand" else {})
    )
    args = (game, pos["hands"], pos["leader"], pos["trick"], pos["ctx"])
    left = sum(game.value(c, {}) for h in [*pos["hands"], pos["trick"]] for c in h)
    left += 2 * game.trick_value({})
    others = frozenset(range(seats)) - pos["side"]
    assert minimax.value(*args, pos["side"]) + minimax.value(*args, others) == left
    replies = minimax.move_values(*args, pos["side"]).values()
    seat = (pos["leader"] + len(pos["trick"])) % seats
    chosen = max(replies) if seat in pos["side"] else min(replies)
    assert chosen == minimax.value(*args, pos["side"])


def test_a_partner_keeps_the_called_ten_for_its_suit() -> None:
    rng = random.Random(7)
    for _ in range(200):
        pos = deals.random_position("sheepshead", rng, 3, table=0, variant="ten")
        state = minimax.start(pos["hands"], pos["leader"], [], pos["ctx"])
        called, led_before = pos["ctx"]["called"], False
        while not minimax.finished(state):
            move = rng.choice(minimax.moves(sheepshead, state))
            if move[0] == called and state.trick and any(len(h) > 1 for h in state.hands):
                assert sheepshead.suit(state.trick[0], state.ctx) == called[1]
                assert not led_before
            if not state.trick:
                led_before = state.ctx["called_suit_led"]
            state, _ = minimax.play(sheepshead, state, move)


def test_last_trick_bonus() -> None:
    hands = [frozenset({c}) for c in ("AH", "9H", "TH")]
    assert minimax.value(thousand, hands, 0, [], {"last_trick": 10}, frozenset({0})) == 31
    assert minimax.value(thousand, hands, 0, [], {}, frozenset({0})) == 21


def test_max_n_and_perft() -> None:
    hands = [frozenset(h.split()) for h in ("o2 s4", "o3 t1", "o4 t2")]
    assert minimax.max_n(kit, hands, 0, {}) == [1, 0, 1]
    # o2 draws o3 o4 and one line follows; s4 draws any of 2 x 2 discards, then o2 and the last cards
    assert minimax.perft(kit, hands, 0, {}, 1) == 2
    assert minimax.perft(kit, hands, 0, {}, 3) == 5
    assert minimax.perft(kit, hands, 0, {}, 6) == 5
    married = [frozenset(h.split()) for h in ("KH QH", "9H JS", "TH AC")]
    assert minimax.perft(thousand, married, 0, {}, 1) == 4
    with pytest.raises(ValueError):  # noqa: PT011
        minimax.perft(kit, hands, 0, {}, 7)
