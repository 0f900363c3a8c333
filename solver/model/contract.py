"""What a deal is played for: the rules of its tricks, the contract, the outcome.

`TrickRules` says everything that the play of the cards obeys, in one record.  Each game builds it from a
contract; `solver.model.play` reads it in plain Python, `solver.model.layout` turns it into the record that the
compiled search reads.  So a rule stands in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from solver.model.cards import Card

__all__ = ["CalledCard", "Contract", "Marriage", "Outcome", "TrickRules"]


@dataclass(frozen=True)
class Marriage:
    """King and queen of one suit, worth a bonus when declared on lead (Thousand, RULES.md 3.5)."""

    suit: str
    king: Card
    queen: Card
    bonus: int


@dataclass(frozen=True)
class CalledCard:
    """Sheepshead's called card, whose holder is the partner, with the duties that go with it (RULES.md 2.4).

    Parameters
    ----------
    card
        The card.
    caller
        The picker's seat.
    under
        The card that stands for one of the called suit. It is the weakest card of that suit in `TrickRules.suits`.
    under_may_be_led, partner_leads_any, hold_card, picker_leads_called
        The options of RULES.md 2.11 with these names, and the one that it lacks. A field of this kind is an option of
        the game and a field of the kernels' record under its own name, and needs to be written nowhere else.
    """

    card: Card
    caller: int | None
    under: Card | None = None
    under_may_be_led: bool = True
    partner_leads_any: bool = False
    hold_card: bool = True
    picker_leads_called: bool = False

    @classmethod
    def options(cls) -> tuple[str, ...]:
        """Names of the fields that are house rules."""
        return tuple(f.name for f in fields(cls) if isinstance(f.default, bool))


@dataclass(frozen=True)
class TrickRules:
    """How the tricks of one contract are played.

    Parameters
    ----------
    seats
        Number of seats.
    suits
        Effective suits: a name and its cards from weakest to strongest. Every card of the deck stands once.
    points
        Card points of each card (zero when absent).
    trick_value, last_value
        Points for any trick, and more for the last.
    first_value
        More points for the first trick of the deal; the search does not have them, see `solver.model.layout`.
    must_beat
        A follower must play above the best card of the led suit, while no trump lies on a plain lead.
    must_trump
        A seat void in the led suit must trump.
    must_overtrump
        A seat that must trump must play above the best trump on the table.
    must_play_highest
        A follower who must beat plays the highest card of the suit.
    partial_trumping
        A seat that cannot overtrump may throw any card.
    misere
        The collecting side wants as little as possible.
    marriages
        Marriages that may be declared; empty where the game has none.
    marriage_on_first_lead
        Whether one may be declared on the very first lead of the deal.
    immediate_trump
        A marriage's suit is trump from its own trick on, not from the next.
    one_trump
        Only the first marriage makes trumps.
    suits_later
        `suits` from the trick after the first lead of the called suit on, where cards rank otherwise then; empty where
        they do not. The search does not have them, see `solver.model.layout`.
    called
        The called card with its duties; None where none is called.
    """

    seats: int
    suits: tuple[tuple[str, tuple[Card, ...]], ...]
    points: tuple[tuple[Card, int], ...] = ()
    trick_value: int = 0
    last_value: int = 0
    first_value: int = 0
    must_beat: bool = False
    must_trump: bool = False
    must_overtrump: bool = False
    must_play_highest: bool = False
    partial_trumping: bool = False
    misere: bool = False
    marriages: tuple[Marriage, ...] = ()
    marriage_on_first_lead: bool = False
    immediate_trump: bool = False
    one_trump: bool = False
    suits_later: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    called: CalledCard | None = None

    @cached_property
    def suit_of(self) -> Mapping[str, str]:
        """Effective suit of each card."""
        return {card: name for name, cards in self.suits for card in cards}

    @cached_property
    def strength(self) -> Mapping[str, int]:
        """Rank of each card within its effective suit, 0 the weakest."""
        return {card: i for _, cards in self.suits for i, card in enumerate(cards)}

    @cached_property
    def value_of(self) -> Mapping[str, int]:
        """Card points of every card."""
        given = dict(self.points)
        return {card: given.get(card, 0) for _, cards in self.suits for card in cards}

    @cached_property
    def marriage_of(self) -> Mapping[str, Marriage]:
        """The marriage that each king and queen belongs to."""
        return {card: m for m in self.marriages for card in (m.king, m.queen)}

    @property
    def called_suit(self) -> str | None:
        """Effective suit of the called card."""
        return None if self.called is None else self.suit_of[self.called.card]

    def beats(self, card: str, best: str, trump: str | None) -> bool:
        """Whether `card`, played later, beats the best card so far."""
        if self.suit_of[card] == self.suit_of[best]:
            return self.strength[card] > self.strength[best]
        return self.suit_of[card] == trump


@dataclass(frozen=True)
class Contract:
    """What was promised, by whom, and with which plan.

    Seats are numbers from 0; unused fields keep their defaults. `Game.contract` reads and checks one.

    Parameters
    ----------
    declarer
        The seat that plays: picker, bid winner; None when each plays for itself.
    target
        The bid in the game's own terms: points to make, tricks in the kit; None when there is none.
    trump
        Printed suit that is trump from the first trick on.
    leader
        Seat that leads the first trick.
    called
        Called cards, whose holders are partners.
    under
        Sheepshead: the card put face down for the called suit.
    bury
        Cards that the declarer put away.
    passes
        Cards given to other seats, as (seat, card).
    taken
        Cards that the declarer took, where only part of the talon is taken.
    surrender
        The declarer gives up before the play.
    side
        Seats that collect, where the game lets the user name them (bridge, odd analyses).
    kind
        What is played instead of the usual, in the game's word, such as ``"leaster"`` or ``"alone"``.
    doubles
        Calls that double the score, in the game's words, such as ``"crack"``.
    """

    declarer: int | None = None
    target: int | None = None
    trump: str | None = None
    leader: int = 0
    called: tuple[Card, ...] = ()
    under: Card | None = None
    bury: tuple[Card, ...] = ()
    passes: tuple[tuple[int, Card], ...] = ()
    taken: tuple[Card, ...] = ()
    surrender: bool = False
    side: frozenset[int] | None = None
    kind: str = ""
    doubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The end of a deal: what each seat took and what it scores.

    Parameters
    ----------
    points
        Points of each seat as the game counts them (card points with bonuses; tricks in the kit).
    tricks
        Tricks of each seat.
    made
        Whether the contract was made; None when there was none.
    scores
        Score of each seat for this deal.
    text
        One line for people.
    """

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    made: bool | None
    scores: tuple[int, ...]
    text: str
