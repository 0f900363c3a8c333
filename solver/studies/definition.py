"""The definition of a study: what fixes its numbers, read from a TOML file and checked, key by key.

::

    kind = "threshold"
    game = "thousand"
    seed = 3
    chunk = 4                # units that are done and kept together

    [options]                # house rules of the game
    must_beat = true

    [threshold]              # keys of the kind
    hands = 2000

Every unknown key is named with the nearest known one; nothing is guessed.
"""

from __future__ import annotations

import dataclasses
import math
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from solver.games import GAMES, as_game
from solver.model.checks import excerpt, shortened
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.studies.kinds import KINDS, kind_of

if TYPE_CHECKING:
    from solver.studies.kinds import Kind

__all__ = ["REQUIRED", "Definition", "Key", "definition_of", "read_definition"]

#: Default of a key that has none.
REQUIRED: Final[Any] = type("Required", (), {"__repr__": lambda self: "REQUIRED"})()
#: Seeds and other whole numbers without a bound of their own stay within the store's BIGINT.
MOST = 2**63 - 1
#: Bytes above which no file is taken for a definition, and characters of a text in it.
LONGEST, LONGEST_TEXT = 1_000_000, 10_000
#: Units of a chunk.
LARGEST_CHUNK = 1_000_000

_HEAD = ("kind", "game", "seed", "chunk", "options")
_NAMES = {int: "a whole number", float: "a number", str: "a text in quotes", bool: "true or false",
          list[int]: "a list of whole numbers", list[str]: "a list of texts"}  # fmt: skip


class Key(NamedTuple):
    """A key of a definition.

    Parameters
    ----------
    kind
        int, float, str, bool, ``list[int]`` or ``list[str]``.
    default
        Value where the file has none; `REQUIRED` when it must have one.
    least, most
        Bounds of a number, or of each number of a list.
    choices
        The texts that there are, for a text or each of a list; () for any.
    help
        What it is, in a line.
    """

    kind: Any
    default: Any = REQUIRED
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    help: str = ""

    def read(self, name: str, value: object) -> Any:
        """Check a value, and return it as the key's type.

        Raises
        ------
        NotationError
            With the name, what was read and what is expected.
        """
        if self.kind in (list[int], list[str]):
            one = int if self.kind == list[int] else str
            if not isinstance(value, list) or not all(_is(one, v) for v in value):
                raise NotationError(f"{name} is {_short(value)}: expected {self.expected()}")
            return [self._bounded(name, v) for v in value]
        if not _is(self.kind, value):
            raise NotationError(f"{name} is {_short(value)}: expected {self.expected()}")
        return self._bounded(name, float(value) if self.kind is float else value)  # type: ignore[arg-type]

    def _bounded(self, name: str, value: Any) -> Any:
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            if (self.choices and value not in self.choices) or len(value) > LONGEST_TEXT:
                near = f" (nearest: {_near(value, self.choices)})" if _near(value, self.choices) else ""
                raise NotationError(f"{name} is {_short(value)}{near}: expected {self.expected()}")
            return value
        least, most = (-MOST if self.least is None else self.least), (MOST if self.most is None else self.most)
        if not least <= value <= most or not math.isfinite(value):
            raise NotationError(f"{name} is {_short(value)}: expected {self.expected()}")
        return value

    def expected(self) -> str:
        """What is expected, in words."""
        if self.choices:
            several = "a list of " if self.kind == list[str] else "one of "
            return several + ", ".join(map(repr, self.choices))
        words = _NAMES[self.kind]
        if self.least is not None:
            words += f" from {self.least}"
        return words + (f" to {self.most}" if self.most is not None else "")


@dataclass(frozen=True)
class Definition:
    """What fixes the numbers of a study, together with the texts that its kind reads.

    Parameters
    ----------
    kind
        Name of its kind.
    game, options
        The game, with every option; "" and {} for kinds whose inputs name their own.
    seed
        Of all that is drawn.
    chunk
        Units of a chunk.
    settings
        Keys of the kind, each with its value.
    """

    kind: str
    game: str
    options: dict[str, Any]
    seed: int
    chunk: int
    settings: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Definition:
        """Read plain values back, checked like a file.

        Raises
        ------
        NotationError, UnsupportedError
            For what is no definition.
        """
        head = {k: v for k, v in told.items() if k != "settings"}
        settings = told.get("settings")
        if not isinstance(settings, dict):
            raise NotationError(f"settings is {_short(settings)}: expected a table of keys")
        if not told.get("game"):
            head = {k: v for k, v in head.items() if k not in ("game", "options")}
        # A setting without a value stands for the default that is none.
        return definition_of(head | {str(told.get("kind")): {k: v for k, v in settings.items() if v is not None}})


def read_definition(path: str | os.PathLike[str]) -> Definition:
    """Read the definition of a study from a TOML file.

    Raises
    ------
    NotationError
        For a file that is no TOML, with line and column, and for unknown keys, all of them, and wrong values.
    UnsupportedError
        For games, options and questions that are not offered.
    OSError
        When the file cannot be read.
    """
    name = os.fspath(path)
    with Path(path).open("rb") as file:
        raw = file.read(LONGEST + 1)
    if len(raw) > LONGEST:
        raise NotationError(f"{name} is longer than {LONGEST:,} bytes: expected the definition of a study")
    try:
        table = tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        line = raw.count(b"\n", 0, wrong.start) + 1
        raise NotationError(f"{name} is no UTF-8 text: byte {wrong.start + 1}, in line {line}") from None
    except RecursionError:
        raise NotationError(f"{name} is no definition: its lists or tables are nested too deeply") from None
    except ValueError as wrong:  # also of numbers with thousands of digits
        raise NotationError(f"{name} is no TOML: {_line(str(wrong))}") from None
    try:
        return definition_of(table)
    except TrickwiseError as wrong:
        raise type(wrong)(f"{name}: {_line(str(wrong))}") from None


def definition_of(table: Mapping[str, Any]) -> Definition:
    """Check the tables of a file and return the definition, with every value filled in.

    Raises
    ------
    NotationError, UnsupportedError
        As for `read_definition`.
    """
    name = table.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        said = "is missing" if name is None else f"is {_short(name)}"
        near = _near(name, KINDS) if isinstance(name, str) else ""
        near = f" (nearest: {near})" if near else ""
        raise NotationError(f"kind {said}{near}: expected one of {', '.join(map(repr, KINDS))}")
    kind = kind_of(name)
    own, options = (_table(table, n) for n in (name, "options"))
    game = _game(kind, table)
    _no_unknown(kind, table, own, game, options)
    seed = Key(int, REQUIRED if kind.games else 0, 0, MOST, help="of all that is drawn")
    chunk = Key(int, kind.chunk, 1, LARGEST_CHUNK, help="units that are done and kept together")
    settings = {n: _value(f"{name}.{n}", key, own.get(n)) for n, key in kind.keys.items()}
    found = Definition(
        name, game, _options(game, options), _value("seed", seed, table.get("seed")),
        _value("chunk", chunk, table.get("chunk")), settings,
    )  # fmt: skip
    return kind.check(found)


def _value(name: str, key: Key, value: object) -> Any:
    if value is not None:
        return key.read(name, value)
    if key.default is REQUIRED:
        raise NotationError(f"{name} is missing: expected {key.expected()}" + (f", {key.help}" if key.help else ""))
    return list(key.default) if isinstance(key.default, list | tuple) else key.default


def _table(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = table.get(name, {})
    if not isinstance(found, dict):
        raise NotationError(f"{name} is {_short(found)}: expected a table, as in [{name}]")
    return found


def _game(kind: Kind, table: Mapping[str, Any]) -> str:
    """The game's name; "" where inputs name their own."""
    if not kind.games:
        for name in ("game", "options"):
            if name in table:
                raise NotationError(f"{name} is given, but what a study of kind {kind.name!r} reads names its own")
        return ""
    found = table.get("game")
    if not isinstance(found, str) or found not in kind.games:
        said = "is missing" if found is None else f"is {_short(found)}"
        near = _near(found, kind.games) if isinstance(found, str) else ""
        near = f" (nearest: {near})" if near else ""
        games = ", ".join(map(repr, kind.games))
        raise UnsupportedError(f"game {said}{near}: a study of kind {kind.name!r} is of {games}")
    return found


def _no_unknown(
    kind: Kind, table: Mapping[str, Any], own: Mapping[str, Any], game: str, options: Mapping[str, Any]
) -> None:
    """Raise NotationError for keys that are none, all of them in one line."""
    wrong = [*_unknown("", table, (*_HEAD, kind.name)), *_unknown(f"{kind.name}.", own, kind.keys)]
    if game:
        left_out = {text.partition("=")[0] for text in GAMES[game].left_out}
        known = [row["option"] for row in GAMES[game].describe_options()]
        wrong += _unknown("options.", {k: v for k, v in options.items() if k not in left_out}, known)
    if len(wrong) > 20:
        wrong = [*wrong[:20], f"{len(wrong) - 20} more"]
    if wrong:
        raise NotationError(f"unknown {'key' if len(wrong) == 1 else 'keys'}: {'; '.join(wrong)}")


def _unknown(where: str, given: Iterable[str], known: Iterable[str]) -> list[str]:
    names = list(known)
    found = []
    for key in given:
        if key not in names:
            near = _near(key, names)
            told = f"nearest: {near}" if near else f"there are {', '.join(names)}"
            found.append(f"{_short(where + key)} ({told})")
    return found


def _near(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name[:100].lower(), list(known), 1, 0.5)), "")


def _options(game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option of the game with its value."""
    if not game:
        return {}
    for name, value in given.items():
        if not isinstance(value, bool | int | str) or len(str(value)) > 60:
            raise NotationError(f"options.{name} is {_short(value)}: expected a text, a whole number, true or false")
    return as_game(game, dict(given)).option_values()


def _is(kind: Any, value: object) -> bool:
    """Whether a value is of a key's type; a bool is no number, a whole number is a number."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def _short(value: object) -> str:
    return "nothing" if value is None else excerpt(value) if _plain(value) else shortened(str(value))


def _plain(value: object) -> bool:
    """Whether its repr says more than its text (a date's does not)."""
    return isinstance(value, str | bool | int | float | list | dict)


def _line(text: str) -> str:
    """Text in one line."""
    text = " ".join(text.split())
    return text if len(text) <= 1000 else text[:997] + "..."
