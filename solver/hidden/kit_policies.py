"""Ways to play a kit as a game of hidden cards, each a table of chances that is evaluated exactly.

All but the equilibrium look at the deals that a seat still holds possible, each as likely as any other (PIMC, perfect
information Monte Carlo, with all worlds instead of a sample), give every card the mean of some value over them, and
play the best; equal cards are shared evenly.

* random: any legal card.
* PIMC, max-n: the deal goes on with all cards known, each seat for itself.
* PIMC, two sides: it goes on with all cards known, all others against the seat and its side.
* blind lead: the next seat chooses its card blind, as PIMC over two sides would; all cards are known only after that.
* roll-outs: it goes on at random; or, in roll-outs of PIMC, as PIMC over two sides plays, by what each seat knows.
* equilibrium: from `solver.hidden.equilibrium`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.hidden.kit_tree import KitTree
from solver.kernels import cfr, policies

__all__ = ["POLICIES", "Policies"]

#: Names of the ways to play that need no equilibrium.
POLICIES = ("random", "PIMC, max-n", "PIMC, two sides", "blind lead", "roll-outs", "roll-outs of PIMC")

_Floats = NDArray[np.float64]

_value: Any = cfr.value
_max_n: Any = policies.max_n
_two_sides: Any = policies.two_sides
_one_ply: Any = policies.one_ply
_add_up: Any = policies.add_up
_choose: Any = policies.choose


class Policies:
    """Ways to play one kit.

    Parameters
    ----------
    kit
        With a side for each seat.
    """

    def __init__(self, kit: KitTree) -> None:
        self.kit = kit
        self.tree = kit.tree
        self.seats = kit.game.seats

    def chances(self, name: str) -> _Floats:
        """Chances of all actions by one of `POLICIES`."""
        match name:
            case "random":
                return self.random()
            case "PIMC, max-n":
                return self.best(self.max_n())
            case "PIMC, two sides":
                return self.best(self.double_dummy())
            case "blind lead":
                known = self.double_dummy()
                return self.best(self.one_ply(self.best(known), known))
            case "roll-outs":
                return self.best(self.played(self.random()))
            case "roll-outs of PIMC":
                return self.best(self.played(self.chances("PIMC, two sides")))
        raise KeyError(name)

    def random(self) -> _Floats:
        """Every legal card alike."""
        start: cfr.Play = cfr.new_play(self.tree)
        return start.now

    def max_n(self) -> _Floats:
        """``float64[seats, positions]``: with all cards known, each for itself."""
        worth = self._room()
        _max_n(self.tree, worth)
        return worth

    def double_dummy(self) -> _Floats:
        """``float64[seats, positions]``: with all cards known, the seat and those paid like it against the others."""
        worth = self._room()
        for seat, row in enumerate(worth):
            _two_sides(self.tree, seat, self._team(seat), row)
        return worth

    def played(self, chances: _Floats) -> _Floats:
        """``float64[seats, positions]``: all play on by these chances."""
        worth = self._room()
        for seat, row in enumerate(worth):
            _value(self.tree, chances, seat, row)
        return worth

    def one_ply(self, chances: _Floats, worth: _Floats) -> _Floats:
        """Values when the seat in turn plays by these chances, and `worth` holds after that."""
        out = self._room()
        for seat, row in enumerate(out):
            _one_ply(self.tree, seat, chances, worth[seat], row)
        return out

    def best(self, worth: _Floats) -> _Floats:
        """Chances of seats that take what is best on average over the deals they hold possible."""
        gain, chances = np.zeros((2, int(self.tree.base[-1])))
        for seat, row in enumerate(worth):
            _add_up(self.tree, seat, row, gain)
            _choose(self.tree, seat, gain, chances)
        return chances

    def at_roots(self, worth: _Floats, seat: int) -> float:
        """Mean value of the deals."""
        roots = self.tree.roots
        values = np.concatenate([worth[seat], self.tree.pays[::-1, seat]])  # an outcome counts from the end
        return float(values[roots].mean())

    def _team(self, seat: int) -> NDArray[np.bool_]:
        """Seats whose payoffs are always those of this one."""
        team: NDArray[np.bool_] = (self.tree.pays == self.tree.pays[:, [seat]]).all(axis=0)
        return team

    def _room(self) -> _Floats:
        return np.empty((self.seats, len(self.tree.action)))
