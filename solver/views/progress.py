"""A progress bar on standard error, for work that takes more than a moment, and only where a person sees it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["Report", "progress_bar"]

#: Seconds of silence before a bar appears.
PATIENCE = 2.0


class Report(Protocol):
    """Shows how far the work is."""

    def __call__(self, done: int, total: int, so_far: str = "", /) -> None:
        """Show what is done of what there is, and in words what was found so far."""


@contextmanager
def progress_bar(label: str) -> Iterator[Report | None]:
    """Give a function that shows progress; None where standard error is no terminal.

    Parameters
    ----------
    label
        What is counted.
    """
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True)
    # Until the first report comes, the kernels are being loaded, or compiled on the very first run.
    task = bar.add_task("searching (the very first run compiles the search)", total=None)
    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()

    def report(done: int, total: int, so_far: str = "", /) -> None:
        bar.update(task, completed=done, total=total, description=f"{label}, {so_far}" if so_far else label)

    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
