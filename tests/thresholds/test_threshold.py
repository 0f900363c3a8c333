"""Studies of hands: rows, tables, rules of thumb against trying everything, the file, interrupts."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import solver as tw
from solver.bidding.of_game import bidding_class, games_with_features
from solver.bidding.passing import Passed
from solver.deals.halving import Round
from solver.games import game
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.stats.rates import wilson
from solver.thresholds import threshold as module
from solver.thresholds.checkpoint import read_checkpoint
from solver.thresholds.features import Feature, feature_names, features, features_of
from solver.thresholds.hand_rows import Study, check_bids, drawn, study_hand, study_of
from solver.thresholds.rules_of_thumb import Condition, Rule, best_rules, cross_validate, find_thumb, lost
from solver.thresholds.threshold import read_threshold, threshold

pytestmark = pytest.mark.kernel

KIT = {"hands": 24, "seed": 5, "workers": 1, "bids": [2]}
TINY = {"talons": 2, "rounds": [(4, 1), (2, 2)], "passed": 2}
SPADES = {"rounds": [(6, 1, 200), (2, 2, 200)], "passed": 2, "limit": 500}


@dataclass(frozen=True)
class Even:
    """Passing that always scores the same."""

    value: float = 10.0
    interrupts: bool = False

    @property
    def words(self) -> str:
        return f"{self.value} for everyone"

    def scores(self, knowledge, bids, *, n, seed, runner) -> Passed:
        runner.interrupted |= self.interrupts
        same = np.full((n, len(bids)), self.value)
        return Passed(same, same, np.full((n, len(bids), knowledge.game.seats), self.value))


# ---------------------------------------------------------------------- features


@pytest.mark.parametrize(
    "name, hand, expected",
    [
        ("sheepshead", "QC JS AD 9D TC 8C",
         {"trumps": 4, "queens": 1, "jacks": 1, "tops": 2, "power": 7, "aces": 0, "points": 26, "voids": 2}),
        ("sheepshead", "AC TS KH 7H 8S 9C",
         {"trumps": 0, "queens": 0, "jacks": 0, "tops": 0, "power": 0, "aces": 1, "points": 25, "voids": 0}),
        ("thousand", "AH KH QH 9H TS JC KD",
         {"aces": 1, "tens": 1, "marriages": 100, "halves": 1, "points": 34, "worth": 134, "longest": 4, "voids": 0}),
        ("three_of_spades", "AC KC 5C 9C 3S 2S AD QD JD TD",
         {"length": 4, "suit_points": 40, "aces": 2, "kings": 1, "three": 1, "points": 95, "voids": 1}),
        ("kit", "o4 o3 o1 s2", {"highest": 1, "second": 1, "winners": 2, "longest": 3, "voids": 1}),
    ],
)  # fmt: skip
def test_features(name: str, hand: str, expected: dict[str, int]) -> None:
    one = game(name)
    assert features(one, one.deck.hand(hand), 2) == {**expected, "position": 2}


@pytest.mark.parametrize("name", games_with_features())
def test_features_are_described(name: str) -> None:
    one = game(name)
    known = features_of(one)
    assert len({f.name for f in known}) == len(known)
    assert all(f.words and (f.least or f.name == "position") for f in known)
    taken = {"number", "seed", "hand", "bid", "label", "n", "p", "low", "high", "gain", "right", "score"}
    assert not taken & {f.name for f in known}
    assert {f.within for f in known} <= {"", *(f.name for f in known)}
    for seed in range(30):
        found = features(one, one.deal(seed=seed).hands[0], 0)
        assert all(isinstance(v, int) and v >= 0 for v in found.values())


def test_names_of_features() -> None:
    assert feature_names("sheepshead", None) == ("trumps",)
    assert feature_names(game("thousand"), "aces, marriages") == ("aces", "marriages")
    with pytest.raises(NotationError, match="no feature 'luck' of kit hands: there are highest, "):
        feature_names("kit", "luck")
    with pytest.raises(NotationError, match="name each once"):
        feature_names("kit", ["highest", "highest"])
    with pytest.raises(UnsupportedError, match="hands of whist"):
        features_of("whist")


# ---------------------------------------------------------------------- rules


def naive_best(hands: dict[str, np.ndarray], gains: np.ndarray, known: list[Feature], most: int) -> float:
    """The greatest sum of gains of a rule, by trying every threshold of every set of features."""
    best = max(0.0, sum(gains.tolist()))
    for size in range(1, most + 1):
        for some in itertools.combinations(known, size):
            steps = [sorted({v // f.step * f.step for v in hands[f.name].tolist()}) for f in some]
            for least in itertools.product(*steps):
                accepted = [
                    g for i, g in enumerate(gains.tolist())
                    if all(hands[f.name][i] >= t for f, t in zip(some, least, strict=True))
                ]  # fmt: skip
                best = max(best, sum(accepted))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_the_best_rule_against_trying_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = [
        Feature(name, name, lambda g, h: 0, f"{{n}} {name}", step)
        for name, step in zip("abcd", (1, 1, 5, 2), strict=True)
    ]
    n = int(rng.integers(1, 40))
    hands = {f.name: rng.integers(0, 4 * f.step, n) for f in known}
    gains = rng.normal(0, 3, n).round(3) + (hands["a"] >= 2) * 2 * (hands["b"] >= 1) - 1
    found = best_rules(hands, gains, known)
    for most, rule in enumerate(found):
        assert len(rule.conditions or ()) <= most
        assert gains[rule.accepts(hands, n)].sum() == pytest.approx(naive_best(hands, gains, known, most), abs=1e-5)


def planted(n: int, seed: int) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Hands that are right to bid with a >= 3, from place 2 with a >= 1."""
    rng = np.random.default_rng(seed)
    hands = {"a": rng.integers(0, 6, n), "b": rng.integers(0, 6, n)}
    places = rng.integers(0, 3, n)
    right = hands["a"] >= np.where(places == 2, 1, 3)
    return hands, np.where(right, 4.0, -4.0) + rng.normal(0, 1, n), places


KNOWN = [Feature("a", "", lambda g, h: 0, "{n} or more as"), Feature("b", "", lambda g, h: 0, "{n} or more bs")]
SPLITS = [((0, 1, 2),), ((0, 1), (2,)), ((0,), (1,), (2,))]


def test_a_planted_rule_is_found() -> None:
    hands, gains, places = planted(300, 1)
    found = find_thumb(hands, gains, places, KNOWN, SPLITS)
    assert found.form.groups == ((0, 1), (2,))
    assert [r.conditions for r in found.rules] == [(Condition("a", 3),), (Condition("a", 1),)]
    assert ((gains > 0) == found.follows).mean() > 0.98


def test_luck_is_not_counted() -> None:
    """Gains that no feature tells of: rules found on the hands themselves look good, cross-validated they do not."""
    rng = np.random.default_rng(3)
    inside, honest = [], []
    for _ in range(20):
        hands = {"a": rng.integers(0, 8, 60), "b": rng.integers(0, 8, 60)}
        gains, places = rng.normal(-0.1, 1, 60), np.zeros(60, np.int64)
        rule = best_rules(hands, gains, KNOWN)[-1]
        inside.append((gains * rule.accepts(hands, 60)).mean())
        honest.append((gains * cross_validate(hands, gains, places, KNOWN, [((0,),)])).mean())
    assert np.mean(inside) > 0.03
    assert np.mean(honest) < 0


def test_rules_in_words() -> None:
    known = features_of("sheepshead")
    rule = Rule((Condition("trumps", 4), Condition("queens", 2), Condition("aces", 1)))
    assert rule.said("pick", known, "from the last seat") == (
        "pick with 4 or more trumps including 2 or more queens and 1 or more fail aces from the last seat"
    )
    assert Rule((Condition("queens", 2),)).said("pick", known) == "pick with 2 or more queens"
    assert Rule(()).said("pick", known) == "always pick"
    assert Rule(None).said("pick", known, "from the first seat") == "never pick from the first seat"


def test_what_is_lost() -> None:
    gains = np.array([3.0, -2.0, 1.0, -1.0])
    assert lost(gains, np.array([True, True, False, False])).tolist() == [0, 2, 1, 0]


# ---------------------------------------------------------------------- one hand


@pytest.mark.parametrize(
    "name, more", [("kit", {}), ("sheepshead", TINY), ("thousand", TINY), ("three_of_spades", SPADES)]
)
def test_a_hand_is_a_function_of_its_number(name: str, more: dict) -> None:
    study = study_of(name, seed=3, **more)
    row = study_hand(study, 7)
    assert row == json.loads(json.dumps(row)) == study_hand(pickle.loads(pickle.dumps(study)), 7, workers=2)
    one = game(name)
    assert row["hand"] == one.deck.write(one.deal(seed=row["seed"]).hands[0])
    assert (row["seed"], row["position"]) == drawn(study, 7)
    bids = [int(k[2:]) for k in row if k.startswith("p_")]
    assert [row[f"p_{b}"] for b in bids] == sorted((row[f"p_{b}"] for b in bids), reverse=True)
    again = Study.from_json(json.loads(json.dumps(study.to_json())))
    assert study_hand(again, 7) == row
    if name != "kit":
        assert row["gain"] == pytest.approx(row["score"] - row["pass_score"])
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]


def test_a_hand_is_what_bid_says() -> None:
    study = study_of("thousand", seed=1, passing=Even(), **TINY)
    row = study_hand(study, 0)
    known = tw.knowledge("thousand", row["position"], row["hand"])
    found = tw.bid(known, seed=row["seed"], passing=Even(), talons=2, rounds=[Round(4, 1), Round(2, 2)], passed=2)
    legal = found.frame[found.frame["legal"]]
    assert [row[f"gain_{b}"] for b in legal["bid"]] == pytest.approx(legal["gain"].tolist())
    assert [row[f"p_{b}"] for b in found.frame["bid"]] == pytest.approx(found.frame["p"].tolist())
    assert row["break_even"] == found.break_even
    assert row["pass_score"] == 10


def test_places() -> None:
    study = study_of("sheepshead", seed=2)
    places = [drawn(study, i)[1] for i in range(400)]
    assert min(np.bincount(places, minlength=5)) > 50
    fixed = study_of("sheepshead", seed=2, position=4)
    assert {drawn(fixed, i)[1] for i in range(9)} == {4}
    assert [drawn(fixed, i)[0] for i in range(9)] == [drawn(study, i)[0] for i in range(9)]
    assert study_of("sheepshead", seed=1, options={"no_pick": "forced_dealer"}).positions == (0, 1, 2, 3)
    assert study_of("thousand", seed=1, options={"all_pass": "forced_forehand"}).positions == (1, 2)


@pytest.mark.parametrize(
    "name, more, said",
    [
        ("whist", {}, "hands of whist have no features"),
        ("kit", {"talons": 3}, "talons is given, but a study of kit has none"),
        ("kit", {"position": 3}, "position is 3: expected one of 0, 1, 2"),
        ("thousand", {"rounds": [(1,)]}, "rounds: expected pairs"),
        ("thousand", {"options": {"table": "four_pairs"}}, "studied for three seats"),
        ("sheepshead", {"options": {"seats": 4, "partner": "queens"}}, "nobody picks"),
        ("sheepshead", {"options": {"no_pick": "forced_dealer"}, "position": 4}, "expected one of 0, 1, 2, 3"),
    ],
)
def test_studies_that_are_refused(name: str, more: dict, said: str) -> None:
    with pytest.raises(UnsupportedError, match=said):
        study_of(name, **{"seed": 1, **more})


@pytest.mark.parametrize(
    "name, more, said", [("kit", {"seed": -1}, "seed is -1"), ("thousand", {"passed": 0}, "passed is 0")]
)
def test_numbers_that_are_refused(name: str, more: dict, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        study_of(name, **{"seed": 1, **more})


def test_bids() -> None:
    assert check_bids(game("thousand"), [120, 100, 120]) == (100, 120)
    assert check_bids(game("three_of_spades", point_values="ace_eleven", minimum=120), None) == (120, 125, 130)
    with pytest.raises(NotationError, match="no bid 103 in thousand"):
        check_bids(game("thousand"), [103])
    with pytest.raises(NotationError, match="no bid is named"):
        check_bids(game("kit"), [])


def test_definitions_of_every_game() -> None:
    for name in games_with_features():
        assert bidding_class(name).light is not None
        study = study_of(name, seed=9, position=1)
        assert Study.from_json(json.loads(json.dumps(study.to_json()))) == study
    with pytest.raises(NotationError, match="no definition of a study"):
        Study.from_json({"game": "kit"})


# ---------------------------------------------------------------------- tables


def test_kit() -> None:
    found = threshold("kit", "winners, position", **KIT)
    hands = found.hands
    assert (found.n, len(hands), found.seed, found.partial) == (24, 24, 5, False)
    assert int(found.frame["n"].sum()) == 24
    for row in found.frame.to_dict("records"):
        some = hands[(hands["winners"] == row["winners"]) & (hands["position"] == row["position"])]
        assert row["p"] == pytest.approx(some["p_2"].mean())
        assert (row["low"], row["high"]) == pytest.approx(wilson(some["p_2"].sum(), len(some)))
        assert row["gain"] == pytest.approx((2 * some["p_2"] - 1).mean())
        assert row["right"] == pytest.approx((some["p_2"] > 0.5).mean())
    assert found.rules
    assert all("count on 2 or more tricks" in rule for rule in found.rules)
    (error,) = found.error.to_dict("records")
    assert error["never"] == pytest.approx(np.maximum(2 * hands["p_2"] - 1, 0).mean())
    assert error["lost"] <= min(error["always"], 1)
    assert error["error_low"] <= error["error"] <= error["error_high"]
    for row in hands.head(4).to_dict("records"):
        exact = tw.bid("kit", row["hand"], "lead 0", seat=int(row["position"]))
        assert exact.frame["p"].tolist() == pytest.approx([row[f"p_{k}"] for k in range(1, 5)])


def test_numbers_depend_on_neither_workers_nor_how_many() -> None:
    few, many = threshold("kit", **{**KIT, "hands": 8}), threshold("kit", **{**KIT, "workers": 2})
    pd.testing.assert_frame_equal(few.hands, many.hands.head(8))
    assert threshold("kit", **KIT).to_json() == many.to_json()


def test_answers_show_themselves() -> None:
    found = threshold("kit", **KIT)
    text = str(found)
    assert found.heading[0] == "kit: tricks of a seat against the rest, by winners"
    for part in ("double dummy, 24 hands drawn, n = 24, seed 5", *found.rules, "Wilson", "cross-validation"):
        assert part in text
    assert found._repr_html_().count("<table") == 3
    plain = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert set(plain) >= {"rows", "hands", "decision", "error", "by", "versions", "notes"}


def test_few_hands_make_no_rule() -> None:
    found = threshold("kit", hands=3, seed=1, workers=1)
    assert not len(found.decision)
    assert found.rules == ()


@pytest.mark.parametrize("name, more", [("sheepshead", TINY), ("thousand", TINY)])
def test_games_with_passing(name: str, more: dict) -> None:
    found = threshold(name, hands=11, seed=4, workers=1, passing=Even(0.0), **more)
    assert {"gain", "gain_low", "right"} <= set(found.frame)
    assert any("passing: 0.0 for everyone" in note for note in found.notes)
    assert found.summary["pass_score"] == 0
    if name == "sheepshead":
        assert set(found.frame["bid"]) == {31, 61, 91}
        assert all("pick" in rule for rule in found.rules)
        assert found.frame.groupby("trumps")["gain"].nunique().max() == 1  # one gain, of picking
    else:
        assert any("bid 100" in rule for rule in found.rules)


def test_bids_that_a_hand_may_not_make() -> None:
    found = threshold("thousand", hands=12, seed=4, workers=1, passing=Even(), bids=[100, 140], **TINY)
    hands = found.hands
    assert hands.loc[hands["marriages"] == 0, "gain_140"].isna().all()
    assert hands.loc[hands["marriages"] >= 20, "gain_140"].notna().all()
    bins = found.frame[(found.frame["marriages"] == 0) & (found.frame["bid"] == 140)]
    assert bins["p"].notna().all()
    assert bins["gain"].isna().all()


@pytest.mark.slow
def test_three_of_spades() -> None:
    found = threshold("three_of_spades", hands=12, seed=1, workers=2, bids=[180], **SPADES)
    assert found.frame["n"].sum() == 12
    assert all("bid 180" in rule for rule in found.rules)


# ---------------------------------------------------------------------- the file


def test_interrupted_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, whole = tmp_path / "study.jsonl", threshold("kit", **KIT)
    calls = itertools.count()

    def some(study: Study, number: int, *, workers: int | None) -> dict:
        if next(calls) == 9:
            raise KeyboardInterrupt
        return study_hand(study, number, workers=workers)

    with monkeypatch.context() as patch:
        patch.setattr(module, "study_hand", some)
        part = threshold("kit", **KIT, checkpoint=file)
    assert (part.partial, part.n) == (True, 9)
    assert part.notes[-1].startswith("stopped after 9 of 24 hands: asked again with the checkpoint ")
    assert "PARTIAL" in part.heading[1]
    with file.open("ab") as open_file:
        open_file.write(b'{"number": 9, "se')  # killed while it wrote
    assert len(read_checkpoint(file).rows) == 9
    told: list[tuple[int, int]] = []
    done = threshold("kit", **KIT, checkpoint=file, progress=lambda *x: told.append(x))
    assert told == [(i, 24) for i in range(10, 25)]
    assert done.to_json() == whole.to_json()
    pd.testing.assert_frame_equal(done.hands, whole.hands)
    written = file.read_bytes()
    again = threshold("kit", **KIT, checkpoint=file)
    assert again.to_json() == read_threshold(file, bids=[2]).to_json()
    assert again.to_json() == whole.to_json() == threshold("kit", hands=0, bids=[2], checkpoint=file).to_json()
    assert file.read_bytes() == written


def test_lines_in_another_order(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    whole = threshold("kit", **KIT, checkpoint=file)
    head, *lines = file.read_text().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    file.write_text(head + "".join(lines))
    assert read_threshold(file, bids=[2]).to_json() == whole.to_json()
    file.write_text(head + "".join(lines[:11]))
    found = read_threshold(file, "highest", bids=[2])
    assert found.n == 11
    assert any("are missing" in note for note in found.notes)
    assert threshold("kit", **KIT, checkpoint=file).to_json() == whole.to_json()


def test_stopped_before_the_first_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "study_hand", none)
    with pytest.raises(KeyboardInterrupt, match="stopped after 0 of 24 hands: name a checkpoint"):
        threshold("kit", **KIT)
    file = tmp_path / "study.jsonl"
    with pytest.raises(KeyboardInterrupt):
        threshold("kit", **KIT, checkpoint=file)
    with pytest.raises(NotationError, match="has no finished hand"):
        read_threshold(file)


def test_passing_cut_short_makes_no_row() -> None:
    study = study_of("thousand", seed=1, passing=Even(interrupts=True), **TINY)
    with pytest.raises(KeyboardInterrupt):
        study_hand(study, 0)


def test_another_study_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    threshold("kit", hands=2, seed=5, workers=1, checkpoint=file)
    written = file.read_bytes()
    for more, said in (
        ({"seed": 6}, "another study, with seed 5 and not 6"),
        ({"position": 1}, "with position None and not 1"),
        ({"must_beat": True}, "with must_beat False and not True"),
    ):
        with pytest.raises(NotationError, match=said):
            threshold("kit", **{"hands": 2, "seed": 5, **more}, checkpoint=file)
    with pytest.raises(NotationError, match="with game 'kit' and not 'thousand'"):
        threshold("thousand", hands=2, seed=5, checkpoint=file)
    with pytest.raises(NotationError, match=r"holds a study of game\('kit'\), not of game\('thousand'\)"):
        threshold("thousand", hands=0, checkpoint=file)
    file.write_bytes(written.replace(b'"trickwise": "0', b'"trickwise": "9'))
    with pytest.raises(NotationError, match="another study, with trickwise '9"):
        threshold("kit", hands=2, seed=5, checkpoint=file)
    assert read_threshold(file).versions["trickwise"].startswith("9")
    assert file.read_bytes() != written


@pytest.mark.parametrize(
    "damage, said",
    [
        (lambda head, rows: rows, "line 1 does not say what is studied"),
        (lambda head, rows: [head, "nonsense\n", *rows], "line 2 of .* is damaged: expected a JSON object"),
        (lambda head, rows: [head, rows[0], rows[0]], "line 3 of .* has the number 0: expected that of a further hand"),
        (lambda head, rows: [head, rows[0].replace('"seed": ', '"seed": 1')], "line 2 of .* is not hand 0"),
        (lambda head, rows: [head, "[1]\n"], "line 2 of .* is damaged"),
        (lambda head, rows: [head, '{"number": -1}\n'], "has the number -1"),
        (lambda head, rows: [head.replace('"format": 1', '"format": 2'), *rows], "has format 2: this version reads 1"),
        (lambda head, rows: [head.replace('"kit"', '"chess"'), *rows], "no game 'chess'"),
        (lambda head, rows: [head.replace('"seed"', '"sead"'), *rows], "no definition of a study"),
        (lambda head, rows: ["a letter\n", *rows], "line 1 of .* is damaged"),
        (lambda head, rows: ["a letter"], "its first line is not whole"),
    ],
)
def test_damaged_files(tmp_path: Path, damage, said: str) -> None:
    file = tmp_path / "study.jsonl"
    threshold("kit", hands=2, seed=5, workers=1, checkpoint=file)
    head, *rows = file.read_text().splitlines(keepends=True)
    file.write_text("".join(damage(head, rows)))
    written = file.read_bytes()
    for ask in (lambda: read_threshold(file), lambda: threshold("kit", hands=2, seed=5, checkpoint=file)):
        with pytest.raises(TrickwiseError, match=said) as wrong:
            ask()
        assert len(str(wrong.value).splitlines()) == 1
    assert file.read_bytes() == written


def test_a_first_line_that_was_cut(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    threshold("kit", hands=2, seed=5, workers=1, checkpoint=file)
    whole = file.read_bytes()
    for end in (0, 30):
        file.write_bytes(whole[:end])
        threshold("kit", hands=2, seed=5, workers=1, checkpoint=file)
        assert file.read_bytes() == whole


def test_what_is_refused() -> None:
    with pytest.raises(NotationError, match="hands is -1"):
        threshold("kit", hands=-1)
    with pytest.raises(UnsupportedError, match="hands is 0, which reads a checkpoint: name one"):
        threshold("kit", hands=0)
    with pytest.raises(FileNotFoundError):
        read_threshold("no such file")
