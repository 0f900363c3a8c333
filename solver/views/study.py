"""Studies for people: how fast one gets on, how far it is, what it says, and its picture."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from solver.model.errors import UnsupportedError
from solver.studies.definition import REQUIRED
from solver.views.tables import plain_rows, print_table

if TYPE_CHECKING:
    from solver.studies.kinds import Kind, Report
    from solver.studies.store import Status

__all__ = ["key_rows", "pace", "print_report", "report_json", "save_report", "status_rows", "study_progress"]

#: Seconds between two lines where standard error is no terminal.
QUIET = 60.0

#: What draws which answer; any other has a success curve.
_DRAWN = {"Thresholds": "save_threshold"}


def _time(seconds: float) -> str:
    """Time in words: 0:42, 12:03, 5:07:00, 3 days 4 h."""
    whole = round(seconds)
    if whole >= 2 * 86400:
        return f"{whole // 86400} days {whole % 86400 // 3600} h"
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def pace(unit: str, done: int, total: int, fresh: int, seconds: float) -> str:
    """How fast work gets on and how long it takes still, in words.

    Parameters
    ----------
    unit
        What is counted.
    done, total
        Of them are done, there are.
    fresh, seconds
        Done in this run, and in what time.
    """
    text = f"{unit}: {done} of {total}"
    if fresh <= 0 or seconds <= 0:
        return text
    rate = fresh / seconds
    for times, per in ((1, "s"), (60, "min"), (3600, "h")):
        if rate * times >= 1 or per == "h":
            text += f", {rate * times:.1f}/{per}"
            break
    return f"{text}, {_time((total - done) / rate)} left"


@contextmanager
def study_progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function of (done, total) that shows a bar with rate and time left, on standard error.

    Where that is no terminal there is a line at most once a minute instead.

    Parameters
    ----------
    unit
        What is counted.
    """
    console = Console(file=sys.stderr)
    began = time.monotonic()
    first: list[int] = []  # done before this run
    said = began

    def words(done: int, total: int) -> str:
        if not first:
            first.append(done)
        return pace(unit, done, total, done - first[0], time.monotonic() - began)

    if not console.is_terminal:

        def tell(done: int, total: int) -> None:
            nonlocal said
            text = words(done, total)
            if time.monotonic() - said >= QUIET:
                said = time.monotonic()
                print(text, file=sys.stderr, flush=True)

        yield tell
        return
    with Progress(BarColumn(), TextColumn("{task.description}"), console=console, transient=True) as bar:
        task = bar.add_task(f"{unit} (the very first run compiles the search)", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, description=words(done, total))


def key_rows(kind: Kind) -> list[dict[str, Any]]:
    """Rows of the keys that a kind's table has in a definition."""
    return [
        {
            "kind": kind.name, "key": name, "usual": "must be named" if key.default is REQUIRED else _told(key.default),
            "expects": ", ".join(key.choices) or getattr(key.kind, "__name__", str(key.kind)), "meaning": key.help,
        }
        for name, key in kind.keys.items()
    ]  # fmt: skip


def _told(value: Any) -> str:
    """A value as TOML has it; nothing where the key is left out."""
    return "" if value is None else json.dumps(list(value) if isinstance(value, tuple) else value)


def status_rows(status: Status) -> list[dict[str, Any]]:
    """One row that says how far a study is."""
    return [{
        "kind": status.kind, "game": status.game or None, status.unit: f"{status.units_done} of {status.units}",
        "chunks": f"{status.done} of {status.chunks}", "rows": status.rows, "runs": status.runs,
        "time": _time(status.seconds),
    }]  # fmt: skip


def print_report(report: Report, stream: IO[str]) -> None:
    """Print what a study says: heading, tables, notes."""
    last = len(report.tables) - 1
    if last < 0:
        print_table([], stream, heading=report.heading, notes=report.notes)
    for i, (title, table) in enumerate(report.tables):
        titled = (title,) if title else ()
        heading = (*report.heading, *titled) if i == 0 else ("", *titled)
        print_table(table, stream, heading=heading, notes=report.notes if i == last else ())


def report_json(report: Report) -> dict[str, Any]:
    """What a study says, as plain values."""
    tables = [{"title": title, "rows": plain_rows(table)[1]} for title, table in report.tables]
    return {"heading": list(report.heading), "tables": tables, "notes": list(report.notes)}


def save_report(report: Report, path: str) -> None:
    """Draw what a study says into a file, its format by the ending.

    Raises
    ------
    UnsupportedError
        When it has nothing to draw.
    """
    if report.what is None:
        raise UnsupportedError("this study has no picture: show its tables, or export its results")
    from solver.views import plot

    save: Callable[[Any, str], None] = getattr(plot, _DRAWN.get(type(report.what).__name__, "save_curve"))
    save(report.what, path)
