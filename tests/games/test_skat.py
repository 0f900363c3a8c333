"""Skat: trumps, what is laid away, null, score; `test_every_game` has the rest."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest

from at_table import card_values, ending, legal, play, to_play, trick, value
from solver.bidding.bid import bid
from solver.bidding.plans import plans
from solver.deals.doubledummy import cards, solve
from solver.deals.line import line
from solver.deals.positions import solve_line
from solver.formats.record import contract_text
from solver.games import game
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.seat.annotate import annotate

SKAT = game("skat")
HEARTS = SKAT.trick_rules(Contract(trump="H"))
GRAND = SKAT.trick_rules(Contract(kind="grand"))
NULL = SKAT.trick_rules(Contract(kind="null"))
DEAL = SKAT.read(
    "JC JS AH TH KH 9H AC TC AS 7D | JH QH 8H KC QC 9C TS KS AD 8D | JD 7H 8C 7C QS 9S 8S TD KD QD | skat: 7S 9D"
)


# --------------------------------------------------------------------- the play


def test_trumps() -> None:
    assert legal(to_play(HEARTS, "JD 7H AC", "9H", seat=1, trump="T")) == {"JD", "7H"}
    assert legal(to_play(HEARTS, "JC 7H AC", "KC", seat=1, trump="T")) == {"AC"}  # a jack is no club
    assert legal(to_play(GRAND, "JC 7H AC", "JD", seat=1, trump="T")) == {"JC"}
    assert legal(to_play(NULL, "JC 7H AC", "KC", seat=1)) == {"JC", "AC"}
    assert trick(HEARTS, "AH JD JC", trump="T") == ("JC", 15)
    assert trick(HEARTS, "JH JS 7C", trump="T") == ("JS", 4)
    assert trick(HEARTS, "AC 7H TC", trump="T") == ("7H", 21)
    assert trick(HEARTS, "KC TC QC", trump="T") == ("TC", 17)  # the ten is above the king
    assert trick(GRAND, "AC 7H TC", trump="T") == ("AC", 21)
    assert trick(NULL, "TC JC 9C") == ("JC", 1)  # below the jack in null
    assert trick(NULL, "7C AH AS") == ("7C", 1)


def test_120_points() -> None:
    assert SKAT.points(SKAT.deck.cards) == 120
    assert sum(HEARTS.value_of.values()) == sum(GRAND.value_of.values()) == 120
    assert sum(NULL.value_of.values()) == 0


# --------------------------------------------------------------------- contracts


@pytest.mark.parametrize(
    "text, expected",
    [
        ("hearts by 0", Contract(0, 61, "H")),
        ("Clubs by 2, lead 1", Contract(2, 61, "C", 1)),
        ("90 by 1, trump S", Contract(1, 90, "S")),
        ("spades, 90 by 1", Contract(1, 90, "S")),
        ("grand by 1", Contract(1, 61, kind="grand")),
        ("null by 2", Contract(2, 0, kind="null")),
        ("hearts by 0, bury 7S 9D", Contract(0, 61, "H", bury=(Card("7S"), Card("9D")))),
        ("hearts by 0, bury 7S, 9D", Contract(0, 61, "H", bury=(Card("7S"), Card("9D")))),
    ],
)
def test_contracts(text: str, expected: Contract) -> None:
    assert SKAT.contract(text) == expected
    assert SKAT.contract(contract_text(SKAT, expected)) == expected


@pytest.mark.parametrize(
    "text, parts",
    [
        ("harts by 0", ["'harts by 0' at place 1", "'hearts by 0'", "'null by 2'"]),
        ("hearts by 3", ["by '3'", "seat from 0 to 2"]),
        ("hearts, grand by 0", ["'grand' at place 9", "follows 'H'"]),
        ("grand by 0, trump H", ["grand with trump H"]),
        ("121 by 0, trump H", ["121", "1 to 120"]),
        ("61 by 0, null", ["in null the declarer takes no trick"]),
        ("hearts by 0, bury 9D", ["bury 9D", "2 cards"]),
        ("hearts by 0, call AC", ["has no 'call'"]),
    ],
)
def test_contracts_that_cannot_be_read(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        SKAT.contract(text)
    assert [part for part in parts if part not in str(caught.value)] == []


def test_what_a_deal_does_not_allow() -> None:
    with pytest.raises(NotationError, match="'hearts by 0', 'grand by 0' or 'null by 0'"):
        SKAT.start(DEAL, SKAT.contract("by 0"))
    with pytest.raises(NotationError, match="no declarer"):
        SKAT.start(DEAL, SKAT.contract("hearts"))
    with pytest.raises(IllegalPlayError, match="seat 0 lays away QH but does not hold it"):
        SKAT.start(DEAL, SKAT.contract("hearts by 0, bury QH 7D"))
    after = replace(DEAL, talon=frozenset())
    with pytest.raises(NotationError, match="two cards were laid away, 7S 9D"):
        SKAT.start(after, SKAT.contract("hearts by 0, bury 7D 7S"))
    for what in ("auction", "ramsch"):
        with pytest.raises(UnsupportedError, match=what):
            game("skat", **{what: True})
    with pytest.raises(UnsupportedError, match="no auction"):
        SKAT.auction()


# --------------------------------------------------------------------- the skat


def test_what_lies_away_counts_for_the_declarer() -> None:
    """Three ways to the same tricks: laid away with a skat, laid away before, untouched."""
    picked = SKAT.contract("hearts by 0, bury AS 7D")
    position = SKAT.start(DEAL, picked)
    assert position.hands[0] == DEAL.hands[0] - {"AS", "7D"} | DEAL.talon
    assert (position.collected, SKAT.banked(picked), SKAT.need(picked)) == (0, 11, ("points", 50))
    shown = replace(DEAL, hands=position.hands, talon=frozenset())
    assert SKAT.start(shown, picked) == position
    unnamed = SKAT.contract("hearts by 0")
    assert SKAT.start(shown, unnamed).collected == 11
    assert SKAT.start(DEAL, unnamed).collected == 0  # 7S 9D are worth nothing
    off = game("skat", skat_counts=False)
    assert off.banked(picked) == off.start(replace(shown, game=off), unnamed).collected == 0
    assert SKAT.banked(SKAT.contract("null by 0, bury AS 7D")) == 0


@pytest.mark.kernel
def test_a_hand_game_and_the_same_cards_laid_away() -> None:
    picked = SKAT.contract("hearts by 0, bury AS 7D")
    shown = replace(DEAL, hands=SKAT.start(DEAL, picked).hands, talon=frozenset())
    one, other = solve(DEAL, picked), solve(shown, "hearts by 0")
    assert (one.points, one.made) == (other.points, other.made)
    assert one.notes == other.notes
    assert "11 points out of play are the declarer's" in one.notes
    off = game("skat", skat_counts=False)
    assert solve(replace(DEAL, game=off), picked).points == one.points - 11
    for deal, contract in ((DEAL, picked), (shown, "hearts by 0")):
        frame = cards(deal, contract)
        assert set(frame[frame["best"]]["value"]) == {one.points}
        assert line(deal, contract).points == one.points


def test_plans_are_every_two_cards() -> None:
    twelve = DEAL.hands[0] | DEAL.talon
    found = plans(SKAT, SKAT.deck.write(twelve), "hearts by 0")
    assert found.count == len(set(found.plans)) == 66
    assert {frozenset(p.bury) for p in found.plans} == set(map(frozenset, combinations(twelve, 2)))
    with pytest.raises(NotationError, match="a hand of 10 cards"):
        plans(SKAT, SKAT.deck.write(DEAL.hands[0]), "hearts by 0")


def test_bids_are_not_estimated() -> None:
    with pytest.raises(UnsupportedError, match="skat"):
        bid("skat", SKAT.deck.write(DEAL.hands[0]), "hearts by 0")


# --------------------------------------------------------------------- null


@pytest.mark.kernel
def test_null_is_lost_by_any_trick() -> None:
    """Seven and eight duck every lead; an ace must take its trick."""
    safe = ending(NULL, ["7C 8H", "9C 9H", "TC TH"], leader=1, side=(0,))
    assert card_values(safe) == {"9C": 0, "9H": 0}
    caught = ending(NULL, ["AC 7H", "KC 8H", "QC 9H"], leader=1, side=(0,))
    assert card_values(caught) == {"KC": 1, "8H": 1}
    assert value(caught) == 1


@pytest.mark.kernel
def test_null_in_words_and_annotated() -> None:
    deal = SKAT.read(
        "7C 8C 9C 7S 8S 9S 7H 8H 7D 8D | AC KC QC JC AS KS QS AH KH AD | TC TS JS TH JH QH JD TD QD KD | skat: 9H 9D"
    )
    found = solve(deal, "null by 0")
    assert (found.points, found.target, found.made, found.unit) == (0, 0, True, "tricks")
    assert str(found).splitlines()[-1] == "null: the declarer must take 0 tricks, won"
    lost = solve(deal, "null by 1")
    assert lost.made is False
    assert lost.points > 0
    told = annotate(deal, "null by 0", "7C AC TC, AS TS 9S")
    assert told.unit == "tricks"
    assert told.frame["makes"].all()
    assert line(deal, "null by 0").unit == "tricks"


# --------------------------------------------------------------------- score and lines


def test_settle() -> None:
    first = ending(HEARTS, ["AH 7C", "KH 8C", "QH AC"], trump="T", side=(0,), points=(40, 30, 21), tricks=(4, 2, 2))
    over = play(first, "AH KH QH 7C 8C AC")
    outcome = SKAT.settle(over, SKAT.contract("hearts by 0"))
    assert (outcome.points, outcome.tricks) == ((58, 30, 32), (5, 2, 3))
    assert (outcome.made, outcome.scores) == (False, (0, 1, 1))
    won = SKAT.settle(over, SKAT.contract("hearts by 0, bury TC TD"))
    assert (won.points[0], won.made, won.scores) == (78, True, (1, 0, 0))
    assert won.text == "hearts: declarer 78, defenders 42, won"
    schneider = SKAT.settle(over, SKAT.contract("90 by 0, trump H, bury TC TD"))
    assert schneider.made is False
    null = ending(NULL, [""] * 3, side=(2,), tricks=(6, 4, 0))
    assert SKAT.settle(null, SKAT.contract("null by 2")).scores == (0, 0, 1)
    assert SKAT.settle(null, SKAT.contract("null by 0")).text == "null: declarer 6 tricks, lost"


def test_ladder() -> None:
    ladder = SKAT.ladder(SKAT.contract("hearts by 0, bury AS 7D"))
    assert [(r.bid, r.need, r.measure) for r in ladder] == [
        (31, 20, "points"), (61, 50, "points"), (90, 79, "points"), (120, 10, "tricks"),
    ]  # fmt: skip


@pytest.mark.kernel
def test_json_lines() -> None:
    base = {"game": "skat", "hands": [["AH", "7C"], ["KH", "8C"], ["QH", "AC"]], "leader": 0, "side": [0]}
    assert solve_line(json.dumps({**base, "trump": "H"}))["value"] == 18
    assert solve_line(json.dumps({**base, "trump": "grand"}))["value"] == 18
    assert solve_line(json.dumps({**base, "trump": "null"}))["value"] == 1
    for trump in (None, "X", "T", 3):
        assert "'null' for that game" in solve_line(json.dumps({**base, "trump": trump}))["error"]
    assert "'null' for that game" in solve_line(json.dumps(base))["error"]
