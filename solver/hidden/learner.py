"""Iterations of counterfactual regret on a tree: what is kept of one to the next, and how good its mean is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.kernels import cfr

__all__ = ["METHODS", "Learner"]

#: Names of the ways to learn.
METHODS = {"predictive": cfr.PREDICTIVE, "cfr+": cfr.CFR_PLUS, "cfr": cfr.CFR}

_improve: Any = cfr.improve
_mix: Any = cfr.mix
_value: Any = cfr.value
_answer: Any = cfr.answer
_judge: Any = cfr.judge
_worst: Any = cfr.worst

_Floats = NDArray[np.float64]


class Learner:
    """Learning on one tree, and the looks at what was reached.

    Parameters
    ----------
    tree
        Of any number of sides.
    method
        One of `METHODS`.
    start
        The side that learns first. Which of several equilibria is found may depend on it.
    play
        To go on with; anew when None.
    """

    def __init__(self, tree: cfr.Tree, method: str, *, start: int = 0, play: cfr.Play | None = None) -> None:
        self.tree = tree
        self.rule = METHODS[method]
        self.start = start
        self.play = cfr.new_play(tree) if play is None else play
        self.chances = self.play.now.copy()
        self._positions = np.zeros((2, len(tree.action)))
        self._actions = np.zeros((2, len(self.chances)))

    @property
    def rounds(self) -> int:
        """Iterations so far."""
        return int(self.play.rounds[0])

    def learn(self) -> None:
        """Play one iteration."""
        _improve(self.tree, self.play, self.rule, self.start, *self._positions, *self._actions)

    def mix(self) -> _Floats:
        """Chances of all actions by the mean plan so far."""
        _mix(self.tree, self.play.plan, self.play.now, self.chances)
        return self.chances

    def values(self, chances: _Floats) -> _Floats:
        """Expected payoff of each side when all play by these chances."""
        return np.array([_value(self.tree, chances, side, self._positions[0]) for side in self._sides])

    def answers(self, chances: _Floats) -> _Floats:
        """Payoff of each side's best answer to these chances of the others."""
        return np.array([self.answer(chances, side) for side in self._sides])

    def answer(self, chances: _Floats, side: int) -> float:
        """Payoff of one side's best answer."""
        return float(_answer(self.tree, chances, side, *self._positions, self._actions[0]))

    def worst(self, chances: _Floats, side: int) -> float:
        """What a side surely gets by these chances, whatever the others do who see everything."""
        return float(_worst(self.tree, chances, side, self._positions[0]))

    def judge(self, chances: _Floats) -> tuple[_Floats, _Floats]:
        """What each action is worth to its side, and how likely the others let its information set happen."""
        worth, weight = np.empty_like(chances), np.empty_like(chances)
        for side in self._sides:
            _judge(self.tree, chances, side, *self._positions, self._actions[0], worth, weight)
        return worth, weight[self.tree.base[:-1]]

    @property
    def _sides(self) -> range:
        return range(self.tree.pays.shape[1])
