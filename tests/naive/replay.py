"""Checker for written-out play: every card must be legal, every winner and point total is reported."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from . import minimax


class Record(NamedTuple):
    """Result of a replayed hand: per trick (winner, card points), per seat totals, tricks, bonuses."""

    tricks: list[tuple[int, int]]
    points: list[int]
    counts: list[int]
    bonuses: list[int]


def hand(text: str) -> frozenset[str]:
    """Cards from a blank-separated string."""
    return frozenset(text.split())


def hands(*texts: str) -> list[frozenset[str]]:
    """Several hands, seat 0 first."""
    return [hand(t) for t in texts]


def pairs(leader: int, text: str, seats: int) -> list[tuple[int, str]]:
    """A trick in seat order from the leader, as (seat, card) pairs."""
    return [((leader + i) % seats, c) for i, c in enumerate(text.split())]


def cards(moves: set[tuple[str, bool]]) -> set[str]:
    """The cards of a set of moves."""
    return {c for c, _ in moves}


def trick_points(game: ModuleType, trick: list[tuple[int, str]], ctx: dict) -> int:
    """Card points of a trick."""
    return sum(game.value(c, ctx) for _, c in trick)


def replay(game: ModuleType, dealt: list[frozenset[str]], leader: int, lines: list[str], ctx: dict) -> Record:
    """Play the tricks in `lines` ("card card* ...", a star declares); ValueError for an illegal card."""
    n = len(dealt)
    state = minimax.start(dealt, leader, [], ctx)
    out = Record([], [0] * n, [0] * n, [0] * n)
    for line in lines:
        for word in line.split():
            move = (word.rstrip("*"), word.endswith("*"))
            seat = minimax.to_move(state)
            if move not in minimax.moves(game, state):
                raise ValueError(f"seat {seat} may not play {word}")
            played = [*minimax.table(state), (seat, move[0])]
            bonus = game.after_move(seat, move[0], move[1], minimax.table(state), state.ctx)[1]
            out.bonuses[seat] += bonus
            state, gains = minimax.play(game, state, move)
        total = trick_points(game, played, ctx)
        if sum(gains) != total + game.trick_value(ctx):
            raise ValueError("credited points differ from the cards of the trick")
        out.tricks.append((state.leader, total))
        out.points[state.leader] += total
        out.counts[state.leader] += 1
    return out
