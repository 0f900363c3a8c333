"""``check``: whether a written deal keeps the rules; ``convert``: the same deals in another notation."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.command import command, form, note
from solver.cli.parameters import Csv, Json, read_bytes, read_file, say_remarks
from solver.model.checks import excerpt
from solver.model.errors import NotationError, TrickwiseError

if TYPE_CHECKING:
    from solver.formats.boards import WrittenDeal
    from solver.formats.pbn import Board

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
    dealt_by: Annotated[
        str, typer.Option(metavar="SEAT", help="dealer of boards that name none, as LIN needs one: N, E, S or W")
    ] = "",
) -> None:
    """Write the deals of a file in another notation, on standard output."""
    from solver.formats.lin import left_out
    from solver.games import game

    bridge = notation in (Notation.pbn, Notation.lin)
    found = read_file(file, game("bridge") if bridge else None)
    texts, errors, lost = [], [], dict[str, None]()
    for written in found.deals:
        try:
            board = _board(written, dealt_by) if bridge else None
            texts.append(_text(written if board is None else board, notation))
            lost |= dict.fromkeys(left_out(board)) if board is not None and notation is Notation.lin else {}
        except TrickwiseError as wrong:
            errors.append(type(wrong)(f"board {written.name}: {wrong}" if written.name else str(wrong)))
    if not texts:
        raise errors[0]
    if lost:
        note(f"LIN has no place for {', '.join(lost)}")
    typer.echo(("" if notation in (Notation.lin, Notation.text) else "\n").join(texts), nl=False)
    for error in errors:
        note(f"trickwise: {error}")
    if found.errors or errors:
        raise typer.Exit(1)


def _board(written: WrittenDeal, dealt_by: str) -> Board:
    """A deal as a bridge board, with a dealer where it names none."""
    board = written.board()
    if not dealt_by or board.words("Auction"):
        return board
    dealer = board.deal.game.seat_of(dealt_by)
    if dealer is None:
        raise NotationError(f"--dealt-by is {excerpt(dealt_by)}: expected N, E, S or W")
    return replace(board, tags={"Dealer": "NESW"[dealer], **board.tags})


def _text(written: WrittenDeal | Board, notation: Notation) -> str:
    """One deal in a notation, a board in one of boards."""
    from solver.formats.boards import WrittenDeal
    from solver.formats.lin import write_lin
    from solver.formats.pbn_write import write_pbn

    if isinstance(written, WrittenDeal):
        return written.record.text if notation is Notation.record else written.deal.text + "\n"
    return write_pbn([written]) if notation is Notation.pbn else write_lin([written])
