"""Deals played out by seats that see no more than they may: perfect-information Monte Carlo (PIMC) against itself.

Whoever is on turn draws worlds from its own knowledge (its hand, its part of the plan, the cards played), searches each
of its cards double dummy in each of them, and plays the one that serves its side best over all of them together. Its
side follows in each of its worlds from who holds the partner's cards there, so that secret partners need not be known.

That is near to how people play, and dear. It errs where a seat would have to hide something, or to play so as to learn
something, and in the mean it favours the declarer when defenders must work together: each of them takes it that the
other, too, will see all cards from the next one on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.deals.success import Levels, Progress, Runner, kept_apart
from solver.kernels.table import STOP, Memory
from solver.model.contract import Outcome
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Move, Position
from solver.seat.candidates import classes
from solver.seat.firstlead import (
    OWN_WORLDS,
    Chooser,
    at_first_lead,
    default_bid,
    nearby,
    needs_of,
    prefix,
    reached_in,
)
from solver.seat.seatviews import Views, seed_of
from solver.worlds.sample import Worlds

__all__ = ["SelfPlay", "self_play"]


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """Deals played out.

    Parameters
    ----------
    worlds
        The deals, as worlds of one seat.
    bid
        What the declarer's side played for.
    reached
        ``bool[n]``, whether it reached that, in the first n worlds; n is less than asked after an interrupt.
    ends
        Position after the last card of each deal, with points and tricks by seat.
    moves
        Cards of each deal in order.
    exact
        Whether every decision was made over all worlds of the seat on turn, so that chance had no part in it.
    """

    worlds: Worlds
    bid: int
    reached: NDArray[np.bool_]
    ends: tuple[Position, ...]
    moves: tuple[tuple[Move, ...], ...]
    exact: bool

    def __len__(self) -> int:
        return len(self.reached)

    def outcome(self, i: int) -> Outcome:
        """Score of deal i by the game's settlement."""
        return self.worlds.knowledge.game.settle(self.ends[i], self.worlds.contract(i))


def self_play(
    worlds: Worlds,
    bid: int | None = None,
    *,
    seed: int,
    own_worlds: int = OWN_WORLDS,
    workers: int | None = None,
    progress: Progress = None,
    limit: int = 0,
    runner: Runner | None = None,
    chooser: Chooser | None = None,
) -> SelfPlay:
    """Play every world out, each card chosen by the seat on turn over worlds of its own.

    The declarer's side plays for the bid and the others against it. Among cards that serve the seat's side equally
    there, the one that serves it better at the nearest bids of the ladder (two on each side) is played, then the one
    worth fewest points, then the weakest. Forced cards, and cards that are one move, are played without a search.

    Parameters
    ----------
    worlds
        Of a knowledge at the first lead, see `solver.seat.firstlead.at_first_lead`.
    bid
        As the game's ladder names it; the contract's target, or what makes it, when None.
    seed
        Of the worlds that the seats draw: with the number of the deal and of the card it settles each draw, so that
        the answer depends neither on the workers nor on what else is played.
    own_worlds
        How many worlds a seat draws for a decision; all are taken where there are no more than that or
        `solver.seat.firstlead.FEW`.
    workers, progress, limit
        As for `solver.seat.advice.advise`; the limit is for one card in one of a seat's worlds.
    runner
        Open worker threads, in place of the three.
    chooser
        Keeps decisions of the kit from call to call.

    Returns
    -------
    SelfPlay
        Of the first worlds only where an interrupt came.

    Raises
    ------
    NotationError, UnsupportedError
        When the play has not begun or some card is played, for a bid that the contract does not have, and for bridge.

    References
    ----------
    Long, Sturtevant, Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling in game
    tree search", AAAI 2010.
    """
    worlds = replace(worlds, knowledge=at_first_lead(worlds.knowledge))
    if (game := worlds.knowledge.game).has_dummy:
        raise UnsupportedError(f"self-play is not offered for {game.name}, where one hand lies open")
    bid = default_bid(worlds) if bid is None else bid
    if runner is None:
        with Runner(workers=workers, progress=progress, limit=limit, chunk=1) as one:
            return self_play(worlds, bid, seed=seed, own_worlds=own_worlds, runner=one, chooser=chooser)
    if chooser is None:
        chooser = Chooser(worlds.knowledge.game, nearby(worlds.knowledge.game, worlds.contract(0), bid), own_worlds)
    work = _Deals(worlds, chooser, chooser.bids.index(bid), seed)
    (found,) = runner.run(work)
    n = prefix(found.done)
    ends, moves = [end for end in work.ends[:n] if end is not None], work.moves[:n]
    return SelfPlay(worlds, bid, work.reached[:n], tuple(ends), tuple(moves), bool(work.whole[:n].all()))


class _Deals:
    """Deals to play out, for a `Runner`."""

    def __init__(self, worlds: Worlds, chooser: Chooser, at: int, seed: int) -> None:
        self.worlds, self.chooser, self.at, self.seed = worlds, chooser, at, seed
        self.views = Views(worlds, seed)
        self.needs = needs_of(worlds, chooser.bids)
        self.cards = len(layout_of(worlds.start(0).rules).cards)
        self.reached, self.whole = np.zeros(len(worlds), np.bool_), np.ones(len(worlds), np.bool_)
        self.ends: list[Position | None] = [None] * len(worlds)
        self.moves: list[tuple[Move, ...]] = [()] * len(worlds)

    def __len__(self) -> int:
        return len(self.worlds)

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        """Room for the answers; those that count are kept here."""
        return kept_apart(done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        """Play some of the deals."""
        for i in range(*part.indices(len(self))):
            start = position = self.worlds.start(i)
            moves: list[Move] = []
            while not position.over:
                if memory.counters[STOP]:
                    return
                move = self._only(i, position, moves)
                if move is None:
                    seed = seed_of(self.seed, i, len(moves))
                    best, whole = self.chooser.pick(
                        self.views, i, start, position, moves, memory, seed=seed, limit=limit
                    )
                    move = best[self.at]
                    self.whole[i] &= whole
                position = position.play(move)
                moves.append(move)
            self.ends[i], self.moves[i] = position, tuple(moves)
            self.reached[i] = reached_in(start, position, self.needs, i, self.at)

    def _only(self, i: int, position: Position, moves: Sequence[Move]) -> Move | None:
        """The card that is played without a choice: the weakest where all are one move; None where there is a choice.

        What is one move is judged by what the seat sees. Where a card lies face down it does not see all, and a card
        alone is no choice.
        """
        legal = position.legal()
        if len(legal) == 1:
            return legal[0]
        contract, seat = self.worlds.contract(i), position.turn
        if contract.under is not None and seat != contract.declarer:
            return None
        own = position.hands[seat]
        seen = own | {move.card for move in moves} | (set(contract.bury) if seat == contract.declarer else set())
        unseen = frozenset(card for _, cards in position.rules.suits for card in cards if card not in seen)
        whole = tuple(own if s == seat else unseen for s in range(position.rules.seats))
        if len(set(classes(replace(position, hands=whole), legal))) > 1:
            return None
        return min(legal, key=lambda move: position.rules.strength[move.card])
