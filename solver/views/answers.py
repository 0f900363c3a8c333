"""One answer in the form asked for: a table for people, CSV, or the one JSON object."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from solver.games import Game
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.views.tables import json_object, print_table, write_csv, write_json

__all__ = ["about_deal", "about_game", "show"]


def about_game(game: Game | None, method: str, *, seed: int | None = None, n: int = 0, **more: Any) -> dict[str, Any]:
    """Describe an answer that no search made, for JSON."""
    return {
        "game": None if game is None else game.name, "options": {} if game is None else game.option_values(),
        "method": method, "seed": seed, "n": n,
        "versions": {"trickwise": version("trickwise"), "python": platform.python_version()}, **more,
    }  # fmt: skip


def about_deal(deal: Deal, contract: Contract, *, method: str = "double dummy", **more: Any) -> dict[str, Any]:
    """Describe an answer about one deal, for JSON."""
    from solver.deals.versions import versions
    from solver.formats.record import contract_text

    return {
        **about_game(deal.game, method, n=1), "versions": versions(), "unit": deal.game.unit_of(contract),
        "deal": deal.text, "contract": contract_text(deal.game, contract), **more,
    }  # fmt: skip


def show(
    data: Any, about: dict[str, Any], form: str, *, heading: Iterable[str] = (), notes: Iterable[object] = ()
) -> None:
    """Print an answer on standard output.

    Parameters
    ----------
    data
        The table.
    about
        What the JSON object says besides the rows; see `json_object`.
    form
        ``"table"``, ``"csv"`` or ``"json"``.
    heading, notes
        Lines before and after the table; JSON has the notes too.
    """
    lines = [str(line) for line in notes]
    if form == "json":
        write_json(json_object(data, **about, notes=lines), sys.stdout)
    elif form == "csv":
        write_csv(data, sys.stdout)
    else:
        if "declare" in data and not data["declare"].any():  # nobody can declare a marriage here
            data = data.drop(columns="declare")
        print_table(data, sys.stdout, heading=list(heading), notes=lines)
