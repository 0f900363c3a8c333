"""Advice from an equilibrium of the kit, and what happens off its path."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import solver as tw
from solver.games import Game
from solver.hidden.equilibrium import Equilibrium, equilibrium
from solver.hidden.strategy import OFF_PATH
from solver.worlds.knowledge import Knowledge


@pytest.fixture(scope="module")
def game() -> Game:
    return tw.game("kit", ranks=3)


@pytest.fixture(scope="module")
def solved(game: Game) -> Equilibrium:
    return equilibrium(game, iterations=20)


@pytest.fixture(scope="module")
def made(game: Game) -> Equilibrium:
    return equilibrium(game, "2 by 1, lead 0", iterations=20)


def random_turns(game: Game) -> Iterator[Knowledge]:
    """What the seat on turn knows in deals that are played at random."""
    rng = random.Random(5)
    for seed in range(200):
        deal = game.deal(seed=seed)
        position, played = game.start(deal, game.contract()), list[str]()
        while not position.over:
            seat = position.turn
            yield game.knowledge(seat, game.deck.write(deal.hands[seat])).contract("").played(" ".join(played))
            move = rng.choice(position.legal())
            played.append(str(move))
            position = position.play(move)


def test_at_a_lead_it_says_what_the_strategy_says(game: Game, solved: Equilibrium) -> None:
    found = tw.advise(game.knowledge(0, "o3 t2 s1"), seed=4, equilibrium=solved)
    told = solved.strategy.ask("o3 t2 s1").frame
    assert found.best == told["card"].iloc[0]
    assert found.frame["card"].tolist() == told["card"].tolist()
    assert found.frame["chance"].tolist() == told["chance"].tolist()
    assert found.frame["tricks"].tolist() == told["worth"].tolist()
    assert found.frame["diff"].iloc[0] == 0
    assert (found.exact, found.n, found.objective, found.seed) == (True, found.worlds, "tricks", 4)
    assert found.method.startswith("equilibrium of hidden cards (predictive, 20 iterations, NashConv")
    assert "double dummy" not in str(found)


def test_barred_cards_follow_with_their_rule(game: Game, solved: Equilibrium) -> None:
    knowledge = game.knowledge(1, "o3 o1 s1").contract("").played("o2")
    found = tw.advise(knowledge, seed=1, equilibrium=solved)
    rows = found.frame.set_index("card")
    assert set(rows.index[rows["legal"]]) == {"o3", "o1"}
    assert rows.loc["s1", "barred_by"] == "follow-suit"
    assert rows["chance"][["o1", "o3"]].sum() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_another_leader_moves_all_seats_on(game: Game, solved: Equilibrium, seat: int) -> None:
    ours = tw.advise(game.knowledge(0, "o3 t2 s1"), seed=1, equilibrium=solved)
    theirs = tw.advise(game.knowledge(seat, "o3 t2 s1").contract(f"lead {seat}"), seed=1, equilibrium=solved)
    assert theirs.frame["tricks"].tolist() == ours.frame["tricks"].tolist()
    assert theirs.seat == seat


def test_the_chance_of_a_contract_is_the_side_that_wants_it(game: Game, made: Equilibrium) -> None:
    lead = tw.advise(game.knowledge(0, "o3 t2 s1").contract("2 by 1, lead 0"), seed=1, equilibrium=made)
    worth = made.strategy.ask("o3 t2 s1").frame["worth"]
    assert lead.objective == "make"
    assert lead.frame["p_make"].tolist() == pytest.approx((1 - worth).tolist())
    assert lead.frame["diff"].max() <= 1e-3  # the defender's own view: its best card is the first


def test_where_the_path_is_left_it_says_so_and_samples(game: Game, solved: Equilibrium) -> None:
    left = (one for one in random_turns(game) if len((told := solved.strategy.of(one)).frame) > 1 and not told.on_path)
    knowledge = next(left)
    told = solved.strategy.of(knowledge)
    assert (told.path["chance"] < OFF_PATH).any()
    found = tw.advise(knowledge, seed=1, equilibrium=solved)
    plain = tw.advise(knowledge, seed=1)
    assert found.frame.equals(plain.frame)
    assert found.method == plain.method
    assert found.notes[:2] == (*told.notes, "the answer is found without the equilibrium")
    assert "left the equilibrium" in found.notes[0]


def test_a_seat_without_a_choice_is_told_so(game: Game, solved: Equilibrium) -> None:
    found = tw.advise(game.knowledge(1, "o3 t2 s1").contract("").played("o1"), seed=1, equilibrium=solved)
    assert found.notes[0] == "the seat has no choice: the answer is found without the equilibrium"
    assert "chance" not in found.frame


def test_another_question_is_refused(game: Game, solved: Equilibrium, made: Equilibrium) -> None:
    knowledge = game.knowledge(0, "o3 t2 s1")
    with pytest.raises(tw.TrickwiseError, match="the strategy is of") as wrong:
        tw.advise(knowledge.contract("2 by 0"), seed=1, equilibrium=solved)
    assert "\n" not in str(wrong.value)
    with pytest.raises(tw.TrickwiseError, match="the strategy is of"):
        tw.advise(tw.game("kit").knowledge(0, "o1 o2 o3 t4"), seed=1, equilibrium=solved)
    with pytest.raises(tw.UnsupportedError, match="objective 'session': the equilibrium is one of 'tricks'"):
        tw.advise(knowledge, seed=1, equilibrium=solved, objective="session", totals=(1, 1, 1))
    with pytest.raises(tw.UnsupportedError, match="the equilibrium is one of 'make'"):
        tw.advise(knowledge.contract("2 by 1, lead 0"), seed=1, equilibrium=made, objective="tricks")
