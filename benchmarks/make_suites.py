"""Make the suites that this project deals itself: kit, thousand_120 and hard.

    python benchmarks/make_suites.py            say whether the files are what this script makes
    python benchmarks/make_suites.py --write    write them anew; needs endplay for the bridge values

Kit values come from plain minimax over the model of the rules, bridge values from DDS (endplay). The others come from
the search, and `--write` refuses to write what the search with each of its parts turned off does not find again.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from solver.bench.ablation import agreed
from solver.bench.peers import find_peer
from solver.bench.workloads import SUITES as FOLDER
from solver.formats.jsonl import read_position
from solver.games import game
from solver.model.cards import Card
from solver.model.play import Position

SEED = 1
KIT, THOUSAND, SPADES = 200, 200, 12

#: Lengths of the suits of North; the other seats have them in turn, so that every suit adds up.
SHAPES = (
    (13, 0, 0, 0), (10, 3, 0, 0), (9, 4, 0, 0), (8, 5, 0, 0), (7, 6, 0, 0), (6, 6, 1, 0), (5, 5, 3, 0), (7, 2, 2, 2),
    (4, 4, 4, 1), (4, 3, 3, 3),
)  # fmt: skip
#: Lengths of partners with the same shape, North first.
MIRRORS = (
    ((4, 3, 3, 3), (2, 4, 4, 3), (4, 3, 3, 3), (3, 3, 3, 4)),
    ((6, 4, 2, 1), (1, 2, 4, 6), (6, 4, 2, 1), (0, 3, 5, 5)),
    ((5, 5, 2, 1), (1, 2, 5, 5), (5, 5, 2, 1), (2, 1, 4, 6)),
)
#: Trumps of each seat, and the seats that collect.
TRUMPS = (
    ((6, 6, 1, 1, 0), (0,)), ((6, 6, 1, 1, 0), (1, 4)), ((6, 2, 2, 2, 2), (0,)), ((6, 2, 2, 2, 2), (1, 3)),
    ((3, 3, 3, 3, 2), (0, 4)), ((3, 3, 3, 3, 2), (2,)), ((0, 0, 4, 5, 5), (0, 1)), ((0, 0, 4, 5, 5), (1, 3)),
    ((6, 5, 1, 1, 1), (2, 3)), ((5, 5, 2, 2, 0), (0, 4)), ((4, 4, 4, 1, 1), (0, 1)), ((6, 0, 3, 0, 5), (1, 2)),
)  # fmt: skip

VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
BONUS = {"H": 100, "D": 80, "C": 60, "S": 40}


def record(name: str, number: int, kind: str, hands: Sequence[Sequence[str]], **more: Any) -> dict[str, Any]:
    """One line of a suite, without its answer."""
    return {"id": f"{name}-{number}", "game": kind, "hands": [sorted(hand) for hand in hands], **more}


def kit() -> Iterator[dict[str, Any]]:
    """One seat against the other two, seat 0 to lead."""
    rng = random.Random(f"kit {SEED}")
    for i in range(KIT):
        hands = game("kit").deal(seed=SEED * 100_000 + i).hands
        line = record("kit", i, "kit", hands, leader=0, trump=None, side=[rng.randrange(3)])
        yield {**line, "value": minimax(read_position(line)[1])}


def minimax(position: Position) -> int:
    """What the side takes from here on, by trying every line of play."""

    @functools.cache
    def value(hands: tuple[frozenset[Card], ...], leader: int, trick: tuple[Any, ...]) -> int:
        here = Position(position.rules, hands, leader, side=position.side, trick=trick)
        if here.over:
            return 0
        found = []
        for move in here.legal():
            after = here.play(move)
            found.append(after.collected - here.collected + value(after.hands, after.leader, after.trick))
        return max(found) if here.turn in here.side else min(found)

    return value(position.hands, position.leader, position.trick)


def thousand_120() -> Iterator[dict[str, Any]]:
    """The seat with most points and marriages plays 120 and passes its two lowest cards that break no marriage."""
    rules = game("thousand")

    def couples(hand: frozenset[Card]) -> list[str]:
        return [suit for suit in BONUS if {"K" + suit, "Q" + suit} <= hand]

    for i in range(THOUSAND):
        deal = rules.deal(seed=SEED * 100_000 + i)
        strength = [sum(VALUE.get(c[0], 0) for c in hand) + sum(BONUS[s] for s in couples(hand)) for hand in deal.hands]
        seat = strength.index(max(strength))
        ten = deal.hands[seat] | deal.talon
        kept = {rank + suit for suit in couples(ten) for rank in "KQ"}
        left, right = sorted(ten, key=lambda c: (c in kept, VALUE.get(c[0], 0), c))[:2]
        contract = rules.contract(f"120 by {seat}, pass {left} to {(seat + 1) % 3}, {right} to {(seat + 2) % 3}")
        start = rules.start(deal, contract)
        line = record(
            "thousand_120", i, "thousand", start.hands, leader=start.leader, trump=None, side=[seat],
            marriages=True, first_lead=True, need=rules.need(contract).amount,
        )  # fmt: skip
        yield {**line, "makes": agreed(*read_position(line)[1:])}


def hard() -> Iterator[dict[str, Any]]:
    """Freak shapes and flat mirrors, three-seat sides, trumps in few hands."""
    for number, line in enumerate((*bridge(), *spades(), *sheepshead())):
        yield {**line, "id": f"hard-{number}"}


def by_lengths(rng: random.Random, suits: Sequence[Sequence[str]], lengths: Sequence[Sequence[int]]) -> list[list[str]]:
    """Deal each suit at random to seats that get so many cards of it."""
    hands: list[list[str]] = [[] for _ in lengths]
    for at, suit in enumerate(suits):
        cards = rng.sample(suit, len(suit))
        for hand, own in zip(hands, lengths, strict=True):
            hand += cards[: own[at]]
            del cards[: own[at]]
    return hands


def bridge() -> Iterator[dict[str, Any]]:
    """Each shape with its first suit as trumps and without trumps."""
    rng = random.Random(f"hard bridge {SEED}")
    peer = find_peer()
    if peer is None:
        raise SystemExit("make_suites: endplay is needed for the bridge values: python -m pip install endplay")
    suits = [[rank + suit for rank in "AKQJT98765432"] for suit in "SHDC"]
    turned = [tuple(tuple(shape[(i - seat) % 4] for i in range(4)) for seat in range(4)) for shape in SHAPES]
    for lengths in (*turned, *MIRRORS):
        for trump in ("S", None):
            side = rng.choice([[0, 2], [1, 3]])
            hands = by_lengths(rng, suits, lengths)
            line = record("hard", 0, "bridge", hands, leader=rng.randrange(4), trump=trump, side=side)
            yield {**line, "value": peer.value(peer.prepare(read_position(line)[1]))}


def spades() -> Iterator[dict[str, Any]]:
    """Five seats, three of them one side, what it takes lies far from nothing and from all."""
    rng = random.Random(f"hard spades {SEED}")
    rules = game("three_of_spades")
    found = 0
    while found < SPADES:
        hands = rules.deal(seed=rng.randrange(10**9)).hands
        line = record(
            "hard", 0, "three_of_spades", hands, leader=rng.randrange(5), trump=rng.choice("CDHS"),
            side=sorted(rng.sample(range(5), 3)),
        )  # fmt: skip
        value = agreed(*read_position(line)[1:])
        if 70 <= value <= 200:
            found += 1
            yield {**line, "value": value}


def sheepshead() -> Iterator[dict[str, Any]]:
    """Five seats with all trumps dealt, and extreme numbers of them."""
    rng = random.Random(f"hard sheepshead {SEED}")
    deck = game("sheepshead").deck.cards
    trumps = [str(c) for c in deck if c[1] == "D" or c[0] in "QJ"]
    fail = [str(c) for c in deck if c not in trumps]
    for counts, side in TRUMPS:
        value = 0
        while not 20 <= value <= 100:  # what is plain to see is not hard
            hands = by_lengths(rng, (trumps, fail), [(n, 6 - n) for n in counts])
            line = record("hard", 0, "sheepshead", hands, leader=rng.randrange(5), side=list(side), duties=None)
            value = agreed(*read_position(line)[1:])
        yield {**line, "value": value}


SUITES = {"kit": kit, "thousand_120": thousand_120, "hard": hard}


def main() -> int:
    """Write or compare; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the files")
    given = parser.parse_args()
    differ = 0
    for name, make in SUITES.items():
        path = FOLDER / f"{name}.jsonl"
        text = "".join(json.dumps(line) + "\n" for line in make())
        if given.write:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.name} differs from what this script makes", file=sys.stderr)
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
