"""``worlds``: how many deals fit what one seat has seen, and where each unseen card may be."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.command import command, form
from solver.cli.parameters import Csv, Json, Options, Play, Seat, Settled, find_game, find_hand, read_bytes
from solver.model.errors import NotationError

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

Name = Annotated[str, typer.Argument(metavar="[GAME]", help="a game, like thousand; not with --record")]
Hand = Annotated[
    str, typer.Argument(metavar="[HAND]", help="your cards, as dealt or as at the first lead; '-', '@SEED'")
]
Talon = Annotated[str, typer.Option("--talon", metavar="CARDS", help="the talon, where you have seen it")]
Auction = Annotated[str, typer.Option("--auction", metavar="CALLS", help="calls so far, like '0 pass, 1 pick'")]
File = Annotated[str, typer.Option("--record", metavar="FILE", help="the record of a deal instead, '-' for input")]
Dealer = Annotated[int | None, typer.Option(min=0, max=9, help="seat that deals, the last when absent")]


@command
def worlds(
    game: Name = "",
    hand: Hand = "",
    contract: Settled = "",
    play: Play = "",
    talon: Talon = "",
    auction: Auction = "",
    record: File = "",
    seat: Seat = None,
    dealer: Dealer = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """How many deals fit what you have seen, where each card may be, and why."""
    from solver.views.answers import about_game, show

    known = find_knowledge(game, hand, contract, play, talon, auction, record, seat, dealer, option)
    count, rows, kind = known.count(), known.probabilities(), form(json, csv)
    lines = known.explain()
    if kind == "table":
        _print(known, lines)
        return
    about = about_game(
        known.game, "counted", n=count, seat=known.seat, hand=known.game.deck.write(known.hand), count=count,
        partner=[{"seat": s, "p": p} for s, p in _partners(known)],
    )  # fmt: skip
    show(rows, about, kind, notes=lines)


def find_knowledge(
    game: str, hand: str, contract: str, play: str, talon: str, auction: str, record: str, seat: int | None,
    dealer: int | None, option: list[str] | None,
) -> Knowledge:  # fmt: skip
    """What a seat knows, from the record of a deal or told part by part."""
    if not record:
        return _told(game, hand, contract, play, talon, auction, seat, dealer, option)
    if game or hand or contract or play or talon or auction or option or dealer is not None:
        raise NotationError("--record has the game, the cards and the play: name only --seat beside it")
    return _recorded(record, seat)


def _recorded(name: str, seat: int | None) -> Knowledge:
    """What a seat knows of a record in a file."""
    from solver.formats.record_read import load_record
    from solver.worlds.knowledge import Knowledge

    return Knowledge.from_record(load_record(read_bytes(name), "standard input" if name.strip() == "-" else name), seat)


def _told(
    game: str, hand: str, contract: str, play: str, talon: str, auction: str, seat: int | None, dealer: int | None,
    option: list[str] | None,
) -> Knowledge:  # fmt: skip
    """What a seat knows, told part by part."""
    if not game or not hand:
        raise NotationError("name a game and your cards, as in 'worlds kit \"o1 o2 t3 s4\"', or --record FILE")
    chosen = find_game(game, option)
    text, _ = find_hand(chosen, hand, seat or 0)
    known = chosen.knowledge(seat or 0, text, dealer=dealer)
    known = known.heard(auction) if auction else known
    known = known.see(talon=talon) if talon else known
    known = known.contract(contract) if contract else known
    return known.played(play) if play else known


def _partners(known: Knowledge) -> list[tuple[int | None, float]]:
    """Seats that may be partners, nothing where there are none to find."""
    one = known.situation.contract
    if one is None or not known.game.partner_cards(one):
        return []
    import pandas as pd

    frame = known.partner()
    return [(None if pd.isna(s) else int(s), float(p)) for s, p in zip(frame["seat"], frame["p"], strict=True)]


def _print(known: Knowledge, lines: tuple[str, ...]) -> None:
    """The count, a table of cards by places, and what is known."""
    from solver.views.tables import print_table

    frame = known.probabilities()
    wide = frame.pivot(index="card", columns="place", values="p") if len(frame) else frame
    if len(frame):
        wide = wide.loc[list(dict.fromkeys(frame["card"])), list(dict.fromkeys(frame["place"]))]
        wide = wide.map(lambda p: f"{100 * p:.1f} %").reset_index()
    partners = ", ".join(f"{'nobody' if s is None else f'seat {s}'} {100 * p:.1f} %" for s, p in _partners(known) if p)
    notes = [*lines, *([f"partner: {partners}"] if partners else [])]
    print_table(wide, sys.stdout, heading=[known.heading, f"{known.count():,} worlds"], notes=notes)
