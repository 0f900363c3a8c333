"""``games`` and ``deal``: what can be played, and random deals of it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from solver.cli.command import command, form, note
from solver.cli.parameters import Csv, GameName, Json, Options, Seed, chosen_seed, find_game


@command
def games(
    name: Annotated[str, typer.Argument(metavar="GAME", help="show this game's options")] = "",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """List the games, or one game's house rules."""
    from solver.games import GAMES
    from solver.games import game as by_name
    from solver.views.answers import about_game, show

    if name:
        one = by_name(name)
        heading = [f"{one.title}: {one.about}", f"a contract has: {', '.join(sorted(one.clauses))}"]
        show(one.describe_options(), about_game(one, "rules of the game"), form(json, csv), heading=heading)
        return
    rows = [
        {"game": g.name, "seats": g.seats, "hand": g.hand_size, "talon": g.talon_size, "unit": g.unit, "about": g.about}
        for g in (kind() for kind in GAMES.values())
    ]
    show(rows, about_game(None, "rules of the games"), form(json, csv))


@command
def deal(
    game: GameName,
    seed: Seed = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Deal at random: a diagram, then the text that the other commands read."""
    from solver.views import diagrams
    from solver.views.answers import about_game, show

    chosen, number = find_game(game, option), chosen_seed(seed)
    dealt = chosen.deal(seed=number)
    if form(json, csv) == "table":
        symbols = diagrams.can_show_symbols(sys.stdout)
        typer.echo(f"{chosen.name}, seed {number}\n\n{diagrams.deal_diagram(dealt, symbols=symbols)}\n\n{dealt.text}")
        return
    rows = [{"seat": s, "cards": chosen.deck.write(hand)} for s, hand in enumerate(dealt.hands)]
    if dealt.talon:
        rows.append({"seat": chosen.talon_label, "cards": chosen.deck.write(dealt.talon)})
    if csv:
        note(f"seed {number}")
    show(rows, about_game(chosen, "random deal", seed=number, n=1, deal=dealt.text), form(json, csv))
