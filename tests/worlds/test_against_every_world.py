"""Random situations of every game: the worlds are exactly those that the plain twin finds by trying all of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

import brute
import random_records as rr
from naive import worlds as naive
from solver.formats.record import Record
from solver.games import GAMES, Game, game
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))

#: Rule sets in which half of the situations of a game are played; the others have house rules drawn at random.
OWN = {name: [(n, o) for n, o in rr.RULES if n == name] for name in GAMES}


def some_game(rng: random.Random, name: str) -> Game:
    if rng.random() < 0.5:
        _, options = rng.choice(OWN[name])
        return game(name, **options)
    while True:
        one = rr.house_rules(rng)
        if one.name == name:
            return one


def situations(name: str, seed: int, count: int, most: int) -> Iterator[tuple[rr.Played, int]]:
    """Deals in play, each with a seat that has between two and `most` layouts to try."""
    rng = random.Random(f"{name} {seed}")
    while count:
        one = some_game(rng, name)
        total = one.seats * max(h for h, _ in one.sizes)
        try:
            played = rr.played(rng, one, cards=rng.randrange(total // 5, total))
        except UnsupportedError:
            continue
        if played.positions:
            for seat in rng.sample(range(one.seats), one.seats):
                if 1 < naive.candidates(brute.seen_by(played, seat)[0]) <= most:
                    count -= 1
                    yield played, seat
                    break


def compare(played: rr.Played, seat: int) -> Worlds:
    """Count, list and chances against the twin's worlds; the true deal is among them."""
    seen, plan_ok = brute.seen_by(played, seat)
    known = Knowledge.from_record(played.record, seat)
    found = known.enumerate()
    every = {
        brute.row(world, found) for world in naive.possible(brute.table_of(played.record.game).twin, seen, plan_ok)
    }
    assert set(map(tuple, found.owners.tolist())) == every
    assert len(found) == len(every) == known.count()
    for j, card in enumerate(found.cards):
        for at, place in enumerate(known.situation.places):
            if place.size:
                name = at if place.seat is not None else place.kind
                assert known.chance(card, name) * len(every) == sum(row[j] == at for row in every)
    contract = played.record.contract
    true = played.positions[-1].play(played.record.play[-1].cards[-1].move)
    at = {c: s for s, hand in enumerate(true.hands) for c in hand}
    for kind, cards in (("bury", contract.bury), ("under", [contract.under] if contract.under else [])):
        at |= dict.fromkeys(cards, known.situation.place(kind))
    rest = known.situation.place("talon")
    assert tuple(at.get(c, rest) for c in found.cards) in every
    return found


def uniform(found: Worlds, seed: int) -> None:
    """Drawn worlds are uniform over all, by chi-squared at a level of 1 in 100,000; seeds are fixed."""
    every = {row.tobytes(): i for i, row in enumerate(found.owners)}
    if not 2 <= len(every) <= 400:
        return
    drawn = found.knowledge.sample(40 * len(every), seed=seed, limit=0)
    assert not drawn.exact
    counts = np.bincount([every[row.tobytes()] for row in drawn.owners], minlength=len(every))
    assert chi2.sf(((counts - 40) ** 2 / 40).sum(), len(every) - 1) > 1e-5


@pytest.mark.kernel
@pytest.mark.parametrize("name", GAMES)
def test_random_situations(name: str) -> None:
    for number, (played, seat) in enumerate(situations(name, 1, 12, 600)):
        uniform(compare(played, seat), number)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_random_situations(name: str) -> None:
    for number, (played, seat) in enumerate(situations(name, 2, 12 if SMALL else 200, 3_500)):
        uniform(compare(played, seat), number)


# --------------------------------------------------------------------- special plans of Sheepshead


def planned(options: dict, wanted: str, seed: int, cards: int) -> rr.Played:
    """A deal in play whose picker has a plan of one kind, drawn at random among those."""
    one, rng = game("sheepshead", **options), random.Random(f"{wanted} {options} {seed}")
    while True:
        deal = one.deal(seed=rng.randrange(10**9))
        picker = rng.randrange(one.seats)
        test = {
            "under": lambda p: p.under is not None, "ten": lambda p: bool(p.called) and p.called[0].rank == "T",
            "jack": lambda p: bool(p.called) and p.called[0].rank == "J", "alone": lambda p: p.kind == "alone",
            "ace": lambda p: bool(p.called) and p.called[0].rank == "A" and p.under is None,
        }[wanted]  # fmt: skip
        plans = [p for p in one.plans(deal.hands[picker] | deal.talon, Contract(declarer=picker)) if test(p)]
        if plans:
            blank = Record(one, one.seats - 1, deal.hands, deal.talon, (), rng.choice(plans))
            return rr.play_out(rng, blank, deal, cards, 0.9)


PLANS: list[tuple[str, dict]] = [
    ("under", {}),
    ("under", {"under_may_be_led": False}),
    ("under", {"under_test": "after_bury"}),
    ("under", {"partner_leads_any": True}),
    ("ten", {}),
    ("ten", {"called_ten_wins": False, "bury_ace": False}),
    ("ace", {"bury_trump": False}),
    ("ace", {"bury_trump": False, "bury_ace": False}),
    ("ace", {"call_own_ace": True}),
    ("ace", {"hold_card": False}),
    ("ace", {"partner_leads_any": True}),
    ("ace", {"seats": 4, "partner": "called"}),
    ("jack", {"partner": "jd", "jd_call_up": True}),
    ("alone", {"partner": "jd", "jd_call_up": True}),
    ("alone", {}),
]


def plan_situations(wanted: str, options: dict, count: int, most: int) -> Iterator[tuple[rr.Played, int]]:
    one = game("sheepshead", **options)
    total, seed = one.seats * one.hand_size, 0
    while count:
        seed += 1
        played = planned(options, wanted, seed, random.Random(seed).randrange(total // 2, total))
        for seat in range(one.seats):
            if 1 < naive.candidates(brute.seen_by(played, seat)[0]) <= most:
                count -= 1
                yield played, seat
                break


@pytest.mark.kernel
@pytest.mark.parametrize("wanted, options", PLANS, ids=str)
def test_plans_of_the_picker(wanted: str, options: dict) -> None:
    for played, seat in plan_situations(wanted, options, 3, 1_500):
        compare(played, seat)


@pytest.mark.slow
@pytest.mark.parametrize("wanted, options", PLANS, ids=str)
def test_many_plans_of_the_picker(wanted: str, options: dict) -> None:
    for number, (played, seat) in enumerate(plan_situations(wanted, options, 1 if SMALL else 20, 6_000)):
        uniform(compare(played, seat), number)


# --------------------------------------------------------------------- bids above the cap of 120


def bid_high(seed: int, cards: int) -> rr.Played:
    """A deal of Thousand whose declarer bid all that its own marriages allow."""
    one, rng = game("thousand"), random.Random(seed)
    while True:
        deal = one.deal(seed=rng.randrange(10**9))
        top = max(range(3), key=lambda s: one.cap(deal.hands[s]))
        if one.cap(deal.hands[top]) < 160:
            continue
        bid = one.cap(deal.hands[top])
        calls = one.auction(dealer=(top - 1) % 3, hands=deal.hands).read(f"{bid}, pass, pass").calls
        contract = Contract(declarer=top, target=bid, leader=top)
        chosen = rng.choice(list(one.plans(deal.hands[top] | deal.talon, contract)))
        return rr.play_out(rng, Record(one, (top - 1) % 3, deal.hands, deal.talon, calls, chosen), deal, cards, 0.9)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(6))
def test_high_bids_show_marriages(seed: int) -> None:
    played = bid_high(seed, 5 + seed)
    for seat in range(3):
        if 1 < naive.candidates(brute.seen_by(played, seat)[0]) <= 7_000:
            compare(played, seat)


def test_hidden_cards_do_not_leak() -> None:
    """Records that a seat cannot tell apart give the same knowledge."""
    for name in GAMES:
        for played, seat in situations(name, 3, 3, 300):
            known = Knowledge.from_record(played.record, seat)
            found = known.enumerate()
            for i in range(0, len(found), max(1, len(found) // 5)):
                other = swapped(played.record, found, i)
                if other is not None:
                    assert Knowledge.from_record(other, seat) == known


def swapped(record: Record, found: Worlds, i: int) -> Record | None:
    """The record as it would be in world i; None where the deal before the plan is not settled by it."""
    contract = found.contract(i)
    if record.contract.passes or record.contract.taken:
        return None
    hands = list(found.deal(i).hands)
    talon = found.deal(i).talon
    if contract.declarer is not None and record.talon:
        d = contract.declarer
        if record.contract.bury:
            eight = hands[d] | set(contract.bury)
            if found.knowledge.seat == d:
                hands[d], talon = record.hands[d], record.talon  # type: ignore[assignment]
            else:
                talon = frozenset(sorted(eight)[: record.game.talon_size])
                hands[d] = eight - talon
        else:
            talon = frozenset(record.game.deck.cards).difference(*hands)
    plan = replace(record.contract, bury=contract.bury, under=contract.under)
    return replace(record, hands=tuple(hands), talon=talon, contract=plan)
