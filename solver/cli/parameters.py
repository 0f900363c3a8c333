"""Arguments and options of the commands, each declared once, and how their texts are read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from solver.cli.command import note

if TYPE_CHECKING:
    from solver.formats.boards import DealFile
    from solver.games import Game
    from solver.model.contract import Contract
    from solver.model.deal import Deal
    from solver.model.errors import TrickwiseError

__all__ = [
    "BoardName", "Case", "ContractText", "Csv", "DealText", "GameName", "HandText", "Json", "Lead", "Limit",
    "LimitOrUsual", "Options", "Play", "Plot", "Seat", "Seed", "Settled", "Talons", "Target", "Totals", "Until",
    "Workers", "Worlds", "chosen_seed", "find_case", "find_deals", "find_game", "find_hand", "given_text", "read_bytes",
    "read_file", "say_remarks",
]  # fmt: skip

Settled = Annotated[
    str, typer.Option("--contract", help="what is settled already, like '120 by 0' or 'picker 2, call AH'")
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game, like thousand; 'trickwise games' lists them")]
DealText = Annotated[
    str,
    typer.Argument(
        metavar="DEAL",
        help="hands by seat with | between, or PBN; a file of PBN, LIN, RBN, a skat log, a record; '-' or '@SEED'",
    ),
]
BoardName = Annotated[str, typer.Option("--board", metavar="NAME", help="which deal of a file that has several")]
ContractText = Annotated[str, typer.Argument(metavar="CONTRACT", help="like '120 by 0, pass 9C to 1, 9D to 2'")]
HandText = Annotated[
    str,
    typer.Argument(
        metavar="HAND", help="your cards, with the talon where the question is about them; '-', or '@SEED' for a deal"
    ),
]
Play = Annotated[str, typer.Option("--play", metavar="CARDS", help="cards played so far, like '0 AH, 1 JD'")]
Seat = Annotated[int | None, typer.Option(min=0, max=9, help="your seat, 0 when absent")]
Lead = Annotated[int | None, typer.Option(min=0, max=9, help="seat that leads, where the bid does not fix it")]
Worlds = Annotated[str, typer.Option(metavar="N|all", help="deals to sample")]
Talons = Annotated[str, typer.Option(metavar="N|all", help="talons or blinds to sample")]
Seed = Annotated[int | None, typer.Option(min=0, help="the same seed gives the same answer; absent, a new one")]
Workers = Annotated[int | None, typer.Option(min=1, max=1024, help="threads; absent all cores, one for bench")]
Plot = Annotated[str, typer.Option(metavar="FILE", help="also draw the answer into a .png, .svg or .pdf")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="a house rule; may be repeated")
]
Json = Annotated[bool, typer.Option("--json", help="one JSON object instead of a table")]
Csv = Annotated[bool, typer.Option("--csv", help="CSV instead of a table")]
Target = Annotated[int | None, typer.Option("--bid", min=1, help="the bid in question; absent the contract's")]
Totals = Annotated[
    str, typer.Option(metavar="N,N,N", help="scores so far: a match of Thousand; for advise tricks in a session")
]
Until = Annotated[str, typer.Option(metavar="WIDTH", help="stop when known to so much, as 3%; advise also 'clear'")]
_LIMIT = typer.Option(min=0, max=10**15, help="most positions searched for one deal, 0 for no limit")
Limit = Annotated[int, _LIMIT]
LimitOrUsual = Annotated[int | None, _LIMIT]  # absent, the game's own limit


#: Endings of files with deals; no deal or hand ends so.
_ENDINGS = (".pbn", ".lin", ".rbn", ".sgf", ".txt")


def names_file(text: str) -> bool:
    """Whether a text is the name of a file, or ``-`` for standard input; ``boards.pbn`` is, if it exists or not."""
    if text.strip() == "-" or text.lower().endswith(_ENDINGS):
        return True
    try:
        return bool(text.strip()) and Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False


def read_bytes(name: str) -> bytes:
    """What a file or ``-``, standard input, holds."""
    return sys.stdin.buffer.read() if name.strip() == "-" else Path(name).read_bytes()


def given_text(text: str) -> str:
    """A text, or what the file that it names, or standard input, holds."""
    from solver.formats.bytes import decode

    return decode(read_bytes(text)) if names_file(text) else text


def chosen_seed(seed: int | None) -> int:
    """The seed named, or a new one."""
    from solver.formats.arguments import new_seed

    return new_seed() if seed is None else seed


def find_game(name: str, options: list[str] | None) -> Game:
    """Return a game from its name and ``NAME=VALUE`` texts."""
    from solver.formats.arguments import read_options
    from solver.games import game

    return game(name, **read_options(options or []))


def read_file(name: str, game: Game | None = None) -> DealFile:
    """Read the deals of a file, or of ``-``, standard input; what was passed over or is bad goes to standard error."""
    from solver.formats.boards import read_deals

    found = read_deals(read_bytes(name), game)
    if not found.deals:
        raise found.errors[0]
    say_remarks(found)
    return found


def say_remarks(found: DealFile) -> None:
    """Say on standard error what was passed over in a file, and which of its deals are bad."""
    for line in (*found.remarks, *(f"trickwise: {error}" for error in found.errors)):
        note(line)


def find_deals(game: Game, text: str) -> DealFile:
    """Read deals: text, a file, ``-`` for standard input, ``@SEED`` for a random one; what was passed over is said."""
    from solver.formats.arguments import read_seed
    from solver.formats.boards import DealFile, WrittenDeal

    seed = read_seed(text)
    if seed is not None:
        note(f"the deal of seed {seed}")
        return DealFile("seed", (WrittenDeal(game.deal(seed=seed)),))
    if names_file(text):
        return read_file(text, game)
    return DealFile("text", (WrittenDeal(game.read(text)),))


class Case(NamedTuple):
    """What commands about one deal begin with.

    `play` is what its file has of it, an error where that cannot be read; `spoiled` says that other deals of the file
    could not be read; `taken` is what the side took by its file.
    """

    deal: Deal
    contract: Contract
    play: str | TrickwiseError
    spoiled: bool
    taken: int | None


def find_case(name: str, options: list[str] | None, deal: str, contract: str, board: str = "") -> Case:
    """Read a deal by `find_deals`, and its contract: the one written, else that of the file."""
    found = find_deals(find_game(name, options), deal)
    written = found.one(board, "name one by --board")
    if written.wrong is not None and not contract.strip():
        raise written.wrong
    plan = written.contract if not contract.strip() and written.contract is not None else contract
    dealt = written.under(find_game(name, options), options or ())
    play = written.wrong or " ".join(map(str, written.play))
    return Case(dealt, dealt.game.contract(plan), play, bool(found.errors), None if contract.strip() else written.taken)


def find_hand(game: Game, text: str, seat: int, *, talon: bool = False) -> tuple[str, int | None]:
    """Read a hand: text, a file, ``-`` for standard input, ``@SEED`` for a seat's cards in a random deal.

    Parameters
    ----------
    game, text
        The game, and what was written.
    seat
        Whose cards a random deal gives.
    talon
        Whether the talon comes with them.

    Returns
    -------
    hand, seed
        The cards as text; the seed where the deal is random, else None.
    """
    from solver.formats.arguments import read_seed

    seed = read_seed(text)
    if seed is None:
        return given_text(text), None
    dealt, seat = game.deal(seed=seed), seat % game.seats
    whose = "the declarer's cards" if talon else f"the hand of seat {seat}"
    note(f"{whose} in the deal of seed {seed}")
    return game.deck.write(dealt.hands[seat] | (dealt.talon if talon else frozenset())), seed
