"""What is known of each seat, in words, with the card that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from solver.model.cards import Card
from solver.model.play_rules import PLAY_RULES
from solver.worlds.constraints import MARRIAGE, Duty
from solver.worlds.counting import Condition, settled

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.situation import Situation

__all__ = ["explain"]

_SUITS = {
    "C": "club", "D": "diamond", "H": "heart", "S": "spade", "T": "trump",
    "o": "circle", "t": "triangle", "s": "square",
}  # fmt: skip
#: Counts of a condition that are tried to see whether it still says something.
_MOST_COUNTS = 4096
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}


def explain(known: Knowledge) -> Iterator[str]:
    """Lines for people, seat by seat."""
    one, game = known.situation, known.game
    unseen = set(one.unseen)
    played = {move.card for _, move in one.moves}
    contract = one.contract
    for seat in range(game.seats):
        if seat == known.seat:
            continue
        if one.held[seat]:
            given = {} if contract is None else {c: to for to, c in contract.passes}
            passed = [c for c in one.held[seat] if given.get(c) == seat]
            if passed:
                yield f"seat {seat} holds {game.deck.write(passed)}: it was passed to it"
            if others := one.held[seat] - set(passed):
                yield f"seat {seat} holds {game.deck.write(others)}: seen"
        yield from _duties([d for d in one.duties if d.seat == seat], one)
    for condition in one.conditions:
        if condition.why and _open(condition, one):
            seats = sorted({p for c in condition.counters for p in c.places if 0 <= p < game.seats})
            about = condition.why if condition.why.startswith("seat ") else f"seats {' '.join(map(str, seats))}: " \
                f"{condition.why}" if len(seats) > 1 else f"seat {seats[0]}: {condition.why}" if seats else \
                condition.why  # fmt: skip
            yield about
    if contract is None or contract.side is not None:
        return
    cards = game.partner_cards(contract)
    names = " and ".join(cards)
    holders = {one.where.get(card) for card in cards}
    if contract.declarer is None and len(holders) == 1 and None not in holders:
        yield f"seat {holders.pop()} plays alone: it was dealt {names}"
        return
    whom = f"on the side of {names}" if contract.declarer is None else f"a partner of seat {contract.declarer}"
    for card in cards:
        at = one.where.get(card)
        if at is not None and 0 <= at != contract.declarer:
            how = f"it played {card}" if card in played else f"it holds {card}"
            yield f"seat {at} is {whom}: {how}"
        elif card in unseen:
            left = [p.name(game) for i, p in enumerate(one.places) if p.size and i in one.allowed[card]]
            yield f"{card} is in one of: {', '.join(left)}"


def _open(condition: Condition, one: Situation) -> bool:
    """Whether a condition still says something of unseen cards: a count of them exists that it rules out."""
    left = settled(condition, one.where)
    free = [sum(bool(one.allowed[card] & c.places) for card in c.cards if card in one.allowed) for c in left.counters]
    counts = [range(min(n, c.cap) + 1) for n, c in zip(free, left.counters, strict=True)]
    if prod(map(len, counts)) > _MOST_COUNTS:
        return True
    return not all(map(left.accept, product(*counts)))


def _duties(duties: list[Duty], one: Situation) -> Iterator[str]:
    """What the cards of one seat say; what a later card says better is left out."""
    unseen = set(one.unseen)
    said: list[tuple[frozenset[Card], str]] = []
    for duty in duties:
        for rule in dict.fromkeys(duty.barred.values()):
            cards = frozenset(c for c, r in duty.barred.items() if r == rule) & unseen
            if cards:
                said.append((cards, _line(duty, rule, cards)))
        met = any(one.where.get(card) == duty.seat for card in duty.needs)
        if left := frozenset(c for c in duty.needs & unseen if duty.seat in one.allowed[c] and not met):
            said.append((frozenset(), _need(duty, left)))
    for number, (cards, line) in enumerate(said):
        better = any(
            cards < other or (cards == other and at < number) for at, (other, _) in enumerate(said) if at != number
        )
        if not cards or not better:
            yield line


def _above(suit: str, card: Card) -> str:
    """``heart above the king``; cards of a trump suit of several ranks by name."""
    word = _SUITS.get(suit, suit)
    return f"{word} above {'the ' + _RANKS.get(card.rank, card.rank) if suit == card.suit else card}"


def _line(duty: Duty, rule: str, cards: frozenset[Card]) -> str:
    before, card = duty.before, duty.move.card
    rules, best = before.rules, card if before.best is None else before.best[1]
    led, trump = rules.suit_of[before.trick[0].card] if before.trick else "", before.trump or ""
    # Where one may throw what one likes for want of a higher trump, a lower one may be kept back.
    partial = rules.partial_trumping and before.best is not None and rules.suit_of[best] == trump
    return PLAY_RULES[rule].shows.format(
        seat=f"seat {duty.seat}", card=card, cards=" ".join(sorted(cards)), trick=f"in trick {duty.trick}", best=best,
        called=rules.called.card if rules.called else "", rule=rule, led=_SUITS.get(led, led),
        trump=_above(trump, best) if partial else _SUITS.get(trump, trump), led_above_best=_above(led, best),
        led_above_card=_above(led, card), trump_above_best=_above(trump, best),
    )  # fmt: skip


def _need(duty: Duty, cards: frozenset[Card]) -> str:
    left = " ".join(sorted(cards))
    if duty.rule == MARRIAGE:
        return f"seat {duty.seat} held {left}: it declared a marriage with {duty.move.card} in trick {duty.trick}"
    left = f"one of {left}" if len(cards) > 1 else left
    return f"seat {duty.seat} held {left}: it threw {duty.move.card} in trick {duty.trick} ({duty.rule})"
