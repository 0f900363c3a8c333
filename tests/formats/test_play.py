"""Cards played, as text."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.play import Played, read_play, replay, write_play
from solver.games import Game, game, read
from solver.model.cards import Card
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Move
from twin import GAMES

from .test_cards import attempt, games, notation

THOUSAND = game("thousand")


def short(played: list[Played]) -> list[tuple[int | None, str]]:
    return [(p.seat, str(p.move)) for p in played]


@pytest.mark.parametrize(
    "text",
    [
        "0 AH, 1 JD, 2 JH",
        "0:AH 1:JD 2:JH",
        "0: AH 1: jd 2: hj",
        "seat 0 AH; seat 1: J♦\nSeat 2 J♥",
        "0 AH | 1 JD / 2 JH",
        "1. 0 AH, 1 JD, 2 JH -> 0 (15)",
    ],
)
def test_seats_named(text: str) -> None:
    assert short(read_play(THOUSAND, text)) == [(0, "AH"), (1, "JD"), (2, "JH")]


@pytest.mark.parametrize("text", ["AH JD JH", "AHJDJH", "AH,JD\n\nJH", "♥A ♦J ♥J", " ah  jd jh "])
def test_seats_left_out(text: str) -> None:
    assert short(read_play(THOUSAND, text)) == [(None, "AH"), (None, "JD"), (None, "JH")]


def test_places_count_from_one() -> None:
    assert [p.place for p in read_play(THOUSAND, "0 AH, 1 JD, 2 10H")] == [3, 9, 15]


def test_marriage_and_nothing() -> None:
    assert read_play(THOUSAND, "KH!") == [Played(None, Move("KH", True), 1)]  # type: ignore[arg-type]
    assert short(read_play(THOUSAND, "0 KH! 1 AH 2 9H\n0:QH")) == [(0, "KH!"), (1, "AH"), (2, "9H"), (0, "QH")]
    assert read_play(THOUSAND, " \n") == []


def test_kit_cards_are_no_seats() -> None:
    kit = game("kit")
    cards = [(None, "o1"), (None, "t3"), (None, "s4")]
    for text in ("o1 t3 s4", "o1t3s4", "1o 3t 4s"):
        assert short(read_play(kit, text)) == cards
    assert short(read_play(kit, "0 o1, 1 t3, 2 s4")) == [(0, "o1"), (1, "t3"), (2, "s4")]
    assert short(read_play(kit, "0:o1 t3 2:s4")) == [(0, "o1"), (None, "t3"), (2, "s4")]


def test_twos_are_no_seats() -> None:
    spades = game("three_of_spades")
    assert short(read_play(spades, "2 2H 3 3S 4:10H 0 5H")) == [
        (2, "2H"),
        (3, "3S"),
        (4, "TH"),
        (0, "5H"),
    ]


@pytest.mark.parametrize(
    "text, parts",
    [
        ("0 AH, 1 XX", ["'XX'", "place 9", "'0 AH, 1 XX'", "like AH"]),
        ("7 AH", ["no seat 7", "place 1", "'7 AH'", "seats 0 to 2"]),
        ("0 1 AH", ["seat 0", "place 1", "no card", "'0 AH'"]),
        ("AH 2", ["seat 2", "place 4", "no card"]),
        ("AH ah", ["AH", "twice", "places 1 and 4", "'AH ah'"]),
        ("AH !", ["'!'", "place 4", "KH!"]),
        ("AH 8H", ["'8H'", "place 4"]),
    ],
)
def test_messages(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        read_play(THOUSAND, text)
    assert [part for part in parts if part not in str(caught.value)] == []


DEAL = read("thousand", "AH KH QH 9H TS JC 9D QS | TH JH AD TD KD QD JD JS | AC TC KC QC 9C AS KS 9S")
START = THOUSAND.start(DEAL, THOUSAND.contract("100 by 0"))


@pytest.mark.parametrize(
    "text, parts",
    [
        ("1 TH", ["card 1, TH at place 3", "seat 1 is named", "seat 0 is on turn"]),
        ("AH AD", ["card 2, AD at place 4", "follow-suit"]),
        ("TH", ["seat 0 plays TH", "does not hold it"]),
        ("KH!", ["may not declare", "first lead"]),
        ("QH JH", ["must-beat", "TH"]),
    ],
)
def test_replay_says_what_is_wrong(text: str, parts: list[str]) -> None:
    with pytest.raises(IllegalPlayError) as caught:
        replay(START, read_play(THOUSAND, text))
    assert [part for part in parts if part not in str(caught.value)] == []


def test_replay_after_the_end() -> None:
    kit = read("kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3")
    text = "s4 s1 s2, t3 t1 t4, o4 o1 o3, s3 o2 t2"
    end = replay(kit.game.start(kit, kit.game.contract("1 by 0")), read_play(kit.game, text))
    assert end.over
    assert end.tricks == (1, 0, 3)
    with pytest.raises(IllegalPlayError, match="the deal is over"):
        replay(end, read_play(kit.game, "o1"))


PLANS = {
    "kit": "by 0",
    "sheepshead": "side 0 1",
    "thousand": "by 0, pass {0} to 1, {1} to 2",
    "three_of_spades": "trump S, side 0 1",
}


def plan(one: Game, hand: Iterable[Card]) -> str:
    """A contract for any deal of a game, the lowest cards of seat 0 passed on."""
    usual = GAMES[one.name].CONTRACTS[0] if one.name not in PLANS else PLANS[one.name]
    return usual.format(*one.deck.sort(hand)[-2:])


@given(games, st.integers(0, 10**6))
def test_what_is_written_is_read_back(one: Game, seed: int) -> None:
    dealt = one.deal(seed=seed)
    position = start = one.start(dealt, one.contract(plan(one, dealt.hands[0])))
    rng = random.Random(seed)
    moves = []
    for _ in range(rng.randint(1, 24)):
        if position.over:
            break
        moves.append(rng.choice(position.legal()))
        position = position.play(moves[-1])
    text = write_play(start, moves)
    assert [p.move for p in read_play(one, text)] == moves
    assert replay(start, read_play(one, text)) == position


@given(games, notation | st.text(alphabet="0123:! \nAKQJT9HCDSots|/,->.", max_size=30))
def test_any_text_is_a_play_or_refused(one: Game, text: str) -> None:
    played, message = attempt(read_play, one, text)
    assert "\n" not in message
    if played:
        dealt = one.deal(seed=1)
        position = one.start(dealt, one.contract(plan(one, dealt.hands[0])))
        _, message = attempt(replay, position, played)
        assert "\n" not in message
