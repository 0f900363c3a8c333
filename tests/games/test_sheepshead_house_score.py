"""House rules of Sheepshead that change the score, and what a double-dummy value means under them."""

from __future__ import annotations

import pytest

from at_table import SHEEPSHEAD_DEAL, ending, sheepshead
from solver.games.sheepshead import Sheepshead
from solver.model.contract import Contract
from solver.model.errors import NotationError


def scores(one: Sheepshead, points: int, tricks: int, contract: Contract, side: tuple[int, ...] = (0, 1)) -> int:
    """What the picker, seat 0, scores."""
    over = ending(
        one.trick_rules(contract), [""] * 5, side=side, points=(points, 0, 120 - points, 0, 0),
        tricks=(tricks, 0, 6 - tricks, 0, 0),
    )  # fmt: skip
    outcome = one.settle(over, contract)
    assert sum(outcome.scores) == 0
    return outcome.scores[0]


# ---------------------------------------------------------------------- score


@pytest.mark.parametrize(
    "schwarz, points, tricks, expected",
    [
        ("tricks", 120, 5, 4), ("points", 120, 5, 6), ("tricks", 120, 6, 6), ("points", 120, 6, 6),
        ("tricks", 0, 1, -8), ("points", 0, 1, -18), ("points", 0, 0, -18), ("points", 1, 1, -8),
    ],
)  # fmt: skip
def test_schwarz(schwarz: str, points: int, tricks: int, expected: int) -> None:
    assert scores(sheepshead(schwarz=schwarz), points, tricks, Contract(declarer=0)) == expected


@pytest.mark.parametrize(
    "options, words, expected",
    [
        ({"crack": "crack"}, "crack", 4),
        ({"crack": "recrack"}, "crack", 4),
        ({"crack": "recrack"}, "crack, re-crack", 8),
        ({"blitz": True}, "blitz", 4),
        ({"crack": "recrack", "blitz": True}, "crack, recrack, blitz", 16),
        ({"crack": "recrack", "blitz": True, "multiplier_cap": 4}, "crack, recrack, blitz", 8),
        ({"no_pick": "doubler"}, "doubler", 4),
        ({"no_pick": "doubler", "doubler_stacks": True}, "doubler, doubler", 8),
        ({"no_pick": "doubler", "crack": "crack"}, "doubler, crack", 8),
    ],
)
def test_doubling(options: dict, words: str, expected: int) -> None:
    one = sheepshead(**options)
    contract = one.contract(f"picker 0, {words}")
    assert scores(one, 61, 3, contract) == expected
    assert one.multiplier(contract) == expected // 2
    assert scores(one, 60, 3, contract) == -2 * expected


@pytest.mark.parametrize(
    "options, words, why",
    [
        ({}, "crack", "crack is off"),
        ({}, "blitz", "blitz is False"),
        ({}, "doubler", "no_pick is leaster"),
        ({"crack": "crack"}, "crack, recrack", "crack is crack"),
        ({"crack": "recrack"}, "recrack", "only a crack is answered"),
        ({"crack": "crack"}, "crack, crack", "counts once"),
        ({"no_pick": "doubler"}, "doubler, doubler", "counts once"),
        ({"crack": "crack"}, "crack 2", "expected a comma"),
    ],
)
def test_doubling_that_the_house_rules_do_not_have(options: dict, words: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        sheepshead(**options).contract(f"picker 0, {words}")


# ---------------------------------------------------------------------- what a value means


@pytest.mark.parametrize(
    "options, text, low, high, expected",
    [
        (
            {}, "picker 0, bury TC 8H", 70, 70,
            ("80 points, 10 of them buried: won (picker +2, partner +1, each opponent -1)",),
        ),
        ({}, "picker 0", 60, 60, ("60 points: lost (picker -4, partner -2, each opponent +2)",)),
        ({"double_on_bump": False}, "picker 0", 60, 60, ("60 points: lost (picker -2, partner -1, each opponent +1)",)),
        (
            {"crack": "crack"}, "picker 0, crack", 91, 91,
            ("91 points: schneider (picker +8, partner +4, each opponent -4)",),
        ),
        (
            {"schwarz": "points"}, "picker 0", 120, 120,
            ("120 points: schwarz (picker +6, partner +3, each opponent -3)",),
        ),
        (
            {}, "picker 0", 30, 61,
            ("at least 30 points: schneider against (picker -8, partner -4, each opponent +4)",
             "at most 61 points: won (picker +2, partner +1, each opponent -1)"),
        ),
        (
            {}, "picker 0", 120, 120,
            ("120 points: schneider (picker +4, partner +2, each opponent -2); "
             "with every trick schwarz (picker +6, partner +3, each opponent -3)",),
        ),
        (
            {}, "picker 0", 0, 0,
            ("no points from tricks: no trick (picker -18, partner +0, each opponent +6); with a worthless trick "
             "0 points: schneider against (picker -8, partner -4, each opponent +4)",),
        ),
    ],
)  # fmt: skip
def test_explain_value(options: dict, text: str, low: int, high: int, expected: tuple[str, ...]) -> None:
    one = sheepshead(**options)
    contract = one.contract(text)
    position = ending(one.trick_rules(contract), [""] * 5, side=(0, 1))
    assert one.explain_value(position, contract, low, high) == expected


def test_explain_value_alone_and_without_a_picker() -> None:
    one = sheepshead()
    contract = one.contract("picker 0, alone")
    position = ending(one.trick_rules(contract), [""] * 5, side=(0,))
    assert one.explain_value(position, contract, 95, 95) == ("95 points: schneider (picker +8, each opponent -2)",)
    assert one.explain_value(position, one.contract("side 0"), 95, 95) == ()
    four = sheepshead(seats=4, partner="queens")
    contract = four.contract("")
    for side, words in (((0, 2), "each holder +1"), ((0,), "holder of both +3")):
        position = ending(four.trick_rules(contract), [""] * 4, side=side)
        assert words in four.explain_value(position, contract, 61, 61)[0]


def test_explain_leaster_says_what_is_not_searched() -> None:
    one = sheepshead()
    contract = one.contract("leaster, side 2")
    notes = one.explain_value(one.start(one.read(SHEEPSHEAD_DEAL), contract), contract, 4, 4)
    assert "blind of 15 points" in notes[1]
    assert "cannot win" in notes[2]
    assert one.ladder(contract) == ()


@pytest.mark.parametrize("bury", ["TC 8H", "9D 8D"])
def test_ladder_of_schwarz_by_points(bury: str) -> None:
    one = sheepshead(schwarz="points")
    contract = one.contract(f"picker 0, bury {bury}")
    banked = one.banked(contract)
    ladder = one.ladder(contract)
    assert [r.bid for r in ladder[1:]] == [31, 61, 91, 120]
    assert ladder[0].measure == ("tricks" if banked else "points")
    assert ladder[-1].need == 120 - banked
