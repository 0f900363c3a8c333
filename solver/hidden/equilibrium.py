"""The kit as the game of hidden cards that it is: an equilibrium, and how far from one it is.

Nobody sees the cards of the others, and every seat may mix its plays. All seats learn together by counterfactual regret
minimisation (`solver.kernels.cfr`); the measure is NashConv, what all seats together could still gain if each alone
changed to its best answer, computed exactly on the whole tree. For two sides of zero sum such learning surely comes to
an equilibrium; with three or more seats no theorem says so, and NashConv is the proof of what was reached.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.estimate import plain_rows
from solver.deals.success import progress_bar
from solver.deals.versions import versions
from solver.formats.record import contract_text
from solver.games import Game
from solver.hidden.advice_equilibrium import advise_at
from solver.hidden.kit_tree import GIGABYTES, KitTree, check_kit, kit_tree
from solver.hidden.learner import METHODS, Learner
from solver.hidden.strategy import Strategy, unit_of
from solver.hidden.strategy_file import TABLE, damaged, read_arrays, strategy_of, write_arrays
from solver.kernels import cfr
from solver.model.checks import checks_numbers, excerpt
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError
from solver.model.shown import Shown, counted
from solver.seat.advice_answer import Advice
from solver.worlds.knowledge import Knowledge

__all__ = ["METHODS", "Equilibrium", "Told", "equilibrium", "read_equilibrium", "teller"]


_TOO_EARLY = "stopped before the first iteration was done"

#: What its file calls itself.
_KIND = "equilibrium"
_COLUMNS = ("seat", "value", "best_response", "gain")

#: What the learner keeps.
_STATE = ("now", "regret", "plan")


_Floats = NDArray[np.float64]


class Told(Protocol):
    """Receives how far the work is."""

    def __call__(self, done: int, total: int, nashconv: float, /) -> None:
        """Iterations done, to do in all, and NashConv when it was last computed."""


@dataclass(frozen=True, eq=False)
class Equilibrium(Shown):
    """How all seats play, what each gets, and how much each could still gain.

    Parameters
    ----------
    game, contract
        What was solved.
    method
        One of `METHODS`.
    iterations
        Of the learning, in which every seat learns once.
    nashconv
        Sum over seats of what a best answer gains, in `unit`.
    frame
        A row a seat: `seat`, `value`, `best_response` (the value of its best answer to the others), `gain`.
    convergence
        A row a look: `iterations`, `nashconv`, and the value of each seat, ``value_0``, …
    counts
        Size of the game, see `solver.hidden.kit_tree.KitTree.counts`.
    strategy
        The table of all chances.
    partial
        Whether an interrupt ended it early.
    state
        What the learner needs to go on.
    versions
        Of trickwise, numpy, numba and Python.
    """

    game: Game
    contract: Contract
    method: str
    iterations: int
    nashconv: float
    frame: pd.DataFrame = field(repr=False)
    convergence: pd.DataFrame = field(repr=False)
    counts: dict[str, int] = field(repr=False)
    strategy: Strategy = field(repr=False)
    partial: bool = False
    state: dict[str, _Floats] = field(default_factory=dict, repr=False)
    versions: dict[str, str] = field(default_factory=versions, repr=False)

    @property
    def unit(self) -> str:
        """Of values: tricks, or the chance to take as many as a contract says."""
        return unit_of(self.contract)

    @property
    def heading(self) -> tuple[str, ...]:
        """What was asked and how it was answered."""
        asked = contract_text(self.game, self.contract) or f"lead {self.contract.leader}, each seat for itself"
        return (
            f"{self.game.called}, {asked}: value by seat at the equilibrium, in {self.unit}",
            f"hidden cards, all {self.counts['deals']:,} deals; {self.method}, "
            f"{counted(self.iterations, 'iterations')}; NashConv {self.nashconv:.6f}, exact"
            + (", PARTIAL: interrupted" if self.partial else ""),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers are."""
        kept = self.counts
        many = "one equilibrium of perhaps many, whose values may differ: the one found when the leader learns first"
        return (
            *((many,) if len(self.frame) > 2 else ()),
            f"no seat gains more than {self.frame['gain'].max():.6f} {self.unit} by another way to play; "
            f"{kept['information sets']:,} information sets with a choice ({kept['information sets kept']:,} up to the "
            f"names of suits), {kept['plays']:,} plays",
        )

    def __str__(self) -> str:
        table = self.frame.to_string(index=False, float_format="{:.5f}".format)
        return "\n".join([*self.heading, table, *self.notes])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return {
            "game": self.game.name, "options": self.game.option_values(),
            "contract": contract_text(self.game, self.contract), "method": self.method, "unit": self.unit,
            "iterations": self.iterations, "nashconv": self.nashconv, "rows": plain_rows(self.frame),
            "convergence": plain_rows(self.convergence), "counts": self.counts, "partial": self.partial,
            "versions": self.versions,
        }  # fmt: skip

    def advise_at(self, knowledge: Knowledge, objective: str | None, seed: int) -> Advice | tuple[str, ...]:
        """What to play on this knowledge; see `solver.hidden.advice_equilibrium.advise_at`."""
        return advise_at(knowledge, self, objective, seed)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file of which `read_equilibrium` reads the same, and from which the learning can go on."""
        facts = {
            "kind": _KIND, "options": self.game.changed_options(), "contract": contract_text(self.game, self.contract),
            "method": self.method, "iterations": self.iterations, "nashconv": self.nashconv,
            "frame": self.frame.to_dict("list"), "convergence": self.convergence.to_dict("list"),
            "counts": self.counts, "partial": self.partial, "versions": self.versions,
        }  # fmt: skip
        write_arrays(path, facts, {**{name: getattr(self.strategy, name) for name in TABLE}, **self.state})


def read_equilibrium(path: str | os.PathLike[str], *, state: bool = False) -> Equilibrium:
    """Read a file that `Equilibrium.save` wrote.

    Parameters
    ----------
    state
        Whether to read what the learner needs to go on, too.

    Raises
    ------
    NotationError
        For a file that is damaged or of another kind or version.
    """
    facts, arrays = read_arrays(path, (*TABLE, *(_STATE if state else ())))
    strategy = strategy_of(facts, arrays, path)
    try:
        frame, convergence = pd.DataFrame(facts["frame"]), pd.DataFrame(facts["convergence"])
        good = (
            facts["kind"] == _KIND
            and facts["method"] in METHODS
            and type(facts["iterations"]) is int
            and list(frame.columns) == list(_COLUMNS)
            and list(convergence.columns[:2]) == ["iterations", "nashconv"]
        )
        found = Equilibrium(
            strategy.game, strategy.contract, facts["method"], facts["iterations"], float(facts["nashconv"]), frame,
            convergence, dict(facts["counts"]), strategy, bool(facts["partial"]),
            {name: arrays[name] for name in _STATE} if state else {}, dict(facts["versions"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(path, error) from None
    if not good:
        raise damaged(path, "its facts are not those of an equilibrium")
    return found


@checks_numbers
def equilibrium(
    game: Game,
    contract: str | Contract | None = None,
    *,
    iterations: int = 300,
    method: str = "predictive",
    nashconv: float = 0.0,
    start: Equilibrium | str | os.PathLike[str] | None = None,
    gigabytes: float = GIGABYTES,
    progress: bool | Told | None = None,
) -> Equilibrium:
    """Solve a kit as a game of hidden cards.

    Parameters
    ----------
    game
        The kit, or a variant of any size that fits.
    contract
        Who leads and what is asked: nothing, and each seat counts its own tricks; ``"2 by 0, lead 1"``, and seat 0
        wants two tricks or more while all others want to prevent it, without seeing each other's cards.
    iterations
        How many in all, with those of `start`. Every one is a pass of every seat over the whole tree.
    method
        ``"predictive"`` CFR+, ``"cfr+"`` or plain ``"cfr"``.
    nashconv
        Stop as soon as it is no more than this; it is looked at about twenty times.
    start
        An equilibrium, or its file, to go on from: the same game, contract and method. Goes on to the same numbers as
        if it had not stopped.
    gigabytes
        Memory that it may take.
    progress
        True for a line on standard error, or a function of (done, total, NashConv so far).

    Returns
    -------
    Equilibrium
        An interrupt returns what was reached, marked partial.

    Raises
    ------
    UnsupportedError
        For another game, or a kit that is too large: with an estimate of the memory.
    NotationError
        For a contract or number that makes no sense, or a start that is of something else.
    """
    if method not in METHODS:
        raise UnsupportedError(f"method {excerpt(method)}: expected one of {', '.join(METHODS)}")
    if isinstance(start, str | os.PathLike):
        start = read_equilibrium(start, state=True)
    if start is not None:
        _check_start(*check_kit(game, contract), method, iterations, start)
    try:
        tree = kit_tree(game, contract, gigabytes=gigabytes)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_TOO_EARLY) from None
    play = None if start is None else _resumed(tree, start)
    # The leader learns first, so that with another leader all values move on with the seats.
    learner = Learner(tree.tree, method, start=tree.contract.leader, play=play)
    tell = teller(progress)
    rows: list[dict[str, Any]] = [] if start is None else plain_rows(start.convergence)
    partial, look = False, None
    reached = float("nan") if start is None else start.nashconv
    try:
        while learner.rounds < iterations and not reached <= nashconv:
            learner.learn()
            done = learner.rounds
            if done == iterations or _look_at(done):
                look = _look(learner)
                reached = look.nashconv
                rows.append(look.row)
            tell(done, iterations, reached)
    except KeyboardInterrupt:
        if not learner.rounds:
            raise KeyboardInterrupt(_TOO_EARLY) from None
        partial = True
    if look is None or look.rounds != learner.rounds:
        look = _look(learner)
    rows = [*(row for row in rows if row["iterations"] < look.rounds), look.row]
    return Equilibrium(
        tree.game, tree.contract, method, look.rounds, look.nashconv, look.frame,
        pd.DataFrame(rows).astype({"iterations": np.int64}), tree.counts, strategy_from(tree, learner, look.chances),
        partial, {name: getattr(learner.play, name) for name in _STATE},
    )  # fmt: skip


def _look_at(done: int) -> bool:
    """Whether to look at NashConv after so many iterations: after 1, 2, 3, 5, 7, 10, …, rounder and rarer."""
    step = 10 ** max(0, len(str(done)) - 1)
    return done % step == 0 and done // step in (1, 2, 3, 5, 7)


class _Look(NamedTuple):
    """What has been learned after so many iterations: chances by the mean plan, and by seat what they bring."""

    rounds: int
    chances: _Floats
    values: _Floats
    answers: _Floats

    @property
    def gains(self) -> _Floats:
        """What a best answer gains; below 0 by rounding only."""
        return np.maximum(self.answers - self.values, 0.0)

    @property
    def nashconv(self) -> float:
        """All gains together."""
        return float(self.gains.sum())

    @property
    def row(self) -> dict[str, Any]:
        """Of the table of convergence."""
        by_seat = {f"value_{seat}": float(value) for seat, value in enumerate(self.values)}
        return {"iterations": self.rounds, "nashconv": self.nashconv, **by_seat}

    @property
    def frame(self) -> pd.DataFrame:
        """A row a seat."""
        columns = (range(len(self.values)), self.values, self.answers, self.gains)
        return pd.DataFrame(dict(zip(_COLUMNS, columns, strict=True)))


def _look(learner: Learner) -> _Look:
    chances = learner.mix()
    return _Look(learner.rounds, chances, learner.values(chances), learner.answers(chances))


def strategy_from(tree: KitTree, learner: Learner, chances: _Floats) -> Strategy:
    """Make a table of chances, with what each action is worth under them."""
    worth, weight = learner.judge(chances)
    return Strategy(
        tree.game, tree.contract, tree.keys, tree.tree.base, chances.astype(np.float32), worth.astype(np.float32),
        weight.astype(np.float32), tree.alike > 0,
    )  # fmt: skip


def _check_start(game: Game, contract: Contract, method: str, iterations: int, start: Equilibrium) -> None:
    """Refuse to go on from an answer to another question."""
    if (start.game, start.contract, start.method) != (game, contract, method):
        raise NotationError(
            f"the start is of {start.game.called}, contract {contract_text(start.game, start.contract) or 'none'}, by "
            f"{start.method}: not of what is asked"
        )
    if start.iterations > iterations:
        raise NotationError(f"the start has {start.iterations} iterations: more than the {iterations} asked for")


def _resumed(tree: KitTree, start: Equilibrium) -> cfr.Play:
    """The state of an earlier run."""
    shape, kind = (int(tree.tree.base[-1]),), np.dtype(np.float64)
    if set(start.state) != set(_STATE) or any((a.shape, a.dtype) != (shape, kind) for a in start.state.values()):
        raise NotationError("the start has no state to go on from, or another game's: read it with state=True")
    now, regret, plan = (start.state[name].copy() for name in _STATE)
    return cfr.Play(now, regret, plan, np.array([start.iterations], np.int64))


def teller(progress: bool | Told | None) -> Told:
    """The function to tell how far the work is."""
    if callable(progress):
        return progress
    bar = progress_bar(progress)

    def tell(done: int, total: int, nashconv: float, /) -> None:
        if bar is not None:
            bar(done, total)

    return tell
