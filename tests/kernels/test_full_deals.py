"""Full deals with duties and marriages, recorded from a search with exact keys.

The plain twin cannot reach whole deals, and the recorded suites have neither duties nor marriages. The values in
tests/data/full_deals.jsonl come from the first search of this project, whose table knew a position only by the exact
set of its cards and which excused no move; it had been compared with the twin on endings.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from at_table import contract, ending
from solver.deals.search import Search
from solver.games import game
from solver.model.contract import Contract
from solver.model.play import Position

pytestmark = pytest.mark.kernel

DATA = Path(__file__).parents[1] / "data" / "full_deals.jsonl"
RECORDS = [json.loads(line) for line in DATA.read_text().splitlines()]


def start(record: dict) -> Position:
    """Position before the first lead."""
    some = game(record["game"], **record["options"])
    agreed, trump = Contract(), record.get("trump")
    if record["game"] == "sheepshead":
        agreed = contract(declarer=record["picker"], called=record["called"], under=record["under"])
        trump = "T"
    return ending(
        some.trick_rules(agreed), record["hands"], leader=record["leader"], trump=trump, side=record["side"],
        first_lead=True,
    )  # fmt: skip


def test_records() -> None:
    kinds = Counter((r["game"], len(r["hands"])) for r in RECORDS)
    assert set(kinds) == {("sheepshead", n) for n in (4, 5, 6, 7)} | {("thousand", 3)}
    assert min(kinds.values()) >= 40
    assert {r["called"][0] for r in RECORDS if r["game"] == "sheepshead"} == {"A", "T"}
    assert len({r["id"] for r in RECORDS}) == len(RECORDS)


@pytest.mark.parametrize("kind", ["sheepshead-4", "sheepshead-5", "sheepshead-6", "sheepshead-7", "thousand-3"])
def test_value(kind: str) -> None:
    for record in RECORDS:
        if record["id"].startswith(kind):
            position = start(record)
            value = record["value"]
            assert Search(position).value(position) == (value, value), record
            one = Search(position)
            assert one.reaches(position, value + 1) is False, record
            assert one.reaches(position, value) is True, record
