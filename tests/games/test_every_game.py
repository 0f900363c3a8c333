"""One suite over every registered game: texts, options, layout, legality, play, score, and the plain twin.

A game that is added to `solver.games.GAMES` is tested here without a line of its own, once `naive` has its twin.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import solver as tw
import twin
from every_game import CASES, Case, ending, perft, plans, playable, playout, start, twin_of, twin_perft
from solver.deals.search import Search
from solver.formats.play import read_play, replay, write_play
from solver.formats.record import contract_text
from solver.games import GAMES, game
from solver.games.base import Game
from solver.model.errors import IllegalPlayError, UnsupportedError
from solver.model.layout import layout_of
from solver.model.play import Move, Position
from solver.model.play_rules import PLAY_RULES

every_case = pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
every_game = pytest.mark.parametrize("name", GAMES)

#: Random endings of three tricks for the unpruned twin, by seats.
ENDINGS = {2: 40, 3: 30, 4: 20, 5: 6, 6: 3, 7: 2}


def one_line(text: str) -> bool:
    """Whether a text can stand on one line."""
    return bool(text.strip()) and "\n" not in text


def attempt(function: Callable[[], Any]) -> tuple[Any, str]:
    """What a call returns, or None and the message of what is not offered."""
    try:
        return function(), ""
    except UnsupportedError as wrong:
        return None, str(wrong)


# ---------------------------------------------------------------------- what a game says of itself


@every_game
def test_said_of_itself(name: str) -> None:
    kind = GAMES[name]
    assert issubclass(kind, Game)
    assert kind.name == name
    assert one_line(kind.title)
    assert one_line(kind.about)
    assert kind.unit in ("points", "tricks")
    assert kind.clauses
    assert "\n\n" in (kind.__doc__ or "") or one_line(kind.__doc__ or "")


@every_game
def test_options_are_described_and_valid(name: str) -> None:
    usual = game(name)
    rows = GAMES[name].describe_options()
    assert [r["option"] for r in rows] == list(usual.option_values())
    for row in rows:
        assert one_line(row["meaning"]), row["option"]
        assert row["default"] in row["values"], row["option"]
        assert len(set(row["values"])) == len(row["values"]) > 1, row["option"]
        assert getattr(usual.options, row["option"]) == row["default"]
        assert {type(v) for v in row["values"]} == {type(row["default"])}
        assert json.loads(json.dumps(row["values"])) == list(row["values"])


@every_game
def test_each_value_of_an_option_makes_a_game_or_is_refused(name: str) -> None:
    for row in GAMES[name].describe_options():
        made = 0
        for value in row["values"]:
            one, why = attempt(lambda row=row, value=value: game(name, **{row["option"]: value}))
            if one is None:
                assert one_line(why)
                continue
            made += 1
            assert one == game(name, **{row["option"]: str(value)})
            assert one == game(name, **json.loads(json.dumps(one.option_values())))
            assert one.changed_options().get(row["option"], row["default"]) == value
            assert eval(repr(one), {"game": game}) == one
            assert one.seats * one.hand_size + one.talon_size <= len(one.deck)
            one.deal(seed=1)
        assert made, row["option"]


@every_game
def test_what_is_not_an_option_is_refused(name: str) -> None:
    first = GAMES[name].describe_options()[0]["option"]
    with pytest.raises(UnsupportedError, match=first) as caught:
        game(name, nonsense=1)
    assert one_line(str(caught.value))
    with pytest.raises(UnsupportedError, match=f"{first} is 'nonsense'"):
        game(name, **{first: "nonsense"})
    for key, why in GAMES[name].left_out.items():
        option, _, value = key.partition("=")
        with pytest.raises(UnsupportedError, match=option) as caught:
            game(name, **{option: value or "on"})
        assert one_line(str(caught.value))
        assert why in str(caught.value)


# ---------------------------------------------------------------------- texts


@every_case
def test_deals_are_read_back(case: Case) -> None:
    one = case.game
    for seed in range(20):
        deal = one.deal(seed=seed)
        assert one.read(deal.text) == deal
        assert one.read(deal.text).text == deal.text
        assert one.read(deal.text.lower()) == deal
        assert {len(h) for h in deal.hands} == {one.hand_size}
        assert len(deal.talon) == one.talon_size
        assert sorted([*deal.talon, *(c for h in deal.hands for c in h)]) == sorted(one.deck.cards)


@every_case
def test_contracts_are_read_back(case: Case) -> None:
    one = case.game
    for seed in range(8):
        deal, contract, position = start(case, seed)
        text = contract_text(one, contract)
        again = one.contract(text)
        assert one.start(deal, again) == position, text
        assert contract_text(one, again) == text
        assert one.contract(contract) == contract


@every_case
def test_play_is_read_back(case: Case) -> None:
    for seed in range(5):
        position = first = start(case, seed)[2]
        rng = random.Random(seed)
        moves = []
        while not position.over:
            moves.append(rng.choice(position.legal()))
            position = position.play(moves[-1])
        text = write_play(first, moves)
        assert [p.move for p in read_play(case.game, text)] == moves
        assert replay(first, read_play(case.game, text)) == position


# ---------------------------------------------------------------------- the play of the cards


@every_case
def test_layout_is_a_permutation_of_the_deck(case: Case) -> None:
    for seed in range(5):
        rules = start(case, seed)[2].rules
        layout = layout_of(rules)
        assert sorted(layout.cards) == sorted(case.game.deck.cards)
        assert layout.decode(layout.encode(layout.cards)) == set(layout.cards)
        assert rules.seats == case.game.seats


def check_split(position: Position) -> set[str]:
    """Every card of the seat to play is legal or barred by a rule that can be said; returns the rules."""
    hand = position.hands[position.turn]
    legal = {m.card for m in position.legal()}
    barred = position.barred()
    assert legal
    assert legal | set(barred) == hand
    assert not legal & set(barred)
    for card, rule in barred.items():
        assert rule in PLAY_RULES
        assert one_line(position.explain(rule))
        with pytest.raises(IllegalPlayError, match=rule) as caught:
            position.play(Move(card))
        assert one_line(str(caught.value))
    for card in set(case_deck(position)) - hand:
        with pytest.raises(IllegalPlayError, match="does not hold it"):
            position.check(Move(card))
    return set(barred.values())


def case_deck(position: Position) -> list:
    """Cards of the rules."""
    return list(position.rules.suit_of)


@every_case
def test_each_card_is_legal_or_barred_by_a_rule(case: Case) -> None:
    seen: set[str] = set()
    for seed in range(4):
        for position in playout(start(case, seed)[2], random.Random(seed)):
            if not position.over:
                seen |= check_split(position)
    assert "follow-suit" in seen


@every_case
def test_a_played_deal_is_settled(case: Case) -> None:
    one = case.game
    match = one.match()
    for seed in range(8):
        _, contract, first = start(case, seed)
        *_, over = playout(first, random.Random(seed))
        assert over.over
        assert sum(over.tricks) == len(first.hands[0])
        rules = over.rules
        cards = sum(rules.value_of[c] for hand in first.hands for c in hand)
        assert sum(over.points) == cards + rules.trick_value * sum(over.tricks) + rules.last_value
        outcome = one.settle(over, contract)
        assert len(outcome.scores) == len(outcome.tricks) == len(outcome.points) == one.seats
        assert one_line(outcome.text)
        assert outcome.made in (None, True, False)
        assert [n for n in one.explain_value(first, contract, 3, 3) if not one_line(n)] == []
        assert rules.misere or [r.need for r in one.ladder(contract)]
        if not match.over:
            match = match.add(outcome.scores)
    assert len(match.scores) == one.seats
    assert one_line(str(match))


@every_case
def test_auction(case: Case) -> None:
    one = case.game
    found, why = attempt(one.auction)
    if found is None:
        assert one_line(why)
        return
    rng = random.Random(case.id)
    for seed in range(20):
        dealer = rng.randrange(one.seats)
        auction = one.auction(dealer=dealer, hands=one.deal(seed=seed).hands)
        words: set[str] = {"pass", "pick", "0", "999999", "nonsense"}
        while auction.turn is not None:
            legal = auction.legal()
            assert legal
            assert len(auction.calls) < 1000
            assert auction.result is None
            words |= set(legal)
            for word in words:
                why = auction.bar(word)
                assert (why is None) == (word in legal), (word, why, str(auction))
                assert why is None or one_line(why)
            auction = auction.call(rng.choice(legal[:3]))
        assert auction.result is not None
        assert one_line(auction.result.text)
        assert auction.legal() == ()
        said = " ".join(map(str, auction.calls))
        assert one.auction(dealer=dealer, hands=one.deal(seed=seed).hands).read(said) == auction
        with pytest.raises(IllegalPlayError, match="over"):
            auction.call("pass")


@every_case
def test_plans_are_allowed(case: Case) -> None:
    """No two plans are the same, and all can be played but those that end the deal."""
    deal = case.game.deal(seed=3)
    found = plans(case, deal, 3)
    assert len(set(found)) == len(found)
    some = random.Random(1).sample(found, min(len(found), 100))
    assert sum(playable(deal, contract) for contract in some) > 0.8 * len(some)


# ---------------------------------------------------------------------- against the plain twin


@every_case
def test_perft_against_the_twin(case: Case) -> None:
    first = start(case, 1)[2]
    for plies in range(1, min(case.game.seats, 4) + 1):
        assert perft(first, plies) == twin_perft(case, first, plies), plies
    for seed in range(3):
        two = ending(case, seed, 2)
        cards = 2 * case.game.seats
        assert perft(two, cards) == twin_perft(case, two, cards), seed


@every_case
def test_play_against_the_twin(case: Case) -> None:
    """Legal moves and points all along a deal."""
    for seed in range(3):
        for position in playout(start(case, seed)[2], random.Random(seed)):
            if position.over:
                continue
            pos = twin_of(case, position)
            held = position.hands[position.turn]
            wanted = case.table.twin.legal(position.turn, held, twin.table(pos), twin.state_of(pos).ctx)
            assert {(m.card, m.declare) for m in position.legal()} == wanted, twin.show(case.table, pos)


@pytest.mark.kernel
@every_case
def test_value_against_the_twin(case: Case) -> None:
    seats = case.game.seats
    for seed in range(ENDINGS[seats]):
        position = ending(case, seed, 3, on_table=seed % 2 * (seed % seats))
        if not position.side:
            position = replace(position, side=frozenset({seed % seats}))
        pos = twin_of(case, position)
        want = twin.value(case.table, pos)
        one = Search(position)
        assert one.value(position) == (want, want), twin.show(case.table, pos, f"seed {seed}")
        assert one.reaches(position, want) is True
        assert one.reaches(position, want + 1) is False


@pytest.mark.kernel
@every_case
def test_sides_share_a_constant_sum(case: Case) -> None:
    """A side and the others together take all points that are left, whichever of them is said to collect."""
    seats = case.game.seats
    for seed in range(12):
        position = ending(case, seed, 4 if seats < 5 else 3)
        rules = replace(position.rules, marriages=(), misere=False)
        side = position.side or frozenset({seed % seats})
        mine = replace(position, rules=rules, side=side)
        theirs = replace(mine, side=frozenset(range(seats)) - side)
        tricks = len(position.hands[0])
        left = sum(rules.value_of[c] for hand in position.hands for c in hand)
        left += rules.trick_value * tricks + rules.last_value
        if not theirs.side:
            continue
        low, high = Search(mine).value(mine)
        other, _ = Search(theirs).value(theirs)
        assert low == high
        assert low + other == left, f"seed {seed}"


@pytest.mark.parametrize("ask", [tw.solve, tw.cards, tw.line])
def test_what_is_no_deal(ask: Any) -> None:
    with pytest.raises(UnsupportedError, match="a str is no deal: give what deal"):
        ask("sheepshead", "by 2")


def test_what_is_no_game() -> None:
    deal = tw.deal("sheepshead", seed=1)
    with pytest.raises(UnsupportedError, match="a Deal is no game: give its name"):
        tw.plans(deal, "QC JC JD AS 8S 8C TH 8H", "by 2")
    with pytest.raises(UnsupportedError, match="a Deal is no game"):
        tw.bid(deal, "QC JC JD AS 8S 8C TH 8H", "by 2")
    assert len(tw.plans("sheepshead", "QC JC JD AS 8S 8C TH 8H", "by 2").frame) > 0
