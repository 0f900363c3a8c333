"""The answer of `solver.seat.advice.advise`: every card of a seat, judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solver.deals.estimate import Estimate
from solver.model.play import Position

__all__ = ["Advice", "barred_rows", "card_row"]


@dataclass(frozen=True)
class Advice(Estimate):
    """Every card of a seat, judged over the worlds of its knowledge.

    `frame` has a row a card, the best first, then those that a rule bars: `card`, `declare`, `legal`, `best`; `p_make`,
    `score`, and `points` or `tricks`, each with the ends ``_low`` and ``_high`` of its interval; `diff` to the best
    card in what the seat wants, paired, with its interval; `equals`, `barred_by`, `why`. `best` is set for each card
    that no other is better than, in what the seat wants and then in points; of these the one that leaves it the better
    hand stands first (`solver.seat.ties`).

    `p_make` and points are those of the collecting side, whoever plays; score and `diff` are the seat's own.

    Parameters
    ----------
    seat
        Whose advice.
    objective
        What `diff` is in: ``"score"``, ``"make"``, ``"points"``, ``"tricks"`` or ``"session"``.
    worlds
        How many there are in all.
    distinct
        How many different ones were searched.
    exact
        Whether they are all, so that nothing was sampled.
    nodes
        Positions searched.
    """

    seat: int = 0
    objective: str = "score"
    worlds: int = 0
    distinct: int = 0
    exact: bool = False
    nodes: int = 0

    @property
    def best(self) -> str:
        """The card to play, with ``!`` where its marriage is declared."""
        row = self.frame.iloc[0]
        return f"{row['card']}{'!' if row['declare'] else ''}"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        more = {"seat": self.seat, "objective": self.objective, "worlds": self.worlds, "distinct": self.distinct,
                "exact": self.exact, "best": self.best, "nodes": self.nodes}  # fmt: skip
        found = super().to_json()
        return {**found, **more, "rows": found.pop("rows")}


def card_row(card: str, declare: bool, *, best: bool) -> dict[str, Any]:
    """Begin the row of a legal card."""
    return {"card": card, "declare": declare, "legal": True, "best": best}


def barred_rows(position: Position) -> list[dict[str, Any]]:
    """Rows of the cards that a rule bars."""
    return [
        {"card": str(card), "declare": False, "legal": False, "best": False, "barred_by": rule,
         "why": position.explain(rule)}
        for card, rule in position.barred().items()
    ]  # fmt: skip
