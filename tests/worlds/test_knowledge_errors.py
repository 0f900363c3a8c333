"""What contradicts itself or cannot be read ends in one clear line; a revoke is named with the card that proves it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import random_records as rr
from solver.formats.record import Record
from solver.games import GAMES, game
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Move
from solver.worlds.knowledge import Knowledge, knowledge

from .test_knowledge import T5, T5_1, TALON, record


@pytest.mark.parametrize(
    "name, seat, words",
    [
        ("kit_errors", 0, ["card 8, s2 in trick 3", "follow-suit", "it held o1, and played it in trick 4"]),
        ("sheepshead_view_revoke", None, ["card 22, TC in trick 5", "it held KH, and played it in trick 6"]),
        ("spades_twice", 0, ["KH: it has been played before"]),
        ("spades_errors", 0, ["seat 0 may not call '170'"]),
        ("thousand_errors", 0, ["lower", "120"]),
    ],
)  # fmt: skip
def test_a_record_with_a_revoke_is_rejected(name: str, seat: int | None, words: list[str]) -> None:
    if name == "thousand_errors":  # seat 1 bids above its cap: seen by itself, its own cards prove it
        seat, words = 1, ["seat 1 may bid to 120"]
    with pytest.raises(IllegalPlayError) as error:
        record(name, seat)
    assert all(word in str(error.value) for word in words), error.value
    assert "\n" not in str(error.value)


def test_own_revoke() -> None:
    me = game("kit").knowledge(1, "o1 o2 t3 s4")
    with pytest.raises(IllegalPlayError, match=r"seat 1 may not play it .follow-suit., .* it held o"):
        me.played("0 o4, 1 t3")


def test_a_pass_proves_a_revoke() -> None:
    me = game("thousand").knowledge(0, T5).see(talon=TALON).contract("120 by 0, pass 9C to 1, 9D to 2")
    with pytest.raises(IllegalPlayError, match="it held 9C"):
        me.played("0 JC, 1 9S")


KIT, SHEEP = "o1 o2 t3 s4", "QS 9D AC 9C KH 7S"


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: knowledge("kit", 7, KIT), NotationError, "expected a seat from 0 to 2"),
        (lambda: knowledge("kit", 0, KIT, dealer=5), NotationError, "dealer is 5"),
        (lambda: knowledge("kit", 0, "o1 o2"), NotationError, "too short"),
        (lambda: knowledge("nought", 0, KIT), UnsupportedError, "no game"),
        (lambda: knowledge(game("kit"), 0, KIT, seats=4), UnsupportedError, "options seats"),
        (lambda: knowledge(game("kit").deal(seed=1), 0, KIT), UnsupportedError, "a Deal is no game"),
        (lambda: knowledge("kit", 0, KIT).played("1 o3"), IllegalPlayError, "seat 0 is on turn"),
        (lambda: knowledge("kit", 0, KIT).played("0 o3"), IllegalPlayError, "does not hold it"),
        (lambda: knowledge("kit", 0, KIT).played("0 o1, 1 o2"), IllegalPlayError, "but seat 0 does"),
        (lambda: knowledge("kit", 0, KIT).heard("0 pass"), UnsupportedError, "no auction"),
        (lambda: knowledge("kit", 0, KIT).contract("2 by 0, trump q"), NotationError, "suits"),
        (lambda: knowledge("kit", 0, KIT).sample(0, seed=1), NotationError, "whole number"),
        (lambda: knowledge("thousand", 0, T5).see(talon="TH"), NotationError, "3 are expected"),
        (lambda: knowledge("thousand", 0, T5).see(talon="TH JS AH"), NotationError, "AH stands twice"),
        (lambda: knowledge("thousand", 0, T5).played("0 AH"), NotationError, "before the contract"),
        (lambda: knowledge("thousand", 0, T5).contract("120 by 0").played("0 AH"), NotationError, "say what is passed"),
        (lambda: knowledge("thousand", 1, T5_1).contract("120 by 0").played("0 AH"), NotationError, "passed to seat 1"),
        (
            lambda: knowledge("thousand", 0, T5).see(talon=TALON).contract("120 by 0, pass AC to 1, 9D to 2"),
            IllegalPlayError, "passes AC but does not hold it",
        ),
        (lambda: knowledge("thousand", 0, T5).heard("0:100 1:105 2:pass 0:250"), IllegalPlayError, "bid to 220"),
        (lambda: knowledge("thousand", 0, T5).enumerate(), UnsupportedError, "too many"),
        (lambda: knowledge("sheepshead", 0, SHEEP).contract("picker 1, call ?"), NotationError, "stands for"),
        (lambda: knowledge("sheepshead", 0, SHEEP).heard("0 pass, 2 pick"), IllegalPlayError, "out of turn"),
        (
            lambda: knowledge("sheepshead", 0, SHEEP).heard("0 pass, 1 pick").contract("picker 2, call AH"),
            IllegalPlayError, "by the auction seat 1 picks",
        ),
        (
            lambda: knowledge("sheepshead", 0, SHEEP).see(talon="TC 8H").contract("picker 0, call AC, bury TC 8H"),
            IllegalPlayError, "the picker holds it",
        ),
        (lambda: record("kit_k4"), NotationError, "nobody's view"),
        (lambda: record("sheepshead_view", 1), NotationError, "what seat 0 saw"),
    ],
)  # fmt: skip
def test_errors_are_one_clear_line(call: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as found:
        call()  # type: ignore[operator]
    assert "\n" not in str(found.value)


def hands() -> st.SearchStrategy[tuple[str, str]]:
    return st.sampled_from(sorted(GAMES)).flatmap(
        lambda n: st.integers(0, 99).map(lambda s: (n, game(n).deck.write(game(n).deal(seed=s).hands[0])))
    )


CLAUSES = (
    "by 0", "by 1", "120 by 0", "120 by 1", "call AC", "call TS", "under ?", "bury ?", "pass ? to 1", "pass 9C to 0",
    "pass AH to 1", "alone", "leaster", "trump H", "no trump", "175 by 2", "surrender", "bury TC 8H", "lead 1",
    "hearts by 1", "4H by S", "grand", "side 0",
)  # fmt: skip
PARTS = st.lists(st.sampled_from(CLAUSES), max_size=4).map(", ".join)
CARDS = st.lists(
    st.sampled_from(sorted({*game("three_of_spades").deck.cards, *game("kit").deck.cards})), max_size=9
).map(" ".join)


@given(hands(), PARTS, CARDS, st.text("0123 pasick:,!", max_size=12), CARDS, st.text(max_size=6))
def test_garbage_ends_in_one_clear_error(
    hand: tuple[str, str], contract: str, play: str, calls: str, talon: str, noise: str
) -> None:
    def ask() -> None:
        me = knowledge(hand[0], 0, hand[1])
        me = me.heard(calls) if calls.strip() else me
        me = me.see(talon=talon) if talon else me
        me = me.contract(contract) if contract else me
        me = me.played(play) if play else me
        me = me.played(noise) if noise else me
        assert me.count() >= 1
        assert me.sample(3, seed=1)
        me.explain()

    one_clear_line(ask)


def one_clear_line(ask: Callable[[], None]) -> bool:
    """Whether an error came, which then has one line."""
    try:
        ask()
    except TrickwiseError as wrong:
        text = str(wrong)
    else:
        return False
    assert text
    assert "\n" not in text
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_record_made_wrong_ends_in_one_clear_error(name: str) -> None:
    """One card of the play is exchanged for another: refused with one line, or still possible."""
    rng, refused = random.Random(name), 0
    for _ in range(40):
        one = game(name)
        played = rr.played(rng, one, cards=rng.randrange(2, one.seats * one.hand_size))
        if not played.record.play:
            continue
        tricks = [list(t.cards) for t in played.record.play]
        row = rng.choice(tricks)
        at = rng.randrange(len(row))
        row[at] = row[at]._replace(move=Move(rng.choice(one.deck.cards)))
        play = tuple(replace(t, cards=tuple(c)) for t, c in zip(played.record.play, tricks, strict=True))
        wrong = replace(played.record, play=play)
        seat = rng.randrange(one.seats)

        def ask(wrong: Record = wrong, seat: int = seat) -> None:
            me = Knowledge.from_record(wrong, seat)
            me.count()
            me.sample(3, seed=1)

        refused += one_clear_line(ask)
    assert refused > 5
