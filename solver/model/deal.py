"""A deal: what each seat was dealt, and what lies on the table face down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.model.cards import SUIT_SYMBOLS, Card, Deck
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.model.shown import Shown

if TYPE_CHECKING:
    from solver.games.base import Game

__all__ = ["TALON_LABELS", "Deal", "read_deal"]

#: Every game's word for the talon; all are read, the game's own is written.
TALON_LABELS = ("talon", "blind", "prikup", "skat", "musik", "kitty")


@dataclass(frozen=True)
class Deal(Shown):
    """Cards by seat, and the talon.

    Parameters
    ----------
    game
        The game that was dealt, with its options.
    hands
        Cards of seat 0, 1, …
    talon
        Cards dealt to nobody (blind, prikup).
    """

    game: Game
    hands: tuple[frozenset[Card], ...]
    talon: frozenset[Card] = frozenset()

    def __str__(self) -> str:
        deck = self.game.deck
        rows = [(self.game.seat_label(s), hand) for s, hand in enumerate(self.hands)]
        if self.talon:
            rows.append((self.game.talon_label, self.talon))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {group_by_suit(deck, hand)}" for name, hand in rows)

    def __repr__(self) -> str:
        return f"<Deal {self.game.name}: {self.text}>"

    @property
    def text(self) -> str:
        """The one strict form: ``AH KH … | … | … | talon: TH JS 9C``."""
        deck = self.game.deck
        parts = [deck.write(hand) for hand in self.hands]
        if self.talon:
            parts.append(f"{self.game.talon_label}: {deck.write(self.talon)}")
        return " | ".join(parts)


def group_by_suit(deck: Deck, cards: frozenset[Card], *, symbols: bool = True) -> str:
    """Write a hand suit by suit, ``♥ A K Q  ♠ T``, or ``H AKQ`` without symbols."""
    groups = []
    for suit in deck.suits:
        ranks = [c.rank for c in deck.sort(cards) if c.suit == suit]
        if ranks:
            shown = [("10" if r == "T" else r) for r in ranks] if symbols else ranks
            groups.append(f"{SUIT_SYMBOLS.get(suit, suit) if symbols else suit} {' '.join(shown)}")
    return "   ".join(groups)


def read_deal(game: Game, text: str, sizes: Sequence[tuple[int, int]]) -> Deal:
    """Read ``hand | hand | … | talon: cards``.

    Parameters
    ----------
    game
        Gives the deck and the number of seats.
    text
        The deal; hands by seat, the talon last, its label optional where the count leaves no doubt.
    sizes
        Accepted (cards a hand, cards in the talon).

    Raises
    ------
    NotationError
        For cards that cannot be read, stand twice, or do not add up to a deal.
    """
    deck = game.deck
    parts: list[tuple[int, str]] = []
    place = 0
    for part in text.split("|"):
        parts.append((place, part))
        place += len(part) + 1
    talon: tuple[int, str] | None = None
    last = parts[-1][1].strip().lower()
    label = next((w for w in TALON_LABELS if last.startswith(w)), None)
    if label is not None:
        at, raw = parts.pop()
        skip = raw.lower().index(label) + len(label)
        talon = (at + skip, raw[skip:])
    elif len(parts) == game.seats + 1:
        talon = parts.pop()
    if len(parts) != game.seats:
        raise NotationError(
            f"read {len(parts)} hands in {excerpt(text)}: {game.name} has {game.seats} seats, "
            f"write their hands with | between, then '{game.talon_label}: …' if cards lie there"
        )
    hands = [deck.read(part, start=at, whole=text) for at, part in parts]
    rest = deck.read(talon[1], start=talon[0], whole=text) if talon is not None else ()
    check_disjoint([*hands, rest], [*(f"seat {s}" for s in range(game.seats)), f"the {game.talon_label}"])
    counts = {len(h) for h in hands}
    expected = " or ".join(f"{h} cards each" + (f" and {t} in the {game.talon_label}" if t else "") for h, t in sizes)
    if len(counts) != 1:
        held = ", ".join(f"seat {s} {len(h)}" for s, h in enumerate(hands))
        raise NotationError(f"the seats hold unequal hands ({held}): {game.name} has {expected}")
    if (len(hands[0]), len(rest)) not in sizes:
        much = "too long" if len(hands[0]) > max(h for h, _ in sizes) else "not of this game"
        if all(len(hands[0]) != h for h, _ in sizes):
            raise NotationError(f"the hands of {len(hands[0])} cards are {much}: {game.name} has {expected}")
        raise NotationError(
            f"read {len(hands[0])} cards a hand and {len(rest)} in the {game.talon_label}: {game.name} has {expected}"
        )
    return Deal(game, tuple(frozenset(h) for h in hands), frozenset(rest))


def check_disjoint(groups: Sequence[Sequence[Card] | frozenset[Card]], names: Sequence[str]) -> None:
    """Raise NotationError when a card stands in two groups, naming both."""
    where: dict[Card, str] = {}
    for name, cards in zip(names, groups, strict=True):
        for card in cards:
            if card in where:
                raise NotationError(f"{card} stands twice, in {where[card]} and {name}: the deck has it once")
            where[card] = name
