from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from solver.deals.estimate import Estimate
from solver.formats.record import contract_text
from solver.games import game
from solver.stats.rates import Rate, clustered, exact, falling, mean, sampled, wilson


@pytest.mark.parametrize("k, n", [(0, 1), (0, 40), (1, 40), (13, 40), (40, 40), (333, 1000)])
def test_wilson_is_scipys(k: int, n: int) -> None:
    expected = binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert wilson(k, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_covers() -> None:
    rng = np.random.default_rng(2)
    for p in (0.03, 0.4, 0.9):
        inside = [low <= p <= high for low, high in (wilson(k, 60) for k in rng.binomial(60, p, 2000))]
        assert 0.92 < np.mean(inside) < 0.985


def test_sampled_and_exact() -> None:
    x = [1, 0, 1, 1]
    assert sampled(x) == Rate(0.75, *wilson(3, 4))
    assert exact(x) == (0.75, 0.75, 0.75)
    assert np.isnan(sampled([]).p)
    assert sampled([])[1:] == exact([])[1:] == clustered(np.zeros((0, 3)))[1:] == (0, 1)


def test_undecided_worlds_widen() -> None:
    surely, possibly = [1, 0, 0, 0] * 10, [1, 1, 0, 0] * 10
    found = sampled(surely, possibly)
    assert found.low == sampled(surely).low
    assert found.high == sampled(possibly).high
    assert found.p == pytest.approx(0.375)
    assert exact(surely, possibly) == pytest.approx((0.375, 0.25, 0.5))
    both = [np.array(v).reshape(8, 5) for v in (surely, possibly)]
    assert clustered(*both).low <= clustered(both[0]).low
    assert clustered(*both).high >= clustered(both[1]).high


def test_worlds_that_share_a_talon_are_not_independent() -> None:
    same = np.repeat([[1], [0]] * 10, 30, axis=1)  # within a case all worlds agree
    mixed = np.tile([1, 0], (20, 15))
    # one answer a case: as 20 worlds, with Student's quantile and 19 degrees of freedom
    assert clustered(same)[1:] == pytest.approx(wilson(10, 20, z=2.093), abs=2e-2)
    spread = clustered(mixed)
    assert spread[1:] == pytest.approx(wilson(300, 600, z=2.093), abs=1e-3)
    assert clustered(same).p == spread.p == 0.5


def test_clustered_covers() -> None:
    rng = np.random.default_rng(9)
    inside = 0
    for _ in range(600):
        rates = rng.beta(2, 2, 24)  # mean .5
        found = clustered(rng.random((24, 16)) < rates[:, None])
        inside += found.low <= 0.5 <= found.high
    assert 0.92 < inside / 600 < 0.985


def test_all_outer_cases_leave_only_their_worlds_uncertain() -> None:
    rng = np.random.default_rng(1)
    rates = rng.beta(0.5, 0.5, 40)
    x = rng.random((40, 30)) < rates[:, None]
    whole, part = clustered(x, population=40), clustered(x)
    assert whole.high - whole.low < part.high - part.low
    assert clustered([[1, 1]])[1:] == (0, 1)  # one case of many says nothing
    assert clustered([[1, 1]], population=1).high == 1


def test_agreement_counts_cases_not_worlds() -> None:
    found = clustered(np.ones((24, 50)))
    assert found.p == found.high == 1
    assert found.low == pytest.approx(wilson(24, 24, z=2.0687)[0], abs=1e-3)


def test_falling() -> None:
    rates = [Rate(1.0, 0.85, 1.0), Rate(0.9, 0.88, 0.95), Rate(0.6, 0.5, 0.7), Rate(0.62, 0.5, 0.75)]
    out = falling(rates)
    assert [r.p for r in out] == pytest.approx([1, 0.9, 0.61, 0.61])
    assert [r.low for r in out] == [0.88, 0.88, 0.5, 0.5]
    assert [r.high for r in out] == [1.0, 0.95, 0.7, 0.7]
    assert falling([Rate(float("nan"), 0, 1)])[0].high == 1


def test_mean() -> None:
    x = np.array([2, -4, 2, 2, 4])
    found = mean(x)
    assert found.value == pytest.approx(1.2)
    assert found.error == pytest.approx(x.std(ddof=1) / np.sqrt(5))
    assert (found.low, found.high) == pytest.approx((1.2 - 2.776 * found.error, 1.2 + 2.776 * found.error), abs=1e-3)
    assert mean(x, all_worlds=True) == pytest.approx((1.2, 0, 1.2, 1.2))
    assert mean(x, x + 2).value == pytest.approx(2.2)
    assert mean(x, x + 2).low == mean(x).low
    assert np.isnan(mean([]).value)


@pytest.mark.parametrize(
    "name, text",
    [
        ("thousand", "120 by 0, pass 9C to 1, pass 9D to 2"),
        ("sheepshead", "61 by 2, call AH, bury TC 8H, lead 3"),
        ("sheepshead", "61 by 2, call AC, under 7D, bury KS AH"),
        ("three_of_spades", "175 by 1, trump S, call KD AS"),
        ("kit", "2 by 1, trump o, side 0 1"),
        ("kit", ""),
    ],
)
def test_contracts_are_written_as_they_are_read(name: str, text: str) -> None:
    one = game(name)
    contract = one.contract(text)
    assert one.contract(contract_text(one, contract)) == contract


def test_estimate_as_text_and_json() -> None:
    frame = pd.DataFrame([{"bid": np.int64(1), "p": float("nan"), "low": 0.0, "high": 1.0, "legal": np.bool_(True)}])
    one = Estimate(
        "kit", game("kit", ranks="4").option_values(), "how often", "o1", "by 0", "double dummy, uniform worlds",
        7, 12, "tricks", frame, summary={"x": float("nan")}, notes=("a note",),
    )  # fmt: skip
    text = str(one)
    for words in ("double dummy", "n = 12", "seed 7", "a note"):
        assert words in text
        assert words in one._repr_html_()
    found = json.loads(json.dumps(one.to_json(), allow_nan=False))
    assert found["rows"] == [{"bid": 1, "p": None, "low": 0.0, "high": 1.0, "legal": True}]
    assert {"game", "options", "method", "seed", "n", "versions", "rows"} <= set(found)
    assert {"trickwise", "numpy", "numba", "python"} == set(found["versions"])
    with pytest.raises(FrozenInstanceError):
        one.n = 3  # type: ignore[misc]
