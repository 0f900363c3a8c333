"""What all checks of input share: how a message quotes it, what is a whole number, what is a seat."""

from __future__ import annotations

import operator
from typing import Any

from solver.model.errors import NotationError, TrickwiseError

__all__ = ["QUOTED", "excerpt", "seat_number", "shortened", "whole_number"]

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
    error: type[TrickwiseError] = NotationError,
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
    error
        What is raised.

    Raises
    ------
    TrickwiseError
        For anything else: what was given, and what is expected.
    """
    try:
        number = operator.index(value) if not _is_bool(value) else None
    except TypeError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        bounds = ("" if least is None else f" from {least}") + ("" if most is None else f" to {most}")
        also = f", or {otherwise}" if otherwise else ""
        raise error(f"{name} is {shown or excerpt(value)}: expected a whole number{bounds}{also}")
    return number


def _is_bool(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")  # numpy's, by either of its names


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
