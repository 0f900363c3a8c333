"""Numbers of every public function: whole ones of Python and numpy are taken, anything else is refused in one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solver as tw
from solver.model.checks import ALL, AMOUNTS, QUOTED, WHOLE, excerpt, seat_number, whole_number
from solver.model.errors import TrickwiseError
from solver.worlds.knowledge import Knowledge

HAND, PLAN = "o1 o2 t3 s4", "2 by 0"
SMALL = tw.game("kit", suits=2, ranks=3)


def known() -> Knowledge:
    return tw.knowledge("kit", 0, HAND)


#: How each public function that takes numbers is called.
CALLS: dict[str, Callable[..., Any]] = {
    "advise": lambda **more: tw.advise(known().contract(PLAN), **{"seed": 1, **more}),
    "annotate": lambda **more: tw.annotate(tw.deal("kit", seed=1), PLAN, "", **more),
    "bid": lambda **more: tw.bid("kit", HAND, **more),
    "cards": lambda **more: tw.cards(tw.deal("kit", seed=1), PLAN, **more),
    "deal": lambda **more: tw.deal("kit", **more),
    "diagnose": lambda **more: tw.diagnose("kit", **more),
    "equilibrium": lambda **more: tw.equilibrium(SMALL, **more),
    "knowledge": lambda **more: tw.knowledge("kit", **{"seat": 0, "hand": HAND, **more}),
    "league": lambda **more: tw.league(SMALL, **more),
    "line": lambda **more: tw.line(tw.deal("kit", seed=1), PLAN, **more),
    "numbers": lambda **more: tw.numbers("kit", HAND, **{"seed": 1, **more}),
    "plan": lambda **more: tw.plan("thousand", "AH KH QH 9H TS JC 9D 9C 9S JS", "100 by 0", **more),
    "run_study": lambda **more: tw.run_study("none.toml", **more),
    "secured": lambda **more: tw.secured(SMALL, **{"seat": 0, **more}),
    "solve": lambda **more: tw.solve(tw.deal("kit", seed=1), PLAN, **more),
    "table": lambda **more: tw.table(tw.deal("bridge", seed=1), **more),
    "threshold": lambda **more: tw.threshold("kit", **more),
    "truths": lambda **more: tw.truths(SMALL, **more),
    "sample": lambda **more: known().sample(**{"n": 5, "seed": 1, **more}),
    "enumerate": lambda **more: known().enumerate(**more),
}
SEATS = ("seat", "dealer")
OTHERS = {"sample": Knowledge.sample, "enumerate": Knowledge.enumerate}
TAKEN = sorted(
    (verb, name)
    for verb, function in {**{n: getattr(tw, n) for n in tw.__all__}, **OTHERS}.items()
    if inspect.isfunction(function)
    for name in inspect.signature(function).parameters
    if name in WHOLE or name in AMOUNTS or name in SEATS
)


@pytest.mark.parametrize("verb, name", TAKEN)
def test_what_is_no_such_number(verb: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    odd: list[Any] = ["x", "1", True, np.bool_(True), [1], b"1", {}, float("nan"), "y" * 10_000]
    if name not in AMOUNTS:
        odd += [1.5, 1.0, np.float64(2), np.array([1, 2])]
    least = 0 if name in AMOUNTS or name in SEATS else WHOLE[name]
    odd += [] if least is None else [least - 1, np.int64(least - 1), -(10**5000)]
    odd += [10**5000]
    for value in odd:
        with pytest.raises(TrickwiseError) as wrong:
            CALLS[verb](**{name: value})
        said = str(wrong.value)
        assert said.startswith(f"{name} is "), said
        assert "expected a " in said
        assert len(said.splitlines()) == 1
        assert len(said) < 250
    assert not list(tmp_path.iterdir())


def test_every_number_is_tested() -> None:
    assert {verb for verb, _ in TAKEN} == CALLS.keys()


@pytest.mark.kernel
def test_numbers_of_numpy() -> None:
    one, few = np.int64(1), np.uint8(5)
    assert tw.deal("kit", seed=few) == tw.deal("kit", seed=5)
    assert tw.game("kit", suits=np.int32(2), ranks=np.int64(3), must_beat=np.bool_(True)) == tw.game(
        "kit", suits=2, ranks=3, must_beat=True
    )
    assert tw.knowledge("kit", one, HAND, dealer=one) == tw.knowledge("kit", 1, HAND, dealer=1)
    pairs: list[tuple[str, dict[str, int]]] = [
        ("solve", {"limit": 5}), ("bid", {"seat": 1, "dealer": 1, "worlds": 5, "seed": 1, "workers": 1}),
        ("advise", {"worlds": 5, "seed": 3, "workers": 1}), ("secured", {"seat": 1, "iterations": 5}),
        ("equilibrium", {"iterations": 5}), ("threshold", {"hands": 5, "seed": 1, "position": 1, "workers": 1}),
        ("diagnose", {"deals": 5, "counted": 1, "seed": 5}),
        ("numbers", {"worlds": 5, "deals": 5, "seed": 5, "bid": 1}),
    ]  # fmt: skip
    for verb, given in pairs:
        assert str(CALLS[verb](**{k: np.int64(v) for k, v in given.items()})) == str(CALLS[verb](**given)), verb


@pytest.mark.kernel
def test_all_worlds_are_asked_for_by_that_word() -> None:
    assert tw.bid("kit", HAND, worlds=ALL).n == 70
    with pytest.raises(TrickwiseError, match="worlds is 'every': expected a whole number from 1, or 'all'"):
        tw.bid("kit", HAND, worlds="every")


def test_what_is_quoted() -> None:
    assert excerpt("x" * QUOTED) == repr("x" * QUOTED)
    assert excerpt("x" * 10**6) == repr("x" * QUOTED + "…")
    assert excerpt("a\nb" + "x" * 200, place=150).startswith("'…x")
    deep: list[Any] = []
    for _ in range(10**5):
        deep = [deep]
    for value in (deep, 10**5000, [1] * 1000, {"a\n": "b" * 1000}, b"\n" * 1000, object()):
        assert len(excerpt(value).splitlines()) == 1
        assert len(excerpt(value)) < 5 * QUOTED


def test_helpers() -> None:
    assert type(whole_number("n", np.uint8(3), 0, 3)) is int
    assert seat_number(np.int8(2), 3) == 2
    for value in (3, -1, 1.0, "1", None, True):
        with pytest.raises(TrickwiseError, match=r"seat is .*: expected a seat from 0 to 2"):
            seat_number(value, 3)
