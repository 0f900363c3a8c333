"""Deals and contracts as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.games import Game, deal, game, read
from solver.model.errors import NotationError, UnsupportedError

from .test_cards import attempt, games, notation

K4 = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"


def test_hands_by_seat_in_any_notation() -> None:
    one = read("kit", K4)
    assert one.hands[0] == {"o1", "o2", "t3", "s4"}
    assert one.text == "o2 o1 t3 s4 | o3 t2 t1 s1 | o4 t4 s3 s2"
    assert read("kit", "●12▲3■4|o3t1t2s1|4o 4t s23") == one


@pytest.mark.parametrize("label", ["talon:", "Talon", "prikup:", "blind ", "skat:", ""])
def test_talon(label: str) -> None:
    text = "AH KH QH 9H TS JC 9D | TH JH AD TD KD QD JD | AC TC KC QC 9C AS KS | " + label + " QS JS 9S"
    one = read("thousand", text)
    assert one.talon == {"QS", "JS", "9S"}
    assert one.text.endswith("| talon: QS JS 9S")


def test_two_sizes_of_deal() -> None:
    assert read("thousand", deal("thousand", seed=1).text).talon
    eight = "AH KH QH 9H TS JC 9D QS | TH JH AD TD KD QD JD JS | AC TC KC QC 9C AS KS 9S"
    assert not read("thousand", eight).talon


@pytest.mark.parametrize(
    "text, parts",
    [
        ("o1 o2 t3 s4 | o3 t1 t2 s1", ["read 2 hands", "3 seats", "|"]),
        ("o1 o2 t3 | o3 t1 t2 s1 | o4 t4 s2 s3", ["unequal", "seat 0 3", "seat 1 4", "4 cards each"]),
        ("o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 o1", ["o1 stands twice", "seat 0", "seat 2"]),
        ("o1 o2 t3 s4 | o3 t1 t2 s7 | o4 t4 s2 s3", ["place 25", "s7"]),
        ("o1 | o3 | o4", ["hands of 1 cards", "4 cards each"]),
        ("", ["read 1 hands"]),
    ],
)
def test_messages(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        read("kit", text)
    assert [part for part in parts if part not in str(caught.value)] == []


def test_hands_too_long_and_removed_cards() -> None:
    one = deal("three_of_spades", seed=1)
    with pytest.raises(NotationError, match="2C 2D are removed"):
        one.game.read(one.text.replace("3S", "2C"))
    cards = list(game("thousand").deck.cards)
    text = " | ".join(" ".join(cards[i : i + 8]) for i in (0, 8, 16))
    with pytest.raises(NotationError, match="talon"):
        game("thousand").read(text + " | talon: AH AD AC")
    twelve = " | ".join(" ".join(game("three_of_spades").deck.cards[i : i + 12]) for i in (0, 12, 24, 36))
    with pytest.raises(NotationError, match=r"read 4 hands .* has 5 seats"):
        game("three_of_spades").read(twelve)
    with pytest.raises(NotationError, match=r"hands of 8 cards are too long: .* 7 cards each"):
        game("sheepshead", seats=4).read(
            " | ".join(" ".join(game("sheepshead").deck.cards[i : i + 8]) for i in (0, 8, 16, 24))
        )


@given(games, st.integers(0, 10**9))
def test_round_trip(one: Game, seed: int) -> None:
    dealt = one.deal(seed=seed)
    again = one.read(dealt.text)
    assert again == dealt
    assert again.text == dealt.text
    assert len(set().union(*dealt.hands, dealt.talon)) == len(one.deck)


def test_a_seed_is_a_deal() -> None:
    assert deal("kit", seed=7) == deal("kit", seed=7)
    assert deal("kit", seed=7) != deal("kit", seed=8)
    with pytest.raises(UnsupportedError, match="name the game as text"):
        deal(game("kit"), seed=7, seats=3)


@given(games, notation)
def test_any_text_is_a_deal_or_refused(one: Game, text: str) -> None:
    dealt, message = attempt(one.read, text)
    assert "\n" not in message
    assert dealt is None or one.read(dealt.text) == dealt


WORDS = [
    "120", "by 0", "by", "trump H", "no trump", "call AS", "bury TC 8H", "under 7D", "pass 9C to 1", "alone", "lead 0",
    "side 0 1", "side", "pass", "x", "99999", "0", "61", "picker 2", "by 9", "trump", "call", ",",
]  # fmt: skip
contracts = st.lists(st.sampled_from(WORDS), max_size=4).map(", ".join) | notation


@given(games, contracts, st.integers(0, 99))
def test_any_contract_is_read_or_refused(one: Game, text: str, seed: int) -> None:
    contract, message = attempt(one.contract, text)
    if contract is not None:
        _, message = attempt(one.start, one.deal(seed=seed), contract)
    assert "\n" not in message


@pytest.mark.parametrize(
    "name, text, parts",
    [
        ("thousand", "120 by 0, tramp H", ["'tramp H'", "place 11", "'trump H'"]),
        ("thousand", "120 by 7", ["by '7'", "place 1", "seat from 0 to 2"]),
        ("thousand", "121 by 0", ["121", "multiples of 5"]),
        ("thousand", "120 by 0, call AS", ["'call'", "place 11", "pass"]),
        ("three_of_spades", "175 by 0, trump X", ["trump 'X'", "suits C D H S"]),
        ("three_of_spades", "175 by 0, call AS", ["1 called cards", "calls 2"]),
        ("sheepshead", "by 0, bury TC", ["bury TC", "2 cards"]),
        ("kit", "9 by 0", ["9 tricks"]),
    ],
)
def test_contract_messages(name: str, text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        game(name).contract(text)
    assert [part for part in parts if part not in str(caught.value)] == []
