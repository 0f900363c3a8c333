"""The store of a study: one DuckDB file with its definition, its chunks, their results, and who worked when.

======= ===================================================================================================
table   holds
======= ===================================================================================================
about   ``key``, ``value``: format, kind, definition, versions, units, chunks, columns
inputs  ``number``, ``name``, ``text``: what the study reads
chunks  ``chunk``, ``state`` (open or done), ``rows``
results ``chunk``, ``row`` and the columns of the kind
runs    ``run``, ``began``, ``ended`` (UTC), ``workers``, ``cluster``, ``versions``, ``chunks_done``
======= ===================================================================================================

A chunk comes in by one transaction: its rows, its state and the count of the run. So whatever ends the work, a chunk is
done with all its rows or open with none. While a program works, and after it was killed, the newest chunks stand in the
file beside it with the ending ``.wal``; the next one that opens the store takes them in.

A file that is no store, damaged, of another format or in use is refused with one line and stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import duckdb

from solver.deals.versions import versions
from solver.formats.json_text import read_json
from solver.model.checks import excerpt, shortened
from solver.model.errors import NotationError, UnsupportedError
from solver.studies.catalogue import TABLES, check_catalogue
from solver.studies.creation import FORMAT, create_store, plain_text, table_columns, without_folders
from solver.studies.definition import Definition
from solver.studies.export import write_export
from solver.studies.guard import StoreBusyError, StoreError, check_beside, claim, release, said, told
from solver.studies.kinds import KINDS, Item, Row, kind_of, span
from solver.studies.status import Status, mixed_versions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Status", "Store", "StoreBusyError", "StoreError", "create_store", "open_store", "read_study"]

#: No other files, no further databases, and no way back for the connection.
_CLOSED: dict[str, Any] = {"enable_external_access": False, "lock_configuration": True}


#: Seconds after which a store that another program has open is given up.
_PATIENCE = 1.0


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def open_store(path: str | os.PathLike[str], *, write: bool = False) -> Store:
    """Open a store.

    Parameters
    ----------
    path
        The file.
    write
        To work on it, which one program can at a time; otherwise to read it, which several can, but none while it is
        being worked on.

    Raises
    ------
    StoreBusyError
        While another has it.
    StoreError
        For a file that is no store, damaged, or of another format; it stays as it is.
    OSError
        When there is no such file.
    """
    name = os.fspath(path)
    if not Path(name).is_file():
        raise StoreError(f"there is no store {name}" if not os.path.lexists(name) else f"{name} is no file")
    return Store(name, write=write)


class Store:
    """An open store, see `open_store`.

    Attributes
    ----------
    path
        The file.
    about
        Its own account: format, kind, definition, versions, units, chunks, columns.
    units, chunks
        How many there are.
    """

    def __init__(self, name: str, *, write: bool) -> None:
        self.path = name
        self._write = write
        self._run: int | None = None
        self._key = claim(name, write=write)
        self._db: duckdb.DuckDBPyConnection | None = None
        try:
            # For reading first, whatever it is: a file that is no store must not be touched.
            self._connect(read_only=True)
            self._check()
            if write:
                self._end()
                self._lock()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """Open it for writing; of two programs that look into it at the same moment, one gets it."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connect(read_only=False)
                return
            except StoreBusyError:
                if time.monotonic() > until:
                    raise
                time.sleep(random.uniform(0.02, 0.1))  # the other may only be reading, as this one just did

    def _connect(self, *, read_only: bool) -> None:
        """Open the file without access to any other: what is in it may come from anywhere."""
        check_beside(self.path)
        with told(self.path, "open"):
            self._db = duckdb.connect(self.path, read_only=read_only, config=_CLOSED)

    def _ask(self, sql: str, values: Sequence[Any] = (), *, doing: str = "read") -> list[tuple[Any, ...]]:
        if self._db is None:
            raise StoreError(f"{self.path} is closed")
        with told(self.path, doing):
            return self._db.execute(sql, list(values)).fetchall()

    def _check(self) -> None:
        """Raise StoreError for what is no store, or whose chunks are not whole."""
        tables = check_catalogue(self._ask, self.path)
        if tables["about"] != TABLES["about"]:
            raise StoreError(f"{self.path} is a DuckDB file, but no store of a study")
        self.about = {str(k): str(v) for k, v in self._ask("SELECT key, value FROM about")}
        if self.about.get("format") != FORMAT:
            raise StoreError(
                f"{self.path} is a store of format {excerpt(self.about.get('format'))}: this version reads {FORMAT!r}"
            )
        try:
            self.units, self.chunks = int(self.about["units"]), int(self.about["chunks"])
            self.versions: dict[str, str] = _versions(self.about["versions"])
            self.told: dict[str, Any] = without_folders(_object(self.about["definition"]))
            self._size = int(self.told["chunk"])
            kind, game = self.told["kind"], self.told["game"]
            # Older stores have no note of their columns.
            noted = dict(read_json(self.about["columns"])) if "columns" in self.about else None
        except (KeyError, ValueError, TypeError, OverflowError) as wrong:
            raise StoreError(
                f"{self.path} is damaged: its table about lacks or garbles {shortened(str(wrong))}"
            ) from None
        if not isinstance(kind, str) or not isinstance(game, str):
            raise StoreError(
                f"{self.path} is damaged: its kind is {excerpt(kind)} and its game {excerpt(game)}, no names"
            )
        if kind not in KINDS:
            raise StoreError(f"{self.path} holds a study of kind {excerpt(kind)}, which this version does not know")
        if self.units < 1 or self._size < 1 or self.chunks != -(-self.units // self._size):
            raise StoreError(
                f"{self.path} is damaged: {self.units} units are not {self.chunks} chunks of {self._size} each"
            )
        self._columns = tables.pop("results")
        if odd := [name for name, columns in TABLES.items() if tables[name] != columns]:
            raise StoreError(f"{self.path} is damaged: its table {odd[0]} has other columns")
        self._fit(self._columns if noted is None else noted)
        # Reads every block once, so that a damaged one is found before anything is written.
        self._ask("SELECT count(hash(COLUMNS(*))) FROM results")
        bad = self._ask(
            "SELECT c.chunk FROM chunks c FULL JOIN (SELECT chunk, count(*) n, count(DISTINCT \"row\") d FROM results "
            "GROUP BY chunk) r ON c.chunk = r.chunk WHERE c.chunk IS NULL OR coalesce(n, 0) <> c.\"rows\" OR "
            "coalesce(d, 0) <> c.\"rows\" OR (c.state <> 'done' AND n > 0) LIMIT 1"
        )  # fmt: skip
        if bad or self._ask("SELECT count(*), count(DISTINCT chunk) FROM chunks") != [(self.chunks, self.chunks)]:
            raise StoreError(f"{self.path} is damaged: its chunks and its results do not agree")

    def _fit(self, wanted: dict[str, Any]) -> None:
        """Raise StoreError unless the results have these columns, of these types, in this order."""
        if [*wanted.items()] == [*self._columns.items()]:
            return
        wrong = [n for n in {**wanted, **self._columns} if wanted.get(n) != self._columns.get(n)]
        raise StoreError(
            f"{self.path} is damaged, or of another version: its results do not have the columns of its study"
            + (f"; wrong: {', '.join(wrong[:5])}" if wrong else ", in their order")
        )

    @cached_property
    def definition(self) -> Definition:
        """What is studied.

        Raises
        ------
        StoreError
            When this version does not offer it, or has other results for it.
        """
        try:
            found = Definition.from_json(self.told)
        except (NotationError, UnsupportedError) as wrong:
            raise StoreError(f"{self.path} holds a study that this version does not know: {wrong}") from None
        # Here and not when the store is opened: kinds may load the compiler.
        self._fit(table_columns(kind_of(found.kind).columns(found)))
        return found

    def pending(self) -> list[int]:
        """Chunks to do, in order."""
        return [c for (c,) in self._ask("SELECT chunk FROM chunks WHERE state <> 'done' ORDER BY chunk")]

    def done(self) -> list[int]:
        """Chunks done, in order."""
        return [c for (c,) in self._ask("SELECT chunk FROM chunks WHERE state = 'done' ORDER BY chunk")]

    def span(self, chunk: int) -> tuple[int, int]:
        """First unit of a chunk, and the one after its last."""
        return span(chunk, self._size, self.units)

    def inputs(self, first: int = 0, last: int | None = None) -> list[Item]:
        """Inputs with the numbers from `first` to before `last`."""
        asked = "SELECT name, text FROM inputs WHERE number >= ? AND number < ? ORDER BY number"
        return [(str(n), str(t)) for n, t in self._ask(asked, [first, 2**62 if last is None else last])]

    def begin(self, workers: int | None, cluster: str) -> None:
        """Note that a run begins."""
        (number,) = self._ask("SELECT count(*) FROM runs")[0]
        self._ask(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, 0)",
            [number, _now(), _now(), workers, cluster or None, plain_text(versions())], doing="write",
        )  # fmt: skip
        self._run = number

    def add(self, chunk: int, rows: Sequence[Row]) -> None:
        """Take a finished chunk, in one transaction.

        Parameters
        ----------
        chunk
            Its number; it must be open.
        rows
            From `solver.studies.work.work_chunk`.

        Raises
        ------
        StoreError
            When it cannot be written, or is done already; what was there stays.
        """
        columns = kind_of(self.told["kind"]).columns(self.definition)
        self._ask("BEGIN", doing="write")
        try:
            if self._ask("SELECT state FROM chunks WHERE chunk = ?", [chunk]) != [("open",)]:
                raise StoreError(f"chunk {chunk} of {self.path} is done already, or is none")
            if rows:
                lists = "".join(f", unnest(?::{kind}[])" for kind in columns.values())
                self._ask(
                    f"INSERT INTO results SELECT ?, unnest(range(?)){lists}",
                    [chunk, len(rows), *([row[name] for row in rows] for name in columns)], doing="write",
                )  # fmt: skip
            self._ask("UPDATE chunks SET state = 'done', \"rows\" = ? WHERE chunk = ?", [len(rows), chunk],
                      doing="write")  # fmt: skip
            self._ask("UPDATE runs SET chunks_done = chunks_done + 1, ended = ? WHERE run = ?", [_now(), self._run],
                      doing="write")  # fmt: skip
            self._ask("COMMIT", doing="write")
        except BaseException:
            with suppress(StoreError):  # after a failed commit there is nothing to roll back
                self._ask("ROLLBACK", doing="write")
            raise

    def status(self, *, interrupted: bool = False) -> Status:
        """How far the study is."""
        done = self.done()
        units = sum(b - a for a, b in map(self.span, done))
        (rows,) = self._ask("SELECT count(*) FROM results")[0]
        runs, seconds = self._ask("SELECT count(*), coalesce(sum(epoch(ended) - epoch(began)), 0) FROM runs")[0]
        return Status(
            str(self.told["kind"]), str(self.told["game"]), kind_of(self.told["kind"]).unit, self.units, units,
            self.chunks, len(done), rows, runs, float(seconds), interrupted, self._mixed(),
        )  # fmt: skip

    def _mixed(self) -> tuple[str, ...]:
        """A line when it was begun, or chunks were worked out, with several versions."""
        used = self._ask("SELECT versions FROM runs WHERE chunks_done > 0 ORDER BY run")
        try:
            return mixed_versions([self.versions, *(_versions(text) for (text,) in used)])
        except (ValueError, TypeError):
            raise StoreError(f"{self.path} is damaged: its table runs garbles versions") from None

    def runs(self) -> list[dict[str, Any]]:
        """Who worked when: a row a run."""
        names = ("run", "began", "ended", "workers", "cluster", "versions", "chunks_done")
        rows = self._ask(f"SELECT {', '.join(names)} FROM runs ORDER BY run")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def frame(self) -> pd.DataFrame:
        """The results, sorted by chunk and row; numbers in a column with unknown ones are floats."""
        return self._frame('SELECT * FROM results ORDER BY chunk, "row"')

    def _frame(self, sql: str) -> pd.DataFrame:
        if self._db is None:
            raise StoreError(f"{self.path} is closed")
        with told(self.path, "read"):
            found = self._db.execute(sql).df()
        return found.astype({c: float for c in found if str(found[c].dtype) == "Int64"})

    def digest(self) -> str:
        """SHA-256 over the sorted results, equal for equal results: every value exactly, no time, no place."""
        found = hashlib.sha256()
        if self._db is None:
            raise StoreError(f"{self.path} is closed")
        with told(self.path, "read"):
            asked = self._db.execute('SELECT * FROM results ORDER BY chunk, "row"')
            found.update(json.dumps([column[0] for column in asked.description or ()]).encode())
            while rows := asked.fetchmany(10_000):
                found.update("\n".join(json.dumps(row) for row in rows).encode())
                found.update(b"\n")
        return found.hexdigest()

    def export(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the results, sorted by chunk and row, into a file, its format by the ending.

        Equal results give equal bytes.

        Parameters
        ----------
        path
            The file, ending in .parquet or .csv.
        force
            Whether a file of that name may be replaced.

        Raises
        ------
        NotationError
            For another ending.
        StoreError
            When the file exists already, or cannot be written.
        """
        if self._db is None:
            raise StoreError(f"{self.path} is closed")
        self._end()
        try:
            write_export(self.path, os.fspath(path), force=force)
        finally:
            self._connect(read_only=not self._write)

    def query(self, sql: str) -> pd.DataFrame:
        """Ask the store in SQL, which can read its tables and do nothing else.

        Raises
        ------
        NotationError
            With what DuckDB says of a wrong query.
        UnsupportedError
            When the store is open for writing.
        """
        if self._write or self._db is None:
            raise UnsupportedError("a query is asked of a store that is open for reading")
        try:
            return self._db.sql(sql).df() if sql.strip() else self._nothing()
        except (duckdb.Error, AttributeError) as wrong:  # AttributeError: a statement without an answer
            why = "it has no answer" if isinstance(wrong, AttributeError) else said(wrong)
            raise NotationError(f"cannot answer the query: {why}; there are the tables about, inputs, chunks, "
                                "results and runs") from None  # fmt: skip

    def _nothing(self) -> pd.DataFrame:
        raise NotationError('the query is empty: expected SQL, as in "select * from results limit 5"')

    def _end(self) -> None:
        if self._db is not None:
            db, self._db = self._db, None
            db.close()

    def close(self) -> None:
        """Close the file, and take in what stands beside it if it was written."""
        if self._key:
            key, self._key = self._key, ""
            try:
                with suppress(duckdb.Error):  # a full disk: what stands beside the file stays there
                    self._end()
            finally:
                release(key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.close()


def _object(text: str) -> dict[str, Any]:
    """An object from JSON."""
    found = read_json(text)
    if not isinstance(found, dict):
        raise TypeError(f"{excerpt(text)}, which is no object")
    return found


def _versions(text: str) -> dict[str, str]:
    return {name: str(version) for name, version in _object(text).items()}


def read_study(path: str | os.PathLike[str], sql: str | None = None) -> pd.DataFrame:
    """Read the results of a study into pandas, sorted by chunk and row, or ask its store in SQL.

    Parameters
    ----------
    path
        The store.
    sql
        A query instead, over the tables ``results``, ``chunks``, ``runs``, ``inputs`` and ``about``.

    Returns
    -------
    pandas.DataFrame
        `attrs` has the definition, and how many ``units`` there are and are ``done``.

    Raises
    ------
    StoreBusyError
        While the study is being worked on.
    StoreError
        For a file that is no store.
    NotationError
        For a query that has no answer.
    """
    with open_store(path) as store:
        status = store.status()
        found = store.frame() if sql is None else store.query(sql)
        found.attrs |= {"definition": store.told, "units": status.units, "done": status.units_done}
        return found
