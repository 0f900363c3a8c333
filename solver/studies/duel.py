"""Two ways to play cards against each other, deal by deal: each deal twice, with the sides changed over.

The plan, where the game has one between auction and play, is settled once for a deal, so that the two plays differ in
nothing but who plays which side.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.analysis.asking import as_declarer, ask, at_play, open_plans
from solver.analysis.doubledummy import Search, thread_memory
from solver.analysis.firstlead import OWN_WORLDS, Chooser, Here, cheapest, nearby
from solver.analysis.planning import decide
from solver.analysis.seatviews import Views, seed_of
from solver.analysis.stakes import stakes_of
from solver.analysis.study import LIGHT
from solver.formats.record import Record, plan_text
from solver.games import Game
from solver.kernels.table import Memory
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError
from solver.model.play import Move, Position
from solver.worlds.sample import Worlds
from solver.worlds.views import seen_by

__all__ = ["PLANS", "Played", "Policy", "play_pair", "read_policy"]

#: How a plan is settled.
PLANS = ("chosen", "drawn")
#: Most worlds that a policy may name.
MOST = 10_000


@dataclass(frozen=True)
class Policy:
    """A way to play cards.

    Parameters
    ----------
    name
        ``"random"``, any legal card; ``"pimc"``, the best mean over worlds of the seat's own knowledge; ``"double
        dummy"``, which sees all cards; ``"blind lead"``, which chooses the first lead like pimc and then sees all.
    worlds
        That a seat draws for a decision; all are taken where there are no more than 70, as always in the kit.
    """

    name: str
    worlds: int = OWN_WORLDS

    @property
    def sampled(self) -> bool:
        """Whether seats draw worlds, for which they need a bid to play for."""
        return self.name in ("pimc", "blind lead")

    def __str__(self) -> str:
        return f"{self.name} {self.worlds}" if self.sampled else self.name


def read_policy(text: str, where: str) -> Policy:
    """Read a policy, ``"pimc"`` or ``"pimc 20"``.

    Raises
    ------
    NotationError
        Naming the key and what is expected.
    """
    found = re.fullmatch(r"(random|double dummy|(pimc|blind lead)(?: (\d{1,9}))?)", text.strip())
    worlds = 0 if found is None else int(found[3]) if found[3] else OWN_WORLDS
    if found is None or not 1 <= worlds <= MOST:
        raise NotationError(
            f"{where} is {text[:40]!r}: expected 'random', 'double dummy', 'pimc', 'blind lead', or one of the last "
            f"two with worlds from 1 to {MOST:,}, as in 'pimc 20'"
        )
    return Policy(found[2] or found[1], worlds)


class Played(NamedTuple):
    """A deal played twice.

    Parameters
    ----------
    deal, plan
        What was played.
    value
        Double dummy, what the declarer's side takes in all.
    taken
        What it took when the first policy played it, and when the second did.
    score
        The declarer's score both times; None where the contract has none.
    """

    deal: Deal
    plan: str
    value: int
    taken: tuple[int, int]
    score: tuple[int, int] | None


def play_pair(
    game: Game, contract: Contract, policies: tuple[Policy, Policy], number: int, *, seed: int, plan: str = "chosen",
    limit: int = 0,
) -> Played:  # fmt: skip
    """Deal, settle the plan, and play twice.

    Parameters
    ----------
    game, contract
        What is played; the declarer's seat is named, the plan is not.
    policies
        The first one plays the declarer's side in the first play and the other side in the second.
    number, seed
        Of the deal and of the study; together they settle everything.
    plan
        One of `PLANS`: the best on what the declarer knows, by a light search, or any legal one.
    limit
        Nodes for one card in one of a seat's worlds, 0 for none.
    """
    deal = game.deal(seed=seed_of(seed, number))
    memory = thread_memory(len(game.deck))
    agreed = _plan(deal, contract, plan, seed_of(seed, number, 1), memory)
    start = game.start(deal, agreed)
    known = seen_by(Record(game, game.seats - 1, deal.hands, deal.talon, contract=agreed), agreed.declarer)
    owners = [next(s for s, hand in enumerate(start.hands) if card in hand) for card in known.situation.unseen]
    views = Views(Worlds(known, np.array([owners], np.int8), False), seed_of(seed, number, 2))
    table = _Table(game, agreed, start, views, memory, limit)
    ends = [table.play(pair, seed_of(seed, number, 3 + i)) for i, pair in enumerate((policies, policies[::-1]))]
    bank, declarer = game.banked(agreed), game.require_declarer(agreed)
    try:
        first, second = (int(game.settle(end, agreed).scores[declarer]) for end in ends)
        score = first, second
    except TrickwiseError:  # no bid is named, so nothing is settled
        score = None
    first, second = (end.collected + bank for end in ends)
    value = Search(start, memory=memory).proved(start) + start.collected + bank
    return Played(deal, plan_text(game, agreed), value, (first, second), score)


def _plan(deal: Deal, contract: Contract, how: str, seed: int, memory: Memory) -> Contract:
    """The contract with a plan."""
    game, declarer = deal.game, deal.game.require_declarer(contract)
    known = ask(game, deal.hands[declarer] | deal.talon, contract)
    if at_play(known):
        return contract
    agreed = as_declarer(known)
    plans = list(open_plans(known, agreed))
    if how == "drawn":
        return game.check_contract(random.Random(seed).choice(plans))
    bid = default_bid_of(game, contract)
    full = known.hand | (known.talon or frozenset())
    stakes = stakes_of(game, plans[0], full, only=[bid])
    column = stakes.column[stakes.bids.index(bid)]
    light = LIGHT[game.name]
    _, chosen = decide(known, stakes, plans, light.rounds, Here(memory, light.limit), seed=seed, focus=[column])
    return game.check_contract(plans[int(chosen.best[column])])


def default_bid_of(game: Game, contract: Contract) -> int:
    """What the declarer's side plays for: the target, or 61 in Sheepshead.

    Raises
    ------
    NotationError
        When the contract names none.
    """
    if contract.target is not None:
        return contract.target
    if game.name == "sheepshead":
        return 61
    raise NotationError(f"the contract of {game.name} names no bid to play for: write one, as in '{_example(game)}'")


def _example(game: Game) -> str:
    return {"kit": "2 by 0", "thousand": "120 by 0"}.get(game.name, "180 by 0")


class _Table:
    """A deal with its plan."""

    def __init__(
        self, game: Game, contract: Contract, start: Position, views: Views, memory: Memory, limit: int
    ) -> None:  # fmt: skip
        self.game, self.contract, self.start, self.views = game, contract, start, views
        self.memory, self.limit = memory, limit
        self.search = Search(start, memory=memory)

    def play(self, policies: Sequence[Policy], seed: int) -> Position:
        """Play the deal out; the first policy has the collecting side."""
        position, moves, rng = self.start, list[Move](), random.Random(seed)
        while not position.over:
            legal = position.legal()
            policy = policies[position.turn not in position.side]
            if len(legal) == 1:
                move = legal[0]
            elif policy.name == "random":
                move = rng.choice(legal)
            elif policy.name == "pimc" or (policy.name == "blind lead" and not moves):
                move = self._sampled(policy, position, moves, seed_of(seed, len(moves)))
            else:
                move = self._seeing(position, legal)
            position = position.play(move)
            moves.append(move)
        return position

    def _sampled(self, policy: Policy, position: Position, moves: Sequence[Move], seed: int) -> Move:
        """The card with the best mean over worlds of the seat on turn."""
        bid = default_bid_of(self.game, self.contract)
        chooser = Chooser(self.game, nearby(self.game, self.contract, bid), policy.worlds)
        best, _ = chooser.pick(self.views, 0, self.start, position, moves, self.memory, seed=seed, limit=self.limit)
        return best[chooser.bids.index(bid)]

    def _seeing(self, position: Position, legal: Sequence[Move]) -> Move:
        """A card that keeps the value, the cheapest of those."""
        collects = (position.turn in position.side) != position.rules.misere
        value = self.search.proved(position)
        *others, last = cheapest(position, legal)
        for k in others:
            after = position.play(legal[k])
            need = value - (after.collected - position.collected)
            if after.over:
                kept = need <= 0 if collects else need >= 0
            else:
                kept = bool(self.search.reaches(after, need if collects else need + 1)) == collects
            if kept:
                return legal[k]
        return legal[last]  # when no other keeps it, this one does
