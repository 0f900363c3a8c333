"""Bounds that cut a search short, against the search without any of them; and every feature turned off in turn."""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import twin
from rule_sets import RULE_SETS, RuleSet
from solver.deals.search import Search
from solver.games import game
from solver.kernels import pairs
from solver.kernels.solve import solve_value
from solver.kernels.table import SWITCHES, Memory, new_memory, next_deal
from solver.model.layout import Layout, layout_of

pytestmark = pytest.mark.kernel

BARE = new_memory(8, sum(SWITCHES.values()))
NOTHING = np.empty(0, np.int64)
SMALL = bool(os.environ.get("TRICKWISE_SMALL"))
NS = 0b0101

# Compiled functions, whose arguments a type checker cannot count.
_value: Any = solve_value
_lead: Any = pairs.lead_tricks
_slow: Any = pairs.slow_tricks


def bridge() -> Layout:
    g = game("bridge")
    return layout_of(g.trick_rules(g.contract("3NT by 0")))


def ending(rng: random.Random, cards: int) -> NDArray[np.uint64]:
    """Hands of so many cards each, often with few suits and few ranks, so that they are freakish."""
    deck = [13 * s + r for s in range(4) for r in range(13)]
    if rng.random() < 0.6:
        suits = rng.sample(range(4), rng.choice([2, 2, 3]))
        deck = [c for c in deck if c // 13 in suits]
    if rng.random() < 0.7:
        long = rng.randrange(4)
        rng.shuffle(deck)
        deck.sort(key=lambda c: (c // 13 != long) + rng.random())
        deck = deck[: 4 * cards]
    deck = rng.sample(deck, 4 * cards)
    return np.array([sum(1 << c for c in deck[s * cards : (s + 1) * cards]) for s in range(4)], np.uint64)


def value(layout: Layout, hands: NDArray[np.uint64], seat: int, state: int, memory: Memory) -> int:
    """Tricks of North and South, with a seat on lead."""
    next_deal(memory, hands)
    low, high, _ = _value(layout.record, hands.copy(), NS, seat, NOTHING, state, state, 0, 0, -1, -1, memory, 0)
    assert low == high
    return int(low)


@pytest.mark.parametrize("trump", [-1, 0, 3])
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_bounds_of_partnerships(trump: int, cards: int) -> None:
    """What a side is said to be certain of, it takes; for every number of tricks that are said to be enough."""
    layout = bridge()
    rng = random.Random(100 * cards + trump)
    counted = np.zeros(2, np.int64)
    for _ in range(({2: 300, 3: 200, 4: 10} if SMALL else {2: 1500, 3: 1500, 4: 100})[cards]):
        hands = ending(rng, cards)
        seat = rng.randrange(4)
        worth = value(layout, hands, seat, trump + 1, BARE)
        on_lead = worth if seat % 2 == 0 else cards - worth
        left = np.bitwise_or.reduce(hands)
        for enough in range(1, cards + 1):
            low, _ = _lead(layout.record, hands, left, seat, trump, cards, enough)
            other, _ = _slow(layout.record, hands, left, seat, trump, cards, enough)
            said = f"{[hex(int(h)) for h in hands]}, seat {seat}, trump {trump}, enough {enough}"
            assert low <= on_lead, said
            assert other <= cards - on_lead, said
            counted += (low > 0, other > 0)
    assert (counted > 0).all()


@pytest.mark.parametrize("trump", [-1, 2])
def test_relevance_of_partnerships(trump: int) -> None:
    """Ranks that a bound does not name may be anything: lower ones are swapped, the bound must stand."""
    layout = bridge()
    rng = random.Random(7 + trump)
    for _ in range(150 if SMALL else 1000):
        hands = ending(rng, 3)
        seat = rng.randrange(4)
        left = np.bitwise_or.reduce(hands)
        for bound, leads in ((_lead, True), (_slow, False)):
            enough = rng.randint(1, 3)
            said, used = bound(layout.record, hands, left, seat, trump, 3, enough)
            if said < enough:
                continue
            other = hands.copy()
            for suit in range(4):
                mask = 0x1FFF << (13 * suit)
                named = int(used) & mask
                floor = (named & -named) if named else 1 << (13 * suit + 13)
                places = [i for i in range(13 * suit, 13 * suit + 13) if int(left) >> i & 1 and 1 << i < floor]
                owners = [next(s for s in range(4) if int(hands[s]) >> i & 1) for i in places]
                rng.shuffle(owners)
                for s in range(4):
                    kept = int(other[s]) & ~sum(1 << i for i in places)
                    other[s] = kept | sum(1 << i for i, o in zip(places, owners, strict=True) if o == s)
            worth = value(layout, other, seat, trump + 1, BARE)
            on_lead = worth if seat % 2 == 0 else 3 - worth
            assert said <= (on_lead if leads else 3 - on_lead), (hands, other, seat, used)


WITHOUT = {"nothing": 0, **SWITCHES, "everything": sum(SWITCHES.values())}
MEMORIES = {name: new_memory(12, off) for name, off in WITHOUT.items()}


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)
def test_no_value_depends_on_a_feature(rules: RuleSet) -> None:
    """With nothing, one feature at a time, and everything turned off: the values of the plain twin."""
    for tricks, count in ((2, 4), (3, 1)):
        for pos in rules.positions(11, tricks, count):
            position = twin.to_position(rules.table, pos)
            want = twin.value(rules.table, pos)
            for name, memory in MEMORIES.items():
                note = twin.show(rules.table, pos, f"without {name}")
                assert Search(position, memory=memory).value(position) == (want, want), note
