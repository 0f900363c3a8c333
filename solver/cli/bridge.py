"""Questions about bridge deals for every declarer and strain: ``table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from solver.cli.command import command, form, waiting
from solver.cli.parameters import Csv, DealText, Json, Workers, find_deals

if TYPE_CHECKING:
    from solver.formats.boards import WrittenDeal

__all__ = ["table"]


@command
def table(
    deal: DealText,
    workers: Workers = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Tricks of each declarer in each strain, for a bridge deal or the boards of a file (PBN, LIN, RBN)."""
    from solver.games import game

    found = find_deals(game("bridge"), deal)
    boards: dict[str, WrittenDeal] = {}  # the first result of each
    for written in found.deals:
        boards.setdefault(written.board_name, written)
    import pandas as pd

    from solver.deals.table import table as ask
    from solver.deals.versions import versions
    from solver.views.answers import about_game, show

    kind, frames = form(json, csv), []
    with waiting("deals solved") as progress:
        for written in boards.values():
            answer = ask(written.deal, workers=workers)
            frame = answer.pivot.reset_index() if kind == "table" else answer.frame
            frames.append(frame.assign(board=written.name)[["board", *frame.columns]] if written.name else frame)
            if progress is not None:
                progress(len(frames), len(boards))
    texts = [written.deal.text for written in boards.values()]
    more: dict[str, Any] = {"unit": "tricks", "deal": texts[0] if len(texts) == 1 else texts}
    about = {**about_game(game("bridge"), "double dummy", n=len(boards), **more), "versions": versions()}
    show(pd.concat(frames), about, kind, notes=["tricks of each declarer by strain, double dummy"])
    if found.errors:
        raise typer.Exit(1)
