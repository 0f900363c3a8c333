"""Totals and expected scores in success curves are those of the game and its options."""

from __future__ import annotations

import pytest

from at_table import ending
from solver.analysis import curves
from solver.analysis.bidding import bid
from solver.games import game

SPADES = "AS KS QS JS TS 9S AH KH AD 2H"
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
    stakes = one.stakes  # type: ignore[attr-defined]
    for p in (0, 0.25, 1):
        assert 150 * curves.in_bids(p, stakes) == p * made + (1 - p) * failed
    assert curves.in_bids_text(stakes) == words


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
    assert f"expected_score of the bid winner = {formula}\n" in str(found)
    twice = bool(options.get("bidder_bonus"))
    scores = found.frame["bid"] * (3 * found.frame["p"] - 1 if twice else found.frame["p"])
    assert (found.frame["expected_score"] == scores).all()
