"""Studies of kind `exact`: counts against every search of every pass, and talons that are one but for suits."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import solver as tw
from chunked import study, told
from solver.bidding import of_thousand_exact as exact
from solver.bidding.of_game import stakes_of
from solver.bidding.of_thousand_exact import best_passes, talon_classes
from solver.bidding.question import as_declarer, open_plans
from solver.deals.plan_matrix import open_field
from solver.deals.success import Runner
from solver.games import game
from solver.model.deal import Deal
from solver.model.errors import TrickwiseError
from solver.studies.definition import definition_of
from solver.studies.runner import begin_study, run
from solver.studies.store import open_store

HAND = "AH KH QH TS 9S JC KD"
GAME = game("thousand")
#: Hearts and diamonds are alike, and clubs and spades are not.
ALIKE = "AH KH AD KD TC QC 9S"


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often at what can be left out."""
    monkeypatch.setattr(exact, "PILOT", 5)
    monkeypatch.setattr(exact, "BLOCK", (2, 8))
    exact._KEPT.clear()


@pytest.mark.parametrize("worlds", [16])
def test_counts_are_those_of_every_pass_in_every_world(worlds: int, often: None) -> None:
    known = GAME.knowledge(0, HAND)
    stakes = stakes_of(GAME, GAME.contract("by 0"), known.hand)
    searches = []
    for talon in ("9H 9D QS", "9H 9D QC"):  # passes of the later ones are those of the earlier ones
        seen = known.see(talon=talon)
        plans = list(open_plans(seen, as_declarer(seen)))
        field = open_field(seen.sample(worlds, seed=4, limit=0), plans, stakes.ladder)
        with Runner(workers=1) as runner:
            every = field.search(runner, np.arange(len(plans)), 0, worlds)
        made = (every.low[:, :, None] > np.arange(stakes.rungs)).sum(axis=1)
        found = best_passes(seen, stakes.needs or (), worlds=worlds, seed=4)
        whole = best_passes(seen, stakes.needs or (), worlds=worlds, seed=4, prune=False)
        for counts in (found, whole):
            assert counts.made.tolist() == made.max(axis=0).tolist()
            for rung, best in enumerate(counts.best):
                assert (best is None) == (made[:, rung].max() == 0)
                assert best is None or made[plans.index(best), rung] == made[:, rung].max()
        assert whole.searches == len(plans) * worlds
        searches.append(found.searches)
    assert max(searches) < 90 * worlds


def swapped(cards: frozenset[str], a: str, b: str) -> frozenset[str]:
    return frozenset(c[0] + {a: b, b: a}.get(c[1], c[1]) for c in cards)


def test_talons_that_are_alike() -> None:
    hand = GAME.deck.hand(ALIKE)
    every, order = talon_classes(GAME, hand, seed=3)
    assert sum(t.weight for t in every) == len(order) == 680
    assert sorted(set(order)) == list(range(len(every)))

    def married(cards: frozenset[str], suit: str) -> bool:
        return {"K" + suit, "Q" + suit} <= cards

    classes = set()
    for some in combinations([c for c in GAME.deck.cards if c not in hand], 3):
        talon = frozenset(map(str, some))
        free = not any(married(talon | hand, s) for s in "HD")
        classes.add(frozenset({talon, swapped(talon, "H", "D")} if free else {talon}))
    assert len(every) == len(classes) < 680
    assert len(talon_classes(GAME, GAME.deck.hand(HAND), seed=3)[0]) == 680
    free = game("thousand", marriages=False)
    assert len(talon_classes(free, GAME.deck.hand("AH KH QH AD KD QD 9S"), seed=3)[0]) < 500
    few, order = talon_classes(GAME, hand, 5, seed=3)
    assert few == [t._replace(weight=order.count(i)) for i, t in enumerate(every[: len(few)])]


def test_suits_change_places_without_a_marriage_of_the_declarer() -> None:
    rng, differ = random.Random(3), 0
    for _ in range(60):
        cards = list(GAME.deck.cards)
        rng.shuffle(cards)
        hands = [frozenset(cards[8 * s : 8 * s + 8]) for s in range(3)]
        other = [frozenset(map(type(cards[0]), swapped(h, "H", "S"))) for h in hands]
        first, second = (tw.solve(Deal(GAME, tuple(some)), "100 by 0").points for some in (hands, other))
        if any({"K" + s, "Q" + s} <= hands[0] for s in "HS"):
            differ += first != second
        else:
            assert first == second
    assert differ  # the condition is needed


def test_the_study(often: None) -> None:
    table = {"kind": "exact", "game": "thousand", "seed": 2,
             "exact": {"hand": HAND, "bids": [200, 100, 120], "talons": 3, "worlds": 12}}  # fmt: skip
    one, rows = study(table)
    assert rows == study(table | {"chunk": 3})[1]
    assert one.settings["bids"] == [100, 120, 200]
    assert [r["bid"] for r in rows] == [100, 120, 200] * 3
    report = told(one, rows, 3)
    frame = report.tables[0][1]
    frame = frame.set_index("bid")
    for bid in (100, 120, 200):
        some = [r for r in rows if r["bid"] == bid]
        assert frame.loc[bid, "p"] == pytest.approx(sum(r["made"] for r in some) / 36)
        assert frame.loc[bid, "p_exact"] == pytest.approx(sum(r["other_made"] for r in some) / 36)
        assert frame.loc[bid, "low"] <= frame.loc[bid, "p"] <= frame.loc[bid, "high"]
        assert frame.loc[bid, "expected_score"] == pytest.approx(bid * (2 * frame.loc[bid, "p"] - 1))
    assert any("too high" in note for note in report.notes)
    part = told(one, rows[3:], 3)  # the first talon of the order is missing, so no sample is there yet
    assert not len(part.what.frame)
    assert not told(one, [], 3).tables


def test_one_thread_and_two(often: None, tmp_path: Path) -> None:
    toml = f'''
        kind = "exact"
        game = "thousand"
        seed = 2
        [exact]
        hand = "{HAND}"
        bids = [100, 120]
        talons = 6
        worlds = 8
    '''
    (tmp_path / "study.toml").write_text(toml)
    digests = []
    for workers in (1, 2):
        exact._KEPT.clear()  # what one run proved helps the other to nothing
        store = begin_study(tmp_path / "study.toml", tmp_path / f"by{workers}.duckdb")
        assert run(store, workers=workers).complete
        with open_store(store) as kept:
            digests.append(kept.digest())
    assert digests[0] == digests[1]


def test_a_whole_study_has_no_interval() -> None:
    table = {"kind": "exact", "game": "thousand", "seed": 2, "exact": {"hand": ALIKE, "bids": [100]}}
    one = definition_of(table)
    talons, order = talon_classes(GAME, GAME.deck.hand(ALIKE), seed=2)
    rows = [{"number": i, "talon": "", "weight": t.weight, "bid": 100, "needs": 98, "pass": "", "made": 7 * i,
             "other_needs": 100, "other_pass": "", "other_made": 0, "worlds": 3432}
            for i, t in enumerate(talons)]  # fmt: skip
    report = told(one, rows, len(talons))
    (row,) = report.what.frame.to_dict("records")
    truth = sum(7 * i * t.weight for i, t in enumerate(talons)) / (680 * 3432)
    assert row["p"] == row["low"] == row["high"] == pytest.approx(truth)
    part = told(one, rows[:100], len(talons)).what
    assert not part.partial  # it goes on, which is not to be interrupted
    assert part.n == 3432 * next(i for i, place in enumerate(order) if place >= 100)
    assert part.frame["low"][0] < part.frame["p"][0] < part.frame["high"][0]
    assert isinstance(part.frame, pd.DataFrame)


@pytest.mark.parametrize(
    "options, more, said",
    [
        ({}, {"hand": "AH KH"}, "too short"), ({}, {"hand": "AH KH QH TS 9S JC XX"}, "XX"),
        ({}, {"bids": [107]}, "107"),
        ({"table": "two_fixed"}, {}, "three seats"), ({}, {"talons": 681}, "talons is 681"),
    ],
)  # fmt: skip
def test_what_is_wrong(options: dict[str, str], more: dict[str, object], said: str) -> None:
    table = {"kind": "exact", "game": "thousand", "seed": 1, "options": options, "exact": {"hand": HAND, **more}}
    with pytest.raises(TrickwiseError, match=said) as wrong:
        definition_of(table)
    assert "\n" not in str(wrong.value)
