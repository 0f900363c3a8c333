"""The auction of Thousand: T5 of RULES.md 3.14, forced bids, caps, and the rule named for each call that is barred."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import cards
from naive import thousand as naive
from solver.games import deal, game
from solver.games.thousand import Thousand
from solver.model.errors import IllegalPlayError, NotationError

HANDS = tuple(map(cards, ["AH KH QH 9H TS JC 9D", "AS KS QS 9S AC TC JD", "AD TD KD QD KC QC JH"]))


def thousand(**options: object) -> Thousand:
    found = game("thousand", **options)
    assert isinstance(found, Thousand)
    return found


def end(text: str, **options: object) -> tuple[int | None, int | None, str] | None:
    """Declarer, bid and kind that these calls come to; seat 0 is forehand."""
    found = thousand(**options).auction().read(text).result
    return None if found is None else (found.declarer, found.bid, found.kind)


def test_T5_auctions() -> None:
    assert end("0:100 1:110 2:pass 0:120 1:pass") == (0, 120, "bid")
    assert end("pass pass") == (2, 100, "forced")


@pytest.mark.parametrize(
    "hand, expected",
    [("AH KH QH 9H TS JC 9D", 220), ("AS KS QS 9S AC TC JD", 160), ("AD TD KD QD KC QC JH", 260), ("AH TH 9S", 120)],
)
def test_T5_caps(hand: str, expected: int) -> None:
    assert thousand().cap(cards(hand)) == expected == naive.cap(cards(hand))
    assert thousand(bid_cap="flat120").cap(cards(hand)) == 120
    assert thousand(bid_cap="none").cap(cards(hand)) == 400


CAPPED = {120: "AH TH JH 9S TS AC TC", 160: "KS QS AH TH 9D 9C JC", 260: "KD QD KC QC 9H 9S JS"}


@pytest.mark.parametrize(
    "bid, current, cap, legal, rule",
    [
        (100, None, 120, True, ""),
        (95, None, 120, False, "the lowest bid is 100"),
        (103, None, 120, False, "multiples of 5"),
        (110, 110, 120, False, "a bid of 110 stands"),
        (115, 110, 120, True, ""),
        (125, 120, 120, False, "may bid to 120"),
        (125, 120, 160, True, ""),
        (165, 160, 160, False, "may bid to 160"),
        (200, 195, 260, True, ""),
        (205, 200, 260, False, "of 10 from 200"),
        (210, 200, 260, True, ""),
    ],
)
def test_T5_legality(bid: int, current: int | None, cap: int, legal: bool, rule: str) -> None:
    hands = (HANDS[2], cards(CAPPED[cap]), HANDS[1])
    start = thousand().auction(hands=hands)
    assert thousand().cap(hands[1]) == cap
    now = start.call("pass" if current is None else str(current))
    assert (now.bar(str(bid)) is None) == legal == (str(bid) in now.legal())
    assert naive.legal_bid(bid, current, cap) == legal
    if not legal:
        with pytest.raises(IllegalPlayError, match=f"seat 1 may not call '{bid}': .*{rule}"):
            now.call(str(bid))


@pytest.mark.parametrize(
    "text, options, expected",
    [
        ("pass 100 105 pass", {}, (2, 105)),
        ("pass 100 pass", {}, (1, 100)),
        ("100 pass pass", {"all_pass": "forced_forehand"}, (0, 100)),
        ("100 110 pass pass", {"all_pass": "forced_forehand"}, (1, 110)),
        ("pass pass 100", {"all_pass": "redeal"}, (2, 100)),
        ("pass pass pass", {"all_pass": "redeal"}, (None, None)),
        ("100 140 pass pass", {}, (1, 140)),  # jumps are allowed
        ("pass", {"table": "two_fixed"}, (1, 100)),
        ("pass pass pass", {"table": "four_pairs"}, (3, 100)),
        ("pass 100 pass 110 pass", {"table": "four_pairs"}, (3, 110)),
        ("pass pass", {"table": "four_sit_out"}, (2, 100)),
    ],
)
def test_ends(text: str, options: dict, expected: tuple) -> None:
    found = end(text, **options)
    assert found is not None
    assert found[:2] == expected


def test_kinds() -> None:
    assert end("100 pass pass", all_pass="forced_forehand") == (0, 100, "forced")
    assert end("pass pass pass", all_pass="redeal") == (None, None, "redeal")
    assert end("100 pass") is None
    assert end("100 110 120 pass 130 pass", bid_step=10) == (1, 130, "bid")


@pytest.mark.parametrize(
    "text, options, rule",
    [
        ("pass", {"all_pass": "forced_forehand"}, "forehand must open with 100"),
        ("110", {"all_pass": "forced_forehand"}, "forehand must open with 100"),
        ("105", {"bid_step": 10}, "multiples of 10"),
        ("125", {"bid_cap": "flat120"}, "above 120 (option bid_cap=flat120)"),
        ("410", {"bid_cap": "none"}, "highest bid is 400"),
        ("pass pass 100", {}, "over"),
        ("100 pass 2:pass 0:110", {}, "over"),
        ("100 2:110", {}, "out of turn"),
        ("pick", {}, "'pass' or a bid"),
        ("0100", {}, "'pass' or a bid"),
        ("9999999", {}, "'pass' or a bid"),
        ("pass 100 0:110", {}, "out of turn"),
    ],
)
def test_barred(text: str, options: dict, rule: str) -> None:
    with pytest.raises(IllegalPlayError, match=re.escape(rule)) as caught:
        thousand(**options).auction().read(text)
    assert "\n" not in str(caught.value)


def test_cap_needs_the_hand() -> None:
    assert thousand().auction().legal()[-1] == "400"
    assert thousand(bid_cap="flat120").auction().legal() == ("pass", "100", "105", "110", "115", "120")
    assert thousand().auction(hands=HANDS).legal()[-1] == "220"
    full = thousand().auction(hands=HANDS).read("220 pass 230")
    assert full.turn == 0
    assert full.legal() == ("pass",)


def test_seats_and_dealer() -> None:
    assert thousand().auction(dealer=0).turn == 1
    assert thousand().auction(dealer=0).read("pass pass").result.text.startswith("all pass: the dealer, seat 0")
    for wrong in ({"dealer": 3}, {"dealer": -1}, {"hands": HANDS[:2]}):
        with pytest.raises(NotationError):
            thousand().auction(**wrong)
    with pytest.raises(NotationError, match="0:100"):
        thousand().auction().read("?")


@given(st.integers(0, 500), st.lists(st.integers(0, 60), max_size=40))
def test_random_auctions_agree_with_the_twin(seed: int, choices: list[int]) -> None:
    one = thousand()
    hands = deal(one, seed=seed).hands
    caps = [one.cap(h) for h in hands]
    now, said = one.auction(hands=hands), []
    for pick in choices:
        if now.turn is None:
            break
        standing = now.standing[1] if now.standing else None
        assert now.legal() == ("pass", *map(str, naive.legal_bids(standing, caps[now.turn])))
        word = now.legal()[min(pick, 3 if pick < 30 else 60) % len(now.legal())]
        said.append(None if word == "pass" else int(word))
        now = now.call(word)
    while now.turn is not None:
        now = now.call("pass")
        said.append(None)
    assert naive.auction(said, caps) == (now.result.declarer, now.result.bid)
