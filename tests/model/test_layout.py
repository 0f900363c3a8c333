"""Layouts: cards to bits and back, one record type for the compiler, the state words."""

from __future__ import annotations

import random
from dataclasses import replace

import numba
import numpy as np
import pytest

import twin
from at_table import contract
from rule_sets import RULE_SETS, RuleSet
from solver.games import GAMES, game
from solver.model.cards import Card
from solver.model.contract import Contract, TrickRules
from solver.model.layout import STATE_CALLED_LED, Layout, layout_of, rules_type
from solver.model.play import Position

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda r: r.id)


def first(rules: RuleSet) -> TrickRules:
    """Trick rules of the first random position under a rule set."""
    return twin.to_position(rules.table, next(rules.positions(0, 2, 1))).rules


@every_rule_set
def test_every_card_has_one_bit(rules: RuleSet) -> None:
    trick_rules = first(rules)
    layout = layout_of(trick_rules)
    deck = rules.table.game().deck
    assert sorted(layout.cards) == sorted(deck.cards)
    assert sorted(layout.bit.values()) == list(range(len(deck)))
    assert [layout.bit[c] for c in layout.cards] == list(range(len(deck)))
    assert sorted(layout.from_deck(deck).tolist()) == list(range(len(deck)))
    for card in deck.cards:
        bit = layout.bit[card]
        assert layout.record.suit_of[bit] == layout.suits[trick_rules.suit_of[card]]
        assert layout.record.points[bit] == trick_rules.value_of[card]
        masks = [s for s, mask in enumerate(layout.record.suit_mask.tolist()) if mask >> bit & 1]
        assert masks == [layout.record.suit_of[bit]]


@every_rule_set
def test_a_better_card_of_a_suit_has_a_higher_bit(rules: RuleSet) -> None:
    trick_rules = first(rules)
    layout = layout_of(trick_rules)
    for _, cards in trick_rules.suits:
        bits = [layout.bit[c] for c in cards]
        assert bits == list(range(bits[0], bits[0] + len(bits)))
        strength = [trick_rules.strength[c] for c in cards]
        assert strength == sorted(strength)


@every_rule_set
def test_encode_and_decode(rules: RuleSet) -> None:
    layout = layout_of(first(rules))
    rng = random.Random(rules.id)
    for _ in range(50):
        some = frozenset(rng.sample(layout.cards, rng.randrange(len(layout.cards) + 1)))
        bits = layout.encode(some)
        assert bits.bit_count() == len(some)
        assert layout.decode(bits) == some
    assert layout.encode(layout.cards) == (1 << len(layout.cards)) - 1
    assert layout.decode(0) == frozenset()


def test_foreign_cards() -> None:
    layout = layout_of(game("three_of_spades").trick_rules(Contract()))
    with pytest.raises(KeyError):
        layout.encode(["2C"])
    whole = game("three_of_spades", seats=7).deck
    assert layout.from_deck(whole).tolist().count(-1) == 0
    assert layout_of(game("three_of_spades", seats=6).trick_rules(Contract())).from_deck(whole).tolist().count(-1) == 1


def test_equal_rules_share_a_layout() -> None:
    one, other = (game("thousand").trick_rules(Contract()) for _ in range(2))
    assert one == other
    assert layout_of(one) is layout_of(other)
    assert layout_of(one) is not layout_of(replace(one, must_beat=False))


def test_one_type_for_all_games() -> None:
    """The compiler sees one record whatever the game, its seats and its options: a kernel is compiled once."""
    types: set[numba.types.Type] = set()
    kinds: dict[int, set[str]] = {}
    for rules in RULE_SETS:
        layout = layout_of(first(rules))
        assert layout.record.dtype == rules_type()
        assert layout.record.seats == rules.table.seats
        types.add(numba.typeof(layout.record))
        kinds.setdefault(rules.table.seats, set()).add(rules.table.name)
    assert len(types) == 1
    assert kinds[3] == {"kit", "sheepshead", "skat", "thousand"}
    assert set().union(*kinds.values()) == set(GAMES)


def test_too_many_cards() -> None:
    rules = game("three_of_spades").trick_rules(Contract())
    suits = tuple((f"x{i}", cards) for i in range(2) for _, cards in rules.suits[:3])
    with pytest.raises(ValueError, match="53 cards"):
        Layout(replace(rules, suits=suits))


def test_special_cards() -> None:
    agreed = contract(declarer=3, called="AC", under="7D")
    layout = layout_of(game("sheepshead").trick_rules(agreed))
    called, under = int(layout.record.called), int(layout.record.under)
    assert layout.decode(called) == {"AC"}
    assert layout.decode(under) == {"7D"}
    assert layout.cards[int(np.flatnonzero(layout.record.suit_of == layout.suits["C"])[0])] == "7D"
    assert (layout.record.called_suit, layout.record.caller) == (layout.suits["C"], 3)
    bare = layout_of(game("sheepshead").trick_rules(Contract(declarer=3)))
    assert (bare.record.called, bare.record.under) == (0, 0)
    assert (bare.record.called_suit, bare.record.caller) == (-1, -1)


def test_marriages() -> None:
    layout = layout_of(game("thousand").trick_rules(Contract()))
    for suit, bonus in (("H", 100), ("D", 80), ("C", 60), ("S", 40)):
        at = layout.suits[suit]
        assert layout.decode(int(layout.record.pair[at])) == {"K" + suit, "Q" + suit}
        assert layout.record.bonus[at] == bonus
    without = layout_of(game("thousand", marriages=False).trick_rules(Contract()))
    assert without.record.pair.tolist() == [0] * 8
    assert without.record.bonus.tolist() == [0] * 8


def test_state_words() -> None:
    """Trump + 1 in the low bits, 0 for none; a trump that waits stands in the word of the next trick only."""
    table = twin.Table("thousand", 3)
    hands = [frozenset({"KH", "QH"}), frozenset({"9S", "JS"}), frozenset({"9C", "JC"})]
    pos = {"hands": hands, "leader": 0, "trick": [], "ctx": {}, "side": frozenset({0})}
    position = twin.to_position(table, pos)
    layout = layout_of(position.rules)
    hearts, clubs = layout.suits["H"] + 1, layout.suits["C"] + 1
    assert layout.state(position) == (0, 0)
    assert layout.state(replace(position, trump="C")) == (clubs, clubs)
    assert layout.state(position.play("KH!")) == (0, hearts)
    assert layout.state(replace(position, trump="C").play("QH!")) == (clubs, hearts)
    assert layout.state(position.play("KH")) == (0, 0)
    at_once = twin.to_position(table, {**pos, "ctx": {"timing": "immediate", "trump": "C", "any_trump_yet": True}})
    assert layout_of(at_once.rules).state(at_once.play("KH!")) == (hearts, hearts)
    led = replace(position, called_led=True, trump="C")
    assert layout.state(led) == (clubs + STATE_CALLED_LED, clubs + STATE_CALLED_LED)
    assert hearts < STATE_CALLED_LED


def test_the_called_suit_on_the_table_counts_as_led_from_the_next_trick_on() -> None:
    """The partner has led another card of it: in the next trick no duty is left (RULES.md 2.4)."""
    one = game("sheepshead", seats=4, partner="called", partner_leads_any=True)
    rules = one.trick_rules(Contract(declarer=0, called=(Card("AS"),)))
    hands = tuple(frozenset(map(Card, h.split())) for h in ("KS QH", "AC AS 8S", "8H TD", "JC QD"))
    position = Position(rules, hands, 1, side=frozenset({0, 1}), trump="T").play("8S")
    now, following = layout_of(rules).state(position)
    assert following - now == STATE_CALLED_LED


def test_what_the_words_of_the_search_have_no_room_for() -> None:
    """A game of one's own beyond that would get wrong values without a word."""
    kit = game("kit").trick_rules(Contract())
    cards = [card for _, some in kit.suits for card in some]
    more = tuple(Card(f"{suit}{i}") for suit in "abcdefgh" for i in range(2))
    beyond = {
        "8 seats, not 9": replace(kit, seats=9),
        "7 suits, not 8": replace(kit, suits=tuple((c[0] + c[1], (c,)) for c in more[:8])),
        "14 cards in a suit, not 15": replace(kit, suits=(("a", tuple(Card(f"a{i}") for i in range(15))),)),
        "16383 points in a deal, not": replace(kit, points=tuple((c, 2000) for c in cards)),
        "17 different card values, not 18": replace(
            kit, suits=(("a", tuple(cards[:9])), ("b", more[:9])),
            points=tuple((c, i) for i, c in enumerate([*cards[:9], *more[:9]])),
        ),
        "-1 points": replace(kit, points=((cards[0], -1),)),
    }  # fmt: skip
    for message, rules in beyond.items():
        with pytest.raises(ValueError, match=message):
            Layout(rules)
