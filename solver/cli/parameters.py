"""Arguments and options of the commands, each declared once, and how their texts are read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.command import note
from solver.model.errors import NotationError

if TYPE_CHECKING:
    from solver.games import Game
    from solver.model.contract import Contract
    from solver.model.deal import Deal

__all__ = [
    "ContractText", "Csv", "DealText", "GameName", "HandText", "Json", "Lead", "Limit", "LimitOrUsual",
    "Options", "Play", "Plot", "Seat", "Seed", "Settled", "Talons", "Target", "Totals", "Until", "Workers",
    "Worlds", "chosen_seed", "find_contract", "find_deal", "find_game", "find_hand", "standard_input",
]  # fmt: skip

Settled = Annotated[
    str, typer.Option("--contract", help="what is settled already, like '120 by 0' or 'picker 2, call AH'")
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game, like thousand; 'trickwise games' lists them")]
DealText = Annotated[
    str, typer.Argument(metavar="DEAL", help="hands by seat with | between, in bridge also PBN; '-' or '@SEED'")
]
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


def standard_input() -> str:
    """Everything on standard input."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as wrong:
        raise NotationError(f"standard input is not {wrong.encoding} text: byte {wrong.start + 1}") from None


def chosen_seed(seed: int | None) -> int:
    """The seed named, or a new one."""
    from solver.formats.arguments import new_seed

    return new_seed() if seed is None else seed


def find_game(name: str, options: list[str] | None) -> Game:
    """Return a game from its name and ``NAME=VALUE`` texts."""
    from solver.formats.arguments import read_options
    from solver.games import game

    return game(name, **read_options(options or []))


def find_deal(game: Game, text: str) -> Deal:
    """Read a deal: text, ``-`` for standard input, ``@SEED`` for a random one."""
    from solver.formats.arguments import deal_line, read_seed

    seed = read_seed(text)
    if seed is not None:
        note(f"the deal of seed {seed}")
        return game.deal(seed=seed)
    return game.read(deal_line(standard_input()) if text.strip() == "-" else text)


def find_contract(name: str, options: list[str] | None, deal: str, contract: str) -> tuple[Deal, Contract]:
    """Read what most commands about one deal begin with: the deal, by `find_deal`, and its contract."""
    dealt = find_deal(find_game(name, options), deal)
    return dealt, dealt.game.contract(contract)


def find_hand(game: Game, text: str, seat: int, *, talon: bool = False) -> tuple[str, int | None]:
    """Read a hand: text, ``-`` for standard input, ``@SEED`` for a seat's cards in a random deal.

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
        return (standard_input() if text.strip() == "-" else text), None
    dealt, seat = game.deal(seed=seed), seat % game.seats
    whose = "the declarer's cards" if talon else f"the hand of seat {seat}"
    note(f"{whose} in the deal of seed {seed}")
    return game.deck.write(dealt.hands[seat] | (dealt.talon if talon else frozenset())), seed
