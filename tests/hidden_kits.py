"""Small kits as the compiled tree has them and as the plain twin has them, and names that hold in both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naive import diagnose as rules
from naive import hidden as naive
from solver.games import Game, game
from solver.hidden.kit_tree import KitTree, kit_tree
from solver.kernels import cfr
from solver.kernels.public_tree import CODE_BITS

Actions = list[tuple[naive.Knows, str]]


@dataclass(frozen=True, eq=False)
class Case:
    """A kit and its contract, told twice: in text, and as the side and the target that the text says."""

    options: dict[str, Any]
    contract: str = ""
    leader: int = 0
    side: frozenset[int] = frozenset()
    target: int | None = None
    trump: str | None = None

    def __str__(self) -> str:
        return "-".join([*(f"{name}{value}" for name, value in self.options.items()), self.contract.replace(" ", "")])

    @cached_property
    def game(self) -> Game:
        return game("kit", **self.options)

    @cached_property
    def ctx(self) -> dict:
        return {"trump": self.trump, "must_beat": self.options.get("must_beat", False)}

    @cached_property
    def deals(self) -> list[naive.Node]:
        """The twin's game without forced moves."""
        return list(map(naive.chosen, self.whole))

    @cached_property
    def whole(self) -> list[naive.Node]:
        """The twin's game, card by card."""
        deck = [
            suit + str(rank + 1) for suit in "ots"[: self.options["suits"]] for rank in range(self.options["ranks"])
        ]
        return naive.kit_deals(deck, self.seats, self.ctx, self.leader, self.pays)

    @property
    def seats(self) -> int:
        return self.options.get("seats", 3)

    def pays(self, taken: tuple[int, ...]) -> tuple[float, ...]:
        """Tricks of the own side; or 1 for those who wanted it to come so, when there is a target."""
        if not self.side:
            return naive.tricks(taken)
        mine = sum(taken[s] for s in self.side)
        if self.target is None:
            return tuple(float(mine if s in self.side else sum(taken) - mine) for s in range(len(taken)))
        return tuple(float((mine >= self.target) == (s in self.side)) for s in range(len(taken)))

    @cached_property
    def full(self) -> KitTree:
        """The tree of all names."""
        return kit_tree(self.game, self.contract, symmetric=False)

    @cached_property
    def short(self) -> KitTree:
        """The tree that keeps one of all names."""
        return kit_tree(self.game, self.contract)

    @cached_property
    def full_actions(self) -> Actions:
        return self.actions(self.full)

    @cached_property
    def short_actions(self) -> Actions:
        return self.actions(self.short)

    def actions(self, kit: KitTree) -> Actions:
        """Information set and card of each action of a tree, read from the keys of its sets."""
        found: Actions = []
        cards = [str(card) for card in kit.layout.cards]
        for number, key in enumerate(kit.keys.tolist()):
            played, hand = [], {cards[b] for b in range(len(cards)) if key >> b & 1}
            rest = key >> len(cards)
            while rest:
                played.insert(0, cards[rest % (1 << CODE_BITS) - 1])
                rest >>= CODE_BITS
            knows, moves = self._read(played, hand)
            assert knows[0] == kit.tree.owner[number]
            assert len(moves) == kit.tree.base[number + 1] - kit.tree.base[number]
            found += [(knows, card) for card in sorted(moves, key=cards.index)]
        return found

    def _read(self, played: list[str], hand: set[str]) -> tuple[naive.Knows, list[str]]:
        """What a seat with a hand left knows when these cards were played; its moves."""
        turns: list[tuple[int, str]] = []
        leader, trick = self.leader, []
        for card in played:
            trick.append(((leader + len(trick)) % self.seats, card))
            turns.append(trick[-1])
            if len(trick) == self.seats:
                leader, trick = rules.kit.winner(trick, self.ctx), []
        seat = (leader + len(trick)) % self.seats
        dealt = frozenset(hand | {card for who, card in turns if who == seat})
        return (seat, dealt, tuple(played)), sorted(rules.kit.legal_cards(frozenset(hand), trick, self.ctx))

    def canonical(self, knows: naive.Knows, card: str) -> tuple[naive.Knows, str]:
        """The same in the names that suits get in the order in which all see them."""
        alike = [suit for suit in "ots"[: self.options["suits"]] if suit != self.trump]
        seat, dealt, played = knows
        met = [suit for suit in dict.fromkeys(c[0] for c in played) if suit in alike]
        order = [*met, *(suit for suit in alike if suit not in met)]
        names = dict(zip(order, alike, strict=True)) | {self.trump: self.trump}

        def new(one: str) -> str:
            return names[one[0]] + one[1:]

        return (seat, frozenset(map(new, dealt)), tuple(map(new, played))), new(card)

    @cached_property
    def stands_for(self) -> NDArray[np.int64]:
        """Action of the short tree for each action of the full one."""
        number = {action: a for a, action in enumerate(self.short_actions)}
        return np.array([number[self.canonical(*action)] for action in self.full_actions], np.int64)

    def spread(self, short: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers by action of the short tree as numbers by action of the full one."""
        out: NDArray[np.float64] = short[self.stands_for]
        return out

    def table(self, full: NDArray[np.float64]) -> naive.Chances:
        """Numbers by action of the full tree as the twin has them."""
        return as_table(self.full_actions, full)

    @cached_property
    def paths(self) -> list[tuple[naive.Node, int]]:
        """The twin's nodes with a choice, each with its position in the full tree."""
        tree, deck = self.full.tree, [str(card) for card in self.full.layout.cards]
        place = {tuple(map(int, hands)): int(root) for hands, root in zip(self.full.dealt, tree.roots, strict=True)}
        found, stack = [], []
        dealt = rules.deals(frozenset(deck), [self.game.hand_size] * self.seats)
        for hands, deal in zip(dealt, self.deals, strict=True):
            stack.append((deal, place[tuple(sum(1 << deck.index(c) for c in hand) for hand in hands)]))
        while stack:
            node, at = stack.pop()
            if node.after:
                found.append((node, at))
                begin, action = int(tree.first[at]), int(tree.action[at])
                cards = [card for _, card in self.full_actions[action : action + len(node.after)]]
                stack += [(node.after[card], int(tree.child[begin + k])) for k, card in enumerate(cards)]
            else:
                assert tuple(tree.pays[-1 - at]) == node.pays
        return found


def as_table(actions: Actions, numbers: NDArray[np.float64]) -> naive.Chances:
    """Numbers by action as the twin has them."""
    found: naive.Chances = {}
    for (knows, move), x in zip(actions, numbers.tolist(), strict=True):
        found.setdefault(knows, {})[move] = x
    return found


#: Kits without a trump suit, with one, with a duty to beat, for two, three and four seats, led by another seat.
KITS = [
    Case({"suits": 2, "ranks": 3}),
    Case({"suits": 3, "ranks": 2}, "lead 2", leader=2),
    Case({"suits": 1, "ranks": 6}, "1 by 1", side=frozenset({1}), target=1),
    Case({"suits": 3, "ranks": 2, "trump": "t"}, "lead 1", leader=1, trump="t"),
    Case({"suits": 3, "ranks": 2, "must_beat": True}, "by 2", side=frozenset({2})),
    Case({"suits": 2, "ranks": 3}, "1 by 1, lead 1, trump o", leader=1, side=frozenset({1}), target=1, trump="o"),
    Case({"suits": 3, "ranks": 2, "seats": 2}),
    Case({"suits": 2, "ranks": 3, "seats": 2, "trump": "o"}, "2 by 1", side=frozenset({1}), target=2, trump="o"),
    Case({"suits": 2, "ranks": 4, "seats": 4}, "side 0 2, lead 3", leader=3, side=frozenset({0, 2})),
]  # fmt: skip


def evened(tree: cfr.Tree, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers by action with the mean of all mirrors in the place of each."""
    total, many = (np.bincount(tree.twin, w, minlength=len(numbers)) for w in (numbers[tree.member], None))
    out = numbers.copy()
    out[tree.member] = total[tree.twin] / many[tree.twin]
    return out


def normal(tree: cfr.Tree, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances in proportion to numbers, none of them below 0."""
    if not len(numbers):
        return numbers
    out: NDArray[np.float64] = numbers / np.repeat(np.add.reduceat(numbers, tree.base[:-1]), np.diff(tree.base))
    return out


def random_chances(rng: np.random.Generator, tree: cfr.Tree, *, pure: float = 0.0) -> NDArray[np.float64]:
    """Chances at random, some of them 0, the same for mirrors."""
    numbers = rng.random(tree.base[-1]) ** rng.choice([1, 4])
    numbers[rng.random(len(numbers)) < pure] = 0
    numbers = evened(tree, numbers)
    at = tree.base[:-1]
    none = np.repeat(np.add.reduceat(numbers, at) == 0, np.diff(tree.base)) if len(at) else np.zeros(0, bool)
    return normal(tree, np.where(none, 1.0, numbers))


def random_play(rng: np.random.Generator, tree: cfr.Tree) -> cfr.Play:
    """Where a learner might stand, no two of whose actions are worth the same; the same for mirrors.

    From nothing learned many actions are worth the same, and rounding would say which is played.
    """
    regret = evened(tree, rng.random(tree.base[-1]) * 0.01)
    return cfr.Play(normal(tree, regret), regret, np.zeros(len(regret)), np.zeros(1, np.int64))
