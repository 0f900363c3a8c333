"""Contract bridge: contracts, sides, deals, score; `test_every_game` has the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import card_values, ending, legal, play, to_play, trick
from naive import bridge as twin
from solver.deals.doubledummy import solve
from solver.formats.record import contract_text
from solver.formats.record_read import read_record
from solver.games import game
from solver.games.bridge import duplicate_score
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError
from solver.views.diagrams import deal_diagram

BRIDGE = game("bridge")
RULES = BRIDGE.trick_rules(Contract())


# --------------------------------------------------------------------- contracts


@pytest.mark.parametrize(
    "text, declarer, target, trump, leader",
    [
        ("4H by S", 2, 10, "H", 3),
        ("4h by south", 2, 10, "H", 3),
        ("4♥ by 2", 2, 10, "H", 3),
        ("4 hearts by seat 2", 2, 10, "H", 3),
        ("3NT by N", 0, 9, None, 1),
        ("3N by West", 3, 9, None, 0),
        ("3 no trump by E", 1, 9, None, 2),
        ("7C by 1, lead 3", 1, 13, "C", 3),
        ("1S by W", 3, 7, "S", 0),
        ("10 by 2, trump H", 2, 10, "H", 3),
        ("10 by S, trump ♥", 2, 10, "H", 3),
        ("9 by 0, no trump", 0, 9, None, 1),
        ("by 3, trump S, lead 0", 3, None, "S", 0),
    ],
)
def test_contracts(text: str, declarer: int, target: int | None, trump: str | None, leader: int) -> None:
    contract = BRIDGE.contract(text)
    assert (contract.declarer, contract.target, contract.trump, contract.leader) == (declarer, target, trump, leader)
    assert BRIDGE.contract(contract_text(BRIDGE, contract)) == contract
    position = BRIDGE.start(BRIDGE.deal(seed=1), contract)
    assert (position.side, position.turn) == ({declarer, (declarer + 2) % 4}, leader)


@pytest.mark.parametrize("text", ["4HX by S", "4HXX by 2", "4H by S, double", "redoubled, 4H by S", "4S by N, x"])
def test_doubled(text: str) -> None:
    contract = BRIDGE.contract(text)
    assert contract.doubles == (("redouble",) if "XX" in text or "re" in text else ("double",))
    assert BRIDGE.contract(contract_text(BRIDGE, contract)) == contract


@pytest.mark.parametrize(
    "text, parts",
    [
        ("8H by S", ["'8H by S' at place 1", "'4H by S'", "'lead 3'"]),
        ("4H by X", ["by 'X'", "0 to 3", "North East South West"]),
        ("4H by 4", ["by '4'", "0 to 3"]),
        ("4H by S, trump C", ["trump 'C' at place 10", "H already"]),
        ("3NT by S, 8 by S", ["bid '8'", "9 already"]),
        ("4HX by S, redouble", ["double"]),
        ("14 by S", ["14 tricks", "1 to 13"]),
        ("4H by S, call AS", ["has no 'call'"]),
        ("alone", ["has no 'alone'"]),
    ],
)
def test_contracts_that_cannot_be_read(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        BRIDGE.contract(text)
    assert [part for part in parts if part not in str(caught.value)] == []


def test_other_sides_and_no_declarer() -> None:
    deal = BRIDGE.deal(seed=1)
    assert BRIDGE.start(deal, BRIDGE.contract("trump H, side N S, lead 1")).side == {0, 2}
    assert BRIDGE.start(deal, BRIDGE.contract("9, side 1, lead 2")).side == {1}
    with pytest.raises(NotationError, match="no declarer"):
        BRIDGE.start(deal, BRIDGE.contract("4H"))
    with pytest.raises(UnsupportedError, match="auction"):
        BRIDGE.auction()
    with pytest.raises(UnsupportedError, match="rubber"):
        game("bridge", scoring="rubber")


def test_a_record_knows_who_leads() -> None:
    deal = BRIDGE.deal(seed=1)
    for dealer in range(4):
        record = read_record(f"game: bridge\ndealer: {dealer}\nhands: {deal.text}\ncontract: 4H by S\n")
        assert record.contract == BRIDGE.contract("4H by S")
        assert "lead" not in record.text
        assert read_record(record.text) == record


# --------------------------------------------------------------------- play


def test_follow_suit_and_winner() -> None:
    assert legal(to_play(RULES, "2H 3C AS", "KH", seat=1, trump="S")) == {"2H"}
    assert legal(to_play(RULES, "3C AS", "KH", seat=1)) == {"3C", "AS"}
    assert trick(RULES, "KH AH 2S QH", trump="S") == ("2S", 1)
    assert trick(RULES, "KH AS 2S QH") == ("KH", 1)


@pytest.mark.kernel
def test_a_finesse_and_a_ruff() -> None:
    """South leads towards ace and queen: both win when the king lies with West, before them."""
    assert card_values(ending(RULES, ["AH QH", "3C 4C", "2H 3H", "KH JH"], leader=2, side=(0, 2))) == {"2H": 2, "3H": 2}
    assert card_values(ending(RULES, ["AH QH", "KH JH", "2H 3H", "3C 4C"], leader=2, side=(0, 2))) == {"2H": 1, "3H": 1}
    ruff = ending(RULES, ["2S 3C", "AD 5C", "KD 4C", "QD 6D"], leader=2, trump="S", side=(0, 2))
    assert card_values(ruff) == {"KD": 1, "4C": 1}


@pytest.mark.kernel
def test_endings() -> None:
    deal = BRIDGE.read("N:AQ... .32.. 32... KJ...")
    found = solve(deal, "2 by N, lead 2")
    assert (found.points, found.made) == (2, True)
    assert found.notes == ()
    with pytest.raises(NotationError, match="10 tricks with 2 cards a hand"):
        solve(deal, "4H by S")


def test_play_through() -> None:
    position = ending(RULES, ["AH 2S", "KH 3C", "QH 4C", "JH 5C"], trump="S", side=(0, 2))
    assert play(position, "AH KH QH JH 2S 3C 4C 5C").tricks == (2, 0, 0, 0)


# --------------------------------------------------------------------- score


@pytest.mark.parametrize(
    "level, trump, tricks, times, vulnerable, score",
    [
        (4, "H", 10, 1, False, 420),
        (4, "H", 10, 1, True, 620),
        (3, None, 9, 1, False, 400),
        (3, None, 11, 1, True, 660),
        (2, "C", 8, 1, False, 90),
        (5, "D", 11, 1, False, 400),
        (6, "S", 12, 1, True, 1430),
        (7, None, 13, 1, False, 1520),
        (2, "S", 9, 2, False, 570),
        (1, None, 8, 4, True, 1160),
        (4, "S", 7, 1, False, -150),
        (4, "S", 7, 1, True, -300),
        (4, "S", 6, 2, False, -800),
        (4, "S", 6, 2, True, -1100),
        (7, None, 0, 4, True, -7600),
    ],
)
def test_duplicate_score(level: int, trump: str | None, tricks: int, times: int, vulnerable: bool, score: int) -> None:
    assert duplicate_score(level, trump, tricks, times=times, vulnerable=vulnerable) == score


def test_duplicate_score_against_the_twin() -> None:
    for level in range(1, 8):
        for trump in (None, *"CDHS"):
            for tricks in range(14):
                for doubled in range(3):
                    for vulnerable in (False, True):
                        found = duplicate_score(level, trump, tricks, times=2**doubled, vulnerable=vulnerable)
                        assert found == twin.score(level, trump, tricks, doubled, vulnerable)


@given(st.lists(st.integers(0, 3), min_size=13, max_size=13), st.integers(0, 3), st.booleans())
def test_settle(winners: list[int], declarer: int, vulnerable: bool) -> None:
    tricks = tuple(winners.count(s) for s in range(4))
    one = game("bridge", vulnerable=("ns", "ew")[declarer % 2] if vulnerable else "none")
    side = (declarer, (declarer + 2) % 4)
    over = ending(RULES, [""] * 4, side=side, tricks=tricks, points=tricks)
    own = sum(tricks[s] for s in side)
    outcome = one.settle(over, one.contract(f"4H by {declarer}"))
    score = twin.score(4, "H", own, 0, vulnerable)
    assert outcome.scores == tuple(score if s in side else -score for s in range(4))
    assert outcome.made == (own >= 10) == (score > 0)
    assert f"{own} tricks, " in outcome.text or own == 1
    low = one.settle(over, one.contract(f"5 by {declarer}, trump H"))
    assert (low.scores, low.made) == ((0, 0, 0, 0), own >= 5)


@pytest.mark.kernel
def test_what_a_value_says() -> None:
    deal = BRIDGE.read("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    assert solve(deal, "7S by N").notes == ("7S by North: 13 tricks, made, +1510",)
    assert solve(deal, "6SX by S").notes == ("6SX by South: 13 tricks, 1 over, +1310",)
    assert solve(deal, "1NT by E").notes == ("1NT by East: 0 tricks, down 7, -350",)


def test_diagram() -> None:
    shown = deal_diagram(BRIDGE.read("N:AT.5.. .J32.. 7.6.5. ..4.32"), symbols=False)
    lines = [
        "         North",
        "         S: A T",
        "         H: 5",
        "         D: -",
        "         C: -",
        "West              East",
        "S: -              S: -",
        "H: -              H: J 3 2",
        "D: 4              D: -",
        "C: 3 2            C: -",
        "         South",
        "         S: 7",
        "         H: 6",
        "         D: 5",
        "         C: -",
    ]
    assert shown.splitlines() == lines
    assert str(BRIDGE.deal(seed=1)).startswith("North  ♠ A 10 7 6 5 4   ♥ 5")
