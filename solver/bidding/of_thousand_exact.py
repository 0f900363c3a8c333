"""The best pass of a Thousand hand for each bid, over all worlds: counts, with nothing sampled and nothing estimated.

For one talon there are 90 passes in 3,432 worlds. Many of these 308,880 searches need not be made: a pass that fails in
so many worlds that all others together cannot bring it above a pass already counted is no longer asked about that bid,
and not at all when no bid is left. So that this comes early, the passes that look best are counted first, and others
are asked first where those fail. Of passes that make a bid equally often the one counted first is named: of those that
look alike the one that `solver.seat.ties` prefers.

48 of the passes leave the declarer with eight cards that other talons leave, too: one or two of the talon with seven or
six of the hand. What was proved of such eight cards is kept for the next talon; of all searches of 680 talons 47 % are
those of an earlier one. No count depends on it.

Talons that differ in nothing but the names of suits are one talon. Suits are alike when the hand holds the same ranks
in them; but marriages have different values, so two suits may only change places where the ten cards hold king and
queen of neither. The bonus of a marriage of the others is no matter: the declarer's points alone are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.bidding.of_game import Counts, Talon
from solver.bidding.question import as_declarer, open_plans
from solver.deals.plan_matrix import Field, open_field
from solver.deals.search import thread_memory
from solver.deals.success import task
from solver.games.thousand import Thousand
from solver.games.thousand_tables import POINTS
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.layout import layout_of
from solver.seat.firstlead import Here
from solver.seat.plan_ties import PlanTies
from solver.worlds.knowledge import Knowledge

__all__ = ["Counts", "Talon", "best_passes", "talon_classes"]

#: Worlds in which every pass is tried before the best are counted.
PILOT = 48
#: What was proved of eight cards that several talons leave, of one hand at a time.
_KEPT: dict[object, dict[int, NDArray[np.int8]]] = {}
#: Cards that others hold; a way to split them by the cards of one seat, as bits, and their numbers.
_OTHERS = 16
_SPLITS = np.array([s for s in range(1 << _OTHERS) if s.bit_count() == _OTHERS // 2], np.int64)
_PLACE = np.full(1 << _OTHERS, -1, np.int16)
_PLACE[_SPLITS] = np.arange(len(_SPLITS))
#: Fewest and most worlds between two looks at what can be left out.
BLOCK = 32, 256


def talon_classes(game: Thousand, hand: frozenset[Card], count: int = 0, *, seed: int) -> tuple[list[Talon], list[int]]:
    """Talons in random order, those that are alike once.

    Parameters
    ----------
    game
        Of three seats.
    hand
        Seven cards.
    count
        The first so many talons of the order; 0 for all.
    seed
        Of the order.

    Returns
    -------
    talons
        Each with the number of talons that it stands for.
    order
        For each talon of the random order its place in `talons`.
    """
    unseen = [c for c in game.deck.cards if c not in hand]
    every = list(combinations(unseen, game.talon_size))
    chosen = np.random.default_rng([seed, len(every)]).permutation(len(every))[: count or None]
    places: dict[object, int] = {}
    first: list[frozenset[Card]] = []
    order = []
    for i in chosen.tolist():
        talon = frozenset(every[i])
        key = _key(game, hand, talon)
        if key not in places:
            places[key] = len(first)
            first.append(talon)
        order.append(places[key])
    weights = np.bincount(order, minlength=len(first))
    return [Talon(t, int(w)) for t, w in zip(first, weights, strict=True)], order


def _key(game: Thousand, hand: frozenset[Card], talon: frozenset[Card]) -> object:
    """What a talon is but for the names of suits that may change places."""
    key = []
    for suit in game.deck.suits:
        held, more = ("".join(c.rank for c in game.deck.sort(some) if c.suit == suit) for some in (hand, talon))
        married = game.options.marriages and {"K", "Q"} <= set(held + more)
        key.append((held, more, suit if married else ""))
    return tuple(sorted(key))


def best_passes(
    known: Knowledge, needs: Sequence[int], *, worlds: int = 0, seed: int = 0, prune: bool = True
) -> Counts:
    """Count, for each number of points, the worlds in which the best pass takes them, double dummy.

    Parameters
    ----------
    known
        Thousand, the talon seen.
    needs
        Rising points that the declarer takes from the play.
    worlds
        So many drawn ones only, which is a rehearsal: a maximum over few worlds is too high. 0 for all.
    seed
        Of the worlds drawn. Where all are taken it changes nothing.
    prune
        Leave out what cannot matter, and what is known from other talons; the counts are the same without.
    """
    agreed = as_declarer(known)
    plans = list(open_plans(known, agreed))
    total = known.count()
    taken = min(worlds, total) if worlds else total
    drawn = known.sample(taken, seed=seed if taken < total else 0, limit=total if taken == total else 0)
    one = _Passes(known, plans, open_field(drawn, plans), np.array(needs, np.int64))
    return one.count(prune)


class _Passes:
    """The passes of one talon over its worlds."""

    def __init__(self, known: Knowledge, plans: list[Contract], field: Field, needs: NDArray[np.int64]) -> None:
        assert isinstance(known.game, Thousand)
        (self.group,) = field.groups  # passes change no rule
        self.plans, self.needs, self.seat = plans, needs, field.declarer
        self.ranks = PlanTies(field).ranks
        self.left = known.game.opponents(self.seat)[0]
        layout = layout_of(self.group.position.rules)
        self.others = field.worlds.hands(layout)
        self.others[:, self.seat] = 0
        self.runner = Here(thread_memory(len(layout.cards)), 0)
        self.n, self.searches = len(self.others), 0
        self.hand, self.every = layout.encode(known.hand), layout.encode(known.game.deck.cards)
        study = known.game, known.hand, self.seat, needs.tobytes()
        if study not in _KEPT:
            _KEPT.clear()
        self.proved = _KEPT.setdefault(study, {})
        shape = len(plans), len(needs)
        self.made, self.failed = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        full = known.hand | (known.talon or frozenset())
        most = np.array([_most(known.game, full - {c for _, c in p.passes}) for p in plans], np.int64)
        self.alive = needs[None, :] <= most[:, None]
        self.asked = np.zeros((len(plans), self.n), np.bool_)
        self.best, self.who = np.zeros(len(needs), np.int64), np.full(len(needs), -1)
        self.easy = np.zeros((len(needs), self.n), np.int64)  # how many passes counted to the end make it, by world

    def ask(self, plan: int, index: NDArray[np.int64], share: bool) -> NDArray[np.bool_]:
        """Whether a pass reaches the rungs that still matter in some worlds, ``[rungs, worlds]``."""
        group, rungs = self.group, np.flatnonzero(self.alive[plan])
        hands = self.others[index] | group.given[plan]
        hands[:, self.seat] = group.kept[plan]
        low, high = np.zeros(len(index), np.int8), np.full(len(index), len(self.needs), np.int8)
        bounds, at = self._shared(int(group.kept[plan]), hands[:, self.left]) if share else (None, None)
        if bounds is not None:
            low, high = bounds[:, at]
        open_ = np.flatnonzero(((low <= rungs[:, None]) & (high > rungs[:, None])).any(axis=0))
        if len(open_):
            (found,) = self.runner.run(task(group.position, hands[open_], 1 << self.seat, self.needs[rungs]))
            self.searches += len(open_)
            least, most = np.append(0, rungs + 1)[found.low], np.append(rungs, len(self.needs))[found.low]
            low[open_], high[open_] = np.maximum(low[open_], least), np.minimum(high[open_], most)
            if bounds is not None:
                bounds[:, at] = low, high
        reached = low > rungs[:, None]
        self.made[plan, rungs] += reached.sum(axis=1)
        self.failed[plan, rungs] += (~reached).sum(axis=1)
        self.asked[plan, index] = True
        out = np.zeros((len(self.needs), len(index)), np.bool_)
        out[rungs] = reached
        return out

    def _shared(self, kept: int, left: NDArray[np.uint64]) -> tuple[NDArray[np.int8] | None, NDArray[np.int16] | None]:
        """Least and most rungs of eight cards over all splits of the others, and the places of some splits there.

        None where no other talon leaves these eight cards.
        """
        if (kept & ~self.hand).bit_count() > 2:
            return None, None
        if kept not in self.proved:
            fresh = np.zeros((2, len(_SPLITS)), np.int8)
            fresh[1] = len(self.needs)
            self.proved[kept] = fresh
        split, rest = np.zeros(len(left), np.int64), self.every & ~kept
        for i, bit in enumerate(b for b in range(rest.bit_length()) if rest >> b & 1):
            split |= (left >> np.uint64(bit) & np.uint64(1)).astype(np.int64) << i
        return self.proved[kept], _PLACE[split]

    def count(self, prune: bool) -> Counts:
        """Count as far as needed."""
        kept = np.zeros((len(self.plans), len(self.needs), min(PILOT, self.n)), np.bool_)
        if prune:
            for plan in range(len(self.plans)):
                if self.alive[plan].any():
                    kept[plan] = self.ask(plan, np.arange(kept.shape[2]), True)
        sums = self.made.sum(axis=1)
        shape = self.made.T.shape
        leaders = np.lexsort([np.broadcast_to(x, shape) for x in (self.ranks, -sums, -self.made.T)], axis=1)[:, 0]
        order = sorted(range(len(self.plans)), key=lambda p: (p not in leaders, -sums[p], self.ranks[p]))
        for plan in order:
            self.finish(plan, kept[plan], prune)
        chosen = tuple(self.plans[p] if p >= 0 else None for p in self.who.tolist())
        return Counts(self.best, chosen, self.n, self.searches)

    def finish(self, plan: int, before: NDArray[np.bool_], prune: bool) -> None:
        """Ask about the other worlds of a pass, until it is counted or cannot be the best for any rung."""
        reached = np.zeros((len(self.needs), self.n), np.bool_)
        seen = self.asked[plan].copy()
        if seen.any():
            reached[:, : before.shape[1]] = before
        while True:
            room = self.n - self.failed[plan] - self.best  # worlds that it may still fail in and be better
            if prune:
                self.alive[plan] &= room > 0
            rungs = self.alive[plan]
            if not rungs.any():
                return
            left = np.flatnonzero(~self.asked[plan])
            if not len(left):
                break
            size = int(np.clip(room[rungs].min(), *BLOCK)) if prune else self.n
            hard = np.argsort(self.easy[rungs][:, left].sum(axis=0), kind="stable")[:size]
            index = left[hard]
            reached[:, index] = self.ask(plan, index, prune)
        self.easy[rungs] += reached[rungs]
        better = rungs & (self.made[plan] > self.best)
        self.best[better], self.who[better] = self.made[plan][better], plan


def _most(game: Thousand, kept: frozenset[Card]) -> int:
    """No declarer takes more than all cards, the last trick and its own marriages."""
    cards = sum(POINTS[c.rank] for c in game.deck.cards)
    return cards + game.options.last_trick_bonus + game.bonus_in(kept) * game.options.marriages
