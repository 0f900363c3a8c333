"""What the file of a study may hold: five tables with plain columns, and nothing that acts when they are read.

A store may come from anywhere. A view, a macro, a default or a trigger in it is a program of whoever made the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solver.model.checks import excerpt
from solver.studies.guard import StoreError

__all__ = ["TABLES", "check_catalogue", "create_table"]

#: The tables that all studies have alike, with their columns; the columns of ``results`` are those of the kind.
TABLES: dict[str, dict[str, str]] = {
    "about": {"key": "VARCHAR", "value": "VARCHAR"},
    "inputs": {"number": "BIGINT", "name": "VARCHAR", "text": "VARCHAR"},
    "chunks": {"chunk": "BIGINT", "state": "VARCHAR", "rows": "BIGINT"},
    "runs": {"run": "BIGINT", "began": "TIMESTAMP", "ended": "TIMESTAMP", "workers": "BIGINT", "cluster": "VARCHAR",
             "versions": "VARCHAR", "chunks_done": "BIGINT"},
}  # fmt: skip

#: What else a DuckDB file may hold: its name, the column and the function that list it, and which are the user's.
_OTHERS = (
    ("schema", "schema_name", "duckdb_schemas", "NOT internal AND schema_name <> 'main'"),
    ("view", "view_name", "duckdb_views", "NOT internal"),
    ("macro", "function_name", "duckdb_functions", "NOT internal"),
    ("type", "type_name", "duckdb_types", "NOT internal"),
    ("sequence", "sequence_name", "duckdb_sequences", "true"),
    ("index", "index_name", "duckdb_indexes", "true"),
    ("trigger", "trigger_name", "duckdb_triggers", "true"),  # absent before DuckDB 2
    ("constraint", "constraint_text", "duckdb_constraints", "true"),
    ("default, or formula, of the column", "column_name", "duckdb_columns", "NOT internal AND column_default NOT NULL"),
)

Ask = Callable[[str], list[tuple[Any, ...]]]


def create_table(name: str, columns: Mapping[str, str]) -> str:
    """SQL that makes a table."""
    return f"CREATE TABLE {name} ({', '.join(f'{_quoted_name(column)} {kind}' for column, kind in columns.items())})"


def _quoted_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def check_catalogue(ask: Ask, path: str) -> dict[str, dict[str, str]]:
    """Columns of each table of a file, which holds the tables of a study and nothing else.

    Parameters
    ----------
    ask
        Answers SQL, without access to other files.
    path
        What messages call the file.

    Raises
    ------
    StoreError
        When it lacks a table, or holds anything else.
    """
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in ask(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE table_oid IN "
        "(SELECT table_oid FROM duckdb_tables() WHERE NOT internal) ORDER BY table_oid, column_index"
    ):
        columns.setdefault(str(table), {})[str(column)] = str(kind)
    wanted = {*TABLES, "results"}
    if not wanted <= columns.keys():
        raise StoreError(f"{path} is a DuckDB file, but no store of a study")
    offered = {name for (name,) in ask("SELECT function_name FROM duckdb_functions() WHERE internal")}
    others = [f"table {excerpt(name)}" for name in sorted(columns.keys() - wanted)]
    for what, name, function, mine in _OTHERS:
        if function in offered:
            others += [f"{what} {excerpt(found)}" for (found,) in ask(f"SELECT {name} FROM {function}() WHERE {mine}")]
    if others:
        raise StoreError(f"{path} is no store of a study alone: it also holds the {others[0]}")
    return columns
