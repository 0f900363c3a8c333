from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

from solver.deals.doubledummy import position_cards, solve
from solver.formats.play import read_play
from solver.games import game
from solver.model.errors import IllegalPlayError, UnsupportedError
from solver.seat.annotate import annotate

T7 = "AH KH QH 9H TS JC 9D | AS KS QS 9S AC TC JD | AD TD KD QD KC QC JH | talon: TH JS 9C"
T7_CONTRACT = "120 by 0, pass 9C to 1, 9D to 2"
T7_PLAY = "AH JD JH, KH! 9C 9D, TH 9S QC, TS AS KC, QS! QD JS, AC KD JC, TC TD 9H, KS AD QH"
S6 = "QS 9D AC 9C KH 7S | QH JD AS KS 9S 8C | QC QD JS AD TD 9H | JH KD 7D TS TH KC | JC 8D AH 7H 7C 8S"
S6_PLAY = (
    "0 AC, 1 8C, 2 TD, 3 KC, 4 7C; 2 QC, 3 7D, 4 8D, 0 9D, 1 JD; 2 9H, 3 TH, 4 AH, 0 KH, 1 QH; "
    "1 AS, 2 AD, 3 TS, 4 8S, 0 7S; 2 QD, 3 KD, 4 JC, 0 QS, 1 9S; 0 9C, 1 KS, 2 JS, 3 JH, 4 7H"
).replace(";", ",")
K4 = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"
K4_PLAY = "s4 s1 s2, t3 t1 t4, o4 o1 o3, s3 o2 t2"


@pytest.mark.kernel
def test_T7() -> None:
    deal = game("thousand").read(T7)
    found = annotate(deal, T7_CONTRACT, T7_PLAY)
    frame = found.frame
    assert len(frame) == 24
    assert found.complete
    assert frame["value"].iloc[-1] == 132
    assert found.settlement is not None
    assert "132 (130 rounded): 120 made" in found.settlement
    assert "seat 0 +120, seat 1 +130, seat 2 +0" in str(found)
    assert frame.loc[frame["declare"], "card"].tolist() == ["KH", "QS"]
    before = solve(deal, T7_CONTRACT).points
    signs = [-1 if seat == 0 else 1 for seat in frame["seat"]]
    assert before + sum(s * loss for s, loss in zip(signs, frame["loss"], strict=True)) == 132
    assert (frame["mistake"] == (frame["loss"] > 0)).all()
    assert ((frame["best"] != "") == frame["mistake"]).all()
    assert found.seats["cards"].tolist() == [8, 8, 8]
    assert found.seats["loss"].sum() == frame["loss"].sum()


@pytest.mark.kernel
def test_values_are_those_of_the_cards() -> None:
    one = game("thousand")
    deal, contract = one.read(T7), one.contract(T7_CONTRACT)
    found = annotate(deal, contract, T7_PLAY).frame
    position = one.start(deal, contract)
    for row, (_, move, _) in zip(found.itertuples(), read_play(one, T7_PLAY), strict=True):
        if row.trick in (4, 6):
            table = position_cards(position)
            table = table[table["legal"]].set_index(["card", "declare"])
            assert table.loc[(row.card, row.declare), "value"] == row.value
            assert table.loc[(row.card, row.declare), "loss"] == row.loss
            if row.mistake:
                names = {f"{c}{'!' if d else ''}" for c, d in table.index[table["best"].astype(bool)]}
                assert set(row.best.split()) == names
        position = position.play(move)


@pytest.mark.kernel
def test_S6() -> None:
    deal = game("sheepshead").read(S6)
    found = annotate(deal, "by 2, call AH, bury TC 8H", S6_PLAY)
    assert found.frame["value"].iloc[-1] == 80
    assert found.side == (2, 4)
    assert found.frame["makes"].all()
    assert "80 points in 4 of 6 tricks: won; seat 0 -1, seat 1 -1, seat 2 +2, seat 3 -1, seat 4 +1" in str(found)


@pytest.mark.kernel
def test_kit_from_each_view() -> None:
    deal = game("kit").read(K4)
    found = annotate(deal, None, K4_PLAY)
    assert found.side == ()
    last = found.frame.groupby("seat")["value"].last()
    assert last.tolist() == [1, 0, 3]
    first = found.frame.iloc[0]
    assert (first["card"], first["loss"], first["best"]) == ("s4", 1, "o2 o1")
    assert "tricks 0:1 1:0 2:3" in str(found)
    assert "seat 0: 1 mistake, 1 trick lost (double dummy)" in str(found)
    one_side = annotate(deal, "2 by 0", "s4 s1 s2 t3")
    assert not one_side.complete
    assert one_side.settlement is None
    assert not one_side.frame["makes"].any()


@pytest.mark.kernel
def test_leaster_from_each_view() -> None:
    deal = game("sheepshead").read(S6 + " | blind: TC 8H")
    found = annotate(deal, "leaster", "7S 9S")
    assert found.side == ()
    assert (found.frame["loss"] >= 0).all()


def test_games_without_a_view_are_refused() -> None:
    deal = game("sheepshead", no_pick="mittler").read(S6 + " | blind: TC 8H")
    with pytest.raises(UnsupportedError, match="neither most nor fewest"):
        annotate(deal, "mittler", "7S 9S")


def test_nothing_played() -> None:
    found = annotate(game("kit").read(K4), None, "")
    assert found.frame.empty
    assert "no card cost anything" in str(found)


@pytest.mark.kernel
def test_json_and_html() -> None:
    found = annotate(game("kit").read(K4), None, K4_PLAY)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert len(data["rows"]) == 12
    assert data["rows"][0]["mistake"] is True
    assert data["method"] == "double dummy"
    assert "double dummy" in found._repr_html_()
    with pytest.raises(FrozenInstanceError):
        found.complete = False  # type: ignore[misc]


def test_a_revoke_is_named_before_anything_is_searched() -> None:
    with pytest.raises(IllegalPlayError, match="follow"):
        annotate(game("kit").read(K4), None, "o1 t1")
