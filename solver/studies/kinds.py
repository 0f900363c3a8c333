"""Kinds of studies: what a unit of work is, what a row of results has, and how the results are told.

A kind is an object that has what `Kind` lists, in a module of its own that is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from solver.model.checks import excerpt
from solver.model.errors import UnsupportedError

if TYPE_CHECKING:
    import pandas as pd

    from solver.studies.definition import Definition, Key

__all__ = ["KINDS", "Item", "Kind", "Report", "Row", "kind_of", "span"]

#: Where each kind is.
KINDS = {
    "threshold": "solver.studies.kind_threshold:KIND",
    "exact": "solver.studies.kind_exact:KIND",
    "match": "solver.studies.kind_match:KIND",
    "solve": "solver.studies.kind_solve:KIND",
    "annotate": "solver.studies.kind_annotate:KIND",
}

#: A text that a study reads: its name, without a folder, and the text.
Item = tuple[str, str]
Row = dict[str, Any]


class Report(NamedTuple):
    """What a study says.

    Parameters
    ----------
    heading
        Lines before the tables.
    tables
        Each with its title.
    notes
        Lines after them.
    what
        What a function of `solver.views.plot` draws; None when there is nothing to draw.
    """

    heading: tuple[str, ...]
    tables: tuple[tuple[str, pd.DataFrame], ...]
    notes: tuple[str, ...]
    what: Any = None


class Kind(Protocol):
    """A kind of study; kinds inherit it for what most of them have alike.

    Attributes
    ----------
    name
        Word in files.
    games
        Games it is for; () when its inputs name their own.
    keys
        Its own keys.
    chunk
        Usual number of units of a chunk.
    unit
        What progress counts, such as ``"hands"``.
    """

    name: str
    games: tuple[str, ...]
    keys: Mapping[str, Key]
    chunk: int
    unit: str

    def check(self, definition: Definition) -> Definition:
        """Raise for what else can be wrong; return the definition with derived settings filled in."""
        ...

    def inputs(self, definition: Definition, base: Path) -> list[Item]:
        """Read the texts of a study that begins, from the folder of its file; none for studies that draw."""
        return []

    def units(self, definition: Definition, inputs: Sequence[Item]) -> int:
        """How many units there are: one a text, unless the kind says otherwise."""
        return len(inputs)

    def columns(self, definition: Definition) -> dict[str, str]:
        """Columns of a row, each with BIGINT, DOUBLE, BOOLEAN or VARCHAR."""
        ...

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Rows of the units from `first` to before `last`, whose inputs `items` are.

        A pure function: the rows hold no time, path, host or thread, and do not depend on how units are chunked.
        """
        ...

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """Tell the results so far of `n_units` units."""
        ...


@cache
def _load(where: str) -> Kind:
    module, _, name = where.partition(":")
    kind: Kind = getattr(import_module(module), name)
    return kind


def kind_of(name: str) -> Kind:
    """Return a kind by its name.

    Raises
    ------
    UnsupportedError
        For a name that is none.
    """
    if name not in KINDS:
        raise UnsupportedError(f"no kind of study {excerpt(name)}: there are {', '.join(KINDS)}")
    return _load(KINDS[name])


def span(chunk: int, size: int, units: int) -> tuple[int, int]:
    """First unit of a chunk, and the one after its last."""
    return chunk * size, min((chunk + 1) * size, units)
