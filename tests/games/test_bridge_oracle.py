"""Bridge against DDS, by way of the package endplay: the values of cards, of whole deals, tables, and scores.

Runs where endplay is installed (`pip install -e ".[oracles]"`).
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import Any

import pytest

from solver.deals.doubledummy import position_cards
from solver.deals.search import Search
from solver.deals.table import STRAINS, table
from solver.games import game
from solver.games.bridge import duplicate_score
from solver.games.bridge_deal import write_hands
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.play import Position

dds = pytest.importorskip("endplay.dds")
types = pytest.importorskip("endplay.types")

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))
BRIDGE = game("bridge")
RULES = BRIDGE.trick_rules(Contract())


def denom(strain: str | None) -> Any:
    """The oracle's strain."""
    return types.Denom.find(strain or "NT")


def position(seed: int, size: int, on_table: int) -> tuple[Position, Any]:
    """A random position of so many cards a hand, in the middle of a trick, and the oracle's form of it."""
    rng = random.Random(f"{seed} {size} {on_table}")
    hands = tuple(frozenset(rng.sample(sorted(h), size)) for h in BRIDGE.deal(seed=seed).hands)
    leader, trump = rng.randrange(4), rng.choice([None, *"CDHS"])
    side = frozenset(rng.choice([(0, 2), (1, 3)]))
    mine = Position(RULES, hands, leader, side=side, trump=trump, first_lead=True)
    theirs = types.Deal(write_hands(hands), first=types.Player(leader), trump=denom(trump))
    for _ in range(on_table):
        move = rng.choice(mine.legal())
        mine = mine.play(move)
        theirs.play(move.card.suit + move.card.rank)
    return mine, theirs


def values(mine: Position, theirs: Any) -> dict[str, int]:
    """What the oracle gives the side of a position after each card, this trick included."""
    left = max(map(len, mine.hands))
    own = mine.turn in mine.side
    found = dds.solve_board(theirs)
    letters = dict(zip("♣♦♥♠", "CDHS", strict=True))
    return {c.rank.abbr + letters[c.suit.abbr]: t if own else left - t for c, t in found}


def check_cards(seed: int, size: int, on_table: int) -> None:
    """Value of each legal card."""
    mine, theirs = position(seed, size, on_table)
    frame = position_cards(mine)
    legal = frame[frame["legal"]]
    found = dict(zip(legal["card"], map(int, legal["value"]), strict=True))
    assert found == values(mine, theirs), f"seed {seed}, {size} cards, {on_table} on the table"


def check_value(seed: int, size: int, on_table: int) -> None:
    """Value of the position."""
    mine, theirs = position(seed, size, on_table)
    best = max if mine.turn in mine.side else min
    want = best(values(mine, theirs).values())
    assert Search(mine).value(mine) == (want, want), f"seed {seed}, {size} cards, {on_table} on the table"


def check_table(deal: Deal) -> None:
    """All 20 cells; the oracle counts cards that are gone as tricks."""
    gone = 13 - len(deal.hands[0])
    found = table(deal, workers=1)
    theirs = dds.calc_dd_table(types.Deal(write_hands(deal.hands)))
    for strain in STRAINS:
        for seat in range(4):
            assert found.tricks(seat, strain) == theirs[denom(strain), types.Player(seat)] - gone, (strain, seat)


@pytest.mark.kernel
def test_endings() -> None:
    for seed in range(40):
        check_cards(seed, 3 + seed % 5, seed // 5 % 4)


@pytest.mark.kernel
def test_whole_deals() -> None:
    for seed in range(1000, 1004):
        check_value(seed, 13, seed % 4)


@pytest.mark.kernel
def test_a_table() -> None:
    hands = tuple(frozenset(sorted(h)[:8]) for h in BRIDGE.deal(seed=5).hands)
    check_table(Deal(BRIDGE, hands))


@pytest.mark.slow
@pytest.mark.kernel
def test_many_cards() -> None:
    """Every card of positions from 13 cards a hand down, half of them in the middle of a trick."""
    for seed in range(2000, 2020 if SMALL else 2300):
        check_cards(seed, (13, 12, 11, 10, 9, 8)[seed % 6], max(0, seed // 6 % 7 - 3))


@pytest.mark.slow
@pytest.mark.kernel
def test_many_values() -> None:
    for seed in range(3000, 3020 if SMALL else 3300):
        check_value(seed, 13, max(0, seed % 7 - 3))


@pytest.mark.slow
@pytest.mark.kernel
def test_many_tables() -> None:
    for seed in range(4000, 4003 if SMALL else 4030):
        deal = BRIDGE.deal(seed=seed)
        check_table(deal if seed % 2 else replace(deal, hands=tuple(frozenset(sorted(h)[:10]) for h in deal.hands)))


def test_scores() -> None:
    penalties = (types.Penalty.passed, types.Penalty.doubled, types.Penalty.redoubled)
    for level in range(1, 8):
        for strain in STRAINS:
            for tricks in range(14):
                for i, penalty in enumerate(penalties):
                    for vulnerable, word in ((False, types.Vul.none), (True, types.Vul.both)):
                        bid = types.Contract(
                            level=level, denom=denom(strain), declarer=types.Player.north, penalty=penalty,
                            result=tricks - 6 - level,
                        )  # fmt: skip
                        trump = None if strain == "NT" else strain
                        found = duplicate_score(level, trump, tricks, times=2**i, vulnerable=vulnerable)
                        assert found == bid.score(word), (level, strain, tricks, penalty, vulnerable)
