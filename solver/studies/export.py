"""Results of a store as a file of their own: Parquet or CSV, equal bytes for equal results."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import duckdb

from solver.formats.whole import beside
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.studies.guard import StoreError, give, said, told

__all__ = ["ENDINGS", "check_export", "write_export"]

#: Endings of exported files, with DuckDB's name of the format.
ENDINGS = {".parquet": "parquet", ".csv": "csv"}


def check_export(name: str, *, force: bool) -> str:
    """Return the format of a file's ending.

    Raises
    ------
    NotationError
        For an ending that stands for none.
    StoreError
        When the file exists and must not be replaced.
    """
    kind = ENDINGS.get(Path(name).suffix.lower())
    if kind is None:
        raise NotationError(f"cannot export to {excerpt(name)}: the name ends in {' or '.join(ENDINGS)}")
    if os.path.lexists(name) and not force:
        raise StoreError(f"{name} exists already: name another file, or --force")
    return kind


def write_export(store: str, name: str, *, force: bool) -> None:
    """Write the table of results, sorted by chunk and row; a file comes in whole or not at all.

    Parameters
    ----------
    store
        A file that has been found to hold a study and nothing else, and that nobody in this process has open.
    name, force
        The file to write, and whether one of that name may be replaced.

    Raises
    ------
    NotationError, StoreError
        As `check_export`, and when the file cannot be written.
    """
    kind = check_export(name, force=force)
    try:
        with beside(name) as new:
            quoted, more = new.replace("'", "''"), ", HEADER" if kind == "csv" else ""
            with told(store, "open"):
                db = duckdb.connect(store, read_only=True)
            with closing(db):
                db.execute(f"SET allowed_paths = ['{quoted}']")  # this file, and no other
                db.execute("SET enable_external_access = false")
                db.execute("SET threads = 1")  # so that row groups come in order, whatever the machine
                db.execute(f"COPY (SELECT * FROM results ORDER BY chunk, \"row\") TO '{quoted}' (FORMAT {kind}{more})")
            if force:
                os.replace(new, name)
            else:
                give(new, name)
    except duckdb.Error as wrong:
        raise StoreError(f"cannot write {name}: {said(wrong)}") from None
    except FileExistsError:
        raise StoreError(f"{name} exists already: name another file, or --force") from None
    except OSError as wrong:
        raise StoreError(f"cannot write {name}: {wrong.strerror}") from None
