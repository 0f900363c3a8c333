"""Two ways to play cards against each other, deal by deal: each deal twice, with the sides changed over.

The plan, where the game has one between auction and play, is settled once for a deal, so that the two plays differ in
nothing but who plays which side.

What is measured is the mean difference of the two plays. That both are of the same deal takes the luck of the deal out
of it. `designs` says how sure it is so, and how sure it would be had the policies played different deals, with and
without the deals' double-dummy values as a control variate. A control variate helps as far as its mean is known or
falls out. The difference of two samples of deals less the same multiple of the value in both has no mean value in it;
the differences of plays of the same deals, fitted to the value, do: the fit saves nothing there, as the mean value of
all deals is as unknown as before.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, nan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.bidding.of_game import bidding_of, stakes_of
from solver.bidding.planning import decide
from solver.bidding.question import as_declarer, ask, at_play, open_plans
from solver.deals.search import Search, thread_memory
from solver.formats.record import Record, plan_text
from solver.games import Game
from solver.kernels.table import Memory
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError
from solver.model.play import Move, Position
from solver.seat.firstlead import FEW, OWN_WORLDS, Chooser, Here, cheapest, nearby
from solver.seat.seatviews import Views, seed_of
from solver.stats.rates import mean
from solver.thresholds.hand_rows import light_of
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds
from solver.worlds.views import seen_by

__all__ = ["FEWEST", "PLANS", "Played", "Policy", "designs", "play_pair", "read_policy", "target_of"]

#: How a plan is settled.
PLANS = ("chosen", "drawn")
#: Most worlds that a policy may name.
MOST = 10_000
#: Fewest deals that designs are compared over.
FEWEST = 4
#: Decisions of the kit, by the number of worlds that a seat draws; so many before they are forgotten.
_KEPT: dict[int, dict[object, tuple[int, ...]]] = {}
_MOST_KEPT = 100_000


@dataclass(frozen=True)
class Policy:
    """A way to play cards.

    Parameters
    ----------
    name
        ``"random"``, any legal card; ``"pimc"``, the best mean over worlds of the seat's own knowledge; ``"double
        dummy"``, which sees all cards; ``"blind lead"``, which chooses the first lead like pimc and then sees all.
    worlds
        That a seat draws for a decision; all are taken where there are no more than that or 70.
    """

    name: str
    worlds: int = OWN_WORLDS

    @property
    def sampled(self) -> bool:
        """Whether seats draw worlds, for which they need a bid to play for."""
        return self.name in ("pimc", "blind lead")

    def __str__(self) -> str:
        return f"{self.name} {self.worlds}" if self.sampled else self.name

    def told(self, game: Game) -> str:
        """Its name for people, which says so where a seat always takes all of its worlds (the kit of 12 cards)."""
        if self.sampled and not game.talon_size:
            others = game.seats - 1
            if factorial(others * game.hand_size) // factorial(game.hand_size) ** others <= max(FEW, self.worlds):
                return f"{self.name} (all worlds)"
        return str(self)


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
            f"{where} is {excerpt(text)}: expected 'random', 'double dummy', 'pimc', 'blind lead', or one of the last "
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
    made
        Whether the declarer's side reached its target both times; None where the contract names none of the ladder.
    """

    deal: Deal
    plan: str
    value: int
    taken: tuple[int, int]
    score: tuple[int, int] | None
    made: tuple[bool, bool] | None


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
    known = seen_by(Knowledge, Record(game, game.seats - 1, deal.hands, deal.talon, contract=agreed), agreed.declarer)
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
    made = None if agreed.target is None else (bool(game.made(ends[0], agreed)), bool(game.made(ends[1], agreed)))
    first, second = (end.collected + bank for end in ends)
    value = Search(start, memory=memory).proved(start) + start.collected + bank
    return Played(deal, plan_text(game, agreed), value, (first, second), score, made)


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
    bid = target_of(game, contract)
    full = known.hand | (known.talon or frozenset())
    stakes = stakes_of(game, plans[0], full, only=[bid])
    column = stakes.column[stakes.bids.index(bid)]
    light = light_of(game)
    _, chosen = decide(known, stakes, plans, light.rounds, Here(memory, light.limit), seed=seed, focus=[column])
    return game.check_contract(plans[int(chosen.best[column])])


def target_of(game: Game, contract: Contract) -> int:
    """What the declarer's side plays for, a bid of the game's ladder; Sheepshead's contracts always name one.

    Raises
    ------
    NotationError
        When the contract names none, or one that the ladder lacks.
    """
    if contract.target is None:
        said = f"write one, as in '{_example(game, contract)}'"
        raise NotationError(f"the contract of {game.name} names no bid to play for: {said}")
    nearby(game, contract, contract.target)
    return contract.target


def _example(game: Game, contract: Contract) -> str:
    return f"{bidding_of(game).usual_bid(contract)} by 0"


def _kept(worlds: int) -> dict[object, tuple[int, ...]]:
    """Decisions of the kit that serve all deals."""
    if len(_KEPT.get(worlds, ())) >= _MOST_KEPT:
        _KEPT[worlds] = {}
    return _KEPT.setdefault(worlds, {})


class _Table:
    """A deal with its plan."""

    def __init__(
        self, game: Game, contract: Contract, start: Position, views: Views, memory: Memory, limit: int
    ) -> None:  # fmt: skip
        self.game, self.contract, self.start, self.views = game, contract, start, views
        self.memory, self.limit = memory, limit
        self.choosers: dict[Policy, Chooser] = {}
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
        bid = target_of(self.game, self.contract)
        if policy not in self.choosers:
            # Where a search may stop early, what it found depends on the names of suits: good for this deal alone.
            kept = {} if self.limit else _kept(policy.worlds)
            self.choosers[policy] = Chooser(self.game, nearby(self.game, self.contract, bid), policy.worlds, kept)
        chooser = self.choosers[policy]
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


def designs(frame: pd.DataFrame, what: str = "taken") -> pd.DataFrame:
    """How sure the mean difference of the two plays is, and would be by other designs of the same number of plays.

    Parameters
    ----------
    frame
        Rows of deals, at least `FEWEST`, with ``{what}_first``, ``{what}_second`` and `value`.
    what
        ``"taken"`` or ``"score"``.

    Returns
    -------
    DataFrame
        A row a design: `design`; for the one that was played, which is duplicate, the difference `ahead` with its 95 %
        interval `low` to `high` (unknown where all deals have the same difference) and standard `error`; `variance` of
        the difference of one play of each policy; `saves`, the plain variance over it: how many times as many plays the
        plain design takes for the same error.

    Notes
    -----
    With a and b the results of the two policies and v the value of a deal:

    * plain: different deals for the two policies, ``var a + var b``;
    * control: different deals, each result less ``beta v``, with one beta for both policies, so that the mean of v
      falls out of the difference: ``var(a - beta v) + var(b - beta v)``. That is
      ``(var(a + b - 2 beta v) + var(a - b)) / 2`` and least where 2 beta is the slope of a + b on v. The unbiased
      estimate of that is given; to fit beta in n deals a policy costs a factor of about ``1 + 1 / (2 n)`` more;
    * duplicate: the same deals for both, ``var(a - b)``.
    """
    a, b, v = (frame[name].to_numpy(float) for name in (f"{what}_first", f"{what}_second", "value"))
    apart = float((a - b).var(ddof=1))
    variances = {
        "plain": float(a.var(ddof=1) + b.var(ddof=1)), "control": (_unexplained(a + b, v) + apart) / 2,
        "duplicate": apart,
    }  # fmt: skip
    played = mean(a - b)
    rows = []
    for name, variance in variances.items():
        here, open_ = name == "duplicate", name != "duplicate" or not apart
        rows.append({
            "design": name, "ahead": played.value if here else nan, "low": nan if open_ else played.low,
            "high": nan if open_ else played.high, "error": nan if open_ else sqrt(apart / len(a)),
            "variance": variance, "saves": variances["plain"] / variance if variance else nan,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _unexplained(x: NDArray[np.float64], v: NDArray[np.float64]) -> float:
    """Unbiased variance of what a straight line through `v` leaves of `x`."""
    x, v = x - x.mean(), v - v.mean()
    spread = float(v @ v)
    if not spread:
        return float(x @ x) / (len(x) - 1)
    left = x - float(v @ x) / spread * v
    return float(left @ left) / (len(x) - 2)
