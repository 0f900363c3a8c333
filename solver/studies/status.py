"""How far a study is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Status"]


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

    @property
    def complete(self) -> bool:
        """Whether nothing is to do."""
        return self.done == self.chunks
