"""``league``: ways to play the kit, or the usual numbers for its contracts, beside the equilibrium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.cli.command import command, form, note
from solver.cli.equilibrium import Gigabytes, Iterations
from solver.cli.files import Force, check_files
from solver.cli.parameters import Csv, GameName, Json, Options, Plot, Settled, find_game
from solver.model.errors import UnsupportedError

if TYPE_CHECKING:
    from solver.hidden.league import League, Truths

Contracts = Annotated[list[str] | None, Settled.__metadata__[0]]  # the same option, which may be repeated
AskTruths = Annotated[
    bool,
    typer.Option(
        "--truths",
        help="instead: how far the usual numbers for each --contract, or for all, are off the truth; with it 50 "
        "iterations when absent, without it 100",
    ),
]


@command
def league(
    game: GameName,
    contract: Contracts = None,
    truths: AskTruths = False,
    iterations: Iterations = None,
    gigabytes: Gigabytes = None,
    plot: Plot = "",
    force: Force = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Ways to play the kit, each evaluated exactly; or what the usual numbers for its contracts are worth."""
    check_files(force=force, plot=plot)
    chosen, asked, kind = find_game(game, option), contract or [], form(json, csv)
    if len(asked) > 1 and not truths:
        raise UnsupportedError(f"{len(asked)} contracts: only --truths takes more than one")
    amounts = {"iterations": iterations, "gigabytes": gigabytes}
    more: dict[str, Any] = {name: value for name, value in amounts.items() if value is not None}
    from solver.hidden import league as ask
    from solver.views import league as view
    from solver.views.equilibrium import learning_bar

    if truths:
        with learning_bar("NashConv", "contracts") as progress:
            compared = ask.truths(chosen, asked or None, progress=progress, **more)
        _write(compared, view.truth_rows(compared), kind)
        if plot:
            from solver.views.plot import save_truths

            save_truths(compared, plot)
        partial = compared.partial
    else:
        with learning_bar("NashConv") as progress:
            found = ask.league(chosen, asked[0] if asked else None, progress=progress, **more)
        _write(found, view.league_rows(found), kind)
        if plot:
            from solver.views.plot import save_league

            save_league(found, plot)
        partial = found.partial
    if partial:
        raise KeyboardInterrupt


def _write(found: League | Truths, rows: list[dict[str, Any]], kind: str) -> None:
    """Write an answer in the form asked for."""
    from solver.views.answers import show
    from solver.views.league import about

    if kind == "csv":
        note("\n".join(found.heading))
    show(rows if kind == "table" else found.frame, about(found), kind, heading=found.heading, notes=found.notes)
