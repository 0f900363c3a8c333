"""What a card cost on what its player could know, beside what it cost with all cards seen.

A card may lose points double dummy although it was right on what the seat knew, and the other way round. The first is
bad luck, the second bad play; only the difference over the worlds of the seat's knowledge tells them apart.

Cards are judged as `solver.analysis.advice.advise` judges them: by the score where the contract has one, with points to
settle ties, else by points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from solver.analysis.advice import advise
from solver.formats.play import Played
from solver.formats.record import Record
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.worlds.knowledge import Knowledge

__all__ = ["COLUMNS", "seen_costs"]

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
