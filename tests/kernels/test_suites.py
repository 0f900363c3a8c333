"""The recorded suites of full deals of the bench."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from at_table import ending
from solver.deals.search import Search
from solver.games import game
from solver.model.contract import Contract
from solver.model.play import Position

pytestmark = pytest.mark.kernel

FOLDER = Path(__file__).parents[2] / "solver" / "bench" / "suites"
SMALL = bool(os.environ.get("TRICKWISE_SMALL"))

#: Lines, seats and tricks of each suite.
SUITES = {
    "bridge": (100, 4, 13),
    "sheepshead_5": (100, 5, 6),
    "skat": (60, 3, 10),
    "thousand_8": (200, 3, 8),
    "three_of_spades_5": (30, 5, 10),
    "three_of_spades_6": (40, 6, 8),
    "three_of_spades_7": (40, 7, 7),
}


def lines(name: str) -> list[dict]:
    """The records of a suite."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def start(record: dict) -> Position:
    """Position before the first lead."""
    name, trump = record["game"], record.get("trump")
    seats = {"seats": len(record["hands"])} if name in ("sheepshead", "three_of_spades") else {}
    contract = Contract()
    if name == "skat":
        contract = Contract(kind="grand") if trump == "grand" else Contract(trump=trump)
    rules = game(name, **({"marriages": False} if name == "thousand" else seats)).trick_rules(contract)
    trump = "T" if name in ("sheepshead", "skat") else trump
    return ending(rules, record["hands"], leader=record["leader"], trump=trump, side=record["side"])


@pytest.mark.parametrize("name", SUITES)
def test_complete(name: str) -> None:
    found = lines(name)
    count, seats, tricks = SUITES[name]
    assert [r["id"] for r in found] == [f"{name}-{i}" for i in range(count)]
    for record in found:
        assert [len(h) for h in record["hands"]] == [tricks] * seats, record["id"]
        assert len({c for h in record["hands"] for c in h}) == seats * tricks, record["id"]
        assert 0 < len(record["side"]) < seats, record["id"]
        assert record["leader"] in range(seats), record["id"]


def check_values(name: str, count: int | None = None) -> None:
    """Solve every deal of a suite, or the first of it, for its value."""
    for record in lines(name)[:count]:
        position = start(record)
        assert Search(position).value(position) == (record["value"], record["value"]), record


def check_thresholds(name: str) -> None:
    """Ask of every deal of a suite whether the side reaches the bid; only of some in a small run."""
    for record in lines(name)[: 6 if SMALL else None]:
        position = start(record)
        assert Search(position).reaches(position, record["need"]) is record["makes"], record


def test_thousand() -> None:
    check_values("thousand_8")


def test_sheepshead() -> None:
    check_values("sheepshead_5")


@pytest.mark.parametrize("name", ["bridge", "skat"])
def test_yardsticks(name: str) -> None:
    check_values(name, 3 if SMALL else 15)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bridge", "skat"])
def test_yardsticks_whole(name: str) -> None:
    check_values(name, 15 if SMALL else None)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [6, 7])
def test_three_of_spades(seats: int) -> None:
    check_thresholds(f"three_of_spades_{seats}")
