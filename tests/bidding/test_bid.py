"""`bid`: the kit by brute force, the other games by plain values, and what is promised of all."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pandas as pd
import pytest

from deciding import PICKER, QUICK, SEVEN, SPADES, TEN, points_and_tricks
from naive import kit as naive_kit
from naive import minimax
from naive import sheepshead as naive_sheepshead
from solver.bidding.bid import bid
from solver.bidding.bids import Bids
from solver.bidding.of_game import bidding_class
from solver.bidding.question import ask
from solver.deals.halving import Round
from solver.deals.success import Runner
from solver.games import game
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
from solver.worlds.sample import Worlds

PLAN = "call AH, bury TC 8H"
PASS = "pass 9C to 1, 9D to 2"
SIX = " ".join(PICKER.split()[:6])
EIGHT = " ".join(TEN.split()[:8])
#: Few worlds for each talon.
FEW = (Round(90, 1), Round(6, 2), Round(2, 4))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rounds in QUICK.items():
        monkeypatch.setattr(bidding_class(name), "schedule", rounds)


def rows(found: Bids) -> list[dict]:
    return found.frame.to_dict("records")


def same(a: Bids, b: Bids) -> None:
    assert json.dumps(a.to_json(), allow_nan=False) == json.dumps(b.to_json(), allow_nan=False)


# ---------------------------------------------------------------------- kit


@pytest.mark.kernel
@pytest.mark.parametrize("text, seat, leader", [("", 0, 0), ("lead 1", 0, 1), ("lead 0", 2, 0)])
def test_kit_is_brute_force(text: str, seat: int, leader: int) -> None:
    hand = "o1 o4 t3 s4"
    found = bid("kit", hand, text, seat=seat, seed=1)
    mine = frozenset(hand.split())
    rest = [c for c in naive_kit.DECK if c not in mine]
    tricks = []
    for left in itertools.combinations(rest, 4):
        hands = [frozenset()] * 3
        hands[seat], hands[(seat + 1) % 3] = mine, frozenset(left)
        hands[(seat + 2) % 3] = frozenset(rest) - set(left)
        tricks.append(minimax.value(naive_kit, hands, leader, [], dict(naive_kit.DEFAULTS), frozenset({seat})))
    assert found.n == len(tricks) == 70
    for row in found.frame.itertuples():
        expected = sum(t >= row.bid for t in tricks) / 70
        assert row.p == row.low == row.high == pytest.approx(expected, abs=1e-12)
    assert "all 70 worlds" in str(found)
    assert found.summary["expected_tricks"] == pytest.approx(sum(tricks) / 70)
    assert found.passing == "there is no bidding to pass" or not found.passing


@pytest.mark.kernel
def test_kit_drawn() -> None:
    found = bid("kit", "o1 o4 t3 s4", worlds=30, seed=1)
    whole = bid("kit", "o1 o4 t3 s4", worlds=70)
    assert "uniform worlds" in found.method
    assert "all 70" in whole.method
    for a, b in zip(found.frame.itertuples(), whole.frame.itertuples(), strict=True):
        assert a.low <= b.p <= a.high


@pytest.mark.kernel
def test_names_of_suits_and_seats_do_not_matter() -> None:
    first = bid("kit", "o1 o4 t3 s4", "by 0, lead 0").frame["p"].tolist()
    for turn, suits in ((0, "sot"), (1, "tso"), (2, "ost")):
        hand = "o1 o4 t3 s4".translate(str.maketrans("ots", suits))
        found = bid("kit", hand, f"by {turn}, lead {turn}", seat=turn)
        assert found.frame["p"].tolist() == first
    rules = {"marriages": False, "worlds": "all", "workers": 1}
    first = bid("thousand", "AH TH KH AS TS AD KD JD 9C 9D", PASS, **rules).frame["p"].tolist()
    found = bid("thousand", "AD TD KD AH TH AC KC JC 9S 9C", "by 2, pass 9S to 0, 9C to 1", **rules)
    assert found.n == 3432
    assert found.frame["p"].tolist() == first
    assert any(0 < p < 1 for p in first)


# ---------------------------------------------------------------------- the same numbers, whoever works


@pytest.mark.kernel
@pytest.mark.parametrize(
    "args, more",
    [
        (("kit", "o1 o4 t3 s4"), {}),
        (("whist", "AS KS QS JS TS 9S AH KH AD 2H 3H 4H 5H", "7 by 0, trump S"), {"worlds": 2, "limit": 3000}),
        (("sheepshead", PICKER, PLAN), {"worlds": 40, "seat": 2}),
        (("sheepshead", PICKER, PLAN), {"worlds": 60, "seat": 2, "limit": 300}),
        (("sheepshead", PICKER), {"worlds": 6, "limit": 300}),
        (("sheepshead", SIX), {"talons": 2, "rounds": FEW, "passed": 12}),
        (("thousand", TEN, PASS), {"worlds": 40}),
        (("thousand", TEN), {"worlds": 4}),
        (("thousand", SEVEN), {"talons": 3, "rounds": FEW, "passed": 12}),
        (("three_of_spades", SPADES, "trump S, call AC KD"), {"worlds": 3, "limit": 3000}),
        (("three_of_spades", SPADES, "trump S"), {"worlds": 4, "limit": 500, "passed": 3}),
        (("three_of_spades", SPADES, "160, trump S"), {"worlds": 4, "limit": 300, "passed": 3, "until": 0.2}),
    ],
)
def test_workers_do_not_change_numbers(args: tuple, more: dict) -> None:
    same(*(bid(*args, seed=5, workers=w, **more) for w in (1, 3)))


@pytest.mark.kernel
def test_another_seed_gives_other_worlds() -> None:
    one, two = (bid("sheepshead", PICKER, PLAN, seat=2, worlds=24, seed=seed) for seed in (5, 6))
    assert rows(one) != rows(two)
    assert (one.seed, two.seed) == (5, 6)


@pytest.mark.kernel
def test_progress_and_interrupt() -> None:
    told: list[tuple[int, int]] = []
    bid("sheepshead", PICKER, PLAN, seat=2, worlds=20, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] >= told[-1][1] >= 20
    assert [d for d, _ in told] == sorted(d for d, _ in told)

    def late(done: int, total: int) -> None:
        if done > 600:
            raise KeyboardInterrupt

    found = bid("sheepshead", PICKER, PLAN, seat=2, worlds=900, workers=1, progress=late)
    assert found.partial
    assert 0 < found.n < 900
    assert "PARTIAL" in str(found)
    first = bid("sheepshead", PICKER, PLAN, seat=2, worlds=found.n, workers=2)
    assert found.frame.equals(first.frame)  # the first worlds, not the fastest

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for args in (("thousand", SEVEN), ("sheepshead", PICKER), ("sheepshead", SIX)):
        none = bid(*args, workers=1, progress=stop)
        assert none.partial
        assert none.n == 0
        assert none.frame["p"].isna().all()
        assert (none.frame["low"] == 0).all()
        json.dumps(none.to_json(), allow_nan=False)


@pytest.mark.kernel
def test_an_interrupt_between_talons() -> None:
    def late(done: int, total: int) -> None:
        if done > 500:
            raise KeyboardInterrupt

    found = bid("thousand", SEVEN, talons=9, rounds=FEW, seed=1, workers=1, progress=late)
    assert found.partial
    assert 0 < found.summary["talons"] < 9
    assert not found.passing
    assert len(found.cases) == found.summary["talons"]


def test_runner_wants_workers() -> None:
    with pytest.raises(ValueError, match="workers"):
        Runner(workers=0)


@pytest.mark.kernel
def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    bid("kit", "o1 o4 t3 s4", progress=True)
    assert "70/70" in capsys.readouterr().err


@pytest.mark.kernel
def test_a_node_limit_widens_the_interval() -> None:
    whole = bid("sheepshead", PICKER, PLAN, seat=2, worlds=20, seed=2).frame
    short = bid("sheepshead", PICKER, PLAN, seat=2, worlds=20, seed=2, limit=300)
    assert "stopped at 300 nodes" in str(short)
    assert (short.frame["low"] <= whole["low"] + 1e-12).all()
    assert (short.frame["high"] >= whole["high"] - 1e-12).all()
    assert (short.frame["high"] - short.frame["low"] > whole["high"] - whole["low"]).any()
    assert short.summary["score_low"] < short.summary["score_high"]


# ---------------------------------------------------------------------- by plain values


def worlds_of(name: str, hand: str, contract: str, n: int, seed: int, **options: object) -> Worlds:
    """The worlds that `bid` draws where the plan is told."""
    return ask(name, hand, contract, options=options).sample(n, seed=seed, limit=n)


@pytest.mark.kernel
@pytest.mark.parametrize("contract", [PLAN, "alone, bury TC 8H", "call AH, bury TC 8H, lead 2"])
def test_sheepshead_score_from_values(contract: str) -> None:
    found = bid("sheepshead", PICKER, f"by 2, {contract}", worlds=12, seed=8)
    worlds = worlds_of("sheepshead", PICKER, f"by 2, {contract}", 12, 8)
    scores, made, tiers = [], [], []
    for i in range(12):
        start = worlds.start(i)
        points, tricks = points_and_tricks(start)
        points += 10 if tricks else 0
        alone = len(start.side) == 1
        scores.append(naive_sheepshead.settle(points, tricks, 6, 4 if alone else 3, alone)["picker"])
        made.append(points >= 61)
        tiers.append([tricks > 0, points >= 31, points >= 61, points >= 91, tricks == 6])
    assert found.summary["expected_score"] == pytest.approx(np.mean(scores))
    assert found.summary["standard_error"] == pytest.approx(np.std(scores, ddof=1) / np.sqrt(12))
    assert found.summary["p_make"] == pytest.approx(np.mean(made))
    assert found.frame["p"].tolist() == pytest.approx(np.mean(tiers, axis=0).tolist())
    assert found.frame["bid"].tolist() == [0, 31, 61, 91, 120]


@pytest.mark.kernel
def test_sheepshead_six_cards_are_the_hand_after_the_bury() -> None:
    one = bid("sheepshead", PICKER, PLAN, seat=2, worlds=12, seed=1)
    two = bid("sheepshead", "QC QD JS AD TD 9H", "by 2, " + PLAN, worlds=12, seed=1)
    assert rows(one) == rows(two)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "seats, hand, contract, options",
    [
        (3, "QC QS JD AD TD 9H TC 8H AC AS 7C 7S", "bury 7C 7S", {}),
        (4, "QC QS JD AD TD 9H TC 8H AC AS 7C", "bury TC 8H 7C 9H", {}),
        (6, "QC QS AD TD 9H TC 8H", "bury TC 8H", {"partner": "jd"}),
        (7, "QC QS AD TD 9H TC 8H KH", "bury TC 8H KH 9H", {"partner": "jd"}),
        (5, "QC QS AD TD JD TC 8H 9H", "bury TC 8H", {"partner": "jd"}),
        (5, "QC QS JD AD TD 7D AH KD", "call AC, under 7D, bury KD AD", {}),
        (5, "AC AS AH QC JD TD 8D KS", "call TS, bury AC AH", {}),
    ],
)
def test_sheepshead_tables_and_plans(seats: int, hand: str, contract: str, options: dict) -> None:
    found = bid("sheepshead", hand, contract, worlds=3, seats=seats, seed=2, **options)
    worlds = worlds_of("sheepshead", hand, contract, 3, 2, seats=seats, **options)
    bury = worlds.knowledge.game.banked(worlds.contract(0))
    values = [points_and_tricks(worlds.start(i)) for i in range(3)]
    made = [points + bury >= 61 for points, tricks in values]
    assert len(found.frame) == 5
    assert found.n == 3
    assert found.summary["p_make"] == pytest.approx(np.mean(made))


@pytest.mark.kernel
def test_thousand_rates_are_those_of_the_values() -> None:
    found = bid("thousand", EIGHT, worlds=10, seed=3)
    worlds = worlds_of("thousand", EIGHT, "", 10, 3)
    values = [points_and_tricks(worlds.start(i))[0] for i in range(10)]
    for row in found.frame.itertuples():
        assert row.p == pytest.approx(np.mean([v >= row.bid - 2 for v in values]))
        assert row.p_exact == pytest.approx(np.mean([v >= row.bid for v in values]))


@pytest.mark.kernel
def test_thousand_after_the_pass() -> None:
    ten = bid("thousand", TEN, PASS, worlds=60, seed=2)
    eight = bid("thousand", EIGHT, PASS, worlds=60, seed=2)
    assert rows(ten) == rows(eight)
    frame = ten.frame
    assert frame["bid"].tolist() == game("thousand").bids(220)
    assert (frame["p_exact"] <= frame["p"]).all()
    assert (frame["p_exact"] < frame["p"]).any()
    assert "p_rounded" not in frame
    assert (frame["expected_score"] == frame["bid"] * (2 * frame["p"] - 1)).all()
    assert "expected_score = bid x (2 p - 1)" in str(ten)
    assert frame["p"].is_monotonic_decreasing
    exact = bid("thousand", TEN, PASS, worlds=60, seed=2, round_before_check="off").frame
    assert exact["p"].tolist() == frame["p_exact"].tolist()
    assert exact["p_rounded"].tolist() == frame["p"].tolist()
    assert "p_exact" not in exact
    more = bid("thousand", TEN, "300, " + PASS, worlds=60, seed=2)
    assert more.frame["bid"].tolist()[-1] == 300
    assert more.summary["p_make"] == 0


@pytest.mark.kernel
def test_thousand_before_the_talon() -> None:
    found = bid("thousand", SEVEN, talons=4, rounds=FEW, passed=20, seed=1)
    frame = found.frame
    assert found.n == 16
    assert found.summary["talons"] == len(found.cases) == 4
    assert frame.loc[frame["legal"], "bid"].max() == 220
    assert frame["p"].is_monotonic_decreasing
    assert ((frame["low"] <= frame["p"]) & (frame["p"] <= frame["high"])).all()
    assert "45 of 680" in str(found)
    assert "talon as the unit" in str(found)
    assert "halving 90 - 6 - 2" in str(found)
    mine = game("thousand").deck.hand(SEVEN)
    for row in found.cases.itertuples():
        talon = game("thousand").deck.hand(row.talon)
        passed = {w for part in row.plan.split(", ") for w in part.split() if len(w) == 2 and w != "to"}
        assert passed <= set(map(str, mine | talon))
    flat = bid("thousand", SEVEN, talons=2, rounds=FEW, passed=2, seed=1, bid_cap="flat120").frame
    assert flat.loc[flat["legal"], "bid"].max() == 120


@pytest.mark.kernel
def test_a_choice_that_was_told_before_is_found_now() -> None:
    ten = bid("thousand", TEN, seed=1)
    assert ten.n == 40
    assert ten.frame["plan"].str.startswith("pass").all()
    assert "the best pass for each bid" in ten.question
    eight = bid("sheepshead", PICKER, "by 2", seed=1)
    assert eight.frame["plan"].str.contains("bury").all()
    assert "gain" not in eight.summary  # it has the blind: there is nothing to pass
    spades = bid("three_of_spades", SPADES, worlds=4, limit=300, passed=2, seed=1)
    assert spades.frame["plan"].str.match(r"trump [CDHS], call \w\w \w\w").all()
    assert "best contract for each bid" in spades.question


@pytest.mark.kernel
def test_three_of_spades() -> None:
    found = bid("3s", SPADES, "trump S, call AC KD", worlds=3, seed=1, limit=50_000)
    assert found.frame["bid"].tolist() == list(range(150, 251, 5))
    assert (found.frame["expected_score"] == found.frame["bid"] * found.frame["p"]).all()
    assert "of the worlds drawn" in str(found)


@pytest.mark.kernel
def test_house_rules_change_the_thresholds() -> None:
    polish = bid("thousand", SEVEN, talons=2, rounds=FEW, passed=2, preset="polish3")
    assert polish.frame["bid"].tolist()[:3] == [100, 110, 120]
    schwarz = bid("sheepshead", PICKER, PLAN, seat=2, worlds=5, schwarz="points")
    assert schwarz.frame["bid"].tolist() == [1, 31, 61, 91, 120]
    crack = bid("sheepshead", PICKER, PLAN + ", crack", seat=2, worlds=5, crack="crack")
    single = bid("sheepshead", PICKER, PLAN, seat=2, worlds=5)
    assert crack.summary["expected_score"] == 2 * single.summary["expected_score"]
    extra = {"extra_partner": True, "worlds": 2, "limit": 20_000}
    told = "trump S, call AC KD"
    assert 250 not in bid("3s", SPADES, told, **extra).frame["bid"].tolist()
    assert bid("3s", SPADES, "250, trump S, call AC KD QD", **extra).frame["bid"].tolist() == [250]
    open_ = bid("3s", SPADES, "trump S", passed=2, **{**extra, "limit": 300})
    calls = open_.frame["plan"].map(lambda text: len(text.split("call ")[1].split())).tolist()
    assert calls == [2] * 20 + [3]  # a bid of 250 calls three cards
    low = bid("3s", SPADES, "160, trump S", passed=2, **{**extra, "limit": 300})
    assert low.frame["bid"].tolist() == list(range(150, 250, 5))
    twice = bid("3s", SPADES, told, worlds=2, limit=20_000, bidder_bonus=True).frame
    assert (twice["expected_score"] == twice["bid"] * (3 * twice["p"] - 1)).all()


@pytest.mark.kernel
def test_a_named_side_needs_no_plan() -> None:
    found = bid("sheepshead", "QC QD JS AD TD 9H", "side 0 3", worlds=5, limit=20_000)
    assert found.n == 5


@pytest.mark.kernel
def test_four_seats() -> None:
    pairs = bid("thousand", "AH KH QH 9H TS JC", worlds=4, limit=50_000, preset="four_pairs")
    assert pairs.frame["legal"].sum() == len(game("thousand").bids(220))
    whist = bid("whist", "AS KS QS JS TS 9S AH KH AD 2H 3H 4H 5H", "7 by 0, trump S", worlds=3, limit=50_000)
    assert whist.summary["p_make"] == whist.frame.set_index("bid").loc[7, "p"]
    assert "seats 0 2" in str(whist)


@pytest.mark.kernel
def test_json_of_each_kind() -> None:
    for found in (
        bid("kit", "o1 o4 t3 s4"),
        bid("sheepshead", PICKER, worlds=4),
        bid("sheepshead", SIX, talons=2, rounds=FEW, passed=6),
        bid("thousand", SEVEN, talons=2, rounds=FEW, passed=6),
    ):
        told = json.loads(json.dumps(found.to_json(), allow_nan=False))
        assert [r["bid"] for r in told["rows"]] == found.frame["bid"].tolist()
        assert (told["passing"], told["break_even"], told["seat"]) == (found.passing, found.break_even, 0)
        assert len(told["cases"]) == len(found.cases)
        assert "<table" in found._repr_html_()


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "name, hand, contract, more, error, words",
    [
        ("kit", "o1 o2 t3", "", {}, NotationError, "too short"),
        ("kit", "o1 o2 t3 s4", "", {"seat": 3}, NotationError, "expected a seat from 0 to 2"),
        ("kit", "o1 o2 t3 s4", "", {"worlds": 0}, NotationError, "worlds is 0"),
        ("kit", "o1 o2 t3 s4", "", {"worlds": "most"}, NotationError, "'all'"),
        ("kit", "o1 o2 t3 s4", "", {"talons": 0}, NotationError, "talons is 0"),
        ("kit", "o1 o2 t3 s4", "", {"until": 0}, UnsupportedError, "half-width between 0 and 1"),
        ("kit", "o1 o2 t3 s4", "", {"match": game("thousand").match()}, UnsupportedError, "only a match of thousand"),
        ("thousand", TEN, "", {"match": game("thousand").match()}, UnsupportedError, "before the talon"),
        ("sheepshead", PICKER, "call AH, bury TC 7S", {}, IllegalPlayError, "7S"),
        ("sheepshead", PICKER, "call AH, bury 9H 8H", {}, IllegalPlayError, "must keep"),
        ("sheepshead", SIX, "call AH, bury TC 9H", {}, NotationError, "still in the hand"),
        ("sheepshead", SIX, "call AH", {}, NotationError, "tell the blind first"),
        ("sheepshead", "QC QD JS AD TD AH TC 8H", "call AH, bury TC 8H", {}, IllegalPlayError, "holds it"),
        ("sheepshead", "QC QD JS AD TD AH TC 8H", "call AH", {}, IllegalPlayError, "no plan of"),
        ("sheepshead", PICKER, PLAN, {"worlds": "all"}, UnsupportedError, "too many"),
        ("sheepshead", PICKER, "", {"worlds": "all"}, UnsupportedError, "at least 2"),
        ("thousand", TEN, "pass AS to 1, 9D to 2", {}, NotationError, "does not hold"),
        ("thousand", EIGHT, "pass AH to 1, 9D to 2", {}, NotationError, "still holds"),
        ("thousand", SEVEN, PASS, {}, NotationError, "leave the passes out"),
        ("thousand", SEVEN, "", {"worlds": 1}, UnsupportedError, "at least 2"),
        ("thousand", SEVEN, "", {"worlds": "all"}, UnsupportedError, "at least 2"),
        ("thousand", SEVEN, "120 by 1", {"seat": 0}, NotationError, "by seat 1"),
        ("thousand", SEVEN, "101", {}, NotationError, "multiples of 5"),
        ("thousand", SEVEN, "", {"dealer": 5}, NotationError, "dealer is 5"),
        ("thousand", "AH KH", "", {}, NotationError, "too short"),
        ("thousand", SEVEN, "100, surrender", {}, UnsupportedError, "given up"),
        ("thousand", TEN, "", {"preset": "two_fixed"}, UnsupportedError, "two_fixed"),
        ("sheepshead", PICKER, "leaster", {}, UnsupportedError, "no bids"),
        ("sheepshead", SIX, "leaster", {}, UnsupportedError, "no bids"),
        ("sheepshead", PICKER, "side 0 3", {}, NotationError, "nobody buries"),
        ("skat", "AS KS QS JS TS 9S AH KH AD 7D", "grand by 0", {}, UnsupportedError, "not estimated"),
        ("three_of_spades", SPADES, "trump S, call AS KD", {}, IllegalPlayError, "holds it"),
        ("kit", "o1 o2 t3 s4", "", {"colour": "red"}, UnsupportedError, "colour"),
    ],
)  # fmt: skip
def test_refused_in_one_line(
    name: str, hand: str, contract: str | None, more: dict, error: type[TrickwiseError], words: str
) -> None:
    with pytest.raises(error) as caught:
        bid(name, hand, contract, **more)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_go_with_a_name() -> None:
    with pytest.raises(UnsupportedError, match="name the game"):
        bid(game("kit"), "o1 o2 t3 s4", trump="o")


def test_a_knowledge_has_its_parts() -> None:
    known = game("kit").knowledge(0, "o1 o2 t3 s4")
    with pytest.raises(NotationError, match="name none beside it"):
        bid(known, seat=1)
    with pytest.raises(NotationError, match="advise"):
        bid(known.contract("by 0").played("0 o1"))


@pytest.mark.kernel
def test_a_knowledge_is_asked_like_a_hand() -> None:
    rng = random.Random(3)
    for name, hand, seen in (("kit", "o1 o4 t3 s4", ""), ("thousand", SEVEN, "JS 9C 9S"), ("sheepshead", SIX, "7S 8H")):
        known = game(name).knowledge(0, hand)
        known = known.see(talon=seen) if seen else known
        cards = (hand + " " + seen).split()
        rng.shuffle(cards)
        one, two = bid(known, seed=4), bid(name, " ".join(cards), seed=4)
        assert isinstance(one.frame, pd.DataFrame)
        assert rows(one) == rows(two)
