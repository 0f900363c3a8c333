"""`plan`: every plan of a hand ranked, each against the best on the same worlds; where all is searched, exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import toygame
from deciding import PICKER, QUICK, SEVEN, SPADES, TEN, planner, points_and_tricks, start_of
from naive import sheepshead as naive_sheepshead
from solver.bidding.bid import bid
from solver.bidding.of_game import BiddingOf, bidding_class, stakes_of
from solver.bidding.planning import Ranking, decide, plan, searches
from solver.bidding.question import as_declarer, open_plans
from solver.deals.halving import Round
from solver.deals.success import Runner
from solver.formats.record import plan_text
from solver.games import game
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
from solver.worlds.knowledge import Knowledge

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, rounds in QUICK.items():
            patch.setattr(bidding_class(name), "schedule", rounds)
        yield


@cache
def small() -> Knowledge:
    """A picker who has seen three of six other hands: 70 worlds and 35 plans."""
    one = game("sheepshead", seats=7)
    deal = one.deal(seed=12)
    known = planner(one, one.deck.write(deal.hands[0] | deal.talon))
    return known.see(hands={s: one.deck.write(deal.hands[s]) for s in (1, 3, 4, 6)})


@cache
def exhaustive() -> Ranking:
    return plan(small(), exhaustive=True, workers=1)


@cache
def halved() -> Ranking:
    return plan("thousand", TEN, bid=160, exhaustive=False, worlds=40, seed=3, workers=1)


# ---------------------------------------------------------------------- all plans in all worlds


def test_exhaustive_is_plain_means() -> None:
    known, found = small(), exhaustive()
    one = known.game
    assert (known.count(), len(found.frame), found.n, found.exact) == (70, 70, 70, True)
    plans = {plan_text(one, p): p for p in open_plans(known, as_declarer(known))}
    worlds = known.enumerate()
    for row in (0, 1, len(found.frame) - 1):
        asked = found.frame.iloc[row]
        chosen = plans[asked["plan"]]
        made, scores = [], []
        for i in range(len(worlds)):
            start = start_of(worlds, i, chosen)
            points, tricks = points_and_tricks(start)
            points += one.banked(chosen) if tricks else 0
            alone = len(start.side) == 1
            own = naive_sheepshead.settle(points, tricks, 4, 6 if alone else 5, alone)["picker"]
            made.append(points >= 61)
            scores.append(own)
        assert asked["p"] == asked["low"] == asked["high"] == pytest.approx(np.mean(made))
        assert asked["score"] == asked["score_low"] == asked["score_high"] == pytest.approx(np.mean(scores))
        assert asked["diff"] == asked["diff_low"] == asked["diff_high"]
        assert asked["diff"] == pytest.approx(asked["score"] - found.frame["score"].iloc[0])
    assert found.summary["best"] == found.frame["score"].iloc[0] == found.frame["score"].max()
    assert "all 70 plans in all 70 worlds" in str(found)


def test_few_searches_are_all_made_without_being_asked_for() -> None:
    usual = plan(small(), seed=9, workers=2)
    assert usual.exact
    assert usual.frame.equals(exhaustive().frame)


def test_halving_comes_near_the_exhaustive_answer() -> None:
    sampled, exact = plan(small(), exhaustive=False, worlds=30, seed=1, workers=1), exhaustive()
    truth = exact.frame.set_index("plan")["score"]
    assert not sampled.exact
    assert truth[sampled.best] >= truth.max() - 0.25
    assert set(sampled.frame["plan"]) == set(exact.frame["plan"])
    top = sampled.frame.iloc[:5].set_index("plan")
    assert (top["score_low"] - 0.5 <= truth[top.index]).all()
    assert (truth[top.index] <= top["score_high"] + 0.5).all()


def test_where_few_worlds_are_left_none_is_kept_for_reading() -> None:
    known = small()
    plans = list(open_plans(known, as_declarer(known)))
    stakes = stakes_of(known.game, plans[0], known.hand)
    with Runner(workers=1) as runner:
        race, chosen = decide(known, stakes, plans, (Round(99, 60), Round(9, 20)), runner, seed=1)
        assert chosen.low.shape == (10, 6)
        race, chosen = decide(known, stakes, plans, (Round(99, 70), Round(9, 20)), runner, seed=1)
    assert race.worlds == len(chosen.low) == 70
    assert stakes.worth(plans[0]) is not None
    assert chosen.low[:, 5].mean() == pytest.approx(exhaustive().summary["best"])


# ---------------------------------------------------------------------- the ranking


def check_order(found: Ranking) -> None:
    frame = found.frame
    assert (frame["diff"].iloc[0], frame["diff_low"].iloc[0], frame["diff_high"].iloc[0]) == (0, 0, 0)
    assert found.best == frame["plan"].iloc[0]
    assert frame["n"].is_monotonic_decreasing
    name = "score" if found.objective == "score" else "p"
    for _, some in frame.groupby("n"):
        assert some[name].round(9).is_monotonic_decreasing
    assert (frame["low"].dropna() <= frame["p"][frame["low"].notna()] + 1e-12).all()
    assert (frame["diff_low"].dropna() <= frame["diff"][frame["diff_low"].notna()] + 1e-12).all()
    assert len(set(frame["plan"])) == len(frame) == found.summary["plans"]


def test_order_and_differences() -> None:
    for found in (exhaustive(), halved(), plan("sheepshead", PICKER, worlds=12, seed=2, workers=1)):
        check_order(found)


def test_differences_are_paired_on_common_worlds() -> None:
    found = halved()
    known = planner(game("thousand"), TEN)
    plans = list(open_plans(known, as_declarer(known)))
    names = [plan_text(known.game, p) for p in plans]
    rounds = QUICK["thousand"]
    agreed = known.contract("160 by 0") if known.agreed is None else known
    stakes = stakes_of(known.game, as_declarer(agreed), known.hand | (known.talon or frozenset()))
    with Runner(workers=1, chunk=64) as runner:
        race, chosen = decide(known, stakes, plans, rounds, runner, seed=3)
    column = stakes.column[stakes.bids.index(160)]
    best = race.history(names.index(found.best)).low[0] > column
    for row in found.frame.itertuples():
        own = race.history(names.index(row.plan)).low[0] > column
        assert row.n == len(own)
        assert row.p == pytest.approx(own.mean())
        assert row.diff == pytest.approx(own.mean() - best[: len(own)].mean())
    assert found.summary["best"] == pytest.approx(chosen.low[:, column].mean())
    assert found.summary["searches"] == searches(rounds, 90)


def test_a_first_look_has_no_interval() -> None:
    frame = halved().frame
    few = frame["n"] == 4
    assert few.sum() == 66
    assert frame.loc[few, ["low", "high", "diff_low", "diff_high"]].isna().all().all()
    assert frame.loc[~few, ["low", "high", "diff_low", "diff_high"]].notna().all().all()
    assert sorted(set(frame["n"])) == [4, 20, 60]


def test_each_bid_has_its_best_plan() -> None:
    found, by_bid = halved(), halved().by_bid
    assert by_bid["bid"].iloc[0] == 160  # a contract is raised, not lowered
    assert by_bid["p"].is_monotonic_decreasing
    assert (by_bid["expected_score"] == by_bid["bid"] * (2 * by_bid["p"] - 1)).all()
    own = by_bid["expected_score"].iloc[0]
    assert by_bid["gain"].tolist() == pytest.approx((by_bid["expected_score"] - own).tolist())
    assert set(by_bid["plan"]) <= set(found.frame["plan"])
    assert found.frame["expected_score"].tolist() == pytest.approx((160 * (2 * found.frame["p"] - 1)).tolist())
    assert (found.frame["p_exact"] <= found.frame["p"]).all()
    free = plan("thousand", TEN, exhaustive=False, worlds=4, seed=1, workers=1)
    scores = free.by_bid.set_index("bid")["expected_score"]
    assert free.bid == scores.idxmax()
    assert free.by_bid["bid"].iloc[0] == 100
    assert free.by_bid["gain"].max() == 0


def test_a_bid_beyond_the_hand_is_ranked_too() -> None:
    found = plan("thousand", SEVEN + " TH JS 9C", bid=400, exhaustive=False, worlds=4, seed=1, workers=1)
    assert found.bid == 400
    assert (found.frame["p"] == 0).all()


def test_a_tier_of_sheepshead() -> None:
    found = plan(small(), bid=91, workers=1)
    usual = exhaustive()
    assert "chance of 91 points" in found.notes[0]
    assert "chance of 61 points" in usual.notes[0]
    assert found.frame["plan"].tolist() == usual.frame["plan"].tolist()
    assert (found.frame["p"] <= usual.frame["p"]).all()
    assert (found.frame["p"] < usual.frame["p"]).any()


def test_a_call_that_is_settled_is_kept() -> None:
    found = plan("sheepshead", PICKER, "picker 2, call AH", seat=2, worlds=4, workers=1)
    assert set(found.frame["call"]) == {"AH"}
    assert found.seat == 2
    assert found.contract == "61 by 2, call AH"


# ---------------------------------------------------------------------- 3 of Spades


def test_contracts_of_three_of_spades() -> None:
    found = plan("three_of_spades", SPADES, "trump S", bid=160, worlds=4, limit=300, seed=1, workers=1)
    assert found.summary["plans"] == 780
    assert set(found.frame["trump"]) == {"S"}
    assert found.by_bid["bid"].tolist() == list(range(150, 251, 5))
    assert found.objective == "make"
    check_order(found)


def test_a_bid_that_calls_more_is_for_its_own_plans() -> None:
    more = {"extra_partner": True, "worlds": 4, "limit": 300, "seed": 1, "workers": 1, "seats": 7, "partners": 1}
    hand = "AS KS QS JS TS 9S AH"
    open_ = plan("three_of_spades", hand, "trump S", **more)
    calls = open_.by_bid["plan"].map(lambda text: len(text.split("call ")[1].split())).tolist()
    assert calls == [1] * 20 + [2]
    for asked, count in (("150", 1), ("250", 2)):
        found = plan("three_of_spades", hand, f"{asked}, trump S", **more)
        assert found.by_bid["bid"].tolist() == ([250] if count == 2 else list(range(150, 250, 5)))
        assert {len(text.split("call ")[1].split()) for text in found.frame["plan"]} == {count}
    assert {len(text.split("call ")[1].split()) for text in open_.frame["plan"]} == {2 if open_.bid == 250 else 1}
    one = game("three_of_spades", seats=7, partners=1, extra_partner=True)
    asked = as_declarer(planner(one, hand, "250 by 0, trump S"))
    chosen = next(one.plans(one.deck.hand(hand), asked))
    assert len(chosen.called) == 2
    assert stakes_of(one, chosen, one.deck.hand(hand)).bids == (250,)


# ---------------------------------------------------------------------- words


def test_notes() -> None:
    found = halved()
    text = "\n".join(found.notes)
    assert "halving: 90 in 4 - 24 in 16 - 8 in 40 worlds" in text
    assert "read in worlds that did not choose it" in text
    assert "expected_score = bid x (2 p - 1)" in text
    assert "or surrender: seat 0 gives up 160" in text
    assert "sequential halving" in found.method
    assert "<table" in found._repr_html_()
    assert "write_off=none" in str(plan("thousand", TEN, bid=160, exhaustive=False, worlds=2, write_off="none"))


def test_json() -> None:
    for found in (halved(), exhaustive()):
        told = json.loads(json.dumps(found.to_json(), allow_nan=False))
        assert (told["best"], told["bid"], told["exact"]) == (found.best, found.bid, found.exact)
        assert (told["objective"], told["seat"], told["n"]) == (found.objective, 0, found.n)
        assert len(told["rows"]) == len(found.frame)
        assert len(told["by_bid"]) == len(found.by_bid)
        assert told["rows"][0]["plan"] == found.best
        assert told["versions"]["numba"]


def test_workers_do_not_change_numbers() -> None:
    for args, more in (
        (("thousand", TEN), {"bid": 160, "exhaustive": False, "worlds": 8}),
        (("sheepshead", PICKER), {"worlds": 6, "limit": 200}),
        (("three_of_spades", SPADES, "trump S"), {"worlds": 2, "limit": 300}),
    ):
        one, two = (plan(*args, seed=5, workers=w, **more) for w in (1, 3))
        assert json.dumps(one.to_json()) == json.dumps(two.to_json())


def test_a_limit_leaves_wider_intervals() -> None:
    short = plan(small(), exhaustive=True, limit=10, workers=1).frame.set_index("plan")
    whole = exhaustive().frame.set_index("plan").loc[short.index]
    for low, high, value in (("low", "high", "p"), ("score_low", "score_high", "score")):
        assert (short[low] <= whole[value] + 1e-9).all()
        assert (whole[value] <= short[high] + 1e-9).all()
        assert (short[low] < short[high]).any()


def test_an_interrupt_before_anything_is_known() -> None:
    def press(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="stopped before"):
        plan("sheepshead", PICKER, workers=1, progress=press)


def test_an_interrupt_keeps_what_was_compared() -> None:
    def press(done: int, total: int) -> None:
        if done > 500:
            raise KeyboardInterrupt

    found = plan("sheepshead", PICKER, workers=1, progress=press)
    assert found.partial
    assert not found.exact
    assert "PARTIAL" in str(found)
    assert any(note.startswith("stopped") for note in found.notes)
    assert found.frame["diff"].iloc[0] == 0
    assert len(found.frame) == 76
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    "name, hand, contract, more, error, words",
    [
        ("kit", "o1 o2 t3 s4", None, {}, UnsupportedError, "kit has no plans"),
        ("whist", "AS KS QS JS TS 9S AH KH AD 2H 3H 4H 5H", None, {}, UnsupportedError, "whist has no plans"),
        ("skat", "AS KS QS JS TS 9S AH KH AD 7D", None, {}, UnsupportedError, "not ranked"),
        ("thousand", SEVEN, None, {}, NotationError, "the talon has not been seen: give 10 cards"),
        ("sheepshead", "QC QD JS AD TD 9H", None, {}, NotationError, "the blind has not been seen: give 8 cards"),
        ("thousand", "AH TH KH QH 9H TS JS JC", None, {}, NotationError, "told already"),
        ("thousand", TEN, "pass 9C to 1, 9D to 2", {}, NotationError, "told already"),
        ("sheepshead", PICKER, "call AH, bury TC 8H", {}, NotationError, "told already"),
        ("sheepshead", PICKER, "leaster", {}, UnsupportedError, "a leaster has no plans"),
        ("sheepshead", "QC QD JS AD TD AH TC 8H", "call AH", {}, IllegalPlayError, "no plan of"),
        ("three_of_spades", SPADES, "trump S, call AC KD", {}, NotationError, "told already"),
        ("thousand", TEN, None, {"bid": 101}, NotationError, "multiples of 5"),
        ("thousand", TEN, "by 1", {"seat": 0}, NotationError, "by seat 1"),
        ("thousand", TEN, "120, surrender", {}, IllegalPlayError, "gave up"),
        ("thousand", TEN, None, {"preset": "two_fixed"}, UnsupportedError, "not ranked"),
        ("thousand", "AH TH KH QH 9H TS", None, {"preset": "four_pairs"}, UnsupportedError, "no plans"),
        ("sheepshead", PICKER, None, {"worlds": 0}, NotationError, "worlds is 0"),
        ("sheepshead", PICKER, None, {"colour": "red"}, UnsupportedError, "colour"),
        ("sheepshead", PICKER, None, {"exhaustive": True}, UnsupportedError, "too many"),
    ],
)  # fmt: skip
def test_refused_in_one_line(
    name: str, hand: str, contract: str | None, more: dict, error: type[TrickwiseError], words: str
) -> None:
    with pytest.raises(error) as caught:
        plan(name, hand, contract, **more)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_without_a_module_of_its_own_is_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    toygame.register(monkeypatch)
    assert bidding_class("toy") is BiddingOf
    one, hand = game("toy", decides="trump"), "KC QC JC AH"
    found = plan(one, hand, bid=15, seed=1, workers=1)
    assert found.exact
    assert list(found.frame["p"]) == sorted(found.frame["p"], reverse=True)
    for row in found.frame.to_dict("records"):
        told = bid(one, hand, row["plan"], worlds="all", seed=1, workers=1).frame.set_index("bid")
        assert row["p"] == told.loc[15, "p"]
    with pytest.raises(NotationError, match="bid 7: expected one of 5, 10"):
        plan(one, hand, bid=7, seed=1)
