"""The outer chance: every talon with its right chance, spread over what matters."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from deciding import PICKER, SEVEN
from solver.games import game
from solver.worlds.knowledge import Knowledge
from solver.worlds.talons import _steps, draw_talons

PICK = " ".join(PICKER.split()[:6])
CASES = [("thousand", {}, SEVEN, 680), ("sheepshead", {}, PICK, 325)]


def knows(name: str, options: dict, hand: str) -> Knowledge:
    return game(name, **options).knowledge(0, hand)


def test_gain() -> None:
    thousand, sheep = game("thousand"), game("sheepshead")
    hand = thousand.deck.hand(SEVEN)
    assert thousand.talon_gain(hand, thousand.deck.hand("TH JS 9C")) == (0, 12)
    assert thousand.talon_gain(hand, thousand.deck.hand("KS QS AD")) == (40, 18)
    assert thousand.talon_gain(thousand.deck.hand("KH QD"), thousand.deck.hand("QH KD AS")) == (180, 18)
    assert sheep.talon_gain(frozenset(), sheep.deck.hand("AD TC")) == (1, 21)
    assert game("kit").talon_gain(frozenset(), frozenset()) == (0,)


@pytest.mark.parametrize("name, options, hand, total", CASES)
def test_no_talon_twice_and_what_matters_in_proportion(name: str, options: dict, hand: str, total: int) -> None:
    known = knows(name, options, hand)
    every = [frozenset(t) for t in combinations(known.cards, known.game.talon_size)]
    assert len(every) == total
    whole = Counter(known.game.talon_gain(known.hand, t)[0] for t in every)
    for n, seed in ((1, 1), (7, 2), (40, 3), (40, 4), (111, 5)):
        drawn = draw_talons(known, n, seed=seed)
        assert (len(drawn), len(set(drawn.cards)), drawn.total, drawn.even) == (n, n, total, True)
        assert not drawn.complete
        assert [k.talon for k in drawn.known] == list(drawn.cards)
        found = Counter(known.game.talon_gain(known.hand, t)[0] for t in drawn.cards)
        for what, count in whole.items():
            assert abs(found[what] - n * count / total) < 1
        again = draw_talons(known, n, seed=seed)
        assert again.cards == drawn.cards
    assert draw_talons(known, 40, seed=3).cards != draw_talons(known, 40, seed=4).cards


@pytest.mark.parametrize("n", [None, 325, 9999])
def test_all_talons(n: int | None) -> None:
    drawn = draw_talons(knows("sheepshead", {}, PICK), n, seed=1)
    assert drawn.complete
    assert len(set(drawn.cards)) == len(drawn) == 325
    firsts = {draw_talons(knows("sheepshead", {}, PICK), n, seed=seed).cards[0] for seed in range(3)}
    assert len(firsts) > 1  # in random order, so that a first part is a fair sample


def test_a_part_of_a_sample_is_a_fair_sample() -> None:
    known, firsts = knows("thousand", {}, SEVEN), Counter()
    for seed in range(150):
        first = draw_talons(known, 4, seed=seed).cards[0]
        firsts[known.game.talon_gain(known.hand, first)[0] > 0] += 1
    p = 45 / 680
    assert abs(firsts[True] - 150 * p) < 4 * (150 * p * (1 - p)) ** 0.5


def test_every_talon_is_as_likely() -> None:
    # The draw itself, without the knowledge that is made of each talon.
    n, runs, total = 40, 600, 680
    known = knows("thousand", {}, SEVEN)
    every = [frozenset(t) for t in combinations(known.cards, 3)]
    keys = np.array([known.game.talon_gain(known.hand, t) for t in every])
    counts, rng = np.zeros(total), np.random.default_rng(5)
    for _ in range(runs):
        order = np.lexsort((rng.permutation(total), keys[:, 1], keys[:, 0]))
        chosen = _steps(np.ones(total), order, n, rng)
        counts[chosen] += 1
    p = n / total
    statistic = float(((counts - runs * p) ** 2).sum() / (runs * p * (1 - p)))
    assert chi2.cdf(statistic, total - 1) < 0.999
    some, seen = Counter(), 60
    for seed in range(seen):
        some.update(c for t in draw_talons(known, n, seed=seed).cards for c in t)
    share = seen * n * 3 / 17
    assert all(abs(some[c] - share) < 5 * share**0.5 for c in known.cards)


def test_a_marriage_shown_by_a_bid_is_in_no_talon() -> None:
    # A bid of 125 shows a marriage, of clubs or of spades here: the other suits have both cards in no hand of others.
    known = game("thousand").knowledge(0, "AH KH QH TH JC KD 9D").heard("0:100 1:125")
    every = [frozenset(t) for t in combinations(known.cards, 3)]
    counts = {t: known.see(talon=t).count() if possible(t) else 0 for t in every}
    whole = sum(counts.values())
    assert whole == known.count()
    n = 900
    drawn = draw_talons(known, n, seed=2)
    assert not drawn.even
    assert not drawn.complete
    assert drawn.total == sum(c > 0 for c in counts.values()) < 680
    found = Counter(drawn.cards)
    for talon in every:
        assert abs(found[talon] - n * counts[talon] / whole) < 1 + 1e-9


def possible(talon: frozenset) -> bool:
    """Whether a marriage is left for the bidder."""
    return not (talon & {"KC", "QC"} and talon & {"KS", "QS"})
