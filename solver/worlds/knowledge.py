"""What one seat knows of a deal, step by step or from a record, and every world that it leaves open.

>>> from solver.games import game
>>> me = game("thousand").knowledge(seat=0, hand="AH KH QH 9H TS JC 9D")
>>> me.count()
2333760
>>> me.see(talon="TH JS 9C").count()
3432

A step returns a new `Knowledge`. What is certain follows from legality alone: an action in the record was legal, so a
world in which it would not have been is impossible. What calls and plays make likely is no part of it, see
`solver.worlds.evidence`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from solver.formats.play import read_play
from solver.formats.record import Record, contract_text
from solver.games import Game, as_game
from solver.games.auction import Call
from solver.model.cards import Card
from solver.model.checks import checks_numbers, seat_number
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.play import Move, Position
from solver.model.shown import Shown, counted
from solver.worlds import numbers
from solver.worlds.calls import auction_of
from solver.worlds.counting import Counted
from solver.worlds.own import played_size
from solver.worlds.situation import Situation, situation_of
from solver.worlds.told import follow_auction, read_contract
from solver.worlds.views import seen_by

if TYPE_CHECKING:
    import pandas as pd

    from solver.worlds.evidence import Evidence
    from solver.worlds.sample import Worlds

__all__ = ["MOST_LISTED", "Knowledge", "knowledge"]

#: So many worlds are listed at most, unless a limit is named.
MOST_LISTED = 1_000_000


@dataclass(frozen=True)
class Knowledge(Shown):
    """What one seat knows.

    Parameters
    ----------
    game
        With its options.
    seat
        Who knows it.
    hand
        Its cards, as dealt, or as they are at the first lead.
    dealer
        The seat to its left speaks first.
    talon
        The talon, where the seat has seen it; else None.
    calls
        The auction so far.
    agreed
        The contract; None before it is known. What others put away or passed unseen is not in it.
    hidden
        Parts of the plan that lie but are not named: ``"bury"``, ``"under"``, ``"pass"``.
    play
        Cards played, with their seats where they were named.
    shown
        Cards of other seats that have been seen, by seat.
    dealt
        Whether `hand` is as dealt; None where its size or the plan tells.
    """

    game: Game
    seat: int
    hand: frozenset[Card]
    dealer: int
    talon: frozenset[Card] | None = None
    calls: tuple[Call, ...] = ()
    agreed: Contract | None = None
    hidden: frozenset[str] = frozenset()
    play: tuple[tuple[int | None, Move], ...] = ()
    shown: tuple[frozenset[Card] | None, ...] = field(default=())
    dealt: bool | None = None

    def __post_init__(self) -> None:
        if not self.shown:
            object.__setattr__(self, "shown", (None,) * self.game.seats)

    # ------------------------------------------------------------------ steps

    def see(self, talon: str | frozenset[Card] | None = None, *, hands: Mapping[int, str] | None = None) -> Knowledge:
        """See the talon, or hands of other seats (a dummy).

        Raises
        ------
        NotationError
            For cards that cannot be read, or are elsewhere.
        """
        new = self
        if talon is not None:
            cards = self.game.deck.hand(talon)
            if len(cards) != self.game.talon_size:
                raise NotationError(
                    f"the {self.game.talon_label} has {len(cards)} cards: {self.game.talon_size} are expected"
                )
            new = replace(new, talon=cards)
        for seat, text in (hands or {}).items():
            seat = seat_number(seat, self.game.seats)
            if seat == self.seat:
                raise NotationError(f"seat {seat} sees its own hand anyway")
            shown = [self.game.deck.hand(text) if s == seat else hand for s, hand in enumerate(new.shown)]
            new = replace(new, shown=tuple(shown))
        return new._checked()

    def heard(self, calls: str) -> Knowledge:
        """Hear calls of the auction, ``"0 pass, 1 pick"``, ``"0:100 1:110 2:pass"``.

        Raises
        ------
        NotationError
            For what is no call.
        IllegalPlayError
            For a call out of turn or barred, with the rule.
        """
        auction = auction_of(self) or self.game.auction(dealer=self.dealer)
        text = re.sub(r"(?<!\w)(?:seat\s+)?(\d{1,2})\s*[:=]?\s+(?=[A-Za-z]|\d{2,})", r"\1:", calls)
        new = replace(self, calls=auction.read(text).calls)
        follow_auction(new)
        return new._checked()

    def contract(self, text: str | Contract) -> Knowledge:
        """Learn the contract with its plan, as far as it is announced or the seat's own; it replaces one told before.

        Parameters
        ----------
        text
            ``"120 by 0, pass 9C to 1"``, ``"picker 2, call AH"``; ``under ?`` says that an under card lies, and
            ``under 7D``, later, which it is.

        Raises
        ------
        NotationError, IllegalPlayError
            For what cannot be read, contradicts the auction, or is no plan of the seat's cards.
        """
        contract, hidden = (text, self.hidden) if isinstance(text, Contract) else read_contract(self, text)
        new = replace(self, agreed=contract, hidden=hidden)
        return replace(new, agreed=follow_auction(new))._checked()

    def played(self, cards: str) -> Knowledge:
        """See cards played, ``"0 AH, 1 JD, 2 JH"``, after those seen before.

        Raises
        ------
        NotationError
            For what cannot be read.
        IllegalPlayError
            For a card out of turn or not held, or that a later card proves to be a revoke.
        """
        more = tuple((one.seat, one.move) for one in read_play(self.game, cards))
        agreed = follow_auction(self) if self.agreed is None else self.agreed
        if agreed is not None:
            return replace(self, play=(*self.play, *more), agreed=agreed)._checked()
        try:
            return replace(self, play=(*self.play, *more), agreed=self.game.contract(None))._checked()
        except NotationError as wrong:
            raise NotationError(f"cards are played before the contract is told: {wrong}") from None

    @classmethod
    def from_record(cls, record: Record, seat: int | None = None) -> Knowledge:
        """What a seat knows of a recorded deal, whole or broken off; nothing that it did not see is looked at.

        Parameters
        ----------
        record
            Of the whole deal, or as one seat saw it.
        seat
            Whose knowledge; the record's own seat when None.

        Raises
        ------
        NotationError, IllegalPlayError
            When the seat's hand is not written, or the record breaks a rule.
        """
        return seen_by(cls, record, seat)._checked()

    # ------------------------------------------------------------------ reading

    def _checked(self) -> Knowledge:
        """Work the situation out, so that what is wrong is said at the step that says it."""
        # A hand of the first lead makes sense once the contract is told, which may be the last step.
        if self.agreed is not None or len(self.hand) == self.game.hand_size:
            _ = self.situation
        return self

    # ------------------------------------------------------------------ what is known

    @property
    def as_dealt(self) -> bool:
        """Whether `hand` is as dealt, not as it is at the first lead."""
        if self.dealt is not None:
            return self.dealt
        if self.game.hand_size != played_size(self.game):
            return len(self.hand) == self.game.hand_size
        c = self.agreed
        own = c is not None and c.declarer == self.seat and bool(c.bury)
        return not (own and c is not None and self.talon is None and not c.taken and not self.hand & set(c.bury))

    @property
    def forced(self) -> bool:
        """Whether a rule named the declarer, not a bid."""
        auction = auction_of(self)
        result = None if auction is None else auction.result
        return result is not None and result.kind == "forced"

    @cached_property
    def situation(self) -> Situation:
        """Unseen cards, places and constraints."""
        return situation_of(self)

    @property
    def position(self) -> Position | None:
        """The public position; hands hold what is known. None before the play."""
        return self.situation.position

    @cached_property
    def counted(self) -> Counted:
        """The counted worlds.

        Raises
        ------
        IllegalPlayError
            When none is left; the message names the card after which there is none.
        """
        found = self.situation.problem.counted()
        if not found.total:
            raise IllegalPlayError(self._impossible())
        return found

    def _impossible(self) -> str:
        """Name the first card played after which no world is left."""

        def left(cards: int) -> int:
            return situation_of(replace(self, play=self.play[:cards])).problem.counted().total

        if not self.play or not left(0):
            return "no deal is left that fits the cards seen, the calls and the contract"
        low, high = 0, len(self.play)  # worlds are left after `low` cards, none after `high`
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if left(middle) else (low, middle)
        seat, move = self.situation.moves[high - 1]
        trick = (high - 1) // self.game.seats + 1
        return f"card {high}, {move} of seat {seat} in trick {trick}: no deal is left in which all cards were legal"

    def count(self) -> int:
        """Number of worlds, exactly."""
        return self.counted.total

    @property
    def cards(self) -> tuple[Card, ...]:
        """Unseen cards, in the order of the deck."""
        return self.situation.unseen

    def chance(self, card: str, place: int | str) -> Fraction:
        """Exact chance that a card lies in a place now.

        Parameters
        ----------
        card
            Any card of the deck; one that was played lies nowhere.
        place
            A seat, or a place as `probabilities` writes it: ``"seat 1"``, ``"talon"``, ``"bury"``, ``"under card"``.

        Raises
        ------
        NotationError
            For what is no card, or no place of this game.
        """
        one, found = self.situation, self.game.deck.card(card)
        at = numbers.place_of(self, place)
        if found in one.where:
            gone = any(m.card == found for _, m in one.moves)
            return Fraction(int(at in numbers.known_places(self, found) and not gone))
        if isinstance(at, str):
            return Fraction(0)
        return Fraction(*self.places[one.unseen.index(found)].get(at, (0, 1)))

    @cached_property
    def places(self) -> list[dict[int, tuple[int, int]]]:
        """Chance of each unseen card in each place, as whole numbers: above and below the line."""
        return self.counted.places()

    def probabilities(self) -> pd.DataFrame:
        """Chance of each unseen card in each place: columns card, place, p."""
        return numbers.probabilities(self)

    def lengths(self) -> pd.DataFrame:
        """Distribution of how many cards of each suit each place holds now: columns place, suit, length, p."""
        return numbers.lengths(self)

    def partner(self) -> pd.DataFrame:
        """Who plays with the declarer: columns seat, p; a row without a seat says that nobody does."""
        return numbers.partner(self)

    def explain(self) -> tuple[str, ...]:
        """Say in words what is known of each seat, and why."""
        from solver.worlds.explain import explain

        return tuple(explain(self))

    # ------------------------------------------------------------------ worlds

    @checks_numbers
    def sample(self, n: int, *, seed: int, limit: int | None = None, evidence: Evidence | None = None) -> Worlds:
        """Draw worlds, each equally likely, with replacement; or take all of them where there are few.

        Parameters
        ----------
        n
            How many to draw.
        seed
            The same seed gives the same worlds; more worlds begin with the same ones.
        limit
            All worlds are taken, each once and in random order, where there are no more than this; `n` when None, 0
            never.
        evidence
            What calls make likely, as weights; nothing when None.
        """
        from solver.worlds.sample import draw

        return draw(self, n, seed=seed, limit=n if limit is None else limit, evidence=evidence)

    @checks_numbers
    def enumerate(self, limit: int = MOST_LISTED) -> Worlds:
        """List every world once.

        Raises
        ------
        UnsupportedError
            When there are more than `limit`.
        """
        from solver.worlds.sample import every

        if self.count() > limit:
            raise UnsupportedError(f"{self.count():,} worlds are too many to list: at most {limit:,}, or draw some")
        return every(self)

    @property
    def heading(self) -> str:
        """Who knows what, in one line."""
        told = "" if self.agreed is None else contract_text(self.game, self.agreed)
        cards = f"{counted(len(self.play), 'cards')} played" if self.play else ""
        who = f"{self.game.name}: seat {self.seat} with {self.game.deck.write(self.hand)}"
        return ", ".join(part for part in (who, told, cards) if part)

    def __str__(self) -> str:
        return "\n".join([self.heading, f"worlds: {self.count():,}", *self.explain()])


def knowledge(
    source: Game | str | Record, seat: int | None = None, hand: str = "", *, dealer: int | None = None, **options: Any
) -> Knowledge:
    """Begin what a seat knows: from a game and a hand, or from a record.

    Parameters
    ----------
    source
        A game, its name, or a record.
    seat
        Who knows it: 0, or the record's own seat, when None.
    hand
        The seat's cards, as dealt or as they are at the first lead; not with a record.
    dealer
        The seat to its left speaks first; the last seat when None.
    **options
        House rules, where the game is a name.

    Raises
    ------
    NotationError
        For a hand of another size, or a seat that the game lacks.
    """
    if isinstance(source, Record):
        if hand or options or dealer is not None:
            raise NotationError("a record has its hand, dealer and options: name none beside it")
        return Knowledge.from_record(source, seat)
    game = as_game(source, options)
    seat = 0 if seat is None else seat_number(seat, game.seats)
    dealer = game.seats - 1 if dealer is None else seat_number(dealer, game.seats, "dealer")
    sizes = sorted({game.hand_size, played_size(game)})
    return Knowledge(game, seat, game.read_hand(hand, sizes), dealer)
