"""The command ``trickwise``: reads text, asks the library, shows a table.

`solver.cli.command` has what every command shares, `solver.cli.parameters` its options and arguments, each declared
once. A command is a function with the decorator `command` in a module of `MODULES`; it imports what it needs when it
runs, so that help is instant.
"""

from __future__ import annotations

from importlib import import_module

from solver.cli.command import app, main

__all__ = ["MODULES", "app", "main"]

#: Modules with commands, in the order of the help.
MODULES = (
    "games", "deals", "bridge", "hands", "bids", "threshold", "worlds", "advise", "equilibrium", "league", "diagnose",
    "study", "records", "bench",
)  # fmt: skip

for _name in MODULES:
    import_module(f"solver.cli.{_name}")
