"""What one seat can guarantee itself: its best play against others who see all cards.

The seat knows its own hand and what has been played, and may mix its play; the others know the whole world, know how
it mixes, and act as one. The value is the greatest chance, over the worlds of its knowledge, that it reaches a
threshold: one side with incomplete information, a game of two sides and zero sum. So the number is never too high,
as that of double dummy can be, where each world is played as if it were known.

The tree is made by `solver.kernels.guarantee_tree` and solved by `solver.kernels.guarantee`. Two plans come out whose
best answers prove a number from below and from above; between them lies the value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.deals.search import counting_tricks
from solver.deals.success import Progress, progress_bar
from solver.kernels import guarantee as kernel
from solver.kernels import guarantee_tree as growth
from solver.kernels.table import MAX_PLIES
from solver.model.errors import NotationError, UnsupportedError
from solver.model.layout import layout_of
from solver.model.shown import Shown
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

__all__ = ["LIMIT", "Guarantee", "guaranteed"]

#: Places in the tree, one a history and world, that are kept unless another number is named.
LIMIT = 4_000_000

#: Places that have numbers of 32 bits.
MOST_PLACES = 2**31 - 1

#: Positions looked at for each place that may be kept, before a tree counts as too large.
_VISITS = 16

#: Rounds between two looks at what is proved, at first; later an eighth of those so far.
_ROUNDS = 8

_grow: Any = growth.grow
_plant: Any = growth.plant
_prune: Any = growth.prune
_improve: Any = kernel.improve
_certify: Any = kernel.certify


@dataclass(frozen=True)
class Guarantee(Shown):
    """Answer of `guaranteed`.

    Parameters
    ----------
    low, high
        The chance lies between these: what the seat's plan found reaches against any play, and what no plan exceeds.
    need
        The threshold.
    double_dummy
        Share of the worlds in which the seat reaches it when all cards are known; never below `low`.
    n
        Number of worlds, all of them.
    iterations
        Rounds of CFR+.
    nodes
        Size of the tree that was solved: places, one a public history in one world.
    partial
        Whether an interrupt came before `high` - `low` was small enough.
    """

    low: float
    high: float
    need: int
    double_dummy: float
    n: int
    iterations: int
    nodes: int
    partial: bool = False

    def __str__(self) -> str:
        return (
            f"guaranteed {self.low:.4f} to {self.high:.4f}, double dummy {self.double_dummy:.4f} "
            f"(need {self.need}, all {self.n:,} worlds, {self.iterations} rounds on {self.nodes:,} places)"
        )


def guaranteed(
    knowledge: Knowledge,
    need: int | None = None,
    *,
    gap: float = 0.001,
    iterations: int = 2000,
    limit: int = LIMIT,
    progress: Progress = None,
) -> Guarantee:
    """Solve the game of a seat that does not know the hidden cards against others who see everything.

    Parameters
    ----------
    knowledge
        Of the seat that collects alone, at any point of the play; each of its worlds is equally likely.
    need
        What the contract needs when None. Else what the seat needs in all, in the game's points (tricks in the kit),
        with what it put away and has so far; in a misere what it may take at most.
    gap
        Stop as soon as the value is known to within so much.
    iterations
        Stop after so many rounds in any case.
    limit
        Most places in the tree.
    progress
        True for a bar, or a function of (done, total) rounds.

    Returns
    -------
    Guarantee
        Of the value that was proved when it stopped; an interrupt stops it too.

    Raises
    ------
    NotationError
        When the play has not begun, no threshold is named, or a number makes no sense.
    UnsupportedError
        When another seat collects, the rules of play differ between worlds, or the tree is too large.
    """
    for name, number, least in (("gap", gap, 0), ("iterations", iterations, 0), ("limit", limit, 1)):
        if number < least:
            raise NotationError(f"{name} is {number}: expected at least {least}")
    question = _question(knowledge, need)
    if limit > MOST_PLACES:
        raise UnsupportedError(f"limit is {limit:,}: a tree has numbers for at most {MOST_PLACES:,} places")
    tree = _tree(question, limit)
    tell = progress_bar(progress)
    done, partial, low, high = 0, False, 0.0, float(question.n)
    try:
        low, high = tree.proved(done)
        while (high - low) / question.n > gap and done < iterations:
            last = min(iterations, done + max(_ROUNDS, done // 8))
            _improve(tree.node, tree.won, tree.seat, tree.others, done + 1, last + 1)
            done = last
            less, more = tree.proved(done)
            low, high = max(low, less), min(high, more)
            if tell is not None:
                tell(done, iterations)
    except KeyboardInterrupt:
        partial = True
    n = question.n
    return Guarantee(low / n, high / n, question.need, tree.reached / n, n, done, len(tree.node), partial)


class _Question(NamedTuple):
    """The arguments of the compiled search, as far as they are public; hands and needs by world."""

    record: Any
    seat: int
    unseen: int
    public: tuple[Any, ...]
    hands: NDArray[np.uint64]
    needs: NDArray[np.int64]
    need: int

    @property
    def n(self) -> int:
        """Number of worlds."""
        return len(self.hands)


def _question(knowledge: Knowledge, need: int | None) -> _Question:
    """Check that the question is one of this kind, and turn it into numbers."""
    if knowledge.position is None:
        raise NotationError("the play has not begun: tell the contract with its plan first")
    _check_side(knowledge.sample(1, seed=0, limit=0))  # as a rule one world tells, and there may be very many
    worlds = knowledge.enumerate()
    seat = knowledge.seat
    _check_side(worlds)
    if len(worlds.groups) > 1:
        raise UnsupportedError("guaranteed: the rules of play differ between worlds, as hidden cards decide them")
    position, start = worlds.position(0), worlds.start(0)
    bank = worlds.banked + position.collected - sum(start.bonus[s] for s in start.side)
    if need is None:
        contract = worlds.contract(0)
        asked = knowledge.game.need(contract)
        if asked is None:
            raise NotationError("the contract names no target: name what the seat needs")
        if asked.measure == "tricks":
            position = replace(position, rules=counting_tricks(position.rules))
            bank, need = np.full(len(worlds), position.taken("tricks")), asked.amount
        else:
            need = asked.amount + knowledge.game.banked(contract)
    layout = layout_of(position.rules)
    hands = worlds.hands(layout)
    others = np.bitwise_or.reduce(np.delete(hands, seat, axis=1), axis=None)
    unseen = int(others) | layout.encode(worlds.cards)
    played = np.array([layout.bit[m.card] for m in position.trick], np.int64)
    barred = int(position.first_lead and not position.rules.marriage_on_first_lead)
    public = (position.leader, played, *layout.state(position), barred)
    return _Question(layout.record, seat, unseen, public, hands, (need - bank).astype(np.int64), need)


def _check_side(worlds: Worlds) -> None:
    seat = worlds.knowledge.seat
    for side in np.unique(worlds.sides).tolist():
        if side != 1 << seat:
            seats = " ".join(str(s) for s in range(worlds.knowledge.game.seats) if side >> s & 1) or "none"
            raise UnsupportedError(
                f"guaranteed is for a seat that collects alone in every world: it is seat {seat}'s knowledge, and the "
                f"collecting side may be {seats}"
            )


class _Tree(NamedTuple):
    """The game to solve.

    Parameters
    ----------
    node, won
        ``int32[slots]`` and ``int8[slots]``, see `solver.kernels.guarantee.improve`.
    seat, others
        The sides.
    reached
        Worlds that are won double dummy.
    """

    node: NDArray[np.int32]
    won: NDArray[np.int8]
    seat: kernel.Side
    others: kernel.Side
    reached: int

    def proved(self, rounds: int) -> tuple[float, float]:
        """Bounds of the expected number of worlds won."""
        if not len(self.node):
            return 0.0, 0.0
        if len(self.seat.above) == 1:  # one plan wins all that can be won
            return float(self.reached), float(self.reached)
        if not rounds:
            return 0.0, float(self.reached)
        low, high = _certify(self.node, self.won, self.seat, self.others)
        return float(low), float(high)


def _tree(question: _Question, limit: int) -> _Tree:
    """Make the tree, world by world, and prune it."""
    n = question.n
    up, move, kind = np.empty(limit, np.int32), np.empty(limit, np.int16), np.empty(limit, np.int8)
    node, parent, step = np.empty(limit, np.int32), np.empty(limit, np.int32), np.empty(limit, np.int16)
    what, child, sibling = np.empty(limit, np.int8), np.empty(limit, np.int32), np.empty(limit, np.int32)
    frames = np.zeros((MAX_PLIES, 15), np.int64)
    out = np.zeros((MAX_PLIES, MAX_PLIES), np.int64)
    top = np.iinfo(np.int64).max if question.record.misere else int(question.needs.max())
    size = slots = visits = 0
    # Neighbours in the list of worlds are alike: in mixed order, what is left to come is like what has been seen.
    order = np.random.default_rng(0).permutation(n)
    for i, world in enumerate(order.tolist()):
        end, visited = _grow(
            question.record, question.hands[world].copy(), question.seat, np.uint64(question.unseen), *question.public,
            question.needs[world], top, up, move, kind, slots, frames, out, _VISITS * limit - visits,
        )  # fmt: skip
        visits += visited
        if end < 0:
            about = max(slots, limit) * n // (i + 1)
            raise UnsupportedError(f"guaranteed: a tree of about {about:,} places is too large: at most {limit:,}")
        size = _plant(up, move, kind, node, slots, end, parent, step, what, child, sibling, size)
        slots = end
    reached = int((up[:slots] < 0).sum())
    held, sure, new = np.empty(size, np.int32), np.empty(size, np.int8), np.empty(max(size, slots), np.int32)
    size, slots = _prune(parent, what, size, up, node, slots, held, sure, new)
    parent, what, up, node = parent[:size].copy(), what[:size].copy(), up[:slots].copy(), node[:slots].copy()
    mine = (parent >= 0) & (what[parent] == growth.OWN)
    theirs = (up >= 0) & (what[node[up]] == growth.OTHERS)
    won = (what[node] == growth.WON).astype(np.int8)
    return _Tree(node, won, _side(parent, mine), _side(up, theirs), reached)


def _side(above: NDArray[np.int32], mine: NDArray[np.bool_]) -> kernel.Side:
    """A side before its first round."""
    n = len(above)
    fan = np.bincount(above[mine], minlength=n).astype(np.int32)
    regret, plan, mean, value = np.zeros((4, n))
    return kernel.Side(above, mine.astype(np.int8), fan, regret, np.ones(n), plan, mean, value)
