from __future__ import annotations

from math import comb, factorial

import numpy as np
import pytest
from scipy.stats import chi2

from solver.games import game
from solver.model.cards import Card
from solver.model.layout import layout_of
from solver.worlds import sampler

KIT = game("kit").deck.cards


def some(n: int) -> list[Card]:
    return list(game("three_of_spades").deck.cards[:n])


@pytest.mark.parametrize(
    "sizes, total",
    [
        ([4, 4], 70),  # RULES 1.5
        ([6, 6, 6, 6], 2_308_743_493_056),  # 2.10, after the bury
        ([2, 24], 325),  # 2.10, blinds
        ([6, 6, 6, 6, 2], 325 * 2_308_743_493_056),  # 2.10, a defender
        ([7, 7], 3432),  # 3.13, after the talon
        ([3, 7, 7], 2_333_760),  # 3.13, before it
        ([10, 10, 10, 10], factorial(40) // factorial(10) ** 4),  # 4.6
        ([], 1),
        ([0, 3], 1),
    ],
)
def test_counts_of_the_rules(sizes: list[int], total: int) -> None:
    assert sampler.count(some(sum(sizes)), sizes) == total


@pytest.mark.parametrize("sizes", [[4, 4], [2, 3, 2], [1, 1, 1, 1], [5], [0, 2, 2]])
def test_every_world_stands_once(sizes: list[int]) -> None:
    unseen = some(sum(sizes))
    every = sampler.enumerate_all(unseen, sizes)
    assert len(every) == sampler.count(unseen, sizes) == len({row.tobytes() for row in every})
    assert all((np.bincount(row, minlength=len(sizes)) == sizes).all() for row in every)


def test_uniform_by_chi_squared() -> None:
    unseen, sizes, n = some(6), [2, 3, 1], 30_000
    drawn = sampler.uniform(unseen, sizes, n, np.random.default_rng(11))
    seen: dict[bytes, int] = {}
    for row in drawn:
        seen[row.tobytes()] = seen.get(row.tobytes(), 0) + 1
    every = sampler.count(unseen, sizes)
    expected = n / every
    statistic = sum((k - expected) ** 2 for k in seen.values()) / expected
    assert len(seen) == every == 60
    assert 0.001 < chi2.sf(statistic, every - 1) < 0.999


def test_each_card_goes_everywhere_alike() -> None:
    n = 20_000
    drawn = sampler.uniform(some(24), [6, 6, 6, 6], n, np.random.default_rng(3))
    counts = np.stack([(drawn == place).sum(axis=0) for place in range(4)])
    statistic = ((counts - n / 4) ** 2 / (n / 4)).sum()
    # 24 cards x 3 free places, and each place takes six cards: 23 x 3 degrees of freedom, a little less spread
    assert 30 < statistic < 120


def test_the_seed_alone_decides() -> None:
    one, two = (sampler.uniform(some(14), [7, 7], 50, np.random.default_rng(5)) for _ in range(2))
    assert (one == two).all()
    assert (one != sampler.uniform(some(14), [7, 7], 50, np.random.default_rng(6))).any()


def test_sizes_must_fill() -> None:
    for ask in (sampler.count, sampler.enumerate_all):
        with pytest.raises(ValueError, match="do not fill"):
            ask(some(5), [2, 2])
    with pytest.raises(ValueError, match="do not fill"):
        sampler.uniform(some(5), [6, -1], 3, np.random.default_rng(0))


def test_hands_in_bits() -> None:
    one = game("kit")
    layout = layout_of(one.trick_rules(one.contract("1 by 1")))
    mine = KIT[:4]
    unseen = list(KIT[4:])
    owners = sampler.enumerate_all(unseen, [4, 4])
    hands = sampler.hands(owners, unseen, layout, [2, 0], {1: mine})
    for row, owner in zip(hands, owners, strict=True):
        cards = [layout.decode(int(bits)) for bits in row]
        assert cards[1] == set(mine)
        assert cards[2] == {c for c, o in zip(unseen, owner, strict=True) if o == 0}
        assert cards[0] == {c for c, o in zip(unseen, owner, strict=True) if o == 1}
    for card in unseen:
        place = sampler.holder(owners, unseen, card)
        seat = np.array([2, 0])[place]
        held = hands[np.arange(len(hands)), seat] >> np.uint64(layout.bit[card]) & np.uint64(1)
        assert held.all()


def test_a_place_may_be_nobodys() -> None:
    one = game("kit")
    layout = layout_of(one.trick_rules(one.contract("1 by 1")))
    unseen = list(KIT[4:])
    owners = sampler.enumerate_all(unseen, [3, 3, 2])
    assert len(owners) == comb(8, 3) * comb(5, 3)
    hands = sampler.hands(owners, unseen, layout, [0, 2, None], {1: KIT[:4]})
    assert {int(bits).bit_count() for bits in hands[:, 0]} == {3}
    assert {sum(int(b).bit_count() for b in row) for row in hands} == {10}
