"""The kit beyond the play: sessions (K5 of RULES.md 1.7) and the options of RULES.md 1.6."""

from __future__ import annotations

import pytest

from at_table import legal, to_play, trick
from naive import kit as twin
from solver.games import game
from solver.games.kit import Session
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError

KIT = game("kit")


def session(*hands: tuple[int, ...], **options: object) -> Session:
    """A session after some hands."""
    found = game("kit", **options).match()
    assert isinstance(found, Session)
    for tricks in hands:
        found = found.add(tricks)
    return found


@pytest.mark.parametrize(
    "hands, totals, winners",
    [
        (((1, 0, 3), (2, 2, 0), (1, 2, 1)), (4, 4, 4), (0, 1, 2)),
        (((2, 2, 0), (1, 2, 1), (0, 3, 1)), (3, 7, 2), (1,)),
        (((2, 2, 0), (2, 2, 0), (0, 0, 4)), (4, 4, 4), (0, 1, 2)),
        (((2, 2, 0), (2, 2, 0), (2, 2, 0)), (6, 6, 0), (0, 1)),
    ],
)
def test_K5(hands: tuple[tuple[int, ...], ...], totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    played = session(*hands)
    assert (played.scores, played.winners, played.over) == (totals, winners, True)
    assert twin.session([list(h) for h in hands]) == (list(totals), list(winners))


def test_each_seat_leads_once() -> None:
    match = session()
    leaders = []
    while not match.over:
        leaders.append(match.leader)
        deal = KIT.deal(seed=match.deals)
        position = KIT.start(deal, KIT.contract(f"lead {match.leader}"))
        assert position.turn == match.leader
        while not position.over:
            position = position.play(position.legal()[0])
        match = match.add(KIT.settle(position, KIT.contract()).scores)
    assert leaders == [0, 1, 2]
    assert sum(match.scores) == 12
    with pytest.raises(NotationError, match="over"):
        match.add((4, 0, 0))


@pytest.mark.parametrize("hands, leaders", [(1, [0]), (6, [0, 1, 2, 0, 1, 2])])
def test_length_of_a_session(hands: int, leaders: list[int]) -> None:
    match, seen = session(hands=hands), []
    while not match.over:
        seen.append(match.leader)
        match = match.add((0, 4, 0))
    assert seen == leaders
    assert match.winners == (1,)


@pytest.mark.parametrize("tricks", [(1, 1, 1), (5, 0, 0), (5, -1, 0), (1, 3)])
def test_a_hand_has_four_tricks(tricks: tuple[int, ...]) -> None:
    with pytest.raises(NotationError) as caught:
        session(tricks)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "seats, suits, ranks, hand", [(2, 3, 4, 6), (4, 3, 4, 3), (3, 2, 6, 4), (3, 1, 9, 3), (2, 3, 9, 13)]
)
def test_sizes(seats: int, suits: int, ranks: int, hand: int) -> None:
    if seats * hand != suits * ranks:
        with pytest.raises(UnsupportedError, match="cannot be dealt evenly"):
            game("kit", seats=seats, suits=suits, ranks=ranks)
        return
    one = game("kit", seats=seats, suits=suits, ranks=ranks)
    assert (one.seats, one.hand_size, len(one.deck)) == (seats, hand, suits * ranks)
    deal = one.deal(seed=1)
    assert one.read(deal.text) == deal


def test_trump_and_must_beat() -> None:
    rules = game("kit", trump="s").trick_rules(Contract())
    assert trick(rules, "o2 o4 s1", trump="s")[0] == "s1"
    assert game("kit", trump="s").contract("1 by 0").trump == "s"
    beat = game("kit", must_beat=True).trick_rules(Contract())
    assert legal(to_play(beat, "o1 o3 t4", "o2", seat=1)) == {"o3"}
    assert legal(to_play(beat, "o1 t4", "o2", seat=1)) == {"o1"}


def test_what_is_not_offered() -> None:
    with pytest.raises(UnsupportedError, match="trump=turned is not offered"):
        game("kit", trump="turned")
    with pytest.raises(UnsupportedError, match="a suit that this kit lacks"):
        game("kit", suits=1, ranks=9, trump="s")
