"""`game`, `deal` and `read`: every game by its names, a seed is one deal, and a deal is read as it is written."""

from __future__ import annotations

import pytest

import solver as tw
from every_game import CASES, Case
from solver.games import GAMES


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_a_seed_is_a_deal_and_its_text_is_that_deal(case: Case) -> None:
    options = dict(case.items)
    deal = tw.deal(case.name, seed=7, **options)
    assert deal == tw.deal(case.game, seed=7) != tw.deal(case.name, seed=8, **options)
    assert tw.read(case.name, deal.text, **options) == tw.read(case.game, deal.text) == deal
    cards = [card for held in (*deal.hands, deal.talon) for card in held]
    assert sorted(cards) == sorted(deal.game.deck.cards)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_found_by_its_name_in_any_case(name: str) -> None:
    assert tw.game(name) == tw.game(f" {name.upper().replace('_', '-')} ") == GAMES[name]()


@pytest.mark.parametrize("alias, name", [("3s", "three_of_spades"), ("1000", "thousand"), ("tysiacha", "thousand")])
def test_other_names(alias: str, name: str) -> None:
    assert tw.game(alias).name == name


def test_what_is_no_game_is_refused() -> None:
    for call, part in (
        (lambda: tw.game("poker"), "no game 'poker': there are bridge, kit"),
        (lambda: tw.game("kit", colour="red"), "colour"),
        (lambda: tw.game("kit", seats=99), "99"),
        (lambda: tw.deal(tw.game("kit"), seed=1, seats=4), "name the game as text"),
        (lambda: tw.deal(7, seed=1), "a int is no game"),
    ):
        with pytest.raises(tw.UnsupportedError, match=part) as wrong:
            call()
        assert len(str(wrong.value).splitlines()) == 1
