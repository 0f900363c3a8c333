"""The command ``trickwise``: reads text, asks the library, shows a table.

`solver.cli.command` has what every command shares, `solver.cli.parameters` its options and arguments, each declared
once. A command is a function with the decorator `command` in a module of `MODULES`; it imports what it needs when it
runs, so that help is instant. `solver.cli.ending` sees to it that whatever runs can be stopped.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from solver.cli.ending import guard

__all__ = ["MODULES", "app", "main"]

#: Modules with commands, in the order of the help.
MODULES = (
    "manual", "games", "deals", "bridge", "hands", "bids", "threshold", "worlds", "advise", "equilibrium", "league",
    "diagnose", "study", "records", "bench",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for module in MODULES:
        import_module(f"solver.cli.{module}")
    from solver.cli.command import app

    globals()["app"] = app
    return app


def main() -> None:
    """Run the command."""
    with guard():  # before anything else is imported: an import can be interrupted as well
        __getattr__("app")
        from solver.cli.command import run_app

        run_app()
