"""Totals and expected scores in success curves are those of the game and its options."""

from __future__ import annotations

import pytest

from at_table import ending
from deciding import SPADES
from solver.bidding.bid import bid
from solver.bidding.of_game import stakes_of
from solver.games import game

PLAN = "trump S, call AC KD"


@pytest.mark.parametrize(
    "name, options, words",
    [
        ("thousand", {}, "bid x (2 p - 1)"),
        ("three_of_spades", {}, "bid x p"),
        ("three_of_spades", {"bidder_bonus": True}, "bid x (3 p - 1)"),
        ("three_of_spades", {"failed_bid": "collected"}, "bid x p"),
        ("three_of_spades", {"failed_bid": "collected", "bidder_bonus": True}, "bid x (3 p - 1)"),
        ("three_of_spades", {"point_values": "ace_eleven", "bidder_bonus": True}, "bid x (3 p - 1)"),
    ],
)
def test_expected_scores_are_those_of_the_settlement(name: str, options: dict, words: str) -> None:
    one = game(name, **options)
    contract = one.contract("150 by 0")
    rules, rest = one.trick_rules(contract), (0,) * (one.seats - 2)
    made, failed = (
        one.settle(
            ending(rules, [""] * one.seats, points=(took, *rest, 160 - took), tricks=(1,) * one.seats), contract
        ).scores[0]
        for took in (150, 100)
    )
    stakes = stakes_of(one, contract, frozenset())
    for p in (0, 0.25, 1):
        assert stakes.score(150, p) == p * made + (1 - p) * failed
    assert stakes.formula == words
    assert stakes.scored


@pytest.mark.parametrize("options", [{}, {"double_on_bump": False}, {"seats": 4}, {"seats": 7}, {"schwarz": "points"}])
def test_scores_of_tiers_are_those_of_the_settlement(options: dict) -> None:
    one = game("sheepshead", **options)
    contract = one.contract("by 0")
    stakes = stakes_of(one, contract, frozenset())
    worth = stakes.worth(contract)
    assert worth is not None
    assert not stakes.scored
    rules, size = one.trick_rules(contract), one.hand_size
    for alone in (False, True):
        for tier, (points, tricks) in enumerate([(0, 0), (20, 1), (40, 2), (70, 3), (95, size - 1), (120, size)]):
            side = {0} if alone else {0, 1}
            end = ending(
                rules, [""] * one.seats, points=(points, *(0,) * (one.seats - 2), 120 - points), side=side,
                tricks=(tricks, *(0,) * (one.seats - 2), size - tricks),
            )  # fmt: skip
            assert worth[int(alone), tier] == one.settle(end, contract).scores[0]


def test_the_kit_counts_tricks() -> None:
    stakes = stakes_of(game("kit"), game("kit").contract("by 0"), frozenset())
    assert stakes.worth(game("kit").contract("by 0")).tolist() == [[0, 1, 2, 3, 4]] * 2  # type: ignore[union-attr]
    assert stakes_of(game("thousand"), game("thousand").contract("by 0"), frozenset()).worth(
        game("thousand").contract("by 0")
    ) is None  # fmt: skip


def test_needs_of_both_readings() -> None:
    one = game("thousand")
    stakes = stakes_of(one, one.contract("by 0"), frozenset(), only=[100, 105, 120])
    assert stakes.needs == (98, 100, 103, 105, 118, 120)
    assert [stakes.needs[c] for c in stakes.column] == [98, 103, 118]
    assert [stakes.needs[c] for c in stakes.other] == [100, 105, 120]
    exact = game("thousand", round_before_check=False)
    stakes = stakes_of(exact, exact.contract("by 0"), frozenset(), only=[100, 105, 120])
    assert [stakes.needs[c] for c in stakes.column] == [100, 105, 120]


def test_the_bid_that_is_asked_about_is_among_them() -> None:
    one = game("thousand")
    stakes = stakes_of(one, one.contract("380 by 0"), frozenset())
    assert stakes.bids == (*one.bids(120), 380)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "options, total, formula",
    [
        ({}, 250, "bid x p, as of every member of the team"),
        ({"bidder_bonus": True}, 250, "bid x (3 p - 1)"),
        ({"point_values": "ace_eleven"}, 170, "bid x p, as of every member of the team"),
        ({"failed_bid": "collected", "seats": 6}, 250, "bid x p, as of every member of the team"),
    ],
)
def test_three_of_spades(options: dict, total: int, formula: str) -> None:
    hand = "AS KS QS JS TS 9S AH KH" if "seats" in options else SPADES
    found = bid("three_of_spades", hand, PLAN, worlds=2, seed=1, limit=5_000, **options)
    assert found.frame["bid"].tolist()[-1] == total
    assert f"this many of {total} points" in str(found)
    assert f"expected_score of the bid winner = {formula}\n" in str(found) + "\n"
    twice = bool(options.get("bidder_bonus"))
    scores = found.frame["bid"] * (3 * found.frame["p"] - 1 if twice else found.frame["p"])
    assert (found.frame["expected_score"] == scores).all()
