"""``equilibrium``: the kit solved as a game of hidden cards, a saved solution asked, and what one seat secures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.cli.command import command, form, note
from solver.cli.files import Force, check_files
from solver.cli.parameters import ContractText, Csv, GameName, Json, Options, Plot, Settled, find_game
from solver.model.errors import NotationError, UnsupportedError

if TYPE_CHECKING:
    from solver.games import Game
    from solver.hidden.equilibrium import Equilibrium

Iterations = Annotated[
    int | None,
    typer.Option(help="of the learning at most, in all; absent 300, for league fewer; it ends where NashConv is 0"),
]
Method = Annotated[str, typer.Option(help="predictive (when absent), cfr+ or cfr")]
NashConv = Annotated[float | None, typer.Option(metavar="X", help="stop as soon as NashConv is no more than this")]
Keep = Annotated[
    str,
    typer.Option(
        "--save",
        metavar="FILE",
        help="keep the solution, to ask it or to go on from it; --start and --save may name one file",
    ),
]
Start = Annotated[str, typer.Option(metavar="FILE", help="go on from a kept solution")]
Load = Annotated[str, typer.Option(metavar="FILE", help="ask a kept solution, and solve nothing")]
Hand = Annotated[str, typer.Option("--hand", metavar="CARDS", help="how this hand, as dealt, plays when on turn")]
History = Annotated[
    str, typer.Option("--history", "--play", metavar="CARDS", help="cards played before, like '0 o3, 1 o4'")
]
Clairvoyant = Annotated[
    int | None, typer.Option(metavar="SEAT", help="what this seat secures against all others, who see all cards")
]
Gap = Annotated[float | None, typer.Option(metavar="X", help="of --clairvoyant: known to so much; 0.001 when absent")]
Gigabytes = Annotated[float | None, typer.Option(metavar="X", help="memory that it may take; 4 when absent")]


@command
def equilibrium(
    game: GameName,
    contract: ContractText = "",
    settled: Settled = "",
    iterations: Iterations = None,
    method: Method = "",
    nashconv: NashConv = None,
    keep: Keep = "",
    start: Start = "",
    load: Load = "",
    hand: Hand = "",
    history: History = "",
    clairvoyant: Clairvoyant = None,
    gap: Gap = None,
    gigabytes: Gigabytes = None,
    plot: Plot = "",
    force: Force = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """The kit with hidden cards, solved: how all seats play, what each gets, and how far from an equilibrium."""
    if contract and settled:
        raise NotationError("the contract is named twice, as CONTRACT and by --contract: write it once")
    contract, kind = contract or settled, form(json, csv)
    if clairvoyant is not None:
        _refuse(
            "not with --clairvoyant, which solves for one seat against all others", method=method, nashconv=nashconv,
            save=keep, start=start, load=load, hand=hand, history=history, plot=plot,
        )  # fmt: skip
        _secured(find_game(game, option), contract, clairvoyant, iterations, gap, gigabytes, kind)
        return
    _refuse("belongs to --clairvoyant", gap=gap)
    if load:
        _refuse(
            "not with --load, which solves nothing", iterations=iterations, method=method, nashconv=nashconv, save=keep,
            start=start, gigabytes=gigabytes,
        )  # fmt: skip
    if not hand:
        _refuse("belongs to --hand", history=history)
    check_files(force=force, goes_on=start, save=keep, plot=plot)
    from solver.hidden.equilibrium import read_equilibrium

    if load:
        found = read_equilibrium(load)
        _check_same(found, load, game, contract, option)
    else:
        found = _solved(game, contract, option, iterations, method, nashconv, start, hand, history, gigabytes)
    try:
        if keep:
            found.save(keep)
    finally:  # what was solved is shown even where it cannot be kept
        _show(found, hand, history, kind)
    if plot:
        from solver.views.plot import save_convergence

        save_convergence(found, plot)
    if found.partial and not load:
        raise KeyboardInterrupt


def _refuse(reason: str, **given: object) -> None:
    """Refuse options that were given, each by its name."""
    named = [f"--{name}" for name, value in given.items() if value is not None and value != ""]
    if named:
        raise UnsupportedError(f"{', '.join(named)}: {reason}")


def _check_same(found: Equilibrium, path: str, name: str, contract: str, option: list[str] | None) -> None:
    """Refuse a file of something else; what is not told is as in the file."""
    asked = find_game(name, option)
    if asked.name == found.game.name and not option:
        asked = found.game
    if asked != found.game or (contract and asked.contract(contract) != found.contract):
        raise NotationError(f"{path} is of {found.heading[0].partition(':')[0]}: not of what is asked")


def _solved(
    name: str, contract: str, option: list[str] | None, iterations: int | None, method: str, nashconv: float | None,
    start: str, hand: str, history: str, gigabytes: float | None,
) -> Equilibrium:  # fmt: skip
    """Solve, anew or from a file."""
    from solver.hidden.equilibrium import equilibrium as ask
    from solver.hidden.equilibrium import read_equilibrium
    from solver.views.equilibrium import learning_bar

    more: dict[str, Any] = {"method": method or "predictive"}
    if start:
        begun = read_equilibrium(start, state=True)
        _check_same(begun, start, name, contract, option)
        chosen, agreed = begun.game, begun.contract
        more = {"method": method or begun.method, "start": begun}
    else:
        chosen = find_game(name, option)
        agreed = chosen.contract(contract)
    if hand:
        _check_question(chosen, agreed, hand, history)
    amounts = {"iterations": iterations, "nashconv": nashconv, "gigabytes": gigabytes}
    more |= {name: value for name, value in amounts.items() if value is not None}
    with learning_bar("NashConv") as progress:
        return ask(chosen, agreed, progress=progress, **more)


def _check_question(game: Game, contract: Any, hand: str, history: str) -> None:
    """Refuse now what the solution could not be asked: a strategy that knows nothing reads it."""
    import numpy as np

    from solver.hidden.kit_tree import check_kit
    from solver.hidden.strategy import Strategy

    none = np.zeros(0, np.float32)
    blank = Strategy(*check_kit(game, contract), none.astype(np.uint64), np.zeros(1, np.int32), none, none, none)
    blank.ask(hand, history)


def _show(found: Equilibrium, hand: str, history: str, kind: str) -> None:
    """Write the values of all seats, or one decision."""
    from solver.views import equilibrium as view
    from solver.views.answers import show

    if hand:
        one = found.strategy.ask(hand, history)
        rows, frame, heading = view.decision_rows(one), one.frame, view.decision_heading(found, one, history)
        about, notes = view.about_decision(found, one, history), view.decision_notes(one)
    else:
        rows, frame, heading = view.equilibrium_rows(found), found.frame, found.heading
        about, notes = view.about_equilibrium(found), view.equilibrium_notes(found)
    if kind == "csv":
        note("\n".join(heading))
    show(rows if kind == "table" else frame, about, kind, heading=heading, notes=notes)


def _secured(
    game: Game, contract: str, seat: int, iterations: int | None, gap: float | None, gigabytes: float | None, kind: str
) -> None:
    """Solve for one seat against all others and write what is proved."""
    from solver.hidden.secured import secured as ask
    from solver.views import equilibrium as view
    from solver.views.answers import show

    amounts = {"iterations": iterations, "gap": gap, "gigabytes": gigabytes}
    more: dict[str, Any] = {name: value for name, value in amounts.items() if value is not None}
    with view.learning_bar("gap") as progress:
        found = ask(game, seat, contract or None, progress=progress, **more)
    heading = view.secured_heading(game, found)
    if kind == "csv":
        note("\n".join(heading))
    rows = view.secured_rows(found) if kind == "table" else [{"seat": seat, "low": found.low, "high": found.high}]
    show(rows, view.about_secured(game, found), kind, heading=heading, notes=view.secured_notes())
    if found.partial:
        raise KeyboardInterrupt
