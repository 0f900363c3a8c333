"""What is equal by the estimates: points settle it, then the cards kept, then the cards given; the lists never do."""

from __future__ import annotations

import json
import random
import re
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import random_records as rr
import solver as tw
from deciding import TEN, planner, points_and_tricks, start_of
from solver.bidding.bid import bid
from solver.bidding.of_thousand_exact import best_passes
from solver.bidding.planning import plan
from solver.bidding.question import as_declarer, open_plans
from solver.bidding.sidebyside import numbers
from solver.deals.plan_matrix import open_field
from solver.deals.success import Runner
from solver.formats.play import read_play
from solver.games import GAMES, game
from solver.seat.annotate import seen_costs
from solver.seat.plan_ties import PlanTies
from solver.seat.ties import preference
from solver.worlds.knowledge import Knowledge

pytestmark = pytest.mark.kernel

# ---------------------------------------------------------------------- cards: advise and annotate --seen

AD = (
    "AD KD QD 9S JS TC 9C | AH KH QH TS KS JC 9D | TH JH AC KC QC QS JD | talon: AS TD 9H",
    "120 by 0, pass 9H to 1, 9C to 2",
)


def test_a_card_that_is_sure_to_make_the_bid_is_not_wrong() -> None:
    deal = tw.read("thousand", AD[0])
    known = game("thousand").knowledge(0, "AD KD QD 9S JS TC 9C").see(talon="AS TD 9H").contract(AD[1])
    advice = tw.advise(known, seed=1, worlds=200).frame.set_index("card")
    assert advice.loc["AD", ["p_make", "score", "diff"]].tolist() == [1, 120, 0]
    assert advice["points"].iloc[0] > advice.loc["AD", "points"]  # a tie in the score, settled by points
    for card, loss in (("AD", 0), (advice.index[0], 0), ("JS", 240)):
        found = tw.annotate(deal, AD[1], f"0 {card}", seen=True, seed=1)
        assert found.frame["seen_in"].tolist() == ["score"]
        assert found.frame["seen_loss"].tolist() == [loss] == [-advice.loc[card, "diff"]]
        assert found.frame["seen_best"].tolist() == [advice.index[0]]
        wrong = f"{card} of seat 0 in trick 1" if loss else "no card"
        assert f"surely wrong on what the seat knew: {wrong}" in found.notes


def histories(name: str, count: int) -> list[tuple[rr.Played, int]]:
    """Deals of a game at some choice of the last tricks, and how many cards were played before."""
    rng, one, out = random.Random(name), game(name), []
    while len(out) < count:
        played = rr.played(rng, one, seats=1)
        kind = played.record.contract.kind
        if not played.positions or kind in ("schwanzer", "mittler", "schneidster"):
            continue
        late = [i for i, p in enumerate(played.positions) if len(p.legal()) > 1 and sum(map(len, p.hands)) < 14]
        out += [(played, rng.choice(late))] if late else []
    return out


@pytest.mark.parametrize("name", GAMES)
def test_annotate_and_advise_never_disagree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The histories of a deal differ in their last card: what went before is judged once for all of them.
    monkeypatch.setattr(sys.modules[seen_costs.__module__], "advise", cache(tw.advise))
    rng = random.Random(name)
    for seed, (played, before) in enumerate(histories(name, 2 if len(game(name).deck) > 30 else 5)):
        record, deal = played.record, played.record.deal
        assert deal is not None
        agreed, position = record.game.check_contract(record.contract), played.positions[before]
        moves = [card.move for trick in record.play for card in trick.cards][:before]
        blank = replace(record, calls=(), dealer=record.game.seats - 1, contract=agreed, play=())
        known = Knowledge.from_record(blank, position.turn)
        known = replace(known, play=tuple((None, move) for move in moves))
        advice = tw.advise(known, seed=seed, worlds=4, limit=100)
        rows = advice.frame[advice.frame["legal"]].to_dict("records")
        for row in [rows[0], *rng.sample(rows[1:], min(1 + (len(rows) < 5), len(rows) - 1))]:
            card = row["card"] + "!" * row["declare"]
            told = read_play(record.game, " ".join(map(str, [*moves, card])))
            found = seen_costs(deal, agreed, told, seed=seed, worlds=4, limit=100)[-1]
            assert found["seen_in"] == advice.objective
            assert (found["seen_best"] == card) == row["best"]
            assert (found["seen_loss"], found["seen_low"]) == (-row["diff"], -row["diff_high"])
            if row["best"]:
                assert found["seen_loss"] == 0 >= found["seen_low"]
            else:
                assert found["seen_best"] == advice.best
        best = [(row["diff"], row.get("points", row.get("tricks"))) for row in rows if row["best"]]
        assert len(set(best)) == 1
        assert all(row["diff"] <= best[0][0] for row in rows)


def test_equal_cards_are_settled_by_points_and_by_what_is_kept() -> None:
    known = game("thousand").knowledge(0, "AD KD QD 9S JS TC 9C").see(talon="AS TD 9H").contract(AD[1])
    for objective in ("score", "make"):
        frame = tw.advise(known, seed=1, worlds=60, objective=objective, workers=1).frame
        assert frame.equals(tw.advise(known, seed=1, worlds=60, objective=objective, workers=3, chunk=5).frame)
        assert frame["card"].iloc[0] == "AS"
        assert frame["best"].sum() == 1
    # With all tricks sure the cards do not matter: the lowest goes first, and all are called best.
    me = game("kit").knowledge(0, "o1 o2 o3 o4")
    frame = tw.advise(me, seed=1).frame
    assert (frame["card"].iloc[0], frame["best"].sum()) == ("o1", 4)
    spades = game("bridge").knowledge(0, "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S").contract("7NT by 3")
    assert tw.advise(spades, seed=1, worlds=3, objective="tricks").best == "2S"


# ---------------------------------------------------------------------- plans


def test_first_the_hand_that_none_dominates_then_what_gives_least_then_the_list() -> None:
    kept = np.array([[4, 4], [3, 5], [4, 5], [1, 5], [5, 1], [2, 5]])
    assert preference(kept, np.zeros(6, np.int64)).tolist() == [1, 2, 0, 4, 5, 3]
    assert preference(kept, np.array([9, 2, 9, 3, 1, 0])).tolist() == [2, 1, 0, 5, 4, 3]
    rng = np.random.default_rng(1)
    for _ in range(50):
        kept, given = rng.integers(0, 4, (12, 3)), rng.integers(0, 3, 12)
        ranks = preference(kept, given)
        assert sorted(ranks) == list(range(12))
        hands = -np.sort(-kept, axis=1)
        for a in range(12):
            for b in range(12):
                if (hands[a] > hands[b]).any() and (hands[a] >= hands[b]).all():
                    assert ranks[a] < ranks[b]
                if (hands[a] == hands[b]).all() and (given[a], a) < (given[b], b):
                    assert ranks[a] < ranks[b]


def test_nothing_better_than_all_tricks_is_worth_the_queen_of_clubs() -> None:
    hand = "QC QS QH QD JC JS | blind: 7D 8H"
    found, again = (plan("sheepshead", hand, seed=1, workers=w) for w in (1, 3))
    assert json.dumps(found.to_json()) == json.dumps(again.to_json())
    assert (found.best, found.frame["score"].iloc[0]) == ("alone, bury 8H 7D", 12)
    assert (found.frame["score"] == 12).sum() > 3
    assert plan("sheepshead", hand, seed=1, worlds=20, limit=200).best == "alone, bury 8H 7D"
    answer = bid("sheepshead", hand, seed=1, worlds=20, workers=1)
    assert set(answer.frame["plan"].iloc[1:]) == {"alone, bury 8H 7D"}
    lines = numbers("sheepshead", hand, seed=1, worlds=4, fast=True, workers=1)
    assert any("bury 8H 7D" in note for note in lines.notes)


def test_no_ace_and_no_ten_is_given_away_for_nothing() -> None:
    hand = "AH TH KH QH JH 9H AS | talon: TS KS QS"
    found = plan("thousand", hand, bid=120, exhaustive=False, worlds=16, seed=1, workers=1)
    first = found.frame.iloc[0]
    assert (first["p"], {first["pass to 1"], first["pass to 2"]}) == (1, {"JH", "9H"})
    for text in found.by_bid.loc[found.by_bid["p"] == 1, "plan"]:
        assert not set(text.replace(",", "").split()) & {"AH", "TH", "AS", "TS"}
    known = planner(game("thousand"), hand.replace("| talon: ", ""))
    counted = best_passes(known, [98, 118], worlds=60, seed=1)
    assert counted.made.tolist() == [60, 60]
    assert all({card for _, card in one.passes} == {"JH", "9H"} for one in counted.best if one is not None)


def test_tied_plans_are_settled_by_their_mean_points() -> None:
    known = planner(game("thousand"), "AH TH KH QH 9H TS JS JC 9C 9D")
    some = list(open_plans(known, as_declarer(known)))[::7]
    worlds = known.sample(8, seed=3)
    ties = PlanTies(open_field(worlds, some))
    points = [sum(points_and_tricks(start_of(worlds, i, one))[0] for i in range(8)) for one in some]
    kept = [points[k] for k in np.argsort(ties.ranks)]
    assert len(set(points)) < len(points)
    for workers, chunk in ((1, 64), (3, 5)):
        with Runner(workers=workers, chunk=chunk) as runner:
            order = ties.settle(np.arange(len(some)), 8, 10**9, runner).tolist()
            assert [points[k] for k in order] == sorted(points, reverse=True)
            assert all(ties.ranks[a] < ties.ranks[b] for a, b in pairwise(order) if points[a] == points[b])
            assert ties.settle(np.arange(len(some)), 8, 0, runner).tolist() == np.argsort(ties.ranks).tolist()
            halved = ties.settle(np.arange(len(some)), 8, 1, runner).tolist()
            assert sorted(halved) == list(range(len(some)))
    assert kept != sorted(points, reverse=True)


# ---------------------------------------------------------------------- no pass makes the bid


def test_where_no_pass_makes_the_bid_giving_up_is_set_against_playing_on() -> None:
    hand = "JH 9H QD 9D JC 9C JS 9S QS QC"
    found = plan("thousand", hand, bid=120, exhaustive=False, worlds=10, seed=1, workers=1)
    assert (found.frame["p"] == 0).all()
    notes = "\n".join(found.notes)
    assert "no pass makes 120 in any of these 170 worlds" in notes
    assert "or surrender: seat 0 gives up 120: -120, each opponent 60" in notes
    (text,) = (note for note in found.notes if note.startswith("playing on with"))
    left, right = map(float, re.search(r"opponents (\S+) and (\S+) ", text).groups())  # type: ignore[union-attr]
    word, cost = re.search(r"giving up (costs|saves) (\S+) against", text).groups()  # type: ignore[union-attr]
    assert (word == "costs") == (left + right < 120)
    assert float(cost) == pytest.approx(abs(120 - left - right), abs=0.2)
    assert left + right > 100
    rospis = plan("thousand", hand, bid=120, exhaustive=False, worlds=4, seed=1, write_off="rospis")
    (text,) = (note for note in rospis.notes if note.startswith("playing on with"))
    assert "giving up saves" in text
    barred = plan("thousand", hand, bid=120, exhaustive=False, worlds=4, seed=1, write_off="none")
    assert any("no pass makes 120" in note for note in barred.notes)
    assert not any(note.startswith("playing on") for note in barred.notes)
    good = plan("thousand", TEN, bid=120, exhaustive=False, worlds=4, seed=1)
    assert not any("no pass" in note or note.startswith("playing on") for note in good.notes)
