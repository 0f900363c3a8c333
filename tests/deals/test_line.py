"""`line`: legal from the first card to the last, each card among the best, and as much as `solve` promises."""

from __future__ import annotations

import pytest

import solver as tw
from every_game import CASES, Case, start

SMALL = [case for case in CASES if case.name in ("kit", "thousand", "sheepshead", "three_of_spades")]


@pytest.mark.parametrize("case", SMALL, ids=lambda c: c.id)
def test_a_line_is_legal_and_brings_the_value(case: Case) -> None:
    deal, contract, position = start(case, 0)
    answer = tw.line(deal, contract)
    for trick, row in zip(answer.tricks, answer.frame.to_dict("records"), strict=True):
        assert (row["leader"], row["winner"], row["points"]) == (trick.leader, trick.winner, trick.points)
        assert row["cards"] == " ".join(map(str, trick.moves))
        assert position.leader == trick.leader
        for move in trick.moves:
            assert move in position.legal()
            position = position.play(move)
        assert position.leader == trick.winner
    assert position.over
    assert answer.points == position.collected + case.game.banked(contract)
    assert answer.side == tuple(sorted(position.side))


@pytest.mark.parametrize("seed", range(3))
def test_every_card_of_a_line_is_a_best_one(seed: int) -> None:
    """The first of them as the hand is sorted, and the line from any card on is the rest of the line."""
    deal = tw.deal("kit", seed=seed)
    answer = tw.line(deal, "2 by 0")
    assert answer.points == tw.solve(deal, "2 by 0").points
    moves = [str(move) for trick in answer.tricks for move in trick.moves]
    for i, move in enumerate(moves):
        frame = tw.cards(deal, "by 0", " ".join(moves[:i]))
        assert move in set(frame.loc[frame["best"].astype(bool), "card"]), moves[:i]
    whole = str(answer).splitlines()
    rest = str(tw.line(deal, "2 by 0", " ".join(moves[:3]))).splitlines()
    assert [row.split(". ", 1)[-1] for row in rest] == [row.split(". ", 1)[-1] for row in whole[1:]]


@pytest.mark.parametrize(
    "contract, play, part",
    [("2 by 9", "", "seat"), (None, "", "nobody collects|no side"), ("2 by 0", "o9", "o9"), ("2 by 0", "t1", "t1")],
)
def test_what_has_no_line_is_refused(contract: str | None, play: str, part: str) -> None:
    deal = tw.read("kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3")
    with pytest.raises(tw.TrickwiseError, match=part) as wrong:
        tw.line(deal, contract, play)
    assert len(str(wrong.value).splitlines()) == 1
