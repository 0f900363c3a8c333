"""Whist: sides, trump, score; `test_every_game` has the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import card_values, ending, legal, play, to_play, trick
from naive import whist as twin
from solver.games import game
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError

WHIST = game("whist")
RULES = WHIST.trick_rules(Contract())


def test_follow_suit_and_winner() -> None:
    assert legal(to_play(RULES, "2H 3C AS", "KH", seat=1, trump="S")) == {"2H"}
    assert legal(to_play(RULES, "3C AS", "KH", seat=1, trump="S")) == {"3C", "AS"}
    assert trick(RULES, "KH AH 2S QH", trump="S") == ("2S", 1)
    assert trick(RULES, "2H AC AD 3H", trump="S") == ("3H", 1)


def test_sides_and_leader() -> None:
    deal = WHIST.deal(seed=1)
    for text, side, leader in (
        ("7 by 0, trump H", {0, 2}, 0),
        ("7 by 3, trump H", {1, 3}, 0),
        ("trump H, lead 2", {0, 2}, 2),
        ("7, trump H, side 1 3", {1, 3}, 0),
    ):
        position = WHIST.start(deal, WHIST.contract(text))
        assert (position.side, position.turn, position.trump) == (side, leader, "H")


def test_trump_must_be_known() -> None:
    deal = WHIST.deal(seed=1)
    for text in ("", "7 by 0", "no trump"):
        with pytest.raises(NotationError, match="turned up"):
            WHIST.start(deal, WHIST.contract(text))
    fixed = game("whist", trump="spades")
    assert fixed.start(fixed.deal(seed=1), fixed.contract("7 by 0")).trump == "S"
    with pytest.raises(NotationError, match="no other suit is trump"):
        fixed.contract("7 by 0, trump H")
    none = game("whist", trump="none")
    assert none.start(none.deal(seed=1), none.contract("no trump")).trump is None
    with pytest.raises(NotationError, match="14 tricks"):
        WHIST.contract("14 by 0, trump H")
    with pytest.raises(UnsupportedError, match="honours"):
        game("whist", honours=True)


@given(st.lists(st.integers(0, 3), min_size=13, max_size=13))
def test_settle_against_the_twin(winners: list[int]) -> None:
    tricks = tuple(winners.count(s) for s in range(4))
    over = ending(RULES, [""] * 4, side=(0, 2), tricks=tricks, points=tricks)
    outcome = WHIST.settle(over, WHIST.contract("7 by 0, trump H"))
    assert list(outcome.scores) == twin.settle(list(tricks))
    assert outcome.made == (tricks[0] + tricks[2] >= 7) == (outcome.scores[0] > 0)


def test_a_game_goes_to_five() -> None:
    match = WHIST.match().add((3, 0, 3, 0)).add((0, 1, 0, 1)).add((2, 0, 2, 0))
    assert match.over
    assert match.winners == (0, 2)


@pytest.mark.kernel
def test_a_finesse() -> None:
    """Seat 2 leads towards ace and queen: both win when the king lies before them, one when it lies behind."""
    before = ["AH QH", "3C 4C", "2H 3H", "KH JH"]
    assert card_values(ending(RULES, before, leader=2, side=(0, 2))) == {"2H": 2, "3H": 2}
    behind = ["AH QH", "KH JH", "2H 3H", "3C 4C"]
    assert card_values(ending(RULES, behind, leader=2, side=(0, 2))) == {"2H": 1, "3H": 1}


def test_play_through() -> None:
    position = ending(RULES, ["AH 2S", "KH 3C", "QH 4C", "JH 5C"], trump="S", side=(0, 2))
    assert play(position, "AH KH QH JH 2S 3C 4C 5C").tricks == (2, 0, 0, 0)
