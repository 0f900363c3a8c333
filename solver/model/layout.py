"""From cards to bits: the layout of a contract's deck, and the one record that the compiled kernels read.

A layout gives every card one bit of a 64-bit word: one block of neighbouring bits per effective suit, in
rising strength.  So following suit is one mask, and of two cards of a suit the better one has the higher bit.
Which suits are trump, which card counts as what, never reaches the search in any other form.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.model.cards import Card, Deck
from solver.model.contract import CalledCard, TrickRules
from solver.model.errors import UnsupportedError
from solver.model.play import Position

__all__ = ["MAX_SUITS", "Layout", "layout_of", "rules_type"]

#: Effective suits that the kernels' record has room for.
MAX_SUITS = 8

# What the search's words have room for; a game beyond would get wrong values without a word.
_MOST_SUITS = 7  # trump suit + 1 in three bits
_MOST_CARDS = 53
_MOST_CARDS_NAMED = 40  # with marriages or a called card: the table's key says more of each
_LONGEST_SUIT = 14  # a table of all subsets of a suit
_MOST_SEATS = 8
_MOST_POINTS = 0x3FFF  # a proof's bound takes 14 bits
_MOST_VALUES = 17  # different values of cards
_MARRIAGE_SUITS = 4  # suits with marriages, the first ones

#: Bits of the kernel's state word: trump suit + 1 in the low three, then whether the called suit has been led.
STATE_CALLED_LED = 8


#: Fields of the one record that the kernels read of `TrickRules`, and how many entries each has (0: a single number).
#: A field of masks holds bits of the layout, the others whole numbers.
_NUMBERS = {
    "seats": 0,
    "suit_of": 64,  # effective suit of each bit
    "points": 64,
    "levels": 0,  # how many point values other than the lowest there are
    "step": 16,  # each of those values, rising, less the one before
    "trick_value": 0,
    "last_value": 0,
    "must_beat": 0,
    "must_trump": 0,
    "must_overtrump": 0,
    "must_play_highest": 0,
    "partial_trumping": 0,
    "misere": 0,  # the collecting side wants as little as possible
    "bonus": MAX_SUITS,
    "immediate_trump": 0,
    "one_trump": 0,
    "called_suit": 0,  # -1 when no card is called
    "caller": 0,  # the picker's seat, -1 for none
    **dict.fromkeys(CalledCard.options(), 0),
}
_MASKS = {
    "suit_mask": MAX_SUITS,
    "at_least": 16,  # cards worth each step's value or more
    "pair": MAX_SUITS,  # king and queen of each suit's marriage, 0 where there is none
    "called": 0,
    "under": 0,
}


@cache
def rules_type() -> np.dtype[np.void]:
    """Type of the kernels' rules record, one for all games: the search is compiled once.

    A record is one word as an argument; a tuple of as many arrays is a hundred, copied at every call.
    """
    fields: list[tuple[str, type, tuple[int, ...]]] = []
    for kind, sizes in ((np.int64, _NUMBERS), (np.uint64, _MASKS)):
        fields += [(name, kind, (size,) if size else ()) for name, size in sizes.items()]
    return np.dtype(fields, align=True)


class Layout:
    """The bits of one contract's deck.

    Parameters
    ----------
    rules
        Trick rules; equal rules share a layout through `layout_of`.
    """

    def __init__(self, rules: TrickRules) -> None:
        self.rules = rules
        self.cards: tuple[Card, ...] = tuple(card for _, cards in rules.suits for card in cards)
        self._check_rules()
        self._check_room()
        self.bit: dict[str, int] = {card: i for i, card in enumerate(self.cards)}
        self.suits: dict[str, int] = {name: i for i, (name, _) in enumerate(rules.suits)}
        self.record = self._build()

    def _check_rules(self) -> None:
        """Refuse rules that the search does not have."""
        rules = self.rules
        if rules.first_value:
            raise UnsupportedError(
                f"{rules.first_value} points go to the first trick (a blind): the search does not have that rule"
            )
        if rules.suits_later:
            raise UnsupportedError(
                f"{rules.called and rules.called.card} is highest only when its suit is first led, and may stay in "
                "hand then (partner_leads_any): the search does not have that rule"
            )

    def _check_room(self) -> None:
        """Refuse what the words of the search have no room for."""
        rules = self.rules
        named = bool(rules.marriages or rules.called)
        hand = len(self.cards) // rules.seats
        most = sum(rules.value_of.values()) + hand * rules.trick_value + rules.last_value
        most += sum(marriage.bonus for marriage in rules.marriages)
        names = [name for name, _ in rules.suits]
        values = [*rules.value_of.values(), rules.trick_value, rules.last_value, *(m.bonus for m in rules.marriages)]
        rooms = (
            ("seats", rules.seats, _MOST_SEATS),
            ("suits", len(names), _MOST_SUITS),
            ("cards with marriages or a called card", len(self.cards) * named, _MOST_CARDS_NAMED),
            ("cards", len(self.cards), _MOST_CARDS),
            ("cards in a suit", max((len(cards) for _, cards in rules.suits), default=0), _LONGEST_SUIT),
            ("different card values", len(set(rules.value_of.values())), _MOST_VALUES),
            ("points in a deal", most, _MOST_POINTS),
            ("suits up to the last with a marriage", max((names.index(m.suit) + 1 for m in rules.marriages), default=0),
             _MARRIAGE_SUITS),
        )  # fmt: skip
        for what, count, room in rooms:
            if count > room:
                raise UnsupportedError(f"the search has room for at most {room} {what}, not {count}")
        if min(values) < 0:
            raise UnsupportedError(f"{min(values)} points for a card or trick: the search takes whole numbers from 0")

    def _build(self) -> Any:
        rules = self.rules
        suit_of = np.zeros(64, np.int64)
        suit_mask = np.zeros(MAX_SUITS, np.uint64)
        points = np.zeros(64, np.int64)
        pair = np.zeros(MAX_SUITS, np.uint64)
        bonus = np.zeros(MAX_SUITS, np.int64)
        for i, (_, cards) in enumerate(rules.suits):
            suit_mask[i] = self.encode(cards)
            for card in cards:
                suit_of[self.bit[card]] = i
                points[self.bit[card]] = rules.value_of[card]
        for marriage in rules.marriages:
            at = self.suits[marriage.suit]
            pair[at] = self.encode((marriage.king, marriage.queen))
            bonus[at] = marriage.bonus
        values = sorted({rules.value_of[c] for c in self.cards})
        step = np.zeros(16, np.int64)
        at_least = np.zeros(16, np.uint64)
        for i, (less, more) in enumerate(itertools.pairwise(values)):
            step[i] = more - less
            at_least[i] = self.encode(c for c in self.cards if rules.value_of[c] >= more)
        called = rules.called
        fields: dict[str, Any] = {
            "seats": rules.seats,
            "suit_of": suit_of,
            "suit_mask": suit_mask,
            "points": points,
            "levels": len(values) - 1,
            "step": step,
            "at_least": at_least,
            "trick_value": rules.trick_value,
            "last_value": rules.last_value,
            "must_beat": int(rules.must_beat),
            "must_trump": int(rules.must_trump),
            "must_overtrump": int(rules.must_overtrump),
            "must_play_highest": int(rules.must_play_highest),
            "partial_trumping": int(rules.partial_trumping),
            "misere": int(rules.misere),
            "pair": pair,
            "bonus": bonus,
            "immediate_trump": int(rules.immediate_trump),
            "one_trump": int(rules.one_trump),
            "called": 0 if called is None else 1 << self.bit[called.card],
            "under": 0 if called is None or called.under is None else 1 << self.bit[called.under],
            "called_suit": -1 if rules.called_suit is None else self.suits[rules.called_suit],
            "caller": -1 if called is None or called.caller is None else called.caller,
            **{name: 0 if called is None else int(getattr(called, name)) for name in CalledCard.options()},
        }
        out = np.zeros(1, rules_type()).view(np.recarray)
        for name, value in fields.items():
            out[name][0] = value
        return out[0]

    def encode(self, cards: Iterable[str]) -> int:
        """Set of cards -> bits."""
        return sum(1 << self.bit[c] for c in cards)

    def decode(self, bits: int) -> frozenset[Card]:
        """Bits -> set of cards."""
        return frozenset(c for i, c in enumerate(self.cards) if bits >> i & 1)

    def state(self, position: Position) -> tuple[int, int]:
        """The kernel's state words of this trick and of the next (a declared trump waits in the second)."""
        rules = self.rules
        leads_it = bool(position.trick) and rules.suit_of[position.trick[0].card] == rules.called_suit

        def word(trump: str | None, called_led: bool) -> int:
            return STATE_CALLED_LED * called_led + (0 if trump is None else self.suits[trump] + 1)

        any_led = rules.called is not None and rules.called.partner_leads_any
        following = position.called_led or (any_led and leads_it)
        return word(position.trump, position.called_led), word(position.pending or position.trump, following)

    def from_deck(self, deck: Deck) -> NDArray[np.int64]:
        """Bit of each card of a deck, in deck order; cards that the layout lacks map to -1."""
        return np.array([self.bit.get(c, -1) for c in deck.cards], np.int64)


@lru_cache(maxsize=4096)
def layout_of(rules: TrickRules) -> Layout:
    """Layout of these rules, kept."""
    return Layout(rules)
