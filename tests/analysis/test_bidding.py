from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from naive import kit as naive_kit
from naive import minimax
from naive import sheepshead as naive_sheepshead
from solver.analysis import curves
from solver.analysis.bidding import bid
from solver.analysis.doubledummy import Search
from solver.analysis.success import Runner, task
from solver.analysis.talon import before, best_of, cross_fit
from solver.games import game
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
from solver.model.layout import layout_of

SHEEP = "QC QD JS AD TD 9H TC 8H"
PLAN = "call AH, bury TC 8H"
SEVEN = "AH KH QH 9H TS JC 9D"
TEN = "AH TH KH QH 9H TS JS JC 9C 9D"


def question(name: str, hand: str, contract: str, worlds: int | str | None = 20, **options: object) -> curves.Question:
    one = game(name, **options)
    read = one.contract(contract)
    assert read.declarer is not None
    return curves.Question(one, one.deck.hand(hand), read, read.declarer, worlds, None, 3, 1, None, 0)


# ---------------------------------------------------------------------- the choice of a plan


def test_maximum_of_the_mean_not_mean_of_the_maxima() -> None:
    # Either plan wins in half of the worlds, and in every world one of them wins.
    wins = np.zeros((2, 40, 1), np.bool_)
    wins[0, 0::4], wins[0, 1::4] = True, True
    wins[1, 2::4], wins[1, 3::4] = True, True
    assert wins.max(axis=0).mean() == 1
    low, high, _ = cross_fit(wins, wins)
    assert low.mean() == high.mean() == 0.5


def test_the_winners_luck_is_not_counted() -> None:
    rng = np.random.default_rng(4)
    read, picked = [], []
    for _ in range(300):
        wins = rng.random((30, 16, 1)) < 0.5  # thirty plans, all equally good
        read.append(cross_fit(wins, wins)[0].mean())
        picked.append(wins.mean(axis=1).max())
    assert np.mean(picked) > 0.7
    assert np.mean(read) == pytest.approx(0.5, abs=0.02)


def test_each_threshold_finds_its_own_plan() -> None:
    levels = np.array([[1] * 10, [0, 3] * 5])  # plan 0 always reaches one threshold, plan 1 all three half of the time
    levels[1] = [0, 0, 3, 3, 0, 0, 3, 3, 0, 3]
    wins = curves.reached(levels, 3)
    low, _, picked = cross_fit(wins, wins)
    assert picked.tolist() == [[0, 1, 1], [0, 1, 1]]
    assert low.mean(axis=0).tolist() == [1.0, 0.5, 0.5]


def test_extra_worlds_help_to_choose_and_are_not_read() -> None:
    wins = np.zeros((2, 6, 1), np.bool_)
    wins[1] = True
    extra = np.zeros((2, 100, 1))
    extra[0] = 1.0
    low, _, picked = cross_fit(wins, wins, extra)
    assert picked.tolist() == [[0], [0]]
    assert not low.any()


def test_best_of_keeps_order_among_equals() -> None:
    assert best_of(np.array([1.0, 3.0, 2.0, 3.0]), 3).tolist() == [1, 3, 2]


# ---------------------------------------------------------------------- worlds


def test_sides_are_those_of_the_game() -> None:
    for asked, known, out in (
        (question("sheepshead", "QC QD JS AD TD 9H", "by 2, " + PLAN), None, "TC 8H"),
        (question("sheepshead", "QC QD JS AD TD", "by 2, bury TC 8H", seats=6, partner="jd"), None, "TC 8H"),
        (question("three_of_spades", "AS KS QS JS TS 9S AH KH AD 2H", "by 1, trump S, call AC KD"), None, ""),
    ):
        one = asked.game
        worlds = curves.deal_worlds(asked, known or {asked.seat: asked.hand}, one.deck.hand(out))
        layout = layout_of(worlds.position.rules)
        for row, side in zip(worlds.hands, worlds.sides, strict=True):
            hands = tuple(layout.decode(int(bits)) for bits in row)
            assert hands[asked.seat] == asked.hand
            assert sorted(c for h in hands for c in h) == sorted(set(one.deck.cards) - one.deck.hand(out))
            start = one.start(Deal(one, hands), asked.contract)
            assert sum(1 << s for s in start.side) == side
            assert (start.leader, start.trump) == (worlds.position.leader, worlds.position.trump)


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


@pytest.mark.kernel
def test_kit_drawn() -> None:
    found = bid("kit", "o1 o4 t3 s4", worlds=30, seed=1)
    whole = bid("kit", "o1 o4 t3 s4", worlds=70)
    assert "uniform worlds" in found.method
    assert "all 70" in whole.method
    for a, b in zip(found.frame.itertuples(), whole.frame.itertuples(), strict=True):
        assert a.low <= b.p <= a.high


# ---------------------------------------------------------------------- the same numbers, whoever works


def rows(found: object) -> list[dict]:
    return found.frame.to_dict("records")  # type: ignore[attr-defined]


@pytest.mark.kernel
def test_workers_do_not_change_numbers() -> None:
    for args, more in (
        (("sheepshead", SHEEP, PLAN), {"worlds": 24, "seat": 2}),
        (("thousand", TEN, "pass 9C to 1, 9D to 2"), {"worlds": 40}),
        (("thousand", SEVEN), {"worlds": 4, "talons": 3}),
        (("sheepshead", SHEEP, PLAN), {"worlds": 60, "seat": 2, "limit": 500}),
    ):
        one, two = (bid(*args, seed=5, workers=w, **more) for w in (1, 3))
        assert one.to_json() == two.to_json()
    assert rows(bid("sheepshead", SHEEP, PLAN, seat=2, worlds=24, seed=6)) != rows(
        bid("sheepshead", SHEEP, PLAN, seat=2, worlds=24, seed=5)
    )


@pytest.mark.kernel
@pytest.mark.parametrize("chunk", [1, 5, 1000])
def test_chunks_do_not_change_numbers(chunk: int) -> None:
    asked = question("sheepshead", "QC QD JS AD TD 9H", "by 2, " + PLAN, 23)
    worlds = curves.deal_worlds(asked, {2: asked.hand}, asked.game.deck.hand("TC 8H"))
    one = task(worlds.position, worlds.hands, worlds.sides, [21, 51, 81])
    with Runner(workers=2, chunk=chunk) as runner:
        (found,) = runner.run(one)
    with Runner(workers=1) as runner:
        (usual,) = runner.run(one)
        assert runner.searches == 23
    assert (found.low == usual.low).all()
    assert (found.high == found.low).all()
    assert found.done.all()


@pytest.mark.kernel
def test_progress_and_interrupt() -> None:
    told: list[tuple[int, int]] = []
    bid("sheepshead", SHEEP, PLAN, seat=2, worlds=20, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40, 40)
    assert [d for d, _ in told] == sorted(d for d, _ in told)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    found = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=400, workers=1, progress=stop)
    assert found.partial
    assert 0 < found.n < 400
    assert "PARTIAL" in str(found)
    whole = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=400, workers=2).frame.set_index("bid")
    part = found.frame.set_index("bid")
    assert part.loc[61, "low"] <= whole.loc[61, "p"] <= part.loc[61, "high"]
    talons = bid("thousand", SEVEN, worlds=4, talons=9, progress=stop)
    assert talons.partial
    assert talons.n == 0
    assert talons.frame["p"].isna().all()
    json.dumps(talons.to_json(), allow_nan=False)
    kit = bid("kit", "o1 o4 t3 s4", workers=1, progress=stop)
    assert kit.partial
    assert kit.n < 70
    assert "uniform worlds" in kit.method
    assert (kit.frame["low"] < kit.frame["high"]).any()  # no longer all worlds


def test_runner_wants_workers() -> None:
    with pytest.raises(ValueError, match="workers"):
        Runner(workers=0)


@pytest.mark.kernel
def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    bid("kit", "o1 o4 t3 s4", progress=True)
    assert "70/70" in capsys.readouterr().err


@pytest.mark.kernel
def test_a_node_limit_widens_the_interval() -> None:
    whole = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=20, seed=2).frame
    short = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=20, seed=2, limit=300)
    assert "stopped at 300 nodes" in str(short)
    assert (short.frame["low"] <= whole["low"] + 1e-12).all()
    assert (short.frame["high"] >= whole["high"] - 1e-12).all()
    assert (short.frame["high"] - short.frame["low"] > whole["high"] - whole["low"]).any()
    assert short.summary["score_low"] < short.summary["score_high"]


# ---------------------------------------------------------------------- sheepshead


@pytest.mark.kernel
@pytest.mark.parametrize("contract", [PLAN, "alone, bury TC 8H", "call AH, bury TC 8H, lead 2"])
def test_sheepshead_score_from_values(contract: str) -> None:
    one = game("sheepshead")
    found = bid(one, SHEEP, contract, seat=2, worlds=12, seed=8)
    asked = question("sheepshead", "QC QD JS AD TD 9H", "by 2, " + contract, 12)
    worlds = curves.deal_worlds(
        curves.Question(**{**asked.__dict__, "seed": 8}), {2: asked.hand}, one.deck.hand("TC 8H")
    )
    layout = layout_of(worlds.position.rules)
    scores, made = [], []
    for row in worlds.hands:
        hands = tuple(layout.decode(int(bits)) for bits in row)
        start = one.start(Deal(one, hands), asked.contract)
        points = Search(start).value(start)[0] + 10
        trick = _tricks(start)
        tier = 5 if trick == 6 else 0 if trick == 0 else 1 + sum(points >= x for x in (31, 61, 91))
        alone = len(start.side) == 1
        opponents = 4 if alone else 3
        expected = {0: (0, 0), 1: (20, 1), 2: (40, 2), 3: (70, 3), 4: (95, 4), 5: (120, 6)}[tier]
        scores.append(naive_sheepshead.settle(*expected, 6, opponents, alone)["picker"])
        made.append(points >= 61)
    assert found.summary["expected_score"] == pytest.approx(np.mean(scores))
    assert found.summary["standard_error"] == pytest.approx(np.std(scores, ddof=1) / np.sqrt(12))
    assert found.summary["p_make"] == pytest.approx(np.mean(made))
    p = found.frame["p"].tolist()
    assert p == sorted(p, reverse=True)
    assert found.frame["bid"].tolist() == [0, 31, 61, 91, 120]


def _tricks(start: object) -> int:
    from dataclasses import replace

    from solver.analysis.doubledummy import counting_tricks

    bare = replace(start, rules=counting_tricks(start.rules))  # type: ignore[type-var, attr-defined]
    return Search(bare).value(bare)[0]


@pytest.mark.kernel
def test_sheepshead_six_cards_are_the_hand_after_the_bury() -> None:
    one = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=12, seed=1)
    two = bid("sheepshead", "QC QD JS AD TD 9H", "by 2, " + PLAN, worlds=12, seed=1)
    assert rows(one) == rows(two)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "seats, hand, contract, options",
    [
        (3, "QC QS JD AD TD 9H TC 8H AC AS 7C 7S", "bury 7C 7S", {}),
        pytest.param(4, "QC QS JD AD TD 9H TC 8H AC AS 7C", "bury TC 8H 7C 9H", {}, marks=pytest.mark.slow),
        (6, "QC QS AD TD 9H TC 8H", "bury TC 8H", {"partner": "jd"}),
        pytest.param(7, "QC QS AD TD 9H TC 8H KH", "bury TC 8H KH 9H", {"partner": "jd"}, marks=pytest.mark.slow),
        (5, "QC QS AD TD JD TC 8H 9H", "bury TC 8H", {"partner": "jd"}),
        (5, "QC QS JD AD TD 7D AH KD", "call AC, under 7D, bury KD AD", {}),
        (5, "AC AS AH QC JD TD 8D KS", "call TS, bury AC AH", {}),
    ],
)
def test_sheepshead_tables_and_plans(seats: int, hand: str, contract: str, options: dict) -> None:
    found = bid("sheepshead", hand, contract, worlds=2, limit=20_000, seats=seats, **options)
    assert len(found.frame) == 5
    assert found.n == 2


# ---------------------------------------------------------------------- thousand, 3 of spades


@pytest.mark.kernel
def test_thousand_after_the_pass() -> None:
    ten = bid("thousand", TEN, "pass 9C to 1, 9D to 2", worlds=60, seed=2)
    eight = bid("thousand", "AH TH KH QH 9H TS JS JC", "pass 9C to 1, 9D to 2", worlds=60, seed=2)
    assert rows(ten) == rows(eight)
    frame = ten.frame
    assert frame["bid"].tolist() == game("thousand").bids(220)
    assert (frame["p_exact"] <= frame["p"]).all()
    assert (frame["p_exact"] < frame["p"]).any()
    assert "p_rounded" not in frame
    assert (frame["expected_score"] == frame["bid"] * (2 * frame["p"] - 1)).all()
    assert "expected_score = bid x (2 p - 1)" in str(ten)
    assert frame["p"].is_monotonic_decreasing
    exact = bid("thousand", TEN, "pass 9C to 1, 9D to 2", worlds=60, seed=2, round_before_check="off").frame
    assert exact["p"].tolist() == frame["p_exact"].tolist()
    assert exact["p_rounded"].tolist() == frame["p"].tolist()
    assert "p_exact" not in exact


@pytest.mark.kernel
def test_thousand_rates_are_those_of_the_values() -> None:
    asked = question("thousand", "AH TH KH QH 9H TS JS JC", "by 0", 10)
    worlds = curves.deal_worlds(asked, {0: asked.hand}, frozenset())
    layout = layout_of(worlds.position.rules)
    values = []
    for row in worlds.hands:
        deal = Deal(asked.game, tuple(layout.decode(int(bits)) for bits in row))
        start = asked.game.start(deal, asked.contract)
        values.append(Search(start).value(start)[0])
    found = bid("thousand", "AH TH KH QH 9H TS JS JC", worlds=10, seed=3)
    for row in found.frame.itertuples():
        assert row.p == pytest.approx(np.mean([v >= row.bid - 2 for v in values]))
        assert row.p_exact == pytest.approx(np.mean([v >= row.bid for v in values]))


@pytest.mark.kernel
def test_thousand_before_the_talon() -> None:
    found = bid("thousand", SEVEN, worlds=4, talons=4, seed=1)
    frame = found.frame
    assert found.n == 16
    assert frame.loc[frame["legal"], "bid"].max() == 220
    assert frame["p"].is_monotonic_decreasing
    assert (frame["low"] <= frame["p"]).all()
    assert (frame["p"] <= frame["high"]).all()
    assert "45 of 680" in str(found)
    assert "talon as the unit" in str(found)
    flat = bid("thousand", SEVEN, worlds=2, talons=2, seed=1, bid_cap="flat120").frame
    assert flat.loc[flat["legal"], "bid"].max() == 120


@pytest.mark.kernel
def test_three_of_spades() -> None:
    hand = "AS KS QS JS TS 9S AH KH AD 2H"
    found = bid("3s", hand, "trump S, call AC KD", worlds=3, seed=1, limit=50_000)
    assert found.frame["bid"].tolist() == list(range(150, 251, 5))
    assert (found.frame["expected_score"] == found.frame["bid"] * found.frame["p"]).all()
    assert "of the worlds drawn" in str(found)


@pytest.mark.kernel
def test_house_rules_change_the_thresholds() -> None:
    polish = bid("thousand", SEVEN, worlds=2, talons=1, preset="polish3")
    assert polish.frame["bid"].tolist()[:3] == [100, 110, 120]
    assert "points" in polish.unit
    schwarz = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=5, schwarz="points")
    assert schwarz.frame["bid"].tolist() == [1, 31, 61, 91, 120]
    crack = bid("sheepshead", SHEEP, PLAN + ", crack", seat=2, worlds=5, crack="crack")
    single = bid("sheepshead", SHEEP, PLAN, seat=2, worlds=5)
    assert crack.summary["expected_score"] == 2 * single.summary["expected_score"]
    spades = "AS KS QS JS TS 9S AH KH AD 2H"
    extra = {"extra_partner": True, "worlds": 2, "limit": 20_000}
    assert 250 not in bid("3s", spades, "trump S, call AC KD", **extra).frame["bid"].tolist()
    assert bid("3s", spades, "250, trump S, call AC KD QD", **extra).frame["bid"].tolist() == [250]
    twice = bid("3s", spades, "trump S, call AC KD", worlds=2, limit=20_000, bidder_bonus=True).frame
    assert (twice["expected_score"] == twice["bid"] * (3 * twice["p"] - 1)).all()


@pytest.mark.kernel
def test_a_named_side_needs_no_plan() -> None:
    found = bid("sheepshead", "QC QD JS AD TD 9H", "side 0 3", worlds=5, limit=20_000)
    assert found.n == 5


@pytest.mark.slow
@pytest.mark.kernel
def test_four_seats() -> None:
    pairs = bid("thousand", "AH KH QH 9H TS JC", worlds=4, limit=50_000, preset="four_pairs")
    assert pairs.frame["legal"].sum() == len(game("thousand").bids(220))
    whist = bid("whist", "AS KS QS JS TS 9S AH KH AD 2H 3H 4H 5H", "7 by 0, trump S", worlds=3, limit=50_000)
    assert whist.summary["p_make"] == whist.frame.set_index("bid").loc[7, "p"]
    assert "seats 0 2" in str(whist)


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "name, hand, contract, more, error, words",
    [
        ("kit", "o1 o2 t3", "", {}, NotationError, "too short"),
        ("kit", "o1 o2 t3 s4", "2 by 1", {"seat": 0}, NotationError, "by seat 1"),
        ("kit", "o1 o2 t3 s4", "", {"seat": 3}, NotationError, "seats 0 to 2"),
        ("kit", "o1 o2 t3 s4", "", {"worlds": 0}, UnsupportedError, "worlds is 0"),
        ("kit", "o1 o2 t3 s4", "", {"worlds": "most"}, UnsupportedError, "'all'"),
        ("sheepshead", SHEEP, None, {}, NotationError, "write 'call AH, bury TC 8H'"),
        ("sheepshead", SHEEP, "call AH", {}, NotationError, "no bury"),
        ("sheepshead", SHEEP, "call AH, bury TC 7S", {}, IllegalPlayError, "7S"),
        ("sheepshead", SHEEP, "call AH, bury 9H 8H", {}, IllegalPlayError, "must keep"),
        ("sheepshead", "QC QD JS AD TD 9H", "call AH, bury TC 9H", {}, NotationError, "still in the hand"),
        ("sheepshead", "QC QD JS AD TD AH TC 8H", "call AH, bury TC 8H", {}, IllegalPlayError, "holds it"),
        ("sheepshead", SHEEP, PLAN, {"worlds": "all"}, UnsupportedError, "too many"),
        ("thousand", TEN, "", {}, NotationError, "pass 9C to 1, 9D to 2"),
        ("thousand", TEN, "pass AS to 1, 9D to 2", {}, NotationError, "does not hold"),
        ("thousand", "AH TH KH QH 9H TS JS JC", "pass AH to 1, 9D to 2", {}, NotationError, "still holds"),
        ("thousand", SEVEN, "pass 9C to 1, 9D to 2", {}, NotationError, "before the talon"),
        ("thousand", SEVEN, "", {"worlds": 1}, UnsupportedError, "at least 2"),
        ("thousand", "AH KH", "", {}, NotationError, "too short"),
        ("thousand", SEVEN, "100, surrender", {}, UnsupportedError, "given up"),
        ("thousand", TEN, "", {"preset": "two_fixed"}, UnsupportedError, "two_fixed"),
        ("sheepshead", SHEEP, "leaster", {}, UnsupportedError, "no bids"),
        ("sheepshead", SHEEP, "side 0 3", {}, NotationError, "no bury"),
        ("three_of_spades", "AS KS QS JS TS 9S AH KH AD 2H", "", {}, NotationError, "write trumps"),
        ("three_of_spades", "AS KS QS JS TS 9S AH KH AD 2H", "trump S, call AS KD", {}, IllegalPlayError, "holds it"),
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


def test_before_is_for_seven_cards() -> None:
    with pytest.raises(NotationError, match="leave the passes out"):
        before(question("thousand", SEVEN, "by 0, pass 9C to 1, 9D to 2"), game("thousand"))  # type: ignore[arg-type]
