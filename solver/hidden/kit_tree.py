"""The whole tree of a kit with its hidden cards, what `solver.hidden.equilibrium` solves.

`kit_tree` grows it ply by ply with `solver.kernels.public_tree`. Where a seat has no choice nothing is kept, and the
last trick is played at once. What a size of kit would take is estimated before anything is built (Knuth 1975: one
random line in one random deal, times the numbers of moves on its way, is a fair sample of the size of a tree).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games import Game
from solver.kernels import cfr
from solver.kernels import public_tree as kernel
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.layout import Layout, layout_of

__all__ = ["GIGABYTES", "KitTree", "Renaming", "check_kit", "kit_tree", "moves_estimate", "payoffs", "renaming"]

#: Memory that a tree and its solution may take, unless another number is named.
GIGABYTES = 4.0

#: Bytes at the peak for each move of the tree, measured on the kit.
_BYTES = 66
_SAMPLES = 400

#: Moves of a tree, with positions and actions fewer, that have numbers of 32 bits.
MOST_MOVES = 2**31 - 1

#: Cards whose histories and hands fit one word.
_MOST_CARDS = 14

_measure: Any = kernel.measure
_expand: Any = kernel.expand
_settle: Any = kernel.settle


@dataclass(frozen=True, eq=False)
class KitTree:
    """A kit as a game of hidden cards.

    Parameters
    ----------
    game, contract
        What is played, with the leader and the trump suit.
    tree
        For `solver.kernels.cfr`; a side for each seat, or two where one seat plays against the others.
    keys
        ``uint64[sets]``, rising: the public history and the hand of each information set.
    opened
        ``uint8[sets]``: how many suits had their names, of those that are alike.
    mirrored
        ``int32[m, 2]``: moves that have mirrors, with the lowest of each.
    plays
        Complete plays in the tree, by how many suits have got their names.
    outcomes
        ``float64[outcomes, seats]``: the tricks of each seat.
    alike
        Number of suits that behave alike and are named in the order in which they are seen; 0 in a tree of all names.
    """

    game: Game
    contract: Contract
    tree: cfr.Tree
    keys: NDArray[np.uint64]
    opened: NDArray[np.uint8]
    mirrored: NDArray[np.int32]
    plays: tuple[int, ...]
    outcomes: NDArray[np.float64]
    alike: int

    def asked(self, contract: str | Contract) -> KitTree:
        """The same tree for another contract with the same leader and trump suit, see `kit_tree`."""
        _, read = check_kit(self.game, contract)
        if (read.leader, read.trump) != (self.contract.leader, self.contract.trump):
            raise NotationError(f"the contract has another leader or trump suit than the tree: {contract}")
        return replace(self, contract=read, tree=self.tree._replace(pays=payoffs(read, self.outcomes)))

    @property
    def deals(self) -> int:
        """Number of deals, all of them."""
        return len(self.tree.roots)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Deals, complete plays and information sets with a choice in the whole game, and those that are kept."""
        names = [math.perm(self.alike, k) for k in range(self.alike + 1)]
        sets = sum(n * int(k) for n, k in zip(names, np.bincount(self.opened, minlength=len(names)), strict=True))
        return {
            "deals": self.deals,
            "information sets": sets,
            "information sets kept": len(self.keys),
            "plays": sum(n * k for n, k in zip(names, self.plays, strict=True)),
            "plays kept": sum(self.plays),
            "positions kept": len(self.tree.action),
        }

    @cached_property
    def layout(self) -> Layout:
        """Bits of the cards."""
        return layout_of(self.game.trick_rules(self.contract))

    @cached_property
    def dealt(self) -> NDArray[np.uint64]:
        """``uint64[deals, seats]``: the hands of each deal, one for each root."""
        return _dealt(len(self.layout.cards), self.game.seats)


class _Ply(NamedTuple):
    """What `solver.kernels.public_tree.expand` writes."""

    first: NDArray[np.int32]
    child: NDArray[np.int32]
    action: NDArray[np.int32]
    who: NDArray[np.int8]
    base: NDArray[np.int32]
    before: NDArray[np.int32]
    key: NDArray[np.uint64]
    edge_twin: NDArray[np.int32]
    action_twin: NDArray[np.int32]


class Renaming(NamedTuple):
    """Suits that are alike, and all ways to give them other names.

    Parameters
    ----------
    alike
        ``int64[k]``: the suits.
    twins
        ``int64[renamings, cards]``: the card that each becomes.
    keeps
        ``int64[renamings]``: how many of the first names stay as they are.
    """

    alike: NDArray[np.int64]
    twins: NDArray[np.int64]
    keeps: NDArray[np.int64]


def renaming(layout: Layout, trump: str | None, *, symmetric: bool = True) -> Renaming:
    """Find the suits of a layout that behave alike: all but trump; none when the tree is to hold all names."""
    suits = [[layout.bit[c] for c in cards] for _, cards in layout.rules.suits]
    alike = [i for i, (name, _) in enumerate(layout.rules.suits) if symmetric and name != trump]
    orders = list(itertools.permutations(range(len(alike))))[1:]
    twins = np.tile(np.arange(len(layout.cards), dtype=np.int64), (len(orders), 1))
    for row, order in zip(twins, orders, strict=True):
        for a, b in enumerate(order):
            row[suits[alike[a]]] = suits[alike[b]]
    keeps = [next(i for i, name in enumerate(order) if name != i) for order in orders]
    return Renaming(np.array(alike, np.int64), twins, np.array(keeps, np.int64))


def check_kit(game: Game, contract: str | Contract | None = None) -> tuple[Game, Contract]:
    """Check that a game is a kit, and read its contract; without one seat 0 leads and each plays for itself.

    Raises
    ------
    UnsupportedError
        For another game.
    NotationError
        For a contract that makes no sense.
    """
    if not game.small_tree:
        raise UnsupportedError(f"{game.name}: only the kit and its variants are small enough for an equilibrium")
    read = game.contract(contract)
    if read.target is not None and read.declarer is None and not read.side:
        raise NotationError(f"{read.target} tricks by nobody: name the seat, as in '{read.target} by 0'")
    return game, read


def moves_estimate(game: Game, contract: Contract, *, samples: int = _SAMPLES, seed: int = 0) -> float:
    """About how many moves the tree of a kit has, forced ones and all, from random lines in random deals."""
    rng = np.random.default_rng(seed)
    alike = set(game.deck.suits) - {contract.trump}
    deck = game.deck.cards
    size = game.hand_size
    total = 0.0
    for _ in range(samples):
        order = rng.permutation(len(deck)).tolist()
        hands = tuple(frozenset(deck[c] for c in order[s * size : (s + 1) * size]) for s in range(game.seats))
        position = game.start(Deal(game, hands), contract)
        ways = float(game.deals)
        named: set[str] = set()
        for _ in range(len(deck) - game.seats):
            moves = position.legal()
            total += ways * len(moves) / math.perm(len(alike), len(named))  # of mirrors one is kept
            ways *= len(moves)
            move = moves[int(rng.integers(len(moves)))]
            named |= {move.card[0]} & alike
            position = position.play(move)
    return total / samples


def _check_size(game: Game, contract: Contract, gigabytes: float, times: int) -> None:
    """Refuse what would not fit."""
    cards = len(game.deck)
    about = max(0.1, moves_estimate(game, contract) * _BYTES * times / 1e9)
    size = f"{game.name} of {len(game.deck.suits)} suits x {len(game.deck.ranks)} ranks for {game.seats} seats"
    if not about <= gigabytes:
        told = f"{about:,.1f}" if about < 1e6 else f"{about:.1e}"
        raise UnsupportedError(f"{size}: its tree would take about {told} GB, more than the {gigabytes:g} GB allowed")
    if cards > _MOST_CARDS:
        raise UnsupportedError(f"{size}: {cards} cards are more than the {_MOST_CARDS} that a history has room for")


def _dealt(cards: int, seats: int) -> NDArray[np.uint64]:
    """Hands of every deal."""
    size = cards // seats
    rows: list[tuple[tuple[int, ...], int]] = [((), (1 << cards) - 1)]
    for _ in range(seats):
        rows = [
            ((*hands, sum(hand)), left - sum(hand))
            for hands, left in rows
            for hand in itertools.combinations([1 << c for c in range(cards) if left >> c & 1], size)
        ]
    return np.array([hands for hands, _ in rows], np.uint64)


def _mirrors(dealt: NDArray[np.uint64], names: Renaming) -> NDArray[np.int32]:
    """Number of each deal after each renaming."""
    cards = names.twins.shape[1]
    shifts = np.arange(dealt.shape[1], dtype=np.uint64) * np.uint64(cards)  # 4 seats of 14 cards have room
    codes = (dealt << shifts).sum(axis=1, dtype=np.uint64)
    order = np.argsort(codes)
    out = np.empty((len(names.twins), len(dealt)), np.int32)
    for row, twin in zip(out, names.twins.astype(np.uint64), strict=True):
        hands = np.zeros_like(dealt)
        for card in range(cards):
            hands |= (dealt >> np.uint64(card) & np.uint64(1)) << twin[card]
        row[:] = order[np.searchsorted(codes[order], (hands << shifts).sum(axis=1, dtype=np.uint64))]
    return out


def kit_tree(
    game: Game,
    contract: str | Contract | None = None,
    *,
    symmetric: bool = True,
    gigabytes: float = GIGABYTES,
    times: int = 1,
) -> KitTree:
    """Grow the tree of a kit.

    Parameters
    ----------
    game
        A kit, of any size and rules that fit.
    contract
        Who leads, what is trump; with a target, ``"2 by 0, lead 1"``, a seat of the side gets 1 when the side takes
        that many tricks, and every other seat when it doesn't. With a side and no target all of the side count its
        tricks, and all others theirs. Without either each counts its own.
    symmetric
        False to keep all names of suits: up to six times the size, for tests.
    gigabytes
        Memory that it may take, with its solution.
    times
        How many times the memory of an equilibrium what is to be done with it takes.

    Raises
    ------
    UnsupportedError
        For another game, or a kit that is too large: with an estimate of the memory.
    """
    kit, read = check_kit(game, contract)
    _check_size(kit, read, gigabytes, times if symmetric else 6 * times)
    layout = layout_of(kit.trick_rules(read))
    names = renaming(layout, read.trump, symmetric=symmetric)
    state = 0 if read.trump is None else layout.suits[read.trump] + 1
    dealt = _dealt(len(layout.cards), kit.seats)
    plies, tricks, opened, plays = _grow(layout, names, state, dealt, read.leader)
    alike = len(names.alike)
    found = np.unique(tricks)
    outcomes = np.array([[int(c) >> kernel.CODE_BITS * s & 15 for s in range(kit.seats)] for c in found], np.float64)
    tree, keys, mirrored = _assemble(plies, (-1 - np.searchsorted(found, tricks)).astype(np.int32))
    tree = tree._replace(pays=payoffs(read, outcomes))
    return KitTree(kit, read, tree, keys, opened, mirrored, plays, outcomes, alike)


def payoffs(contract: Contract, tricks: NDArray[np.float64]) -> NDArray[np.float64]:
    """``float64[outcomes, seats]``: what each seat gets for these tricks of all seats."""
    seats = tricks.shape[1]
    side = sorted(contract.side or ({contract.declarer} if contract.declarer is not None else ()))
    if not side:
        return tricks
    mine = np.isin(np.arange(seats), side)
    taken = tricks[:, side].sum(axis=1, keepdims=True)
    if contract.target is None:
        gets, others = taken, tricks.sum(axis=1, keepdims=True) - taken
    else:
        gets = (taken >= contract.target).astype(np.float64)
        others = 1.0 - gets
    out: NDArray[np.float64] = np.where(mine, gets, others)
    return out


def _grow(
    layout: Layout, names: Renaming, state: int, dealt: NDArray[np.uint64], leader: int
) -> tuple[list[_Ply], NDArray[np.int32], NDArray[np.uint8], tuple[int, ...]]:
    """All plies but the last trick; tricks at the end, names given before each set, and plays by names given."""
    cards, seats = len(layout.cards), dealt.shape[1]
    mirrors = _mirrors(dealt, names)
    histories = np.zeros((2, kernel.HISTORY), np.uint64)
    histories[0, kernel.LEADER] = leader
    histories[1, kernel.START] = len(dealt)
    deals = np.arange(len(dealt), dtype=np.int32)
    last = np.full(dealt.shape, -1, np.int32)
    place_of, set_of = np.full(len(dealt), -1, np.int32), np.full(1 << cards, -1, np.int32)
    plies, opened, actions, moves = [], [], 0, 0
    for _ in range(cards - seats):
        n = len(deals)
        choice = np.empty(n, np.uint64)
        edges, positions, branches = _measure(layout.record, state, names.alike, dealt, histories, deals, choice)
        moves += edges
        if moves > MOST_MOVES:
            raise UnsupportedError(f"a tree of more than {MOST_MOVES:,} moves: these have numbers of 32 bits")
        ply = _Ply(
            np.empty(n + 1, np.int32), np.empty(edges, np.int32), np.empty(n, np.int32), np.empty(n, np.int8),
            np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.uint64), np.full(edges, -1, np.int32),
            np.full(edges, -1, np.int32),
        )  # fmt: skip
        follow = np.empty((branches + 1, kernel.HISTORY), np.uint64)
        next_deals, next_last = np.empty(positions, np.int32), np.empty((positions, seats), np.int32)
        sets, now = _expand(
            layout.record, state, names.alike, dealt, names.twins, mirrors, names.keeps, histories, deals, choice,
            last, place_of, set_of, *ply, follow, next_deals, next_last, actions,
        )  # fmt: skip
        plies.append(
            ply._replace(
                base=ply.base[:sets].copy(), before=ply.before[:sets].copy(), key=ply.key[:sets].copy(),
                action_twin=ply.action_twin[: now - actions].copy(),
            )
        )  # fmt: skip
        codes = histories[:-1, kernel.CODE]
        which = np.searchsorted(codes, ply.key[:sets] >> np.uint64(cards))
        opened.append(histories[which, kernel.OPENED].astype(np.uint8))
        actions, histories, deals, last = now, follow, next_deals, next_last
    tricks = np.empty(len(deals), np.int32)
    _settle(layout.record, state, dealt, histories, deals, tricks)
    many = np.diff(histories[:, kernel.START].astype(np.int64))
    plays = np.bincount(histories[:-1, kernel.OPENED].astype(np.int64), many, minlength=len(names.alike) + 1)
    return plies, tricks, np.concatenate([*opened, np.empty(0, np.uint8)]), tuple(plays.astype(np.int64).tolist())


def _assemble(plies: list[_Ply], follow: NDArray[np.int32]) -> tuple[cfr.Tree, NDArray[np.uint64], NDArray[np.int32]]:
    """Leave out positions without a choice, from the last ply back; `follow` tells where the last ply's moves lead."""
    sizes = [int((ply.action >= 0).sum()) for ply in plies]
    layer = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    begins = np.concatenate([[0], np.cumsum([len(ply.action_twin) for ply in plies])]).astype(np.int32)
    parts: list[tuple[NDArray[Any], ...]] = []
    while plies:
        ply = plies.pop()
        real = ply.action >= 0
        fan = np.diff(ply.first)
        kept = np.repeat(real, fan)
        leads = follow[ply.child]
        follow = np.where(real, layer[len(plies)] + np.cumsum(real) - 1, leads[ply.first[:-1]]).astype(np.int32)
        owner = np.zeros(len(ply.base), np.int8)
        owner[np.searchsorted(ply.base, ply.action[real])] = ply.who[real]
        number = np.cumsum(kept) - 1  # of a move, among those of this ply that are kept
        mirrored = kept & (ply.edge_twin >= 0)
        has = ply.action_twin >= 0
        parts.append((
            fan[real], leads[kept], ply.action[real], ply.who[real], ply.base, owner, ply.before, ply.key,
            np.flatnonzero(has) + begins[len(plies)], ply.action_twin[has],
            number[mirrored], number[ply.edge_twin[mirrored]],
        ))  # fmt: skip
    parts.reverse()
    moves = np.concatenate([[0], np.cumsum([len(part[1]) for part in parts])])
    mirrored_moves = np.concatenate(
        [np.stack(part[10:], axis=1) + begin for part, begin in zip(parts, moves, strict=False)] or [np.empty((0, 2))]
    )
    if not parts:
        empty = np.empty(0, np.int32)
        parts = [(empty,) * 10]
    fan, child, action, who, base, owner, before, key, member, twin = (
        np.concatenate([part[i] for part in parts]) for i in range(10)
    )
    first = np.concatenate([[0], np.cumsum(fan)])
    tree = cfr.new_tree(
        first, child, action, who, layer, follow, np.append(base, begins[-1]), owner, before, member, twin
    )
    return tree, key.astype(np.uint64), mirrored_moves.astype(np.int32)
