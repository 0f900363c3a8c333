"""The kit solved as a game of hidden cards: what stands in the answer, going on from a start, contracts, refusals."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from solver.games import Game, game
from solver.hidden import learner
from solver.hidden.equilibrium import Equilibrium, equilibrium, read_equilibrium
from solver.hidden.kit_tree import kit_tree
from solver.hidden.learner import METHODS, Learner
from solver.model.errors import NotationError, UnsupportedError

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))
NINE = game("kit", ranks=3)
TINY = 1e-12  # of sums of many floats


@cache
def learned(iterations: int = 20, one: Game = NINE, contract: str = "", **more: Any) -> Equilibrium:
    return equilibrium(one, contract, iterations=iterations, **more)


anew = learned.__wrapped__


def same(a: Equilibrium, b: Equilibrium) -> bool:
    """Whether two have learned the same, bit for bit."""
    return (
        a.iterations == b.iterations
        and a.nashconv == b.nashconv
        and a.frame.equals(b.frame)
        and all(np.array_equal(a.state[name], b.state[name]) for name in ("now", "regret", "plan"))
        and all(
            np.array_equal(getattr(a.strategy, name), getattr(b.strategy, name), equal_nan=True)
            for name in ("keys", "base", "chance", "worth", "weight")
        )
    )


def stopping(at: int) -> Callable[[int, int, float], None]:
    """A progress that is interrupted after so many iterations."""

    def tell(done: int, total: int, nashconv: float) -> None:
        if done == at:
            raise KeyboardInterrupt

    return tell


# --------------------------------------------------------------------- what stands in the answer


@pytest.mark.parametrize(
    "options",
    [
        {"ranks": 3}, {"suits": 2, "ranks": 3}, {"suits": 3, "ranks": 2, "seats": 2}, {"suits": 1, "ranks": 6},
        {"suits": 2, "ranks": 4, "seats": 4}, {"ranks": 3, "trump": "t"}, {"ranks": 3, "must_beat": True},
        {"suits": 1, "ranks": 3},
    ],
)  # fmt: skip
def test_the_tables(options: dict) -> None:
    one = game("kit", **options)
    found = learned(12, one)
    assert (found.game, found.contract, found.method, found.partial) == (one, one.contract(), "predictive", False)
    frame, table = found.frame, found.convergence
    assert list(frame.columns) == ["seat", "value", "best_response", "gain"]
    assert list(frame["seat"]) == list(range(one.seats))
    assert frame["value"].sum() == pytest.approx(one.hand_size, abs=1e-9)
    assert np.allclose(frame["gain"], frame["best_response"] - frame["value"], atol=0)
    assert (frame["gain"] > -TINY).all()
    assert found.nashconv == pytest.approx(frame["gain"].sum(), abs=TINY)
    assert found.nashconv < 0.001
    assert list(table.columns) == ["iterations", "nashconv", *(f"value_{seat}" for seat in range(one.seats))]
    assert table["iterations"].dtype == np.int64
    assert table["iterations"].is_monotonic_increasing
    assert table.iloc[-1].tolist() == [found.iterations, found.nashconv, *frame["value"]]
    assert found.counts["information sets"] >= found.counts["information sets kept"] == len(found.strategy.keys)
    assert (found.strategy.contract, found.strategy.game) == (found.contract, one)
    assert len(found.strategy.chance) == found.strategy.base[-1]


@pytest.mark.parametrize("method", METHODS)
def test_each_method_comes_near(method: str) -> None:
    found = learned(60, method=method)
    assert list(found.convergence["iterations"]) == [1, 2, 3, 5, 7, 10, 20, 30, 50, 60]
    assert found.method == method
    assert found.nashconv < {"predictive": 0.0001, "cfr+": 0.002, "cfr": 0.02}[method]
    assert found.convergence["nashconv"].iloc[0] > 0.02
    assert found.frame["value"].to_numpy() == pytest.approx([1.5274, 0.7337, 0.7389], abs=0.003)


def test_the_texts() -> None:
    found = learned(12)
    assert found.heading[0] == (
        "kit, ranks=3, lead 0, each seat for itself: value by seat at the equilibrium, in tricks"
    )
    assert found.heading[1] == (
        f"hidden cards, all 1,680 deals; predictive, 12 iterations; NashConv {found.nashconv:.6f}, exact"
    )
    assert f"no seat gains more than {found.frame['gain'].max():.6f} tricks by another way to play" in found.notes[1]
    assert "37,668 information sets with a choice (6,492 up to the names of suits), 86,832 plays" in found.notes[1]
    lines = str(found).splitlines()
    assert lines[:2] == list(found.heading)
    assert lines[2].split() == ["seat", "value", "best_response", "gain"]
    assert [line.split()[0] for line in lines[3:6]] == ["0", "1", "2"]
    assert lines[6:] == list(found.notes)
    assert "<pre>" in found._repr_html_()
    other = learned(2, game("kit", suits=2, ranks=3, must_beat=True), "1 by 1, lead 2", nashconv=0)
    assert other.heading[0] == (
        "kit, suits=2, ranks=3, must_beat=True, 1 by 1, lead 2: value by seat at the equilibrium, in chance"
    )


def test_plain_values_for_json() -> None:
    found = learned(12)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (told["nashconv"], told["iterations"], told["unit"]) == (found.nashconv, 12, "tricks")
    assert (told["game"], told["contract"], told["options"]["ranks"]) == ("kit", "", 3)
    assert told["method"] == "predictive"
    assert pd.DataFrame(told["rows"]).equals(found.frame)
    assert pd.DataFrame(told["convergence"]).equals(found.convergence)
    assert told["counts"] == found.counts
    assert told["partial"] is False
    assert {"trickwise", "numpy", "numba"} <= told["versions"].keys()


def test_progress_is_told() -> None:
    told: list[tuple[int, int, float]] = []
    found = learned(6, progress=lambda *how_far: told.append(how_far))
    assert [row[:2] for row in told] == [(n, 6) for n in range(1, 7)]
    looks = dict(zip(found.convergence["iterations"], found.convergence["nashconv"], strict=True))
    assert [row[2] for row in told] == [looks[n] for n in (1, 2, 3, 3, 5, 6)]


def test_progress_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    anew(3, progress=True)
    assert "3" in capsys.readouterr().err
    anew(3)
    assert capsys.readouterr().err == ""


def test_the_same_again() -> None:
    assert same(learned(20), anew(20))


# --------------------------------------------------------------------- going on


@pytest.mark.parametrize("method, contract", [("predictive", ""), ("cfr+", "1 by 1, lead 2"), ("cfr", "side 0 1")])
def test_going_on_comes_to_the_same_numbers(method: str, contract: str, tmp_path: Path) -> None:
    whole = learned(20, contract=contract, method=method)
    first = learned(8, contract=contract, method=method)
    before = {name: array.copy() for name, array in first.state.items()}
    path = tmp_path / "first.npz"
    first.save(path)
    for start in (first, path, str(path)):
        again = learned(20, contract=contract, method=method, start=start)
        assert same(again, whole)
        rows = again.convergence[again.convergence["iterations"] != 8].reset_index(drop=True)
        assert rows.equals(whole.convergence)
    assert all(np.array_equal(before[name], first.state[name]) for name in before)  # the start is as it was


def test_going_on_in_many_steps() -> None:
    found = None
    for iterations in (1, 2, 6, 13):
        found = learned(iterations, start=found)
    assert found is not None
    assert same(found, learned(13))
    assert same(learned(13, start=found), found)


def test_an_interrupt_gives_what_was_reached() -> None:
    found = learned(20, progress=stopping(9))
    assert (found.partial, found.iterations) == (True, 9)
    assert found.heading[1].endswith("exact, PARTIAL: interrupted")
    nine = learned(9)
    assert same(found, nine)
    assert found.convergence.equals(nine.convergence)
    again = learned(20, start=found)
    assert not again.partial
    assert same(again, learned(20))


def test_an_interrupt_between_any_two_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(100))

    def improve(*arguments: object) -> None:
        if next(calls) == 4:
            raise KeyboardInterrupt
        kernel(*arguments)

    kernel = learner._improve
    monkeypatch.setattr(learner, "_improve", improve)
    found = anew(20)
    assert (found.partial, found.iterations) == (True, 4)
    monkeypatch.undo()
    assert same(found, learned(4))


def test_an_interrupt_before_anything_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    def improve(*_: object) -> None:
        raise KeyboardInterrupt

    start = learned(3)
    monkeypatch.setattr(learner, "_improve", improve)
    with pytest.raises(KeyboardInterrupt, match="before the first iteration"):
        anew(20)
    assert same(anew(20, start=start), start)


def test_it_stops_where_it_is_near_enough() -> None:
    found = learned(300, nashconv=0.01)
    near = found.convergence["nashconv"]
    assert found.iterations < 20
    assert near.iloc[-1] <= 0.01 < near.iloc[:-1].min()
    assert not found.partial
    assert same(found, learned(found.iterations))


@pytest.mark.parametrize(
    "one, contract, method",
    [
        (game("kit", ranks=3), "lead 1", "predictive"), (game("kit", ranks=3), "by 0", "predictive"),
        (game("kit", ranks=3), "", "cfr+"), (game("kit", suits=2, ranks=3), "", "predictive"),
        (game("kit", ranks=3, must_beat=True), "", "predictive"), (game("kit", ranks=3, trump="o"), "", "predictive"),
    ],
)  # fmt: skip
def test_a_start_of_something_else(one: Game, contract: str, method: str) -> None:
    with pytest.raises(NotationError, match="not of what is asked") as found:
        equilibrium(one, contract, iterations=9, method=method, start=learned(2))
    assert "\n" not in str(found.value)


def test_starts_that_one_cannot_go_on_from(tmp_path: Path) -> None:
    start = learned(5)
    start.save(tmp_path / "start")
    with pytest.raises(NotationError, match="the start has 5 iterations: more than the 4 asked for"):
        learned(4, start=start)
    with pytest.raises(NotationError, match="read it with state=True"):
        learned(9, start=read_equilibrium(tmp_path / "start"))
    with pytest.raises(FileNotFoundError):
        learned(9, start=tmp_path / "none")


# --------------------------------------------------------------------- contracts


@pytest.mark.parametrize("contract", ["2 by 0", "1 by 1, lead 0", "1 by 2, lead 1", "0 by 1"])
def test_one_seat_against_the_others(contract: str) -> None:
    found = learned(20, contract=contract)
    target, declarer = int(contract[0]), int(contract[5])
    value = found.frame["value"]
    assert (found.unit, found.contract.target, found.contract.declarer) == ("chance", target, declarer)
    assert all(value[s] == pytest.approx(1 - value[declarer]) for s in range(3) if s != declarer)
    assert 0 <= value[declarer] <= 1
    assert value[declarer] == pytest.approx(1) or target > 0
    assert "value by seat at the equilibrium, in chance" in found.heading[0]
    assert found.nashconv < 0.001
    assert same(learned(20, contract=contract.replace("by", "by seat")), found)


def test_more_tricks_are_less_likely_and_add_up_to_their_number() -> None:
    tricks = learned(20, contract="by 0").frame["value"][0]
    chances = [learned(20, contract=f"{k} by 0").frame["value"][0] for k in range(4)]
    assert chances[0] == pytest.approx(1)
    assert chances == sorted(chances, reverse=True)
    assert tricks <= sum(chances[1:]) + 0.001  # each of them has a plan of its own


@pytest.mark.parametrize("seats, side", [(3, {0, 1}), (3, {1, 2}), (4, {0, 2}), (4, {3}), (4, {0, 1, 3})])
def test_a_side_counts_together(seats: int, side: set[int]) -> None:
    one = NINE if seats == 3 else game("kit", suits=2, ranks=4, seats=4)
    text = f"side {' '.join(map(str, side))}"
    found = learned(20, one, text)
    value = found.frame["value"]
    mine, theirs = ({float(value[s]) for s in range(seats) if (s in side) == kind} for kind in (True, False))
    assert max(mine) - min(mine) < TINY > max(theirs) - min(theirs)
    assert max(mine) + max(theirs) == pytest.approx(one.hand_size)
    assert found.unit == "tricks"
    chance = learned(20, one, f"2, {text}")
    assert chance.unit == "chance"
    assert max(chance.frame["value"][s] for s in side) <= max(mine) / 2 + 0.001


def test_one_of_a_side_is_by_that_seat() -> None:
    by, side = learned(10, contract="2 by 1"), learned(10, contract="2, side 1")
    assert same(by, side)


@pytest.mark.parametrize(
    "contract, moved", [("", "lead 1"), ("2 by 1", "2 by 0, lead 2"), ("side 0 1", "side 1 2, lead 1")]
)
def test_another_leader_turns_the_values(contract: str, moved: str) -> None:
    """What one has learned holds for the other, and, as the leader learns first, the other learns the same."""
    one, other = kit_tree(NINE, contract), kit_tree(NINE, moved)
    leader = other.contract.leader
    assert np.array_equal(one.keys, other.keys)
    found = learned(10, contract=contract)
    chances = found.strategy.chance.astype(np.float64)
    learners = Learner(one.tree, "cfr"), Learner(other.tree, "cfr")
    for number in (Learner.values, Learner.answers):
        first, turned = (number(learner, chances) for learner in learners)
        assert turned == pytest.approx(np.roll(first, leader), abs=1e-9)
    again = learned(10, contract=moved)
    assert np.array_equal(again.strategy.chance, found.strategy.chance)
    assert again.frame["value"].tolist() == pytest.approx(np.roll(found.frame["value"], leader).tolist(), abs=1e-12)


def test_trumps_named_by_the_contract_and_by_the_kit() -> None:
    named, option = learned(10, contract="trump t"), learned(10, game("kit", ranks=3, trump="t"))
    assert named.frame.equals(option.frame)
    assert np.array_equal(named.strategy.chance, option.strategy.chance)
    other = learned(10, contract="trump o")
    assert other.frame["value"].to_numpy() == pytest.approx(named.frame["value"].to_numpy(), abs=0.001)


# --------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "given, error, message",
    [
        ({"iterations": 0}, NotationError, "iterations is 0: expected a whole number from 1"),
        ({"iterations": -3}, NotationError, "iterations is -3"),
        ({"method": "dcfr"}, UnsupportedError, "method 'dcfr': expected one of predictive, cfr., cfr"),
        ({"game": game("thousand")}, UnsupportedError, "thousand: only the kit and its variants"),
        ({"game": game("whist")}, UnsupportedError, "whist: only the kit"),
        ({"game": game("kit", ranks=5)}, UnsupportedError, r"3 suits x 5 ranks for 3 seats: .* [\d,.]+ GB, more than"),
        ({"gigabytes": 0.1, "game": game("kit")}, UnsupportedError, "more than the 0.1 GB"),
        ({"contract": "2"}, NotationError, "2 tricks by nobody: name the seat, as in '2 by 0'"),
        ({"contract": "4 by 0"}, NotationError, "a hand of the kit has 3"),
        ({"contract": "2 by 3"}, NotationError, "a seat from 0 to 2"),
        ({"contract": "misere"}, NotationError, "cannot read 'misere'"),
    ],
)
def test_what_makes_no_sense(given: dict, error: type[Exception], message: str) -> None:
    given = {"game": NINE, **given}
    with pytest.raises(error, match=message) as found:
        equilibrium(given.pop("game"), **given)
    assert "\n" not in str(found.value)


# --------------------------------------------------------------------- the kit itself


@pytest.mark.slow
def test_the_kit() -> None:
    """Values and distance that were published with the method."""
    found = equilibrium(game("kit"), iterations=5 if SMALL else 50)
    assert found.nashconv < (0.04 if SMALL else 0.002)
    assert found.frame["value"].to_numpy() == pytest.approx([1.788, 1.093, 1.118], abs=0.01 if SMALL else 0.002)
    assert (found.counts["deals"], found.counts["information sets"]) == (34_650, 17_314_287)
    assert found.frame["value"].sum() == pytest.approx(4)


@pytest.mark.slow
@pytest.mark.skipif(SMALL, reason="the league's small form has one of them")
@pytest.mark.parametrize("seat, chance", [(0, 0.579), (1, 0.260), (2, 0.262)])
def test_two_tricks_in_the_kit(seat: int, chance: float) -> None:
    found = equilibrium(game("kit"), f"2 by {seat}, lead 0", iterations=50)
    assert found.frame["value"][seat] == pytest.approx(chance, abs=0.001)
    assert found.nashconv < 0.0005


def test_a_learner_starts_at_random() -> None:
    tree = kit_tree(NINE).tree
    learner = Learner(tree, "cfr")
    assert learner.rounds == 0
    fan = np.diff(tree.base)
    assert learner.mix() == pytest.approx(np.repeat(1 / fan, fan))
    values = learner.values(learner.chances)
    assert values.sum() == pytest.approx(3)
    assert (learner.answers(learner.chances) >= values).all()
    assert all(learner.worst(learner.chances, seat) <= values[seat] for seat in range(3))
