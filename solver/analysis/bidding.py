"""How high to bid: the chance of each threshold over the worlds that one seat considers possible.

Every world is judged double dummy, that is with all cards seen by all. What a seat decides before it sees the hidden
cards (a pass, a bury, a call) is fixed for all worlds, never chosen world by world.

* Kit: every division of the unseen cards; the seat against all others. Games without plans likewise, by sides.
* Sheepshead: a given plan of call and bury; the partner is whoever holds the called card in a world.
* Thousand: before the talon the best pass for every talon and bid, see `solver.analysis.talon`; after it as it is.
* 3 of Spades: given trumps and called cards; the team is whoever holds them in a world.

Worlds count as equally likely: what the auction tells about the other hands is not used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solver.analysis import curves, talon
from solver.analysis.curves import ALL, Question
from solver.analysis.estimate import Estimate
from solver.analysis.success import Progress
from solver.games import Game, as_game
from solver.games.clauses import read_clauses
from solver.games.sheepshead import Sheepshead
from solver.games.thousand import Thousand
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["bid"]

#: Games whose deals are always searched to the end; in others a world may be left undecided.
FINISHED = ("kit", "sheepshead", "thousand")
#: Nodes a world by default in the others.
LIMIT = 2_000_000


def bid(
    game_or_name: Game | str,
    hand: str | frozenset[Card],
    contract: str | Contract | None = None,
    *,
    seat: int | None = None,
    worlds: int | str | None = None,
    talons: int | str | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress = None,
    limit: int | None = None,
    **options: Any,
) -> Estimate:
    """Estimate how often each bid is made with a hand, double dummy.

    Parameters
    ----------
    game_or_name
        From `solver.games.game`, or its name, with `options` then.
    hand
        Cards of the seat. Kit and 3 of Spades: as dealt. Thousand: 7 before the talon, 10 with it, 8 after the pass.
        Sheepshead: with the blind, or after the bury.
    contract
        The plan. Kit: ``"lead 1"`` where seat 0 does not lead. Sheepshead: ``"call AH, bury TC 8H"``, or
        ``"alone, bury TC 8H"``. Thousand with 10 cards: ``"pass 9C to 1, 9D to 2"``. 3 of Spades:
        ``"trump S, call AS KD"``.
    seat
        The seat that holds the hand; default the contract's declarer, else 0.
    worlds
        How many to draw (for every talon, before the talon of Thousand); ``"all"``, or at least as many as there are,
        takes every one. Default: all in the kit as far as there are few, otherwise a number for the game.
    talons
        Thousand before the talon: how many talons to draw, or ``"all"`` 680.
    seed
        Of the worlds; recorded in the result.
    workers
        Threads, None for all cores; numbers do not depend on it.
    progress
        True for a bar, or a function of (done, total).
    limit
        Most positions to search for one world, 0 for no limit. A world left undecided counts as anything from 0 to 1.
    **options
        Options of the game, when it is named by text.

    Returns
    -------
    Estimate
        With a row a threshold: `bid`, `p`, and `low` to `high`, a 95 % interval unless all worlds were searched.

    Raises
    ------
    NotationError, IllegalPlayError, UnsupportedError
        For a hand or plan that cannot be read or that the rules bar.
    """
    one = as_game(game_or_name, options)
    contract = _contract(one, contract, seat)
    _check_number("worlds", worlds)
    _check_number("talons", talons)
    sizes = _hand_sizes(one)
    cards = one.read_hand(hand if isinstance(hand, str) else one.deck.write(hand), sizes)
    if contract.declarer is None:
        raise NotationError(f"no seat: name one from 0 to {one.seats - 1}")
    asked = Question(
        one, cards, contract, contract.declarer, worlds, talons, seed, workers, progress,
        (0 if one.name in FINISHED else LIMIT) if limit is None else limit,
    )  # fmt: skip
    if contract.surrender:
        raise UnsupportedError("the contract is given up: nothing is played, so nothing is estimated")
    if isinstance(one, Sheepshead):
        return curves.sheepshead(asked, one)
    if isinstance(one, Thousand):
        return talon.before(asked, one) if len(cards) == one.hand_size else talon.after(asked, one)
    if isinstance(one, ThreeOfSpades):
        return curves.three_of_spades(asked, one)
    if one.talon_size:  # its hidden cards count, so a threshold would differ from world to world
        raise UnsupportedError(f"bids of {one.name} are not estimated: solve, cards and line answer for a whole deal")
    return curves.plain(asked)


def _check_number(name: str, value: int | str | None) -> None:
    if value is None or value == ALL or (isinstance(value, int) and value > 0):
        return
    raise UnsupportedError(f"{name} is {value!r}: a whole number from 1, or {ALL!r}")


def _hand_sizes(one: Game) -> list[int]:
    if isinstance(one, Thousand):
        return sorted({one.hand_size, one.sizes[-1][0], one.hand_size + one.talon_size})
    return sorted({one.hand_size, one.hand_size + one.talon_size})


def _contract(one: Game, contract: str | Contract | None, seat: int | None) -> Contract:
    """Read the plan and put the seat in as declarer."""
    if seat is not None and not 0 <= seat < one.seats:
        raise NotationError(f"seat {seat}: {one.name} has seats 0 to {one.seats - 1}")
    usual = 0 if seat is None else seat
    if isinstance(contract, Contract):
        read = one.contract(contract if contract.declarer is not None else replace(contract, declarer=usual))
    else:
        text = contract or ""
        if all(clause.word != "by" for clause in read_clauses(text, one.name, one.spoken)):
            text = f"{text.rstrip(' ,;')}, by {usual}"
        read = one.contract(text)
    if seat is not None and read.declarer != seat:
        raise NotationError(f"the contract is by seat {read.declarer}, but the hand is of seat {seat}")
    return read
