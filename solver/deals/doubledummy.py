"""What a deal is worth with all cards known, and which card is best.

Everything here is double dummy: both sides see all cards. `Search` is the one door to the compiled search; the
functions below it are what users call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from solver.deals.interrupt import STOPPED, interruptible, stopping
from solver.games import Game, game_of
from solver.kernels.maxn import max_n
from solver.kernels.search import search
from solver.kernels.solve import solve_value
from solver.kernels.table import Memory, new_memory, next_deal
from solver.model.checks import checks_numbers
from solver.model.contract import Contract, TrickRules
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.model.shown import Shown, counted

__all__ = ["Result", "Search", "cards", "memory_bits", "solve", "solve_position"]

_T = TypeVar("_T")

_local = threading.local()

# Compiled functions, whose arguments a type checker cannot count through a star.
_search: Any = search
_solve_value: Any = solve_value


def memory_bits(cards: int) -> int:
    """Size of the table for a deck: 2**bits entries of 36 bytes with their heads, 19 MB for the largest."""
    return 10 if cards <= 16 else 16 if cards <= 24 else 17 if cards <= 32 else 19


def thread_memory(cards: int) -> Memory:
    """Return this thread's own search memory for a deck of that many cards."""
    bits = memory_bits(cards)
    kept: dict[int, Memory] = _local.__dict__.setdefault("memory", {})
    if bits not in kept:
        kept[bits] = new_memory(bits)
    return kept[bits]


class Search:
    """Searches of one deal under one contract, with a table shared by all of them.

    Parameters
    ----------
    position
        Any point of the deal; only its rules, side and cards matter for what the table holds. Other positions asked
        about must come from the same deal, with the same side.
    limit
        Nodes for one question, 0 for none.
    memory
        Where to search; the thread's own when None.

    Attributes
    ----------
    nodes
        Positions searched so far.
    stopped
        Whether an interrupt cut a question of `guarded` short.
    """

    def __init__(self, position: Position, *, limit: int = 0, memory: Memory | None = None) -> None:
        self.layout = layout_of(position.rules)
        self.limit = limit
        self.nodes = 0
        self.stopped = False
        self.side = sum(1 << s for s in position.side)
        self.memory = thread_memory(len(self.layout.cards)) if memory is None else memory
        self._begin(position)

    def _begin(self, position: Position) -> None:
        """Void the table and note the deal: the hands with what lies on the table."""
        hands = [self.layout.encode(h) for h in position.hands]
        for i, move in enumerate(position.trick):
            hands[(position.leader + i) % len(hands)] |= 1 << self.layout.bit[move.card]
        self._dealt = hands
        self._hands = np.array(hands, np.uint64)
        self.renew()

    def renew(self) -> None:
        """Forget what was proved."""
        next_deal(self.memory, self._hands)
        self._stamp = int(self.memory.counters[2])

    def arguments(self, position: Position) -> Any:
        """What the kernels take about a position; `ask_value` and `ask_need` take it again and again."""
        layout = self.layout
        cards = [layout.encode(h) for h in position.hands]
        # Another search may have used this thread's table since, or the position may not lie in the deal noted.
        if int(self.memory.counters[2]) != self._stamp or any(c & ~d for c, d in zip(cards, self._dealt, strict=True)):
            self._begin(position)
        hands = np.array(cards, np.uint64)
        played = np.array([layout.bit[m.card] for m in position.trick], np.int64)
        state, following = layout.state(position)
        barred = int(position.first_lead and not position.rules.marriage_on_first_lead)
        return layout.record, hands, self.side, position.leader, played, state, following, barred

    def value(self, position: Position) -> tuple[int, int]:
        """Points that the side takes from here on: proved bounds, equal unless the node limit came first."""
        return self.ask_value(self.arguments(position))

    def reaches(self, position: Position, need: int) -> bool | None:
        """Whether the side takes at least `need` from here on; None when the node limit came first."""
        return self.ask_need(self.arguments(position), need)

    def proved(self, position: Position) -> int:
        """`value`, or an error when the limit or an interrupt came before it was proved."""
        low, high = self.value(position)
        if low != high:
            raise self.unproved()
        return low

    def ask_value(self, arguments: Any) -> tuple[int, int]:
        """`value` of encoded `arguments`."""
        low, high, nodes = _solve_value(*arguments, 0, -1, -1, self.memory, self.limit)
        self.nodes += int(nodes)
        return int(low), int(high)

    def ask_need(self, arguments: Any, need: int) -> bool | None:
        """`reaches` of encoded `arguments`."""
        value, nodes, done = _search(*arguments, need, self.memory, self.limit)
        self.nodes += int(nodes)
        return bool(value >= need) if done else None

    def ask_nothing(self, arguments: Any) -> None:
        """Call the compiled search without anything to search: loads it, or compiles it on the very first run."""
        _solve_value(*arguments, 0, 0, -1, self.memory, self.limit)

    def guarded(self, position: Position, ask: Callable[[], _T]) -> _T:
        """Ask questions about this deal so that Ctrl-C ends them with what was proved; see `interruptible`."""
        self.ask_nothing(self.arguments(position))  # here, as compiling looks at no stop flag
        found, stopped = interruptible(ask, self.memory)
        self.stopped |= stopped
        return found

    def unproved(self) -> BaseException:
        """Error to raise where nothing but a proved value will do."""
        if stopping(self.memory):
            return KeyboardInterrupt("stopped before the answer was proved")
        return UnsupportedError(
            f"a limit of {self.limit} positions was met before the answer was proved: raise it, or take 0 for no limit"
        )


def counting_tricks(rules: TrickRules) -> TrickRules:
    """Return the same play with one point for each trick and nothing else."""
    bare = tuple(replace(m, bonus=0) for m in rules.marriages)
    return replace(rules, points=(), trick_value=1, last_value=0, marriages=bare)


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


class MakeSearch:
    """Whether a contract makes, asked of positions of one deal of which the points are searched already.

    Parameters
    ----------
    game, contract
        Say what is needed: `Game.need`.
    start
        Any position of the deal. Where the contract asks for tricks and its rules count points, a search of its own
        answers.
    limit
        Nodes for one question, 0 for none.
    """

    def __init__(self, game: Game, contract: Contract, start: Position, limit: int = 0) -> None:
        self.need = game.need(contract)
        self.tricks: Search | None = None
        bare = counting_tricks(start.rules)
        if self.need is not None and self.need.measure == "tricks" and bare != start.rules:
            memory = new_memory(memory_bits(len(layout_of(start.rules).cards)))  # the other search keeps its own
            self.tricks = Search(replace(start, rules=bare), limit=limit, memory=memory)

    def __call__(self, position: Position, low: int, high: int) -> bool | None:
        """Whether it makes when its side still takes from `low` to `high` points; None where that is open."""
        need = self.need
        if need is None:
            return None
        least = need.amount - position.taken(need.measure)
        if self.tricks is not None:
            search, bare = self.tricks, replace(position, rules=counting_tricks(position.rules))
            return search.guarded(bare, lambda: search.reaches(bare, least))
        if position.rules.misere:
            return True if high <= least else False if low > least else None
        return True if low >= least else False if high < least else None

    @property
    def nodes(self) -> int:
        """Positions searched beside those of the points."""
        return 0 if self.tricks is None else self.tricks.nodes


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
    nodes = one.nodes + makes.nodes
    row: dict[str, Any] = {
        "side": " ".join(map(str, sorted(position.side))), "low": low + bank, "high": high + bank,
        "target": contract.target, "made": made, "nodes": nodes,
    }  # fmt: skip
    if low == high:
        row = {"side": row["side"], "value": low + bank, **{k: row[k] for k in ("target", "made", "nodes")}}
    notes = game.explain_value(position, contract, low, high) + (STOPPED,) * one.stopped
    return Result(
        game.name, game.option_values(), tuple(sorted(position.side)), low + bank, high + bank, contract.target, made,
        nodes, game.unit_of(contract), pd.DataFrame([row]), notes, partial=one.stopped,
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
