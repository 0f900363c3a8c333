"""What models of passing share: the answer, worlds before the talon, who is left in an auction, work on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.deals.interrupt import stopping
from solver.deals.success import Levels, Runner, kept_apart, task
from solver.games.auction import Auction, BidAuction
from solver.kernels.table import Memory
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.worlds.calls import auction_of
from solver.worlds.knowledge import Knowledge

__all__ = ["Passed", "Scored", "auction_now", "before_talon", "in_turns", "next_amount", "others_in", "reach", "scored"]

_T = TypeVar("_T")


class Passed(NamedTuple):
    """What passing brings, world by world.

    Parameters
    ----------
    low, high
        ``[n, bids]``, own score of the knowing seat in each world if it passes when it could have bid so much, in the
        game's score of one deal; the least and the most, which differ where a search met its node limit.
    all
        ``[n, bids, seats]``, scores of all seats, halfway between the least and the most.
    declarer
        ``int64[n]``, who plays in each world; None where the model does not say.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    all: NDArray[np.float64]
    declarer: NDArray[np.int64] | None = None


class Scored(NamedTuple):
    """Least and most score of every seat in one world, ``[bids, seats]``."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Jobs(Generic[_T]):
    """Worlds that each need work of their own, for a `Runner`."""

    ask: Callable[[int, Memory, int], _T]
    cards: int
    found: list[_T | None] = field(repr=False)

    def __len__(self) -> int:
        return len(self.found)

    def answer(self, done: NDArray[np.bool_]) -> Levels:
        return kept_apart(done)

    def search(self, part: slice, answer: Levels, memory: Memory, limit: int) -> None:
        if part.start == part.stop and self.found:  # before threads start: loads what is compiled, with no search
            self.ask(0, memory, 1)
        for i in range(part.start, part.stop):
            if stopping(memory):
                return
            self.found[i] = self.ask(i, memory, limit)


def scored(
    runner: Runner,
    knowledge: Knowledge,
    n: int,
    bids: int,
    ask: Callable[[int, Memory, int], Scored],
    who: NDArray[np.int64] | None = None,
) -> Passed:
    """Score worlds on the runner's threads; those that an interrupt left out have no row.

    Parameters
    ----------
    runner
        Worker threads.
    knowledge
        Of the seat that passes.
    n, bids
        Worlds, and bids asked about.
    ask
        Scores a world, with a thread's memory and the node limit.
    who
        The declarer of each world.
    """
    jobs: _Jobs[Scored] = _Jobs(ask, len(knowledge.game.deck), [None] * n)
    runner.total += n * bool(runner.total)
    (answer,) = runner.run(jobs)
    done = [i for i, one in enumerate(jobs.found) if answer.done[i] and one is not None]
    rows = [one for i in done if (one := jobs.found[i]) is not None]
    shape = len(rows), bids, knowledge.game.seats
    low, high = (np.array([one[k] for one in rows], np.float64).reshape(shape) for k in (0, 1))
    players = None if who is None else who[done]
    return Passed(low[:, :, knowledge.seat], high[:, :, knowledge.seat], (low + high) / 2, players)


def reach(position: Position, needs: Sequence[int], memory: Memory, limit: int, *, tricks: bool = False) -> Levels:
    """How many of the rising thresholds the side of one position reaches, which is at the start of a trick."""
    layout = layout_of(position.rules)
    hands = np.array([[layout.encode(hand) for hand in position.hands]], np.uint64)
    side = sum(1 << seat for seat in position.side)
    one = task(position, hands, side, needs, measure="tricks" if tricks else "points")
    answer = one.answer(np.ones(1, np.bool_))
    one.search(slice(0, 1), answer, memory, limit)
    return answer


# ---------------------------------------------------------------------- worlds and auction


def before_talon(knowledge: Knowledge, n: int, seed: int) -> list[Deal]:
    """Deals that the seat considers possible while it may still bid.

    Raises
    ------
    UnsupportedError
        When a contract is agreed, so that nothing is left to bid.
    """
    if knowledge.situation.stage != "deal" or knowledge.talon is not None:
        raise UnsupportedError(
            f"seat {knowledge.seat} knows the contract or the {knowledge.game.talon_label}: passing is judged during "
            "the auction, before either is known"
        )
    worlds = knowledge.sample(n, seed=seed)
    return [worlds.deal(i) for i in range(len(worlds))]


def auction_now(knowledge: Knowledge) -> Auction:
    """The auction as the seat has heard it."""
    return auction_of(knowledge) or knowledge.game.auction(dealer=knowledge.dealer)


def others_in(knowledge: Knowledge) -> tuple[list[int], tuple[int, int] | None]:
    """Other seats that have not passed, clockwise from the seat's left, and the standing bid of one of them.

    Raises
    ------
    UnsupportedError
        When the seat has passed, or is the only one left, so that there is nothing to pass.
    """
    auction, me, seats = auction_now(knowledge), knowledge.seat, knowledge.game.seats
    assert isinstance(auction, BidAuction)
    if me not in auction.active:
        raise UnsupportedError(f"seat {me} has passed, and a pass is final: it has no bid to compare with")
    others = [s for s in ((me + i) % seats for i in range(1, seats)) if s in auction.active]
    standing = auction.standing
    if auction.turn is None or not others:
        raise UnsupportedError(f"seat {me} is the last in the auction, {auction}: there is nobody to leave it to")
    return others, None if standing is None or standing[0] == me else standing


def in_turns(seats: Sequence[int], n: int, seed: int) -> NDArray[np.int64]:
    """Draw a seat for each of n worlds, all equally often in every full round; more worlds begin with the same ones."""
    rng = np.random.default_rng([seed, len(seats)])
    rounds = [rng.permutation(seats) for _ in range(-(-n // len(seats)))]
    return np.concatenate(rounds)[:n].astype(np.int64)


def next_amount(
    amounts: Sequence[int], declined: int | None, standing: tuple[int, int] | None, others: Sequence[int]
) -> int:
    """What another seat plays at when an amount is declined.

    The lowest above the one declined and above the standing bid; the standing bid itself where nobody else is left to
    raise it; the first amount when none was declined, the last when there is none above.
    """
    if standing is not None and list(others) == [standing[0]]:
        return standing[1]
    least = max(-1 if declined is None else declined, -1 if standing is None else standing[1])
    return next((a for a in amounts if a > least), amounts[-1])
