"""``check``: whether a written deal keeps the rules."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from solver.cli.command import command, form
from solver.cli.parameters import Csv, Json


@command
def check(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="a file with the record of a deal, '-' for input")],
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Whether a written deal keeps the rules: auction, plan, play, score. Exit code 1 when something is wrong."""
    from solver.analysis.check import check as ask
    from solver.formats.record_read import load_record
    from solver.views.answers import about_game, show

    if record.strip() == "-":
        raw = sys.stdin.buffer.read()
    else:
        with open(record, "rb") as file:
            raw = file.read()
    found = ask(load_record(raw, "standard input" if record.strip() == "-" else record))
    about = {**about_game(found.record.game, "replay", n=1), **found.to_json()}
    rows, notes, kind = about.pop("rows"), about.pop("notes"), form(json, csv)
    if found.ok and kind == "table":
        typer.echo(str(found))
    else:
        show(found.frame if kind == "csv" else rows, about, kind, heading=[found.heading], notes=notes)
    if not found.ok:
        raise typer.Exit(1)
