"""Matches: deal after deal to a target, with what a game adds between deals.

A `Match` is immutable; `add` gives the next one. The plain rule is here: scores add up, the game ends at a target or
after a number of deals, the highest score wins and equal highest scores share. Games with more to it subclass it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from solver.model.errors import NotationError

__all__ = ["Match"]


@dataclass(frozen=True)
class Match:
    """A match so far.

    Parameters
    ----------
    game
        With its options.
    scores
        Running score of each seat.
    deals
        Deals scored.
    log
        Lines that say what happened beyond adding up.
    """

    game: Any
    scores: tuple[int, ...] = ()
    deals: int = 0
    log: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * self.game.seats)

    @property
    def dealer(self) -> int:
        """Dealer of the next deal: the last seat first, then clockwise."""
        return int(self.game.seats - 1 + self.deals) % len(self.scores)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        target: int | None = self.game.match_target
        length: int | None = self.game.match_deals
        return (target is not None and max(self.scores) >= target) or (length is not None and self.deals >= length)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that share the highest score of a finished match; empty before."""
        best = max(self.scores)
        return tuple(s for s, v in enumerate(self.scores) if v == best) if self.over else ()

    def add(self, deltas: Sequence[int]) -> Self:
        """Return the match after a deal that scored `deltas`, one number a seat."""
        if len(deltas) != len(self.scores):
            raise NotationError(f"{len(deltas)} scores for {len(self.scores)} seats")
        if self.over:
            raise NotationError("the match is over: no deal can be added")
        scores = tuple(a + b for a, b in zip(self.scores, deltas, strict=True))
        return replace(self, scores=scores, deals=self.deals + 1)

    def __str__(self) -> str:
        end = f"; won by seat {' and '.join(map(str, self.winners))}" if self.over else ""
        return f"after {self.deals} deals: {' '.join(map(str, self.scores))}{end}"
