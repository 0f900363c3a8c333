"""A bid in the course of a match of Thousand: barrel, sticks and falls change what a score is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.bidding.passing import Passed
from solver.bidding.stakes import Stakes
from solver.games import Game
from solver.games.match import Match
from solver.games.thousand import Thousand
from solver.games.thousand_match import TARGET, ThousandMatch
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["check_match", "ends_in_match", "match_from", "passed_in_match"]


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
        raise NotationError(f"totals are {excerpt(totals)}: expected {wanted}")
    scores = tuple(map(int, parts))
    begun = ThousandMatch(game, scores=scores)
    barrel, left = game.options.barrel, game.options.barrel_deals
    players = tuple(
        replace(p, total=barrel, mounted=0, left=left) if barrel and barrel <= p.total < TARGET else p
        for p in begun.players
    )
    return replace(begun, players=players)


def _after(match: ThousandMatch, seat: int, scores: Sequence[int], declarer: int | None) -> int:
    """Change of the seat's total by a deal."""
    at = match.active[seat]
    return match.add(scores, declarer=declarer).scores[at] - match.scores[at]


def ends_in_match(match: Match, seat: int, stakes: Stakes) -> dict[int, tuple[float, float]]:
    """Change of a seat's total when it makes each bid, and when it fails.

    What the others score for their points is left out: it moves the seat's total only by way of the barrel.

    Raises
    ------
    UnsupportedError
        For a match of another game.
    """
    one = check_match(match)
    team = one.game.team(seat)

    def change(bid: int, times: int) -> float:
        scores = [bid * times if s in team else 0 for s in range(one.game.seats)]
        return float(_after(one, seat, scores, seat))

    return {bid: (change(bid, stakes.won), change(bid, stakes.lost)) for bid in stakes.bids}


def passed_in_match(match: Match, seat: int, passed: Passed) -> Passed:
    """What passing brings as changes of the seat's total; the least and the most where a search was stopped."""
    one = check_match(match)
    low, high = np.empty_like(passed.low), np.empty_like(passed.high)
    players = [None] * len(low) if passed.declarer is None else passed.declarer.tolist()
    for i, who in enumerate(players):
        for j in range(low.shape[1]):
            ends = []
            for own in (passed.low[i, j], passed.high[i, j]):
                scores = [round(x) for x in passed.all[i, j].tolist()]
                for s in one.game.team(seat):
                    scores[s] = round(own)
                ends.append(_after(one, seat, scores, who))
            low[i, j], high[i, j] = min(ends), max(ends)
    return passed._replace(low=low, high=high)


def check_match(match: Match) -> ThousandMatch:
    """Return a match of Thousand.

    Raises
    ------
    UnsupportedError
        For that of another game.
    """
    if not isinstance(match, ThousandMatch):
        raise UnsupportedError("match: only a match of thousand changes what a score is worth")
    return match
