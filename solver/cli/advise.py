"""``advise``: which card to play, on what one seat has seen."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from solver.cli.command import command, form, waiting, write_estimate
from solver.cli.parameters import (
    Csv,
    Json,
    Limit,
    Options,
    Play,
    Seat,
    Seed,
    Settled,
    Totals,
    Until,
    Workers,
    Worlds,
    chosen_seed,
)
from solver.cli.worlds import Auction, Dealer, File, Hand, Name, Talon, find_knowledge
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError

#: Last line under a table.
MEANING = (
    "double dummy: from the next card on all seats see all cards, in every one of these deals; no forecast of play "
    "at a table"
)


@command
def advise(
    game: Name = "",
    hand: Hand = "",
    contract: Settled = "",
    play: Play = "",
    talon: Talon = "",
    auction: Auction = "",
    record: File = "",
    seat: Seat = None,
    dealer: Dealer = None,
    objective: Annotated[
        str, typer.Option(help="score, make, points, tricks or session; the score where the contract allows")
    ] = "",
    model: Annotated[str, typer.Option(help="where each plays for itself: rest (all others together) or max-n")] = (
        "rest"
    ),
    totals: Totals = "",
    equilibrium: Annotated[
        str, typer.Option(metavar="FILE", help="kit: answer from this one, made with 'equilibrium kit --save FILE'")
    ] = "",
    worlds: Worlds = "",
    until: Until = "",
    limit: Limit = 0,
    seed: Seed = None,
    workers: Workers = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Which card to play: each legal card over the deals that fit what you have seen."""
    from solver.formats.arguments import read_number
    from solver.seat.advice import WORLDS
    from solver.seat.advice import advise as ask
    from solver.views import tables
    from solver.views.advice import advice_table

    number, width, before = read_number("worlds", worlds), read_until(until), read_totals(totals)
    known = find_knowledge(game, hand, contract, play, talon, auction, record, seat, dealer, option)
    chosen = number if isinstance(number, int) else WORLDS if number is None else most_listed(known.count())
    solved = None
    if equilibrium:
        from solver.hidden.equilibrium import read_equilibrium

        solved = read_equilibrium(equilibrium)
    with waiting("deals searched") as progress:
        found = ask(
            known, seed=chosen_seed(seed), worlds=chosen, objective=objective or None, model=model, totals=before,
            until=width, limit=limit, equilibrium=solved, workers=workers, progress=progress,
        )  # fmt: skip

    def table() -> None:
        heading = [known.heading, found.heading[1]]
        meaning = () if "chance" in found.frame else (MEANING,)
        tables.print_table(advice_table(found), sys.stdout, heading=heading, notes=[*found.notes, *meaning])

    write_estimate(found, form(json, csv), table)
    if found.partial:
        raise KeyboardInterrupt


def most_listed(count: int) -> int:
    """All worlds, where there are not too many to search."""
    from solver.worlds.knowledge import MOST_LISTED

    if count > MOST_LISTED:
        raise UnsupportedError(f"{count:,} worlds are too many to search all: name a number, at most {MOST_LISTED:,}")
    return count


def read_until(text: str) -> float | str | None:
    """A half-width, with or without a per cent sign, or ``clear``."""
    word = text.strip().lower()
    if word in ("", "clear"):
        return word or None
    try:
        return float(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
    except ValueError:
        raise NotationError(f"until is {excerpt(text)}: expected a number above 0, or 'clear'") from None


def read_totals(text: str) -> tuple[int, ...] | None:
    """Whole numbers with commas or spaces between."""
    parts = text.replace(",", " ").split()
    if not all(re.fullmatch(r"\d{1,9}", part, re.ASCII) for part in parts):
        raise NotationError(f"totals are {excerpt(text)}: expected whole numbers, as in 3,3,2")
    return tuple(map(int, parts)) or None
