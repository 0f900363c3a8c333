"""What every card of a played deal was worth, and what each mistake cost.

After each card the deal is solved again, double dummy, from where it stands. A card that lowers what its side can
still get is a mistake: its `loss` is that difference, and `best` names the cards that would have kept it. The player
could not see all cards, so a mistake here may have been the right play at the table: `solver.seat.annotate` judges each
card on what its seat could know as well, which tells bad luck and bad play apart.

Where nobody collects (the kit without a declarer, a leaster) every card is judged from its player's view, one against
the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import pandas as pd

from solver.deals.search import MakeSearch, Search
from solver.deals.versions import versions
from solver.formats.play import Played, read_play, replay
from solver.formats.record import contract_text
from solver.games import Game, game_of
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import TrickwiseError
from solver.model.play import Move, Position
from solver.model.shown import Shown, counted

__all__ = ["Annotation", "SeatsView", "judge_play"]


@dataclass(frozen=True)
class Annotation(Shown):
    """A played deal with the value of every card.

    Parameters
    ----------
    game, options, contract
        What was played.
    side
        Seats that collect; empty when each card is judged from its own player's view.
    unit
        ``"points"`` or ``"tricks"``.
    frame
        A row a card: `trick`, `seat`, `card`, `declare`, `value` (total of the collecting side after the card, with all
        that it has so far), `loss`, `mistake`, `best` (what would have kept it); `makes` when a target was named. With
        the seats' view also what `solver.seat.annotate.seen_costs` gives: `seen_loss`, its interval `seen_low` to
        `seen_high`, `seen_best`, `seen_in` and `seen_worlds`.
    seats
        A row a seat: cards played, mistakes, what they cost; with the seats' view also `seen_loss`.
    complete
        Whether the deal was played to the end.
    settlement
        The game's own scoring of a complete deal, else None.
    seed
        Of the worlds of the seats' view; None without it.
    """

    game: str
    options: dict[str, Any]
    contract: str
    side: tuple[int, ...]
    unit: str
    frame: pd.DataFrame = field(repr=False, compare=False)
    seats: pd.DataFrame = field(repr=False, compare=False)
    complete: bool = False
    settlement: str | None = None
    method: str = "double dummy"
    versions: dict[str, str] = field(default_factory=versions, repr=False)
    notes: tuple[str, ...] = ()
    seed: int | None = None

    @property
    def heading(self) -> str:
        """What was annotated, and how."""
        who = f"side {' '.join(map(str, self.side))}" if self.side else "each seat against the rest"
        return f"{self.game}, {self.contract or 'no contract'}: {self.unit} of {who} after each card, {self.method}"

    def __str__(self) -> str:
        return "\n".join([self.heading, self.frame.to_string(index=False), *self.notes])

    def _repr_html_(self) -> str:
        foot = "<br>".join(self.notes)
        return f"<p>{self.heading}</p>{self.frame.to_html(index=False)}<p>{foot}</p>"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return {
            "game": self.game, "options": dict(self.options), "contract": self.contract, "side": list(self.side),
            "unit": self.unit, "method": self.method, "versions": dict(self.versions), "complete": self.complete,
            "settlement": self.settlement, "seed": self.seed, "rows": _records(self.frame),
            "seats": _records(self.seats), "notes": list(self.notes),
        }  # fmt: skip


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(k): v for k, v in row.items()} for row in rows]


class SeatsView(Protocol):
    """Judges played cards on what their seats could know; `solver.seat.annotate` has it."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of what `costs` gives."""

    @property
    def seed(self) -> int:
        """Of its worlds."""

    def costs(self, deal: Deal, contract: Contract, played: Sequence[Played]) -> list[dict[str, Any]]:
        """A row a card."""

    def notes(self, frame: pd.DataFrame, unit: str) -> tuple[str, ...]:
        """What the rows say, for people."""


def judge_play(
    deal: Deal, contract: str | Contract | None, play: str, *, limit: int = 0, view: SeatsView | None = None
) -> Annotation:
    """Judge every card of a deal that was played, or of its beginning, with all cards known.

    Parameters
    ----------
    deal, contract, play, limit
        As for `solver.annotate`.
    view
        Judges each card on what its seat could know, too; None for no such view.
    """
    game = game_of(deal)
    agreed = game.contract(contract)
    played = read_play(game, play)
    position = game.start(deal, agreed)
    replay(position, played)  # the record is checked as a whole before anything is searched
    if not position.side:
        game.start(deal, replace(agreed, side=frozenset({0})))  # says so where a seat's own view has no meaning
    bank = game.banked(agreed)
    judge, makes = _Judge(position, limit), MakeSearch(game, agreed, position, limit)
    rows: list[dict[str, Any]] = []
    trick = 1
    for _, move, _ in played:
        seat, after = position.turn, position.play(move)
        value, loss, best = judge.card(position, move, after)
        row: dict[str, Any] = {
            "trick": trick, "seat": seat, "card": str(move.card), "declare": move.declare, "value": value + bank,
            "loss": loss, "mistake": loss > 0, "best": " ".join(map(str, best)),
        }  # fmt: skip
        if makes.need is not None and position.side:
            row["makes"] = makes(after, value - after.collected, value - after.collected)
        rows.append(row)
        trick += not after.trick
        position = after
    columns = ["trick", "seat", "card", "declare", "value", "loss", "mistake", "best"]
    frame = pd.DataFrame(rows, columns=[*columns, *(["makes"] if rows and "makes" in rows[0] else [])])
    if view is not None:
        frame = frame.join(pd.DataFrame(view.costs(deal, agreed, played), columns=list(view.columns)))
    seats = _by_seat(frame, game.seats)
    settlement, unit = _settlement(game, position, agreed), game.unit_of(agreed)
    seen = view.notes(frame, unit) if view is not None else ()
    return Annotation(
        game.name, game.option_values(), contract_text(game, agreed), tuple(sorted(position.side)), unit,
        frame, seats, position.over, settlement, notes=_notes(seats, unit, settlement) + seen,
        seed=None if view is None else view.seed,
    )  # fmt: skip


class _Judge:
    """Values along one line of play, for the collecting side or for each seat by itself."""

    def __init__(self, position: Position, limit: int) -> None:
        self.limit = limit
        self.fixed = position.side
        self.searches: dict[frozenset[int], Search] = {}
        self.last: tuple[frozenset[int], int] | None = None  # value after the card before, when it still stands

    def value(self, position: Position, side: frozenset[int]) -> int:
        """Total of a side, what it has included."""
        position = replace(position, side=side)
        if position.over:
            return position.collected
        if side not in self.searches:
            self.searches[side] = Search(position, limit=self.limit)
        one = self.searches[side]
        return position.collected + one.guarded(position, lambda: one.proved(position))

    def card(self, before: Position, move: Move, after: Position) -> tuple[int, int, list[Move]]:
        """Value after a card, what the card cost its player's side, and which cards cost nothing if it did."""
        side = self.fixed or frozenset({before.turn})
        known = self.last is not None and self.last[0] == side
        due = self.last[1] if known and self.last is not None else self.value(before, side)
        value = self.value(after, side)
        self.last = (side, value)
        loss = abs(due - value)
        best: list[Move] = []
        if loss:
            best = [m for m in before.legal() if m != move and self.value(before.play(m), side) == due]
        return value, loss, best


def _by_seat(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Cards, mistakes and cost of each seat."""
    rows = []
    for seat in range(seats):
        own = frame[frame["seat"] == seat]
        row = {"seat": seat, "cards": len(own), "mistakes": int(own["mistake"].sum()), "loss": int(own["loss"].sum())}
        rows.append(row | ({"seen_loss": float(own["seen_loss"].sum())} if "seen_loss" in own else {}))
    return pd.DataFrame(rows)


def _settlement(game: Game, position: Position, contract: Contract) -> str | None:
    """The game's own scoring, where the deal is over and the contract says enough."""
    if not position.over:
        return None
    try:
        outcome = game.settle(position, contract)
    except TrickwiseError:  # no bid, no declarer: nothing is scored
        return None
    return f"{outcome.text}; " + ", ".join(f"seat {s} {score:+d}" for s, score in enumerate(outcome.scores))


def _notes(seats: pd.DataFrame, unit: str, settlement: str | None) -> tuple[str, ...]:
    bad = seats[seats["mistakes"] > 0]
    told = [
        f"seat {s}: {m} mistake{'s' if m > 1 else ''}, {counted(loss, unit)} lost (double dummy)"
        for s, m, loss in bad[["seat", "mistakes", "loss"]].itertuples(index=False)
    ]
    return (*(told or ["no card cost anything (double dummy)"]), *([settlement] if settlement else []))
