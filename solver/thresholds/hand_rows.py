"""A study of hands: what one hand's row is, as a pure function of the study's definition and the hand's number.

So hands can be studied in any order, in parts and anywhere, and the rows put together make the same study.

Each hand is estimated lightly. What a rule or a bin says rests on the mean over many hands, and for that many hands
estimated roughly tell more than few estimated well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from solver.bidding.bid import bid
from solver.bidding.bids import Bids
from solver.bidding.of_game import Light, bidding_of
from solver.bidding.passing import Passing
from solver.deals.halving import Round
from solver.games import Game, as_game
from solver.model.checks import checks_numbers, excerpt, whole_number
from solver.model.errors import NotationError, UnsupportedError
from solver.thresholds.features import features, features_of
from solver.worlds.knowledge import Knowledge

__all__ = ["Study", "check_bids", "drawn", "gain_column", "light_of", "study_hand", "study_of"]


@dataclass(frozen=True)
class Study:
    """The definition of a study: with a number it fixes a hand and all that is drawn to estimate it.

    Parameters
    ----------
    game
        With its options.
    seed
        Of the study.
    position
        How many seats speak before the hand's; None to draw it.
    talons, rounds, passed, limit
        As for `solver.bidding.bid.bid`; None, or nothing, where the game has none of it.
    passing
        The model of passing; the definition in a file has it in words.
    """

    game: Game
    seed: int
    position: int | None
    talons: int | None
    rounds: tuple[Round, ...]
    passed: int | None
    limit: int
    passing: Passing

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        return {
            "game": self.game.name, "options": self.game.option_values(), "seed": self.seed, "position": self.position,
            "talons": self.talons, "rounds": [list(r) for r in self.rounds], "passed": self.passed,
            "limit": self.limit, "passing": self.passing.words,
        }  # fmt: skip

    @classmethod
    def from_json(cls, told: Mapping[str, Any], passing: Passing | None = None) -> Study:
        """Read a definition back; the usual model of passing stands for the one told, where none is named.

        Raises
        ------
        NotationError, UnsupportedError
            For what is no definition.
        """
        try:
            return study_of(
                str(told["game"]), seed=told["seed"], position=told["position"], talons=told["talons"],
                rounds=told["rounds"] or None, passed=told["passed"], limit=told["limit"], passing=passing,
                options=told["options"],
            )  # fmt: skip
        except (KeyError, TypeError) as wrong:
            raise NotationError(f"no definition of a study: {wrong} is missing or of the wrong kind") from None

    @property
    def positions(self) -> tuple[int, ...]:
        """Places from which hands are drawn: those that may pass."""
        if self.position is not None:
            return (self.position,)
        forced = bidding_of(self.game).forced
        return tuple(p for p in range(self.game.seats) if p != forced)


def light_of(game: Game) -> Light:
    """Usual settings; a game without settings of its own chooses plans as for one decision."""
    of = bidding_of(game)
    return of.light or Light(rounds=of.schedule)


@checks_numbers
def study_of(
    game: Game | str, *, seed: int, position: int | None = None, passing: Passing | None = None,
    talons: int | None = None, rounds: Sequence[Round] | None = None, passed: int | None = None,
    limit: int | None = None, options: Mapping[str, Any] | None = None,
) -> Study:  # fmt: skip
    """Define a study; what is None has the usual value of the game.

    Raises
    ------
    UnsupportedError
        For a game or options in which no bid is set against passing, and for a position that is none.
    """
    one = as_game(game, dict(options or {}))
    of = bidding_of(one)
    features_of(one)
    of.check_study()
    if position is not None and (not 0 <= position < one.seats or position == of.forced):
        open_ = ", ".join(str(p) for p in range(one.seats) if p != of.forced)
        raise UnsupportedError(f"position is {position}: expected one of {open_}, the number of seats before it")
    light = light_of(one)
    for name, value, has in (("talons", talons, light.talons), ("passed", passed, light.passed),
                             ("rounds", rounds, light.rounds or None)):  # fmt: skip
        if value is not None and has is None:
            raise UnsupportedError(f"{name} is given, but a study of {one.name} has none")
    if rounds is not None and (not rounds or any(len(r) not in (2, 3) for r in rounds)):
        raise UnsupportedError("rounds: expected pairs of plans and worlds, as in [(90, 2), (20, 4), (5, 16)]")
    return Study(
        one, seed, position, light.talons if talons is None else talons,
        light.rounds if rounds is None else tuple(Round(*map(int, r)) for r in rounds),
        light.passed if passed is None else passed, light.limit if limit is None else limit,
        of.passing() if passing is None else passing,
    )  # fmt: skip


def drawn(definition: Study, number: int) -> tuple[int, int]:
    """The seed of a hand, and its place at the table."""
    state = np.random.SeedSequence([definition.seed, number]).generate_state(2)
    places = definition.positions
    return int(state[0]), places[int(state[1]) % len(places)]


def study_hand(definition: Study, number: int, *, workers: int | None = 1) -> dict[str, Any]:
    """Draw a hand, estimate its bids and return its row.

    Parameters
    ----------
    definition
        Of the study.
    number
        Of the hand, from 0. The cards depend on it and on the seed of the study, not on the position.
    workers
        Threads; the row does not depend on it.

    Returns
    -------
    dict
        Plain values: `number`; `seed`, of the deal and of all that is drawn for it; `hand`; the features; for each bid
        `p_BID` and, where it may be bid, `gain_BID`, the expected score above passing (kit: of an even bet of one point
        that so many tricks are reached); `best_bid`, with the `score` expected, the `pass_score` there, and the `gain`
        with `gain_low` to `gain_high`, a 95 % interval; `break_even`, the highest bid with no loss. Sheepshead has
        tiers for bids and one gain, of picking.

    Raises
    ------
    KeyboardInterrupt
        When an interrupt came before the row was whole.
    """
    game = definition.game
    seed, place = drawn(definition, number)
    hand = game.deal(seed=seed).hands[0]
    text = game.deck.write(hand)
    known: Knowledge | Game = game
    asked: dict[str, Any] = {"hand": text, "contract": "lead 0", "seat": place}
    if game.has_auction:
        known = game.knowledge(place, text)
        if calls := bidding_of(game).heard(place):
            known = known.heard(calls)
        asked = {"talons": definition.talons, "rounds": definition.rounds, "passed": definition.passed,
                 "passing": definition.passing, "limit": definition.limit}  # fmt: skip
    found = bid(known, seed=seed, workers=workers, **asked)
    if found.partial:
        raise KeyboardInterrupt
    row = {"number": number, "seed": seed, "hand": text, **features(game, hand, place), **_numbers(game, found)}
    return {name: _plain(value) for name, value in row.items()}


def _numbers(game: Game, found: Bids) -> dict[str, Any]:
    """What the estimate of a hand says."""
    rows = found.frame.to_dict("records")
    out: dict[str, Any] = {f"p_{r['bid']}": r["p"] for r in rows}
    if not game.has_auction:
        out |= {f"gain_{r['bid']}": 2 * r["p"] - 1 for r in rows}
        return {**out, "score": found.summary["expected_tricks"], "n": found.n}
    if bidding_of(game).tiered:
        s = found.summary
        if "gain" not in s:
            raise UnsupportedError(f"passing cannot be judged, so there is no gain to study: {found.passing}")
        return {**out, "score": s["expected_score"], "pass_score": s["pass_score"], "gain": s["gain"],
                "gain_low": s["gain_low"], "gain_high": s["gain_high"], "n": found.n}  # fmt: skip
    legal = [r for r in rows if r.get("legal", True)]
    if any("gain" not in r for r in legal):
        raise UnsupportedError(f"passing cannot be judged, so there is no gain to study: {found.passing}")
    out |= {f"gain_{r['bid']}": r["gain"] for r in legal}
    best = max(legal, key=lambda r: r["gain"] + r["pass_score"])
    return {
        **out, "best_bid": best["bid"], "score": best["gain"] + best["pass_score"], "pass_score": best["pass_score"],
        "gain": best["gain"], "gain_low": best["gain_low"], "gain_high": best["gain_high"],
        "break_even": found.break_even, "n": found.n,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """A JSON value, numbers to nine digits after the point."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return round(value, 9) if isfinite(value) else None
    return value


def gain_column(game: Game, bid: int) -> str:
    """Column of a hand's row that decides about a bid."""
    return "gain" if bidding_of(game).tiered else f"gain_{bid}"


def check_bids(game: Game, bids: Sequence[int] | None) -> tuple[int, ...]:
    """Bids to tabulate, rising; the usual ones when None.

    Raises
    ------
    NotationError
        For what the game has no bid of.
    """
    known = bidding_of(game).bids()
    if bids is None:
        usual_bids = tuple(b for b in bidding_of(game).tabled if b in known)
        return usual_bids or tuple(known[:3])
    bids = [whole_number("a bid", one) for one in bids]
    for one in bids:
        if one not in known:
            raise NotationError(f"no bid {excerpt(one)} in {game.name}: there are {', '.join(map(str, known))}")
    if not bids:
        raise NotationError("no bid is named: name one, or none for the usual ones")
    return tuple(sorted(set(bids)))
