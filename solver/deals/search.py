"""The one door to the compiled search: a deal's searches, their memory, and whether a contract makes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from solver.deals.interrupt import interruptible, stopping
from solver.games import Game
from solver.kernels.search import search
from solver.kernels.solve import solve_value
from solver.kernels.table import Memory, new_memory, next_deal
from solver.model.contract import Contract, TrickRules
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position

__all__ = ["MakeSearch", "Search", "counting_tricks", "memory_bits", "thread_memory"]

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

    def by_tricks(self, position: Position) -> bool:
        """Whether a contract that asks for tricks makes, or an error when the limit came before that was proved."""
        assert self.tricks is not None
        makes = self(position, 0, 0)  # points tell nothing here
        if makes is None:
            raise self.tricks.unproved()
        return makes

    @property
    def nodes(self) -> int:
        """Positions searched beside those of the points."""
        return 0 if self.tricks is None else self.tricks.nodes

    @property
    def stopped(self) -> bool:
        """Whether an interrupt cut a question short."""
        return self.tricks is not None and self.tricks.stopped
