"""Worlds drawn or listed: arrays for the search, and plain positions for everything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.kernels.dealing import draw as draw_worlds
from solver.kernels.dealing import list_all
from solver.model.cards import Card
from solver.model.contract import Contract, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.layout import Layout
from solver.model.play import Position
from solver.stats.rates import effective
from solver.worlds.counting import binomials
from solver.worlds.evidence import Evidence

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["Group", "Worlds", "distinct", "draw", "every"]

#: Worlds of one compiled call; Ctrl-C is seen between two.
_BLOCK = 2**16


@dataclass(frozen=True)
class Group:
    """Worlds whose tricks have the same rules, so that one layout serves them.

    Parameters
    ----------
    rules
        Their rules; they differ where an under card is hidden, or a talon counts for a trick.
    index
        Numbers of these worlds.
    """

    rules: TrickRules
    index: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Worlds:
    """Worlds of one seat's knowledge.

    Parameters
    ----------
    knowledge
        What they fit.
    owners
        ``int8[n, cards]``: place of each of `cards` in each world; the first places are the seats' hands.
    exact
        Whether they are all worlds, each once.
    weights
        ``float64[n]``; None where all weigh the same.
    """

    knowledge: Knowledge
    owners: NDArray[np.int8]
    exact: bool
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The unseen cards, in the order of the columns of `owners`."""
        return self.knowledge.situation.unseen

    @property
    def effective(self) -> float:
        """Effective sample size: the number of worlds where all weigh the same."""
        return float(len(self)) if self.weights is None else effective(self.weights)

    @property
    def method(self) -> str:
        """How they were found, in words."""
        if self.exact:
            return f"all {len(self):,} worlds"
        soft = "" if self.weights is None else f", weighted, effective sample size {self.effective:,.0f}"
        return f"{len(self):,} of {self.knowledge.count():,} worlds, drawn uniformly{soft}"

    # ------------------------------------------------------------------ for the search

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The worlds by the rules of their tricks; a single group as a rule."""
        one = self.knowledge.situation
        if one.position is None:
            raise self._no_play()
        varying = [p for kind in ("under", "talon") if (p := one.place(kind)) is not None]
        found: dict[TrickRules, list[NDArray[np.int64]]] = {}
        for index in self._alike(np.isin(self.owners, varying) * (self.owners + 1)):
            found.setdefault(self.position(int(index[0])).rules, []).append(index)
        return tuple(Group(rules, np.sort(np.concatenate(some))) for rules, some in found.items())

    def hands(self, layout: Layout, *, table: bool = False) -> NDArray[np.uint64]:
        """Cards that each seat holds now, ``uint64[n, seats]`` in the layout's bits.

        Parameters
        ----------
        layout
            Of the rules of these worlds; where there are several `groups`, read the rows of its own group only.
        table
            Whether the cards on the table still count as held.
        """
        one = self.knowledge.situation
        seats = self.knowledge.game.seats
        out = np.zeros((len(self), seats), np.uint64)
        bits = np.array([1 << layout.bit[c] for c in one.unseen], np.uint64)
        under = one.place("under")
        for seat in range(seats):
            out[:, seat] = np.where(self.owners == seat, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
            out[:, seat] |= np.uint64(layout.encode(one.held[seat]))
        if under is not None and one.contract is not None and one.contract.declarer is not None:
            more = np.where(self.owners == under, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
            out[:, one.contract.declarer] |= more
        if table and one.position is not None:
            for i, move in enumerate(one.position.trick):
                out[:, (one.position.leader + i) % seats] |= np.uint64(1 << layout.bit[move.card])
        return out

    @cached_property
    def sides(self) -> NDArray[np.int64]:
        """Collecting seats of each world as bits, by who holds the partner's cards in it."""
        one = self.knowledge.situation
        contract = one.contract
        if one.position is None or contract is None:
            raise self._no_play()
        partners = () if contract.side is not None else self.knowledge.game.partner_cards(contract)
        columns = [j for j, card in enumerate(one.unseen) if card in partners]
        out = np.empty(len(self), np.int64)
        for index in self._alike(self.owners[:, columns]):
            out[index] = sum(1 << seat for seat in self.start(int(index[0])).side)
        return out

    @cached_property
    def banked(self) -> NDArray[np.int64]:
        """Points that the collecting side has before the first trick in each world: bury, discards, a talon left."""
        one = self.knowledge.situation
        if one.position is None:
            raise self._no_play()
        varying = [p for kind in ("bury", "talon") if (p := one.place(kind)) is not None]
        out = np.empty(len(self), np.int64)
        for index in self._alike(np.isin(self.owners, varying) * (self.owners + 1)):
            start = self.start(int(index[0]))
            bonus = sum(start.bonus[s] for s in start.side)
            out[index] = self.knowledge.game.banked(self.contract(int(index[0]))) + bonus
        return out

    def _alike(self, columns: NDArray[np.generic]) -> Iterator[NDArray[np.int64]]:
        """Numbers of the worlds that agree in some columns, a group at a time."""
        if not len(self):
            return
        if columns.shape[1] == 0 or not columns.any():
            same = (columns == columns[:1]).all() if columns.shape[1] else True
            if same:
                yield np.arange(len(self))
                return
        order, starts = _sorted(columns)
        yield from np.split(order, starts[1:])

    # ------------------------------------------------------------------ one world

    def place_cards(self, i: int, place: int) -> frozenset[Card]:
        """Unseen cards that lie in a place in world i."""
        return frozenset(c for c, at in zip(self.cards, self.owners[i], strict=True) if at == place)

    def _first_hand(self, i: int, seat: int) -> frozenset[Card]:
        """Hand of a seat in world i before any card was played, under card included."""
        one = self.knowledge.situation
        hand = self.place_cards(i, seat) | {c for c, at in one.where.items() if at == seat}
        under = one.place("under")
        if under is not None and one.contract is not None and seat == one.contract.declarer:
            hand |= self.place_cards(i, under)
        return hand

    def contract(self, i: int) -> Contract:
        """The contract of world i, with what was put away in it; passes and talon are in its hands."""
        one = self.knowledge.situation
        if one.contract is None:
            raise self._no_play()
        contract = replace(one.contract, passes=(), taken=())
        under, bury = one.place("under"), one.place("bury")
        if under is not None:
            contract = replace(contract, under=next(iter(self.place_cards(i, under))))
        if bury is not None:
            put = self.place_cards(i, bury) | set(contract.bury)
            contract = replace(contract, bury=tuple(self.knowledge.game.deck.sort(put)))
        return contract

    def deal(self, i: int) -> Deal:
        """World i as a deal: as dealt before the plan, else with the hands of the first lead."""
        one, game = self.knowledge.situation, self.knowledge.game
        if one.stage == "taken":
            raise UnsupportedError("the talon is taken and nothing is put away yet: there is no deal to show")
        hands = tuple(self._first_hand(i, s) for s in range(game.seats))
        talon = frozenset[Card]()
        if one.stage == "deal" or (one.contract is not None and one.contract.declarer is None):
            talon = frozenset(game.deck.cards).difference(*hands)
        return Deal(game, hands, talon)

    def start(self, i: int) -> Position:
        """Position of world i before the first lead."""
        if self.knowledge.situation.position is None:
            raise self._no_play()
        deal = self.deal(i)
        return self.knowledge.game.start(Deal(deal.game, deal.hands), self.contract(i))

    def position(self, i: int) -> Position:
        """Position of world i now, every card of the record played in it by the rules."""
        position = self.start(i)
        for seat, move in self.knowledge.situation.moves:
            if seat != position.turn:
                raise IllegalPlayError(f"seat {seat} is not on turn in world {i}")
            position = position.play(move)
        return position

    def dealt_known(self, seat: int) -> bool:
        """Whether the hand that another seat was dealt can be read off a world."""
        one = self.knowledge.situation
        contract = one.contract
        if one.stage != "play" or contract is None or contract.declarer is None:
            return True
        if seat == contract.declarer:
            return self.knowledge.game.talon_size == 0
        size = next(h for h, t in self.knowledge.game.sizes if t == 0)
        return size == self.knowledge.game.hand_size or any(to == seat for to, _ in contract.passes)

    def dealt(self, i: int, seat: int) -> frozenset[Card]:
        """Hand that a seat was dealt in world i, where `dealt_known` says so."""
        contract = self.knowledge.situation.contract
        gone = frozenset() if contract is None else frozenset(c for to, c in contract.passes if to == seat)
        talon = self.knowledge.talon or frozenset()
        return self._first_hand(i, seat) - gone - talon

    def _no_play(self) -> NotationError:
        return NotationError("the play has not begun: tell the contract with its plan first")


def _sorted(rows: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of rows in the order of their bytes, and where each kind of equal rows begins there.

    As words, since `numpy.unique` compares bytes with Python's lock held: for millions of rows no Ctrl-C is seen.
    """
    raw = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.shape[1] * rows.itemsize)
    words = np.zeros((len(rows), -(-raw.shape[1] // 8) * 8), np.uint8)
    words[:, : raw.shape[1]] = raw
    columns = np.ascontiguousarray(words.view(">u8").astype(np.uint64).T)
    order = np.lexsort(columns[::-1])
    changes = np.zeros(max(len(rows) - 1, 0), np.bool_)
    for column in columns:
        changes |= np.diff(column[order]) != 0
    return order, np.flatnonzero(np.concatenate([np.ones(min(len(rows), 1), np.bool_), changes]))


def distinct(rows: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number of the first row of each kind of equal rows, by rising number, and the kind of each row."""
    order, starts = _sorted(rows)
    kind = np.empty(len(rows), np.int64)
    kind[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(rows))))
    first = order[starts]  # the sort is stable
    by_first = np.argsort(first)
    rank = np.empty_like(by_first)
    rank[by_first] = np.arange(len(by_first))
    return first[by_first], rank[kind]


def draw(known: Knowledge, n: int, *, seed: int, limit: int, evidence: Evidence | None = None) -> Worlds:
    """Draw worlds; see `Knowledge.sample`."""
    start = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    if known.count() <= limit:
        found = every(known)
        order = np.random.default_rng(seed).permutation(len(found))
        found = replace(found, owners=found.owners[order])
    else:
        owners = np.empty((n, len(known.cards)), np.int8)
        for at in range(0, n, _BLOCK):
            draw_worlds(known.counted.graph, start, at, owners[at : at + _BLOCK])
        found = Worlds(known, owners, False)
    return found if evidence is None else replace(found, weights=evidence.weigh(found))


def every(known: Knowledge) -> Worlds:
    """All worlds, in a fixed order."""
    counted = known.counted
    owners = np.empty((counted.total, len(known.cards)), np.int8)
    ways = binomials(len(known.cards) + 1)
    for at in range(0, len(owners), _BLOCK):
        list_all(counted.graph, ways, at, owners[at : at + _BLOCK])
    return Worlds(known, owners, True)
