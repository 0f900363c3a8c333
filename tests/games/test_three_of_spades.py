"""3 of Spades beyond the play: auction (P2, P3 of RULES.md 4.8), plans, score and the options of RULES.md 4.7."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_table import card_values, contract, ending, legal, to_play, trick
from naive import three_of_spades as twin
from solver.deals.doubledummy import solve
from solver.games import game
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError


def spades(**options: object) -> ThreeOfSpades:
    """The game with options."""
    found = game("three_of_spades", **options)
    assert isinstance(found, ThreeOfSpades)
    return found


FIVE = spades()


def bids(one: ThreeOfSpades, said: str) -> list[int]:
    """Numbers that may be called after some calls."""
    return [int(w) for w in one.auction().read(said).legal() if w != "pass"]


# ---------------------------------------------------------------------- auction


def test_P2_opening() -> None:
    assert FIVE.auction().legal() == tuple(map(str, range(150, 251, 5)))


@pytest.mark.parametrize(
    "standing, expected",
    [("150", [155, 160, 250]), ("235", [240, 245, 250]), ("240", [245, 250]), ("245", [250]), ("250", [])],
)
def test_P2_raises(standing: str, expected: list[int]) -> None:
    assert bids(FIVE, standing) == expected
    assert FIVE.raises(int(standing)) == tuple(twin.raises(int(standing))) == tuple(expected)


@pytest.mark.parametrize(
    "said, seat, bid",
    [
        ("0:150 1:160 2:pass 3:165 4:pass 0:pass 1:175 3:pass", 1, 175),
        ("150 pass pass pass pass", 0, 150),
        ("0:150 1:250", 1, 250),
        ("250", 0, 250),
    ],
)
def test_P3(said: str, seat: int, bid: int) -> None:
    auction = FIVE.auction(dealer=4).read(said)
    assert auction.turn is None
    assert auction.legal() == ()
    result = auction.result
    assert result is not None
    assert (result.declarer, result.bid, result.kind) == (seat, bid, "bid")
    assert result.text == f"seat {seat} plays at {bid}"


@pytest.mark.parametrize(
    "said, word, rule",
    [
        ("", "pass", "opener must bid 150 or more"),
        ("", "145", "multiple of 5 from 150 to 250"),
        ("", "152", "multiple of 5 from 150 to 250"),
        ("", "255", "highest bid is 250"),
        ("", "9" * 9, "highest bid is 250"),
        ("", "pick", "a call is 'pass' or a bid"),
        ("160", "160", "160 stands and must be raised"),
        ("160", "155", "160 stands and must be raised"),
        ("160", "175", "raised by 5, by 10 or to 250"),
        ("160", "0165", "in figures"),
        ("245", "250 ", None),
        ("250", "pass", "the auction is over"),
    ],
)
def test_barred_calls(said: str, word: str, rule: str | None) -> None:
    auction = FIVE.auction().read(said)
    if rule is None:
        assert auction.call(word).turn is None
        return
    with pytest.raises(IllegalPlayError, match=rule) as caught:
        auction.call(word)
    assert "\n" not in str(caught.value)


def test_turns_pass_over_who_passed() -> None:
    auction = FIVE.auction(dealer=1)
    assert auction.turn == 2
    auction = auction.read("2:150 3:pass 4:155 0:pass 1:pass")
    assert auction.turn == 2
    with pytest.raises(IllegalPlayError, match="out of turn: seat 2"):
        auction.call("160", seat=3)
    after = auction.call("pass")  # the opener may pass later
    assert after.result is not None
    assert (after.result.declarer, after.result.bid) == (4, 155)
    with pytest.raises(NotationError, match="dealer is 5"):
        FIVE.auction(dealer=5)


@given(st.sampled_from([5, 6, 7]), st.data())
def test_auctions_against_the_twin(seats: int, data: st.DataObject) -> None:
    auction = spades(seats=seats).auction()
    actions: list[int | None] = []
    while auction.turn is not None:
        word = data.draw(st.sampled_from(auction.legal()))
        actions.append(None if word == "pass" else int(word))
        auction = auction.call(word)
    result = auction.result
    assert result is not None
    assert (result.declarer, result.bid) == twin.auction(seats, 0, actions)


def test_minimum_and_raise_rules() -> None:
    assert bids(spades(minimum=50), "")[:3] == [50, 55, 60]
    assert bids(spades(minimum=175, raises="tens"), "") == [175, 180, 190, 200, 210, 220, 230, 240, 250]
    assert bids(spades(raises="any"), "150") == list(range(155, 251, 5))
    assert bids(spades(raises="tens"), "150") == list(range(160, 251, 10))
    with pytest.raises(IllegalPlayError, match="multiples of 10"):
        spades(raises="tens").auction().read("150 165")
    assert [r.bid for r in spades(raises="tens", minimum=100).ladder(Contract())][:3] == [100, 110, 120]


def test_final_raise() -> None:
    auction = spades(final_raise=True).auction().read("150 pass pass pass pass")
    assert auction.turn == 0
    assert auction.legal() == ("pass", "155", "160", "250")
    for word, bid in (("pass", 150), ("160", 160), ("250", 250)):
        result = auction.call(word).result
        assert result is not None
        assert (result.declarer, result.bid) == (0, bid)
    top = spades(final_raise=True).auction().read("150 250")
    assert top.turn is None


@pytest.mark.parametrize("who, seat", [("opener", 3), ("dealer", 2)])
def test_all_pass(who: str, seat: int) -> None:
    auction = spades(all_pass=who, minimum=120).auction(dealer=2)
    assert auction.legal()[:2] == ("pass", "120")
    result = auction.read("pass pass pass pass pass").result
    assert result is not None
    assert (result.declarer, result.bid, result.kind) == (seat, 120, "forced")
    last = spades(all_pass=who, final_raise=True).auction(dealer=2).read("pass pass pass pass 2:160")
    assert last.result is not None
    assert (last.result.declarer, last.result.bid) == (2, 160)


# ---------------------------------------------------------------------- plans


@pytest.mark.parametrize("seats, count", [(5, 3120), (6, 3120), (7, 45_920), (4, 4 * 39), (3, 4 * 34)])
def test_plan_counts(seats: int, count: int) -> None:
    one = spades(seats=seats)
    hand = one.deal(seed=1).hands[0]
    found = list(one.plans(hand, one.contract("175 by 0")))
    assert len(found) == len(set(found)) == count
    assert not any(hand & set(c.called) for c in found[:500])
    assert {c.trump for c in found} == set("CDHS")
    assert {(c.declarer, c.target) for c in found} == {(0, 175)}


def test_plans_of_what_is_settled() -> None:
    hand = FIVE.deal(seed=1).hands[0]
    assert len(list(FIVE.plans(hand, FIVE.contract("by 0, trump H")))) == comb(40, 2)
    called = FIVE.deck.write(FIVE.deck.sort(FIVE.deal(seed=1).hands[1])[:2])
    assert len(list(FIVE.plans(hand, FIVE.contract(f"by 0, call {called}")))) == 4


def test_more_and_fewer_called_cards() -> None:
    one = spades(extra_partner=True)
    hand = one.deal(seed=1).hands[0]
    assert len(next(one.plans(hand, one.contract("245 by 0"))).called) == 2
    assert len(next(one.plans(hand, one.contract("250 by 0"))).called) == 3
    with pytest.raises(NotationError, match="calls 3"):
        one.contract("250 by 0, call AS KD")
    assert spades(seats=6, partners=3).calls == 3
    with pytest.raises(UnsupportedError, match="at most 2"):
        spades(seats=4, partners=3)


def test_own_card() -> None:
    deal = FIVE.deal(seed=1)
    own, other = FIVE.deck.sort(deal.hands[0])[0], FIVE.deck.sort(deal.hands[3])[0]
    text = f"175 by 0, trump S, call {own} {other}"
    with pytest.raises(IllegalPlayError, match="holds it"):
        FIVE.start(deal, FIVE.contract(text))
    free = spades(own_call=True)
    assert free.start(deal, free.contract(text)).side == {0, 3}
    both = " ".join(FIVE.deck.sort(deal.hands[0])[:2])
    assert free.start(deal, free.contract(f"175 by 0, trump S, call {both}")).side == {0}  # alone, and nobody knows
    assert len(list(free.plans(deal.hands[0], free.contract("175 by 0")))) == 4 * comb(50, 2)
    with pytest.raises(NotationError, match="2C 2D are removed"):
        FIVE.contract("175 by 0, call 2C AS")


# ---------------------------------------------------------------------- cards


@pytest.mark.parametrize(
    "options, size, hand",
    [
        ({"seats": 3}, 51, 17),
        ({"seats": 4}, 52, 13),
        ({"seats": 6, "removed": "twos"}, 48, 8),
        ({"seats": 4, "removed": "twos"}, 48, 12),
        ({"seats": 5, "removed": "twos_threes"}, 45, 9),
    ],
)
def test_decks(options: dict, size: int, hand: int) -> None:
    one = spades(**options)
    assert (len(one.deck), one.hand_size, one.total) == (size, hand, 250)
    assert one.deal(seed=1).hands[-1] < set(one.deck.cards)


def test_decks_that_do_not_go_round() -> None:
    with pytest.raises(UnsupportedError, match="48 cards cannot be dealt evenly to 5 seats"):
        spades(removed="twos")


def test_point_values() -> None:
    one = spades(point_values="ace_eleven", minimum=100)
    assert [one.points(c) for c in ("AS", "TH", "KC", "QD", "JS", "9S", "5H", "3S", "3H")] == [
        11, 10, 4, 3, 2, 0, 5, 30, 0,
    ]  # fmt: skip
    assert one.total == 170 == sum(one.trick_rules(Contract()).value_of.values())
    assert bids(one, "")[-1] == 170
    assert bids(one, "150") == [155, 160, 170]
    with pytest.raises(UnsupportedError, match="minimum is 175: there are 170"):
        spades(point_values="ace_eleven", minimum=175)


TOP = spades(three_on_top=True)


@pytest.mark.parametrize(
    "trump, text, best",
    [
        ("D", "AH 3S AD KH QH", "3S"),
        ("S", "AS 3S KS QS JS", "3S"),
        ("H", "3S AH KH QH JH", "3S"),
        ("H", "AS KS QS JS TS", "AS"),
        (None, "AS 3S KS QS JS", "AS"),
        (None, "AH 3S KH QH JH", "AH"),
    ],
)
def test_three_on_top_wins(trump: str | None, text: str, best: str) -> None:
    assert trick(TOP.trick_rules(Contract(trump=trump)), text, trump=trump)[0] == best


def test_three_on_top_is_a_trump_for_following() -> None:
    rules = TOP.trick_rules(Contract(trump="D"))
    assert legal(to_play(rules, "3S AH", "KD", seat=1, trump="D")) == {"3S"}
    assert legal(to_play(rules, "3S AH", "KS", seat=1, trump="D")) == {"3S", "AH"}
    usual = FIVE.trick_rules(Contract(trump="D"))
    assert legal(to_play(usual, "3S AH", "KS", seat=1, trump="D")) == {"3S"}


@pytest.mark.kernel
def test_three_on_top_in_the_search() -> None:
    """P8 again: with 3S the highest trump seat 2 takes the four of clubs with it, and its side all 70 points."""
    hands = ["AH 4C", "KH 9H", "3S 2H", "TH 7C", "8H QC"]
    rules = TOP.trick_rules(Contract(trump="D"))
    assert card_values(ending(rules, hands, trump="D", side=(0, 2, 3))) == {"4C": 70, "AH": 70}


# ---------------------------------------------------------------------- score


def score(captured: tuple[int, ...], team: set[int], declarer: int, bid: int, **options: object) -> tuple[int, ...]:
    """Scores after these points, by seat."""
    some = spades(seats=len(captured), **options)
    agreed = contract(declarer=declarer, target=bid)
    over = ending(some.trick_rules(agreed), [""] * some.seats, side=team, points=captured)
    return some.settle(over, agreed).scores


MADE, FAILED = (20, 80, 15, 60, 75), (40, 80, 40, 60, 30)


def test_bidder_bonus() -> None:
    assert score(MADE, {1, 3, 4}, 1, 175, bidder_bonus=True) == (0, 350, 0, 175, 175)
    assert score(FAILED, {1, 3, 4}, 1, 175, bidder_bonus=True) == (175, -175, 175, 0, 0)


def test_failed_bid_collected() -> None:
    assert score(FAILED, {1, 3, 4}, 1, 175, failed_bid="collected") == (40, 0, 40, 0, 0)
    assert score(FAILED, {1, 3, 4}, 1, 175, failed_bid="collected", bidder_bonus=True) == (40, -175, 40, 0, 0)
    assert score(MADE, {1, 3, 4}, 1, 175, failed_bid="collected") == (0, 175, 0, 175, 175)


@given(st.lists(st.integers(0, 50), min_size=5, max_size=7), st.data())
def test_scores_against_the_twin(captured: list[int], data: st.DataObject) -> None:
    seats = len(captured)
    team = data.draw(st.sets(st.integers(0, seats - 1), min_size=1))
    bid = data.draw(st.sampled_from(range(150, 251, 5)))
    assert list(score(tuple(captured), team, min(team), bid)) == twin.settle(captured, team, bid)


@pytest.mark.parametrize("target", [300, 500, 750])
def test_match(target: int) -> None:
    match = spades(target=target).match()
    while not match.over:
        assert match.winners == ()
        match = match.add((150, 0, 150, 0, 0))
    assert match.scores[0] == {300: 300, 500: 600, 750: 750}[target]
    assert match.winners == (0, 2)  # equal highest scores share
    assert "won by seat 0 and 2" in str(match)
    with pytest.raises(NotationError, match="over"):
        match.add((0, 0, 0, 0, 0))


def test_match_dealer_rotates() -> None:
    match = FIVE.match()
    assert [match.dealer, match.add((150, 0, 0, 0, 0)).dealer] == [4, 0]


@pytest.mark.kernel
def test_the_answer_names_the_team() -> None:
    deal = spades(seats=7).deal(seed=4)
    one = deal.game
    first, second = one.deck.sort(deal.hands[1])[:2]
    called = f"{first} {second} {one.deck.sort(deal.hands[5])[0]}"
    agreed = one.contract(f"150 by 0, trump S, call {called}")
    lines = one.explain_value(one.start(deal, agreed), agreed, 140, 140)
    assert lines[0].startswith("team: bid winner seat 0; seat 1 by ")
    assert "seat 5 by" in lines[0]
    assert lines[1] == "target 150 of 250 points: failed by 10"
    assert one.explain_value(one.start(deal, agreed), agreed, 165, 165)[1].endswith("made with 15 to spare")
    assert solve(deal, agreed, limit=10).notes[0] == lines[0]
