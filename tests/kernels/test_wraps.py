"""Counters of the search's memory at the numbers where their stamps begin anew, under every rule set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import twin
from rule_sets import RULE_SETS, RuleSet
from solver.deals.search import Search, memory_bits
from solver.formats.jsonl import read_position
from solver.kernels.table import DEALS, GENERATION, STAMP, Memory, new_memory, next_deal
from solver.model.layout import layout_of
from solver.model.play import Position

pytestmark = pytest.mark.kernel

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)

#: Deals begun before the deals below, and generations of the table.
DEALS_BEGUN = [STAMP - 1, 2 * STAMP, (1 << 40) + STAMP - 2]
GENERATIONS = [(1 << 31) - 2, (1 << 32) - 3, (1 << 32) - 2, (1 << 32) - 1]


def answers(position: Position, memory: Memory) -> Iterator[int]:
    """Value, and the value after each card, of one search."""
    search = Search(position, memory=memory)
    for after in (position, *map(position.play, position.legal())):
        low, high = search.value(after)
        assert low == high
        yield after.collected + low


@every_rule_set
def test_stamps_at_their_wraps(rules: RuleSet) -> None:
    """One memory goes on over the wrap; each answer is that of a fresh memory, the value that of the plain twin."""
    cases = list(rules.positions(11, 3 if rules.table.seats < 5 else 2, 3))
    for deals, generation in zip(DEALS_BEGUN * 2, (*GENERATIONS, GENERATIONS[1], GENERATIONS[2]), strict=True):
        memory = None
        for pos in cases:
            position = twin.to_position(rules.table, pos)
            bits = memory_bits(len(layout_of(position.rules).cards))
            if memory is None:
                memory = new_memory(bits)
                assert Search(position, memory=memory).proved(position) == twin.value(rules.table, pos)
                memory.counters[DEALS], memory.counters[GENERATION] = deals, generation
            note = f"{twin.show(rules.table, pos)}, {deals} deals, generation {generation}"
            found = list(answers(position, memory))
            assert found[0] == position.collected + twin.value(rules.table, pos), note
            assert found == list(answers(position, new_memory(bits))), note


def test_the_position_that_told_of_it() -> None:
    """Deal number 2**20 of a thread: all ranks were read as none, and the answer was 9."""
    _, position, _ = read_position(
        {"game": "skat", "hands": [["JS", "9S", "JD"], ["9H", "AS", "QD"], ["JH", "JC", "8C"]], "leader": 2,
         "trump": "H", "side": [2]}
    )  # fmt: skip
    memory = new_memory(memory_bits(32))
    memory.counters[DEALS] = STAMP
    assert Search(position, memory=memory).proved(position) == 13
    memory.counters[DEALS] = STAMP
    assert Search(position, memory=memory).proved(position.play("JH")) == 13


def test_no_deal_has_the_stamp_of_cleared_words() -> None:
    memory = new_memory(8)
    hands = np.array([1, 2, 4], np.uint64)
    for begun in (0, STAMP, 2 * STAMP + 1, (1 << 40) - 1):
        memory.work.ranks[5], memory.work.killers[5] = 7, 7
        memory.counters[DEALS] = begun
        next_deal(memory, hands)
        assert memory.counters[DEALS] & STAMP
        assert memory.work.ranks[5] == memory.work.killers[5] == (7 if begun == 0 else 0)


def test_no_list_has_the_generation_of_cleared_heads() -> None:
    memory = new_memory(8)
    hands = np.array([1, 2, 4], np.uint64)
    memory.heads[3] = 9
    memory.counters[GENERATION] = (1 << 32) - 2
    next_deal(memory, hands)
    assert memory.counters[GENERATION] == (1 << 32) - 1
    assert memory.heads[3].tolist() == [9, 9]
    next_deal(memory, hands)
    assert memory.counters[GENERATION] == 1
    assert not memory.heads.any()


@pytest.mark.parametrize("bits", [3, 32])
def test_a_table_whose_numbers_have_no_room(bits: int) -> None:
    with pytest.raises(ValueError, match="4 to 31 bits"):
        new_memory(bits)
