"""Exact numbers over all worlds: where each card is, how long suits are, who is the partner."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from solver.model.cards import Card
from solver.worlds.counting import Counter

if TYPE_CHECKING:
    import pandas as pd

    from solver.worlds.knowledge import Knowledge

__all__ = ["lengths", "partner", "probabilities"]


def probabilities(known: Knowledge) -> pd.DataFrame:
    """Chance of each unseen card in each place: columns card, place, p."""
    import pandas as pd

    one = known.situation
    rows = []
    for card, chances in zip(one.unseen, known.places, strict=True):
        for at, place in enumerate(one.places):
            if place.size:
                above, below = chances.get(at, (0, 1))
                rows.append((str(card), place.name(known.game), above / below))
    return pd.DataFrame(rows, columns=["card", "place", "p"])


def lengths(known: Knowledge) -> pd.DataFrame:
    """Distribution of how many cards of each suit each place holds now: columns place, suit, length, p."""
    import pandas as pd

    one, total = known.situation, known.count()
    rows: list[tuple[str, str, int, float]] = []
    for at, place in enumerate(one.places):
        if not place.size and place.kind != "hand":
            continue
        sure = one.held[at] if at < known.game.seats else frozenset()
        for suit, cards in _suits(known).items():
            name, more, have = place.name(known.game), cards & set(one.unseen), len(cards & sure)
            if not place.size or not more:
                rows.append((name, suit, have, 1.0))
                continue
            counter = Counter(more, frozenset({at}), min(place.size, len(more)))
            found = one.problem.counted(counter).distribution()
            rows += [(name, suit, have + n, ways / total) for n, ways in found.items() if ways]
    return pd.DataFrame(rows, columns=["place", "suit", "length", "p"])


def _suits(known: Knowledge) -> dict[str, frozenset[Card]]:
    """Suits that count in play once the contract is known, before it the printed ones."""
    position, deck = known.situation.position, known.game.deck
    if position is not None:
        return {name: frozenset(cards) for name, cards in position.rules.suits}
    return {s: frozenset(c for c in deck.cards if c.suit == s) for s in deck.suits}


def partner(known: Knowledge) -> pd.DataFrame:
    """Who plays with the declarer: columns seat, p; a row without a seat says that nobody does."""
    import pandas as pd

    contract = known.situation.contract
    cards = () if contract is None else known.game.partner_cards(contract)
    others = [s for s in range(known.game.seats) if contract is None or s != contract.declarer]
    rows: list[tuple[int | None, float]] = []
    if cards:
        rows = [(seat, float(_holds_one(known, cards, [seat]))) for seat in others]
    if alone := 1 - (_holds_one(known, cards, others) if cards else Fraction(0)):
        rows.append((None, float(alone)))
    return pd.DataFrame(rows, columns=["seat", "p"]).astype({"seat": "Int64"})


def _holds_one(known: Knowledge, cards: Iterable[Card], seats: list[int]) -> Fraction:
    """Chance that one of these cards, at least, was in one of these hands at the first lead."""
    one = known.situation
    if any(one.where.get(card) in seats for card in cards):
        return Fraction(1)
    left = frozenset(cards) & set(one.unseen)
    if not left:
        return Fraction(0)
    ways = one.problem.counted(Counter(left, frozenset(seats), 1)).distribution()
    return Fraction(ways.get(1, 0), known.count())
