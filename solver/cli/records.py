"""``check``: whether a written deal keeps the rules; ``convert``: the same deals in another notation."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from solver.cli.command import command, form, note
from solver.cli.parameters import Csv, Json, read_bytes, read_file, say_remarks

Records = Annotated[
    str, typer.Argument(metavar="FILE", help="deals: a record, PBN, LIN, RBN or a skat log; '-' for input")
]


class Notation(StrEnum):
    """What deals are written in."""

    pbn = "pbn"
    lin = "lin"
    record = "record"
    text = "text"


@command
def check(
    record: Records,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Whether written deals keep the rules: auction, plan, play, score. Exit code 1 when something is wrong."""
    import pandas as pd

    from solver.deals.check import check as ask
    from solver.formats.boards import read_records
    from solver.views.answers import about_game, show

    records, found = read_records(read_bytes(record), "standard input" if record.strip() == "-" else record)
    if not records:
        raise found.errors[0]
    say_remarks(found)
    reports = {name: ask(written) for name, written in records.items()}
    kind = form(json, csv)
    if len(reports) == 1:
        (report,) = reports.values()
        about = {**about_game(report.record.game, "replay", n=1), **report.to_json()}
        rows, notes = about.pop("rows"), about.pop("notes")
        if report.ok and kind == "table":
            typer.echo(str(report))
        else:
            show(report.frame if kind == "csv" else rows, about, kind, heading=[report.heading], notes=notes)
    else:
        frames = [r.frame.assign(board=name)[["board", *r.frame.columns]] for name, r in reports.items()]
        game = next(iter(reports.values())).record.game
        about = {
            **about_game(game, "replay", n=len(reports)),
            "boards": [{"board": name, **report.to_json()} for name, report in reports.items()],
        }
        heading = [f"board {name}: {report.heading}" for name, report in reports.items()]
        show(pd.concat(frames), about, kind, heading=heading)
    if found.errors or not all(report.ok for report in reports.values()):
        raise typer.Exit(1)


@command
def convert(
    file: Records,
    notation: Annotated[Notation, typer.Argument(metavar="NOTATION", help="pbn, lin, record or text")],
) -> None:
    """Write the deals of a file in another notation, on standard output."""
    from solver.formats.lin import write_lin
    from solver.formats.pbn import write_pbn

    found = read_file(file)
    if notation in (Notation.pbn, Notation.lin):
        boards = [written.board() for written in found.deals]
        typer.echo(write_pbn(boards) if notation is Notation.pbn else write_lin(boards), nl=False)
    elif notation is Notation.record:
        if len(found.deals) > 1:
            note(f"{len(found.deals)} records, with an empty line between")
        typer.echo("\n".join(written.record.text for written in found.deals), nl=False)
    else:
        typer.echo("\n".join(written.deal.text for written in found.deals))
    if found.errors:
        raise typer.Exit(1)
