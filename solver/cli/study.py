"""``study``: long work in chunks, kept in a store: kinds, run, status, resume, export, show."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from solver.cli.command import app, clean_exits, form, note
from solver.cli.files import Force, check_files
from solver.cli.parameters import Csv, Json, Plot, Workers
from solver.model.errors import UnsupportedError

studies = typer.Typer(
    help="Long work in chunks, kept in a store as it is finished: run, look, stop, go on.",
    no_args_is_help=True, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
app.add_typer(studies, name="study")

StoreName = Annotated[str, typer.Argument(metavar="STORE", help="the study's file, like study.duckdb")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="a Dask cluster: tcp://HOST:PORT, or local:4 for processes here")
]


def _command(function: Callable[..., None]) -> Callable[..., None]:
    """Register a command of the group, with the exits that all commands have."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> None:
        with clean_exits():
            form(kwargs.get("json", False), kwargs.get("csv", False))
            function(*args, **kwargs)
            sys.stdout.flush()

    studies.command()(call)
    return call


def _word(name: str) -> str:
    """A file name as a shell reads it."""
    import shlex

    return shlex.quote(name)


def _go_on(store: str, workers: int | None, cluster: str | None) -> None:
    """Work on a study, and say how it ended."""
    from solver.studies.runner import run as work
    from solver.studies.store import open_store
    from solver.views.study import study_progress

    with open_store(store) as kept:
        before = kept.status()
    if before.complete:
        note(f"{store}: all {before.units} {before.unit} are done")
        return
    if before.done:
        note(f"{store}: goes on after {before.units_done} of {before.units} {before.unit}")
    with study_progress(before.unit) as progress:
        status = work(store, workers=workers, cluster=cluster, progress=progress)
    if status.interrupted:
        how = f" --workers {workers}" * (workers is not None) + f" --cluster {cluster}" * (cluster is not None)
        raise KeyboardInterrupt(
            f"stopped after {status.units_done} of {status.units} {status.unit}, which are kept; to go on: "
            f"trickwise study resume {_word(store)}{how}"
        )
    note(f"{store}: all {status.units} {status.unit} are done")


@_command
def run(
    study: Annotated[str, typer.Argument(metavar="STUDY.toml", help="the definition of the study")],
    store: Annotated[str, typer.Option(metavar="FILE", help="the store; absent, named like the definition")] = "",
    workers: Workers = None,
    cluster: Cluster = None,
) -> None:
    """Begin a study, or go on with it where its store is there already."""
    from solver.studies.runner import begin_study

    _one_of(workers, cluster)
    _go_on(begin_study(study, store or None), workers, cluster)


@_command
def resume(store: StoreName, workers: Workers = None, cluster: Cluster = None) -> None:
    """Go on with a study, from its store alone."""
    _one_of(workers, cluster)
    _go_on(store, workers, cluster)


def _one_of(workers: int | None, cluster: str | None) -> None:
    if workers is not None and cluster is not None:
        raise UnsupportedError("--workers and --cluster: a cluster has its own workers, choose one of them")
    if cluster is not None:
        from solver.studies.cluster import check_address

        check_address(cluster)  # before a store is made


@_command
def kinds(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="one of them; absent, all")] = "",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """The kinds of studies, and the keys that a definition has in the table of its kind."""
    from solver.studies.kinds import KINDS, kind_of
    from solver.views.answers import about_game, show
    from solver.views.study import key_rows

    rows = [row for name in ([kind] if kind else KINDS) for row in key_rows(kind_of(name))]
    show(rows, about_game(None, "kinds of studies"), form(json, csv))


@_command
def status(store: StoreName, json: Json = False, csv: Csv = False) -> None:
    """How far a study is; of one that is being worked on, that it is."""
    import dataclasses

    from solver.studies.store import StoreBusyError, open_store
    from solver.views import tables
    from solver.views.study import status_rows

    try:
        with open_store(store) as kept:
            found, runs, versions = kept.status(), kept.runs(), kept.versions
    except StoreBusyError as busy:
        if json or csv:
            raise
        typer.echo(str(busy).rpartition(": ")[0])  # which is an answer, for people
        return
    if json:
        tables.write_json({**dataclasses.asdict(found), "versions": versions}, sys.stdout)
    elif csv:
        tables.write_csv([dataclasses.asdict(found)], sys.stdout)
    else:
        shown = [{k: run[k] for k in ("run", "began", "ended", "workers", "cluster", "chunks_done")} for run in runs]
        shown = [row | {k: f"{row[k]:%Y-%m-%d %H:%M:%S}" for k in ("began", "ended")} for row in shown]
        tables.print_table(status_rows(found), sys.stdout, notes=found.notes)
        if shown:
            tables.print_table(shown, sys.stdout, heading=["", "runs (UTC)"])


@_command
def export(
    store: StoreName,
    to: Annotated[str, typer.Option("--to", metavar="FILE", help="ends in .parquet or .csv")],
    force: Force = False,
) -> None:
    """Write the results, sorted, into a Parquet or CSV file."""
    from solver.studies.store import open_store

    check_files(force=force, to=to)
    with open_store(store) as kept:
        kept.export(to, force=force)
        found = kept.status()
    part = "" if found.complete else f", {found.units_done} of {found.units} {found.unit} so far"
    note(f"{to}: {found.rows} rows{part}")


@_command
def show(
    store: StoreName,
    plot: Plot = "",
    force: Force = False,
    sql: Annotated[str, typer.Option(metavar="QUERY", help="ask the store instead, like 'select * from runs'")] = "",
    json: Json = False,
    csv: Csv = False,
    table: Annotated[int, typer.Option(metavar="N", min=0, help="the N-th table alone; 0 for all, CSV: the first")] = 0,
) -> None:
    """What a study has found so far, as tables and as a picture."""
    from solver.views import tables

    check_files(force=force, plot=plot)
    if sql and plot:
        raise UnsupportedError("--sql and --plot: choose one of them")
    if sql and table:
        raise UnsupportedError("--sql and --table: choose one of them")
    if sql:
        from solver.studies.store import read_study

        frame = read_study(store, sql)
        if json:
            tables.write_json({"rows": tables.plain_rows(frame)[1]}, sys.stdout)
        elif csv:
            tables.write_csv(frame, sys.stdout)
        else:
            tables.print_table(frame, sys.stdout)
        return
    from solver.studies.runner import report_study
    from solver.views.study import print_report, report_json, save_report

    found = report_study(store)
    if table > len(found.tables):
        raise UnsupportedError(f"--table is {table}: the study has {len(found.tables)} tables")
    others = [f"{i} ({title})" if title else str(i) for i, (title, _) in enumerate(found.tables, 1) if i != 1]
    if table:
        others, found = [], found._replace(tables=found.tables[table - 1 : table])
    if json:
        tables.write_json(report_json(found), sys.stdout)
    elif csv:
        titles = [title for title, _ in found.tables[:1] if title]
        more = [f"the first table only; for another --table: {', '.join(others)}"] if others else []
        note("\n".join([*found.heading, *titles, *found.notes, *more]))
        tables.write_csv(found.tables[0][1] if found.tables else [], sys.stdout)
    else:
        print_report(found, sys.stdout)
    if plot:
        save_report(found, plot)
