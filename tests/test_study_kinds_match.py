"""Studies of kind `match`: deals played twice, what must hold of any play, and the four designs by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import solver as tw
from chunked import study, told
from solver.games import game
from solver.model.errors import TrickwiseError
from solver.studies.definition import definition_of
from solver.studies.duel import Policy, play_pair, read_policy
from solver.studies.kind_match import designs

DOUBLE, RANDOM = Policy("double dummy"), Policy("random")


def match(name: str, contract: str, first: str, second: str, deals: int, **more: object) -> dict[str, Any]:
    own = {"deals": deals, "contract": contract, "first": first, "second": second}
    return {"kind": "match", "game": name, "seed": 7, "match": {**own, **more}}


@pytest.mark.kernel
@pytest.mark.parametrize(
    "name, contract, deals", [("kit", "2 by 1, lead 2", 12), ("thousand", "120 by 0", 3), ("sheepshead", "by 0", 1)]
)
@pytest.mark.parametrize("plan", ["chosen", "drawn"])
def test_double_dummy_bounds_every_play(name: str, contract: str, deals: int, plan: str) -> None:
    one = game(name)
    for number in range(deals):
        found = play_pair(one, one.contract(contract), (DOUBLE, RANDOM), number, seed=1, plan=plan)
        assert found.taken[1] <= found.value <= found.taken[0]  # seeing all, neither side lets the value go
        again = play_pair(one, one.contract(contract), (DOUBLE, DOUBLE), number, seed=1, plan=plan)
        assert again.taken == (again.value, again.value)
        assert (again.deal, again.plan, again.value) == (found.deal, found.plan, found.value)
        text = f"{contract}, {found.plan}" if found.plan else contract
        assert tw.solve(found.deal, text).points == found.value


@pytest.mark.kernel
def test_blind_lead_is_double_dummy_after_the_lead() -> None:
    kit = game("kit")
    blind = Policy("blind lead", 70)
    for number in range(8):
        found = play_pair(kit, kit.contract("2 by 0"), (blind, DOUBLE), number, seed=2)
        assert found.taken[0] <= found.value == found.taken[1]  # seat 0 leads: alone in the first play it leads blind


@pytest.mark.kernel
@pytest.mark.parametrize(
    "table",
    [
        match("kit", "2 by 0", "pimc", "random", 9),
        match("thousand", "120 by 0", "pimc 2", "blind lead 3", 3, plan="drawn"),
        match("sheepshead", "by 0", "random", "double dummy", 2, plan="drawn"),
    ],
    ids=lambda table: str(table["game"]),
)
def test_rows_do_not_depend_on_chunks(table: dict[str, Any]) -> None:
    one, rows = study(table | {"chunk": 2})
    assert rows == study(table | {"chunk": 20})[1]
    for row in rows:
        assert row["ahead"] == row["taken_first"] - row["taken_second"]
        assert game(str(table["game"])).read(row["deal"]) is not None
    assert told(one, rows, len(rows)).heading
    assert told(one, [], 3).tables == ()


@pytest.mark.kernel
def test_three_of_spades() -> None:
    _, rows = study(match("three_of_spades", "180 by 0", "random", "random", 2, plan="drawn"))
    for row in rows:
        for who in ("first", "second"):
            assert (row[f"score_{who}"] > 0) == (row[f"taken_{who}"] >= 180)


def test_designs() -> None:
    rng = np.random.default_rng(1)
    value = rng.normal(50, 20, 400)
    first, second = (value + rng.normal(shift, size, 400) for shift, size in ((3, 4), (-3, 6)))
    frame = pd.DataFrame({"taken_first": first, "taken_second": second, "value": value})
    found = designs(frame).set_index("design")
    assert found["ahead"].tolist() == pytest.approx([(first - second).mean()] * 4)
    plain = first.var(ddof=1) + second.var(ddof=1)
    assert found.loc["plain", "variance"] == pytest.approx(plain)
    assert found.loc["duplicate", "variance"] == pytest.approx((first - second).var(ddof=1))
    for name, parts in (("control", (first, second)), ("duplicate and control", (first - second,))):
        rest = sum(float(np.polyfit(value, x, 1, full=True)[1][0]) for x in parts) / 398
        assert found.loc[name, "variance"] == pytest.approx(rest)
    assert found["saves"].tolist() == pytest.approx((plain / found["variance"]).tolist())
    assert found.loc["plain", "saves"] == 1
    assert found.loc["control", "saves"] > 5
    assert (found["low"] < found["ahead"]).all()
    flat = designs(pd.DataFrame({"taken_first": [2.0] * 5, "taken_second": [1.0] * 5, "value": [1.0] * 5}))
    assert flat["ahead"].tolist() == [1.0] * 4
    assert flat["saves"].isna().all()


def test_policies() -> None:
    assert str(read_policy("pimc", "first")) == "pimc 8"
    assert read_policy(" blind lead 20", "first") == Policy("blind lead", 20)
    for text in ("", "pimc 0", "pimc x", "random 3", "pimc 10001", "perfect"):
        with pytest.raises(TrickwiseError, match="first is"):
            read_policy(text, "first")


@pytest.mark.parametrize(
    "name, contract, more, said",
    [
        ("kit", "lead 0", {}, "names its declarer"), ("kit", "by 0", {}, "no bid to play for"),
        ("thousand", "120 by 0, pass 9C to 1, 9D to 2", {}, "leave the plan out"),
        ("thousand", "125 by 9", {}, "by"), ("three_of_spades", "by 0", {}, "no bid to play for"),
        ("kit", "2 by 0", {"plan": "best"}, "match.plan"), ("kit", "2 by 0", {"first": "best"}, "match.first"),
        ("whist", "by 0", {}, "game is 'whist'"), ("sheepshead", "leaster", {}, "names its declarer"),
    ],
)  # fmt: skip
def test_what_is_wrong(name: str, contract: str, more: dict[str, str], said: str) -> None:
    table = match(name, contract, "pimc", "random", 3)
    with pytest.raises(TrickwiseError, match=said) as wrong:
        definition_of(table | {"match": {**table["match"], **more}})
    assert "\n" not in str(wrong.value)
