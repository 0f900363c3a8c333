"""Cards and hands in every notation, and what messages say about those that cannot be read."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.games import GAMES, Game, game
from solver.model.cards import Card, Deck
from solver.model.checks import excerpt
from solver.model.errors import NotationError, TrickwiseError

T = TypeVar("T")

FRENCH = game("three_of_spades", seats=7).deck
THOUSAND = game("thousand").deck
KIT = game("kit").deck


@pytest.mark.parametrize(
    "text", ["AH", "HA", "ah", "Ha", "A♥", "♥A", "A♡", "a♥\ufe0f", " AH ", "A H", "H A", "AH,", "♥:A", "♥ A"]
)
def test_one_card(text: str) -> None:
    assert FRENCH.read(text) == ("AH",)


@pytest.mark.parametrize("text", ["TH", "HT", "10H", "H10", "10♥", "♥10", "th", "t♥"])
def test_ten(text: str) -> None:
    assert THOUSAND.card(text) == "TH"


@pytest.mark.parametrize("text", ["o1", "O1", "1o", "●1", "○ 1"])
def test_kit_card(text: str) -> None:
    assert KIT.card(text) == "o1"


@pytest.mark.parametrize(
    "text",
    [
        "AH KH 3H QS",
        "AH,KH,3H,QS",
        "AHKH3HQS",
        "AH; KH 3H\nQS",
        "♥AK3 ♠Q",
        "♥AK3♠Q",
        "♥ A K 3 ♠ Q ♦ -",
        "♠Q ♥AK3",
        "AK3H QS",
        "HA HK H3 SQ",
        "H:AK3, S:Q",
        "qs 3h kh ah",
        "HA KH 3♥ QS",
    ],
)
def test_hand(text: str) -> None:
    assert FRENCH.hand(text) == {"AH", "KH", "3H", "QS"}


def test_hand_from_names() -> None:
    assert FRENCH.hand(["AH", "10S"]) == {"AH", "TS"}
    assert FRENCH.hand("") == frozenset()


def test_kit_hand() -> None:
    assert KIT.read("o1 t3 s4") == KIT.read("o1t3s4") == KIT.read("o1,T3;s4") == ("o1", "t3", "s4")
    assert KIT.read("o12 s4") == ("o1", "o2", "s4")


@pytest.mark.parametrize(
    "deck, text, parts",
    [
        (FRENCH, "AH XX", ["'XX'", "place 4", "'AH XX'", "ranks", "suits"]),
        (FRENCH, "AH KS ah", ["AH", "twice", "places 1 and 7", "'AH KS ah'"]),
        (FRENCH, "AH 2C", ["'2C'", "place 4", "'AH 2C'", "2C 2D 2H", "removed"]),
        (THOUSAND, "AH 8H", ["'8H'", "place 4", "A T K Q J 9"]),
        (KIT, "o1 o5", ["'5'", "place 5", "'o1 o5'"]),
        (KIT, "o1 AH", ["'AH'", "place 4", "4 3 2 1"]),
        (FRENCH, "AH K", ["rank without a suit", "'K'", "place 4", "'AH K'", "♣AKQ"]),
        (FRENCH, "AH S", ["suit without a rank", "'S'", "place 4"]),
        (KIT, "o", ["suit without a rank", "place 1"]),
    ],
)
def test_messages_quote_text_place_and_remedy(deck: Deck, text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        deck.read(text)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == []
    assert "\n" not in message


def test_one_card_is_expected() -> None:
    with pytest.raises(NotationError, match="expected one card, read 2 in 'AH KH'"):
        FRENCH.card("AH KH")


def test_too_long_a_hand() -> None:
    with pytest.raises(NotationError, match=r"of 8 cards is too long: expected 7 cards"):
        game("thousand").read_hand("AH KH QH 9H TS JC 9D AD", [7])


def test_excerpt_shows_the_neighbourhood() -> None:
    text = "A" * 200 + "?" + "B" * 200
    assert excerpt("AH\nKH") == "'AH\\nKH'"
    assert "?" in excerpt(text, 201)
    assert len(excerpt(text, 201)) <= 85


def test_card_is_its_name() -> None:
    card = Card("TH")
    assert (card, card.suit, card.rank, card.symbol, repr(card)) == ("TH", "H", "T", "10♥", "Card('TH')")
    kit = Card("o1")
    assert (kit.suit, kit.rank, kit.symbol) == ("o", "1", "1●")


def some_game(name: str, seats: int) -> Game:
    """A game with that many seats, or its usual ones."""
    kind = GAMES[name]
    values = {o["option"]: o["values"] for o in kind.describe_options()}.get("seats", ())
    return kind(seats=seats) if seats in values else kind()


def attempt(function: Callable[..., T], *args: Any) -> tuple[T | None, str]:
    """What a call returns, and our own error's message; anything else that it raises is a failure."""
    try:
        return function(*args), ""
    except TrickwiseError as wrong:
        return None, str(wrong) or "(empty)\n"


games = st.builds(some_game, st.sampled_from(sorted(GAMES)), st.integers(2, 7))


@given(games, st.integers(0, 10**6), st.data())
def test_every_spelling_of_a_hand_is_the_hand(one: Game, seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    cards = rng.sample(one.deck.cards, rng.randint(1, one.hand_size))
    spell = data.draw(st.sampled_from([str, lambda c: c.symbol, lambda c: c.suit + c.rank, str.lower, str.upper]))
    gap = data.draw(st.sampled_from([" ", ",", ", ", "\n", "; "]))
    assert one.deck.read(gap.join(spell(c) for c in cards)) == tuple(cards)
    assert one.deck.hand(one.deck.write(cards)) == set(cards)
    grouped = " ".join(
        Card(s + "1" if one.name == "kit" else "A" + s).symbol[-1] + "".join(c.rank for c in cards if c.suit == s)
        for s in one.deck.suits
        if any(c.suit == s for c in cards)
    )
    assert one.deck.hand(grouped) == set(cards)


notation = st.text(alphabet="AKQJT1098765432CDHSotsx♥♠●.,:;|-–!@ \n10", max_size=40) | st.text(max_size=40)


@given(games, notation)
def test_any_text_is_read_or_refused(one: Game, text: str) -> None:
    cards, message = attempt(one.deck.read, text)
    assert "\n" not in message
    assert cards is None or one.deck.hand(one.deck.write(cards)) == set(cards)
