"""What a card cost on what its player could know, beside what it cost with all cards seen.

A card may lose points double dummy although it was right on what the seat knew, and the other way round. The first is
bad luck, the second bad play; only the difference over the worlds of the seat's knowledge tells them apart.

Cards are judged as `solver.seat.advice.advise` judges them: by the score where the contract has one, with points to
settle ties, else by points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from solver.deals.annotate import Annotation, judge_play
from solver.formats.play import Played
from solver.formats.record import Record
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.seat.advice import advise
from solver.worlds.knowledge import Knowledge

__all__ = ["COLUMNS", "annotate", "seen_costs"]

COLUMNS = ("seen_loss", "seen_low", "seen_high", "seen_best", "seen_in", "seen_worlds")


def seen_costs(
    deal: Deal,
    contract: Contract,
    played: Sequence[Played],
    *,
    worlds: int,
    seed: int,
    limit: int = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict[str, Any]]:
    """Judge each card played on the knowledge of its seat at that moment.

    Parameters
    ----------
    deal, contract, played
        What was played.
    worlds, seed, limit, workers
        As for `advise`, for each card; the same seed for all.
    progress
        Told how many cards are done, and how many there are.

    Returns
    -------
    list of dict
        A row a card: `seen_loss` to the best card on what the seat knew, with its interval `seen_low` to `seen_high`;
        `seen_best`, the card itself where none was better; `seen_in`, what the loss is counted in, ``"score"`` or
        ``"points"``, None where there was no choice; `seen_worlds`, how many were searched.
    """
    game = deal.game
    record = Record(game, game.seats - 1, deal.hands, deal.talon, (), contract)
    begun: dict[int, Knowledge] = {}
    position, rows = game.start(deal, contract), []
    for number, (_, move, _) in enumerate(played):
        seat = position.turn
        if len(position.legal()) == 1:
            rows.append(dict(zip(COLUMNS, (0.0, 0.0, 0.0, str(move), None, 0), strict=True)))
        else:
            if seat not in begun:
                begun[seat] = Knowledge.from_record(record, seat)
            known = replace(begun[seat], play=tuple((None, one.move) for one in played[:number]))
            found = advise(known, seed=seed, worlds=worlds, limit=limit, workers=workers)
            frame = found.frame
            (row,) = frame[(frame["card"] == move.card) & (frame["declare"] == move.declare)].to_dict("records")
            best = str(move) if row["best"] else found.best
            values = (0.0 - row["diff"], 0.0 - row["diff_high"], 0.0 - row["diff_low"], best, found.objective, found.n)
            rows.append(dict(zip(COLUMNS, values, strict=True)))
            if found.partial:
                raise KeyboardInterrupt("stopped before every card was judged")
        position = position.play(move)
        if progress is not None:
            progress(number + 1, len(played))
    return rows


def _seen_notes(frame: pd.DataFrame, unit: str) -> tuple[str, ...]:
    """Bad luck and bad play, told apart where the intervals allow."""
    bad = frame["seen_low"] > 0
    own = frame["card"] + frame["declare"].map({True: "!", False: ""})
    luck = (frame["loss"] > 0) & (frame["seen_best"] == own)
    losses = [unit if what == "points" else what for what in dict.fromkeys(frame["seen_in"].dropna())] or [unit]
    return (
        f"seen loss: {' or '.join(losses)} against the best card on what the seat knew, over deals that fit it, "
        "with a 95 % interval",
        f"surely wrong on what the seat knew: {_named(frame[bad])}",
        f"best on what the seat knew, and yet a loss double dummy: {_named(frame[luck])}",
    )


def _named(frame: pd.DataFrame) -> str:
    found = [f"{card} of seat {seat} in trick {t}" for t, seat, card in frame[["trick", "seat", "card"]].values]
    return ", ".join(found) or "no card"


@dataclass(frozen=True)
class _View:
    """The seats' view, for `solver.deals.annotate.judge_play`; fields as the parameters of `annotate`."""

    worlds: int
    seed: int
    limit: int
    workers: int | None
    progress: Callable[[int, int], None] | None
    columns: tuple[str, ...] = COLUMNS

    def costs(self, deal: Deal, contract: Contract, played: Sequence[Played]) -> list[dict[str, Any]]:
        """A row a card."""
        return seen_costs(
            deal, contract, played, worlds=self.worlds, seed=self.seed, limit=self.limit, workers=self.workers,
            progress=self.progress,
        )  # fmt: skip

    def notes(self, frame: pd.DataFrame, unit: str) -> tuple[str, ...]:
        """What the rows say, for people."""
        return _seen_notes(frame, unit)


@checks_numbers
def annotate(
    deal: Deal,
    contract: str | Contract | None = None,
    play: str = "",
    *,
    limit: int = 0,
    seen: bool = False,
    worlds: int = 200,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Annotation:
    """Judge every card of a deal that was played, or of its beginning.

    Parameters
    ----------
    deal, contract
        As for `solve`.
    play
        The cards in order, ``"0 AH, 1 JD, 2 JH, …"`` or ``"AH JD JH …"``; a declared marriage is ``"KH!"``.
    limit
        Most positions to search for one question; 0 for no limit.
    seen
        Judge each card on what its seat could know, too. The auction is no part of that.
    worlds, seed, workers
        For that view: deals to draw for each card, their seed, threads.
    progress
        A function of (done, total) cards, for that view.

    Returns
    -------
    Annotation

    Raises
    ------
    NotationError, IllegalPlayError
        For what cannot be read, and for a card that a rule bars.
    UnsupportedError
        When the limit came before a value was proved.
    """
    view = _View(worlds, seed, limit, workers, progress) if seen else None
    return judge_play(deal, contract, play, limit=limit, view=view)
