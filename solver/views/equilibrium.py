"""The kit solved, as tables for people and as the one JSON object, and a bar that tells NashConv meanwhile."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from solver.deals.versions import versions
from solver.views.progress import progress_bar
from solver.views.tables import plain_rows

if TYPE_CHECKING:
    from solver.games import Game
    from solver.hidden.equilibrium import Equilibrium, Told
    from solver.hidden.secured import Secured
    from solver.hidden.strategy import Decision

__all__ = [
    "about_decision", "about_equilibrium", "about_secured", "decision_heading", "decision_notes", "decision_rows",
    "equilibrium_notes", "equilibrium_rows", "learning_bar", "secured_heading", "secured_notes", "secured_rows",
]  # fmt: skip

#: What JSON says of the solution in which a decision is looked up.
_SOLUTION = ("game", "options", "method", "contract", "unit", "iterations", "nashconv", "partial", "versions")


@contextmanager
def learning_bar(so_far: str, label: str = "iterations") -> Iterator[Told | None]:
    """Give a function of (done, total, number) that shows progress; None where nobody sees it.

    Parameters
    ----------
    so_far
        What the number is.
    label
        What is counted.
    """
    with progress_bar(label) as bar:
        if bar is None:
            yield None
            return

        def tell(done: int, total: int, number: float, /) -> None:
            bar(done, total, "" if math.isnan(number) else f"{so_far} {number:.6f}")

        yield tell


def _number(value: float | None, unit: str) -> str | None:
    """A payoff: chances in per cent."""
    if value is None:
        return None
    return f"{100 * value:.3f} %" if unit == "chance" else f"{value:.5f}"


# ---------------------------------------------------------------------- all seats


def equilibrium_rows(found: Equilibrium) -> list[dict[str, Any]]:
    """Rows of the seats: what each gets, and what its best answer to the others would get."""
    _, rows = plain_rows(found.frame)
    return [
        {"seat": row["seat"], **{name: _number(row[name], found.unit) for name in ("value", "best_response", "gain")}}
        for row in rows
    ]


def equilibrium_notes(found: Equilibrium) -> list[str]:
    """What the numbers are, and what they are not."""
    told = [_payoff(found), *found.notes]
    if found.game.seats > 2:
        told.append(
            "NashConv: the gains together; even with 0 no seat is sure of its value when others play otherwise: see "
            "--clairvoyant"
        )
    return told


def _payoff(found: Equilibrium) -> str:
    """What each seat plays for."""
    one = found.contract
    side = sorted(one.side or (() if one.declarer is None else (one.declarer,)))
    if not side:
        return "value: tricks of the seat, mean of all deals"
    who = f"seat{'s' if len(side) > 1 else ''} {' '.join(map(str, side))}"
    if one.target is None:
        return f"value: for {who} the tricks of this side, for every other seat those of the rest, mean of all deals"
    return f"value: for {who} the chance to take {one.target} or more, for every other seat that of fewer"


def about_equilibrium(found: Equilibrium) -> dict[str, Any]:
    """Describe a solution for JSON."""
    about = {"seed": None, "n": found.counts["deals"], **found.to_json()}
    del about["rows"]
    return about


# ---------------------------------------------------------------------- one decision


def decision_rows(found: Decision) -> list[dict[str, Any]]:
    """Rows of the cards: how often each is played, and what it is worth."""
    _, rows = plain_rows(found.frame)
    return [
        {"card": row["card"], "chance": f"{100 * row['chance']:.1f} %",
         "worth": None if row["worth"] is None else _number(row["worth"], found.unit)}
        for row in rows
    ]  # fmt: skip


def decision_heading(solution: Equilibrium, found: Decision, history: str) -> tuple[str, ...]:
    """What was asked, and of which solution."""
    asked = solution.heading[0].partition(":")[0]
    after = f" after {' '.join(history.split())}" if history.strip() else ""
    return f"{asked}: seat {found.seat} is on turn with {found.hand}{after}", *solution.heading[1:]


def decision_notes(found: Decision) -> list[str]:
    """What the columns are, and what limits them."""
    worth = f"worth: what the seat gets in all, in {found.unit}, when all go on by the strategy"
    return [*([worth] if found.frame["worth"].notna().any() else []), *found.notes]


def about_decision(solution: Equilibrium, found: Decision, history: str) -> dict[str, Any]:
    """Describe a decision for JSON."""
    whole = solution.to_json()
    about = {**{name: whole[name] for name in _SOLUTION}, "seed": None, "n": solution.counts["deals"],
             "history": history, **found.to_json()}  # fmt: skip
    return {name: value for name, value in about.items() if name not in ("rows", "notes")}


# ---------------------------------------------------------------------- one seat against all


def secured_rows(found: Secured) -> list[dict[str, Any]]:
    """The one row of what a seat secures."""
    return [{"seat": found.seat, **{name: _number(getattr(found, name), found.unit) for name in ("low", "high")}}]


def secured_heading(game: Game, found: Secured) -> tuple[str, ...]:
    """What was asked and how it was answered."""
    contract = f", {found.contract}" if found.contract else ""
    return (
        f"{game.called}{contract}: what seat {found.seat} secures against all others, who see all cards and act "
        f"as one, in {found.unit}",
        f"all {game.deals:,} deals; predictive, {found.iterations} iterations; proved on both sides"
        + (", PARTIAL: interrupted" if found.partial else ""),
    )


def secured_notes() -> list[str]:
    """What the bounds are."""
    return ["low: one way to play of the seat gets it whatever the others do; high: no way to play gets more; mean of "
            "all deals"]  # fmt: skip


def about_secured(game: Game, found: Secured) -> dict[str, Any]:
    """Describe what a seat secures for JSON."""
    return {
        "game": game.name, "options": game.option_values(), "method": "one seat against all others, who see all cards",
        "seed": None, "n": game.deals, "versions": versions(), **found.to_json(),
    }  # fmt: skip
