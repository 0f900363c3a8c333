"""The file of a study: its definition in the first line, then one line a hand, as they were finished.

``{"trickwise": "threshold", "format": 1, "game": "kit", …, "versions": {…}}``
``{"number": 0, "seed": 1835504127, "hand": "o1 t3 t1 s1", …}``

Lines are added and never changed, so whatever ends the work leaves a file that can be gone on with. A last line that
was only half written is dropped; anything else that is not as it should be is an error, and the file stays as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

from solver.deals.versions import versions
from solver.formats.json_text import read_json
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.thresholds.hand_rows import Study, drawn

__all__ = ["FORMAT", "Checkpoint", "Recorded", "read_checkpoint"]

#: Number of the file's form.
FORMAT = 1
_KIND = {"trickwise": "threshold", "format": FORMAT}

Row = dict[str, Any]


class Recorded(NamedTuple):
    """What a file holds.

    Parameters
    ----------
    definition
        Of the study, as plain values.
    versions
        Of the programs that began it.
    rows
        Finished hands by number.
    end
        Bytes up to the end of the last whole line.
    """

    definition: dict[str, Any]
    versions: dict[str, str]
    rows: dict[int, Row]
    end: int


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def read_checkpoint(path: str | os.PathLike[str]) -> Recorded:
    """Read the file of a study.

    Raises
    ------
    NotationError
        For a file that is none, and for a damaged line, with its number.
    OSError
        When there is no such file.
    """
    name = os.fspath(path)
    lines = Path(path).read_bytes().split(b"\n")[:-1]  # what follows the last newline is half a line, or nothing
    if not lines:
        raise NotationError(f"{name} is no file of a study: its first line is not whole")
    head = _read(lines[0], name, 1)
    if head.get("trickwise") != "threshold" or not isinstance(head.get("versions"), dict):
        raise NotationError(f"{name} is no file of a study: line 1 does not say what is studied")
    if head.get("format") != FORMAT:
        raise NotationError(f"{name} has format {excerpt(head.get('format'))}: this version reads {FORMAT}")
    definition = {k: v for k, v in head.items() if k not in (*_KIND, "versions")}
    study = Study.from_json(definition)
    rows: dict[int, Row] = {}
    for at, line in enumerate(lines[1:], 2):
        row = _read(line, name, at)
        number = row.get("number")
        if not isinstance(number, int) or number < 0 or number in rows:
            raise NotationError(
                f"line {at} of {name} has the number {excerpt(number)}: expected that of a further hand"
            )
        if (row.get("seed"), row.get("position")) != drawn(study, number) or "n" not in row:
            raise NotationError(f"line {at} of {name} is not hand {number} of this study")
        rows[number] = row
    end = sum(len(line) + 1 for line in lines)
    return Recorded(definition, head["versions"], dict(sorted(rows.items())), end)


def _read(line: bytes, name: str, at: int) -> Row:
    try:
        found = read_json(line)
    except NotationError:
        found = None
    if not isinstance(found, dict):
        raise NotationError(f"line {at} of {name} is damaged: expected a JSON object, read {excerpt(line)}")
    return found


class Checkpoint:
    """Finished hands of a study, kept in a file as well where one is named.

    Parameters
    ----------
    definition
        The study; the file, where there is one, must be of the same.
    path
        The file, made when it does not exist; None for no file.

    Attributes
    ----------
    rows
        Finished hands by number.

    Raises
    ------
    NotationError
        When the file is of another study, or damaged.
    """

    def __init__(self, definition: Study, path: str | os.PathLike[str] | None) -> None:
        self.rows: dict[int, Row] = {}
        self._file: BinaryIO | None = None
        if path is None:
            return
        told = json.loads(json.dumps(definition.to_json()))  # tuples as lists
        head = _line({**_KIND, **told, "versions": versions()})
        file = Path(path)
        begun = file.read_bytes() if file.exists() else b""
        end = 0
        if b"\n" in begun or not head.startswith(begun):  # else nothing was written but a part of the first line
            found = read_checkpoint(file)
            self._compare(told, found, os.fspath(path))
            self.rows, end = found.rows, found.end
        self._file = file.open("r+b" if file.exists() else "xb", buffering=0)
        self._file.truncate(end)
        self._file.seek(end)
        if not end:
            self._file.write(head)

    @staticmethod
    def _compare(told: Mapping[str, Any], found: Recorded, name: str) -> None:
        now = {**told, "trickwise": versions()["trickwise"]}
        then = {**found.definition, "trickwise": found.versions.get("trickwise")}
        for key in now:
            mine, its = now[key], then.get(key)
            if mine == its:
                continue
            if isinstance(mine, dict) and isinstance(its, dict):
                key, mine, its = next((k, mine[k], its.get(k)) for k in mine if mine[k] != its.get(k))
            raise NotationError(
                f"{name} holds another study, with {key} {excerpt(its)} and not {excerpt(mine)}: name another file, or "
                "ask as for this one"
            )

    def add(self, row: Row) -> None:
        """Keep a finished hand."""
        self.rows[row["number"]] = row
        if self._file is not None:
            self._file.write(_line(row))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
