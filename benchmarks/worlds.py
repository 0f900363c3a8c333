"""How many worlds a seat's knowledge leaves open, and how fast they are counted and drawn.

``python benchmarks/worlds.py`` prints the table; ``--n`` sets how many worlds are drawn for each row.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

from solver.formats.record import Record, RecordedCard, RecordedTrick
from solver.games import Game, game
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError
from solver.worlds.knowledge import Knowledge


def situation(name: str, text: str, seat: int, cards: int, seed: int = 1, **options: object) -> Knowledge:
    """What a seat knows after some random legal cards, in the first deal from a seed on that allows the contract."""
    one, rng = game(name, **options), random.Random(seed)
    contract = one.contract(text)
    while True:
        deal = one.deal(seed=seed)
        try:
            chosen = planned(one, deal, contract, rng)
            position = one.start(deal, chosen)
            break
        except (IllegalPlayError, IndexError):
            seed += 1
    row = []
    for _ in range(cards):
        move = rng.choice(position.legal())
        row.append(RecordedCard(position.turn, move))
        position = position.play(move)
    play = tuple(RecordedTrick(tuple(row[i : i + one.seats])) for i in range(0, len(row), one.seats))
    record = Record(one, one.seats - 1, deal.hands, deal.talon, (), chosen, play)
    return Knowledge.from_record(record, seat)


def planned(one: Game, deal: Deal, contract: Contract, rng: random.Random) -> Contract:
    """The contract with some legal plan."""
    if contract.declarer is None or not deal.talon:
        return contract
    return rng.choice(list(one.plans(deal.hands[contract.declarer] | deal.talon, contract)))


def rows() -> Iterator[tuple[str, Knowledge]]:
    """The situations."""
    kit, thousand, sheep, spades = (game(n) for n in ("kit", "thousand", "sheepshead", "three_of_spades"))
    yield "kit: first lead", kit.knowledge(0, "o1 o2 t3 s4")
    yield "kit: after 4 cards", situation("kit", "1 by 0", 1, 4)
    bidder = thousand.knowledge(0, "AH KH QH 9H TS JC 9D")
    yield "Thousand: auction", bidder
    yield "Thousand: talon taken", bidder.see(talon="TH JS 9C")
    defender = thousand.knowledge(1, "AS KS QS 9S AC TC JD")
    yield "Thousand: defender, trick 1", defender.see(talon="TH JS 9C").contract("120 by 0, pass 9D to 1")
    strong = defender.heard("0:100 1:110 2:pass 0:150 1:pass").see(talon="TH JS 9C")
    yield "Thousand: defender, bid of 150", strong.contract("150 by 0, pass 9D to 1")
    yield "Thousand: defender, 9 cards", situation("thousand", "120 by 0", 1, 9)
    two = game("thousand", preset="two_fixed")
    yield "Thousand: two seats", two.knowledge(0, "AH KH QH 9H TS JC 9D AS TD KD")
    hand = sheep.knowledge(0, "QS 9D AC 9C KH 7S")
    yield "Sheepshead: pick or pass", hand
    yield "Sheepshead: picker, after the bury", situation("sheepshead", "by 0", 0, 0)
    yield "Sheepshead: defender, trick 1", hand.contract("picker 2, call AH")
    yield "Sheepshead: defender, under card out", hand.contract("picker 2, call AS, under ?")
    yield "Sheepshead: defender, 11 cards", situation("sheepshead", "by 0", 1, 11)
    yield "Sheepshead: defender, 18 cards", situation("sheepshead", "by 0", 1, 18)
    yield "Sheepshead: leaster, 12 cards", situation("sheepshead", "leaster", 1, 12)
    yield "Sheepshead: 7 seats", situation("sheepshead", "by 0", 3, 7, seats=7)
    call = "175 by 1, trump S, call AS KD"
    open_cards = "AC KC QC JC TC 9C 8C 7C 6C 5C"
    yield "3 of Spades: bidder", spades.knowledge(1, open_cards).contract(call)
    yield "3 of Spades: other seat", spades.knowledge(0, open_cards).contract(call)
    yield "3 of Spades: 5 seats, 15 cards", situation("three_of_spades", "175 by 1, trump S, call AS KD", 0, 15, 5)
    seven = {"seats": 7}
    for cards in (0, 7, 14, 21):
        yield (
            f"3 of Spades: 7 seats, {cards} cards",
            situation("three_of_spades", "175 by 1, trump S, call AS KD 3C", 0, cards, 11, **seven),
        )
    yield "Whist: after 8 cards", situation("whist", "7 by 0, trump H", 1, 8)
    yield "Bridge: after 8 cards", situation("bridge", "4H by 0", 1, 8)
    yield "Skat: defender, 9 cards", situation("skat", "hearts by 0", 1, 9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=100_000, help="worlds drawn for each row")
    n = parser.parse_args().n
    game("kit").knowledge(0, "o1 o2 t3 s4").sample(5, seed=1, limit=0)  # compiles
    print(f"{'situation':<40}{'worlds':>38}{'count ms':>10}{'edges':>8}{'worlds/s':>12}{'peak MB':>9}")
    for words, known in rows():
        known = replace(known)  # nothing counted yet
        _ = known.situation
        begun = time.perf_counter()
        total = known.count()
        counted = time.perf_counter() - begun
        known.sample(10, seed=1, limit=0)
        begun = time.perf_counter()
        known.sample(n, seed=1, limit=0)
        drawn = time.perf_counter() - begun
        edges = len(known.counted.graph.edge_cards)
        tracemalloc.start()
        replace(known).sample(n, seed=1, limit=0)
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        print(f"{words:<40}{total:>38,}{1e3 * counted:>10.1f}{edges:>8,}{n / drawn:>12,.0f}{peak:>9.1f}")


if __name__ == "__main__":
    main()
