"""`plan_limits` is `check_plan` turned round: both say the same of every hand, call, under card and bury."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from solver.games import game
from solver.games.sheepshead import Sheepshead
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError

HOUSES: list[dict] = [
    {},
    {"hold_card": False},
    {"call_own_ace": True},
    {"under_test": "after_bury"},
    {"bury_trump": False},
    {"bury_ace": False},
    {"bury_trump": False, "bury_ace": False, "under_test": "after_bury"},
    {"call_own_ace": True, "hold_card": False},
    {"partner": "jd"},
    {"partner": "jc"},
    {"partner": "jd", "jd_call_up": True},
    {"partner": "none"},
    {"seats": 4, "partner": "called"},
    {"seats": 7},
]


def within(one: Sheepshead, contract: Contract, kept: frozenset[Card], hidden_under: bool) -> bool:
    """Whether the picker's cards keep every limit."""
    put = frozenset(contract.bury)
    where = {frozenset({"kept"}): kept, frozenset({"bury"}): put, frozenset({"kept", "bury"}): kept | put}
    for limit in one.plan_limits(contract, under=hidden_under):
        counts = [(h, len(h.cards & where[h.where])) for h in limit.any_of]
        if not any(h.low <= n <= (99 if h.high is None else h.high) for h, n in counts):
            return False
    return True


def some_plan(rng: random.Random, one: Sheepshead, eight: frozenset[Card]) -> Contract:
    """A call, an under card and a bury, legal or not."""
    bury = tuple(rng.sample(sorted(eight), one.talon_size))
    kept = sorted(eight - set(bury))
    partner = one.options.partner
    if partner == "called":
        called = rng.choice([None, *(Card(r + s) for r in "AAT" for s in "CSH")])
    else:
        called = rng.choice([None, *map(Card, ("JH", "JS", "JC"))]) if one.options.jd_call_up else None
    under = Card(rng.choice(kept)) if called is not None and called.rank == "A" and rng.random() < 0.5 else None
    kind = "alone" if called is None and rng.random() < 0.5 else ""
    return Contract(declarer=0, called=(called,) if called else (), under=under, bury=bury, kind=kind)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_limits_and_plans_agree(house: dict) -> None:
    one, rng, seen = game("sheepshead", **house), random.Random(str(house)), Counter()
    assert isinstance(one, Sheepshead)
    size = one.hand_size + one.talon_size
    suits = [[c for c in one.deck.cards if c[1] in "DCS" or c[0] in "QJ"], list(one.deck.cards)]
    for _ in range(6000):
        eight = frozenset(rng.sample(rng.choice(suits), size))  # half of them without fail hearts
        plan = some_plan(rng, one, eight)
        try:
            one.check_contract(plan)
        except (NotationError, IllegalPlayError):
            continue
        try:
            one.check_plan(eight, plan)
            legal = True
        except IllegalPlayError:
            legal = False
        if plan.called and plan.called[0].rank == "T" and plan.under is not None:
            assert not legal  # an under card goes with an ace: such a contract is not announced
            continue
        if plan.called and plan.called[0].rank == "T" and not one.options.call_ten:
            continue
        assert within(one, plan, eight - set(plan.bury), plan.under is not None) == legal, (eight, plan)
        seen[legal] += 1
    assert seen[True] > 50
