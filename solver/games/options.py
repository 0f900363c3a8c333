"""Options of a game: house rules as fields of a frozen dataclass, checked and described in one place."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any

from solver.model.checks import excerpt, plain
from solver.model.errors import UnsupportedError

__all__ = ["bool_option", "choice", "describe", "make_options", "whole"]


def choice(default: str, *values: str, help: str) -> Any:
    """An option that is one of a few words, the first the default."""
    return field(default=default, metadata={"values": (default, *values), "help": help})


def bool_option(default: bool, help: str) -> Any:
    """An option that is on or off."""
    return field(default=default, metadata={"values": (True, False), "help": help})


def whole(default: int, values: Sequence[int], help: str) -> Any:
    """An option that is one of a few whole numbers."""
    return field(default=default, metadata={"values": tuple(values), "help": help})


_TRUE, _FALSE = {"true", "on", "yes", "1"}, {"false", "off", "no", "0"}


def make_options(
    cls: type[Any], game: str, given: dict[str, Any], left_out: Mapping[str, str] = MappingProxyType({})
) -> Any:
    """Build an options dataclass from names and values, text or typed.

    Parameters
    ----------
    cls
        The dataclass.
    game
        Name for messages.
    given
        Options named.
    left_out
        Known variants that are not offered, ``"option"`` or ``"option=value"``, with the reason.

    Raises
    ------
    UnsupportedError
        For an option or a value that the game does not have; the message lists those it has.
    """
    fields = {f.name: f for f in dataclasses.fields(cls)}
    clean: dict[str, Any] = {}
    for name, value in given.items():
        value = plain(value)
        said = value if isinstance(value, str) else excerpt(value)
        for key in (name, f"{name}={said.strip().lower()}"):
            if key in left_out:
                raise UnsupportedError(f"{game} option {key} is not offered: {left_out[key]}")
        if name not in fields:
            raise UnsupportedError(f"{game} has no option {excerpt(name)}; it has {', '.join(fields)}")
        values = fields[name].metadata["values"]
        typed = value
        if isinstance(value, str):
            low = value.strip().lower()
            if isinstance(values[0], bool):
                typed = True if low in _TRUE else False if low in _FALSE else value
            elif isinstance(values[0], int):
                typed = int(low) if re.fullmatch(r"-?\d{1,9}", low, re.ASCII) else value
            else:
                typed = low
        if typed not in values or type(typed) is not type(values[0]):
            shown = ", ".join(["on", "off"] if isinstance(values[0], bool) else map(str, values))
            raise UnsupportedError(f"{game} option {name} is {excerpt(value)}; it can be {shown}")
        clean[name] = typed
    return cls(**clean)


def describe(cls: type[Any]) -> list[dict[str, Any]]:
    """Name, default, values and meaning of each option."""
    return [
        {"option": f.name, "default": f.default, "values": f.metadata["values"], "meaning": f.metadata["help"]}
        for f in dataclasses.fields(cls)
    ]
