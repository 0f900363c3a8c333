"""How far a study is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Status", "mixed_versions", "other_versions"]

#: Programs that a number may depend on.
PROGRAMS = ("trickwise", "numpy", "numba")


@dataclass(frozen=True)
class Status:
    """How far a study is.

    Parameters
    ----------
    kind, game
        What is studied.
    unit
        What units are.
    units, units_done
        How many there are, and are done.
    chunks, done
        The same in chunks.
    rows
        Rows of results.
    runs
        How often it was worked on.
    seconds
        Time of all runs, each up to its last chunk.
    interrupted
        Whether the run that returns this was stopped.
    notes
        Lines for people: by what else than the usual it was worked on.
    """

    kind: str
    game: str
    unit: str
    units: int
    units_done: int
    chunks: int
    done: int
    rows: int
    runs: int
    seconds: float
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is to do."""
        return self.done == self.chunks


def other_versions(mine: Mapping[str, str], yours: Mapping[str, str]) -> tuple[str, str]:
    """The programs whose versions differ, with mine and with yours, in words; ("", "") when none does.

    Python's own does not count: no number comes from it.
    """
    differ = [name for name in PROGRAMS if mine.get(name) != yours.get(name)]
    first, second = (", ".join(f"{name} {one.get(name, 'unknown')}" for name in differ) for one in (mine, yours))
    return first, second


def mixed_versions(used: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """A line for people when the versions that a study was worked on with are not all the same."""
    found = {name: dict.fromkeys(one.get(name, "unknown") for one in used) for name in PROGRAMS}
    mixed = [f"{name} {' and '.join(seen)}" for name, seen in found.items() if len(seen) > 1]
    return (f"worked on with several versions, and numbers may depend on them: {', '.join(mixed)}",) if mixed else ()
