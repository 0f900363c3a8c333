"""How good ways to play are, exactly, in the one game that is solved: the kit.

`league` lets each way to play of `solver.hidden.kit_policies` play the whole game and tells what that is worth, what
could be gained against it, what it loses against the equilibrium, and what it surely gets. `truths` puts the usual
numbers for a contract beside the truth: double dummy, blind lead, self-play, guaranteed. Nothing is sampled: every
number is a mean over all deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.estimate import plain_rows
from solver.deals.versions import versions
from solver.formats.record import contract_text
from solver.games import Game
from solver.hidden.equilibrium import Told, teller
from solver.hidden.kit_policies import POLICIES, Policies
from solver.hidden.kit_tree import GIGABYTES, KitTree, check_kit, kit_tree
from solver.hidden.learner import Learner
from solver.hidden.secured import against_all, proved
from solver.hidden.strategy import unit_of
from solver.model.checks import checks_numbers, excerpt
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError
from solver.model.shown import Shown

__all__ = ["EQUILIBRIUM", "League", "Truths", "league", "truths"]

#: Name of the row of a league that is learned.
EQUILIBRIUM = "equilibrium"

_METHOD = "hidden cards, exact over all deals"

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class League(Shown):
    """Answer of `league`.

    Parameters
    ----------
    game, contract, unit
        What is played, and what values are in.
    iterations
        Of the equilibrium.
    frame
        A row a policy, the nearest to an equilibrium first: `policy`, `nashconv`, `loss` (of all seats), and by seat
        ``value_0``, … when all play it, ``loss_0``, … what a seat loses that plays it against the equilibrium, and
        ``sure_0``, … what it surely gets against others who see everything and act as one.
    partial
        Whether an interrupt ended the learning early; the equilibrium is then one of fewer iterations.
    """

    game: Game
    contract: Contract
    unit: str
    iterations: int
    frame: pd.DataFrame = field(repr=False)
    partial: bool = False

    @property
    def heading(self) -> tuple[str, ...]:
        """What was asked and how it was answered."""
        asked = contract_text(self.game, self.contract) or "each seat for itself"
        return (
            f"{self.game.called}, {asked}: ways to play, in {self.unit}",
            f"exact over all {self.game.deals:,} deals; equilibrium: predictive, {self.iterations} iterations"
            + (", PARTIAL: interrupted" if self.partial else ""),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers are."""
        return (
            "nashconv: what all seats together could gain, each alone, if all play so",
            "value: of each seat when all play so; loss: of a seat that plays so among others who play the "
            "equilibrium, and of all seats; sure: what it gets against others who see everything and act as one",
        )

    def __str__(self) -> str:
        table = self.frame.to_string(index=False, float_format="{:.4f}".format)
        return "\n".join([*self.heading, table, *self.notes])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return {
            "game": self.game.name, "options": self.game.option_values(), "method": _METHOD, "seed": None,
            "n": self.game.deals, "contract": contract_text(self.game, self.contract), "unit": self.unit,
            "iterations": self.iterations, "rows": self.frame.to_dict("records"), "partial": self.partial,
            "notes": list(self.notes), "versions": versions(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Truths(Shown):
    """Answer of `truths`.

    Parameters
    ----------
    game
        What is played.
    iterations
        Of each equilibrium.
    frame
        A row a contract: `contract`, `seat`, `target`; the chance at the equilibrium, `truth`, and its `nashconv`;
        `double_dummy`, `blind_lead`, `self_play`, and between `sure_low` and `sure_high` the guaranteed chance. All
        chances, so that a difference times 100 is in points.
    partial
        Whether an interrupt came before all were done.
    """

    game: Game
    iterations: int
    frame: pd.DataFrame = field(repr=False)
    partial: bool = False

    @property
    def errors(self) -> pd.DataFrame:
        """How far each number is from the truth, in points of a percent chance."""
        out = self.frame[["contract"]].copy()
        out["truth"] = 100 * self.frame["truth"]
        for name in ("double_dummy", "blind_lead", "self_play", "sure_low"):
            out[name] = 100 * (self.frame[name] - self.frame["truth"])
        return out.rename(columns={"sure_low": "guaranteed"})

    @property
    def heading(self) -> tuple[str, ...]:
        """What was asked and how it was answered."""
        return (
            f"{self.game.called}: chance of each contract at the equilibrium (truth), and how many points of a "
            "percent other numbers are off it",
            f"exact over all {self.game.deals:,} deals; predictive, {self.iterations} iterations, NashConv of a "
            f"contract at most {self.frame['nashconv'].max():.5f}" + (", PARTIAL: interrupted" if self.partial else ""),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers are."""
        told = [
            "double dummy: all cards known, all others against the declarer; blind lead: the first card chosen without "
            "sight, then double dummy; self-play: all choose by the mean of double dummy over what they hold possible"
        ]
        if not self.frame["sure_low"].isna().all():
            told.append("guaranteed: what the declarer surely gets against others who see everything, from below")
        return tuple(told)

    def __str__(self) -> str:
        shown = self.errors.dropna(axis=1, how="all")
        shown["truth"] = [f"{x:.2f}" for x in shown["truth"]]
        table = shown.to_string(index=False, float_format="{:+.2f}".format)
        return "\n".join([*self.heading, table, *self.notes])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`; what was left out is None."""
        return {
            "game": self.game.name, "options": self.game.option_values(), "method": _METHOD, "seed": None,
            "n": self.game.deals, "unit": "chance", "iterations": self.iterations, "rows": plain_rows(self.frame),
            "partial": self.partial, "notes": list(self.notes), "versions": versions(),
        }  # fmt: skip


@checks_numbers
def league(
    game: Game,
    contract: str | Contract | None = None,
    *,
    policies: Sequence[str] = POLICIES,
    iterations: int = 100,
    gigabytes: float = GIGABYTES,
    progress: bool | Told | None = None,
) -> League:
    """Compare ways to play a kit, exactly.

    Parameters
    ----------
    game, contract
        As for `solver.hidden.equilibrium.equilibrium`.
    policies
        Some of `POLICIES`; the equilibrium is always among the rows.
    iterations
        Of the equilibrium that all are compared with.
    gigabytes, progress
        As for `solver.hidden.equilibrium.equilibrium`.

    Raises
    ------
    UnsupportedError, NotationError
        For a game that is too large or no kit, or what makes no sense.
    """
    unknown = [name for name in policies if name not in POLICIES]
    if unknown:
        raise NotationError(f"no policy {excerpt(unknown[0])}: expected some of {', '.join(POLICIES)}")
    kit = kit_tree(game, contract, gigabytes=gigabytes)
    learner, partial = _learned(kit, iterations, progress)
    best = learner.mix().copy()
    values = learner.values(best)
    ways = Policies(kit)
    rows = [_row(learner, kit, name, ways.chances(name), best, values) for name in policies]
    rows.append(_row(learner, kit, EQUILIBRIUM, best, best, values))
    frame = pd.DataFrame(rows).sort_values("nashconv", kind="stable", ignore_index=True)
    return League(kit.game, kit.contract, unit_of(kit.contract), learner.rounds, frame, partial)


def _learned(kit: KitTree, iterations: int, progress: bool | Told | None) -> tuple[Learner, bool]:
    """A learner after so many iterations, fewer if it was interrupted."""
    learner, tell = Learner(kit.tree, "predictive", start=kit.contract.leader), teller(progress)
    try:
        while learner.rounds < iterations:
            learner.learn()
            tell(learner.rounds, iterations, float("nan"))
    except KeyboardInterrupt:
        if not learner.rounds:
            raise KeyboardInterrupt("stopped before the first iteration was done") from None
        return learner, True
    return learner, False


def _row(learner: Learner, kit: KitTree, name: str, chances: _Floats, best: _Floats, values: _Floats) -> dict[str, Any]:
    own, answers = learner.values(chances), learner.answers(chances)
    owner = np.repeat(kit.tree.owner, np.diff(kit.tree.base))
    losses = [
        values[seat] - learner.values(np.where(owner == seat, chances, best))[seat] for seat in range(len(values))
    ]
    sure = [learner.worst(chances, seat) for seat in range(len(values))]
    by_seat: dict[str, Iterable[float]] = {"value": own, "loss": losses, "sure": sure}
    columns = {f"{word}_{seat}": float(x) for word, numbers in by_seat.items() for seat, x in enumerate(numbers)}
    return {"policy": name, "nashconv": max(0.0, float((answers - own).sum())), "loss": float(sum(losses)), **columns}


@checks_numbers
def truths(
    game: Game,
    contracts: Iterable[str] | None = None,
    *,
    iterations: int = 50,
    sure_iterations: int = 20,
    gigabytes: float = GIGABYTES,
    progress: bool | Told | None = None,
) -> Truths:
    """Compare the usual numbers for contracts of a kit with the truth.

    The truth is the declarer's chance at an equilibrium of hidden cards. Where two or more others play against it
    without seeing each other's cards there may be several with different chances; it is the one that learning finds.

    Parameters
    ----------
    game
        A kit.
    contracts
        All with one leader, each with one seat and a target, ``"2 by 1"``; None for every seat and number of tricks
        but all and none.
    iterations
        Of each equilibrium.
    sure_iterations
        Of the guaranteed chance, 0 to leave it out.
    gigabytes, progress
        As for `solver.hidden.equilibrium.equilibrium`; what is told are contracts.

    Raises
    ------
    UnsupportedError, NotationError
        For a game that is too large or no kit, or a contract without a seat and a target.
    """
    check_kit(game)
    if game.hand_size < 2:
        raise UnsupportedError("a hand of one card leaves no choice: there is nothing to compare")
    asked = contracts
    if asked is None:
        asked = [f"{k} by {s}, lead 0" for k in range(1, game.hand_size) for s in range(game.seats)]
    read = [game.contract(text) for text in asked]
    for one in read:
        if one.declarer is None or one.target is None:
            raise NotationError(f"contract {contract_text(game, one)!r}: expected a seat and a target, as in '2 by 1'")
        if (one.leader, one.trump) != (read[0].leader, read[0].trump):
            raise NotationError(
                f"contracts {contract_text(game, read[0])!r} and {contract_text(game, one)!r}: expected one leader and "
                "one trump suit for all"
            )
    if not read:
        raise NotationError("no contract is named")
    base = kit_tree(game, read[0], gigabytes=gigabytes, times=2 if sure_iterations else 1)
    rows: list[dict[str, Any]] = []
    tell, partial = teller(progress), False
    try:
        for one in read:
            rows.append(_truth(base.asked(one), one, iterations, sure_iterations))
            tell(len(rows), len(read), rows[-1]["nashconv"])
    except KeyboardInterrupt:
        if not rows:
            raise KeyboardInterrupt("stopped before the first contract was done") from None
        partial = True
    return Truths(game, iterations, pd.DataFrame(rows), partial)


def _truth(kit: KitTree, contract: Contract, iterations: int, sure_iterations: int) -> dict[str, Any]:
    seat = contract.declarer or 0
    learner, interrupted = _learned(kit, iterations, None)
    if interrupted:
        raise KeyboardInterrupt
    chances = learner.mix()
    values = learner.values(chances)
    ways = Policies(kit)
    known = ways.double_dummy()
    sampled = ways.best(known)
    low, high = _sure(kit, seat, sure_iterations) if sure_iterations else (np.nan, np.nan)
    return {
        "contract": contract_text(kit.game, contract), "seat": seat, "target": contract.target,
        "truth": float(values[seat]), "nashconv": float((learner.answers(chances) - values).sum()),
        "double_dummy": ways.at_roots(known, seat),
        "blind_lead": ways.at_roots(ways.one_ply(sampled, known), seat),
        "self_play": float(learner.values(sampled)[seat]), "sure_low": low, "sure_high": high,
    }  # fmt: skip


def _sure(kit: KitTree, seat: int, iterations: int) -> tuple[float, float]:
    learner = Learner(against_all(kit, seat), "predictive")
    for _ in range(iterations):
        learner.learn()
    return proved(learner, -np.inf, np.inf)
