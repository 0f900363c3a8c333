"""Leaf correlation, bias and disambiguation by the definitions: the slow twin of `solver.hidden.diagnose`.

For games whose tricks need no more than the hands and the cards on the table, as the kit: every deal and every line of
play with its chance under random play; worlds counted by trying every deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from . import kit

Hands = tuple[frozenset[str], ...]
Played = list[tuple[int, str]]


class Node(NamedTuple):
    """A point in the play: cards left, who leads the trick, the trick, tricks taken, all cards played."""

    hands: Hands
    leader: int
    trick: Played
    taken: tuple[int, ...]
    played: Played


def begin(hands: Hands) -> Node:
    """Seat 0 leads."""
    return Node(hands, 0, [], (0,) * len(hands), [])


def turn(node: Node) -> int:
    """Whose turn it is."""
    return (node.leader + len(node.trick)) % len(node.hands)


def choices(node: Node, ctx: dict) -> list[str]:
    """Cards that may be played."""
    return sorted(kit.legal_cards(node.hands[turn(node)], node.trick, ctx))


def step(node: Node, card: str, ctx: dict) -> Node:
    """Play a card."""
    seat = turn(node)
    hands = tuple(h - {card} if s == seat else h for s, h in enumerate(node.hands))
    trick, played = [*node.trick, (seat, card)], [*node.played, (seat, card)]
    if len(trick) < len(hands):
        return Node(hands, node.leader, trick, node.taken, played)
    best = kit.winner(trick, ctx)
    taken = tuple(t + (s == best) for s, t in enumerate(node.taken))
    return Node(hands, best, [], taken, played)


def over(node: Node) -> bool:
    """Whether every card has been played."""
    return not any(node.hands)


def ends(node: Node, ctx: dict) -> list[tuple[int, ...]]:
    """Tricks at the end of every line from here."""
    if over(node):
        return [node.taken]
    return [end for card in choices(node, ctx) for end in ends(step(node, card, ctx), ctx)]


def siblings(line: list[Node], ctx: dict) -> list[tuple[int, ...]]:
    """Tricks after each card of the last decision of a line, if nothing else is decided after any of them."""
    deciding = [node for node in line if not over(node) and len(choices(node, ctx)) > 1]
    if not deciding:
        return []
    found = [ends(step(deciding[-1], card, ctx), ctx) for card in choices(deciding[-1], ctx)]
    return [some[0] for some in found] if all(len(some) == 1 for some in found) else []


def deals(cards: frozenset[str], sizes: list[int]) -> Iterator[Hands]:
    """Every way to deal the cards to hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(sorted(cards), sizes[0]):
        for rest in deals(cards - set(hand), sizes[1:]):
            yield (frozenset(hand), *rest)


def worlds(seat: int, hand: frozenset[str], size: int, seats: int, deck: list[str], played: Played, ctx: dict) -> int:
    """Deals in which this seat has this hand and every card played is legal."""
    others = [s for s in range(seats) if s != seat]
    count = 0
    for rest in deals(frozenset(deck) - hand, [size] * len(others)):
        where = {seat: hand, **dict(zip(others, rest, strict=True))}
        node = begin(tuple(where[s] for s in range(seats)))
        for who, card in played:
            if turn(node) != who or card not in choices(node, ctx):
                break
            node = step(node, card, ctx)
        else:
            count += 1
    return count


def counts(line: list[Node], deck: list[str], ctx: dict) -> list[int]:
    """Worlds of the seat on turn at every turn of a line."""
    first = line[0].hands
    found = []
    for node in line:
        if not over(node):
            seat = turn(node)
            found.append(worlds(seat, first[seat], len(first[seat]), len(first), deck, node.played, ctx))
    return found


def learned(line: list[Node], numbers: list[int]) -> list[Fraction]:
    """What seats learn between two turns of theirs, where they had something to learn."""
    out, last = [], dict[int, int]()
    for node, n in zip(line, numbers, strict=False):
        seat = turn(node)
        if last.get(seat, 1) > 1:
            out.append(1 - Fraction(n, last[seat]))
        last[seat] = n
    return out


def lines(node: Node, ctx: dict, chance: Fraction = Fraction(1)) -> Iterator[tuple[Fraction, list[Node]]]:
    """Every line from here with its chance under random play."""
    if over(node):
        yield chance, [node]
        return
    legal = choices(node, ctx)
    for card in legal:
        for p, rest in lines(step(node, card, ctx), ctx, chance / len(legal)):
            yield p, [node, *rest]


class Whole(NamedTuple):
    """The measures of a whole game, exactly."""

    same: Fraction
    closed: Fraction
    most: tuple[Fraction, ...]
    learned: Fraction


def whole(deck: list[str], seats: int, ctx: dict) -> Whole:
    """Every deal, every line."""
    every = list(deals(frozenset(deck), [len(deck) // seats] * seats))
    closed = same = gained = pairs = Fraction(0)
    most = [Fraction(0)] * seats
    known: dict[tuple[int, frozenset[str], tuple[tuple[int, str], ...]], int] = {}
    for hands in every:
        for p, line in lines(begin(hands), ctx):
            leaves = siblings(line, ctx)
            closed += p * bool(leaves)
            same += p * (len(set(leaves)) == 1)
            end = line[-1].taken
            best = [s for s in range(seats) if end[s] == max(end)]
            for s in best:
                most[s] += p / len(best)
            numbers = []
            for node in line[:-1]:
                seat = turn(node)
                key = seat, hands[seat], tuple(node.played)
                if key not in known:
                    known[key] = worlds(seat, hands[seat], len(hands[seat]), seats, deck, node.played, ctx)
                numbers.append(known[key])
            found = learned(line, numbers)
            gained += p * sum(found)
            pairs += p * len(found)
    n = len(every)
    return Whole(same / closed, closed / n, tuple(m / n for m in most), gained / pairs)
