"""Questions about bridge deals for every declarer and strain: ``table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.cli.command import command, form, waiting
from solver.cli.parameters import Csv, DealText, Json, Workers, find_deal, standard_input

if TYPE_CHECKING:
    from solver.model.deal import Deal

__all__ = ["table"]


def find_boards(text: str) -> dict[str, Deal]:
    """Read a deal, or from standard input the boards of a PBN file, by the names that they have there."""
    from solver.formats.arguments import deal_line
    from solver.formats.pbn import read_pbn
    from solver.games import game

    if text.strip() != "-":
        return {"": find_deal(game("bridge"), text)}
    given = standard_input()
    if "[" not in given:
        return {"": game("bridge").read(deal_line(given))}
    boards = read_pbn(given)
    names = [board.tags.get("Board", "").strip() for board in boards]
    if "" in names or len(set(names)) < len(names):  # their places in the file then
        names = [str(i) for i in range(1, len(boards) + 1)]
    return dict(zip(names, (board.deal for board in boards), strict=True))


@command
def table(
    deal: DealText,
    workers: Workers = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Tricks of each declarer in each strain, for a bridge deal or, from standard input, the boards of a PBN file."""
    boards = find_boards(deal)
    import pandas as pd

    from solver.analysis.table import table as ask
    from solver.analysis.versions import versions
    from solver.games import game
    from solver.views.answers import about_game, show

    kind, frames = form(json, csv), []
    with waiting("deals solved") as progress:
        for name, dealt in boards.items():
            found = ask(dealt, workers=workers)
            frame = found.pivot.reset_index() if kind == "table" else found.frame
            frames.append(frame.assign(board=name)[["board", *frame.columns]] if name else frame)
            if progress is not None:
                progress(len(frames), len(boards))
    texts = [dealt.text for dealt in boards.values()]
    more: dict[str, Any] = {"unit": "tricks", "deal": texts[0] if len(texts) == 1 else texts}
    about = {**about_game(game("bridge"), "double dummy", n=len(boards), **more), "versions": versions()}
    show(pd.concat(frames), about, kind, notes=["tricks of each declarer by strain, double dummy"])
