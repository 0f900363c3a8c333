"""``threshold``: from which hand on a bid is right, over many hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from solver.cli.command import command, form, waiting, write_estimate
from solver.cli.files import Force, check_files
from solver.cli.parameters import (
    Csv,
    GameName,
    Json,
    LimitOrUsual,
    Options,
    Plot,
    Seed,
    Talons,
    Workers,
    chosen_seed,
    find_game,
)
from solver.model.checks import excerpt
from solver.model.errors import NotationError

Hands = Annotated[int, typer.Option(min=0, max=10**7, help="hands to draw; 0 shows what the checkpoint has")]
By = Annotated[str, typer.Option(metavar="FEATURES", help="what the table is by, like 'trumps,queens'")]
Bids = Annotated[str, typer.Option(metavar="N,N", help="bids, or tiers, of the table")]
Position = Annotated[int | None, typer.Option(min=0, max=9, help="seats that speak before; absent, drawn")]
Checkpoint = Annotated[
    str, typer.Option(metavar="FILE", help="takes each finished hand; goes on where it ended, and replaces nothing")
]
Passed = Annotated[int | None, typer.Option(min=1, help="deals in which passing is judged for each hand")]


@command
def threshold(
    game: GameName,
    hands: Hands = 100,
    by: By = "",
    bids: Bids = "",
    position: Position = None,
    checkpoint: Checkpoint = "",
    talons: Talons = "",
    passed: Passed = None,
    seed: Seed = None,
    limit: LimitOrUsual = None,
    workers: Workers = None,
    plot: Plot = "",
    force: Force = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """From which hand on a bid is right: hands drawn and estimated, by what players count, and as rules of thumb."""
    from solver.formats.arguments import read_number

    check_files(force=force, goes_on=checkpoint, checkpoint=checkpoint, plot=plot)
    drawn = read_number("talons", talons)
    if isinstance(drawn, str):
        raise NotationError("talons is 'all': a study draws a number of them for each hand, as in --talons 12")
    chosen, amounts = find_game(game, option), _amounts(bids)
    if seed is None and checkpoint:
        seed = _recorded_seed(checkpoint)
    from solver.thresholds.threshold import threshold as ask
    from solver.views import tables
    from solver.views.threshold import bin_rows, rule_rows, total_rows

    with waiting("hands studied") as progress:
        found = ask(
            chosen, by or None, hands=hands, seed=chosen_seed(seed), bids=amounts, position=position,
            checkpoint=checkpoint or None, talons=drawn, passed=passed, limit=limit, workers=workers,
            progress=progress,
        )  # fmt: skip

    def table() -> None:
        parts = [(bin_rows(found), found.heading)]
        if len(found.decision):
            parts += [(rule_rows(found), ("", "rules of thumb")),
                      (total_rows(found), ("", "over all places, beside bidding always or never"))]  # fmt: skip
        for rows, heading in parts:
            tables.print_table(rows, sys.stdout, heading=heading, notes=found.notes if rows is parts[-1][0] else ())

    write_estimate(found, form(json, csv), table, more=found.rules)
    if plot:
        from solver.views.plot import save_threshold

        save_threshold(found, plot)
    if found.partial:
        raise KeyboardInterrupt(found.notes[-1])


def _amounts(text: str) -> list[int] | None:
    """Bids from text."""
    if not text.strip():
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise NotationError(f"bids is {excerpt(text)}: expected whole numbers with commas, as in 100,120") from None


def _recorded_seed(name: str) -> int | None:
    """The seed of a study that is gone on with."""
    from solver.thresholds.checkpoint import read_checkpoint

    if not Path(name).exists() or b"\n" not in Path(name).read_bytes():
        return None
    return int(read_checkpoint(name).definition["seed"])
