"""``check``: whether a written deal keeps the rules; ``convert``: the same deals in another notation."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.command import command, form, note
from solver.cli.parameters import Csv, Json, read_bytes, read_file, say_remarks
from solver.model.errors import TrickwiseError

if TYPE_CHECKING:
    from solver.formats.boards import WrittenDeal

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
    dealer: Annotated[
        str, typer.Option(metavar="SEAT", help="dealer of boards that name none, as LIN needs one: N, E, S or W")
    ] = "",
) -> None:
    """Write the deals of a file in another notation, on standard output."""
    from solver.formats.lin import left_out
    from solver.games import game

    bridge = notation in (Notation.pbn, Notation.lin)
    found = read_file(file, game("bridge") if bridge else None)
    texts, errors = [], []
    for written in found.deals:
        try:
            texts.append(_text(written, notation, dealer))
        except TrickwiseError as wrong:
            errors.append(type(wrong)(f"board {written.name}: {wrong}" if written.name else str(wrong)))
    if not texts:
        raise errors[0]
    lost = [name for written in found.deals for name in left_out(written.board())] if notation is Notation.lin else []
    if lost:
        note(f"LIN has no place for {', '.join(dict.fromkeys(lost))}")
    typer.echo(("" if notation in (Notation.lin, Notation.text) else "\n").join(texts), nl=False)
    for error in errors:
        note(f"trickwise: {error}")
    if found.errors or errors:
        raise typer.Exit(1)


def _text(written: WrittenDeal, notation: Notation, dealer: str) -> str:
    """One deal in a notation."""
    from solver.formats.lin import write_lin
    from solver.formats.pbn import write_pbn

    if notation is Notation.text:
        return written.deal.text + "\n"
    if notation is Notation.record:
        return written.record.text
    board = written.board()
    if dealer and not board.words("Auction"):
        board = replace(board, tags={"Dealer": dealer.strip().upper()[:1], **board.tags})
    return write_pbn([board]) if notation is Notation.pbn else write_lin([board])
