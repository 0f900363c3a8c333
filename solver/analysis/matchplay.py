"""A bid in the course of a match of Thousand: barrel, sticks and falls change what a score is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.analysis.stakes import Stakes
from solver.games import Game
from solver.games.match import Match
from solver.games.thousand import Thousand
from solver.games.thousand_match import TARGET, ThousandMatch
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["in_match", "match_from"]


def match_from(game: Game, totals: str) -> ThousandMatch:
    """A match of Thousand with these totals; who has the barrel's score has just mounted it.

    Raises
    ------
    NotationError, UnsupportedError
        For another game, or a wrong number of scores.
    """
    if not isinstance(game, Thousand):
        raise UnsupportedError("totals: only a match of thousand changes what a score is worth")
    parts = totals.replace(",", " ").split()
    if len(parts) != game.table_seats or not all(re.fullmatch(r"-?\d{1,4}", p) for p in parts):
        wanted = f"{game.table_seats} whole numbers, as in 880,300,-120"
        raise NotationError(f"totals are {totals[:40]!r}: expected {wanted}")
    scores = tuple(map(int, parts))
    begun = ThousandMatch(game, scores=scores)
    barrel, left = game.options.barrel, game.options.barrel_deals
    players = tuple(
        replace(p, total=barrel, mounted=0, left=left) if barrel and barrel <= p.total < TARGET else p
        for p in begun.players
    )
    return replace(begun, players=players)


def _after(match: ThousandMatch, seat: int, scores: Sequence[int], declarer: int | None) -> tuple[int, bool]:
    """Change of the seat's total by a deal, and whether the deal ends the match for it."""
    at = match.active[seat]
    then = match.add(scores, declarer=declarer)
    return then.scores[at] - match.scores[at], then.over and at in then.winners


def in_match(
    match: Match, seat: int, bid: int, p: float, stakes: Stakes, passed: NDArray[np.float64]
) -> dict[str, float]:
    """What a bid brings in a match, and what passing brings.

    Parameters
    ----------
    match
        So far.
    seat
        Who bids, a seat of the deal.
    bid, p
        The bid and its chance.
    stakes
        What it scores.
    passed
        ``[worlds, seats]``: scores when the seat passes.

    Returns
    -------
    dict
        `match_gain`, expected change of the seat's total; `match_pass`, the same when it passes; `p_win`, chance that
        the deal ends the match in its favour. What the others score for their points is left out of the first, as they
        move the seat's total only by way of the barrel.

    Raises
    ------
    UnsupportedError
        For a match of another game.
    """
    if not isinstance(match, ThousandMatch):
        raise UnsupportedError("match: only a match of thousand changes what a score is worth")
    ends = []
    for times in (stakes.won, stakes.lost):
        team = match.game.team(seat)
        scores = [bid * times if s in team else 0 for s in range(match.game.seats)]
        ends.append(_after(match, seat, scores, seat))
    gain = p * ends[0][0] + (1 - p) * ends[1][0]
    win = p * ends[0][1] + (1 - p) * ends[1][1]
    rest = [_after(match, seat, [round(x) for x in row], int(np.argmax(np.abs(row)))) for row in passed.tolist()]
    lost = float(np.mean([d for d, _ in rest])) if rest else float("nan")
    return {"match_gain": gain, "match_pass": lost, "p_win": win}
