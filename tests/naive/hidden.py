"""A game of hidden cards by the definitions: the slow twin of `solver.kernels.cfr`, `policies` and `public_tree`.

All deals and all lines of play are written out as nodes. Nothing is named anew, left out or merged: an information set
is whatever its seat knows, here the seat, the hand it was dealt and the cards played so far.

* Regrets: Zinkevich, Johanson, Bowling and Piccione 2007; CFR+: Tammelin 2014; predictive: Farina, Kroer and Sandholm
  2021, the prediction being the last regret. Seats learn in turn, and a plan is the mean of the plays chosen after each
  lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

from . import diagnose

#: What a seat knows; the seat comes first.
Knows = tuple[Hashable, ...]
Chances = dict[Knows, dict[str, float]]
Pays = Callable[[tuple[int, ...]], tuple[float, ...]]


@dataclass(eq=False)
class Node:
    """The seat in turn, what it knows and what follows each of its moves; or the end, and what each seat gets."""

    knows: Knows = ()
    after: dict[str, Node] = field(default_factory=dict)
    pays: tuple[float, ...] = ()

    @property
    def seat(self) -> int:
        return self.knows[0]


def tricks(taken: tuple[int, ...]) -> tuple[float, ...]:
    """Each seat gets its tricks."""
    return tuple(map(float, taken))


def kit_deals(deck: list[str], seats: int, ctx: dict, leader: int = 0, pays: Pays = tricks) -> list[Node]:
    """All deals of a kit with all that can follow, in the order of the deals."""
    found = []
    for hands in diagnose.deals(frozenset(deck), [len(deck) // seats] * seats):
        start = diagnose.Node(hands, leader, [], (0,) * seats, [])
        found.append(_grown(hands, start, ctx, pays))
    return found


def _grown(hands: diagnose.Hands, now: diagnose.Node, ctx: dict, pays: Pays) -> Node:
    if diagnose.over(now):
        return Node(pays=pays(now.taken))
    seat = diagnose.turn(now)
    knows = (seat, hands[seat], tuple(card for _, card in now.played))
    moves = diagnose.choices(now, ctx)
    return Node(knows, {card: _grown(hands, diagnose.step(now, card, ctx), ctx, pays) for card in moves})


def leaky(deals: list[Node], suits: str) -> list[Node]:
    """The wrong game in which each deal is named by the first of all its namings: names tell of hidden cards."""
    hands: dict[int, dict[int, frozenset[str]]] = {}
    for i, deal in enumerate(deals):
        hands[i] = {}
        for node in nodes(deal):
            if node.after:
                hands[i][node.seat] = node.knows[1]
    out = []
    for i, deal in enumerate(deals):
        orders = [dict(zip(suits, order, strict=True)) for order in permutations(suits)]
        names = min(orders, key=lambda n: [sorted(n[c[0]] + c[1:] for c in hands[i][s]) for s in sorted(hands[i])])
        out.append(_renamed(deal, names))
    return out


def _renamed(node: Node, names: dict[str, str]) -> Node:
    if not node.after:
        return node
    seat, hand, played = node.knows

    def new(card: str) -> str:
        return names[card[0]] + card[1:]

    knows = (seat, frozenset(map(new, hand)), tuple(map(new, played)))
    after = {new(card): _renamed(child, names) for card, child in node.after.items()}
    return Node(knows, dict(sorted(after.items())))


def chosen(node: Node) -> Node:
    """The same game without the moves that are forced."""
    while len(node.after) == 1:
        node = next(iter(node.after.values()))
    return Node(node.knows, {move: chosen(child) for move, child in node.after.items()}, node.pays)


# ------------------------------------------------------------------- the tree


def nodes(node: Node) -> Iterator[Node]:
    """A node and all that follow, parents first."""
    yield node
    for child in node.after.values():
        yield from nodes(child)


def choices(deals: list[Node]) -> dict[Knows, tuple[str, ...]]:
    """Moves of every information set."""
    found: dict[Knows, tuple[str, ...]] = {}
    for deal in deals:
        for node in nodes(deal):
            if node.after:
                assert found.setdefault(node.knows, tuple(node.after)) == tuple(node.after)
    return found


def as_lists(deals: list[Node]) -> tuple[dict[str, list], list[tuple[Knows, str]]]:
    """The arguments of `solver.kernels.cfr.new_tree` without forced moves; the set and move of each action."""
    deals = list(map(chosen, deals))
    plies: list[list[Node]] = []

    def sort(node: Node, ply: int) -> None:
        if node.after:
            plies.extend([] for _ in range(ply + 1 - len(plies)))
            plies[ply].append(node)
            for child in node.after.values():
                sort(child, ply + 1)

    for deal in deals:
        sort(deal, 0)
    number = {node: n for n, node in enumerate(node for ply in plies for node in ply)}
    pays = sorted({node.pays for deal in deals for node in nodes(deal) if not node.after})
    first_action: dict[Knows, int] = {}
    actions: list[tuple[Knows, str]] = []
    for node in number:
        if node.knows not in first_action:
            first_action[node.knows] = len(actions)
            actions += [(node.knows, move) for move in node.after]

    def leads(node: Node) -> int:
        return number[node] if node.after else -1 - pays.index(node.pays)

    before: dict[Knows, int] = {}

    def look(node: Node, last: dict[int, int]) -> None:
        if not node.after:
            return
        assert before.setdefault(node.knows, last.get(node.seat, -1)) == last.get(node.seat, -1)
        for i, child in enumerate(node.after.values()):
            look(child, last | {node.seat: first_action[node.knows] + i})

    for deal in deals:
        look(deal, {})
    first, layer = [0], [0]
    for node in number:
        first.append(first[-1] + len(node.after))
    for ply in plies:
        layer.append(layer[-1] + len(ply))
    return {
        "first": first, "child": [leads(child) for node in number for child in node.after.values()],
        "action": [first_action[node.knows] for node in number], "side": [node.seat for node in number],
        "layer": layer, "roots": [leads(deal) for deal in deals], "base": [*first_action.values(), len(actions)],
        "owner": [knows[0] for knows in first_action], "before": [before[knows] for knows in first_action],
        "pays": pays,
    }, actions  # fmt: skip


# ------------------------------------------------------------------ hidden cards


def seats_of(deals: list[Node]) -> int:
    """Number of seats."""
    return len(next(node.pays for node in nodes(deals[0]) if not node.after))


def value(deals: list[Node], chances: Chances) -> list[float]:
    """Expected payoff of each seat."""
    seats = range(seats_of(deals))

    def worth(node: Node) -> list[float]:
        if not node.after:
            return list(node.pays)
        later = [(chances[node.knows][move], worth(child)) for move, child in node.after.items()]
        return [sum(p * w[s] for p, w in later) for s in seats]

    found = [worth(deal) for deal in deals]
    return [sum(w[s] for w in found) / len(deals) for s in seats]


def places(deals: list[Node], chances: Chances, seat: int) -> dict[Knows, list[tuple[Node, float]]]:
    """Nodes of each information set of a seat, and how likely chance and the others let each of them happen."""
    found: dict[Knows, list[tuple[Node, float]]] = {}

    def spread(node: Node, weight: float) -> None:
        if node.after and node.seat == seat:
            found.setdefault(node.knows, []).append((node, weight))
        for move, child in node.after.items():
            spread(child, weight * (1.0 if node.seat == seat else chances[node.knows][move]))

    for deal in deals:
        spread(deal, 1 / len(deals))
    return found


def best_response(deals: list[Node], chances: Chances, seat: int) -> float:
    """Payoff of the best plan of a seat against these chances of the others."""
    where = places(deals, chances, seat)
    chosen: dict[Knows, str] = {}
    known: dict[Node, float] = {}

    def worth(node: Node) -> float:
        if not node.after:
            return node.pays[seat]
        if node not in known:
            if node.seat == seat:
                known[node] = worth(node.after[pick(node.knows)])
            else:
                known[node] = sum(chances[node.knows][move] * worth(child) for move, child in node.after.items())
        return known[node]

    def pick(knows: Knows) -> str:
        if knows not in chosen:
            here = where[knows]
            chosen[knows] = max(here[0][0].after, key=lambda move: sum(w * worth(n.after[move]) for n, w in here))
        return chosen[knows]

    return sum(worth(deal) for deal in deals) / len(deals)


def nashconv(deals: list[Node], chances: Chances) -> float:
    """What all seats together gain if each alone changes to its best plan."""
    best = sum(best_response(deals, chances, seat) for seat in range(seats_of(deals)))
    return best - sum(value(deals, chances))


def action_worth(deals: list[Node], chances: Chances, seat: int) -> dict[Knows, tuple[float, dict[str, float] | None]]:
    """How likely the others let each set of a seat happen, and what each move is worth there; None where they don't."""
    known: dict[Node, float] = {}

    def worth(node: Node) -> float:
        if not node.after:
            return node.pays[seat]
        if node not in known:
            known[node] = sum(chances[node.knows][move] * worth(child) for move, child in node.after.items())
        return known[node]

    found = {}
    for knows, here in places(deals, chances, seat).items():
        total = sum(w for _, w in here)
        moves = here[0][0].after
        each = {move: sum(w * worth(n.after[move]) for n, w in here) for move in moves}
        found[knows] = total, {move: x / total for move, x in each.items()} if total > 0 else None
    return found


def worst(deals: list[Node], chances: Chances, seat: int) -> float:
    """What a seat's plan surely gets: the others see all cards and act as one."""

    def worth(node: Node) -> float:
        if not node.after:
            return node.pays[seat]
        later = {move: worth(child) for move, child in node.after.items()}
        if node.seat != seat:
            return min(later.values())
        return sum(chances[node.knows][move] * x for move, x in later.items())

    return sum(map(worth, deals)) / len(deals)


# ------------------------------------------------------------------- learning


def uniform(deals: list[Node]) -> Chances:
    """All moves alike."""
    return {knows: dict.fromkeys(moves, 1 / len(moves)) for knows, moves in choices(deals).items()}


@dataclass
class Learner:
    """Play, regrets and weighted plans of all information sets."""

    deals: list[Node]
    rule: str
    now: Chances
    regret: Chances
    plan: Chances
    rounds: int = 0

    @classmethod
    def new(cls, deals: list[Node], rule: str) -> Learner:
        """Play at random, nothing learned."""
        sets = choices(deals).items()
        regret, plan = ({knows: dict.fromkeys(moves, 0.0) for knows, moves in sets} for _ in range(2))
        return cls(deals, rule, uniform(deals), regret, plan)

    def learn(self) -> None:
        """One iteration: every seat in turn."""
        self.rounds += 1
        weight = {"cfr": 1, "cfr+": self.rounds, "predictive": self.rounds**4}[self.rule]
        for seat in range(seats_of(self.deals)):
            self._choose(self._regrets(seat))
            self._remember(seat, weight)

    def _regrets(self, seat: int) -> Chances:
        """What each move of a seat would have gained over its play, weighted by how likely the others let it happen."""
        known: dict[Node, float] = {}

        def worth(node: Node) -> float:
            if not node.after:
                return node.pays[seat]
            if node not in known:
                known[node] = sum(self.now[node.knows][move] * worth(child) for move, child in node.after.items())
            return known[node]

        found: Chances = {}
        for knows, here in places(self.deals, self.now, seat).items():
            mean = sum(w * worth(n) for n, w in here)
            found[knows] = {move: sum(w * worth(n.after[move]) for n, w in here) - mean for move in self.now[knows]}
        return found

    def _choose(self, regrets: Chances) -> None:
        for knows, gain in regrets.items():
            old = self.regret[knows]
            if self.rule == "cfr":
                new = {move: old[move] + g for move, g in gain.items()}
            else:
                new = {move: max(0.0, old[move] + g) for move, g in gain.items()}
            again = gain if self.rule == "predictive" else dict.fromkeys(gain, 0.0)
            wish = {move: max(0.0, r + again[move]) for move, r in new.items()}
            total = sum(wish.values())
            self.regret[knows] = new
            self.now[knows] = {move: x / total if total > 0 else 1 / len(wish) for move, x in wish.items()}

    def _remember(self, seat: int, weight: float) -> None:
        """Add the play just chosen to the mean, by how likely the seat itself comes there."""
        come: dict[Knows, float] = {}

        def walk(node: Node, own: float) -> None:
            if node.after and node.seat == seat:
                come[node.knows] = own
            for move, child in node.after.items():
                walk(child, own * self.now[node.knows][move] if node.seat == seat else own)

        for deal in self.deals:
            walk(deal, 1.0)
        for knows, own in come.items():
            for move, p in self.now[knows].items():
                self.plan[knows][move] += weight * own * p

    def mean(self) -> Chances:
        """The mean plan; the last play where the seat never comes."""
        found: Chances = {}
        for knows, plan in self.plan.items():
            total = sum(plan.values())
            found[knows] = {m: x / total for m, x in plan.items()} if total > 0 else dict(self.now[knows])
        return found


# ------------------------------------------------------------------ all cards seen


def max_n(node: Node) -> tuple[float, ...]:
    """Payoffs when all see everything and each takes what is best for itself; the mean over moves that are equal."""
    if not node.after:
        return node.pays
    later = [max_n(child) for child in node.after.values()]
    best = max(line[node.seat] for line in later)
    equal = [line for line in later if line[node.seat] > best - 1e-9]
    return tuple(sum(column) / len(equal) for column in zip(*equal, strict=True))


def two_sides(node: Node, seat: int, team: frozenset[int]) -> float:
    """Payoff of a seat when all see everything, a team takes the most for it and all others the least."""
    if not node.after:
        return node.pays[seat]
    later = [two_sides(child, seat, team) for child in node.after.values()]
    return max(later) if node.seat in team else min(later)


def sampled(deals: list[Node], seat: int, worth: Callable[[Node], float]) -> Chances:
    """Chances of a seat that takes the best sum of values over all deals that it considers possible, ties shared."""
    here: dict[Knows, list[Node]] = {}
    for deal in deals:
        for node in nodes(deal):
            if node.after and node.seat == seat:
                here.setdefault(node.knows, []).append(node)
    found: Chances = {}
    for knows, some in here.items():
        total = {move: sum(worth(node.after[move]) for node in some) for move in some[0].after}
        best = [move for move, x in total.items() if x > max(total.values()) - 1e-9]
        found[knows] = {move: (move in best) / len(best) for move in total}
    return found
