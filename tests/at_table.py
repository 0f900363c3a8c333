"""Short ways to write positions in tests: cards and hands as text, tricks in order of play."""

from __future__ import annotations

from collections.abc import Iterable

from solver.deals.search import Search
from solver.games import game
from solver.games.sheepshead import Sheepshead
from solver.model.cards import Card
from solver.model.contract import Contract, TrickRules
from solver.model.play import Move, Position

#: A deal for five seats, AS and KH in the blind: the picker, seat 0, may call AC of seat 1.
SHEEPSHEAD_DEAL = (
    "QC JS AD 9D TC 8C | QS QH JC JH AC KC | QD JD TD KD AH TH | 8D 7D 9C 7C 9H 8H | TS KS 9S 8S 7S 7H | blind: AS KH"
)


def sheepshead(**options: object) -> Sheepshead:
    """Sheepshead with house rules."""
    one = game("sheepshead", **options)
    assert isinstance(one, Sheepshead)
    return one


def cards(text: str | Iterable[str]) -> frozenset[Card]:
    """A set of cards, ``"AH KH"``."""
    return frozenset(Card(c) for c in (text.split() if isinstance(text, str) else text))


def moves(text: str) -> tuple[Move, ...]:
    """Moves in order, ``"KH! 9C"``; the mark declares a marriage."""
    return tuple(Move(Card(w.rstrip("!")), w.endswith("!")) for w in text.split())


def contract(**given: object) -> Contract:
    """A contract from its parts, unchecked, cards as text."""
    for key in ("called", "bury"):
        if isinstance(given.get(key), str):
            given[key] = tuple(Card(c) for c in str(given[key]).split())
    if given.get("under"):
        given["under"] = Card(str(given["under"]))
    return Contract(**given)  # type: ignore[arg-type]


def ending(
    rules: TrickRules,
    hands: Iterable[str | Iterable[str]],
    *,
    leader: int = 0,
    trump: str | None = None,
    side: Iterable[int] = (0,),
    **state: object,
) -> Position:
    """A position at the start of a trick."""
    held = tuple(cards(h) for h in hands)
    return Position(rules, held, leader, trump=trump, side=frozenset(side), **state)  # type: ignore[arg-type]


def to_play(
    rules: TrickRules, hand: str, table: str = "", *, seat: int = 0, trump: str | None = None, others: str = ""
) -> Position:
    """A seat to play with the cards of a table before it; all that `others` names is in the hand to its left."""
    trick = moves(table)
    hands = [frozenset[Card]()] * rules.seats
    hands[seat] = cards(hand)
    hands[(seat + 1) % rules.seats] |= cards(others)
    leader = (seat - len(trick)) % rules.seats
    return Position(rules, tuple(hands), leader, trick=trick, trump=trump, side=frozenset({0}))


def legal(position: Position) -> set[str]:
    """Legal cards."""
    return {str(m.card) for m in position.legal()}


def play(position: Position, text: str) -> Position:
    """The position after moves in order of play, each of them legal."""
    for move in moves(text):
        position = position.play(move)
    return position


def trick(rules: TrickRules, text: str, *, leader: int = 0, trump: str | None = None) -> tuple[str, int]:
    """Play one trick of single cards: the card that wins it, and its points."""
    seats = rules.seats
    played = moves(text)
    hands: list[frozenset[Card]] = [frozenset()] * seats
    for i, move in enumerate(played):
        hands[(leader + i) % seats] = frozenset({move.card})
    start = Position(rules, tuple(hands), leader, trump=trump, side=frozenset({0}))
    after = play(start, text)
    return str(played[(after.leader - leader) % seats].card), after.points[after.leader]


def value(position: Position) -> int:
    """Points that the side takes from here on."""
    low, high = Search(position).value(position)
    assert low == high
    return low


def card_values(position: Position) -> dict[str, int]:
    """Value for the side of every legal move, written as in `Move`."""
    one = Search(position)
    out = {}
    for move in position.legal():
        after = position.play(move)
        low, high = one.value(after)
        assert low == high
        out[str(move)] = after.collected - position.collected + low
    return out
