"""What is equal by the estimates: points settle it, then the cards kept, then the cards given; the lists never do."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import random_records as rr
import solver as tw
from solver.analysis.seen import seen_costs
from solver.formats.play import read_play
from solver.games import GAMES, game
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
def test_annotate_and_advise_never_disagree(name: str) -> None:
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
