"""How results show themselves to people: as text wherever they are looked at, and with words in the right number."""

from __future__ import annotations

from html import escape
from typing import Protocol

__all__ = ["Shown", "counted"]


class Printer(Protocol):
    """What IPython hands to `_repr_pretty_`, as far as it is used."""

    def text(self, text: str) -> None:
        """Write text."""


class Shown:
    """A result that an IPython terminal and a notebook show as `print` does, not by the repr of its fields.

    A subclass with a better form for notebooks defines `_repr_html_` itself.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # IPython prefers a __repr__ of the class itself, which every dataclass has, to a method that it inherits.
        cls._repr_pretty_ = cls._repr_pretty_  # type: ignore[method-assign]

    def _display(self) -> str:
        """What is shown; a subclass whose text may be very long cuts it."""
        return str(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(self._display())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._display())}</pre>"


def counted(number: int, unit: str) -> str:
    """Write a number with its unit, ``"1 trick"`` and ``"2 tricks"``.

    Parameters
    ----------
    number
        How many.
    unit
        In the plural, as `Game.unit` has it.
    """
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"
