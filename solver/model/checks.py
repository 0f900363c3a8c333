"""What all checks of input share: how a message quotes it, what is a whole number, what is a seat."""

from __future__ import annotations

import functools
import inspect
import numbers
import operator
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from solver.model.errors import NotationError

__all__ = ["ALL", "QUOTED", "amount", "checks_numbers", "excerpt", "plain", "seat_number", "shortened", "whole_number"]

#: Most characters of any input that a message quotes.
QUOTED = 80


def shortened(text: str) -> str:
    """A text as it stands, on one line and cut where it is too long for a message."""
    text = " ".join(text[: 8 * QUOTED].split())
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"


def excerpt(value: object, place: int = 1) -> str:
    """Quote what was given for a message on one line; of a long text only the neighbourhood of a place (from 1)."""
    if isinstance(value, str):
        start = max(0, min(place - 31, len(value) - 70)) if len(value) > QUOTED else 0
        part = value[start : start + QUOTED]
        before, after = "…" if start else "", "…" if start + QUOTED < len(value) else ""
        return repr(f"{before}{part}{after}")
    if isinstance(value, bytes):
        return repr(value[:QUOTED]) + ("…" if len(value) > QUOTED else "")
    try:
        return shortened(repr(value))
    except (ValueError, RecursionError):  # a number longer than Python writes, a list too deep
        return f"a {type(value).__name__}"


def whole_number(
    name: str,
    value: Any,
    least: int | None = None,
    most: int | None = None,
    *,
    otherwise: str = "",
    shown: str = "",
) -> int:
    """Return a whole number as an int, of Python or numpy; a bool, a float and a text are none.

    Parameters
    ----------
    name
        What messages call it.
    value
        What was given.
    least, most
        Bounds, themselves allowed; None for none.
    otherwise
        What else would have been right, for the message.
    shown
        How the message writes the value; as Python does, when empty.

    Raises
    ------
    NotationError
        For anything else: what was given, and what is expected.
    """
    try:
        number = None if isinstance(plain(value), bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        bounds = ("" if least is None else f" from {least}") + ("" if most is None else f" to {most}")
        also = f", or {otherwise}" if otherwise else ""
        raise NotationError(f"{name} is {shown or excerpt(value)}: expected a whole number{bounds}{also}")
    return number


def plain(value: Any) -> Any:
    """A number of numpy as one of Python, and anything else as it is; numpy itself need not be loaded."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value


def seat_number(value: Any, seats: int, name: str = "seat", *, shown: str = "") -> int:
    """Return a seat as an int.

    Raises
    ------
    NotationError
        For what is no seat of so many.
    """
    try:
        return whole_number(name, value, 0, seats - 1)
    except NotationError:
        raise NotationError(f"{name} is {shown or excerpt(value)}: expected a seat from 0 to {seats - 1}") from None


#: Whole numbers that public functions take by these names, each with its least value; None for one without.
WHOLE: dict[str, int | None] = {
    "bid": None, "counted": 0, "deals": 1, "hands": 0, "iterations": 1, "limit": 0, "n": 1, "own_worlds": 1,
    "passed": 1, "position": 0, "seed": 0, "sure_iterations": 0, "talons": 1, "workers": 1, "worlds": 1,
}  # fmt: skip

#: Bits in which searches and stores keep whole numbers of these names; 63 for the others.
_BITS = {"seed": 64}

#: Numbers from 0, whole or not.
AMOUNTS = ("gap", "gigabytes", "nashconv")

#: What a whole number may be instead, to ask for all there is, where a function takes it.
ALL = "all"

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def checks_numbers(function: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """Check the numbers that a public function takes before it is called, by their names in `WHOLE` and `AMOUNTS`.

    What its annotation allows besides, None and `ALL`, is passed on.
    """
    signature = inspect.signature(function)
    also = {name: str(one.annotation) for name, one in signature.parameters.items() if name in WHOLE or name in AMOUNTS}

    @functools.wraps(function)
    def call(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        given = signature.bind(*args, **kwargs)
        for name in [name for name in also if name in given.arguments]:
            value, all_ = given.arguments[name], "str" in also[name]
            if (value is None and "None" in also[name]) or (all_ and isinstance(value, str) and value == ALL):
                continue
            if name in AMOUNTS:
                given.arguments[name] = amount(name, value)
            else:
                given.arguments[name] = _bounded(name, value, repr(ALL) if all_ else "")
        return function(*given.args, **given.kwargs)

    return call


def _bounded(name: str, value: Any, otherwise: str) -> int:
    number, most = whole_number(name, value, WHOLE[name], otherwise=otherwise), 2 ** _BITS.get(name, 63) - 1
    return number if number <= most else whole_number(name, value, WHOLE[name], most, otherwise=otherwise)


def amount(name: str, value: Any) -> float:
    """Return a number from 0 as a float.

    Raises
    ------
    NotationError
        For anything else.
    """
    try:
        number = None if isinstance(plain(value), bool) or not isinstance(value, numbers.Real) else float(value)
    except OverflowError:
        number = None
    if number is None or not number >= 0:
        raise NotationError(
            f"{name} is {excerpt(value) if number is None else f'{number:g}'}: expected a number from 0"
        )
    return number
