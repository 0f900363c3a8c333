"""The command ``trickwise``: reads text, asks the library, shows a table.

Data goes to standard output, everything else to standard error. Exit codes: 0, 1 when a line of JSON could not be
answered, 2 for bad input, 130 after Ctrl-C. Commands import what they need when they run, so that help is instant.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from solver.model.errors import NotationError, TrickwiseError, UnsupportedError

if TYPE_CHECKING:
    from solver.games import Game
    from solver.model.deal import Deal

__all__ = ["app", "main"]

app = typer.Typer(
    name="trickwise",
    help="Double-dummy answers for trick-taking card games: what a deal is worth, and how often a bid makes.",
    epilog="A deal is 'hand | hand | … | talon: cards', '-' to read it from standard input, or '@7' for the deal of "
    "seed 7. Start with: trickwise games",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: Last line under a success curve.
MEANING = (
    "p: share of these deals in which the bid makes double dummy (all cards seen by all, perfect play); "
    "no forecast of play at a table"
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="kit, sheepshead, thousand, three_of_spades or whist")]
DealText = Annotated[str, typer.Argument(metavar="DEAL", help="hands by seat with | between; '-' or '@SEED'")]
ContractText = Annotated[str, typer.Argument(metavar="CONTRACT", help="like '120 by 0, pass 9C to 1, 9D to 2'")]
Play = Annotated[str, typer.Option("--play", metavar="CARDS", help="cards played so far, like '0 AH, 1 JD'")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="a house rule; may be repeated")
]
Json = Annotated[bool, typer.Option("--json", help="one JSON object instead of a table")]
Csv = Annotated[bool, typer.Option("--csv", help="CSV instead of a table")]
Limit = Annotated[int, typer.Option(min=0, max=10**15, help="most positions searched for one answer, 0 for no limit")]


# --------------------------------------------------------------------- plumbing


def fail(message: str, code: int = 2) -> NoReturn:
    """Say in one line what is wrong, and end."""
    typer.echo("trickwise: " + " ".join(message.split()), err=True)
    raise typer.Exit(code)


def form(json: bool, csv: bool) -> str:
    """Form of the answer that the flags ask for."""
    if json and csv:
        raise UnsupportedError("--json and --csv: choose one of them")
    return "json" if json else "csv" if csv else "table"


@contextmanager
def clean_exits() -> Iterator[None]:
    """Turn bad input and interrupts into exit codes."""
    try:
        yield
    except TrickwiseError as wrong:
        fail(str(wrong))
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as wrong:
        fail(f"cannot use {wrong.filename or 'the input'}: {wrong.strerror or wrong}")
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Register a command of the same name."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        with clean_exits():
            form(kwargs.get("json", False), kwargs.get("csv", False))
            function(*args, **kwargs)
            sys.stdout.flush()

    app.command()(run)
    return run


def standard_input() -> str:
    """Everything on standard input."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as wrong:
        raise NotationError(f"standard input is not {wrong.encoding} text: byte {wrong.start + 1}") from None


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
        typer.echo(f"the deal of seed {seed}", err=True)
        return game.deal(seed=seed)
    return game.read(deal_line(standard_input()) if text.strip() == "-" else text)


def waiting(label: str = "") -> AbstractContextManager[Callable[[int, int], None] | None]:
    """Show on a terminal that work goes on; gives a function of (done, total)."""
    from solver.views.progress import progress_bar

    return progress_bar(label)


# --------------------------------------------------------------------- commands


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"trickwise {version('trickwise')}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print it")] = False,
) -> None:
    pass


@command
def games(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="show this game's options")] = "",
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
    seed: Annotated[int | None, typer.Option(min=0, help="the same seed gives the same deal")] = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Deal at random: a diagram, then the text that the other commands read."""
    from solver.formats.arguments import new_seed
    from solver.views import diagrams
    from solver.views.answers import about_game, show

    chosen = find_game(game, option)
    number = new_seed() if seed is None else seed
    dealt = chosen.deal(seed=number)
    if not json and not csv:
        symbols = diagrams.can_show_symbols(sys.stdout)
        typer.echo(f"{chosen.name}, seed {number}\n\n{diagrams.deal_diagram(dealt, symbols=symbols)}\n\n{dealt.text}")
        return
    rows = [{"seat": s, "cards": chosen.deck.write(hand)} for s, hand in enumerate(dealt.hands)]
    if dealt.talon:
        rows.append({"seat": chosen.talon_label, "cards": chosen.deck.write(dealt.talon)})
    about = about_game(chosen, "random deal", seed=number, n=1, deal=dealt.text)
    if csv:
        typer.echo(f"seed {number}", err=True)
    show(rows, about, form(json, csv))


def answer_lines(path: str, limit: int) -> None:
    """Answer a file of JSON lines; exit code 1 when one of them was bad."""
    import json as encoder

    from solver.analysis.positions import solve_lines

    bad = 0
    with sys.stdin.buffer if path == "-" else open(path, "rb") as lines:
        for found in solve_lines(lines, limit=limit):
            bad += "error" in found
            print(encoder.dumps(found), flush=True)
    if bad:
        typer.echo(f"trickwise: {bad} of the lines could not be answered", err=True)
        raise typer.Exit(1)


@command
def solve(
    game: Annotated[str, typer.Argument(metavar="GAME")] = "",
    deal: Annotated[str, typer.Argument(metavar="DEAL")] = "",
    contract: ContractText = "",
    jsonl: Annotated[str, typer.Option(metavar="FILE", help="answer a file of JSON lines instead, '-' for input")] = "",
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
    from solver.analysis.doubledummy import solve as ask
    from solver.views.answers import about_deal, show

    dealt = find_deal(find_game(game, option), deal)
    plan = dealt.game.contract(contract)
    with waiting():
        result = ask(dealt, plan, limit=limit)
    show(result.frame, about_deal(dealt, plan), form(json, csv), notes=str(result).splitlines())


@command
def cards(
    game: GameName,
    deal: DealText,
    contract: ContractText = "",
    play: Play = "",
    limit: Limit = 0,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What each card is worth now, and the rule that bars the others."""
    from solver.analysis.doubledummy import cards as ask
    from solver.views.answers import about_deal, show

    dealt = find_deal(find_game(game, option), deal)
    plan = dealt.game.contract(contract)
    with waiting():
        frame = ask(dealt, plan, play, limit=limit)
    note = f"value: {dealt.game.unit} of the collecting side in the whole deal, double dummy"
    show(frame, about_deal(dealt, plan, play=play), form(json, csv), notes=[note])


@command
def line(
    game: GameName,
    deal: DealText,
    contract: ContractText = "",
    play: Play = "",
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """One line of best play on both sides, trick by trick."""
    from solver.analysis.doubledummy import line as ask
    from solver.views.answers import about_deal, show

    dealt = find_deal(find_game(game, option), deal)
    plan = dealt.game.contract(contract)
    with waiting():
        found = ask(dealt, plan, play)
    notes = str(found).splitlines()[-1:]
    show(found.frame, about_deal(dealt, plan, play=play), form(json, csv), notes=notes)


@command
def annotate(
    game: GameName,
    deal: DealText,
    contract: ContractText,
    play: Annotated[str, typer.Argument(metavar="PLAY", help="the cards as they were played, '-' for input")],
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What every card of a played deal was worth, and what each mistake cost."""
    from solver.analysis.annotate import annotate as ask
    from solver.views.answers import about_deal, show

    dealt = find_deal(find_game(game, option), deal)
    plan = dealt.game.contract(contract)
    text = standard_input() if play.strip() == "-" else play
    with waiting():
        found = ask(dealt, plan, text)
    more: dict[str, Any] = {"play": text, "complete": found.complete, "settlement": found.settlement}
    show(found.frame, about_deal(dealt, plan, **more), form(json, csv), heading=[found.heading], notes=found.notes)


@command
def bid(
    game: GameName,
    hand: Annotated[str, typer.Argument(metavar="HAND", help="your cards; '-', or '@SEED' for a random hand")],
    contract: Annotated[str, typer.Option("--contract", "--plan", help="what you would play, where it matters")] = "",
    seat: Annotated[int | None, typer.Option(min=0, max=9, help="your seat, 0 when absent")] = None,
    lead: Annotated[
        int | None, typer.Option(min=0, max=9, help="seat that leads, where the bid does not fix it")
    ] = None,
    worlds: Annotated[str, typer.Option(metavar="N|all", help="deals to sample")] = "",
    talons: Annotated[str, typer.Option(metavar="N|all", help="talons to sample (Thousand)")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="the same seed gives the same numbers")] = None,
    limit: Annotated[
        int | None, typer.Option(min=0, max=10**15, help="most positions for one deal, 0 for no limit")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="threads; all cores when absent")] = None,
    plot: Annotated[str, typer.Option(metavar="FILE", help="also draw the curve into a .png, .svg or .pdf")] = "",
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """How often each bid makes for one hand, over deals that fit it."""
    chosen = find_game(game, option)
    from solver.formats.arguments import check_picture, new_seed, read_number, read_seed

    if plot:
        check_picture(plot)
    at = read_seed(hand)
    if at is not None:
        hand = chosen.deck.write(chosen.deal(seed=at).hands[(seat or 0) % chosen.seats])
        typer.echo(f"the hand of seat {(seat or 0) % chosen.seats} in the deal of seed {at}", err=True)
    elif hand.strip() == "-":
        hand = standard_input()
    if lead is not None:
        contract = f"{contract}, lead {lead}"
    number = new_seed() if seed is None else seed
    given = {"worlds": read_number("worlds", worlds), "talons": read_number("talons", talons)}
    from solver.analysis.bidding import bid as ask
    from solver.views import tables

    with waiting("deals searched") as progress:
        found = ask(
            chosen,
            hand,
            seat=seat,
            contract=contract,
            seed=number,
            limit=limit,
            workers=workers,
            progress=progress,
            **given,
        )
    if found.partial and not found.n:
        raise KeyboardInterrupt
    if json:
        tables.write_json(found.to_json(), sys.stdout)
    elif csv:
        typer.echo("\n".join(found.heading), err=True)
        tables.write_csv(found.frame, sys.stdout)
    else:
        tables.print_table(found.frame, sys.stdout, heading=found.heading, notes=[*found.notes, MEANING])
    if plot:
        from solver.views.plot import save_curve

        save_curve(found, plot)
    if found.partial:
        raise KeyboardInterrupt


@command
def plans(
    game: GameName,
    hand: Annotated[str, typer.Argument(metavar="HAND", help="the declarer's cards, talon included; '-', or '@SEED'")],
    contract: Annotated[str, typer.Option("--contract", help="what is settled already, like '120 by 0'")] = "",
    call: Annotated[str, typer.Option("--call", metavar="CARDS", help="only plans that call these, or 'alone'")] = "",
    every: Annotated[bool, typer.Option("--all", help="print long tables whole")] = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every legal plan of a hand: calls and buries, passes, trumps."""
    from solver.analysis.plans import LONG
    from solver.analysis.plans import plans as ask
    from solver.formats.arguments import read_seed
    from solver.views.answers import about_game, show

    chosen = find_game(game, option)
    seed = read_seed(hand)
    if seed is not None:
        dealt = chosen.deal(seed=seed)
        hand = chosen.deck.write(dealt.hands[chosen.contract(contract).declarer or 0] | dealt.talon)
        typer.echo(f"the declarer's cards in the deal of seed {seed}", err=True)
    elif hand.strip() == "-":
        hand = standard_input()
    found = ask(chosen, hand, contract, call=call)
    rows, kind = found.rows, form(json, csv)
    if kind == "table" and len(rows) > LONG and not every:
        typer.echo(f"the first {LONG} of {found.count} plans: --all prints all, --json and --csv have all", err=True)
        rows = rows[:LONG]
    about = about_game(
        chosen, "rules of the game", seed=seed, hand=chosen.deck.write(found.hand), contract=contract, count=found.count
    )
    show(rows, about, kind, heading=[found.heading], notes=found.notes)


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


def main() -> None:
    """Run the command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
