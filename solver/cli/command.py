"""What every command shares: the application, how a command is registered, and how it ends.

Data goes to standard output, everything else to standard error. Exit codes: 0, 1 when a line of JSON could not be
answered or a record is wrong, 2 for bad input, 130 after Ctrl-C.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from solver.cli.ending import OUTPUT, say_stopped
from solver.model.errors import TrickwiseError, UnsupportedError

if TYPE_CHECKING:
    from solver.deals.estimate import Estimate

__all__ = ["app", "command", "fail", "form", "note", "run_app", "waiting", "write_estimate"]

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


def note(message: str) -> None:
    """Say something that is no data."""
    with suppress(OSError):  # there is nobody to tell
        typer.echo(message, err=True)


def fail(message: str, code: int = 2) -> NoReturn:
    """Say in one line what is wrong, and end."""
    note("trickwise: " + " ".join(message.split()))
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
    except OSError as wrong:
        gone = isinstance(wrong, BrokenPipeError)  # the reader, such as head, has seen enough
        if gone or wrong.filename == OUTPUT:
            with suppress(OSError):  # what is still to be written goes nowhere
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if gone:
            raise typer.Exit(0) from None
        fail(f"cannot use {wrong.filename or 'the input'}: {wrong.strerror or wrong}")
    except KeyboardInterrupt as stop:
        say_stopped(str(stop))
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


def write_estimate(found: Estimate, kind: str, table: Callable[[], None], *, more: Sequence[str] = ()) -> None:
    """Write an answer in the form asked for; beside CSV its heading, and `more`, go to standard error.

    Parameters
    ----------
    found
        The answer.
    kind
        From `form`.
    table
        Prints it for people.
    more
        Further lines of the heading.
    """
    from solver.views import tables

    if kind == "json":
        tables.write_json(found.to_json(), sys.stdout)
    elif kind == "csv":
        note("\n".join([*found.heading, *more]))
        tables.write_csv(found.frame, sys.stdout)
    else:
        table()


def waiting(label: str = "") -> AbstractContextManager[Callable[[int, int], None] | None]:
    """Show on a terminal that work goes on; gives a function of (done, total)."""
    from solver.views.progress import progress_bar

    return progress_bar(label)


def run_app() -> NoReturn:
    """Run the command that the arguments name, and end."""
    os.environ["TRICKWISE_COMMAND"] = "1"  # see `solver.kernels._jit.skip_blas`
    try:
        with clean_exits():  # help and wrong usage are written outside of all commands
            try:
                app()
            finally:
                sys.stdout.flush()
    except typer.Exit as end:
        sys.exit(end.exit_code)
    sys.exit(0)
