"""``plans``: every legal plan of one hand."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.cli.command import command, form, note
from solver.cli.parameters import (
    Csv,
    GameName,
    HandText,
    Json,
    Options,
    Settled,
    find_game,
    find_hand,
)


@command
def plans(
    game: GameName,
    hand: HandText,
    contract: Settled = "",
    call: Annotated[str, typer.Option("--call", metavar="CARDS", help="only plans that call these, or 'alone'")] = "",
    every: Annotated[bool, typer.Option("--all", help="print long tables whole")] = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every legal plan of a hand, talon included: calls and buries, passes, trumps."""
    from solver.bidding.plans import LONG
    from solver.bidding.plans import plans as ask
    from solver.views.answers import about_game, show

    chosen = find_game(game, option)
    hand, seed = find_hand(chosen, hand, chosen.contract(contract).declarer or 0, talon=True)
    found = ask(chosen, hand, contract, call=call)
    rows, kind = found.rows, form(json, csv)
    if kind == "table" and len(rows) > LONG and not every:
        note(f"the first {LONG} of {found.count} plans: --all prints all, --json and --csv have all")
        rows = rows[:LONG]
    about = about_game(
        chosen, "rules of the game", seed=seed, hand=chosen.deck.write(found.hand), contract=contract, count=found.count
    )
    show(rows, about, kind, heading=[found.heading], notes=found.notes)
