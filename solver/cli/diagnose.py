"""``diagnose``: leaf correlation, bias and disambiguation of a game."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from solver.cli.command import command, form, waiting, write_estimate
from solver.cli.parameters import Csv, GameName, Json, Options, Seed, Settled, chosen_seed, find_game

Counted = Annotated[
    int | None, typer.Option(min=0, help="deals, of those, in which worlds are counted; 0 leaves disambiguation out")
]


@command
def diagnose(
    game: GameName,
    contract: Settled = "",
    deals: Annotated[int | None, typer.Option(min=1, help="deals to play out")] = None,
    counted: Counted = None,
    seed: Seed = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """How well sampling suits a game: leaf correlation, bias and disambiguation under random play."""
    chosen = find_game(game, option)
    from solver.hidden.diagnose import DEALS
    from solver.hidden.diagnose import diagnose as ask
    from solver.views import tables
    from solver.views.diagnose import measure_rows, turn_rows

    with waiting("deals played") as progress:
        found = ask(
            chosen, contract or None, deals=DEALS if deals is None else deals, counted=counted,
            seed=chosen_seed(seed), progress=progress,
        )  # fmt: skip

    def table() -> None:
        last = found.notes if not len(found.turns) else ()
        tables.print_table(measure_rows(found), sys.stdout, heading=found.heading, notes=last)
        if len(found.turns):
            sys.stdout.write("\n")
            about = "by the number of a seat's turn: worlds open to it, geometric mean, and what it learns by its next"
            tables.print_table(turn_rows(found), sys.stdout, heading=[about], notes=found.notes)

    write_estimate(found, form(json, csv), table)
    if found.partial:
        raise KeyboardInterrupt
