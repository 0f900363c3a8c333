"""One seat without sight of the hidden cards against others who see them: the whole game as one linear programme.

Nothing is pruned and no two cards are taken for one. The seat's plan is a chance for every public history, split at its
own turns and kept at the others' (sequence form, Koller, Megiddo and von Stengel 1996); the others answer it best in
each world, which bounds what a history is worth there.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from naive import minimax

History = tuple[minimax.Move, ...]


class Programme:
    """Rows of a linear programme: sums of variables that are at most 0, or exactly 0."""

    def __init__(self) -> None:
        self.number: dict[object, int] = {}
        self.rows: dict[str, list[dict[int, float]]] = {"most": [], "equal": []}

    def variable(self, name: object) -> int:
        return self.number.setdefault(name, len(self.number))

    def add(self, kind: str, terms: list[tuple[float, object]]) -> None:
        self.rows[kind].append({self.variable(name): factor for factor, name in terms})

    def matrix(self, kind: str) -> coo_array:
        rows = self.rows[kind]
        entries = [(factor, i, j) for i, row in enumerate(rows) for j, factor in row.items()]
        factors, i, j = zip(*entries, strict=True) if entries else ((), (), ())
        return coo_array((factors, (i, j)), shape=(len(rows), len(self.number)))


def value(game: ModuleType, worlds: list[minimax.State], me: int, needs: list[int]) -> float:
    """Chance, the worlds being equally likely, that seat `me` takes what it needs from here on, in each world its own.

    In a misere it may take so much, and no more. All worlds look the same to the seat, but for the others' hands.
    """
    one = Programme()
    root: History = ()
    one.variable(("plan", root))
    _expand(one, game, root, me, [(w, state, 0) for w, state in enumerate(worlds)], needs)
    cost = np.zeros(len(one.number))
    for w in range(len(worlds)):
        cost[one.number["worth", root, w]] = -1 / len(worlds)
    most, equal = one.matrix("most"), one.matrix("equal")
    bounds = np.zeros((len(cost), 2))
    bounds[:, 1] = 1
    bounds[one.number["plan", root]] = 1
    found = linprog(
        cost, A_ub=most, b_ub=np.zeros(most.shape[0]), A_eq=equal, b_eq=np.zeros(equal.shape[0]), bounds=bounds,
        method="highs",
    )  # fmt: skip
    assert found.status == 0, found.message
    return -found.fun


def _expand(
    one: Programme, game: ModuleType, history: History, me: int, worlds: list[tuple[int, minimax.State, int]],
    needs: list[int],
) -> None:  # fmt: skip
    """Write the rows of a history, and of all that follow; `worlds` are those in which it can come about."""
    if minimax.finished(worlds[0][1]):
        for w, state, got in worlds:
            wins = got <= needs[w] if state.ctx.get("misere") else got >= needs[w]
            one.add("most", [(1, ("worth", history, w)), (-1 if wins else 0, ("plan", history))])
        return
    after: dict[minimax.Move, list[tuple[int, minimax.State, int]]] = {}
    mine = minimax.to_move(worlds[0][1]) == me
    for w, state, got in worlds:
        moves = minimax.moves(game, state)
        for move in moves:
            child, gains = minimax.play(game, state, move)
            after.setdefault(move, []).append((w, child, got + gains[me]))
        worth = ("worth", history, w)
        if mine:
            one.add("most", [(1, worth), *((-1, ("worth", (*history, move), w)) for move in moves)])
        else:
            for move in moves:
                one.add("most", [(1, worth), (-1, ("worth", (*history, move), w))])
    for move in after:
        if not mine:
            one.add("equal", [(1, ("plan", (*history, move))), (-1, ("plan", history))])
    if mine:
        one.add("equal", [(-1, ("plan", history)), *((1, ("plan", (*history, move))) for move in after)])
    for move, some in after.items():
        _expand(one, game, (*history, move), me, some, needs)
