"""Cards and decks: text in, text out.

A card is written rank first with capital letters, ``AH`` or ``TC``, in the kit suit first with small
letters, ``o1``.  Reading is tolerant (`Deck.read`): either order, any case, suit symbols, ``10`` for the
ten, cards run together, or grouped by suit as in ``♥AK3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from solver.model.checks import excerpt
from solver.model.errors import NotationError

__all__ = ["SUIT_SYMBOLS", "Card", "Deck", "Token"]

#: Suit letters with the symbol shown to people; the kit's suits are circles, triangles and squares.
SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "o": "●", "t": "▲", "s": "■"}

#: Other ways to write a suit.
_SUIT_SIGNS = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S",
    "●": "o", "▲": "t", "■": "s", "○": "o", "△": "t", "□": "s",
}  # fmt: skip

_GAPS = " \t\r\n,;:\u00a0\ufe0f\ufe0e"
_VOID = "-–"


class Card(str):
    """One card, equal to its own name: ``Card("AH") == "AH"``.

    The name is rank then suit (``AH``), in the kit suit then rank (``o1``).
    """

    __slots__ = ()

    @property
    def suit(self) -> str:
        """Printed suit, one letter: C D H S, or o t s in the kit."""
        return self[0] if self[0].islower() else self[1]

    @property
    def rank(self) -> str:
        """Rank, one character: A K Q J T 9 … 2, or 1 … 9 in the kit."""
        return self[1] if self[0].islower() else self[0]

    @property
    def symbol(self) -> str:
        """The card with its suit symbol, rank first: ``A♥``; the ten is ``10``."""
        return f"{'10' if self.rank == 'T' else self.rank}{SUIT_SYMBOLS.get(self.suit, self.suit)}"

    def __repr__(self) -> str:
        """Return a constructor call."""
        return f"Card({str(self)!r})"


class Token(NamedTuple):
    """A card as it stood in a text: the card, the words read, and their place (from 1)."""

    card: Card
    text: str
    place: int


class _Mark(NamedTuple):
    kind: str  # "S" a suit, "R" a rank, "V" a dash that stands for no rank
    value: str
    start: int
    end: int
    gap: bool  # something separates it from the mark before


@dataclass(frozen=True)
class Deck:
    """The cards of one game, in their one canonical order.

    Parameters
    ----------
    name
        What messages call the deck, for example ``"the 5-seat deck of 3 of Spades"``.
    suits
        Suit letters in display order.
    ranks
        Rank characters, strongest first in the printed order of the game.
    removed
        Cards of the full suits x ranks pack that this game takes out.
    """

    name: str
    suits: str
    ranks: str
    removed: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards: suit by suit, strongest rank first."""
        kit = self.suits.islower()
        names = (Card(s + r if kit else r + s) for s in self.suits for r in self.ranks)
        return tuple(c for c in names if c not in self.removed)

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each card in `cards`."""
        return {c: i for i, c in enumerate(self.cards)}

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self.index

    def sort(self, cards: Iterable[str]) -> list[Card]:
        """Cards in canonical order."""
        return sorted((Card(c) for c in cards), key=self.index.__getitem__)

    def write(self, cards: Iterable[str]) -> str:
        """Write cards in the one strict form: names in canonical order, a space between."""
        return " ".join(self.sort(cards))

    # ------------------------------------------------------------------ reading

    def _suit(self, ch: str) -> str | None:
        sign = _SUIT_SIGNS.get(ch, ch)
        for form in (sign, sign.lower(), sign.upper()):
            if form in self.suits:
                return form
        return None

    def _marks(self, text: str, start: int, whole: str) -> list[_Mark]:
        """Split a text into suits and ranks; a mark knows whether a gap stands before it."""
        marks: list[_Mark] = []
        gap, i = True, 0
        while i < len(text):
            ch = text[i]
            suit = self._suit(ch)
            if ch in _VOID and marks and marks[-1].kind == "S":
                marks.append(_Mark("V", "", i, i + 1, False))
                gap = True
            elif ch in _GAPS or ch in _VOID:
                gap = True
            elif text.startswith("10", i) and "T" in self.ranks:
                marks.append(_Mark("R", "T", i, i + 2, gap))
                gap = False
                i += 1
            elif ch.upper() in self.ranks or suit is not None:
                rank = ch.upper() in self.ranks
                marks.append(_Mark("R", ch.upper(), i, i + 1, gap) if rank else _Mark("S", suit or "", i, i + 1, gap))
                gap = False
            else:
                word = re.split(r"[\s,;|]", text[i:], maxsplit=1)[0][:20]
                raise NotationError(
                    f"cannot read {excerpt(word)} at place {start + i + 1} of {excerpt(whole, start + i + 1)}: "
                    f"a card of {self.name} has one "
                    f"of the ranks {' '.join(self.ranks)} and one of the suits {' '.join(self.suits)}, "
                    f"like {self.cards[0]}"
                )
            i += 1
        return marks

    def tokens(self, text: str, start: int = 0, whole: str | None = None) -> list[Token]:
        """Read cards with their places, without asking whether the deck has them; see `read`."""
        whole = text if whole is None else whole
        marks = self._marks(text, start, whole)
        if not marks:
            return []

        def fail(mark: _Mark, what: str) -> NotationError:
            suit, place = self.suits[0], start + mark.start + 1
            return NotationError(
                f"a {what}, {excerpt(text[mark.start : mark.end])}, at place {place} of {excerpt(whole, place)}: "
                f"write cards like {self.cards[0]}, or grouped by suit like "
                f"{SUIT_SYMBOLS.get(suit, suit)}{self.ranks[:3]}"
            )

        out: list[Token] = []

        def add(rank: str, suit: str, first: int, last: int) -> None:
            name = suit + rank if self.suits.islower() else rank + suit
            out.append(Token(Card(name), text[first:last], start + first + 1))

        suit: _Mark | None = None  # the suit that ranks to come belong to, in suit-first notation
        bare = False  # that suit has had no rank yet
        waiting: list[_Mark] = []  # ranks whose suit is still to come, in rank-first notation
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            if mark.kind == "V":
                bare = False
            elif mark.kind == "R":
                if mark.gap and following is not None and self._chunk_ends_in_suit(marks, mark):
                    suit = None  # "HA KS": the second card is written the other way round
                if suit is None:
                    waiting.append(mark)
                else:
                    add(mark.value, suit.value, suit.start if bare else mark.start, mark.end)
                    bare = False
            elif waiting:
                for rank in waiting:
                    add(rank.value, mark.value, rank.start, mark.end)
                waiting, suit = [], None
            else:
                if bare and suit is not None:
                    raise fail(suit, "suit without a rank")
                suit, bare = mark, True
        if waiting:
            raise fail(waiting[0], "rank without a suit")
        if bare and suit is not None:
            raise fail(suit, "suit without a rank")
        return out

    @staticmethod
    def _chunk_ends_in_suit(marks: list[_Mark], first: _Mark) -> bool:
        """Whether the unbroken run of marks that begins with a rank holds a suit."""
        at = marks.index(first)
        for mark in marks[at:]:
            if mark is not first and mark.gap:
                return False
            if mark.kind == "S":
                return True
        return False

    def read(self, text: str | Iterable[str], *, start: int = 0, whole: str | None = None) -> tuple[Card, ...]:
        """Read cards in any usual notation.

        Parameters
        ----------
        text
            ``"AH KH"``, ``"HA,hk"``, ``"A♥10H"``, ``"♥AK3 ♠Q"``, in the kit ``"o1 t3"``; or an iterable of names.
        start
            Where `text` begins in what the user wrote, for the places in messages.
        whole
            All that the user wrote, when `text` is a part of it; messages quote it.

        Returns
        -------
        tuple of Card
            In the order written.

        Raises
        ------
        NotationError
            For an unknown card, a card that this deck lacks, or a card named twice.
        """
        if not isinstance(text, str):
            text = " ".join(str(c) for c in text)
        whole = text if whole is None else whole
        seen: dict[Card, Token] = {}
        for token in self.tokens(text, start, whole):
            quoted = f"at place {token.place} of {excerpt(whole, token.place)}"
            card = token.card
            if card not in self.index:
                if card in self.removed:
                    gone = " ".join(sorted(self.removed))
                    raise NotationError(
                        f"{excerpt(token.text)} {quoted} is not in {self.name}: {gone} are removed before dealing"
                    )
                raise NotationError(f"{excerpt(token.text)} {quoted}: no such card in {self.name}")
            if card in seen:
                raise NotationError(
                    f"{card} stands twice, at places {seen[card].place} and {token.place} of "
                    f"{excerpt(whole, token.place)}: "
                    f"{self.name} has it once"
                )
            seen[card] = token
        return tuple(seen)

    def card(self, text: str) -> Card:
        """Read exactly one card."""
        cards = self.read(text)
        if len(cards) != 1:
            raise NotationError(f"expected one card, read {len(cards)} in {excerpt(text)}")
        return cards[0]

    def hand(self, text: str | Iterable[str]) -> frozenset[Card]:
        """Read a set of cards."""
        return frozenset(self.read(text))
