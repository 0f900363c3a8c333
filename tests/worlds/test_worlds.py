"""Worlds for the search: bits, sides, banked points, rules; the same as the plain position of each world."""

from __future__ import annotations

import random

import numpy as np
import pytest

import brute
import random_records as rr
from naive import minimax
from solver.games import GAMES, game
from solver.model.errors import NotationError, UnsupportedError
from solver.model.layout import layout_of
from solver.stats.rates import effective
from solver.worlds.evidence import CallModel
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds, distinct

from .test_against_every_world import planned, some_game

pytestmark = pytest.mark.kernel


def check(found: Worlds, step: int = 7) -> None:
    """Arrays say the same as the positions."""
    sides, banked = found.sides, found.banked
    seen = np.zeros(len(found), bool)
    for group in found.groups:
        assert not seen[group.index].any()
        seen[group.index] = True
        try:
            layout = layout_of(group.rules)
        except UnsupportedError:  # rules that the search does not have
            layout = None
        for i in group.index[::step]:
            position, contract = found.position(int(i)), found.contract(int(i))
            assert position.rules == group.rules
            start = found.start(int(i))
            assert sides[i] == sum(1 << s for s in start.side)
            assert banked[i] == found.knowledge.game.banked(contract) + sum(start.bonus[s] for s in start.side)
            if layout is None:
                continue
            assert found.hands(layout)[i].tolist() == [layout.encode(h) for h in position.hands]
            with_table = [layout.encode(h) for h in position.hands]
            for j, move in enumerate(position.trick):
                with_table[(position.leader + j) % len(with_table)] |= 1 << layout.bit[move.card]
            assert found.hands(layout, table=True)[i].tolist() == with_table
    assert seen.all()


@pytest.mark.parametrize("name", GAMES)
def test_arrays_and_positions_agree(name: str) -> None:
    rng = random.Random(name)
    done = 0
    while done < 6:
        one = some_game(rng, name)
        played = rr.played(rng, one, cards=rng.randrange(one.seats * one.hand_size))
        if not played.positions or played.record.contract.kind == "schwanzer":
            continue
        done += 1
        seat = rng.randrange(one.seats)
        found = Knowledge.from_record(played.record, seat).sample(40, seed=done, limit=60)
        assert found.owners.shape == (len(found), len(found.cards))
        check(found)
        # The twin's rules agree that every card of the record is legal in these worlds.
        table = brute.table_of(one)
        seen, _ = brute.seen_by(played, seat)
        for i in range(0, len(found), 9):
            start = found.start(i)
            ctx = seen.ctx if found.contract(i).under is None else {**seen.ctx, "under": found.contract(i).under}
            state = minimax.start([frozenset(map(str, h)) for h in start.hands], start.leader, [], ctx)
            for _, card, declare in seen.played:
                assert (card, declare) in minimax.moves(table.twin, state)
                state, _ = minimax.play(table.twin, state, (card, declare))


@pytest.mark.parametrize("wanted", ["under", "ten", "ace"])
def test_sheepshead_worlds(wanted: str) -> None:
    for seed in range(3):
        played = planned({}, wanted, seed, 8 * seed)
        for seat in range(5):
            check(Knowledge.from_record(played.record, seat).sample(60, seed=seed), 11)


def test_few_worlds_are_all_taken() -> None:
    me = game("kit").knowledge(0, "o1 o2 t3 s4")
    found = me.sample(100, seed=1)
    assert found.exact
    assert len(found) == 70
    assert len({row.tobytes() for row in found.owners}) == 70
    assert found.method == "all 70 worlds"
    assert not me.sample(50, seed=1).exact
    assert len(me.enumerate()) == 70
    with pytest.raises(UnsupportedError, match="too many to list"):
        me.enumerate(limit=69)


def test_the_seed_alone_decides_and_more_begin_alike() -> None:
    me = game("thousand").knowledge(0, "AH KH QH 9H TS JC 9D")
    one, two = me.sample(50, seed=5), me.sample(80, seed=5)
    assert (one.owners == two.owners[:50]).all()
    assert (one.owners != me.sample(50, seed=6).owners).any()


def test_before_the_play_there_are_deals() -> None:
    me = game("thousand").knowledge(0, "AH KH QH 9H TS JC 9D")
    found = me.sample(5, seed=5)
    deal = found.deal(0)
    assert deal.hands[0] == me.hand
    assert len(deal.talon) == 3
    assert game("thousand").read(deal.text) == deal
    with pytest.raises(NotationError, match="the play has not begun"):
        _ = found.sides
    with pytest.raises(NotationError, match="the play has not begun"):
        found.position(0)


def test_evidence_weighs_and_is_off_by_default() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D AC 9C KH 7S").heard("0 pass, 1 pass, 2 pass, 3 pick")
    me = me.contract("picker 3, call AH")
    plain, soft = me.sample(3000, seed=1), me.sample(3000, seed=1, evidence=CallModel())
    assert plain.weights is None
    assert plain.effective == 3000
    assert (plain.owners == soft.owners).all()
    assert soft.weights is not None
    assert 300 < soft.effective < 3000
    assert "effective sample size" in soft.method
    queen = list(found_cards := soft.cards).index("QC")
    assert found_cards[queen] == "QC"
    with_passers = np.isin(soft.owners[:, queen], [1, 2])
    assert np.average(with_passers, weights=soft.weights) < with_passers.mean() - 0.02
    flat = me.sample(100, seed=1, evidence=CallModel(spread=1e9))
    assert flat.weights is not None
    assert flat.effective == pytest.approx(100)
    assert effective(np.zeros(3)) == 0


def test_evidence_of_a_model_of_ones_own() -> None:
    class Even:
        def weigh(self, worlds: Worlds) -> np.ndarray:
            return np.arange(len(worlds), dtype=float)

    found = game("kit").knowledge(0, "o1 o2 t3 s4").sample(10, seed=1, evidence=Even())
    assert found.weights is not None
    assert found.weights.tolist() == list(range(10))


@pytest.mark.parametrize("kind", [np.int8, np.int64])
@pytest.mark.parametrize("shape", [(500, 3), (500, 9), (1, 8), (0, 4)])
def test_equal_rows(kind: type, shape: tuple[int, int]) -> None:
    rows = np.random.default_rng(1).integers(-1, 2, shape).astype(kind)
    first, rank = distinct(rows)
    assert (rows[first][rank] == rows).all()
    assert len(np.unique(rows, axis=0)) == len(first)
    assert first.tolist() == sorted({tuple(row): i for i, row in reversed([*enumerate(rows.tolist())])}.values())
