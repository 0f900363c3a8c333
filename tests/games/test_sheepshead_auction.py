"""The auction of Sheepshead: pick, pass, and what all passing comes to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import cards
from solver.games import game
from solver.games.auction import Auction
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError

ALL_PASS = ["leaster", "doubler", "redeal", "moster", "mittler", "schneidster", "schwanzer"]


def start(**options: object) -> Auction:
    return game("sheepshead", **options).auction()


def test_eldest_speaks_first_and_the_first_pick_ends_it() -> None:
    auction = start()
    assert auction.turn == 0
    assert auction.legal() == ("pass", "pick")
    assert auction.result is None
    auction = auction.read("0:pass 1:pass pick")
    assert auction.turn is None
    assert auction.legal() == ()
    assert auction.result is not None
    assert (auction.result.declarer, auction.result.bid, auction.result.kind) == (2, None, "bid")
    with pytest.raises(IllegalPlayError, match="the auction is over"):
        auction.call("pick")


def test_the_dealer_speaks_last() -> None:
    auction = game("sheepshead").auction(dealer=1)
    assert auction.turn == 2
    assert [c.seat for c in auction.read("pass pass pass pass pass").calls] == [2, 3, 4, 0, 1]
    with pytest.raises(NotationError, match="dealer is 5"):
        game("sheepshead").auction(dealer=5)


@pytest.mark.parametrize("kind", ALL_PASS)
def test_all_pass(kind: str) -> None:
    auction = start(no_pick=kind).read("pass pass pass pass pass")
    assert auction.turn is None
    assert auction.result is not None
    assert (auction.result.declarer, auction.result.kind) == (None, kind)
    assert auction.result.text.startswith("all pass: ")


def test_forced_dealer() -> None:
    auction = start(no_pick="forced_dealer").read("pass pass pass pass")
    assert auction.turn == 4
    assert auction.legal() == ("pick",)
    with pytest.raises(IllegalPlayError, match="no_pick=forced_dealer"):
        auction.call("pass")
    result = auction.call("pick").result
    assert result is not None
    assert (result.declarer, result.kind) == (4, "forced")
    early = start(no_pick="forced_dealer").read("pass pick").result
    assert early is not None
    assert early.kind == "bid"


def test_weak_redeal() -> None:
    weak, strong = cards("TC 9C 8S 7S TH 9H"), cards("TC 9C 8S 7S TH 7D")
    with pytest.raises(IllegalPlayError, match="weak_redeal off"):
        start().call("redeal")
    one = game("sheepshead", weak_redeal=True)
    known = one.auction(hands=(strong, weak, strong, strong, strong))
    with pytest.raises(IllegalPlayError, match="without ace, face card and trump"):
        known.call("redeal")
    then = known.call("pass")
    assert then.legal() == ("pass", "pick", "redeal")
    result = then.call("redeal").result
    assert result is not None
    assert result.kind == "redeal"
    assert one.auction().legal() == ("pass", "pick", "redeal")  # hands unknown: taken at their word


@pytest.mark.parametrize("other", ["KC", "AS", "JD", "QH", "7D"])
def test_one_such_card_bars_the_redeal(other: str) -> None:
    hand = cards(f"TC 9C 8S 7S TH {other}")
    auction = game("sheepshead", weak_redeal=True).auction(hands=(hand,) * 5)
    assert "redeal" not in auction.legal()


def test_other_words_and_turns() -> None:
    auction = start()
    with pytest.raises(IllegalPlayError, match="calls are pass and pick"):
        auction.call("100")
    with pytest.raises(IllegalPlayError, match="out of turn"):
        auction.call("pick", 3)
    with pytest.raises(NotationError, match="as in 0:pick"):
        auction.read("0:!")


def test_queens_have_no_auction() -> None:
    with pytest.raises(UnsupportedError, match="partner=queens"):
        start(seats=4, partner="queens")


@given(
    seats=st.integers(3, 7),
    kind=st.sampled_from([*ALL_PASS, "forced_dealer"]),
    dealer=st.integers(0, 2),
    choices=st.lists(st.integers(0, 5), min_size=7, max_size=7),
)
def test_random_auctions_end(seats: int, kind: str, dealer: int, choices: list[int]) -> None:
    if kind == "mittler" and seats % 2 == 0:
        return
    auction = game("sheepshead", seats=seats, no_pick=kind).auction(dealer=dealer)
    for choice in choices[:seats]:
        if auction.turn is None:
            break
        legal = auction.legal()
        assert all((auction.bar(w) is None) == (w in legal) for w in ("pass", "pick", "redeal", "x"))
        auction = auction.call(legal[choice % len(legal)])
    assert auction.turn is None
    result = auction.result
    assert result is not None
    assert (result.declarer is None) == all(c.word == "pass" for c in auction.calls)
    spoken = " ".join(map(str, auction.calls))
    assert game("sheepshead", seats=seats, no_pick=kind).auction(dealer=dealer).read(spoken).result == result
