"""Another solver, where one is installed, for checking values and as the measure of speed.

For bridge that is DDS through the package ``endplay``. Its mean time for a deal is the unit U in which speed is given:
a ratio of times measured side by side says more than milliseconds on some machine.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from solver.games.bridge_deal import write_hands
from solver.model.play import Position

__all__ = ["Endplay", "find_peer"]


class Endplay:
    """DDS as ``endplay`` offers it."""

    name = "endplay"

    def __init__(self) -> None:
        self._types = importlib.import_module("endplay.types")
        self._dds = importlib.import_module("endplay.dds")
        self._one = importlib.import_module("endplay.dds.solve").SolveMode.OptimalOne
        self.version = version("endplay")

    def prepare(self, position: Position) -> tuple[Any, bool, int]:
        """Turn the start of a trick of bridge into what `value` and `table` take."""
        types = self._types
        deal = types.Deal(write_hands(position.hands))
        deal.first = types.Player(position.leader)
        strains = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", None: "nt"}
        deal.trump = getattr(types.Denom, strains[position.trump])
        return deal, position.leader in position.side, len(position.hands[0])

    def value(self, prepared: tuple[Any, bool, int]) -> int:
        """Tricks of the collecting side."""
        deal, leads, size = prepared
        tricks = int(next(iter(self._dds.solve_board(deal, self._one)))[1])
        return tricks if leads else size - tricks

    def table(self, prepared: tuple[Any, bool, int]) -> dict[tuple[int, str], int]:
        """Tricks by declarer and strain."""
        found = self._dds.calc_dd_table(prepared[0])
        types = self._types
        strains = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "nt"}
        return {
            (seat, name): int(found[getattr(types.Denom, word), types.Player(seat)])
            for name, word in strains.items()
            for seat in range(4)
        }


def find_peer() -> Endplay | None:
    """Return the other solver, or None where it is not installed."""
    try:
        return Endplay()
    except (ImportError, PackageNotFoundError):
        return None
