"""The legal cards of a seat, and what each is worth in many worlds, searched on one table a world.

What a card leads to is public but for the hands: who leads next, what lies on the table, which suit is trump. So it is
worked out once, with the rules of play, and only hands and sides differ between worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.deals.search import counting_tricks
from solver.deals.success import Levels, Runner
from solver.kernels.advice import card_levels, card_max_n, card_values
from solver.kernels.table import Memory
from solver.model.layout import layout_of
from solver.model.play import Move, Position
from solver.worlds.sample import Group, Worlds

__all__ = ["Bounds", "Candidates", "candidates", "classes"]

_values: Any = card_values
_levels: Any = card_levels
_max_n: Any = card_max_n


class Bounds(NamedTuple):
    """Least and most of a number, ``[worlds, cards]``, and which worlds were searched."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    done: NDArray[np.bool_]
    nodes: int


@dataclass(frozen=True)
class _Cards:
    """Some worlds with their candidate cards, for a `Runner`.

    Parameters
    ----------
    record, cards
        The kernels' `Rules`, and cards of the deck.
    hands, sides
        By world; hands with what lies on the table.
    after
        What the kernels take about the candidates: table, seat, cards, leaders, and so on.
    needs
        ``int64[worlds, cards, thresholds]``; None to ask for values.
    """

    record: Any
    cards: int
    hands: NDArray[np.uint64]
    sides: NDArray[np.int64]
    after: tuple[Any, ...]
    needs: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.hands)

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        shape = len(self), len(self.after[2])
        return Levels(np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros(len(self), np.int64), done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        table, *rest = self.after
        given = (self.record, self.hands[part], table, self.sides[part], *rest)
        out = (answer.low[part], answer.high[part], answer.nodes[part], memory, limit)
        if self.needs is None:
            _values(*given, *out)
        else:
            _levels(*given, self.needs[part], *out)


@dataclass(frozen=True)
class _Selfish:
    """As `_Cards`, each seat for itself."""

    record: Any
    cards: int
    hands: NDArray[np.uint64]
    after: tuple[Any, ...]
    out: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.hands)

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        return Levels(np.zeros(0, np.int16), np.zeros(0, np.int16), np.zeros(len(self), np.int64), done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        table, seat, cards, leaders, played, lengths, states = self.after[:7]
        _max_n(
            self.record, self.hands[part], table, seat, cards, leaders, played, lengths, states, self.out[part],
            answer.nodes[part],
        )  # fmt: skip


def classes(position: Position, moves: Sequence[Move]) -> list[int]:
    """Place of the first move that each is one move with: cards of a run that differ in nothing.

    Two cards of a suit are one move when no card between them is with others, unseen or on the table, and both are
    worth the same. Called card, under card and the cards of a marriage stand for themselves.
    """
    rules, hand, seat = position.rules, position.hands[position.turn], position.turn
    gone = _gone(position)
    named = {rules.called.card, rules.called.under} if rules.called else set()
    apart = {*named, *rules.marriage_of}
    place: dict[tuple[object, ...], int] = {}
    out: list[int] = []
    for i, move in enumerate(moves):
        cards = dict(rules.suits)[rules.suit_of[move.card]]
        at = cards.index(move.card)
        while at and (cards[at - 1] in hand or cards[at - 1] in gone):  # down to the first card of the run
            at -= 1
        alone = move.card if move.card in apart else None
        key = (seat, cards[at], rules.value_of[move.card], alone, move.declare)
        out.append(place.setdefault(key, i))
    return out


def _gone(position: Position) -> frozenset[str]:
    """Cards that are in no hand and not on the table, of a position whose hands are all known."""
    here = {card for hand in position.hands for card in hand} | {move.card for move in position.trick}
    return frozenset(card for card in position.rules.suit_of if card not in here)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Legal cards of the seat on turn, in some worlds.

    Parameters
    ----------
    worlds
        Each once.
    sides
        Collecting seats of each, as bits.
    moves
        The cards.
    same
        For each the place of the first that it is one move with; only those are searched.
    groups
        Worlds by rules, with the position before the card in one world of each.
    """

    worlds: Worlds
    sides: NDArray[np.int64]
    moves: tuple[Move, ...]
    same: tuple[int, ...]
    groups: tuple[tuple[Group, Position], ...]

    @property
    def first(self) -> list[int]:
        """Places of the moves that are searched."""
        return [k for k, at in enumerate(self.same) if at == k]

    @property
    def position(self) -> Position:
        """The position in some world; what is public of it holds in all."""
        return self.groups[0][1]

    def _after(self, position: Position, tricks: bool) -> tuple[Any, int, tuple[Any, ...]]:
        """The record, the cards of the deck, and what the kernels take about the candidates."""
        rules = counting_tricks(position.rules) if tricks else position.rules
        layout = layout_of(rules)
        ends = [position.play(self.moves[k]) for k in self.first]
        played = np.zeros((len(ends), rules.seats), np.int64)
        for row, end in zip(played, ends, strict=True):
            row[: len(end.trick)] = [layout.bit[m.card] for m in end.trick]
        table = np.zeros(rules.seats, np.uint64)
        for i, move in enumerate(position.trick):
            table[(position.leader + i) % rules.seats] = 1 << layout.bit[move.card]
        states = np.array([layout.state(end) for end in ends], np.int64)
        barred = [int(end.first_lead and not rules.marriage_on_first_lead) for end in ends]
        after = (
            table, position.turn, np.array([layout.bit[self.moves[k].card] for k in self.first], np.int64),
            np.array([end.leader for end in ends], np.int64), played,
            np.array([len(end.trick) for end in ends], np.int64), states[:, 0].copy(), states[:, 1].copy(),
            np.array(barred, np.int64),
        )  # fmt: skip
        return layout.record, len(layout.cards), after

    def taken(self, *, tricks: bool = False) -> NDArray[np.int64]:
        """What the collecting side has after each card without search, ``[worlds, cards]``: bank included."""
        bits = (self.sides[:, None] >> np.arange(self.position.rules.seats)) & 1
        out = np.zeros((len(self.worlds), len(self.moves)), np.int64)
        for group, position in self.groups:
            ends = [position.play(move) for move in self.moves]
            if tricks:
                gains = np.array([end.tricks for end in ends], np.int64)
            else:
                first = self.worlds.start(int(group.index[0])).bonus  # counted in `Worlds.banked`
                gains = np.array([np.add(end.points, end.bonus) - np.array(first) for end in ends], np.int64)
            out[group.index] = bits[group.index] @ gains.T
        return out if tricks else out + self.worlds.banked[:, None]

    def search(
        self,
        runner: Runner,
        chosen: NDArray[np.int64],
        needs: Callable[[NDArray[np.int64]], NDArray[np.int64]] | None = None,
        *,
        tricks: bool = False,
    ) -> Bounds:
        """Search what the side still takes after each card.

        Parameters
        ----------
        runner
            Worker threads.
        chosen
            Numbers of the worlds to search.
        needs
            Gives the rising thresholds ``[some worlds, searched cards, thresholds]`` of some worlds, whose number of
            reached ones is then the answer; values when None.
        tricks
            Count tricks, not points.
        """
        n, k = len(chosen), len(self.moves)
        low, high = np.zeros((n, k), np.int64), np.zeros((n, k), np.int64)
        done, nodes = np.zeros(n, np.bool_), 0
        for group, position in self.groups:
            rows = np.flatnonzero(np.isin(chosen, group.index, assume_unique=True))
            if not len(rows):
                continue
            index = chosen[rows]
            record, cards, after = self._after(position, tricks)
            hands = self.worlds.hands(layout_of(position.rules), table=True)[index]
            given = None if needs is None else np.ascontiguousarray(needs(index), np.int64)
            (found,) = runner.run(_Cards(record, cards, hands, self.sides[index], after, given))
            spread = [self.first.index(at) for at in self.same]
            low[rows], high[rows] = found.low[:, spread], found.high[:, spread]
            done[rows] = found.done
            nodes += int(found.nodes.sum())
        return Bounds(low, high, done, nodes)

    def selfish(self, runner: Runner, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_], int]:
        """What each seat takes from here on when each maximises its own, ``[worlds, cards, seats]``."""
        out = np.zeros((len(chosen), len(self.moves), self.position.rules.seats), np.int64)
        done, nodes = np.zeros(len(chosen), np.bool_), 0
        for group, position in self.groups:
            rows = np.flatnonzero(np.isin(chosen, group.index, assume_unique=True))
            if not len(rows):
                continue
            every = replace(self, same=tuple(range(len(self.moves))))  # ties depend on the order of cards
            record, cards, after = every._after(position, False)
            hands = self.worlds.hands(layout_of(position.rules), table=True)[chosen[rows]]
            some = np.zeros((len(rows), *out.shape[1:]), np.int64)
            (found,) = runner.run(_Selfish(record, cards, hands, after, some))
            out[rows], done[rows] = some, found.done
            nodes += int(found.nodes.sum())
        return out, done, nodes


def candidates(worlds: Worlds, sides: NDArray[np.int64]) -> Candidates:
    """Legal cards of the seat on turn in these worlds, each world once."""
    groups = tuple((group, worlds.position(int(group.index[0]))) for group in worlds.groups)
    position = groups[0][1]
    moves = position.legal()
    known = worlds.knowledge
    # A card that may be buried or in the talon is not gone: in other worlds it is in a hand.
    unseen = frozenset(known.situation.unseen)
    whole = tuple(h | unseen if s != position.turn else h for s, h in enumerate(position.hands))
    same = classes(replace(position, hands=whole), moves) if len(groups) == 1 else list(range(len(moves)))
    return Candidates(worlds, sides, moves, tuple(same), groups)
