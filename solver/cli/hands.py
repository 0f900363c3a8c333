"""Questions about one seat's cards alone: ``bid`` and ``plans``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from solver.cli.command import command, form, note, waiting
from solver.cli.parameters import (
    Csv,
    GameName,
    HandText,
    Json,
    Lead,
    LimitOrUsual,
    Options,
    Plot,
    Seat,
    Seed,
    Settled,
    Talons,
    Workers,
    Worlds,
    chosen_seed,
    find_game,
    find_hand,
)

#: Last line under a success curve.
MEANING = (
    "p: share of these deals in which the bid makes double dummy (all cards seen by all, perfect play); "
    "no forecast of play at a table"
)


@command
def bid(
    game: GameName,
    hand: HandText,
    contract: Annotated[str, typer.Option("--contract", "--plan", help="what you would play, where it matters")] = "",
    seat: Seat = None,
    lead: Lead = None,
    worlds: Worlds = "",
    talons: Talons = "",
    seed: Seed = None,
    limit: LimitOrUsual = None,
    workers: Workers = None,
    plot: Plot = "",
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """How often each bid makes for one hand, over deals that fit it."""
    chosen = find_game(game, option)
    from solver.formats.arguments import check_picture, read_number

    if plot:
        check_picture(plot)
    hand, _ = find_hand(chosen, hand, seat or 0)
    if lead is not None:
        contract = f"{contract}, lead {lead}"
    given = {"worlds": read_number("worlds", worlds), "talons": read_number("talons", talons)}
    from solver.analysis.bidding import bid as ask
    from solver.views import tables

    with waiting("deals searched") as progress:
        found = ask(
            chosen,
            hand,
            seat=seat,
            contract=contract,
            seed=chosen_seed(seed),
            limit=limit,
            workers=workers,
            progress=progress,
            **given,
        )
    if found.partial and not found.n:
        raise KeyboardInterrupt
    if json:
        tables.write_json(found.to_json(), sys.stdout)
    elif csv:
        note("\n".join(found.heading))
        tables.write_csv(found.frame, sys.stdout)
    else:
        tables.print_table(found.frame, sys.stdout, heading=found.heading, notes=[*found.notes, MEANING])
    if plot:
        from solver.views.plot import save_curve

        save_curve(found, plot)
    if found.partial:
        raise KeyboardInterrupt


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
    from solver.analysis.plans import LONG
    from solver.analysis.plans import plans as ask
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
