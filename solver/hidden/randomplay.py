"""Random legal play of a deal: a legal plan, then a random card each time, and what the seats know at each turn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.formats.record import Record
from solver.games import Game
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.play import Move, Position
from solver.seat.seatviews import went_on
from solver.worlds.knowledge import Knowledge
from solver.worlds.views import seen_by

__all__ = ["Line", "Turn", "play_line"]


class Turn(NamedTuple):
    """A turn of a line.

    Parameters
    ----------
    seat
        Who chooses; the declarer for the dummy in bridge.
    moves
        How many legal moves there are.
    worlds
        Deals that the seat holds possible; 0 where they were not counted.
    """

    seat: int
    moves: int
    worlds: int


@dataclass(frozen=True)
class Line:
    """A deal, and random legal play of it.

    Parameters
    ----------
    deal
        As dealt.
    contract
        With the plan.
    moves
        Cards in the order played.
    turns
        One for each move.
    end
        The position after the last.
    siblings
        Where the last decision is closed, the positions at the end after each of its moves; else empty.
    """

    deal: Deal
    contract: Contract
    moves: tuple[Move, ...]
    turns: tuple[Turn, ...]
    end: Position
    siblings: tuple[Position, ...]

    @property
    def learned(self) -> list[tuple[Turn, Turn]]:
        """Successive turns of one seat between which there was something to learn."""
        last: dict[int, Turn] = {}
        pairs = []
        for turn in self.turns:
            before = last.get(turn.seat)
            if before is not None and before.worlds > 1:
                pairs.append((before, turn))
            last[turn.seat] = turn
        return pairs


def play_line(game: Game, contract: Contract, number: int, *, seed: int, count: bool = True) -> Line:
    """Deal, plan and play at random.

    Parameters
    ----------
    game, contract
        What is played; without a plan, which is drawn.
    number, seed
        Together they settle the line.
    count
        Whether to count the worlds of each turn.
    """
    rng = random.Random(f"diagnose:{seed}:{number}")
    deal = game.deal(seed=rng.getrandbits(63))
    agreed = game.check_contract(_plan(rng, deal, contract))
    start = position = game.start(deal, agreed)
    moves: list[Move] = []
    where: list[Position] = []
    while not position.over:
        where.append(position)
        moves.append(rng.choice(position.legal()))
        position = position.play(moves[-1])
    legal = [p.legal() for p in where]
    decisions = [i for i, some in enumerate(legal) if len(some) > 1]
    siblings = _siblings(where[decisions[-1]]) if decisions else ()
    dummy = game.dummy(agreed)
    choosers = [agreed.declarer if p.turn == dummy and agreed.declarer is not None else p.turn for p in where]
    worlds = _worlds(deal, agreed, start, moves, choosers) if count else [0] * len(moves)
    turns = tuple(Turn(s, len(some), n) for s, some, n in zip(choosers, legal, worlds, strict=True))
    return Line(deal, agreed, tuple(moves), turns, position, siblings)


def _plan(rng: random.Random, deal: Deal, contract: Contract) -> Contract:
    """A legal plan, each as likely as the others."""
    if contract.declarer is None or contract.side is not None:
        return contract
    return deal.game.random_plan(rng, deal, contract)


def _siblings(position: Position) -> tuple[Position, ...]:
    """The ends after each move of a decision; none where some other decision follows."""
    ends = []
    for move in position.legal():
        after = position.play(move)
        while not after.over:
            legal = after.legal()
            if len(legal) > 1:
                return ()
            after = after.play(legal[0])
        ends.append(after)
    return tuple(ends)


def _worlds(
    deal: Deal, contract: Contract, start: Position, moves: Sequence[Move], choosers: Sequence[int]
) -> list[int]:
    """Deals that whoever chooses holds possible at each turn."""
    game, dummy = deal.game, deal.game.dummy(contract)
    record = Record(game, game.seats - 1, deal.hands, deal.talon, contract=contract)
    views = {seat: seen_by(Knowledge, record, seat) for seat in set(choosers)}
    found = []
    for i, seat in enumerate(choosers):
        if i == 1 and dummy is not None:  # after the first lead it lies open
            shown = tuple(hand if s == dummy else None for s, hand in enumerate(start.hands))
            views = {s: replace(view, shown=shown) for s, view in views.items()}
        found.append(went_on(views[seat], moves[:i], contract.under).count())
    return found
