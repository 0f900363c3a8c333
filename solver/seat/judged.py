"""What the search says of each card in each world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Judged"]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judged:
    """Worlds searched so far.

    Parameters
    ----------
    n, distinct
        How many of those drawn, and how many different ones.
    nodes
        Positions searched.
    parts
        By name (``"make"``, ``"score"``, …) the least and the most, ``[worlds, cards]``.
    signs
        By world, 1 where more points are better for the seat, else -1.
    sided
        By world, 1 where the seat is on the collecting side, else -1.
    """

    n: int
    distinct: int
    nodes: int
    parts: dict[str, tuple[_Floats, _Floats]]
    signs: _Floats
    sided: _Floats

    def own(self, name: str) -> tuple[_Floats, _Floats]:
        """What the seat wants: the number itself, or its negative where it is against the collecting side."""
        low, high = self.parts[name]
        if name in ("score", "session"):
            return low, high
        sign = (self.sided if name == "make" else self.signs)[:, None]
        if name == "make":  # kept a rate: the others succeed where the contract fails
            return np.where(sign > 0, low, 1 - high), np.where(sign > 0, high, 1 - low)
        return np.where(sign > 0, low, -high), np.where(sign > 0, high, -low)

    @property
    def open(self) -> int:
        """Worlds in which something was left open by a limit."""
        return int(np.any([(low != high).any(axis=1) for low, high in self.parts.values()], axis=0).sum())
