"""What passing brings: models of the other seats, their scores by the games' own settlement, and what users replace."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from solver.bidding.of_game import bidding_of
from solver.bidding.passing import Nothing
from solver.bidding.passing_base import in_turns, next_amount
from solver.bidding.passing_sheepshead import SeatsBehind, tiers
from solver.bidding.passing_thousand import LeastCards, NextBidder, play_out
from solver.bidding.passing_three_of_spades import AnySeat
from solver.deals.doubledummy import solve
from solver.deals.line import best_line
from solver.deals.search import thread_memory
from solver.deals.success import Runner
from solver.games import game
from solver.games.sheepshead_picking import Ducking, ShortSuit, TrumpRule
from solver.games.sheepshead_score import TRUMPS, shares, tier
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import TrickwiseError, UnsupportedError
from solver.model.play import Move, Position

pytestmark = pytest.mark.kernel

SHEEP = "QC JS AD 9D TC 8C"


@dataclass(frozen=True)
class Always:
    picking: bool = True

    @property
    def words(self) -> str:
        return "any cards" if self.picking else "no cards"

    def picks(self, game, hand, place) -> bool:
        return self.picking


@dataclass(frozen=True)
class Alone:
    words = "plays alone and buries its first cards"

    def plan(self, game, eight, contract):
        return replace(contract, kind="alone", bury=tuple(game.deck.sort(eight)[-game.talon_size :]))


def ask(known, bids=(None,), *, model=None, n=12, seed=1, workers=1, limit=0, progress=None):
    model = bidding_of(known.game).passing() if model is None else model
    with Runner(workers=workers, limit=limit, progress=progress) as runner:
        return model.scores(known, bids, n=n, seed=seed, runner=runner)


def knows(one, seat=0, dealt=3, *, calls="", dealer=None):
    if one.name == "three_of_spades" and not calls and dealer is None:
        dealer = one.seats - 2  # seat 0 is not the opener, who must bid
    known = one.knowledge(seat, " ".join(one.deal(seed=dealt).hands[seat]), dealer=dealer)
    return known.heard(calls) if calls else known


def same(a, b) -> bool:
    return all((x is y is None) or np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def sheep(one, deal, *, dealer, rule=None, plan=None, seat=None) -> np.ndarray:
    """Scores of a deal after a pass by the dealer's left neighbour, or by `seat`."""
    model = SeatsBehind(rule or Always(), plan or ShortSuit())
    first = (dealer + 1) % one.seats
    behind = [(first + i) % one.seats for i in range(one.seats)]
    behind = behind[1 if seat is None else behind.index(seat) + 1 :]
    found = model.score(one, deal, behind, dealer, thread_memory(32), 0)
    assert np.array_equal(found.low, found.high)
    return found.low


# --------------------------------------------------------------------- which model


def test_the_usual_models() -> None:
    assert isinstance(bidding_of(game("sheepshead")).passing(), SeatsBehind)
    assert isinstance(bidding_of(game("thousand")).passing(), NextBidder)
    assert isinstance(bidding_of(game("three_of_spades")).passing(), AnySeat)
    for one in (game("kit"), game("bridge"), game("sheepshead", seats=4, partner="queens")):
        assert isinstance(bidding_of(one).passing(), Nothing)
    found = ask(knows(game("kit")), (1, 2))
    assert found.low.shape == (0, 2)
    assert found.all.shape == (0, 2, 3)
    assert bidding_of(game("kit")).passing().words == "there is no bidding to pass"


@pytest.mark.parametrize("name", ["sheepshead", "thousand", "three_of_spades"])
def test_words_are_one_line_and_name_the_rules(name: str) -> None:
    model = bidding_of(game(name)).passing()
    assert "\n" not in model.words
    for part in (getattr(model, key, None) for key in ("rule", "plan", "play", "give")):
        assert part is None or part.words in model.words


@pytest.mark.parametrize("name, bids", [("sheepshead", (None,)), ("thousand", (100, 120)), ("three_of_spades", (150,))])
def test_workers_and_more_worlds_change_nothing(name: str, bids) -> None:
    known = knows(game(name))
    first = ask(known, bids, n=20)
    assert same(first, ask(known, bids, n=20, workers=2))
    assert same((None if x is None else x[:9] for x in first), ask(known, bids, n=9))
    assert not same(first, ask(known, bids, n=20, seed=2))
    assert first.low.shape == (20, len(bids))
    assert first.all.shape == (20, len(bids), known.game.seats)
    assert np.array_equal(first.low, first.high)
    assert np.array_equal(first.all[:, :, 0], first.low)


@pytest.mark.parametrize("name, bids", [("sheepshead", (None,)), ("thousand", (100,)), ("three_of_spades", (150,))])
def test_an_interrupt_leaves_fewer_rows(name: str, bids) -> None:
    def press(done: int, total: int) -> None:
        raise KeyboardInterrupt

    known = knows(game(name))
    whole, part = ask(known, bids, n=40), ask(known, bids, n=40, progress=press)
    assert 0 < len(part.low) < 40
    rows = {tuple(row) for row in whole.all[:, 0]}
    assert all(tuple(row) in rows for row in part.all[:, 0])


@pytest.mark.parametrize("name, bids", [("sheepshead", (None,)), ("thousand", (100, 130)), ("three_of_spades", (235,))])
def test_a_node_limit_leaves_bounds(name: str, bids) -> None:
    known = knows(game(name))
    whole, part = ask(known, bids, n=10), ask(known, bids, n=10, limit=30)
    assert (part.low < part.high).any()
    assert (part.low <= whole.low).all()
    assert (whole.low <= part.high).all()


def test_progress_counts_on() -> None:
    told = []
    with Runner(workers=1, total=5, progress=lambda done, total: told.append((done, total))) as runner:
        bidding_of(game("sheepshead")).passing().scores(knows(game("sheepshead")), (None,), n=10, seed=1, runner=runner)
    assert told[-1] == (10, 15)


# --------------------------------------------------------------------- Sheepshead


def test_who_picks() -> None:
    one, rule = game("sheepshead"), TrumpRule()
    for hand, place, picks in [
        ("QC QS 7D AC TC 7S", 0, True),  # 3 + 3 + 1
        ("QC QS AC TC KC 7S", 0, False),  # two trumps
        ("QC JS 9D AC TC 7S", 0, False),  # 6
        ("QC JS 9D AC TC 7S", 4, True),  # the dealer
    ]:
        assert rule.picks(one, one.read_hand(hand, [6]), place) is picks
    three = game("sheepshead", seats=3)  # ten cards: 5 trumps, power 12
    assert rule.picks(three, three.read_hand("QC QS JC JS JH AC TC KC 9C 8C", [10]), 0)
    assert not rule.picks(three, three.read_hand("QC QS JC JS AC TC KC 9C 8C 7C", [10]), 0)


@pytest.mark.parametrize(
    "eight, plan",
    [
        ("QC JS AD 9D TC 8C AS KH", "AH -- TC AS"),  # one heart, kept; 21 points, spades emptied
        ("QC QS JD AD TD 7D AH KD", "AC 7D TD AH"),  # no ordinary call: the least trump under
        ("AC AS AH QC JD TD 8D KS", "TC -- AS AH"),  # three aces: a ten, a club kept
    ],
)
def test_the_usual_plan(eight: str, plan: str) -> None:
    one = game("sheepshead")
    cards = frozenset(one.deck.read(eight))
    found = ShortSuit().plan(one, cards, one.contract("by 0"))
    one.check_plan(cards, found)
    called, under, *_ = plan.split()
    assert found.called == (called,)
    assert (found.under is None) == (under == "--")
    if under == "--":
        assert set(found.bury) == set(plan.split()[2:])


def test_the_usual_plan_is_legal() -> None:
    for options in (
        {}, {"bury_trump": False, "bury_ace": False}, {"hold_card": False}, {"under_test": "after_bury"},
        {"call_ten": False}, {"partner": "jd", "jd_call_up": True}, {"partner": "none"}, {"call_own_ace": True},
        {"seats": 3}, {"seats": 4}, {"seats": 4, "partner": "called"}, {"seats": 6}, {"seats": 7, "partner": "jc"},
    ):  # fmt: skip
        one = game("sheepshead", **options)
        for seed in range(25):
            deal = one.deal(seed=seed)
            cards = deal.hands[1] | deal.talon
            found = one.check_contract(ShortSuit().plan(one, cards, one.check_contract(Contract(declarer=1))))
            one.check_plan(cards, found)
            assert not one.untold(found)
            one.start(deal, found)


def test_top_trumps_alone() -> None:
    """Alone with the six top trumps all tricks are won, with the six lowest cards of two suits none."""
    one = game("sheepshead")
    hands = one.read(
        "AC TC KC AS TS KS | AH TH KH AD TD KD | 9C 8C 7C 9S 8S 7S | 9H 8H 7H 9D 8D 7D | QC QS QH QD JC JS | JH JD"
    )
    assert sheep(one, hands, dealer=4, seat=3, plan=Alone()).tolist() == [-3, -3, -3, -3, 12]
    assert sheep(one, hands, dealer=3, seat=1, plan=Alone()).tolist() == [6, 6, -24, 6, 6]


def test_a_played_deal_settles_alike() -> None:
    """Scores are those that the settlement gives for a line of best play, where points alone tell the tier."""
    checked = 0
    for options in ({}, {"double_on_bump": False}, {"seats": 4, "partner": "called"}, {"partner": "jd"}):
        one = game("sheepshead", **options)
        for seed in range(8):
            deal = one.deal(seed=seed)
            got = sheep(one, deal, dealer=one.seats - 1)
            plan = ShortSuit().plan(one, deal.hands[1] | deal.talon, one.check_contract(Contract(declarer=1)))
            end = play_out(one.start(deal, plan), thread_memory(32), 0)
            assert end is not None
            total = end.collected + one.banked(plan)
            if end.collected >= 1 and total < 120:
                checked += 1
                assert tuple(got) == one.settle(end, plan).scores
    assert checked > 15


@pytest.mark.parametrize("schwarz", ["tricks", "points"])
def test_tiers_of_small_ends(schwarz: str) -> None:
    """Points and tricks together, against every line of play."""
    one = game("sheepshead", schwarz=schwarz, seats=3)
    whole = one.deal(seed=1)
    start = one.start(whole, one.contract("by 0, bury " + one.deck.write(sorted(whole.talon))))
    rng = np.random.default_rng(5)
    seen = set()

    def best(position: Position, bank: int) -> int:
        if position.over:
            taken = sum(position.tricks[s] for s in position.side)
            return tier(position.collected + bank, taken, sum(position.tricks), one.options)
        rest = [best(position.play(move), bank) for move in position.legal()]
        return max(rest) if position.turn in position.side else min(rest)

    small = game("sheepshead", schwarz=schwarz, seats=3)
    small.__dict__["_size"] = (3, 2)  # hands of three cards
    for i in range(90):
        cards = [one.deck.cards[j] for j in rng.permutation(32)[:9]]
        if i % 3 == 0:
            cards.sort(key=lambda c: TRUMPS.index(c) if c in TRUMPS else -1, reverse=i % 2 == 0)
        hands = tuple(frozenset(cards[s * 3 : s * 3 + 3]) for s in range(3))
        bank = int(rng.choice([0, 0, 10, 22, 33, 44, 75]))
        position = replace(start, hands=hands)
        want = best(position, bank)
        if want == 5 and bank + sum(map(one.points, cards)) < 91:  # of a whole deal all tricks bring 120
            continue
        seen.add(want)
        assert tiers(small, position, bank, thread_memory(32), 0) == (want, want)
    assert {0, 1} <= seen
    assert len(seen) >= 4


@pytest.mark.parametrize("kind", ["leaster", "moster", "mittler", "schneidster", "schwanzer", "redeal", "doubler"])
def test_when_nobody_picks(kind: str) -> None:
    one = game("sheepshead", no_pick=kind)
    found = ask(knows(one), model=SeatsBehind(Always(False)), n=8)
    assert not found.all.sum(axis=2).any()  # nobody outside pays
    assert found.all.any() == (kind not in ("redeal", "doubler"))
    deal = one.deal(seed=5)
    got = sheep(one, deal, dealer=2, rule=Always(False))
    if kind == "schwanzer":
        assert tuple(got) == one.settle(one.start(deal, one.contract("schwanzer, lead 3")), one.contract(kind)).scores
    if kind == "leaster":
        position = one.start(deal, one.contract("leaster, lead 3"))
        while not position.over:
            position = position.play(Ducking().move(position))
        assert tuple(got) == one.settle(position, one.contract("leaster")).scores
        assert sorted(got)[-1] in (0, 4)


def test_the_forced_dealer_picks() -> None:
    one = game("sheepshead", no_pick="forced_dealer")
    deal = one.deal(seed=2)
    never = sheep(one, deal, dealer=3, rule=Always(False))
    assert never.tolist() == sheep(one, deal, dealer=3, rule=Always(), seat=2).tolist()
    with pytest.raises(UnsupportedError, match="seat 4 is the dealer and must pick"):
        ask(knows(one, 4))


def test_a_weak_hand_claims_a_new_deal() -> None:
    weak = "9C 8C 7C 9S 8S 7S | QC QS QH QD JC JS | AC TC KC AS TS KS | AH TH KH AD TD KD | 9H 8H 7H 9D 8D 7D | JH JD"
    for options, new_deal in (({}, False), ({"weak_redeal": True}, True)):
        one = game("sheepshead", **options)
        got = sheep(one, one.read(weak), dealer=3, seat=4)  # seat 0 speaks next
        assert (not got.any()) == new_deal


def test_shares_without_the_bump() -> None:
    one = game("sheepshead")
    soft = game("sheepshead", double_on_bump=False)
    for seed in range(12):
        lost = sheep(one, one.deal(seed=seed), dealer=4)
        other = sheep(soft, one.deal(seed=seed), dealer=4)
        assert lost.tolist() in (other.tolist(), (2 * other).tolist())


def test_turning_the_table_turns_the_scores() -> None:
    one = game("sheepshead")
    for seed in range(6):
        deal = one.deal(seed=seed)
        turned = Deal(one, deal.hands[-2:] + deal.hands[:-2], deal.talon)
        for rule in (Always(), Always(False)):
            got = sheep(one, deal, dealer=1, rule=rule)
            assert np.roll(got, 2).tolist() == sheep(one, turned, dealer=3, rule=rule).tolist()


def test_names_of_fail_suits_do_not_matter() -> None:
    one = game("sheepshead")

    def new(cards) -> frozenset[Card]:
        turn = {"C": "S", "S": "H", "H": "C"}
        return frozenset(c if c in TRUMPS else Card(c.rank + turn[c.suit]) for c in cards)

    compared = 0
    for seed in range(20):
        deal = one.deal(seed=seed)
        other = Deal(one, tuple(map(new, deal.hands)), new(deal.talon))
        plans = [ShortSuit().plan(one, d.hands[1] | d.talon, one.contract("by 1")) for d in (deal, other)]
        if new(plans[0].called) == set(plans[1].called) and new(plans[0].bury) == set(plans[1].bury):  # no tie
            compared += 1
            assert sheep(one, deal, dealer=4).tolist() == sheep(one, other, dealer=4).tolist()
    assert compared >= 8


def test_own_rules_are_used_and_named() -> None:
    known = knows(game("sheepshead"))
    usual_scores = ask(known)
    for model in (SeatsBehind(Always()), SeatsBehind(Always(), Alone()), SeatsBehind(TrumpRule(power=9))):
        assert not same(usual_scores, ask(known, model=model))
        assert model.rule.words in model.words
        assert model.plan.words in model.words
    assert not np.array_equal(
        ask(known, model=SeatsBehind(Always(), Alone())).all, ask(known, model=SeatsBehind(Always())).all
    )


def test_a_plan_that_breaks_the_rules_is_refused() -> None:
    @dataclass(frozen=True)
    class Wrong:
        words = "buries nothing"

        def plan(self, game, eight, contract):
            return replace(contract, kind="alone")

    with pytest.raises(TrickwiseError, match="say what the picker buries"):
        ask(knows(game("sheepshead")), model=SeatsBehind(Always(), Wrong()))


def test_the_last_seat_passes_into_a_leaster() -> None:
    one = game("sheepshead")
    known = one.knowledge(4, SHEEP).heard("pass pass pass pass")
    assert set(np.unique(ask(known, n=20).low)) <= {-1.0, 0.0, 4.0}
    assert same(ask(known), ask(one.knowledge(4, SHEEP)))  # who has not been heard counts as having passed
    for calls, words in (("pick", "auction is over"), ("pass", "speaks once")):
        with pytest.raises(UnsupportedError, match=words):
            ask(one.knowledge(0, SHEEP).heard(calls))


def test_cards_of_a_leaster() -> None:
    one = game("sheepshead")
    start = one.start(one.deal(seed=1), one.contract("leaster"))

    def choice(hand: str, table: str, tricks: int = 1) -> Move:
        cards = [Move(c) for c in one.deck.read(table)]
        hands = tuple(frozenset(one.deck.read(hand)) if s == len(cards) else frozenset() for s in range(5))
        return Ducking().move(replace(start, hands=hands, trick=tuple(cards), tricks=(tricks,) * 5))

    assert choice("AH 9H QC", "") == Move(Card("9H"))  # leads its least
    assert choice("TH 9H QC", "AH") == Move(Card("TH"))  # under the ace
    assert choice("TH 9H QC", "KH") == Move(Card("9H"))
    assert choice("AC QC", "TH") == Move(Card("AC"))  # thrown away
    assert choice("AH TH", "9H") == Move(Card("TH"))  # must take
    assert choice("9H 8H", "7H KC 9C 8C", tricks=0) == Move(Card("8H"))  # a cheap first trick
    assert choice("9H 8H", "7H AC 9C 8C", tricks=0) == Move(Card("8H"))  # forced anyway
    assert choice("9H 7H", "8H AC 9C 8C", tricks=0) == Move(Card("7H"))  # 11 points are too many


# --------------------------------------------------------------------- Thousand


def test_a_line_with_shares() -> None:
    """T11: seat 0 leads TC, seat 2 must overtrump, then leads into TS."""
    one = game("thousand")
    rules = one.trick_rules(one.contract("100 by 0"))
    hands = tuple(frozenset(one.deck.read(h)) for h in ("TS TC", "QS AH", "9S AS"))
    position = Position(rules, hands, 0, side=frozenset({0}), trump="S", tricks=(1, 1, 1))
    end = play_out(position, thread_memory(24), 0)
    assert end is not None
    assert end.points == (21, 0, 24)


def test_a_line_is_the_one_of_best_line() -> None:
    one = game("thousand")
    for seed in range(6):
        deal = one.deal(seed=seed)
        cards = LeastCards().give(one, deal.hands[0] | deal.talon)
        position = one.start(deal, one.contract(f"100 by 0, pass {cards[0]} to 1, {cards[1]} to 2"))
        end = play_out(position, thread_memory(24), 0)
        assert end is not None
        now = position
        for trick in best_line(position).tricks:
            for move in trick.moves:
                now = now.play(move)
        assert now == end


def test_what_a_declarer_gives() -> None:
    one = game("thousand")
    for ten, gives in [
        ("AH KH QH 9H TS JC JD TH JS 9C", ("9C", "9H")),  # of equal cards that of the shorter suit
        ("KH QH KD QD KC QC AS TS JS AH", ("JS", "TS")),  # marriages are kept
        ("KH QH KD QD KC QC AS KS QS AH", ("AH", "AS")),
    ]:
        assert set(LeastCards().give(one, frozenset(one.deck.read(ten)))) == set(gives)
    bare = game("thousand", marriages=False)
    assert LeastCards().give(bare, frozenset(one.deck.read("KH QH AD TD AC TC AS TS AH TH"))) == ("QH", "KH")


def test_scores_are_those_of_the_settlement() -> None:
    one = game("thousand")
    known = knows(one, 0)
    bids = (None, 100, 105, 120, 400)
    found = ask(known, bids, n=12)
    deals = [known.sample(12, seed=1).deal(i) for i in range(12)]
    who = in_turns([1, 2], 12, 1)
    assert sorted(who) == [1] * 6 + [2] * 6
    for i, deal in enumerate(deals):
        seat, cards = int(who[i]), LeastCards().give(one, deal.hands[who[i]] | deal.talon)
        left, right = one.opponents(seat)
        for j, bid in enumerate((100, 100, 110, 125, 400)):
            bid = min(bid, one.cap(deal.hands[seat]))
            plan = one.contract(f"{bid} by {seat}, pass {cards[0]} to {left}, {cards[1]} to {right}")
            end = play_out(one.start(deal, plan), thread_memory(24), 0)
            assert end is not None
            want = one.settle(end, plan).scores
            assert tuple(found.all[i, j]) == want
            assert abs(want[seat]) == bid
    assert (found.low == found.low[:, :1]).all()  # a defender's points do not hang on the bid


def test_who_takes_it() -> None:
    one = game("thousand")
    stands = ask(knows(one, 2, calls="0:100 1:110"), (115,), n=20)
    assert set(np.abs(stands.all[:, 0, 1])) == {120.0}  # seat 1 stands at 110 and goes over 115
    left = ask(knows(one, 0, calls="0:100 1:110 2:pass"), (115, 130), n=10)
    assert set(np.abs(left.all[:, :, 1]).ravel()) == {110.0}  # nobody else is left, so its own bid stands
    assert (left.declarer == 1).all()
    for calls, words in (("0:pass", "seat 0 has passed"), ("0:100 1:pass 2:pass", "last in the auction")):
        with pytest.raises(UnsupportedError, match=words):
            ask(knows(one, 0, calls=calls), (100,))
    with pytest.raises(UnsupportedError, match="during the auction"):
        ask(knows(one, 0).see(talon=" ".join(one.deal(seed=3).talon)), (100,))
    with pytest.raises(UnsupportedError, match="which musik"):
        ask(knows(game("thousand", table="two_fixed")), (100,))


def test_options_of_thousand() -> None:
    known = knows(game("thousand"))
    usual_scores = ask(known, (100,))
    coarse = ask(knows(game("thousand", defender_rounding=10)), (100,))
    assert not (coarse.low % 10).any()
    assert (np.abs(coarse.low - usual_scores.low) <= 5).all()
    bare = ask(knows(game("thousand", marriages=False)), (100,))
    assert (bare.low <= 120).all()
    pairs = ask(knows(game("thousand", table="four_pairs")), (100,), n=3)
    assert (pairs.all[:, :, 0] == pairs.all[:, :, 2]).all()  # partners score together

    @dataclass(frozen=True)
    class Best:
        words = "gives its best cards"

        def give(self, game, ten):
            first, second, *_ = sorted(ten, key=lambda c: "ATKQJ9".index(c.rank))
            return first, second

    other = NextBidder(Best())
    assert "gives its best cards" in other.words
    assert ask(known, (100,), model=other).low.mean() > usual_scores.low.mean()


# --------------------------------------------------------------------- 3 of Spades


def test_teams_that_make_their_bid_score_it() -> None:
    one = game("three_of_spades", seats=7)
    known = knows(one)
    bids = (None, 150, 200, 240, 250)
    found = ask(known, bids, n=6)
    worlds, who = known.sample(6, seed=1), in_turns(range(1, 7), 6, 1)
    assert sorted(who) == [1, 2, 3, 4, 5, 6]
    for i, seat in enumerate(who.tolist()):
        deal = worlds.deal(i)
        plan = AnySeat().plan.plan(one, deal.hands[seat], Contract(declarer=seat, leader=seat, target=150))
        value, team = solve(deal, plan).points, one.team(deal.hands, plan)
        for j, bid in enumerate((150, 155, 205, 245, 250)):
            want = [bid if (s in team) == (value >= bid) else 0 for s in range(7)]
            assert found.all[i, j].tolist() == want


def test_trumps_and_calls() -> None:
    one = game("three_of_spades")
    hand = one.read_hand("AS KS 9S 8S TH 9H 4H 8D JC 4C", [10])
    plan = AnySeat().plan.plan(one, hand, Contract(declarer=0, target=150))
    assert plan.trump == "S"
    assert plan.called == ("AH", "AC")  # the longest other suit, of equals that with points
    top = game("three_of_spades", three_on_top=True)
    assert AnySeat().plan.plan(top, hand, Contract(declarer=0, target=150)).called == ("3S", "AH")


def test_options_of_three_of_spades() -> None:
    known = knows(game("three_of_spades", seats=7, bidder_bonus=True))
    found = ask(known, (150,), n=6)
    assert {-155.0, 310.0} & set(found.all.ravel())
    more = game("three_of_spades", seats=6, extra_partner=True)
    assert ask(knows(more), (200, 250), n=3).low.shape == (3, 2)
    with pytest.raises(UnsupportedError, match="failed_bid=collected"):
        ask(knows(game("three_of_spades", failed_bid="collected")), (150,))
    passed = knows(game("three_of_spades", seats=7), 2, calls="0:150 1:pass")
    for rows in ask(passed, (155,), n=10).all[:, 0]:
        assert set(rows) <= {0.0, 160.0}


# --------------------------------------------------------------------- parts


def test_seats_in_turns() -> None:
    drawn = in_turns([1, 2, 4], 30, 7)
    assert np.bincount(drawn).tolist() == [0, 10, 10, 0, 10]
    assert (drawn[:10] == in_turns([1, 2, 4], 10, 7)).all()
    assert (in_turns([3], 4, 1) == 3).all()


def test_next_amounts() -> None:
    amounts = (100, 105, 110)
    assert [next_amount(amounts, b, None, [1, 2]) for b in (None, 95, 100, 107, 110)] == [100, 100, 105, 110, 110]
    assert next_amount(amounts, 100, (1, 105), [1, 2]) == 110  # above what stands
    assert next_amount(amounts, 110, (1, 105), [1]) == 105  # the seat that stands is left alone


def test_the_opener_must_bid() -> None:
    with pytest.raises(UnsupportedError, match="opens and must bid"):
        ask(knows(game("three_of_spades"), dealer=4), (150,))
    assert len(ask(knows(game("three_of_spades", seats=7, all_pass="opener"), dealer=6), (150,), n=3).low) == 3


def test_shares_are_those_of_the_table() -> None:
    """A partner off the hook pays less for no trick than for one."""
    o = game("sheepshead").options
    assert shares(0, o, alone=False, multiplier=1)[1] == 0
    assert shares(1, o, alone=False, multiplier=1)[1] == -4
