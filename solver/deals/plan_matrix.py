"""Plans over common worlds: which rungs of a game's ladder every plan of a decision reaches in every world.

A plan (a pass, a call with its bury, trumps with called cards) changes what the declarer knows of its own cards, not
how the hidden cards lie. So the same worlds serve all plans, and what a world is worth anyway drops out of a
difference. Plans are grouped by the rules that they are played under; what differs between them then is hands and
sides, which is what a batch of compiled searches takes.

Where plans share all hands (3 of Spades) a world is searched once for each trump and each side that can come about,
however many plans there are: 3,120 contracts of five seats need at most 40 searches a world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.deals.success import Runner, task
from solver.games.base import Game, Rung
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError
from solver.model.layout import Layout, layout_of
from solver.model.play import Position
from solver.worlds.sample import Worlds

__all__ = ["Field", "Found", "Ladder", "SearchInterruptedError", "fixed_field", "joined", "open_field", "point_rungs"]


#: Gives the thresholds of a plan, rising.
Ladder = Callable[[Contract], tuple[Rung, ...]]


@lru_cache(maxsize=64)
def point_rungs(needs: tuple[int, ...], bank: int) -> tuple[Rung, ...]:
    """Rungs of points, so much of which is there before the play; one row for all plans that have the same."""
    return tuple(Rung(str(need), need, "points", need - bank) for need in needs)


class SearchInterruptedError(Exception):
    """An interrupt came before the answer was complete."""


class Found(NamedTuple):
    """Answers of some plans in some worlds.

    Parameters
    ----------
    low, high
        ``int16[plans, worlds]``, rungs that are surely and possibly reached; equal unless a search met its node limit.
    alone
        ``bool[plans, worlds]``, whether the declarer has no partner.
    """

    low: NDArray[np.int16]
    high: NDArray[np.int16]
    alone: NDArray[np.bool_]

    def some(self, plans: NDArray[np.int64]) -> Found:
        """The answers of some of the plans."""
        return Found(self.low[plans], self.high[plans], self.alone[plans])

    def part(self, worlds: NDArray[np.bool_] | slice) -> Found:
        """The answers in some of the worlds."""
        return Found(self.low[:, worlds], self.high[:, worlds], self.alone[:, worlds])


def joined(parts: Sequence[Found]) -> Found:
    """Answers of the same plans in the worlds of all parts."""
    low, high = (np.concatenate([p[i] for p in parts], axis=1).astype(np.int16) for i in (0, 1))
    return Found(low, high, np.concatenate([p.alone for p in parts], axis=1))


@dataclass(frozen=True, eq=False)
class _Group:
    """Plans that are played under the same rules from the same seat.

    Parameters
    ----------
    position
        Start of play of one plan in one world.
    plans
        Their numbers.
    kept
        ``uint64[plans]``, the declarer's hand at the first lead.
    given
        ``uint64[plans, seats]``, cards that others get from the declarer.
    partners
        ``uint64[plans]``, cards whose holders play with the declarer; 0 where `position` says who collects.
    rungs
        ``[plans][rungs]``: measure and need of every threshold.
    """

    position: Position
    plans: NDArray[np.int64]
    kept: NDArray[np.uint64]
    given: NDArray[np.uint64]
    partners: NDArray[np.uint64]
    rungs: tuple[tuple[Rung, ...], ...]


@dataclass(frozen=True, eq=False)
class Field:
    """Plans and worlds of one case.

    Parameters
    ----------
    worlds
        Worlds of the declarer's knowledge; it holds the talon where there is one.
    declarer
        Seat whose plans they are.
    plans
        The plans.
    ladder
        Thresholds by name and bid; needs differ between plans.
    groups
        Plans by rules.
    known
        Rungs reached surely and possibly in each world, and the node limit of the search, by group and side, where
        plans share all hands: filled as they are asked for.
    """

    worlds: Worlds
    declarer: int
    plans: tuple[Contract, ...]
    ladder: tuple[Rung, ...]
    groups: tuple[_Group, ...]
    known: dict[tuple[int, int], NDArray[np.int64]] | None = None

    @property
    def size(self) -> int:
        """How many worlds there are."""
        return len(self.worlds)

    def search(self, runner: Runner, plans: NDArray[np.int64], start: int, stop: int) -> Found:
        """Find the rungs that some plans reach in worlds `start` to `stop`, within the runner's node limit.

        Raises
        ------
        SearchInterruptedError
            When an interrupt came first.
        """
        shape = len(plans), stop - start
        out = Found(np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros(shape, np.bool_))
        for number, group in enumerate(self.groups):
            rows = np.flatnonzero(np.isin(plans, group.plans, assume_unique=True))
            if len(rows):
                at = np.searchsorted(group.plans, plans[rows])
                self._search_group(runner, number, at, rows, slice(start, stop), out)
        return out

    def _search_group(
        self, runner: Runner, number: int, at: NDArray[np.int64], rows: NDArray[np.int64], part: slice, out: Found
    ) -> None:
        group, seat = self.groups[number], self.declarer
        layout = layout_of(group.position.rules)
        others = self._others(layout)[part]
        mine = np.uint64(1) << np.arange(len(layout.cards), dtype=np.uint64)
        sides = np.full((len(at), len(others)), sum(1 << s for s in group.position.side), np.int64)
        if group.partners.any():
            holder = np.zeros((len(layout.cards), len(others)), np.int64)  # seat of each card as a bit, by world
            for s in range(others.shape[1]):
                holder |= np.where(others[:, s] & mine[:, None] != 0, 1 << s, 0)
            sides = np.full((len(at), len(others)), 1 << seat, np.int64)
            for bit in range(len(layout.cards)):
                chosen = np.flatnonzero(group.partners[at] & mine[bit] != 0)
                sides[chosen] |= holder[bit]
        out.alone[rows] = sides == 1 << seat
        if self.known is not None:
            self._look_up(runner, number, others, sides, rows, part, out)
            return
        hands = others[None] | group.given[at][:, None, :]
        hands[:, :, seat] = group.kept[at][:, None]
        flat = hands.reshape(-1, hands.shape[2])
        low, high = self._levels(runner, group.position, flat, sides.ravel(), [group.rungs[i] for i in at], len(others))
        out.low[rows], out.high[rows] = low.reshape(sides.shape), high.reshape(sides.shape)

    def _look_up(
        self, runner: Runner, number: int, others: NDArray[np.uint64], sides: NDArray[np.int64],
        rows: NDArray[np.int64], part: slice, out: Found,
    ) -> None:  # fmt: skip
        """As `_search_group`, each side of a world once."""
        assert self.known is not None
        group, limit = self.groups[number], runner.limit or np.iinfo(np.int64).max
        asked = {int(s) for s in np.unique(sides)}
        pairs: list[tuple[int, NDArray[np.int64]]] = []
        for side in sorted(asked):
            if (number, side) not in self.known:
                self.known[number, side] = np.tile(np.array([[0], [-1], [0]], np.int64), self.size)
            low, high, searched = self.known[number, side][:, part]
            missing = (sides == side).any(axis=0) & (low != high) & (searched < limit)
            if missing.any():
                pairs.append((side, np.flatnonzero(missing)))
        if pairs:
            index = np.concatenate([i for _, i in pairs])
            every = np.concatenate([np.full(len(i), side, np.int64) for side, i in pairs])
            hands = others[index]
            hands[:, self.declarer] = group.kept[0]
            order = np.argsort(index, kind="stable")  # an interrupt then leaves whole worlds
            low, high = self._levels(runner, group.position, hands[order], every[order], [group.rungs[0]], len(index))
            for side, _ in pairs:
                chosen = every[order] == side
                where = part.start + index[order][chosen]
                self.known[number, side][:, where] = low[chosen], high[chosen], np.full(len(where), limit)
        for side in asked:
            here = sides == side
            for found, answer in zip((out.low, out.high), self.known[number, side][:2, part], strict=True):
                found[rows] = np.where(here, answer[None], found[rows])

    def _others(self, layout: Layout) -> NDArray[np.uint64]:
        """Cards of every seat but the declarer in every world."""
        hands = self.worlds.hands(layout)
        hands[:, self.declarer] = 0
        return hands

    def _levels(
        self, runner: Runner, position: Position, hands: NDArray[np.uint64], sides: NDArray[np.int64],
        ladders: Sequence[tuple[Rung, ...]], worlds: int,
    ) -> tuple[NDArray[np.int16], NDArray[np.int16]]:  # fmt: skip
        """Rungs reached in each deal; `worlds` deals in a row have the same ladder.

        Points are asked first. Tricks are asked only where points leave a rung of tricks open: whether a side takes no
        trick matters where it has few points, whether it takes all where it has most.
        """
        measures = [[rung.measure == "tricks" for rung in ladder] for ladder in ladders]
        of_tricks = np.repeat(np.array(measures, np.bool_), worlds, axis=0)
        needs = np.repeat(np.array([[rung.need for rung in ladder] for ladder in ladders], np.int64), worlds, axis=0)
        low, high = np.zeros(of_tricks.shape, np.bool_), np.zeros(of_tricks.shape, np.bool_)
        for pattern in {tuple(row) for row in measures}:
            rows = np.flatnonzero((of_tricks == np.array(pattern)).all(axis=1))
            points = np.flatnonzero(~np.array(pattern))
            self._ask(runner, position, hands, sides, needs, rows, points, "points", low, high)
            tricks = np.flatnonzero(pattern)
            if not len(tricks):
                continue
            open_ = np.zeros(len(rows), np.bool_)
            for i in tricks:
                above, below = points[points > i], points[points < i]
                implied, barred = low[rows][:, above].any(axis=1), ~high[rows][:, below].all(axis=1)
                open_ |= ~implied & ~barred
                low[rows, i] = implied
                high[rows, i] = ~barred
            self._ask(runner, position, hands, sides, needs, rows[open_], tricks, "tricks", low, high)
        low = np.logical_or.accumulate(low[:, ::-1], axis=1)[:, ::-1]  # a rung reached has all below it
        high = np.logical_and.accumulate(high, axis=1)
        return low.sum(axis=1, dtype=np.int16), high.sum(axis=1, dtype=np.int16)

    def _ask(
        self, runner: Runner, position: Position, hands: NDArray[np.uint64], sides: NDArray[np.int64],
        needs: NDArray[np.int64], rows: NDArray[np.int64], columns: NDArray[np.int64], measure: str,
        low: NDArray[np.bool_], high: NDArray[np.bool_],
    ) -> None:  # fmt: skip
        """Search some deals for some rungs and note which are reached."""
        if not (len(rows) and len(columns)):
            return
        asked = task(position, hands[rows], sides[rows], needs[rows][:, columns], measure=measure)
        (answer,) = runner.run(asked)
        if not answer.done.all():
            raise SearchInterruptedError
        for bound, found in ((answer.low, low), (answer.high, high)):
            found[np.ix_(rows, columns)] = bound[:, None] > np.arange(len(columns))


@dataclass(frozen=True, eq=False)
class _Fixed(Field):
    """One plan that is told already, in the worlds of any seat's knowledge at the first lead."""

    rungs: Ladder = Game.ladder  # type: ignore[assignment]  # always given

    def search(self, runner: Runner, plans: NDArray[np.int64], start: int, stop: int) -> Found:
        """Find the rungs that the plan reaches in worlds `start` to `stop`."""
        shape = 1, stop - start
        out = Found(np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros(shape, np.bool_))
        sides, banked = self.worlds.sides[start:stop], self.worlds.banked[start:stop]
        out.alone[0] = (sides & (sides - 1)) == 0
        for rules in self.worlds.groups:
            rows = np.flatnonzero((rules.index >= start) & (rules.index < stop))
            index = rules.index[rows]
            if not len(index):
                continue
            position = self.worlds.position(int(index[0]))
            hands = self.worlds.hands(layout_of(position.rules))[index]
            here = index - start
            for bank in np.unique(banked[here]):  # a ladder is that of what was put away, which others do not see
                some = banked[here] == bank
                contract = self.worlds.contract(int(index[some][0]))
                extra = int(bank) - self.worlds.knowledge.game.banked(contract)  # what the talon brings beside it
                rungs = tuple(r._replace(need=r.need - extra * (r.measure == "points")) for r in self.rungs(contract))
                low, high = self._levels(runner, position, hands[some], sides[here[some]], [rungs], int(some.sum()))
                out.low[0, here[some]], out.high[0, here[some]] = low, high
        return out


def fixed_field(worlds: Worlds, ladder: Ladder | None = None) -> Field:
    """The field of a knowledge at the first lead: its contract is the one plan."""
    contract, game = worlds.contract(0), worlds.knowledge.game
    declarer = worlds.knowledge.seat if contract.declarer is None else contract.declarer
    ladder = ladder or game.ladder
    return _Fixed(worlds, declarer, (contract,), ladder(contract), (), None, ladder)


def open_field(worlds: Worlds, plans: Sequence[Contract], ladder: Ladder | None = None) -> Field:
    """The field of a declarer that holds the talon, if there is one, and has still to plan.

    Parameters
    ----------
    worlds
        Of the declarer's knowledge, with the talon seen.
    plans
        From the game's `plans`, at least one.
    ladder
        Gives the thresholds of a plan; the game's when None.

    Raises
    ------
    NotationError
        When there is no plan.
    """
    known = worlds.knowledge
    game, seat = known.game, known.seat
    if not plans:
        raise NotationError("no plan is open to this hand")
    ladder = ladder or game.ladder
    full = known.hand | (known.talon or frozenset())
    numbers: dict[object, list[int]] = {}
    for i, plan in enumerate(plans):
        own = frozenset(game.partner_cards(plan)) & full
        key = (plan.kind, plan.called if game.talon_size else (), plan.under, plan.trump, bool(own))
        numbers.setdefault(key, []).append(i)
    groups = tuple(_group(worlds, plans, np.array(index, np.int64), full, ladder) for index in numbers.values())
    shared = all(not (p.bury or p.passes or p.under) for p in plans) and len(plans) > 1
    return Field(worlds, seat, tuple(plans), ladder(plans[0]), groups, {} if shared else None)


def _group(
    worlds: Worlds, plans: Sequence[Contract], index: NDArray[np.int64], full: frozenset[Card], ladder: Ladder
) -> _Group:
    known = worlds.knowledge
    game, seat = known.game, known.seat
    first = plans[int(index[0])]
    away = frozenset(first.bury) | {card for _, card in first.passes}
    hands = []
    for s in range(game.seats):
        if s == seat:
            hands.append(full - away)
        else:
            hands.append(worlds.place_cards(0, s) | {card for to, card in first.passes if to == s})
    start = game.start(Deal(game, tuple(hands)), replace(first, passes=(), taken=()))
    layout = layout_of(start.rules)
    kept, partners = np.zeros(len(index), np.uint64), np.zeros(len(index), np.uint64)
    given = np.zeros((len(index), game.seats), np.uint64)
    for row, i in enumerate(index.tolist()):
        plan = plans[i]
        passed = {card for _, card in plan.passes}
        kept[row] = layout.encode(full - set(plan.bury) - passed)
        for to, card in plan.passes:
            given[row, to] |= np.uint64(layout.encode((card,)))
        partners[row] = 0 if plan.side is not None else layout.encode(set(game.partner_cards(plan)) - set(plan.bury))
    return _Group(start, index, kept, given, partners, tuple(ladder(plans[i]) for i in index.tolist()))
