"""The double-dummy table of a bridge deal: tricks of each declarer in each strain, 20 numbers.

For one strain the search keeps one table over the four leads: North and South collect whoever declares, and what East
and West take as declarers are the other tricks. Neighbouring leads differ by a trick or two, so each lead is asked for
the value of the one before it first; what is reported is proved.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from solver.deals.interrupt import STOP
from solver.deals.search import Search
from solver.deals.success import cores
from solver.games import game_of
from solver.games.bridge import Bridge
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.model.shown import Shown

__all__ = ["STRAINS", "Table", "table"]

#: Strains in the order of the bids.
STRAINS = ("C", "D", "H", "S", "NT")
#: Leaders in the order asked: partners after each other have the closest values.
_LEADERS = (0, 2, 1, 3)
_NORTH_SOUTH = frozenset({0, 2})


@dataclass(frozen=True)
class Table(Shown):
    """Answer of `table`.

    Parameters
    ----------
    game, options
        What was asked about.
    deal
        The deal as text.
    frame
        A row a cell: `strain`, `seat`, `declarer` (the seat's name), `tricks`.
    nodes
        Positions searched.
    """

    game: str
    options: dict[str, Any]
    deal: str
    frame: pd.DataFrame = field(repr=False, compare=False)
    nodes: int
    method: str = "double dummy"

    @property
    def pivot(self) -> pd.DataFrame:
        """Declarers by strains."""
        wide = self.frame.pivot(index="declarer", columns="strain", values="tricks")
        return wide.loc[self.frame["declarer"].unique(), list(STRAINS)]

    def tricks(self, declarer: int, strain: str) -> int:
        """One cell."""
        found = self.frame[(self.frame["seat"] == declarer) & (self.frame["strain"] == strain)]
        return int(found["tricks"].iloc[0])

    def __str__(self) -> str:
        rows = [f"{'':<6}" + "".join(f"{s:>4}" for s in STRAINS)]
        rows += [f"{name:<6}" + "".join(f"{t:>4}" for t in row) for name, row in self.pivot.iterrows()]
        return "\n".join([f"{self.game}: tricks of each declarer by strain ({self.method})", *rows])


@checks_numbers
def table(deal: Deal, *, workers: int | None = None) -> Table:
    """Solve a bridge deal for every declarer and strain.

    Parameters
    ----------
    deal
        Of bridge; an ending of equal hands too.
    workers
        Threads, a strain each; None for all cores. Numbers do not depend on it.

    Returns
    -------
    Table

    Raises
    ------
    UnsupportedError
        For another game.
    KeyboardInterrupt
        After Ctrl-C: no part of the table is given.
    """
    game = game_of(deal)
    if not isinstance(game, Bridge):
        raise UnsupportedError(f"a table by declarer and strain is for bridge, not for {game.name}")
    searches: list[Search] = []
    with ThreadPoolExecutor(min(workers or cores(), len(STRAINS)), thread_name_prefix="trickwise") as pool:
        futures = [pool.submit(_strain, deal, strain, searches) for strain in STRAINS]
        try:
            found = [future.result() for future in futures]
        except KeyboardInterrupt:
            for future in futures:
                future.cancel()
            for one in searches:
                one.memory.counters[STOP] = 1
            raise
    size = len(deal.hands[0])
    rows: list[dict[str, Any]] = []
    for strain, (values, _) in zip(STRAINS, found, strict=True):
        for seat in range(4):
            own = values[(seat + 1) % 4]
            tricks = own if seat in _NORTH_SOUTH else size - own
            rows.append({"strain": strain, "seat": seat, "declarer": game.seat_label(seat), "tricks": tricks})
    nodes = sum(n for _, n in found)
    return Table(game.name, game.option_values(), deal.text, pd.DataFrame(rows), nodes)


def _strain(deal: Deal, strain: str, searches: list[Search]) -> tuple[dict[int, int], int]:
    """Tricks of North and South for each leader, and nodes."""
    rules = deal.game.trick_rules(Contract())
    trump = None if strain == "NT" else strain
    start = Position(rules, deal.hands, 0, side=_NORTH_SOUTH, trump=trump, first_lead=True)
    one = Search(start)
    searches.append(one)
    values: dict[int, int] = {}
    guess: int | None = None
    for leader in _LEADERS:
        position = replace(start, leader=leader)
        values[leader] = guess = one.proved(position) if guess is None else _near(one, position, guess)
    return values, one.nodes


def _near(one: Search, position: Position, guess: int) -> int:
    """Value of a position, asked for around a guess."""
    value, size = guess, len(position.hands[0])
    while value < size and _reaches(one, position, value + 1):
        value += 1
    if value > guess:
        return value
    while value and not _reaches(one, position, value):
        value -= 1
    return value


def _reaches(one: Search, position: Position, need: int) -> bool:
    found = one.reaches(position, need)
    if found is None:
        raise one.unproved()
    return found
