"""`solve` and `cards`: against the twin's unpruned search, deals of the kit whole and every game's last tricks."""

from __future__ import annotations

import random

import pytest

import solver as tw
import twin
from every_game import CASES, Case, start, twin_of
from solver.model.play import Move, Position

KIT = CASES[[case.id for case in CASES].index("kit")]


def last_tricks(case: Case, seed: int) -> tuple[Position, str]:
    """A position with two cards a hand but for the one on the table, and the random play that led to it as text."""
    rng, position, moves = random.Random(f"{case.id} {seed}"), start(case, seed)[2], []
    while min(map(len, position.hands)) > 1:
        moves.append(rng.choice(position.legal()))
        position = position.play(moves[-1])
    return position, " ".join(map(str, moves))


@pytest.mark.parametrize("declarer", range(3))
def test_a_deal_of_the_kit_is_worth_what_plain_search_says(declarer: int) -> None:
    for seed in range(4):
        deal = tw.deal("kit", seed=seed)
        worth = twin.value(KIT.table, twin_of(KIT, deal.game.start(deal, deal.game.contract(f"by {declarer}"))))
        for target in range(1, 5):
            answer = tw.solve(deal, f"{target} by {declarer}")
            assert (answer.points, answer.high, answer.side) == (worth, worth, (declarer,)), (seed, target)
            assert answer.made is (worth >= target), (seed, target)


def test_each_for_itself_without_a_contract() -> None:
    deal = tw.deal("kit", seed=3)
    answer = tw.solve(deal)
    alone = [tw.solve(deal, f"by {seat}, lead 0").points for seat in range(3)]
    assert answer.frame["one_against_rest"].tolist() == alone
    assert answer.frame["max_n"].sum() == 4
    assert (answer.made, answer.target) == (None, None)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_every_card_is_worth_what_plain_search_says(case: Case) -> None:
    for seed in range(2):
        deal, contract, _ = start(case, seed)
        position, play = last_tricks(case, seed)
        frame = tw.cards(deal, contract, play)
        legal = frame[frame["legal"]].astype({"best": bool})
        moves = [Move(*pair) for pair in legal[["card", "declare"]].itertuples(index=False)]
        values = dict(zip(moves, legal["value"], strict=True))
        bank = case.game.banked(contract) + position.collected
        plain = twin.move_values(case.table, twin_of(case, position))
        assert values == {move: bank + value for move, value in plain.items()}, (seed, play)
        collects = (position.turn in position.side) != position.rules.misere
        best = max(values.values()) if collects else min(values.values())
        assert [values[move] == best for move in moves] == legal["best"].tolist(), (seed, play)
        assert set(frame.loc[~frame["legal"], "card"]) == set(position.barred())
        assert frame.loc[~frame["legal"], "why"].str.len().gt(0).all()
