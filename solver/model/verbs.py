"""Verbs of the floors above that an object of a lower floor offers as a method; `solver` fills them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["knowledge"]

#: `solver.knowledge`, for `solver.games.Game.knowledge`.
knowledge: Callable[..., Any]
