"""A kind of study that takes no time, for tests of what carries studies; `register` makes it known as ``toy``."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from solver.model.errors import NotationError, UnsupportedError
from solver.studies.definition import Definition, Key
from solver.studies.kinds import KINDS, Report

TOML = 'kind = "toy"\ngame = "kit"\nseed = 3\nchunk = 2\n[toy]\ncount = {count}\nmilliseconds = {ms}\n'


class Toy:
    name = "toy"
    games = ("kit", "thousand")
    chunk = 2
    unit = "things"
    keys: ClassVar = {
        "count": Key(int, 12, 0, 10_000, help="how many"),
        "milliseconds": Key(int, 0, 0, 10_000, help="each takes"),
        "odds": Key(float, 0.5, 0, 1),
        "mode": Key(str, "plain", choices=("plain", "strange")),
        "flag": Key(bool, False),
        "numbers": Key(list[int], [], 0, 9),
        "words": Key(list[str], ()),
        "fail": Key(int, -1, help="this one raises"),
        "crash": Key(int, -1, help="this one has a fault"),
        "die": Key(int, -1, help="this one ends its process"),
        "folder": Key(str, "", help="texts are read from it, one a unit"),
    }

    def check(self, definition: Definition) -> Definition:
        if definition.settings["odds"] == 0.25:
            raise UnsupportedError("odds of 0.25 are refused")
        return definition

    def inputs(self, definition: Definition, base: Path) -> list[tuple[str, str]]:
        folder = definition.settings["folder"]
        return [(p.name, p.read_text()) for p in sorted((base / folder).glob("*.txt"))] if folder else []

    def units(self, definition: Definition, inputs: Sequence[tuple[str, str]]) -> int:
        return len(inputs) if definition.settings["folder"] else definition.settings["count"]

    def columns(self, definition: Definition) -> dict[str, str]:
        return {"number": "BIGINT", "value": "DOUBLE", "even": "BOOLEAN", "text": "VARCHAR"}

    def work(
        self, definition: Definition, first: int, last: int, items: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for i in range(first, last):
            time.sleep(definition.settings["milliseconds"] / 1000)
            if i == definition.settings["fail"]:
                raise NotationError(f"thing {i} cannot be read\nat all")
            if i == definition.settings["crash"]:
                raise ZeroDivisionError("by nought")
            if i == definition.settings["die"]:
                os._exit(7)
            rng = random.Random(f"{definition.seed}:{i}")
            text = items[i - first][1] if items else f"'{i}', \"♠\"\n"
            # A thing has none, one or two rows; every third has unknown values.
            row = {"number": i, "value": rng.gauss(0, 1e9), "even": i % 2 == 0, "text": text}
            blank = {"number": None, "value": None, "even": None, "text": None if i % 2 else ""}
            out += [row] if i % 3 == 0 else [row, {**row, "value": 0.1 + i}] if i % 3 == 1 else [blank]
        return out

    def report(self, definition: Definition, results: Any, n_units: int) -> Report:
        table = results[["number", "value"]].dropna().head(3)
        return Report((f"toy: {n_units} things",), (("", table), ("by parity", table)), ("a note",))


KIND = Toy()


def register() -> None:
    KINDS["toy"] = "toykind:KIND"


def dask_setup(worker: Any) -> None:
    """Called on workers that load this module first."""
    register()
