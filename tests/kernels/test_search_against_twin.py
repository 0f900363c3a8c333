"""The compiled search against unpruned minimax of the plain twin, under every rule set."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import numpy as np
import pytest

import twin
from naive import minimax
from rule_sets import LONG, RULE_SETS, USUAL, RuleSet, sizes
from solver.deals.doubledummy import max_n_values, solve_position
from solver.deals.search import Search, thread_memory
from solver.kernels.batch import levels
from solver.model.layout import layout_of

pytestmark = pytest.mark.kernel

#: In the small size every third position: the normal suite has them all.
SHARE = 3 if os.environ.get("TRICKWISE_SMALL") else 1

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)


def positions(rules: RuleSet, plan: dict, share: int = 1) -> Iterator[tuple[str, dict]]:
    """Positions of a plan, every `share`-th part of it, with a note that says where each comes from."""
    for row, (tricks, count) in enumerate(sizes(rules, plan)):
        for i, pos in enumerate(rules.positions(row, tricks, count // share)):
            yield twin.show(rules.table, pos, f"{rules.id} row {row} no {i}"), pos


def check_value(rules: RuleSet, note: str, pos: dict, asked_first: bool) -> int:
    """Value and the two thresholds around it, in either order on one table."""
    want = twin.value(rules.table, pos)
    position = twin.to_position(rules.table, pos)
    one = Search(position)
    if asked_first:
        assert one.reaches(position, want + 1) is False, f"{note}: value {want}"
        assert one.reaches(position, want) is True, f"{note}: value {want}"
    assert one.value(position) == (want, want), note
    assert one.reaches(position, want) is True, f"{note}: value {want}"
    assert one.reaches(position, want + 1) is False, f"{note}: value {want}"
    return want


@every_rule_set
def test_value(rules: RuleSet) -> None:
    seen, middle, values = 0, 0, set()
    for i, (note, pos) in enumerate(positions(rules, USUAL, SHARE)):
        values.add(check_value(rules, note, pos, i % 2 == 1))
        seen += 1
        middle += len(pos["trick"]) > 0
    assert seen >= 300 // SHARE - 1
    assert SHARE > 1 or 60 < middle < seen
    assert len(values) > 2


@pytest.mark.slow
@every_rule_set
def test_value_of_longer_endings(rules: RuleSet) -> None:
    for i, (note, pos) in enumerate(positions(rules, LONG, SHARE)):
        check_value(rules, note, pos, i % 2 == 1)


@every_rule_set
def test_value_after_play(rules: RuleSet) -> None:
    """Endings reached by play: called suits led, trumps declared, voids."""
    for i, pos in enumerate(rules.positions(7, 2, 30, played=1)):
        check_value(rules, twin.show(rules.table, pos, f"{rules.id} after play no {i}"), pos, i % 2 == 1)


LEADS_ANY = [r for r in RULE_SETS if r.table.loose and r.ctx.get("partner_leads_any")]


@pytest.mark.parametrize("rules", LEADS_ANY, ids=lambda r: r.id)
def test_partner_leads_another_card_of_the_called_suit(rules: RuleSet) -> None:
    """The duties end with that lead although the called card stays in the partner's hand: in one deal of fifteen the
    value depends on it, so such deals are sought out."""
    seen = 0
    for i, pos in enumerate(rules.positions(3, 3, {4: 1200, 5: 600}[rules.table.seats])):
        called = pos["ctx"]["called"]
        holder = next((s for s, hand in enumerate(pos["hands"]) if called in hand), None)
        if pos["trick"] or holder is None:
            continue
        if any(c != called and rules.table.twin.suit(c, pos["ctx"]) == called[1] for c in pos["hands"][holder]):
            pos = {**pos, "leader": holder}
            check_value(rules, twin.show(rules.table, pos, f"{rules.id} no {i}"), pos, i % 2 == 1)
            seen += 1
    assert seen > 10


@every_rule_set
def test_each_card(rules: RuleSet) -> None:
    """One search asked about every card of a position, and about what follows a random one, on to the end."""
    rng = random.Random(rules.id)
    for note, pos in positions(rules, USUAL, 15):
        start = twin.to_position(rules.table, pos)
        one = Search(start)
        while True:
            position = twin.to_position(rules.table, pos)
            want = twin.move_values(rules.table, pos)
            got = {}
            for move in position.legal():
                after = position.play(move)
                low, high = one.value(after)
                assert low == high, note
                got[move] = after.collected - position.collected + low
            assert got == want, f"{note}, at {twin.show(rules.table, pos)}"
            state = twin.state_of(pos)
            move = rng.choice(sorted(want))
            state, _ = minimax.play(rules.table.twin, state, (str(move.card), move.declare))
            if minimax.finished(state):
                break
            pos = twin.position_of(state, pos["side"])


@every_rule_set
def test_batch(rules: RuleSet) -> None:
    """Many deals in one call: how many of four thresholds each reaches."""
    rng = random.Random(rules.id)
    groups: dict[tuple, list[tuple[str, dict, int]]] = {}
    for note, pos in positions(rules, USUAL, 6):
        if not pos["trick"]:
            p = twin.to_position(rules.table, pos)
            key = (p.rules, p.leader, p.trump, p.called_led, p.first_lead)
            groups.setdefault(key, []).append((note, pos, twin.value(rules.table, pos)))
    assert sum(map(len, groups.values())) > 20
    for found in groups.values():
        first = twin.to_position(rules.table, found[0][1])
        layout = layout_of(first.rules)
        state, following = layout.state(first)
        assert state == following  # nothing is declared yet
        barred = int(first.first_lead and not first.rules.marriage_on_first_lead)
        deals = np.array([[layout.encode(h) for h in pos["hands"]] for _, pos, _ in found], np.uint64)
        sides = np.array([sum(1 << s for s in pos["side"]) for _, pos, _ in found], np.int64)
        needs = np.array([sorted({v, v + 1, v + 2, v + rng.randrange(3, 9)}) for _, _, v in found], np.int64)
        needs -= np.array([[rng.randrange(4)] for _ in found])
        low, high = np.zeros(len(found), np.int16), np.zeros(len(found), np.int16)
        nodes = np.zeros(len(found), np.int64)
        memory = thread_memory(len(layout.cards))
        levels(layout.record, deals, sides, first.leader, state, barred, needs, low, high, nodes, memory, 0)
        for i, (note, _, value) in enumerate(found):
            want = int((needs[i] <= value).sum())
            assert (low[i], high[i]) == (want, want), f"{note}: value {value}, needs {needs[i]}"


@every_rule_set
def test_node_limit_keeps_bounds(rules: RuleSet) -> None:
    """With too few nodes the bounds still hold the value, and a threshold is answered rightly or not at all."""
    for i, (note, pos) in enumerate(positions(rules, USUAL, 30)):
        want = twin.value(rules.table, pos)
        position = twin.to_position(rules.table, pos)
        for limit in (1, 3, 10 + i):
            low, high, _ = solve_position(position, limit=limit)
            assert low <= want <= high, f"{note}: value {want}, bounds {low} {high}, limit {limit}"
            one = Search(position, limit=limit)
            assert one.reaches(position, want) in (True, None), note
            assert one.reaches(position, want + 1) in (False, None), note
        assert solve_position(position)[:2] == (want, want), note


@pytest.mark.parametrize(
    "rules", [r for r in RULE_SETS if r.table.name == "kit"], ids=lambda r: r.id
)  # fmt: skip
def test_max_n(rules: RuleSet) -> None:
    """Each for itself with the tie rule of RULES.md 1.7."""
    for note, pos in positions(rules, USUAL, 4):
        if not pos["trick"]:
            want = minimax.max_n(rules.table.twin, pos["hands"], pos["leader"], pos["ctx"])
            assert max_n_values(twin.to_position(rules.table, pos)) == tuple(want), note
