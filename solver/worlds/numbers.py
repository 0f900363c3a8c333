"""Exact numbers over all worlds: where each card is, how long suits are, who is the partner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.worlds.counting import Counter
from solver.worlds.own import played_size

if TYPE_CHECKING:
    import pandas as pd

    from solver.worlds.knowledge import Knowledge

__all__ = ["known_places", "lengths", "partner", "place_of", "probabilities"]


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


def place_of(known: Knowledge, name: int | str) -> int | str:
    """Number of a place by a name for it; its kind where no unseen card can lie there.

    Raises
    ------
    NotationError
        When the game has no such place.
    """
    one, game = known.situation, known.game
    word = str(name).strip().lower()
    seat = game.seat_of(word)
    if seat is not None:
        return seat
    kinds = {}
    if game.talon_size:
        buried = played_size(game) == game.hand_size  # otherwise cards of the talon are passed
        kinds = {game.talon_label: "talon", **({"bury": "bury"} if buried and "bury" in game.clauses else {})}
        kinds |= {"under card": "under"} if "under" in game.clauses else {}
    kind = kinds.get(word, word)
    if kind not in kinds.values():
        places = ", ".join([*(f"seat {s}" for s in range(game.seats)), *kinds])
        raise NotationError(f"no place {excerpt(word)}: cards of {game.name} may lie with {places}")
    at = one.place(kind)
    return kind if at is None else at


def known_places(known: Knowledge, card: Card) -> set[int | str]:
    """Places, as `place_of` gives them, where a card lies that is known; an under card is its seat's too."""
    one = known.situation
    c, at = one.contract, one.where[card]
    put = {} if c is None else dict.fromkeys(c.bury, "bury") | ({} if c.under is None else {c.under: "under"})
    kind = put.get(card, "talon" if card in one.away else "")
    found: set[int | str] = set() if at < 0 else {at}
    return found | {place_of(known, kind)} if kind else found


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

    contract, game = known.situation.contract, known.game
    want = "tell the contract" if contract is None and "call" in game.clauses else ""
    if want := want if contract is None else game.untold(contract):
        raise NotationError(f"who plays together is not known yet: {want}")
    cards = () if contract is None else game.partner_cards(contract)
    others = [s for s in range(game.seats) if contract is None or s != contract.declarer]
    rows: list[tuple[int | None, float]] = []
    if cards and contract is not None and contract.declarer is None:
        rows = [*_together(known, cards)]
        return pd.DataFrame(rows, columns=["seat", "p"]).astype({"seat": "Int64"})
    if cards:
        rows = [(seat, float(_holds_one(known, cards, [seat]))) for seat in others]
    if alone := 1 - (_holds_one(known, cards, others) if cards else Fraction(0)):
        rows.append((None, float(alone)))
    return pd.DataFrame(rows, columns=["seat", "p"]).astype({"seat": "Int64"})


def _together(known: Knowledge, cards: Iterable[Card]) -> Iterator[tuple[int | None, float]]:
    """Who holds one of the cards, and not all of them; where nobody is declarer their holders play together."""
    one, total, all_in_one = known.situation, known.count(), 0
    wanted = frozenset(cards)
    left = wanted & set(one.unseen)
    for seat in range(known.game.seats):
        sure = sum(one.where.get(card) == seat for card in wanted)
        found = {0: total}
        if left:
            found = one.problem.counted(Counter(left, frozenset({seat}), len(left))).distribution()
        held = {sure + n: ways for n, ways in found.items()}
        all_in_one += held.get(len(wanted), 0)
        yield seat, float(Fraction(sum(ways for n, ways in held.items() if 0 < n < len(wanted)), total))
    if all_in_one:
        yield None, float(Fraction(all_in_one, total))


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
