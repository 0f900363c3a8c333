"""Studies of kind `match`: deals played twice, what must hold of any play, and designs by formula and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import solver as tw
from chunked import study, told
from solver.games import game
from solver.model.errors import TrickwiseError
from solver.studies import duel
from solver.studies.definition import definition_of
from solver.studies.duel import Policy, designs, play_pair, read_policy
from solver.studies.kinds import kind_of

DOUBLE, RANDOM = Policy("double dummy"), Policy("random")


def match(name: str, contract: str, first: str, second: str, deals: int, **more: object) -> dict[str, Any]:
    own = {"deals": deals, "contract": contract, "first": first, "second": second}
    return {"kind": "match", "game": name, "seed": 7, "match": {**own, **more}}


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


def test_blind_lead_is_double_dummy_after_the_lead() -> None:
    kit = game("kit")
    blind = Policy("blind lead", 70)
    for number in range(8):
        found = play_pair(kit, kit.contract("2 by 0"), (blind, DOUBLE), number, seed=2)
        assert found.taken[0] <= found.value == found.taken[1]  # seat 0 leads: alone in the first play it leads blind


@pytest.mark.parametrize(
    "table",
    [
        match("kit", "2 by 0", "pimc", "random", 9),
        match("kit", "2 by 0", "pimc", "random", 4, limit=3),
        match("thousand", "120 by 0", "pimc 2", "blind lead 3", 4, plan="drawn"),
        match("sheepshead", "by 0", "random", "double dummy", 4, plan="drawn"),
    ],
    ids=lambda table: str(table["game"]),
)
def test_rows_do_not_depend_on_chunks(table: dict[str, Any]) -> None:
    one, rows = study(table | {"chunk": 2})
    assert rows == study(table | {"chunk": 20})[1]
    assert rows[2:4] == kind_of("match").work(one, 2, 4, [])  # what was decided before changes nothing
    for row in rows:
        assert row["ahead"] == row["taken_first"] - row["taken_second"]
        assert game(str(table["game"])).read(row["deal"]) is not None
        for who in ("first", "second"):
            if table["game"] == "kit":
                assert row[f"made_{who}"] == (row[f"taken_{who}"] >= 2)
            else:
                assert row[f"made_{who}"] == (row[f"score_{who}"] > 0)
    *ahead, (title, made) = told(one, rows, len(rows)).tables
    assert len(ahead) == 1 + (table["game"] != "kit")
    assert title.startswith("how often")
    assert made["p"].tolist() == [np.mean([r[f"made_{who}"] for r in rows]) for who in ("first", "second")]
    assert made["declarer"].tolist() == made["defenders"].tolist()[::-1]
    for few in ([], rows[:3]):
        assert told(one, few, 9).tables == ()
        assert f"so far there are {len(few)}" in told(one, few, 9).notes[0]


def test_decisions_of_the_kit_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    table = match("kit", "2 by 1", "pimc", "blind lead 3", 30)
    rows = study(table)[1]
    assert duel._KEPT[8]
    monkeypatch.setattr(duel, "_kept", lambda worlds: {})
    assert rows == study(table)[1]
    monkeypatch.undo()
    monkeypatch.setattr(duel, "_MOST_KEPT", 5)
    assert rows == study(table)[1]


def test_a_contract_without_a_target() -> None:
    one, rows = study(match("kit", "by 0", "random", "double dummy", 4))
    assert [r["made_first"] for r in rows] == [None] * 4
    assert len(told(one, rows, 4).tables) == 1


def test_a_policy_that_takes_all_worlds_says_so() -> None:
    one = definition_of(match("kit", "2 by 0", "pimc", "pimc 100", 4))
    assert "pimc (all worlds) against pimc (all worlds)" in told(one, [], 4).heading[0]
    assert Policy("pimc", 8).told(game("kit", ranks=8)) == "pimc 8"
    assert Policy("pimc", 8).told(game("thousand")) == "pimc 8"
    assert Policy("random").told(game("kit")) == "random"


def test_three_of_spades() -> None:
    _, rows = study(match("three_of_spades", "180 by 0", "random", "random", 4, plan="drawn"))
    for row in rows:
        for who in ("first", "second"):
            assert row[f"made_{who}"] == (row[f"score_{who}"] > 0) == (row[f"taken_{who}"] >= 180)


def drawn(rng: np.random.Generator, *shape: int) -> tuple[Any, Any, Any]:
    """Values of deals, and what two policies take of them: they make unequal use of a good hand."""
    value = rng.normal(50, 20, shape)
    return value, 1.0 * value + rng.normal(3, 4, shape), 0.7 * value + rng.normal(-3, 6, shape)


def framed(value: Any, first: Any, second: Any) -> pd.DataFrame:
    return pd.DataFrame({"taken_first": first, "taken_second": second, "value": value})


def test_designs() -> None:
    value, first, second = drawn(np.random.default_rng(1), 400)
    found = designs(framed(value, first, second)).set_index("design")
    assert found.index.tolist() == ["plain", "control", "duplicate"]
    plain = first.var(ddof=1) + second.var(ddof=1)
    assert found.loc["plain", "variance"] == pytest.approx(plain)
    assert found.loc["duplicate", "variance"] == pytest.approx((first - second).var(ddof=1))
    beta = np.polyfit(value, first + second, 1)[0] / 2  # one slope for both
    left = (first - beta * value).var(ddof=1) + (second - beta * value).var(ddof=1)
    assert found.loc["control", "variance"] == pytest.approx(left, rel=0.01)
    assert found["saves"].tolist() == pytest.approx((plain / found["variance"]).tolist())
    assert found.loc[["plain", "control"], ["ahead", "low", "high", "error"]].isna().all(axis=None)
    row = found.loc["duplicate"]
    assert row["ahead"] == pytest.approx((first - second).mean())
    assert row["error"] == pytest.approx((first - second).std(ddof=1) / 20)
    assert row["high"] - row["ahead"] == pytest.approx(1.966 * row["error"], rel=1e-3)
    flat = designs(framed([1.0] * 5, [2.0] * 5, [1.0] * 5)).set_index("design")
    assert flat.loc["duplicate", "ahead"] == 1
    assert flat["saves"].isna().all()
    assert flat[["low", "high"]].isna().all(axis=None)  # five deals that agree say nothing of the others


def test_the_interval_covers_the_truth() -> None:
    rng, covered = np.random.default_rng(2), 0
    for _ in range(400):
        row = designs(framed(*drawn(rng, 40))).set_index("design").loc["duplicate"]
        covered += row["low"] <= 0.3 * 50 + 6 <= row["high"]
    assert 0.92 <= covered / 400 <= 0.98


def test_the_control_has_the_variance_that_it_says() -> None:
    rng, n = np.random.default_rng(3), 40
    (v, a, _), (w, _, b) = drawn(rng, 4000, n), drawn(rng, 4000, n)  # different deals for the two policies
    mine, other = v - v.mean(axis=1, keepdims=True), w - w.mean(axis=1, keepdims=True)
    beta = ((mine * a).sum(axis=1) + (other * b).sum(axis=1)) / ((mine**2).sum(axis=1) + (other**2).sum(axis=1))
    difference = (a.mean(axis=1) - b.mean(axis=1)) - beta * (v.mean(axis=1) - w.mean(axis=1))
    assert difference.mean() == pytest.approx(0.3 * 50 + 6, abs=0.1)
    said = np.mean([designs(framed(*drawn(rng, n)))["variance"][1] for _ in range(300)])
    assert n * difference.var() == pytest.approx(said, rel=0.08)
    plain = n * (a.mean(axis=1) - b.mean(axis=1)).var()
    assert plain / said > 4


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
        ("kit", "2 by 0", {"deals": 3}, "deals"), ("sheepshead", "50 by 0", {}, "bid 50"),
        ("whist", "by 0", {}, "game is 'whist'"), ("sheepshead", "leaster", {}, "names its declarer"),
    ],
)  # fmt: skip
def test_what_is_wrong(name: str, contract: str, more: dict[str, object], said: str) -> None:
    table = match(name, contract, "pimc", "random", 4)
    with pytest.raises(TrickwiseError, match=said) as wrong:
        definition_of(table | {"match": {**table["match"], **more}})
    assert "\n" not in str(wrong.value)
