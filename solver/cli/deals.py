"""Questions about one deal with all cards known: ``solve``, ``cards``, ``line``, ``annotate``."""

from __future__ import annotations

import json as encoder
import sys
from typing import Annotated

import typer

from solver.cli.command import command, fail, form, waiting
from solver.cli.parameters import (
    BoardName,
    ContractText,
    Csv,
    DealText,
    GameName,
    Json,
    Limit,
    Options,
    Play,
    Seed,
    Workers,
    Worlds,
    chosen_seed,
    find_case,
    given_text,
)
from solver.model.errors import NotationError, UnsupportedError
from solver.model.shown import counted


def answer_lines(path: str, limit: int) -> None:
    """Answer a file of JSON lines; exit code 1 when one of them was bad."""
    from solver.deals.positions import solve_lines

    bad = 0
    with sys.stdin.buffer if path == "-" else open(path, "rb") as lines:
        for found in solve_lines(lines, limit=limit):
            bad += "error" in found
            print(encoder.dumps(found), flush=True)
    if bad:
        fail(f"{bad} of the lines could not be answered", 1)


def leave(spoiled: bool) -> None:
    """End with exit code 1 when other deals of the file could not be read."""
    if spoiled:
        raise typer.Exit(1)


@command
def solve(
    game: GameName = "",
    deal: DealText = "",
    contract: ContractText = "",
    jsonl: Annotated[str, typer.Option(metavar="FILE", help="answer a file of JSON lines instead, '-' for input")] = "",
    board: BoardName = "",
    limit: Limit = 0,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What a deal is worth with all cards known, and whether a contract makes."""
    if jsonl:
        if game or option or json or csv:
            raise UnsupportedError("--jsonl: each line names its own game and options, and answers are JSON lines")
        answer_lines(jsonl, limit)
        return
    if not game or not deal:
        raise NotationError("nothing to solve: write GAME DEAL CONTRACT, or --jsonl FILE")
    from solver.deals.doubledummy import solve as ask
    from solver.views.answers import about_deal, show

    dealt, plan, _, spoiled, _ = find_case(game, option, deal, contract, board)
    with waiting():
        result = ask(dealt, plan, limit=limit)
    show(result.frame, about_deal(dealt, plan), form(json, csv), notes=str(result).splitlines())
    if result.partial:
        raise KeyboardInterrupt
    leave(spoiled)


@command
def cards(
    game: GameName,
    deal: DealText,
    contract: ContractText = "",
    play: Play = "",
    board: BoardName = "",
    limit: Limit = 0,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What each card is worth now, and the rule that bars the others."""
    from solver.deals.doubledummy import cards as ask
    from solver.deals.interrupt import STOPPED
    from solver.views.answers import about_deal, show

    dealt, plan, _, spoiled, _ = find_case(game, option, deal, contract, board)
    with waiting():
        frame = ask(dealt, plan, play, limit=limit)
    notes = [f"value: {dealt.game.unit_of(plan)} of the collecting side in the whole deal, double dummy"]
    partial = frame.attrs["partial"]
    if "high" in frame:
        notes.append("value and high: proved bounds; a card is best, or is not, where they say so")
    show(frame, about_deal(dealt, plan, play=play), form(json, csv), notes=[*notes, *([STOPPED] if partial else [])])
    if partial:
        raise KeyboardInterrupt
    leave(spoiled)


@command
def line(
    game: GameName,
    deal: DealText,
    contract: ContractText = "",
    play: Play = "",
    board: BoardName = "",
    limit: Limit = 0,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """One line of best play on both sides, trick by trick."""
    from solver.deals.line import line as ask
    from solver.views.answers import about_deal, show

    dealt, plan, _, spoiled, _ = find_case(game, option, deal, contract, board)
    with waiting():
        found = ask(dealt, plan, play, limit=limit)
    notes = str(found).splitlines()[-1:]
    show(found.frame, about_deal(dealt, plan, play=play), form(json, csv), notes=notes)
    leave(spoiled)


@command
def annotate(
    game: GameName,
    deal: DealText,
    contract: ContractText = "",
    play: Annotated[
        str, typer.Argument(metavar="PLAY", help="the cards as they were played, a file, '-'; absent, what DEAL has")
    ] = "",
    seen: Annotated[bool, typer.Option("--seen", help="judge each card on what its seat could know, too")] = False,
    worlds: Worlds = "",
    seed: Seed = None,
    workers: Workers = None,
    board: BoardName = "",
    limit: Limit = 0,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What every card of a played deal was worth, and what each mistake cost."""
    from solver.formats.arguments import read_number
    from solver.seat.annotate import annotate as ask
    from solver.views.answers import about_deal, show

    if not seen and (worlds or seed is not None or workers is not None):
        raise UnsupportedError("--worlds, --seed and --workers belong to --seen")
    number = read_number("worlds", worlds) or 200
    if not isinstance(number, int):
        raise UnsupportedError("--worlds all: name a number, of which each card takes no more than there are")
    dealt, plan, written, spoiled, taken = find_case(game, option, deal, contract, board)
    text = given_text(play) if play.strip() else written
    if not isinstance(text, str):
        raise text
    if not text.strip():
        raise NotationError("no card was played: write the play, or a file that has it")
    chosen = chosen_seed(seed) if seen else 0
    with waiting("cards judged") as progress:
        found = ask(
            dealt, plan, text, limit=limit, seen=seen, worlds=number, seed=chosen, workers=workers, progress=progress
        )
    about = about_deal(dealt, plan, play=text, complete=found.complete, settlement=found.settlement)
    heading = [found.heading]
    if seen:
        about |= {"seed": chosen, "n": number}
        heading.append(f"seats' view: at most {number} worlds a card, seed {chosen}")
    notes = list(found.notes)
    if taken is not None and text == written and not found.complete:
        value = found.frame["value"].iloc[-1]
        notes.append(
            f"written in the file: {counted(taken, found.unit)} of the side, {value} double dummy from here on"
        )
    show(found.frame, about, form(json, csv), heading=heading, notes=notes)
    leave(spoiled)
