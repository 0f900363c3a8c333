"""Counterfactual regret minimisation and exact best responses on a game tree with hidden deals.

The tree is a list of positions, each before those that follow it, and each in one information set of the seat in turn.
A pass down carries the chance that the others, and chance, let a position happen; a pass up adds values over the
positions that a seat cannot tell apart. One iteration updates one side after the other.

* CFR: regrets and plans added up, one weight for all (Zinkevich, Johanson, Bowling and Piccione 2007).
* CFR+: regrets cut at 0, the plan of iteration t weighs t (Tammelin 2014).
* predictive CFR+: besides, the next play is chosen as if the last regret came once more (Farina, Kroer and Sandholm
  2021), and the plan weighs t to the fourth, not squared, as early plans are the worst.

Values are exact up to the rounding of 64-bit floats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels._jit import jit

__all__ = [
    "CFR",
    "CFR_PLUS",
    "PREDICTIVE",
    "Play",
    "Tree",
    "after",
    "answer",
    "improve",
    "judge",
    "mix",
    "new_play",
    "new_tree",
    "value",
    "worst",
]

CFR, CFR_PLUS, PREDICTIVE = range(3)

#: Differences below this share of a value are rounding.
_ROUNDING = 1e-12

#: Power of the iteration with which its plan weighs, by rule.
_WEIGHT = (0.0, 1.0, 4.0)


class Tree(NamedTuple):
    """A game of some sides with information sets.

    Parameters
    ----------
    first : int32[n + 1]
        First move of each position; a position has at least two.
    child : int32[moves]
        Position after each move, a greater number; -1 - o for the end with outcome o.
    action : int32[n]
        First action of the position's information set, whose moves are its actions in order.
    side : int8[n]
        Who is in turn.
    layer : int32[layers + 1]
        First position of each layer: no position lies in the layer of another that it leads to, and all of an
        information set lie in one.
    roots : int32[deals]
        Position or outcome of each deal, as in `child`; deals are equally likely.
    base : int32[sets + 1]
        First action of each information set.
    owner : int8[sets]
        Its side.
    before : int32[sets]
        The side's own action before it, -1 for none; always a smaller number than its actions.
    member, twin : int32[m]
        Actions that have mirrors, with the lowest of each; that one itself too.
    share : float64[m]
        1 over the number of mirrors, where `member` is the lowest of them.
    pays : float64[outcomes, sides]
    """

    first: np.ndarray
    child: np.ndarray
    action: np.ndarray
    side: np.ndarray
    layer: np.ndarray
    roots: np.ndarray
    base: np.ndarray
    owner: np.ndarray
    before: np.ndarray
    member: np.ndarray
    twin: np.ndarray
    share: np.ndarray
    pays: np.ndarray


def new_tree(first, child, action, side, layer, roots, base, owner, before, member=(), twin=(), pays=((0.0,),)):
    """Make a tree of anything like arrays, with the right types."""
    member, twin = np.asarray(member, np.int32), np.asarray(twin, np.int32)
    mirrors = np.bincount(twin, minlength=member.max(initial=-1) + 1)
    return Tree(
        *(np.ascontiguousarray(x, np.int32) for x in (first, child, action)), np.ascontiguousarray(side, np.int8),
        *(np.ascontiguousarray(x, np.int32) for x in (layer, roots, base)), np.ascontiguousarray(owner, np.int8),
        np.ascontiguousarray(before, np.int32), member, twin, 1.0 / np.maximum(mirrors[member], 1),
        np.ascontiguousarray(pays, np.float64),
    )  # fmt: skip


class Play(NamedTuple):
    """How all sides play, and what they have learned; by action, one number each.

    Parameters
    ----------
    now : float64[actions]
        Chance of each action in its information set.
    regret : float64[actions]
    plan : float64[actions]
        Weighted sum, over iterations, of the side's own chances of coming to the action and taking it; the play after
        each lesson counts, so that play at random before the first is no part of it.
    rounds : int64[1]
        Iterations so far.
    """

    now: np.ndarray
    regret: np.ndarray
    plan: np.ndarray
    rounds: np.ndarray


def new_play(tree):
    """Return play at random, before the first iteration."""
    many = np.diff(tree.base)
    regret, plan = np.zeros((2, tree.base[-1]))
    return Play(np.repeat(1.0 / np.maximum(many, 1), many), regret, plan, np.zeros(1, np.int64))


@jit
def _reach(tree, chances, side, reach):
    """How likely chance and the other sides let each position happen."""
    even = 1.0 / tree.roots.size
    for d in range(tree.roots.size):
        if tree.roots[d] >= 0:
            reach[tree.roots[d]] = even
    for n in range(tree.action.size):
        here = reach[n]
        if tree.side[n] == side:
            for e in range(tree.first[n], tree.first[n + 1]):
                if tree.child[e] >= 0:
                    reach[tree.child[e]] = here
        else:
            shift = tree.action[n] - tree.first[n]
            for e in range(tree.first[n], tree.first[n + 1]):
                if tree.child[e] >= 0:
                    reach[tree.child[e]] = here * chances[e + shift]


@jit
def after(tree, side, worth, child):
    """Value for a side after a move that leads to `child`."""
    return worth[child] if child >= 0 else tree.pays[-1 - child, side]


@jit
def _of_roots(tree, side, worth):
    total = 0.0
    for d in range(tree.roots.size):
        total += after(tree, side, worth, tree.roots[d])
    return total / tree.roots.size


@jit
def _learn(tree, chances, side, reach, worth, gain):
    """Value of each position for a side, and of each of its actions, weighted by how likely others let it happen."""
    for a in range(gain.size):
        gain[a] = 0.0
    for n in range(tree.action.size - 1, -1, -1):
        total = 0.0
        here = reach[n]
        if here > 0.0:  # elsewhere nothing is learned, and no value is asked for
            shift = tree.action[n] - tree.first[n]
            own = tree.side[n] == side
            for e in range(tree.first[n], tree.first[n + 1]):
                child = tree.child[e]
                found = after(tree, side, worth, child)
                total += chances[e + shift] * found
                if own:
                    gain[e + shift] += here * found
        worth[n] = total


@jit
def _match(tree, side, rule, weight, play, gain, plan):
    """Turn values of actions into regrets, the next play, and a term of the mean plan."""
    for s in range(tree.owner.size):
        if tree.owner[s] != side:
            continue
        mean = 0.0
        for a in range(tree.base[s], tree.base[s + 1]):
            mean += play.now[a] * gain[a]
        for a in range(tree.base[s], tree.base[s + 1]):
            gain[a] -= mean
            if abs(gain[a]) < _ROUNDING * abs(mean):
                gain[a] = 0.0  # or cards that are equally good would be told apart by rounding
    _even_out(tree, gain)
    for s in range(tree.owner.size):
        if tree.owner[s] != side:
            continue
        total = 0.0
        begin = tree.base[s]
        end = tree.base[s + 1]
        for a in range(begin, end):
            regret = play.regret[a] + gain[a]
            if rule != CFR:
                regret = max(0.0, regret)
            play.regret[a] = regret
            wish = max(0.0, regret + gain[a] if rule == PREDICTIVE else regret)
            play.now[a] = wish
            total += wish
        come = plan[tree.before[s]] if tree.before[s] >= 0 else 1.0
        for a in range(begin, end):
            play.now[a] = play.now[a] / total if total > 0.0 else 1.0 / (end - begin)
            plan[a] = come * play.now[a]
            play.plan[a] += weight * plan[a]


@jit
def _even_out(tree, numbers):
    """Give all mirrors of an action their mean: rounding would let them drift apart."""
    for i in range(tree.member.size):
        if tree.member[i] != tree.twin[i]:
            numbers[tree.twin[i]] += numbers[tree.member[i]]
    for i in range(tree.member.size):
        if tree.member[i] == tree.twin[i]:
            numbers[tree.member[i]] *= tree.share[i]
    for i in range(tree.member.size):
        numbers[tree.member[i]] = numbers[tree.twin[i]]


@jit
def improve(tree, play, rule, start, reach, worth, gain, plan):
    """Play one iteration: every side learns in turn.

    Parameters
    ----------
    tree : Tree
    play : Play
        Changed.
    rule : int
        `CFR`, `CFR_PLUS` or `PREDICTIVE`.
    start : int
        The side that learns first.
    reach, worth : float64[n]
    gain, plan : float64[actions]
        Room to work.
    """
    weight = np.float64(play.rounds[0] + 1) ** _WEIGHT[rule]
    sides = tree.pays.shape[1]
    for i in range(sides):
        side = (start + i) % sides
        _reach(tree, play.now, side, reach)
        _learn(tree, play.now, side, reach, worth, gain)
        _match(tree, side, rule, weight, play, gain, plan)
    play.rounds[0] += 1


@jit
def mix(tree, plan, now, chances):
    """Chances of actions in their information sets by the mean plan; those of `now` where its side never comes."""
    for s in range(tree.owner.size):
        total = 0.0
        for a in range(tree.base[s], tree.base[s + 1]):
            total += plan[a]
        for a in range(tree.base[s], tree.base[s + 1]):
            chances[a] = plan[a] / total if total > 0.0 else now[a]


@jit
def value(tree, chances, side, worth):
    """Expected payoff of a side when all play by these chances."""
    for n in range(tree.action.size - 1, -1, -1):
        shift = tree.action[n] - tree.first[n]
        total = 0.0
        for e in range(tree.first[n], tree.first[n + 1]):
            total += chances[e + shift] * after(tree, side, worth, tree.child[e])
        worth[n] = total
    return _of_roots(tree, side, worth)


@jit
def answer(tree, chances, side, reach, worth, gain):
    """Payoff of a side's best play against these chances of the others.

    Parameters
    ----------
    gain : float64[actions]
        Receives the value of each of its actions, weighted by how likely the others let it happen.
    """
    _reach(tree, chances, side, reach)
    for a in range(gain.size):
        gain[a] = 0.0
    for layer in range(tree.layer.size - 2, -1, -1):
        begin = tree.layer[layer]
        end = tree.layer[layer + 1]
        for n in range(end - 1, begin - 1, -1):
            shift = tree.action[n] - tree.first[n]
            total = 0.0
            for e in range(tree.first[n], tree.first[n + 1]):
                found = after(tree, side, worth, tree.child[e])
                if tree.side[n] == side:
                    gain[e + shift] += reach[n] * found
                else:
                    total += chances[e + shift] * found
            worth[n] = total
        for n in range(begin, end):
            if tree.side[n] == side:
                best = 0
                for k in range(1, tree.first[n + 1] - tree.first[n]):
                    if gain[tree.action[n] + k] > gain[tree.action[n] + best]:
                        best = k
                worth[n] = after(tree, side, worth, tree.child[tree.first[n] + best])
    return _of_roots(tree, side, worth)


@jit
def judge(tree, chances, side, reach, worth, gain, out, weight):
    """What each action of a side is worth to it when all play by these chances; where others never let it come, nan.

    Parameters
    ----------
    gain : float64[actions]
        Room to work.
    out : float64[actions]
        Receives the values; entries of other sides are not touched.
    weight : float64[actions]
        Receives how likely chance and the others let each of its information sets happen, at the first of its actions.
    """
    _reach(tree, chances, side, reach)
    _learn(tree, chances, side, reach, worth, gain)
    for s in range(tree.owner.size):
        if tree.owner[s] == side:
            weight[tree.base[s]] = 0.0
    for n in range(tree.action.size - 1, -1, -1):
        if tree.side[n] == side:
            weight[tree.action[n]] += reach[n]
    for s in range(tree.owner.size):
        if tree.owner[s] == side:
            total = weight[tree.base[s]]
            for a in range(tree.base[s], tree.base[s + 1]):
                out[a] = gain[a] / total if total > 0.0 else np.nan


@jit
def worst(tree, chances, side, worth):
    """What a side's play by these chances surely gets: the others see all cards and act as one."""
    for n in range(tree.action.size - 1, -1, -1):
        shift = tree.action[n] - tree.first[n]
        total = 0.0 if tree.side[n] == side else np.inf
        for e in range(tree.first[n], tree.first[n + 1]):
            found = after(tree, side, worth, tree.child[e])
            if tree.side[n] == side:
                total += chances[e + shift] * found
            else:
                total = min(total, found)
        worth[n] = total
    return _of_roots(tree, side, worth)
