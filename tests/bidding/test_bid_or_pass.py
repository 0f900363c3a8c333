"""A bid set against passing: gains, the break-even bid, models of one's own, matches, and stopping early."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from deciding import PICKER, QUICK, SEVEN, SPADES, TEN
from solver.bidding.bid import bid
from solver.bidding.bid_answer import Answer
from solver.bidding.bids import Bids, Read
from solver.bidding.of_game import bidding_class, stakes_of
from solver.bidding.of_thousand_match import ends_in_match, match_from, passed_in_match
from solver.bidding.passing import Passed
from solver.deals.halving import Round
from solver.games import game
from solver.games.thousand import Thousand
from solver.model.errors import NotationError, UnsupportedError

pytestmark = pytest.mark.kernel

SIX = " ".join(PICKER.split()[:6])
FEW = (Round(90, 1), Round(6, 2), Round(2, 4))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rounds in QUICK.items():
        monkeypatch.setattr(bidding_class(name), "schedule", rounds)


@dataclass(frozen=True)
class Always:
    """Passing always brings the same."""

    score: float = 30.0
    words = "whoever passes gets the same"

    def scores(self, knowledge, bids, *, n, seed, runner) -> Passed:
        assert knowledge.agreed is None
        assert knowledge.talon is None
        own = np.full((n, len(bids)), self.score)
        every = np.zeros((n, len(bids), knowledge.game.seats))
        every[:, :, knowledge.seat] = self.score
        return Passed(own, own, every)


@dataclass(frozen=True)
class Unknown:
    words = "nobody knows"

    def scores(self, knowledge, bids, *, n, seed, runner) -> Passed:
        raise UnsupportedError("nobody knows what happens then")


def thousand(model: object = None, **more: object) -> Bids:
    return bid("thousand", SEVEN, talons=4, rounds=FEW, passed=20, seed=1, workers=1, passing=model, **more)  # type: ignore[arg-type]


@cache
def usual() -> Bids:
    return thousand()


# ---------------------------------------------------------------------- gains


def check_break_even(found: Bids) -> None:
    frame = found.frame
    legal = frame[frame["legal"]] if "legal" in frame else frame
    good = legal.loc[legal["gain"] >= 0, "bid"]
    assert found.break_even == (good.max() if len(good) else None)
    perhaps = legal.loc[legal["gain_high"] >= 0, "bid"]
    sure = legal.loc[(legal["gain_low"] >= 0).cummin(), "bid"]  # from the lowest bid on
    words = [f"perhaps up to {perhaps.max() if len(perhaps) else 'none'}"]
    if found.break_even is None:
        words.append("break-even: none, no bid has a better expected score than passing")
    else:
        words += [f"break-even: {found.break_even}, the highest bid",
                  f"surely up to {sure.max() if len(sure) else 'none'}"]  # fmt: skip
    assert all(word in str(found) for word in words)
    assert ((frame["gain_low"] <= frame["gain"]) & (frame["gain"] <= frame["gain_high"])).all()


def test_gains_are_scores_over_passing() -> None:
    found = usual()
    check_break_even(found)
    middle = found.frame["with_raise"] - found.frame["pass_score"]
    assert found.frame["gain"].tolist() == pytest.approx(middle.tolist())
    assert (found.frame["score_low"] <= found.frame["with_raise"]).all()
    assert found.passing in str(found)


@pytest.mark.parametrize("score", [30.0, -500.0, 500.0])
def test_a_model_of_ones_own(score: float) -> None:
    found = thousand(Always(score))
    assert found.passing == "whoever passes gets the same"
    assert "passing: whoever passes gets the same" in found.notes
    assert (found.frame["pass_score"] == score).all()
    assert found.frame["gain"].tolist() == pytest.approx((found.frame["with_raise"] - score).tolist())
    check_break_even(found)
    assert (found.break_even is None) == (score == 500)
    same = usual().frame
    assert found.frame["p"].tolist() == same["p"].tolist()
    if score == -500:
        assert found.break_even == 220  # the highest that the rules allow, not the highest of the table
    json.dumps(found.to_json(), allow_nan=False)


def test_bids_without_a_raise() -> None:
    found = bid("three_of_spades", SPADES, "trump S", worlds=4, limit=300, passing=Always(60), seed=1, workers=1)
    frame = found.frame
    assert "with_raise" not in frame
    assert (frame["pass_score"] == 60).all()
    check_break_even(found)
    sheep = bid("sheepshead", SIX, talons=3, rounds=FEW, passing=Always(1), seed=1, workers=1)
    assert sheep.summary["gain"] == pytest.approx(sheep.summary["expected_score"] - 1)
    assert sheep.summary["pass_score"] == 1
    assert "passing brings +1.00 (+1.00 to +1.00)" in str(sheep) or "passing brings +1.00" in str(sheep)
    assert "gain" not in sheep.frame  # a tier is no bid


def test_a_model_that_does_not_know() -> None:
    found = thousand(Unknown())
    assert found.passing == "not judged: nobody knows what happens then"
    assert "passing: not judged: nobody knows what happens then" in found.notes
    assert "gain" not in found.frame
    assert found.break_even is None
    assert found.frame["p"].tolist() == usual().frame["p"].tolist()


def test_nothing_to_pass() -> None:
    last = game("thousand").knowledge(0, SEVEN).heard("0:100 1:pass 2:pass")
    found = bid(last, talons=2, rounds=FEW, passed=5, workers=1)
    assert found.passing.startswith("not judged: seat 0 is the last in the auction")
    for more in (bid("thousand", TEN, worlds=4), bid("kit", "o1 o4 t3 s4"), bid("sheepshead", PICKER, worlds=4)):
        assert not more.passing
        assert "gain" not in more.frame
        assert more.break_even is None


def test_calls_heard_are_used() -> None:
    known = game("thousand").knowledge(1, SEVEN).heard("0:110")
    found = bid(known, talons=2, rounds=FEW, passed=5, seed=1, workers=1)
    assert found.seat == 1
    assert "45 of 680" in str(found)


def test_a_raise_for_one_half_is_chosen_by_what_was_seen_outside_of_it() -> None:
    known = game("thousand").knowledge(0, SEVEN)
    contract = game("thousand").contract("by 0")
    stakes = stakes_of(known.game, contract, known.hand, only=[100, 120, 200])
    answer = Answer(known, contract, stakes, "talon", False, 0, 0, 680, None, (Round(1, 1),))
    needs = len(stakes.needs or ())
    sure, never = np.ones((8, needs)), np.zeros((8, needs))
    half = np.zeros((8, needs))
    half[::2] = 1  # made in the worlds of one half and in none of the other
    fair = np.stack([half[1], half[0]])  # what each half does not see of itself
    for low, hint, expected in (
        (sure, sure[:2], 200.0), (never, never[:2], -100.0), (half, fair, (100.0 - 200.0) / 2), (half, sure[:2], 0.0)
    ):  # fmt: skip
        answer.reads[:] = [Read(low, low, hint)]
        assert answer.raised(100).tolist() == [expected]
        assert answer.raised(200).tolist() == [200 * (2 * low[:, 0].mean() - 1)]


# ---------------------------------------------------------------------- matches


def match(text: str, **options: object):
    one = game("thousand", **options)
    assert isinstance(one, Thousand)
    return match_from(one, text)


def test_the_barrel() -> None:
    found = thousand(Always(30), match=match("880,300,-120"))
    frame = found.frame.set_index("bid")
    assert (frame.loc[:115, "match_change"] == 0).all()  # on the barrel nothing less than 120 counts
    assert frame.loc[120, "match_change"] > 0
    for bid_, row in frame.loc[120:].iterrows():  # the total becomes 1000, or stays
        talons = found.cases["p"] if bid_ == found.summary["best_bid"] else None
        assert 0 <= row["match_change"] <= 120
        assert talons is None or row["match_change"] == pytest.approx(120 * talons.mean())
    assert (frame["pass_score"] == 0).all()
    assert frame["gain"].tolist() == pytest.approx(frame["with_raise"].tolist())
    assert frame["expected_score"].tolist() == usual().frame["expected_score"].tolist()
    assert "changes of the seat's total in the match" in str(found)
    check_break_even(found)


def ends(text: str, seat: int, *bids: int, **options: object) -> list[tuple[float, float]]:
    """Change of the seat's total with each bid made and failed."""
    one = match(text, **options)
    stakes = stakes_of(one.game, one.game.contract("by 0"), frozenset(), only=bids)
    found = ends_in_match(one, seat, stakes)
    assert list(found) == list(bids)
    return list(found.values())


def test_changes_of_the_total() -> None:
    assert ends("100,300,-120", 1, 100, 120) == [(100, -100), (120, -120)]
    assert ends("880,300,-120", 0, 100, 120) == [(0, 0), (120, 0)]
    assert ends("880,300,-120", 0, 100, 120, barrel_deals=1) == [(-120, -120), (120, -120)]  # or it falls
    assert ends("0,860,0", 1, 120) == [(20, -120)]  # the barrel ends what counts
    assert ends("435,0,0", 0, 120) == [(-435, -120)]  # the dump truck
    pairs = game("thousand", preset="four_pairs")
    stakes = stakes_of(pairs, pairs.contract("by 1"), frozenset(), only=[100])
    assert ends_in_match(pairs.match(), 1, stakes) == {100: (100, -100)}


def test_passing_in_a_match() -> None:
    low = np.array([[20.0, 20.0], [40.0, 30.0]])
    high = np.array([[20.0, 60.0], [40.0, 30.0]])
    every = np.zeros((2, 2, 3))
    every[:, :, 0] = (low + high) / 2
    every[:, :, 1] = [[100, 120], [-100, -120]]
    passed = Passed(low, high, every, np.array([1, 1]))
    far = passed_in_match(match("100,300,-120"), 0, passed)
    assert (far.low.tolist(), far.high.tolist()) == (low.tolist(), high.tolist())
    barrel = passed_in_match(match("880,300,-120"), 0, passed)
    assert barrel.low.tolist() == barrel.high.tolist() == [[0, 0], [0, 0]]
    mounts = passed_in_match(match("840,0,0"), 0, passed)
    assert mounts.low.tolist() == [[20, 20], [40, 30]]
    assert mounts.high.tolist() == [[20, 40], [40, 30]]  # 900 is 880 on the barrel


@pytest.mark.parametrize(
    "name, text, error, words",
    [
        ("kit", "1,2,3", UnsupportedError, "only a match of thousand"),
        ("thousand", "1,2", NotationError, "expected 3 whole numbers"),
        ("thousand", "1,2,x", NotationError, "as in 880,300,-120"),
        ("thousand", "", NotationError, "expected 3 whole numbers"),
    ],
)
def test_totals_that_are_refused(name: str, text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        match_from(game(name), text)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------- raises and intervals


def answer(reads: list[Read]) -> Answer:
    one = game("thousand")
    known = one.knowledge(0, SEVEN)
    contract = one.contract("by 0")
    stakes = stakes_of(one, contract, known.hand)
    more = {"exact": False, "seed": 1, "limit": 0, "total": 680, "until": None, "reads": reads}
    return Answer(known, contract, stakes, "talon", **more)


def test_a_raise_is_worth_having_and_no_luck() -> None:
    """Talons with a known chance of every bid: the raise comes near the best one and never claims more."""
    rng = np.random.default_rng(5)
    columns = answer([]).stakes.column
    bids = np.array(answer([]).stakes.bids)
    needs = np.array(answer([]).stakes.needs)
    reads, stay, best = [], [], []
    for mean in rng.normal(132, 12, 600):
        chosen, seen = rng.normal(mean, 6, 28), rng.normal(mean, 6, 32)
        made = (seen[:, None] >= needs).astype(np.float64)
        hint = np.tile((chosen[:, None] >= needs).mean(axis=0), (2, 1))
        reads.append(Read(made, made, hint))
        p = (rng.normal(mean, 6, 4000)[:, None] >= needs).mean(axis=0)[list(columns)]
        scores = bids * (2 * p - 1)
        stay.append(scores[0])
        best.append(scores.max())
    found = answer(reads).raised(100).mean()
    assert np.mean(stay) + 8 < found < np.mean(best) + 0.5
    assert found > np.mean(best) - 4


def test_intervals_hold_for_few_talons() -> None:
    rng = np.random.default_rng(6)
    one = answer([])
    for talons in (3, 8):
        inside = 0
        for _ in range(400):
            x = rng.normal(20, 40, talons)
            found = one.interval(x, x, (-1000.0, 1000.0))
            inside += found.low <= 20 <= found.high
        assert inside >= 370
    single = np.array([20.0])
    assert one.interval(single, single, (-300.0, 300.0))[1:] == (-300.0, 300.0)


# ---------------------------------------------------------------------- stopping early


@pytest.mark.parametrize(
    "args, more, until",
    [
        (("sheepshead", PICKER, "call AH, bury TC 8H"), {"worlds": 3000}, 0.1),
        (("thousand", SEVEN, "100"), {"talons": 60, "rounds": FEW, "passed": 2}, 0.2),
        (("thousand", TEN, "160"), {}, 0.1),
        (("three_of_spades", SPADES, "160, trump S"), {"limit": 300, "passed": 2}, 0.05),
        (("sheepshead", SIX), {"talons": 60, "rounds": FEW, "passed": 2}, 0.25),
    ],
)
def test_until_stops_early(args: tuple, more: dict, until: float) -> None:
    found = bid(*args, until=until, seed=1, workers=1, **more)
    assert not found.partial
    assert "stopped when clear" in found.method
    assert "good at every look" in str(found)
    asked = {"sheepshead": 61, "thousand": int(args[2]) if len(args) > 2 and args[2].isdigit() else 160}
    row = found.frame.set_index("bid").loc[asked.get(args[0], 160)]
    assert row["low"] <= row["p"] <= row["high"]
    assert row["high"] - row["low"] <= 2 * until
    drawn = found.summary.get("talons", found.summary.get("blinds", row["n"]))
    assert drawn < more.get("talons", more.get("worlds", 10_000))
    again = bid(*args, until=until, seed=1, workers=2, **more)
    assert json.dumps(again.to_json()) == json.dumps(found.to_json())


def test_until_is_not_reached_by_few_worlds() -> None:
    found = bid("sheepshead", PICKER, "call AH, bury TC 8H", worlds=200, until=0.001, seed=1)
    assert found.n == 200
    row = found.frame.set_index("bid").loc[61]
    fixed = bid("sheepshead", PICKER, "call AH, bury TC 8H", worlds=200, seed=1).frame.set_index("bid").loc[61]
    assert row["p"] == fixed["p"]
    assert row["high"] - row["low"] > fixed["high"] - fixed["low"]  # what may be looked at again and again is wider
