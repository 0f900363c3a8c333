"""What a deal is worth with all cards known, and which card is best.

Everything here is double dummy: both sides see all cards. `solver.deals.search` is what it asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from solver.deals.interrupt import STOPPED
from solver.deals.search import MakeSearch, Search
from solver.games import Game, game_of
from solver.kernels.maxn import max_n
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.model.shown import Shown, counted

__all__ = ["Result", "cards", "max_n_values", "position_cards", "solve", "solve_position"]


@dataclass(frozen=True)
class Result(Shown):
    """Answer of `solve`.

    Parameters
    ----------
    game, options
        What was asked about.
    side
        Seats that collect.
    points, high
        Proved bounds of the side's total, with what it had before the first card (bury); equal when the search
        finished.
    target, made
        The contract's target and whether it can be made; None where none was named.
    nodes
        Positions searched.
    unit
        ``"points"`` or ``"tricks"``.
    frame
        The same as a table.
    notes
        Lines for people.
    partial
        Whether an interrupt came before the value was proved.
    """

    game: str
    options: dict[str, Any]
    side: tuple[int, ...]
    points: int
    high: int
    target: int | None
    made: bool | None
    nodes: int
    unit: str
    frame: pd.DataFrame = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()
    method: str = "double dummy"
    partial: bool = False

    def __str__(self) -> str:
        least = "" if self.points == self.high else f"{self.points} to "
        side = " ".join(map(str, self.side))
        text = f"{self.game}: side {side} takes {least}{counted(self.high, self.unit)} ({self.method})"
        if self.made is not None:
            text += f"; target {self.target} {'makes' if self.made else 'fails'}"
        return "\n".join([text, *self.notes])


def solve_position(position: Position, *, limit: int = 0) -> tuple[int, int, int]:
    """Value of a position: (low, high, nodes); `low == high` unless the node limit came first."""
    one = Search(position, limit=limit)
    low, high = one.value(position)
    return low, high, one.nodes


def max_n_values(position: Position) -> tuple[int, ...]:
    """Points of each seat from here on when each maximises its own (tie rule of RULES.md 1.7)."""
    layout = layout_of(position.rules)
    hands = np.array([layout.encode(h) for h in position.hands], np.uint64)
    played = np.array([layout.bit[m.card] for m in position.trick], np.int64)
    out = np.zeros(position.rules.seats, np.int64)
    max_n(layout.record, hands, position.leader, played, layout.state(position)[0], out)
    return tuple(int(v) for v in out)


def as_contract(game: Game, contract: str | Contract | None) -> Contract:
    """Read a contract given as text or object."""
    return game.contract(contract)


def first_position(deal: Deal, contract: Contract) -> Position:
    """Position before the first lead; somebody must collect."""
    position = deal.game.start(deal, contract)
    if not position.side:
        raise UnsupportedError(f"nobody collects: {deal.game.name_side(contract)}")
    return position


@checks_numbers
def solve(deal: Deal, contract: str | Contract | None = None, *, limit: int = 0) -> Result:
    """Say what a deal is worth with all cards known.

    Parameters
    ----------
    deal
        From `Game.deal` or `read`.
    contract
        As text, ``"120 by 0, pass 9C to 1, 9D to 2"``, or an object. The kit without one is solved for each seat.
    limit
        Most positions to search for one question; 0 for no limit.

    Returns
    -------
    Result
        With `frame`: one row, or one a seat (kit), or one a rung of the game's ladder (Sheepshead).

    Raises
    ------
    NotationError, IllegalPlayError
        For a contract that cannot be read or that the deal does not allow.
    """
    game = game_of(deal)
    contract = as_contract(game, contract)
    position = game.start(deal, contract)
    if not position.side:
        return _each_for_itself(deal, contract, position, limit)
    one = Search(position, limit=limit)
    low, high = one.guarded(position, lambda: one.value(position))
    bank = game.banked(contract) + position.collected
    makes = MakeSearch(game, contract, position, limit)
    made = makes(position, low, high)
    nodes, stopped = one.nodes + makes.nodes, one.stopped or makes.stopped
    row: dict[str, Any] = {
        "side": " ".join(map(str, sorted(position.side))), "low": low + bank, "high": high + bank,
        "target": contract.target, "made": made, "nodes": nodes,
    }  # fmt: skip
    if low == high:
        row = {"side": row["side"], "value": low + bank, **{k: row[k] for k in ("target", "made", "nodes")}}
    notes = game.explain_value(position, contract, low, high) + (STOPPED,) * stopped
    return Result(
        game.name, game.option_values(), tuple(sorted(position.side)), low + bank, high + bank, contract.target, made,
        nodes, game.unit_of(contract), pd.DataFrame([row]), notes, partial=stopped,
    )  # fmt: skip


def _each_for_itself(deal: Deal, contract: Contract, position: Position, limit: int) -> Result:
    """Kit without a declarer: each seat against the others together, and max-n."""
    game = game_of(deal)
    if position.rules.seats * len(position.hands[0]) > 18:
        raise UnsupportedError(
            f"each for itself is solved for hands of at most 18 cards in all: {game.name_side(contract)}"
        )
    selfish = max_n_values(position)
    rows, nodes = [], 0
    for seat in range(game.seats):
        low, _, n = solve_position(replace(position, side=frozenset({seat})), limit=limit)
        nodes += n
        rows.append({"seat": seat, "one_against_rest": low, "max_n": selfish[seat]})
    frame = pd.DataFrame(rows)
    notes = (
        "one against the rest is what a seat can guarantee itself; max-n lets each seat maximise its own tricks,",
        "examining cards in layout order and switching only for a strict gain",
        *(f"seat {r['seat']}: guaranteed {r['one_against_rest']}, max-n {r['max_n']}" for r in rows),
    )
    lead = rows[contract.leader]["one_against_rest"]
    return Result(
        game.name, game.option_values(), (contract.leader,), lead, lead, None, None, nodes, game.unit, frame, notes
    )


@checks_numbers
def cards(
    deal: Deal, contract: str | Contract | None = None, play: str | None = None, *, limit: int = 0
) -> pd.DataFrame:
    """Give the value of every legal card, and what bars the others.

    Parameters
    ----------
    deal, contract
        As for `solve`.
    play
        Cards played so far, as in ``"0 AH, 1 JD"`` or ``"AH JD"``; None for the first lead.

    Returns
    -------
    DataFrame
        A row for each card of the seat to play: `seat`, `card`, `declare`, `legal`, `value` (total of the
        collecting side, double dummy), `best`, `loss` against the best card in the mover's view, `equals` (cards that
        are one move with it), `barred_by`, `why`.
    """
    from solver.formats.play import read_play, replay

    game = game_of(deal)
    contract = as_contract(game, contract)
    position = replay(first_position(deal, contract), read_play(game, play or ""))
    return position_cards(position, bank=game.banked(contract), limit=limit)


def position_cards(position: Position, *, bank: int = 0, limit: int = 0) -> pd.DataFrame:
    """`cards` at any position."""
    if position.over:
        raise UnsupportedError("the deal is over: no card is left to play")
    if not position.side:
        raise UnsupportedError("nobody collects: the position names no side")
    seat = position.turn
    one = Search(position, limit=limit)
    start = position.collected + bank
    collects = (seat in position.side) != position.rules.misere
    moves = position.legal()
    played = [position.play(move) for move in moves]
    bounds = one.guarded(position, lambda: [one.value(after) for after in played])
    rows: list[dict[str, Any]] = []
    for move, after, (low, high) in zip(moves, played, bounds, strict=True):
        gained = after.collected - position.collected
        rows.append(
            {
                "seat": seat, "card": str(move.card), "declare": move.declare, "legal": True,
                "value": start + gained + low, "high": start + gained + high,
            }
        )  # fmt: skip
    _rank(rows, collects)
    rows.sort(key=lambda r: (r["loss"] is None, r["loss"] or 0, r["declare"]))
    for card, rule in position.barred().items():
        rows.append({"seat": seat, "card": str(card), "declare": False, "legal": False, "best": False,
                     "barred_by": rule, "why": position.explain(rule)})  # fmt: skip
    frame = pd.DataFrame(
        rows, columns=["seat", "card", "declare", "legal", "value", "high", "best", "loss", "barred_by", "why"]
    )
    frame = frame.astype({"value": "Int64", "high": "Int64", "loss": "Int64", "barred_by": object, "why": object})
    if frame["value"].equals(frame["high"]):
        frame = frame.drop(columns="high")
    frame.attrs["partial"] = one.stopped
    return frame


def _rank(rows: list[dict[str, Any]], collects: bool) -> None:
    """Note which cards are best and what the others lose, as far as the bounds prove it."""
    for row in rows:
        others = [r for r in rows if r is not row]
        if collects:
            best = all(row["value"] >= r["high"] for r in others)
            worse = any(row["high"] < r["value"] for r in others)
        else:
            best = all(row["high"] <= r["value"] for r in others)
            worse = any(row["value"] > r["high"] for r in others)
        row["best"] = best if best or worse else None
    known = [r["value"] for r in rows if r["best"] and r["value"] == r["high"]]
    for row in rows:
        row["loss"] = abs(known[0] - row["value"]) if known and row["value"] == row["high"] else None
