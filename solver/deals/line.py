"""One optimal line of play: how a deal would go with best cards on both sides."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from solver.deals.doubledummy import as_contract, first_position
from solver.deals.search import MakeSearch, Search
from solver.games import game_of
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Move, Position, Trick
from solver.model.shown import Shown, counted

__all__ = ["Line", "best_line", "line"]


@dataclass(frozen=True)
class Line(Shown):
    """One optimal line: the tricks, what the side took in them, and the table."""

    tricks: tuple[Trick, ...]
    points: int
    side: tuple[int, ...]
    unit: str
    frame: pd.DataFrame = field(repr=False, compare=False)

    def __str__(self) -> str:
        rows = [f"{i}. {t}" for i, t in enumerate(self.tricks, 1)]
        side = " ".join(map(str, self.side))
        return "\n".join([*rows, f"side {side}: {counted(self.points, self.unit)} (double dummy)"])


@checks_numbers
def line(deal: Deal, contract: str | Contract | None = None, play: str | None = None, *, limit: int = 0) -> Line:
    """Play on from a position with best cards on both sides.

    Of several best cards the first in the hand's order is taken. Best is what brings most points; where the contract
    asks for tricks in place of points (all of them, or any one), first what makes or breaks it.

    Parameters
    ----------
    deal, contract, play
        As for `cards`.
    limit
        Most positions to search for one question; 0 for no limit.

    Returns
    -------
    Line
        `frame` has a row a trick.

    Raises
    ------
    UnsupportedError
        When the limit came before a value was proved.
    KeyboardInterrupt
        When an interrupt did: no part of a line is one.
    """
    from solver.formats.play import read_play, replay

    game = game_of(deal)
    contract = as_contract(game, contract)
    position = replay(first_position(deal, contract), read_play(game, play or ""))
    makes = MakeSearch(game, contract, position, limit)
    return best_line(position, bank=game.banked(contract), unit=game.unit_of(contract), limit=limit, makes=makes)


def best_line(
    position: Position, *, bank: int = 0, unit: str = "points", limit: int = 0, makes: MakeSearch | None = None
) -> Line:
    """`line` from any position."""
    if not position.side:
        raise UnsupportedError("nobody collects: the position names no side")
    one = Search(position, limit=limit)
    first = makes is not None and makes.tricks is not None
    tricks, over = one.guarded(position, lambda: _play_on(one, position, makes if first else None))
    rows = [
        {"trick": i, "leader": t.leader, "cards": " ".join(map(str, t.moves)), "winner": t.winner, "points": t.points}
        for i, t in enumerate(tricks, 1)
    ]
    total = over.collected + bank
    return Line(tuple(tricks), total, tuple(sorted(position.side)), unit, pd.DataFrame(rows))


def _play_on(one: Search, position: Position, makes: MakeSearch | None) -> tuple[list[Trick], Position]:
    """Tricks of best cards, and the position after them."""
    value = one.proved(position)
    tricks: list[Trick] = []
    while not position.over:
        chosen = _best(one, position, value) if makes is None else _best_of_those(one, position, makes)
        after = position.play(chosen)
        value -= after.collected - position.collected
        if not after.trick:
            moves = (*position.trick, chosen)
            points = after.points[after.leader] - position.points[after.leader]
            tricks.append(Trick(position.leader, moves, after.leader, points))
        position = after
    return tricks, position


def _best(one: Search, position: Position, value: int) -> Move:
    """Return the first move that keeps the value."""
    for move in position.legal():
        after = position.play(move)
        need = value - (after.collected - position.collected)
        for asked, wanted in ((need, True), (need + 1, False)):
            found = one.reaches(after, asked)
            if found is None:
                raise one.unproved()
            if found is not wanted:
                break
        else:
            return move
    raise AssertionError("no move keeps the value")


def _best_of_those(one: Search, position: Position, makes: MakeSearch) -> Move:
    """Return the first move of most points among those that keep the contract made, or broken."""
    before = makes.by_tricks(position)
    ends = {move: position.play(move) for move in position.legal()}
    kept = [move for move, end in ends.items() if makes.by_tricks(end) is before]
    sign = 1 if position.turn in position.side else -1
    return max(kept, key=lambda move: sign * (ends[move].collected + one.proved(ends[move])))
