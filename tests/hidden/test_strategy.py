"""The table of a strategy: asked in all names of suits, and against play of every deal with card names."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

import numpy as np
import pytest

from naive import kit as rules
from solver.games import Game, game
from solver.hidden.equilibrium import Equilibrium, equilibrium, strategy_from
from solver.hidden.kit_tree import kit_tree
from solver.hidden.learner import Learner
from solver.hidden.strategy import OFF_PATH, Decision, Strategy
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.play import Position

Knows = tuple[frozenset[str], tuple[str, ...]]  # a hand as dealt, and the cards played


@cache
def solved(**options: Any) -> Equilibrium:
    return equilibrium(game("kit", **options), iterations=30, nashconv=1e-4)


def at_random(one: Game, contract: str, seed: int) -> tuple[Strategy, np.ndarray]:
    """A strategy of any chances, a quarter of them 0, and what each seat gets by it."""
    kit = kit_tree(one, contract)
    learner, tree = Learner(kit.tree, "cfr"), kit.tree
    rng = np.random.default_rng(seed)
    numbers = rng.random(len(learner.chances)) * (rng.random(len(learner.chances)) > 0.25)
    numbers[tree.member] = numbers[tree.twin]  # mirrors are played alike
    fan = np.diff(tree.base)
    none = np.repeat(np.add.reduceat(numbers, tree.base[:-1]) == 0, fan)
    numbers[none] = 1
    chances = numbers / np.repeat(np.add.reduceat(numbers, tree.base[:-1]), fan)
    return strategy_from(kit, learner, chances), learner.values(chances)


class Played:
    """Every deal of a kit played by a strategy that is asked with card names; sums by what the seat in turn knows.

    Parameters
    ----------
    strategy
        Asked for the chances.
    contract
        Leader, trump suit, side and target as the twin has them.
    """

    def __init__(
        self, strategy: Strategy, leader: int = 0, trump: str | None = None, side: frozenset[int] = frozenset(),
        target: int | None = None, must_beat: bool = False,
    ) -> None:  # fmt: skip
        self.strategy, self.leader, self.side, self.target = strategy, leader, side, target
        self.ctx = {"trump": trump, "must_beat": must_beat}
        self.seats = strategy.game.seats
        self.asked: dict[Knows, Decision] = {}
        self.plays: dict[Knows, dict[str, float]] = {}
        self.legal: dict[Knows, set[str]] = {}
        self.own: dict[Knows, float] = {}
        self.come: dict[Knows, float] = defaultdict(float)  # by the others and chance
        self.gets: dict[tuple[Knows, str], float] = defaultdict(float)
        deals = list(self._deals(frozenset(strategy.game.deck.cards), self.seats))
        self.even = 1 / len(deals)
        values = [self._follow(deal, deal, leader, [], (), (1.0,) * self.seats, (0,) * self.seats) for deal in deals]
        self.values = np.mean(values, axis=0)

    def _deals(self, cards: frozenset[str], seats: int) -> Iterator[tuple[frozenset[str], ...]]:
        if not seats:
            yield ()
            return
        for hand in map(frozenset, itertools.combinations(sorted(cards), len(cards) // seats)):
            for rest in self._deals(cards - hand, seats - 1):
                yield hand, *rest

    def _pays(self, taken: tuple[int, ...]) -> np.ndarray:
        if not self.side:
            return np.array(taken, float)
        mine = sum(taken[s] for s in self.side)
        wins, loses = (mine, sum(taken) - mine) if self.target is None else (mine >= self.target, mine < self.target)
        return np.array([float(wins if s in self.side else loses) for s in range(self.seats)])

    def _follow(
        self, dealt: tuple[frozenset[str], ...], hands: tuple[frozenset[str], ...], leader: int, trick: list[str],
        history: tuple[str, ...], chances: tuple[float, ...], taken: tuple[int, ...],
    ) -> np.ndarray:  # fmt: skip
        """What all seats get from here on when their own cards have come with these chances."""
        if len(trick) == self.seats:
            table = [((leader + i) % self.seats, card) for i, card in enumerate(trick)]
            leader, trick = rules.winner(table, self.ctx), []
            taken = tuple(t + (s == leader) for s, t in enumerate(taken))
        if not any(hands):
            return self._pays(taken)
        seat = (leader + len(trick)) % self.seats
        knows = dealt[seat], history
        table = [((leader + i) % self.seats, card) for i, card in enumerate(trick)]
        cards = rules.legal_cards(hands[seat], table, self.ctx)
        if knows not in self.legal:
            self.legal[knows], self.own[knows] = cards, chances[seat]
            if len(cards) > 1 or len(self.legal) % 20 == 0:  # of a forced card there is little to ask
                found = self.asked[knows] = self.strategy.ask(" ".join(dealt[seat]), " ".join(history))
                self.plays[knows] = dict(zip(found.frame["card"], found.frame["chance"], strict=True))
                assert found.seat == seat
        plays = self.plays[knows] if len(cards) > 1 else dict.fromkeys(cards, 1.0)
        others = self.even * math.prod(c for s, c in enumerate(chances) if s != seat)
        self.come[knows] += others
        total = np.zeros(self.seats)
        for card in sorted(cards):
            after = tuple(hand - {card} for hand in hands)
            now = tuple(c * plays[card] if s == seat else c for s, c in enumerate(chances))
            got = self._follow(dealt, after, leader, [*trick, card], (*history, card), now, taken)
            self.gets[knows, card] += others * got[seat]
            total += plays[card] * got
        return total

    @cached_property
    def cards(self) -> int:
        return len(self.strategy.game.deck)

    def path(self, knows: Knows) -> list[tuple[int, float, float]]:
        """What `Decision.path` must be: cards before each choice, chance of those of the others, and of any others."""
        hand, history = knows
        out = []
        before, unseen, even = 1 / math.comb(self.cards, self.strategy.game.hand_size), self.cards - len(hand), 1.0
        for after in range(len(history) + 1):
            at = hand, history[:after]
            if at in self.legal and len(self.legal[at]) > 1 and (after == len(history) or history[after] in hand):
                out.append((after, self.come[at] / before if before else 0.0, even))
                before, even = self.come[at], 1.0
            if after < len(history) and history[after] not in hand:
                even /= unseen
                unseen -= 1
        return out


CASES: list[tuple[dict, str, dict]] = [
    ({"suits": 2, "ranks": 3}, "", {}),
    ({"suits": 3, "ranks": 2}, "lead 2", {"leader": 2}),
    ({"suits": 1, "ranks": 6}, "by 1", {"side": frozenset({1})}),
    ({"suits": 3, "ranks": 2, "trump": "t"}, "1 by 1, lead 1", {"leader": 1, "trump": "t", "side": {1}, "target": 1}),
    ({"suits": 2, "ranks": 3, "must_beat": True}, "side 0 2", {"must_beat": True, "side": frozenset({0, 2})}),
    ({"suits": 3, "ranks": 2, "seats": 2}, "2 by 1", {"side": frozenset({1}), "target": 2}),
    ({"suits": 2, "ranks": 2, "seats": 4}, "", {}),
]  # fmt: skip


@pytest.mark.parametrize("options, contract, told", CASES)
def test_a_strategy_of_any_chances_is_that_of_every_deal_played_out(options: dict, contract: str, told: dict) -> None:
    one = game("kit", **options)
    strategy, values = at_random(one, contract, 1)
    played = Played(strategy, **told)
    assert played.values == pytest.approx(values, abs=1e-6)
    far = 0
    for knows, found in played.asked.items():
        frame, come = found.frame, played.come[knows]
        assert set(frame["card"]) == played.legal[knows]
        assert frame["chance"].sum() == pytest.approx(1, abs=1e-6)
        assert frame["chance"].is_monotonic_decreasing
        assert one.deck.hand(found.hand) == one.deck.hand(" ".join(knows[0] - set(knows[1])))
        assert found.own == pytest.approx(played.own[knows], abs=1e-6)
        path = played.path(knows)
        assert found.path.to_numpy() == pytest.approx(np.array(path).reshape(-1, 3), abs=1e-6)
        if len(frame) == 1:
            assert (frame["chance"].iloc[0], frame["worth"].isna().all()) == (1, True)
        elif come == 0:
            assert frame["worth"].isna().all()
        else:
            worth = [played.gets[knows, card] / come for card in frame["card"]]
            assert frame["worth"].to_numpy() == pytest.approx(np.array(worth), abs=1e-5)
            # All that happened: the hand was dealt, the others and the seat itself played so.
            whole = found.own * found.path["chance"].prod() / math.comb(len(one.deck), one.hand_size)
            assert whole == pytest.approx(come * played.own[knows], abs=1e-6)
        assert found.on_path == all(chance >= OFF_PATH * even for _, chance, even in path)
        assert len(found.notes) == (not found.on_path) + (found.own < 0.001)
        far += bool(found.notes)
    assert far > 0 or not len(strategy.keys)


def histories(one: Game, rng: random.Random, contract: str, most: int) -> Iterator[tuple[str, list[str], Position]]:
    """Random deals broken off at random: hand of the seat in turn, cards played, position."""
    for _ in range(most):
        deal = one.deal(seed=rng.randrange(10**9))
        position, cards = one.start(deal, one.contract(contract)), list[str]()
        for _ in range(rng.randrange(len(one.deck))):
            move = rng.choice(position.legal())
            cards.append(str(move.card))
            position = position.play(move)
        yield one.deck.write(deal.hands[position.turn]), cards, position


@pytest.mark.parametrize(
    "options, contract, fixed",
    [
        ({"ranks": 3}, "lead 1", ""), ({"ranks": 3, "trump": "t"}, "1 by 0", "t"),
        ({"ranks": 3, "must_beat": True}, "", ""), ({"suits": 2, "ranks": 4, "seats": 4}, "side 1 3", ""),
        ({"ranks": 2, "seats": 2}, "lead 1", ""),
    ],
)  # fmt: skip
def test_all_names_of_suits_give_the_same_chances(options: dict, contract: str, fixed: str) -> None:
    one = game("kit", **options)
    strategy, _ = at_random(one, contract, 7)
    rng = random.Random(str(options))
    differ = 0
    for hand, cards, position in histories(one, rng, contract, 60):
        found = strategy.ask(hand, " ".join(cards))
        assert set(found.frame["card"]) == {move.card for move in position.legal()}
        free = [suit for suit in one.deck.suits if suit not in fixed]
        names = str.maketrans("".join(free), "".join(rng.sample(free, len(free))))
        again = strategy.ask(hand.translate(names), " ".join(cards).translate(names))
        renamed = found.frame.assign(card=[card.translate(names) for card in found.frame["card"]])
        rows, others = (frame.set_index("card").sort_index() for frame in (renamed, again.frame))
        assert rows.equals(others)
        assert found.path.equals(again.path)
        assert (found.own, found.seat) == (again.own, again.seat)
        differ += hand.translate(names) != hand
    assert differ > 15


def test_the_ways_to_ask_are_one() -> None:
    e = solved(ranks=3)
    strategy, one = e.strategy, e.game
    found = strategy.ask("o2 o3 t3", "0 o1")
    assert str(found) == str(strategy.ask("t3 o3 o2", "o1")) == str(strategy.ask("o3 t3 o2", "0: o1"))
    assert strategy("o2 o3 t3", "o1").equals(found.frame)
    known = one.knowledge(1, "o2 o3 t3").contract("lead 0")
    assert str(strategy.of(known.played("o1"))) == str(found)
    assert (found.seat, found.hand, found.unit) == (1, "o3 o2 t3", "tricks")
    assert found.best == found.frame["card"][0]  # both take the trick
    assert set(found.frame["card"]) == {"o2", "o3"}
    lines = str(found).splitlines()
    assert lines[0] == "seat 1 with o3 o2 t3: chance of each card at the equilibrium, worth in tricks"
    assert lines[1].split() == ["card", "chance", "worth"]
    assert "%" in lines[2]
    assert str(strategy).startswith("strategy of kit, lead 0: 6,492 information sets, 13,338 cards")
    forced = strategy.ask("o1 o2 t3", "t1 s1")
    assert str(forced).splitlines()[2].split() == ["t3", "100.0%", "-"]
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["rows"][0]["card"] == found.best


def test_another_seat_leads() -> None:
    strategy, _ = at_random(game("kit", ranks=3), "2 by 1", 3)
    one = strategy.game
    for hand, cards, position in histories(one, random.Random(5), "2 by 1", 12):
        found, seat = strategy.ask(hand, " ".join(cards)), (position.turn + 2) % 3
        known = one.knowledge(seat, hand).contract("2 by 0, lead 2").played(" ".join(cards))
        moved = strategy.of(known)
        assert (moved.seat, moved.own, moved.hand) == (seat, found.own, found.hand)
        assert moved.frame.equals(found.frame)
        assert moved.path.equals(found.path)
    with pytest.raises(UnsupportedError, match="ask the strategy of that"):
        strategy.of(one.knowledge(2, "o1 o2 o3").contract("2 by 1, lead 2"))


def test_who_leaves_the_equilibrium_is_said() -> None:
    strategy = solved(ranks=3).strategy
    lead = strategy.ask("o3 o2 t1").frame.set_index("card")["chance"]
    assert lead["t1"] < 0.001
    own = strategy.ask("o3 o2 t1", "t1 t2 t3 o1")
    assert own.own == pytest.approx(lead["t1"])
    assert any("seat 0 itself has left the equilibrium" in note for note in own.notes)
    far = []
    for hand, cards, _ in histories(strategy.game, random.Random(1), "", 150):
        found = strategy.ask(hand, " ".join(cards))
        if not found.on_path:
            far.append(found.notes[0])
    assert 5 < len(far) < 75
    assert all(note.startswith("the others have left the equilibrium within the first ") for note in far)


def test_play_by_the_strategy_is_on_the_path() -> None:
    strategy, rng = solved(ranks=3).strategy, random.Random(3)
    one = strategy.game
    for seed in range(25):
        deal = one.deal(seed=seed)
        position, cards = one.start(deal, strategy.contract), list[str]()
        while not position.over:
            found = strategy.ask(one.deck.write(deal.hands[position.turn]), " ".join(cards))
            assert found.on_path, (seed, cards, found.path)
            [card] = rng.choices(list(found.frame["card"]), list(found.frame["chance"]))
            position = position.play(card)
            cards.append(card)


@pytest.mark.parametrize(
    "hand, history, message",
    [
        ("o1 o2", "", "too short: expected 3 cards"),
        ("o1 o2 o3 t1", "", "too long: expected 3 cards"),
        ("t1 s3", "o1 t2 o2", "too short"),  # what is left of it does not do
        ("", "", "too short"),
        ("o1 o2 x3", "", "cannot read 'x3'"),
        ("o1 o2 o4", "", "cannot read '4'"),
        ("o1 o2 o3", "o4", "cannot read '4'"),
        ("o1 o2 t3", "t1 t1", "played twice"),
        ("o1 o2 t3", "3 t1", "no seat 3"),
        ("o1 o2 t3", "1", "followed by no card"),
    ],
)
def test_what_cannot_be_read(hand: str, history: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as found:
        solved(ranks=3).strategy.ask(hand, history)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "hand, history, message",
    [
        ("o1 o2 o3", "o1", "seat 0 does not hold it, but seat 1 does"),
        ("o1 o2 o3", "1 t1", "seat 1 is named, but seat 0 is on turn"),
        ("o1 t3 s2", "o2 s1 o3 t1 t2", "card 2, s1: seat 1 does not hold it"),
        ("o1 o2 t3", "t1 o1 t2 s1 s2", "follow-suit"),
        ("o1 o2 s3", "o3 s3 t1 t2", "seat 1 may not play s3 .follow-suit"),
        ("o3 t3 s1", "o3 o1 t1 t3 t2 o2", "card 3, t1 in trick 1: seat 2 may not play it"),
        ("t1 t2 t3", "o1 o2 o3 t1 t2 t3 s1 s2 s3", "seat 0 does not hold it"),
        ("o1 t1 s1", "o1 o2 o3 t3 t1 t2 s3 s1 s2 o4", "cannot read"),
    ],
)
def test_what_breaks_the_rules(hand: str, history: str, message: str) -> None:
    with pytest.raises((IllegalPlayError, NotationError), match=message) as found:
        solved(ranks=3).strategy.ask(hand, history)
    assert "\n" not in str(found.value)


def test_questions_of_something_else() -> None:
    strategy = solved(ranks=3).strategy
    one = strategy.game
    over = "o1 o2 o3 t3 t1 t2 s3 s1 s2"
    for known, message in [
        (one.knowledge(2, "o3 t3 s3").contract("").played(over), "no card to play"),
        (one.knowledge(0, "o1 o2 o3"), "play has not begun"),
        (game("kit", ranks=2).knowledge(0, "o1 o2").contract(""), r"of kit, ranks=3, the question of kit"),
        (game("kit", ranks=3, must_beat=True).knowledge(0, "o1 o2 o3").contract(""), "must_beat=True"),
        (one.knowledge(0, "o1 o2 o3").contract("trump o"), "ranks=3, trump o: ask the strategy of that"),
        (one.knowledge(0, "o1 o2 o3").contract("1 by 0"), "1 by 0"),
        (game("skat").knowledge(0, "AC KC QC JC AS KS QS JS AH KH"), "the question of skat: ask"),
    ]:
        with pytest.raises(UnsupportedError, match=message) as found:
            strategy.of(known)
        assert "\n" not in str(found.value)
    with pytest.raises(IllegalPlayError, match="seat 1 is on turn, not seat 0"):
        strategy.of(one.knowledge(0, "o1 o2 o3").contract("").played("o1"))
    with pytest.raises(UnsupportedError, match="no card to play"):
        strategy.ask("o3 t3 s3", over)


def test_an_impossible_history_is_no_question() -> None:
    """Nobody follows circles, though one of the others must hold o2."""
    with pytest.raises(IllegalPlayError, match="no deal is left in which all cards were legal"):
        solved(ranks=3).strategy.ask("o3 o1 t2", "0 o1, 1 s3, 2 s2")
