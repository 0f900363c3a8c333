"""Do what a study still has to do, on threads or on a cluster, and keep each chunk as it is finished.

Only the caller's thread touches the store. After Ctrl-C chunks in hand that are finished in a moment are kept, and
others are open for the next run; a second one ends at once.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from solver.deals.versions import versions
from solver.model.checks import checks_numbers
from solver.model.errors import UnsupportedError
from solver.studies.cluster import open_cluster
from solver.studies.creation import without_folders
from solver.studies.definition import read_definition
from solver.studies.guard import StoreExistsError
from solver.studies.kinds import Report, kind_of
from solver.studies.pool import Failed, Pool, Task, Threads
from solver.studies.store import Status, Store, StoreError, create_store, open_store

__all__ = ["ChunkError", "Progress", "begin_study", "report_study", "run", "run_study"]

#: Told units done and units of the study, at the start and after each chunk.
Progress = Callable[[int, int], None]
#: So many failures without a success in between end the work: what is wrong is not with single chunks.
PATIENCE = 10
#: Failed chunks that an error names.
_NAMED = 3


class ChunkError(UnsupportedError):
    """Chunks that could not be worked out; the message names the first and says why."""


@contextmanager
def _interrupts(stop: threading.Event) -> Iterator[None]:
    """Let the first Ctrl-C set the event, and the second end the program; on the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def heard(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt("ended at once: finished chunks are kept")
        stop.set()

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def begin_study(definition: str | os.PathLike[str], store: str | os.PathLike[str] | None = None) -> str:
    """Make the store of a study, or make sure that the one that is there is of this study.

    Parameters
    ----------
    definition
        The TOML file.
    store
        The store; the definition's name with the ending .duckdb when None.

    Returns
    -------
    str
        Name of the store.

    Raises
    ------
    NotationError, UnsupportedError
        For what is wrong in the definition or in what it reads.
    StoreError
        When the file is no store, or that of another study.
    OSError
        When a file cannot be read.
    """
    source = Path(definition)
    one = read_definition(source)
    name = os.fspath(store) if store is not None else str(source.with_suffix(".duckdb"))
    if Path(name) == source:
        raise UnsupportedError(f"{name} is the definition: name another file for the store")
    inputs = kind_of(one.kind).inputs(one, source.parent)
    if not os.path.lexists(name):
        with suppress(StoreExistsError):  # another program, begun at the same moment, has just made it
            create_store(name, one, inputs)
            return name
    with open_store(name) as kept:
        differs = _difference(kept.told, without_folders(one.to_json()))
        if not differs and kept.inputs() != inputs:
            differs = "other inputs"
        if differs:
            raise StoreError(f"{name} holds another study, with {differs}: name another store, or ask as for this one")
    return name


def _difference(then: Any, now: Any, where: str = "") -> str:
    """The first difference of two definitions, in words; "" when there is none."""
    if isinstance(then, dict) and isinstance(now, dict):
        keys = [*now, *(k for k in then if k not in now)]
        return next((d for k in keys if (d := _difference(then.get(k), now.get(k), f"{where}.{k}".strip(".")))), "")
    return "" if then == now else f"{where} {_brief(then)} and not {_brief(now)}"


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@checks_numbers
def run(
    path: str | os.PathLike[str], *, workers: int | None = None, cluster: str | None = None,
    progress: Progress | None = None, stop: threading.Event | None = None,
) -> Status:  # fmt: skip
    """Work on a study until nothing is to do.

    Parameters
    ----------
    path
        Its store.
    workers
        Threads, None for all cores; results do not depend on it.
    cluster
        A Dask cluster instead, see `solver.studies.cluster.open_cluster`.
    progress
        Told units done and units of the study, at the start and after each chunk.
    stop
        Ends the work when set, with those chunks in hand that are finished in a moment; so does Ctrl-C, where this is
        the main thread.

    Returns
    -------
    Status
        Marked as interrupted when something was left to do.

    Raises
    ------
    StoreError
        When the store cannot be written, is in use, or was begun by another version. Finished chunks are kept.
    ChunkError
        At the end, when chunks could not be worked out; the others are done and kept. After ten failures without a
        success in between the work ends at once.
    UnsupportedError
        For a cluster that cannot be reached.
    KeyboardInterrupt
        At a second Ctrl-C.
    """
    stop = threading.Event() if stop is None else stop
    if cluster is not None and workers is not None:
        raise UnsupportedError("workers and cluster are both given: a cluster has its own workers")
    threads = Threads(workers) if cluster is None else None
    with open_store(path, write=True) as store, _interrupts(stop):
        mine, its = versions()["trickwise"], store.versions.get("trickwise")
        if mine != its:
            raise StoreError(
                f"{store.path} was begun by trickwise {its}, and this is {mine}: go on with that version, so that all "
                "chunks are worked out alike"
            )
        pending = store.pending()
        if progress is not None:
            progress(store.status().units_done, store.units)
        if not pending:
            return store.status()
        failures: list[tuple[int, Failed]] = []
        if threads is not None:
            store.begin(threads.workers, "")
            failures = _work(store, pending, threads, stop, progress)
        elif cluster is not None:
            with open_cluster(cluster) as pool:
                store.begin(pool.workers, cluster)
                failures = _work(store, pending, pool, stop, progress)
        status = store.status(interrupted=bool(store.pending()))
        if failures:
            raise ChunkError(_told(store, status, failures))
        return status


def _told(store: Store, status: Status, failures: list[tuple[int, Failed]]) -> str:
    """Which chunks failed, and why, in a line."""

    def name(chunk: int) -> str:
        first, last = store.span(chunk)
        return f"chunk {chunk} ({status.unit} {first} to {last - 1})"

    kept = f"{status.done} of {status.chunks} chunks are kept"
    if len(failures) == 1:
        ((chunk, wrong),) = failures
        return f"{name(chunk)} of {store.path} ended with an error: {wrong.why}; {kept}"
    listed = "; ".join(f"{name(chunk)}: {wrong.why}" for chunk, wrong in failures[:_NAMED])
    more = f"; and {len(failures) - _NAMED} more" if len(failures) > _NAMED else ""
    return f"{len(failures)} chunks of {store.path} ended with an error: {listed}{more}; {kept}"


def _work(
    store: Store, pending: list[int], pool: Pool, stop: threading.Event, progress: Progress | None
) -> list[tuple[int, Failed]]:
    """Work chunks out and keep them; return those that failed, by rising number."""
    done, failures, running = store.status().units_done, [], 0
    told = store.definition.to_json()
    tasks = (Task(told, chunk, store.units, store.inputs(*store.span(chunk))) for chunk in pending)
    ended = threading.Event()  # the caller's event is for the caller, and for Ctrl-C
    for chunk, rows in pool.map_unordered(tasks, _Either(stop, ended)):
        if isinstance(rows, Failed):
            failures.append((chunk, rows))
            running += 1
            if running >= PATIENCE:
                ended.set()
            continue
        running = 0
        store.add(chunk, rows)
        first, last = store.span(chunk)
        done += last - first
        if progress is not None:
            progress(done, store.units)
    return sorted(failures)


class _Either(threading.Event):
    """Set when one of two events is."""

    def __init__(self, *events: threading.Event) -> None:
        super().__init__()
        self._events = events

    def is_set(self) -> bool:
        return any(event.is_set() for event in self._events)


@checks_numbers
def run_study(
    definition: str | os.PathLike[str], store: str | os.PathLike[str] | None = None, *, workers: int | None = None,
    **how: Any,
) -> Status:  # fmt: skip
    """Begin a study, or go on with it: `begin_study`, then `run` with what else is given."""
    return run(begin_study(definition, store), workers=workers, **how)


def report_study(path: str | os.PathLike[str]) -> Report:
    """Tell what a study has found so far.

    Parameters
    ----------
    path
        Its store.

    Returns
    -------
    Report
        Heading, tables, notes, and what can be drawn, with the versions that the study was begun with.

    Raises
    ------
    StoreError
        As `solver.studies.store.open_store`, and when no chunk is done.
    """
    from solver.deals.estimate import Estimate

    with open_store(path) as store:
        status = store.status()
        if not status.done:
            raise StoreError(f"{store.path} has no finished chunk yet")
        found = kind_of(status.kind).report(store.definition, store.frame(), store.units)
        made_by = store.versions
    part = f"{status.units_done} of {status.units} {status.unit} so far ({status.done} of {status.chunks} chunks)"
    parts = () if status.complete else (part,)
    what = found.what
    if isinstance(what, Estimate):
        what = replace(what, versions=dict(made_by), notes=(*what.notes, *parts, *status.notes))
    return Report((*found.heading, *parts), found.tables, (*found.notes, *status.notes), what)
