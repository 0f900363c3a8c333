"""The rules that bar cards: what each says, how a card proves that it was broken, and what a seat that kept it shows.

A rule of play is one `PlayRule` here and one clause of `playable`, which applies them in the order of RULES.md. Texts
are templates; `solver.model.play`, `solver.worlds.explain` and the check of records fill them in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.model.cards import Card

if TYPE_CHECKING:
    from solver.model.play import Position

__all__ = ["PLAY_RULES", "PlayRule", "playable"]


def _no_proof(position: Position) -> Iterable[Card]:
    return ()


def _legal_cards(position: Position) -> Iterable[Card]:
    return [move.card for move in position.legal()]


def _called_card(position: Position) -> Iterable[Card]:
    return () if position.rules.called is None else (position.rules.called.card,)


@dataclass(frozen=True)
class PlayRule:
    """One rule that bars cards.

    Parameters
    ----------
    id
        Names it in messages and records.
    text
        What it says, in a line: a template of `hand`, `led`, `best` and `called`.
    shows
        What a seat shows that played a card which the rule would bar from other hands: a template of `seat`, `card`,
        `cards` (which it did not hold), `trick`, `best`, `called`, words for suits (`led`, `trump`) and for the cards
        of one above another (`led_above_best`, `led_above_card`, `trump_above_best`).
    proof
        Cards of which one proves, at a position, that the rule was broken: a hand that held it had to play it.
    whole_hand
        Whether more cards in a hand may lift the bar, so that it is judged only where the whole hand is known.
    """

    id: str
    text: str
    shows: str = "{seat} does not hold {cards}: it played {card} {trick} ({rule})"
    proof: Callable[[Position], Iterable[Card]] = _no_proof
    whole_hand: bool = False


FOLLOW_SUIT = PlayRule(
    "follow-suit", "{hand} must follow the suit led ({led})",
    "{seat} holds no {led}: it played {card} when {led}s were led {trick}", _legal_cards,
)  # fmt: skip
MUST_BEAT = PlayRule(
    "must-beat", "a card above {best} must be played when one is held",
    "{seat} holds no {led_above_best}: it did not beat {best} {trick}", _legal_cards,
)  # fmt: skip
MUST_PLAY_HIGHEST = PlayRule(
    "must-play-highest", "who must beat {best} plays the highest card of the suit",
    "{seat} holds no {led_above_card}: it beat {best} with {card} {trick}", _legal_cards,
)  # fmt: skip
MUST_TRUMP = PlayRule(
    "must-trump", "void in the suit led, a trump must be played",
    "{seat} holds no {trump}: it played {card} and did not trump {trick}", _legal_cards,
)  # fmt: skip
MUST_OVERTRUMP = PlayRule(
    "must-overtrump", "a trump above {best} must be played when one is held",
    "{seat} holds no {trump_above_best}: it did not overtrump {best} {trick}", _legal_cards,
)  # fmt: skip
PARTNER_LEADS_CALLED = PlayRule(
    "partner-leads-called",
    "until the called suit has been led the partner may lead no other card of it than {called}",
    "{seat} does not hold {called}: it led {card} of the called suit {trick}", _called_card,
)  # fmt: skip
PARTNER_PLAYS_CALLED = PlayRule(
    "partner-plays-called", "the partner must play {called} when its suit is led",
    "{seat} does not hold {called}: it did not play it when its suit was led {trick}", _legal_cards,
)  # fmt: skip
PICKER_LEADS_CALLED = PlayRule(
    "picker-leads-called",
    "until the called suit has been led the picker may lead it only for want of other cards",
    "{seat} holds no other suit: it led {card} of the called suit {trick}", _legal_cards,
)  # fmt: skip
CALLED_HELD_BACK = PlayRule(
    "called-held-back", "{called} may not be thrown away before its suit has been led"
)  # fmt: skip
HOLD_CARD = PlayRule(
    "hold-card", "the picker's last card of the called suit must be kept until the suit has been led", whole_hand=True
)  # fmt: skip
UNDER_CARD = PlayRule("under-card", "the under card may be played to the called suit only")
UNDER_LED = PlayRule("under-led", "the under card may not be led")

#: Every rule by its id.
PLAY_RULES: dict[str, PlayRule] = {
    rule.id: rule
    for rule in (
        FOLLOW_SUIT, MUST_BEAT, MUST_PLAY_HIGHEST, MUST_TRUMP, MUST_OVERTRUMP, PARTNER_LEADS_CALLED,
        PARTNER_PLAYS_CALLED, PICKER_LEADS_CALLED, CALLED_HELD_BACK, HOLD_CARD, UNDER_CARD, UNDER_LED,
    )
}  # fmt: skip


class _Hand:
    """A hand from which rules take cards away, each noted with the rule that bars it."""

    def __init__(self, hand: frozenset[Card]) -> None:
        self.good = hand
        self.barred: dict[Card, PlayRule] = {}

    def keep(self, good: frozenset[Card], rule: PlayRule) -> None:
        """Bar all but these."""
        self.barred.update(dict.fromkeys(self.good - good, rule))
        self.good = good


def playable(position: Position, hand: frozenset[Card]) -> tuple[frozenset[Card], dict[Card, PlayRule]]:
    """Split a hand of the seat on turn into the playable cards and the others, each with the rule that bars it."""
    cards = _Hand(hand)
    if not position.trick:
        _lead(position, cards)
    else:
        suit_of = position.rules.suit_of
        led = suit_of[position.trick[0].card]
        follow = frozenset(c for c in hand if suit_of[c] == led)
        if follow:
            cards.keep(follow, FOLLOW_SUIT)
            _follow(position, cards, led)
        else:
            trumps = frozenset(c for c in hand if suit_of[c] == position.trump)
            if position.rules.must_trump and trumps:
                _trump(position, cards, trumps)
            elif position.duties_open and len(hand) > 1:
                _discard(position, cards)
    return cards.good, cards.barred


def _lead(position: Position, cards: _Hand) -> None:
    rules, called = position.rules, position.rules.called
    if called is None:
        return
    if position.duties_open:
        same = frozenset(c for c in cards.good if rules.suit_of[c] == rules.called_suit)
        if called.card in same and not called.partner_leads_any:
            cards.keep(cards.good - same | {called.card}, PARTNER_LEADS_CALLED)
        if called.picker_leads_called and position.turn == called.caller and cards.good - same:
            cards.keep(cards.good - same, PICKER_LEADS_CALLED)
    if called.under in cards.good and not called.under_may_be_led and len(cards.good) > 1:
        cards.keep(cards.good - {called.under}, UNDER_LED)


def _follow(position: Position, cards: _Hand, led: str) -> None:
    rules, called = position.rules, position.rules.called
    strength = rules.strength
    assert position.best is not None
    best = position.best[1]
    if called is not None and called.card in cards.good and not position.called_led:
        cards.keep(frozenset({called.card}), PARTNER_PLAYS_CALLED)
    elif rules.must_beat and rules.suit_of[best] == led:
        above = frozenset(c for c in cards.good if strength[c] > strength[best])
        if above:
            cards.keep(above, MUST_BEAT)
            if rules.must_play_highest:
                cards.keep(frozenset({max(above, key=strength.__getitem__)}), MUST_PLAY_HIGHEST)


def _trump(position: Position, cards: _Hand, trumps: frozenset[Card]) -> None:
    rules = position.rules
    assert position.best is not None
    best = position.best[1]
    above = trumps
    if rules.suit_of[best] == position.trump:
        above = frozenset(c for c in trumps if rules.strength[c] > rules.strength[best])
        if not above and rules.partial_trumping:
            return
    cards.keep(trumps, MUST_TRUMP)
    if above and rules.must_overtrump:
        cards.keep(above, MUST_OVERTRUMP)


def _discard(position: Position, cards: _Hand) -> None:
    rules, called = position.rules, position.rules.called
    assert called is not None
    if called.card in cards.good:
        cards.keep(cards.good - {called.card}, CALLED_HELD_BACK)
    elif position.turn == called.caller and (called.hold_card or called.under is not None):
        held = frozenset(c for c in cards.good if rules.suit_of[c] == rules.called_suit)
        if len(held) == 1:
            cards.keep(cards.good - held, UNDER_CARD if held == {called.under} else HOLD_CARD)
