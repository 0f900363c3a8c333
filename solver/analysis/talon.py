"""Thousand: how high to bid before the talon is seen, and what the hand is worth after it.

Before the talon there are three layers. A talon of three is drawn; the declarer, who then sees ten cards, chooses one
of 90 passes; only then comes the world, the 14 cards that stay hidden. The pass is chosen without sight of the world,
so its quality is a mean over worlds, and the best of 90 means is taken, never the mean of 90 best.

* Sequential halving: all passes on a few worlds, the better ones on more, the best on the rest; all on the same worlds.
* Each bid finds its own best pass among the survivors, for the pass best for 100 need not be best for 140.
* Two-fold cross-fitting: the pass chosen on one half of the last worlds is read on the other half, and the other way
  round, or the winner's luck would count as skill. Worlds of the earlier rounds help to choose and are never read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.curves import (
    ALL,
    Question,
    curve,
    deal_worlds,
    in_bids,
    in_bids_text,
    interval_note,
    limit_note,
    reached,
)
from solver.analysis.estimate import Estimate, Rate, clustered, falling
from solver.analysis.success import Runner, task
from solver.games.thousand import Thousand
from solver.model.cards import Card
from solver.model.deal import Deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Position
from solver.worlds import sampler

__all__ = ["after", "before", "best_of", "cross_fit"]

#: Talons drawn by default.
TALONS = 24
#: Rounds before the last: how many passes go in, on how many worlds each.
ROUNDS = ((90, 3), (20, 5))
#: Passes in the last round, and worlds that it takes by default.
FINALISTS = 6
WORLDS = 16
#: Talons worked on at once; an interrupt loses no more than these.
TOGETHER = 4


def best_of(scores: NDArray[np.float64], keep: int) -> NDArray[np.int64]:
    """Indices of the best scores, the earlier one first among equals."""
    return np.argsort(-scores, kind="stable")[:keep]


def cross_fit(
    low: NDArray[np.bool_], high: NDArray[np.bool_], extra: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
    """Choose a plan on one half of the worlds and read it on the other, for each threshold by itself.

    Parameters
    ----------
    low, high
        ``[plans, worlds, thresholds]``: whether a threshold is surely and possibly reached.
    extra
        ``[plans, more worlds, thresholds]``: worlds that help every choice and are not read.

    Returns
    -------
    low, high : [worlds, thresholds]
        What the plan chosen on the other half does in each world.
    picked : [2, thresholds]
        Plans chosen for the even and for the odd worlds. Among plans equal at a threshold the one that reaches more
        thresholds in the mean is taken, then the first.
    """
    middle = (low.astype(np.float64) + high) / 2
    worlds, thresholds = low.shape[1:]
    every = np.arange(thresholds)
    out_low, out_high = np.zeros((worlds, thresholds), np.bool_), np.zeros((worlds, thresholds), np.bool_)
    picked = np.zeros((2, thresholds), np.int64)
    for half in (0, 1):
        seen = middle[:, np.arange(worlds) % 2 != half]
        if extra is not None:
            seen = np.concatenate([seen, extra], axis=1)
        means = seen.mean(axis=1) if seen.shape[1] else np.zeros((len(low), thresholds))
        picked[half] = np.argmax(means + 1e-9 * means.mean(axis=1, keepdims=True), axis=0)
        for world in range(half, worlds, 2):
            out_low[world] = low[picked[half], world, every]
            out_high[world] = high[picked[half], world, every]
    return out_low, out_high, picked


class _Talon:
    """One talon's search for the best pass."""

    def __init__(self, asked: Question, ten: Sequence[Card], worlds: NDArray[np.uint64], position: Position) -> None:
        layout = layout_of(position.rules)
        self.seat, self.others = asked.seat, asked.others
        self.worlds = worlds  # hands of the two others without the card passed
        ten_bits = layout.encode(ten)
        pairs = list(permutations([layout.encode([c]) for c in ten], 2))
        self.given = np.array(pairs, np.uint64)  # card to the left, card to the right
        self.kept = np.array([ten_bits - a - b for a, b in pairs], np.uint64)
        self.alive = np.arange(len(pairs))
        self.seen: list[NDArray[np.float64]] = []  # answers of the rounds so far, for the passes alive

    def hands(self, start: int, stop: int) -> NDArray[np.uint64]:
        """Hands of every pass still alive in some of the worlds, pass by pass."""
        part = self.worlds[start:stop]
        out = np.empty((len(self.alive), len(part), 3), np.uint64)
        out[:, :, self.seat] = self.kept[self.alive, None]
        for i, seat in enumerate(self.others):
            out[:, :, seat] = part[None, :, seat] | self.given[self.alive, None, i]
        return out.reshape(-1, 3)

    def keep(self, answers: NDArray[np.float64], count: int) -> None:
        """Let the best passes live on, by the mean number of thresholds reached so far."""
        self.seen.append(answers)
        score = np.concatenate(self.seen, axis=1).mean(axis=(1, 2))
        best = best_of(score, count)
        self.alive = self.alive[best]
        self.seen = [a[best] for a in self.seen]


def _pass_round(
    runner: Runner, group: Sequence[_Talon], position: Position, needs: Sequence[int], start: int, stop: int
) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] | None:
    """Answers [plans, worlds, thresholds] of every talon in a group; None when interrupted."""
    hands = np.concatenate([t.hands(start, stop) for t in group])
    (answer,) = runner.run(task(position, hands, 1 << group[0].seat, needs))
    if not answer.done.all():
        return None
    shape = (len(group), -1, stop - start)
    low, high = (reached(x.reshape(shape), len(needs)) for x in (answer.low, answer.high))
    return list(zip(low, high, strict=True))


def _bids(one: Thousand, hand: frozenset[Card]) -> list[int]:
    """Bids to show before the talon: those allowed, and a little above what the own marriages give."""
    cap = 0 if one.options.bid_cap == "none" else one.cap(hand)
    return one.bids(max(120 + one.bonus_in(hand), cap) + 20)


def _needs(one: Thousand, bids: Sequence[int]) -> list[int]:
    """Thresholds of both readings of the contract, rounded and exact."""
    return sorted({need for b in bids for need in (one.raw_need(b), _other_need(one, b))})


def _other_need(one: Thousand, bid: int) -> int:
    """Raw points that make a bid by the check that is not in force."""
    return bid if one.options.round_before_check else one.rounded_need(bid)


def _rows(one: Thousand, bids: Sequence[int], rates: dict[int, Rate], n: int, cap: int | None) -> list[dict[str, Any]]:
    other = "p_exact" if one.options.round_before_check else "p_rounded"
    rows = []
    for b in bids:
        found = rates[one.raw_need(b)]
        row: dict[str, Any] = {"bid": b, **found._asdict(), "n": n}
        row[other] = rates[_other_need(one, b)].p
        row["expected_score"] = b * in_bids(found.p, one.stakes)
        if cap is not None:
            row["legal"] = b <= cap
        rows.append(row)
    return rows


def _reading(one: Thousand) -> list[str]:
    """Say which check of the contract p answers, and what an option leaves out of the score."""
    o = one.options
    notes = [
        f"p: the {'rounded' if o.round_before_check else 'exact'} check of the contract (120 needs "
        f"{one.rounded_need(120)} raw points rounded, 120 exact); expected_score = {in_bids_text(one.stakes)}"
    ]
    if o.score_actual:
        notes.append(
            "a made contract scores its points here, which may be more than the bid that expected_score counts"
        )
    if o.redeal_four_nines or o.redeal_three_nines or o.redeal_weak_hand or o.redeal_bad_talon:
        notes.append("deals that would be dealt again are not left out of the worlds")
    return notes


def _summary(asked: Question, rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    legal = [r for r in rows if r.get("legal", True)]
    best = max(legal, key=lambda r: r["expected_score"])
    out = {"best_bid": best["bid"], "best_score": best["expected_score"]}
    made = [r["p"] for r in rows if r["bid"] == asked.contract.target]
    return {**out, "p_make": made[0]} if made else out


def before(asked: Question, one: Thousand) -> Estimate:
    """Success curve of seven cards before the talon; where there is no talon, of the hand as dealt."""
    if not one.talon_size:
        return after(asked, one)
    if one.seats != 3:
        raise UnsupportedError(
            f"thousand with table={one.options.table}: bids are estimated for three seats and in pairs"
        )
    if asked.contract.passes:
        raise NotationError("a hand of 7 cards is before the talon, so nothing is passed yet: leave the passes out")
    unseen = [c for c in one.deck.cards if c not in asked.hand]
    every = list(combinations(unseen, one.talon_size))
    count = min(
        len(every), TALONS if asked.talons is None else len(every) if asked.talons == ALL else int(asked.talons)
    )
    last = WORLDS if asked.worlds is None else 0 if asked.worlds == ALL else int(asked.worlds)
    if last < 2:
        raise UnsupportedError("before the talon worlds are drawn for every talon: name a number of at least 2")
    early = sum(w for _, w in ROUNDS)
    rng = np.random.default_rng(asked.seed)
    talons = [every[i] for i in sorted(rng.choice(len(every), count, replace=False))]
    talons = [talons[i] for i in rng.permutation(count)]  # any first part of them is a fair sample
    cap, bids = one.cap(asked.hand), _bids(one, asked.hand)
    needs = _needs(one, bids)

    position: Position | None = None
    cases: list[_Talon] = []
    for talon in talons:
        hidden = [c for c in unseen if c not in talon]
        owners = sampler.uniform(hidden, [7, 7], early + last, rng)
        ten = one.deck.sort([*asked.hand, *talon])
        if position is None:
            position = _template(asked, one, ten, hidden)
        worlds = sampler.hands(owners, hidden, layout_of(position.rules), asked.others, {})
        cases.append(_Talon(asked, ten, worlds, position))
    assert position is not None

    each = sum(p * w for p, w in ROUNDS) + FINALISTS * last
    read: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = []
    with asked.runner(total=each * count) as runner:
        for at in range(0, count, TOGETHER):
            found = _group(runner, cases[at : at + TOGETHER], position, needs, last)
            if found is None:
                break
            read += found
    partial, n = runner.interrupted, len(read) * last
    low, high = (np.array([r[i] for r in read], np.bool_).reshape(len(read), last, len(needs)) for i in (0, 1))
    raw = [clustered(low[:, :, i], high[:, :, i], population=len(every)) for i in range(len(needs))]
    rates = dict(zip(needs, falling(raw), strict=True))
    rows = _rows(one, bids, rates, n, cap)
    lucky = sum(one.bonus_in(asked.hand | set(t)) > one.bonus_in(asked.hand) for t in every)
    undecided = int((low != high).any(axis=2).sum())
    notes = (
        f"{len(read)} of {len(every)} talons, {last} worlds each read (drawn uniformly); low to high: 95 % interval, "
        "the talon as the unit",
        *([f"{undecided} worlds undecided at {asked.limit:,} nodes count from 0 to 1"] if undecided else []),
        f"pass: for each talon and bid one choice for all worlds, by halving {' - '.join(str(p) for p, _ in ROUNDS)} - "
        f"{FINALISTS}, two-fold cross-fitted",
        *_reading(one),
        f"the talon completes a marriage in {lucky} of {len(every)} ({lucky / len(every):.3f}); "
        f"highest bid allowed before the talon {cap}",
    )
    words = f"seat {asked.seat} makes its bid, before the talon, the best pass for each talon and bid"
    method = f"uniform worlds, {'all' if len(read) == len(every) else len(read)} talons"
    summary = {**_summary(asked, rows), "talons": len(read), "searches": runner.searches}
    return asked.answer(words, method, n, rows, summary=summary, notes=notes, partial=partial)


def _template(asked: Question, one: Thousand, ten: Sequence[Card], hidden: Sequence[Card]) -> Position:
    """Start of play in some deal that the talon allows: the rules, the leader, no trumps."""
    hands = {asked.seat: frozenset(ten[2:])}
    for i, seat in enumerate(asked.others):
        hands[seat] = frozenset((*hidden[7 * i : 7 * i + 7], ten[i]))
    return one.start(Deal(one, tuple(hands[s] for s in range(3))), asked.contract)


def _group(
    runner: Runner, group: Sequence[_Talon], position: Position, needs: Sequence[int], last: int
) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] | None:
    """All rounds for a few talons: what the chosen passes do in the worlds of the last round."""
    start = 0
    kept = [*(p for p, _ in ROUNDS[1:]), FINALISTS]
    for (_, worlds), keep in zip(ROUNDS, kept, strict=True):
        found = _pass_round(runner, group, position, needs, start, start + worlds)
        if found is None:
            return None
        start += worlds
        for one, (low, high) in zip(group, found, strict=True):
            one.keep((low.astype(np.float64) + high) / 2, keep)
    found = _pass_round(runner, group, position, needs, start, start + last)
    if found is None:
        return None
    out = []
    for one, (low, high) in zip(group, found, strict=True):
        chosen_low, chosen_high, _ = cross_fit(low, high, np.concatenate(one.seen, axis=1))
        out.append((chosen_low, chosen_high))
    return out


def after(asked: Question, one: Thousand) -> Estimate:
    """Success curve of a hand as it is played: eight cards, ten and a pass, or six in pairs."""
    contract = asked.contract
    passes = dict(contract.passes)
    played = one.sizes[-1][0]
    ten = len(asked.hand) > played
    if one.seats == 2:
        raise UnsupportedError(
            f"thousand with table={one.options.table}: bids are estimated for three seats and in pairs"
        )
    if ten and not passes:
        left, right = asked.others
        raise NotationError(f"a hand of 10 cards: say what is passed, as in 'pass 9C to {left}, 9D to {right}'")
    for seat, card in passes.items():
        if (card in asked.hand) != ten:
            what = "does not hold it" if ten else "still holds it in the hand of 8"
            raise NotationError(f"seat {asked.seat} passes {card} to {seat} but {what}")
    kept = asked.hand - set(passes.values())
    known = {asked.seat: kept, **{seat: frozenset({card}) for seat, card in passes.items()}}
    bare = replace(asked, contract=replace(contract, passes=()))
    worlds = deal_worlds(bare, known, frozenset())
    cap = None if one.talon_size else one.cap(kept)
    top = 120 + one.bonus_in(kept) + one.options.last_trick_bonus
    bids = _bids(one, kept) if cap is not None else one.bids(max(top, 120))
    needs = _needs(one, bids)
    with asked.runner() as runner:
        (answer,) = runner.run(task(worlds.position, worlds.hands, worlds.sides, needs))
    partial = runner.interrupted
    rates, n = curve(worlds, answer, needs, partial)
    rows = _rows(one, bids, rates, n, cap)
    cards = "cards passed are known" if passes else "no pass named: the unseen cards lie anywhere with the others"
    notes = (
        interval_note(worlds, partial),
        *limit_note([answer], asked.limit),
        *([cards] if one.talon_size else ["the partner sees all cards as well; its marriages count"]),
        *_reading(one),
    )
    words = f"seat {asked.seat} makes its bid with these {played} cards"
    method, summary = worlds.method(partial), _summary(asked, rows)
    return asked.answer(words, method, n, rows, summary=summary, notes=notes, partial=partial)
