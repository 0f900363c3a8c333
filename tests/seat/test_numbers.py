"""The numbers at the first lead: against a plain twin, against the exact figures of the kit, and what they promise."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

import random_records as rr
import twin
from naive import minimax, pimc
from solver.games import Game, game
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.seat.blind import blind_lead
from solver.seat.firstlead import Chooser, at_first_lead, needs_of, reached_in
from solver.seat.numbers import Numbers, chooser_of, numbers_at_lead, parts
from solver.seat.seatviews import Views
from solver.seat.selfplay import self_play
from solver.worlds.knowledge import Knowledge

pytestmark = pytest.mark.kernel

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))
KIT = game("kit")

#: Over all deals of the kit: contract, its chance under best play by all in per cent, and how many points each number
#: is off, as measured with a tabular solution of the game.
TABLE = [
    ("2 by 0, lead 0", 57.9, {"double dummy": 1.2, "blind lead": -0.2, "self-play": 1.8}),
    ("2 by 1, lead 0", 26.0, {"double dummy": -4.5, "blind lead": -1.1, "self-play": 2.4}),
    ("2 by 2, lead 0", 26.2, {"double dummy": -4.7, "blind lead": -1.3, "self-play": 2.4}),
]

#: Standard deviation of a number less double dummy between hands of the kit, in points, over all of them.
SPREAD = {"blind lead": 5.5, "self-play": 9.4}

#: Hands with their contract at the first lead, by game.
FIRST = {
    "sheepshead": [
        (0, "QC JS AD 9D TC 8C", "picker 0, call AC, bury AS KH"),
        (0, "QC JS AD 9D TC 8C", "picker 0, alone, bury AS KH, lead 2"),
        (1, "QC JS AD 9D TC 8C", "picker 0, call AC, bury ?"),
        (3, "QC JS AD 9D TC 8C", "picker 0, call AS, under ?, bury ?"),
    ],
    "thousand": [
        (0, "AH KH QH TH TS JC 9D JS", "110 by 0, pass 9C to 1, 9S to 2"),
        (1, "AH KH QH TH TS JC 9D AC", "110 by 0, pass AC to 1"),
    ],
    "three_of_spades": [(1, "AS KS QS JS 3S AH KH AD 9C 5C", "150 by 1, trump S, call AC TS")],
}


def kinds() -> Counter[tuple[int, ...]]:
    """Hands of the kit up to the names of suits, with how many hands each stands for."""
    found: Counter[tuple[int, ...]] = Counter()
    for hand in combinations(range(12), 4):
        found[min(tuple(sorted(p[c // 4] * 4 + c % 4 for c in hand)) for p in permutations(range(3)))] += 1
    return found


def named(hand: tuple[int, ...], suits: str = "ots") -> str:
    return " ".join(f"{suits[c // 4]}{c % 4 + 1}" for c in hand)


def twin_of(one: Game) -> twin.Table:
    o = one.option_values()
    return twin.Table("kit", one.seats, o["suits"], o["ranks"])


# ---------------------------------------------------------------------- against the twin


@pytest.mark.parametrize(
    "options", [{"ranks": 3}, {"ranks": 3, "trump": "t"}, {"ranks": 3, "must_beat": True}, {"suits": 2, "ranks": 3}]
)
def test_plain_twin_chooses_the_same_cards(options: dict) -> None:
    one = game("kit", **options)
    table, rng = twin_of(one), random.Random(str(options))
    needs, memo = list(range(1, one.hand_size + 1)), {}
    for seat in (0, 1):
        deal = one.deal(seed=rng.randrange(10**6))
        leader = 0 if seat else rng.randrange(3)
        known = one.knowledge(seat, one.deck.write(deal.hands[seat])).contract(f"1 by {seat}, lead {leader}")
        worlds = known.sample(100, seed=1)
        assert worlds.exact
        leads = blind_lead(worlds, seed=1, workers=1)
        played = self_play(worlds, 1, seed=1, workers=1)
        assert leads.exact
        assert played.exact
        for i in rng.sample(range(len(worlds)), 3):
            start = worlds.start(i)
            ctx = twin.from_position(table, start)["ctx"]
            hands = list(start.hands)
            if leader != seat:
                seen = minimax.value(table.twin, hands, leader, [], ctx, frozenset({seat}))
                assert leads.seen_low[i].tolist() == [seen >= need for need in needs]
                expected = pimc.blind(table.twin, hands, leader, ctx, frozenset({seat}), needs, memo)
                assert leads.low[i].tolist() == leads.high[i].tolist() == expected
            cards = pimc.played_out(table.twin, hands, leader, ctx, frozenset({seat}), 1, needs[:3], memo)
            fewest = [str(m.card) for m in played.moves[i]]
            assert fewest == cards, (options, seat, leader, i)


def test_own_blind_lead_as_in_the_plain_twin() -> None:
    one = game("kit", ranks=3, trump="s")
    table, needs = twin_of(one), [1, 2, 3]
    for seed in range(2):
        hand = one.deck.write(one.deal(seed=seed).hands[0])
        worlds = one.knowledge(0, hand).contract("1 by 0, lead 0").sample(100, seed=1)
        leads = blind_lead(worlds, seed=1, workers=1)
        total: list[list[bool]] = []
        memo: dict = {}
        for i in range(len(worlds)):
            start = worlds.start(i)
            ctx = twin.from_position(table, start)["ctx"]
            total.append(pimc.blind(table.twin, list(start.hands), 0, ctx, frozenset({0}), needs, memo))
        assert np.mean(total, axis=0) == pytest.approx(leads.low.mean(axis=0))


# ---------------------------------------------------------------------- the kit, exactly


def kit_rows(contract: str, hands: list[tuple[int, ...]]) -> list[dict[str, float]]:
    """The numbers of some hands of the kit."""
    chooser, found = None, []
    for hand in hands:
        known = KIT.knowledge(int(contract[5]), named(hand)).contract(contract)
        chooser = chooser or chooser_of(known, 2)
        some = parts(known, seed=1, chooser=chooser)
        assert all(part.exact and len(part.low) == 70 for part in some.values())
        found.append({name: float(part.low.mean()) for name, part in some.items()})
    return found


def check_sample(contract: str, off: dict[str, float], count: int) -> None:
    """Some hands against double dummy, hand by hand, so that how good a hand is drops out."""
    every = [hand for hand, n in kinds().items() for _ in range(n)]
    found = kit_rows(contract, random.Random(contract).sample(every, count))
    for name, spread in SPREAD.items():
        some = [one[name] - one["double dummy"] for one in found]
        assert abs(100 * np.mean(some) - off[name] + off["double dummy"]) < 1 + 3 * spread / count**0.5


@pytest.mark.parametrize("contract, truth, off", TABLE)
def test_a_few_hands_of_the_kit_are_near_the_exact_figures(contract: str, truth: float, off: dict) -> None:
    check_sample(contract, off, 2)


@pytest.mark.slow
@pytest.mark.parametrize("contract, truth, off", TABLE)
def test_all_hands_of_the_kit_give_the_exact_figures(contract: str, truth: float, off: dict) -> None:
    if SMALL:
        check_sample(contract, off, 12)
        return
    hands = kinds()
    assert len(hands) == 98
    assert sum(hands.values()) == 495
    found = kit_rows(contract, list(hands))
    for name, error in off.items():
        p = np.average([one[name] for one in found], weights=list(hands.values()))
        assert abs(100 * p - truth - error) < 1


def test_names_of_suits_and_seats_do_not_matter() -> None:
    hand = (1, 3, 6, 8)
    found = []
    for suits, turn in (("ots", 0), ("sot", 1)):
        known = KIT.knowledge((1 + turn) % 3, named(hand, suits))
        known = known.contract(f"2 by {(1 + turn) % 3}, lead {turn}")
        found.append({name: part.low.sum() for name, part in parts(known, seed=turn).items()})
    assert all(one == found[0] for one in found)


# ---------------------------------------------------------------------- every game


def firsts() -> list[tuple[str, int, str, str]]:
    return [(name, *row) for name, rows in FIRST.items() for row in rows]


@pytest.mark.parametrize("name, seat, hand, contract", firsts())
def test_play_obeys_the_rules_and_workers_do_not_matter(name: str, seat: int, hand: str, contract: str) -> None:
    known = game(name).knowledge(seat, hand).contract(contract)
    worlds = known.sample(2, seed=5)
    one = self_play(worlds, seed=5, own_worlds=2, workers=2)
    assert one.moves[:1] == self_play(known.sample(1, seed=5), seed=5, own_worlds=2, workers=1).moves
    assert not one.exact
    needs = needs_of(worlds, (one.bid,))
    for i in range(len(worlds)):
        position = worlds.start(i)
        for move in one.moves[i]:
            position = position.play(move)
        assert position.over
        assert position == one.ends[i]
        assert reached_in(worlds.start(i), position, needs, i, 0) == one.reached[i]
        assert one.outcome(i).made in (None, bool(one.reached[i]))
    leads = [blind_lead(worlds, (one.bid,), seed=5, own_worlds=2, workers=w) for w in (1, 2)]
    assert np.array_equal(leads[0].low, leads[1].low)
    assert np.array_equal(leads[0].seen_low, leads[1].seen_low)


def test_views_hold_the_true_world_and_nothing_private() -> None:
    rng = random.Random(7)
    for name, options in rr.RULES:
        one, done = game(name, **options), 0
        for _ in range(20):
            played = rr.played(rng, one, seats=1)
            contract = played.record.contract
            if not played.positions or contract.declarer is None:
                continue
            for seat in range(one.seats):
                known = replace(Knowledge.from_record(played.record, seat), play=())
                try:
                    known = at_first_lead(known)
                except (NotationError, UnsupportedError):
                    continue
                worlds = known.sample(2, seed=3)
                views = Views(worlds, 3)
                for i in range(len(worlds)):
                    start = worlds.start(i)
                    for other in range(one.seats):
                        view = views.of(i, other)
                        assert view.seat == other
                        assert view.position.turn == start.turn
                        if other not in (seat, contract.declarer):
                            assert not view.agreed.bury
                            assert view.agreed.under is None
                            assert one.passes_shown() or {to for to, _ in view.agreed.passes} <= {other}
                        where = {c: s for s, h in enumerate(start.hands) for c in h}
                        for card in view.cards:
                            if card in where and view.situation.contract.under is None and "under" not in view.hidden:
                                assert view.chance(card, where[card]) > 0, (name, options, view)
                done += 1
            if done > 3:
                break
        assert done or name not in FIRST


def test_numbers_side_by_side() -> None:
    known = KIT.knowledge(0, "o1 o4 t3 s2").contract("2 by 0, lead 0")
    told: list[tuple[int, int]] = []
    found = numbers_at_lead(known, seed=1, workers=1, progress=lambda done, total: told.append((done, total)))
    assert isinstance(found, Numbers)
    assert found.frame["number"].tolist()[:3] == ["double dummy", "blind lead", "self-play"]
    assert told[-1] == (140, 140)
    rows = found.frame.iloc[:3]
    assert (rows["p"] == rows["low"]).all()
    assert (rows["n"] == 70).all()
    assert found.p("blind lead") <= found.p("double dummy")
    assert "no upper bound" in str(found)
    assert json.loads(json.dumps(found.to_json()))["bid"] == 2
    fast = numbers_at_lead(known, seed=1, fast=True, bid=3)
    assert fast.frame["number"].tolist() == ["double dummy", "blind lead"]
    assert fast.p("double dummy") <= found.p("double dummy")


def test_sampled_numbers_have_intervals() -> None:
    known = game("thousand").knowledge(0, "AH KH QH JH TS JC 9D JS").contract("120 by 0, pass 9C to 1, 9S to 2")
    found = numbers_at_lead(known, seed=2, worlds=40, deals=4, workers=1)
    assert found.frame["n"].tolist()[:3] == [40, 40, 4]
    assert (found.frame["low"] < found.frame["high"]).all()
    assert "one half" in found.frame["worlds"][1]
    again = numbers_at_lead(known, seed=2, worlds=40, deals=4, workers=2)
    assert again.frame.equals(found.frame)
    known = game("sheepshead").knowledge(0, "QC JS AD 9D TC 8C").contract("picker 0, call AC, bury AS KH, lead 1")
    seat = numbers_at_lead(known, seed=1, worlds=4, deals=1, workers=1)
    assert seat.bid == 61
    assert "seat 1 leads on 8 worlds" in seat.frame["worlds"][1]


@pytest.mark.parametrize("name, seat, hand, contract, bid, message", [
    ("kit", 0, "o1 o4 t3 s2", "2 by 0, lead 0", 7, "bid 7: expected one of 1, 2, 3, 4"),
    ("kit", 0, "o1 o4 t3 s2", "by 0, lead 0", None, "names no target"),
    ("sheepshead", 0, "QC JS AD 9D TC 8C", "leaster", None, "no thresholds"),
])  # fmt: skip
def test_what_has_no_number_is_refused(
    name: str, seat: int, hand: str, contract: str, bid: int | None, message: str
) -> None:
    known = game(name).knowledge(seat, hand).contract(contract)
    with pytest.raises(TrickwiseError, match=message):
        numbers_at_lead(known, bid=bid, seed=1)


def test_only_the_first_lead() -> None:
    known = KIT.knowledge(0, "o1 o4 t3 s2").contract("2 by 0, lead 0")
    with pytest.raises(NotationError, match="are played"):
        numbers_at_lead(known.played("0 o1"), seed=1)
    with pytest.raises(NotationError, match="not begun"):
        numbers_at_lead(game("thousand").knowledge(0, "AH KH QH 9H TS JC 9D"), seed=1)
    with pytest.raises(NotationError, match="deals is 0"):
        numbers_at_lead(known, seed=1, deals=0)
    assert numbers_at_lead(KIT.knowledge(0, "o1 o4 t3 s2"), bid=2, seed=1, fast=True).p("double dummy") > 0


def test_an_interrupt_keeps_what_is_finished() -> None:
    known = game("sheepshead").knowledge(0, "QC JS AD 9D TC 8C").contract("picker 0, call AC, bury AS KH, lead 0")
    worlds = known.sample(400, seed=1)
    whole = self_play(known.sample(1, seed=1), seed=1, own_worlds=2, workers=1)
    sent = threading.Event()

    def press(done: int, total: int) -> None:
        if not sent.is_set():
            sent.set()
            threading.Thread(target=lambda: (time.sleep(0.05), os.kill(os.getpid(), signal.SIGINT))).start()

    part = self_play(worlds, seed=1, own_worlds=2, workers=1, progress=press)
    assert 0 < len(part) < 400
    assert part.moves[0] == whole.moves[0]
    assert len(part.ends) == len(part.moves) == len(part)


def test_a_chooser_keeps_what_it_knows() -> None:
    known = KIT.knowledge(1, "o1 o4 t3 s2").contract("2 by 1, lead 0")
    chooser = Chooser(KIT, (1, 2, 3, 4))
    first = parts(known, seed=1, chooser=chooser)
    kept = len(chooser.kept)
    again = parts(known, seed=9, chooser=chooser)
    assert len(chooser.kept) == kept
    assert all(part.low.sum() == again[name].low.sum() for name, part in first.items())
