"""Ways to play small kits, and numbers for their contracts, against the plain twin; the kit's own figures; plots."""

from __future__ import annotations

import itertools
import json
import os

import matplotlib
import numpy as np
import pandas as pd
import pytest

import solver
from hidden_kits import KITS, Case
from naive import hidden as naive
from solver.games import game
from solver.hidden import league as module
from solver.hidden.equilibrium import equilibrium
from solver.hidden.kit_policies import POLICIES
from solver.hidden.league import EQUILIBRIUM, League, league, truths
from solver.hidden.learner import Learner
from solver.hidden.secured import secured
from solver.model.errors import NotationError, UnsupportedError
from solver.views.plot import league_dots, truth_bars

pytestmark = pytest.mark.kernel

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))

#: Without and with a trump suit, a side, a contract; for two, three and four seats.
CASES = [KITS[0], KITS[3], KITS[5], KITS[7], Case({"suits": 3, "ranks": 2}, "1 by 1", side=frozenset({1}), target=1)]


# --------------------------------------------------------------------- the twin


def team(case: Case, seat: int) -> frozenset[int]:
    """Seats that are always paid like this one."""
    if not case.side:
        return frozenset({seat})
    return case.side if seat in case.side else frozenset(range(case.seats)) - case.side


def by(case: Case, worth) -> naive.Chances:
    """Play of seats that take the best mean of a value, ``worth(node, seat)``."""
    return {
        knows: chances
        for seat in range(case.seats)
        for knows, chances in naive.sampled(case.deals, seat, lambda node, s=seat: worth(node, s)).items()
    }


def plain(case: Case, name: str) -> naive.Chances:
    """Chances of one of `POLICIES`, by its definition."""

    def known(node: naive.Node, seat: int) -> float:
        return naive.two_sides(node, seat, team(case, seat))

    def goes_on(chances: naive.Chances):
        def worth(node: naive.Node, seat: int) -> float:
            if not node.after:
                return node.pays[seat]
            return sum(chances[node.knows][move] * worth(child, seat) for move, child in node.after.items())

        return worth

    match name:
        case "random":
            return naive.uniform(case.deals)
        case "PIMC, max-n":
            return by(case, lambda node, seat: naive.max_n(node)[seat])
        case "PIMC, two sides":
            return by(case, known)
        case "blind lead":
            return by(case, lambda node, seat: blind(case, node, seat, by_known))
        case "roll-outs":
            return by(case, goes_on(naive.uniform(case.deals)))
        case "roll-outs of PIMC":
            return by(case, goes_on(plain(case, "PIMC, two sides")))
    raise KeyError(name)


def blind(case: Case, node: naive.Node, seat: int, chances) -> float:
    """The next choice is made without sight, then all is seen."""
    while len(node.after) == 1:
        node = next(iter(node.after.values()))
    if not node.after:
        return node.pays[seat]
    play = chances(case)[node.knows]
    return sum(p * naive.two_sides(node.after[move], seat, team(case, seat)) for move, p in play.items())


_KNOWN: dict[int, naive.Chances] = {}


def by_known(case: Case) -> naive.Chances:
    """Play of PIMC over two sides, made once."""
    if id(case) not in _KNOWN:
        _KNOWN[id(case)] = plain(case, "PIMC, two sides")
    return _KNOWN[id(case)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_league_like_the_twin(case: Case) -> None:
    found = league(case.game, case.contract, iterations=5)
    assert sorted(found.frame["policy"]) == sorted([*POLICIES, EQUILIBRIUM])
    assert found.frame["nashconv"].is_monotonic_increasing
    learner = Learner(case.short.tree, "predictive", start=case.leader)
    for _ in range(5):
        learner.learn()
    best = case.table(case.spread(learner.mix()))
    values = naive.value(case.deals, best)
    for row in found.frame.to_dict("records"):
        chances = best if row["policy"] == EQUILIBRIUM else plain(case, row["policy"])
        assert row["nashconv"] == pytest.approx(naive.nashconv(case.deals, chances), abs=1e-9)
        losses = []
        for seat, own in enumerate(naive.value(case.deals, chances)):
            assert row[f"value_{seat}"] == pytest.approx(own, abs=1e-9)
            assert row[f"sure_{seat}"] == pytest.approx(naive.worst(case.deals, chances, seat), abs=1e-9)
            one = {knows: (chances if knows[0] == seat else best)[knows] for knows in best}
            losses.append(values[seat] - naive.value(case.deals, one)[seat])
            assert row[f"loss_{seat}"] == pytest.approx(losses[-1], abs=1e-9)
        assert row["loss"] == pytest.approx(sum(losses), abs=1e-9)


@pytest.mark.parametrize("case", [case for case in [*CASES, KITS[2]] if case.target is not None], ids=str)
def test_truths_like_the_twin(case: Case) -> None:
    (seat,) = case.side
    found = truths(case.game, [case.contract], iterations=5, sure_iterations=30)
    row = found.frame.iloc[0]
    assert (row["seat"], row["target"]) == (seat, case.target)
    reached = equilibrium(case.game, case.contract, iterations=5)
    assert row["truth"] == reached.frame["value"][seat]
    assert row["nashconv"] == pytest.approx(reached.nashconv, abs=1e-12)
    chances = plain(case, "PIMC, two sides")
    expected = {
        "double_dummy": np.mean([naive.two_sides(deal, seat, team(case, seat)) for deal in case.deals]),
        "blind_lead": np.mean([blind(case, deal, seat, by_known) for deal in case.deals]),
        "self_play": naive.value(case.deals, chances)[seat],
    }
    assert dict(row[list(expected)]) == pytest.approx(expected, abs=1e-9)
    proved = secured(case.game, seat, case.contract, iterations=200, gap=1e-6)
    assert row["sure_low"] <= proved.high + 1e-12
    assert row["sure_high"] >= proved.low - 1e-12
    assert row["sure_high"] - row["sure_low"] < 0.01


# ------------------------------------------------------------------- the answers


def test_texts_and_json() -> None:
    kit = game("kit", ranks=3)
    one = league(kit, policies=["random"], iterations=2)
    assert one.heading == (
        "kit, ranks=3, each seat for itself: ways to play, in tricks",
        "exact over all 1,680 deals; equilibrium: predictive, 2 iterations",
    )
    assert str(one).splitlines()[2].split()[:4] == ["policy", "nashconv", "loss", "value_0"]
    told = json.loads(json.dumps(one.to_json(), allow_nan=False))
    assert (told["n"], told["unit"], told["contract"]) == (1680, "tricks", "")
    assert [row["policy"] for row in told["rows"]] == [EQUILIBRIUM, "random"]
    two = truths(kit, ["2 by 0", "1 by 2"], iterations=2, sure_iterations=0)
    assert two.errors.columns.tolist() == [
        "contract", "truth", "double_dummy", "blind_lead", "self_play", "guaranteed",
    ]  # fmt: skip
    assert "guaranteed" not in str(two)
    told = json.loads(json.dumps(two.to_json(), allow_nan=False))
    assert [(row["contract"], row["sure_low"]) for row in told["rows"]] == [("2 by 0", None), ("1 by 2", None)]
    points = 100 * (two.frame["self_play"] - two.frame["truth"])
    pd.testing.assert_series_equal(two.errors["self_play"], points, check_names=False)


def test_public_names_and_all_contracts() -> None:
    assert solver.league is league
    assert solver.truths is truths
    found = solver.truths(game("kit", suits=2, ranks=3), iterations=1, sure_iterations=0)
    assert found.frame["contract"].tolist() == ["1 by 0", "1 by 1", "1 by 2"]


def test_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = game("kit", suits=2, ranks=3)

    def stop(done: int, total: int, nashconv: float) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = league(kit, iterations=9, progress=stop)
    assert (found.partial, found.iterations) == (True, 3)
    assert found.frame.equals(league(kit, iterations=3).frame)
    some = truths(kit, [f"{k} by {s}" for k, s in itertools.product((1, 2), range(3))], iterations=1, progress=stop)
    assert some.partial
    assert some.frame["contract"].tolist() == ["1 by 0", "1 by 1", "1 by 2"]
    assert "PARTIAL" in str(some)

    def never(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.Learner, "learn", never)
    with pytest.raises(KeyboardInterrupt, match="before the first iteration"):
        league(kit)


@pytest.mark.parametrize(
    "options, contracts, more, expected",
    [
        ({}, ["2 by 0", "lead 1"], {}, "contract 'lead 1': expected a seat and a target"),
        ({}, ["2 by 0", "2 by 0, lead 1"], {}, "expected one leader and one trump suit"),
        ({}, ["1 by 0", "1 by 1, trump o"], {}, "expected one leader and one trump suit"),
        ({}, [], {}, "no contract is named"),
        ({}, ["1 by 0"], {"iterations": 0}, "iterations is 0: expected a whole number from 1"),
        ({"ranks": 1}, None, {}, "a hand of one card leaves no choice"),
    ],
)
def test_truths_refused(options: dict, contracts: list[str] | None, more: dict, expected: str) -> None:
    with pytest.raises((NotationError, UnsupportedError), match=expected):
        truths(game("kit", **options), contracts, **more)


def test_league_refused() -> None:
    with pytest.raises(NotationError, match="no policy 'PIMC': expected some of random, "):
        league(game("kit"), policies=["PIMC"])
    with pytest.raises(NotationError, match="iterations is 0"):
        league(game("kit", ranks=2), iterations=0)
    for ask in (league, truths):
        with pytest.raises(UnsupportedError, match="skat: only the kit"):
            ask(game("skat"))
        with pytest.raises(UnsupportedError, match="GB"):
            ask(game("kit", ranks=5))


def test_plots() -> None:
    matplotlib.use("agg")
    kit = game("kit", ranks=3)
    found = league(kit, policies=["random", "roll-outs"], iterations=3)
    ax = league_dots(found)
    assert ax.get_xscale() == "log"
    assert [text.get_text() for text in ax.get_yticklabels()] == found.frame["policy"].tolist()[::-1]
    assert ax.lines[0].get_xdata().tolist() == found.frame["nashconv"].tolist()[::-1]
    assert ax.get_xlabel() == "NashConv (tricks)"
    nothing = League(kit, found.contract, "tricks", 3, pd.DataFrame({"policy": ["a", "b"], "nashconv": [0.0, 0.5]}))
    ax = league_dots(nothing)
    assert [text.get_text() for text in ax.texts] == ["0.5", "0"]
    two = truths(kit, ["2 by 0", "1 by 2"], iterations=3, sure_iterations=0)
    ax = truth_bars(two)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["double dummy", "blind lead", "self-play"]
    assert [bar.get_height() for bar in ax.containers[2]] == pytest.approx(two.errors["self_play"].tolist())
    assert "percentage points" in ax.get_ylabel()


# ---------------------------------------------------------------------- the kit


@pytest.mark.slow
def test_figures_of_the_kit() -> None:
    figures = {"PIMC, max-n": 0.026, "PIMC, two sides": 0.068, "random": 1.62}
    found = league(game("kit"), policies=list(figures)[: 1 if SMALL else 3], iterations=1 if SMALL else 20)
    for row in found.frame[found.frame["policy"] != EQUILIBRIUM].to_dict("records"):
        figure = figures[row["policy"]]
        assert row["nashconv"] == pytest.approx(figure, abs=0.0005 if figure < 1 else 0.005)
    contracts = [f"2 by {seat}" for seat in range(1 if SMALL else 3)]
    compared = truths(game("kit"), contracts, iterations=5 if SMALL else 50, sure_iterations=0 if SMALL else 20)
    expected = pd.DataFrame(
        {
            "truth": [57.9, 26.0, 26.2],
            "double_dummy": [1.2, -4.5, -4.7],
            "blind_lead": [-0.2, -1.1, -1.3],
            "self_play": [1.8, 2.4, 2.4],
            "guaranteed": [-0.2, -4.7, -4.9],
        }
    ).head(len(contracts))
    columns = list(expected.columns)[: 4 if SMALL else 5]
    off = (compared.errors[columns] - expected[columns]).abs()
    assert off.to_numpy().max() <= (1.0 if SMALL else 0.15), compared
