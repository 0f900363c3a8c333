"""The first lead chosen without sight of the hidden cards, and everything after it double dummy.

Double dummy lets whoever leads see through the backs of the cards and find every killing lead. Here the leader knows
what its seat knows: it picks one card for all the worlds that it considers possible, for each threshold the one that
serves its side in most of them. Only from the second card on do all see everything. That removes most of the bias of
double dummy at little more cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.deals.search import Search, counting_tricks
from solver.deals.success import Levels, Progress, Runner, kept_apart
from solver.kernels.table import STOP, Memory
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.seat.candidates import candidates
from solver.seat.firstlead import (
    OWN_WORLDS,
    Answers,
    Chooser,
    answers,
    at_first_lead,
    cheapest,
    choose,
    needs_of,
    prefix,
)
from solver.seat.seatviews import Views, seed_of
from solver.worlds.sample import Worlds

__all__ = ["Leads", "blind_lead"]

_Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Leads:
    """What the collecting side reaches in each world, for rising thresholds.

    Parameters
    ----------
    bids
        The thresholds.
    n
        Worlds that were finished, the first of those drawn.
    seen_low, seen_high
        ``bool[n, bids]``: surely and possibly reached double dummy, the first lead too.
    low, high
        The same with the first card chosen blind.
    exact
        Whether the leader chose over all worlds that it considers possible, every time.
    """

    bids: tuple[int, ...]
    n: int
    seen_low: _Bools
    seen_high: _Bools
    low: _Bools
    high: _Bools
    exact: bool


def blind_lead(
    worlds: Worlds,
    bids: Sequence[int] | None = None,
    *,
    seed: int,
    own_worlds: int = OWN_WORLDS,
    workers: int | None = None,
    progress: Progress = None,
    limit: int = 0,
    runner: Runner | None = None,
    chooser: Chooser | None = None,
) -> Leads:
    """Say in which worlds the collecting side reaches a threshold after a first lead that was chosen blind.

    Where the knowing seat leads, one card is chosen for all worlds; where these are a sample it is chosen on one half
    of them and read on the other (two-fold cross-fitting). Another seat has its own hand and its own knowledge in
    every world, and chooses over worlds of that; a leader that may be an unknown partner is on its side according to
    its own worlds.

    Parameters
    ----------
    worlds
        Of a knowledge at the first lead, see `solver.seat.firstlead.at_first_lead`.
    bids
        Rising thresholds as the game's ladder names them; all of the ladder when None.
    seed
        Of the worlds that another seat draws.
    own_worlds
        How many it draws; all are taken where there are no more than that or `FEW`.
    workers, progress, limit
        As for `solver.seat.advice.advise`.
    runner
        Open worker threads, in place of the three.
    chooser
        Keeps decisions of the kit from call to call.

    Returns
    -------
    Leads
        Of the first worlds only where an interrupt came.
    """
    known = at_first_lead(worlds.knowledge)
    worlds = replace(worlds, knowledge=known)
    game = known.game
    wanted = tuple(r.bid for r in game.ladder(worlds.contract(0))) if bids is None else tuple(bids)
    if runner is None:
        with Runner(workers=workers, progress=progress, limit=limit) as one:
            return blind_lead(worlds, wanted, seed=seed, own_worlds=own_worlds, runner=one, chooser=chooser)
    if worlds.start(0).turn == known.seat:
        return _own(worlds, wanted, runner)
    chooser = Chooser(game, wanted, own_worlds) if chooser is None else chooser
    work = _Leads(worlds, Views(worlds, seed), chooser, seed)
    (found,) = runner.run(work)
    n = prefix(found.done)
    seen_low, seen_high, low, high = (part[:n] for part in work.out)
    return Leads(wanted, n, seen_low, seen_high, low, high, bool(work.whole[:n].all()))


def _own(worlds: Worlds, bids: tuple[int, ...], runner: Runner) -> Leads:
    """The knowing seat leads."""
    cards = candidates(worlds, worlds.sides)
    found = answers(cards, bids, runner)
    n = prefix(found.done)
    found = Answers(*(part[:n] for part in found))
    low, high = found.own()
    order, every = cheapest(cards.position, cards.moves), np.arange(len(bids))
    whole = worlds.exact and n == len(worlds)
    chosen = np.zeros((n, len(bids)), np.bool_), np.zeros((n, len(bids)), np.bool_)
    half = np.arange(n) % 2
    # Of a sample, each half is read with the card that the other half chose, or its luck would count as skill.
    for read, choosing in [(half >= 0, half >= 0)] if whole else [(half == 0, half == 1), (half == 1, half == 0)]:
        some = Answers(*(part[choosing] for part in found))
        best = [choose(some, at, order) for at in range(len(bids))]
        chosen[0][read], chosen[1][read] = low[read][:, best, every], high[read][:, best, every]
    member = found.member[:, None]

    def side(low: _Bools, high: _Bools) -> tuple[_Bools, _Bools]:
        """Back from what the seat wants to what the collecting side reaches."""
        return np.where(member, low, ~high), np.where(member, high, ~low)

    seen = side(np.asarray(low.any(axis=1)), np.asarray(high.any(axis=1)))
    return Leads(bids, n, *seen, *side(*chosen), exact=whole)


class _Leads:
    """Worlds in which another seat leads, for a `Runner`."""

    def __init__(self, worlds: Worlds, views: Views, chooser: Chooser, seed: int) -> None:
        self.worlds, self.views, self.chooser, self.seed = worlds, views, chooser, seed
        self.needs = needs_of(worlds, chooser.bids)
        self.cards = len(layout_of(worlds.start(0).rules).cards)
        shape = len(worlds), len(chooser.bids)
        self.out = tuple(np.zeros(shape, np.bool_) for _ in range(4))
        self.whole = np.ones(len(worlds), np.bool_)

    def __len__(self) -> int:
        return len(self.worlds)

    def answer(self, done: _Bools) -> Levels:
        """Room for the answers; those that count are kept in `out`."""
        return kept_apart(done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        """Choose the leads of some worlds and read them."""
        for i in range(*part.indices(len(self))):
            if memory.counters[STOP]:
                return
            start = self.worlds.start(i)
            seed = seed_of(self.seed, i, 0)
            best, self.whole[i] = self.chooser.pick(self.views, i, start, start, (), memory, seed=seed, limit=limit)
            after = [start.play(move) for move in best]
            for low, high, ends in zip(self.out[::2], self.out[1::2], ([start] * len(best), after), strict=True):
                low[i], high[i] = self._read(i, start, ends, memory, limit)

    def _read(
        self, i: int, start: Position, ends: Sequence[Position], memory: Memory, limit: int
    ) -> tuple[_Bools, _Bools]:
        """Which bids are surely and possibly reached in world i, each from its own position."""
        low, high = np.ones(len(ends), np.bool_), np.ones(len(ends), np.bool_)
        for measure, needs in self.needs.items():
            rules = counting_tricks(start.rules) if measure == "tricks" else start.rules
            search = Search(replace(start, rules=rules), limit=limit, memory=memory)
            for k, end in enumerate(ends):
                taken = end.collected - start.collected if measure == "points" else 0  # no trick is complete
                found = search.reaches(replace(end, rules=rules), int(needs[i, k]) - taken)
                low[k] &= found is True
                high[k] &= found is not False
        return low, high
