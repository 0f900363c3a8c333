"""Versions that a number may depend on; a module of its own, as every answer in JSON names them."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["versions"]


def versions() -> dict[str, str]:
    """Versions that a number may depend on."""
    found = {}
    for name in ("trickwise", "numpy", "numba"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return {**found, "python": platform.python_version()}
