"""``bench``: how fast the search is, and whether its answers are the recorded ones."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from solver.cli.command import command, fail, form, note, waiting
from solver.cli.files import Force, check_files
from solver.cli.parameters import Json, Limit, Workers


@command
def bench(
    suite: Annotated[
        list[str] | None, typer.Argument(metavar="SUITE", help="suites or parts of the table; everything when absent")
    ] = None,
    suites: Annotated[str, typer.Option(metavar="DIR", help="folder of suites; those of the package when absent")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="few deals, no cold start")] = False,
    peers: Annotated[bool, typer.Option(help="measure endplay in the same run, if it is installed")] = True,
    ablation: Annotated[bool, typer.Option("--ablation", help="also search without each part of the search")] = False,
    save: Annotated[
        str, typer.Option(metavar="FILE", help="also add the rows to a file of such JSON lines; --force begins it anew")
    ] = "",
    force: Force = False,
    limit: Limit = 0,
    workers: Workers = 1,
    json: Json = False,
) -> None:
    """How fast recorded deals are solved, and whether the answers are the recorded ones."""
    from solver.bench.bench import bench as measure
    from solver.views.bench import holds_rows, show_bench
    from solver.views.bench import save as keep

    added = not force and os.path.isfile(save) and holds_rows(save)
    check_files(force=force, goes_on=save if added else "", save=save)
    with waiting("deals measured") as progress:
        found = measure(
            suite or (),
            suites=suites,
            quick=quick,
            peers=peers,
            parts=ablation,
            workers=workers or 1,
            limit=limit,
            progress=progress,
        )
    show_bench(found, form(json, False))
    if save:
        keep(found, save, add=added)
    for row in found.wrong:
        where = f"{row['work']}, without {row['without']}" if "without" in row else row["work"]
        note(f"wrong: {where}, {row['id']}: recorded {row['recorded']}, found {row['found']}")
    if found.partial:
        raise KeyboardInterrupt
    if found.wrong:
        fail(f"answers that differ from the recorded ones: {len(found.wrong)}", 1)
