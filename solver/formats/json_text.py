"""JSON read strictly, and in one way for all files and lines: what Python would let pass is refused.

A key given twice, NaN and the infinities, numbers too large for a float, whole numbers of more digits than a message
quotes, halves of surrogate pairs, and nesting deeper than anything here needs.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from solver.model.checks import QUOTED, excerpt
from solver.model.errors import NotationError

__all__ = ["DEEPEST", "read_json"]

#: Most objects and lists within each other.
DEEPEST = 50


def read_json(text: str | bytes) -> Any:
    """Read one JSON value.

    Raises
    ------
    NotationError
        When it is anything else, or cannot be written as JSON again.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as wrong:
        raise NotationError(
            f"not JSON: {wrong.msg} at place {wrong.pos + 1} of {excerpt(text, wrong.pos + 1)}"
        ) from None
    except UnicodeDecodeError as wrong:
        raise NotationError(f"not UTF-8 text: byte {wrong.start + 1} of {excerpt(text)}") from None
    except RecursionError:
        raise _too_deep() from None
    _check(value)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotationError(f"the key {excerpt(key)} stands twice in one object")
        found[key] = value
    return found


def _no_number(text: str) -> NoReturn:
    raise NotationError(f"not JSON: {text} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotationError(f"not JSON that can be read: the number {excerpt(text)} is too large")
    return value


def _whole(text: str) -> int:
    if len(text) > QUOTED:
        raise NotationError(
            f"not JSON that can be read: a whole number of {len(text)} digits, at most {QUOTED} are read"
        )
    return int(text)


def _too_deep() -> NotationError:
    return NotationError(f"not JSON that can be read: more than {DEEPEST} objects and lists within each other")


def _check(value: Any) -> None:
    """Raise NotationError for what is nested too deeply, or cannot be written as UTF-8."""
    level = [value]
    for _ in range(DEEPEST + 1):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += [*one, *one.values()]
            elif isinstance(one, list):
                inner += one
            elif isinstance(one, str) and any("\ud800" <= ch <= "\udfff" for ch in one):
                raise NotationError(f"half of a surrogate pair in {excerpt(one)}: write the whole character")
        if not inner:
            return
        level = inner
    raise _too_deep()
