"""Make the store of a study that begins: whole from the first moment, and never in the place of another file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from solver.deals.versions import versions
from solver.formats.whole import beside
from solver.model.checks import excerpt
from solver.model.errors import UnsupportedError
from solver.studies.catalogue import TABLES, create_table
from solver.studies.definition import Definition
from solver.studies.guard import StoreError, StoreExistsError, give, told
from solver.studies.kinds import Item, kind_of

__all__ = ["FORMAT", "create_store", "plain_text", "table_columns", "without_folders"]

#: Number of the file's form.
FORMAT = "1"
#: Settings that name what is read; it is in the store, so where it was does not matter any more.
_READ = ("file", "folder")


def create_store(path: str | os.PathLike[str], definition: Definition, inputs: Sequence[Item]) -> None:
    """Make the store of a study that begins; a file that exists is never replaced.

    Parameters
    ----------
    path
        The file.
    definition
        Of the study.
    inputs
        What it reads: name and text of each.

    Raises
    ------
    StoreError
        When the file exists or cannot be written.
    """
    name, kind = os.fspath(path), kind_of(definition.kind)
    if os.path.lexists(name):
        raise StoreExistsError(f"{name} exists already: name another store, or remove it")
    if os.path.lexists(f"{name}.wal"):
        raise StoreError(f"{name}.wal exists already: name another store, or remove it")
    if not Path(name).parent.is_dir():
        raise StoreError(f"cannot write {name}: there is no folder {excerpt(str(Path(name).parent))}")
    units = kind.units(definition, inputs)
    if units < 1:
        raise UnsupportedError(f"a study without {kind.unit}: there is nothing to do")
    chunks = -(-units // definition.chunk)
    columns = table_columns(kind.columns(definition))
    about = {"format": FORMAT, "kind": definition.kind, "definition": plain_text(without_folders(definition.to_json())),
             "versions": plain_text(versions()), "units": str(units), "chunks": str(chunks),
             "columns": plain_text([*columns.items()])}  # fmt: skip
    # Whole from the first moment under its name: made under another one, and then linked.
    with told(name, "make"), beside(name) as new:
        with duckdb.connect(new) as db:
            for table, its in {**TABLES, "results": columns}.items():
                db.execute(create_table(table, its))
            db.execute("INSERT INTO about SELECT unnest(?), unnest(?)", [[*about], [*about.values()]])
            db.execute("INSERT INTO chunks SELECT range, 'open', 0 FROM range(?)", [chunks])
            if inputs:
                db.execute(
                    "INSERT INTO inputs SELECT unnest(range(?)), unnest(?::VARCHAR[]), unnest(?::VARCHAR[])",
                    [len(inputs), [n for n, _ in inputs], [text for _, text in inputs]],
                )
            db.execute("CHECKPOINT")  # closing does the same, but says nothing when the disk is full
        try:
            give(new, name)
        except FileExistsError:
            raise StoreExistsError(f"{name} exists already: name another store, or remove it") from None


def table_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Columns of the table ``results``, with their types, from those of a kind."""
    return {"chunk": "BIGINT", "row": "BIGINT", **columns}


def without_folders(told: Mapping[str, Any]) -> dict[str, Any]:
    """A definition's plain values, with the last part of names of files and folders only."""
    settings = told.get("settings")
    if not isinstance(settings, dict):
        return dict(told)
    short = {k: Path(v).name or "." for k, v in settings.items() if k in _READ and isinstance(v, str) and v}
    return {**told, "settings": {**settings, **short}}


def plain_text(value: object) -> str:
    """Plain values as JSON, equal for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
