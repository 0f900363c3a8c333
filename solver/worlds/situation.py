"""What one seat's knowledge comes to: which cards are unseen, which places are open, and what may lie where.

A world is a way in which the unseen cards can lie *now*: in the hands that others still hold, in the talon, the bury,
or face down as under card. How it came about is no part of it: to a defender in Thousand a card that the declarer
passed unseen is a card of its new hand like any other.

The stages are ``"deal"`` (hands as dealt and the talon), ``"taken"`` (the declarer holds the talon, nothing is put
away) and ``"play"`` (hands as they are at the first lead, less the cards played).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from solver.games import Game
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Move, Position
from solver.worlds.calls import call_conditions
from solver.worlds.constraints import Duty, public_start
from solver.worlds.counting import Condition, Problem, settled
from solver.worlds.own import check_own, own_pass, played_size
from solver.worlds.plan import limit_plan
from solver.worlds.trace import follow, name_under

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["Place", "Situation", "played_size", "situation_of"]


class Place(NamedTuple):
    """Where unseen cards may lie: a seat's hand, or ``"talon"``, ``"bury"``, ``"under"``."""

    seat: int | None
    kind: str
    size: int

    def name(self, game: Game) -> str:
        """For people."""
        if self.seat is not None:
            return f"seat {self.seat}"
        return game.talon_label if self.kind == "talon" else "under card" if self.kind == "under" else self.kind


@dataclass
class Situation:
    """Unseen cards, places and constraints of a seat's knowledge.

    Parameters
    ----------
    game, seat, stage, contract
        What is known of the deal; the under card is in the contract as soon as the play has shown it.
    places
        The seats' hands in order, then the others. `Place.size` counts unseen cards.
    where
        Place of every card that is known, for a card already played the hand it came from.
    held
        Cards known to be held now, by seat.
    away
        Cards known to be in no hand.
    unseen
        The others, in the order of the deck.
    allowed
        Places open to each of them.
    conditions
        What couples them.
    duties
        What each card played by another seat says.
    position
        The public position; None before the play.
    moves
        Cards played, with their seats.
    notes
        Other reasons, by seat (None for what is nobody's).
    """

    game: Game
    seat: int
    stage: str
    contract: Contract | None
    places: list[Place]
    where: dict[Card, int]
    held: list[frozenset[Card]]
    away: frozenset[Card]
    unseen: tuple[Card, ...] = ()
    allowed: dict[Card, frozenset[int]] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)
    duties: list[Duty] = field(default_factory=list)
    position: Position | None = None
    moves: tuple[tuple[int, Move], ...] = ()
    notes: list[tuple[int | None, str]] = field(default_factory=list)

    def place(self, kind: str) -> int | None:
        """Number of the place of this kind; None where there is none."""
        return next((i for i, p in enumerate(self.places) if p.kind == kind), None)

    def forbid(self, card: Card, places: Iterable[int]) -> None:
        """A card lies in none of these places."""
        if card in self.allowed:
            self.allowed[card] -= frozenset(places)

    @cached_property
    def problem(self) -> Problem:
        """The same for counting."""
        conditions = tuple(settled(c, self.where) for c in self.conditions)
        allowed = tuple(self.allowed[c] for c in self.unseen)
        return Problem(self.unseen, allowed, tuple(p.size for p in self.places), conditions)


def situation_of(known: Knowledge) -> Situation:
    """Work out a seat's knowledge.

    Raises
    ------
    NotationError
        When something is missing, or does not add up.
    IllegalPlayError
        When a card played, a bid or the plan breaks a rule.
    """
    return _Builder(known).build()


class _Builder:
    """One knowledge on its way to a situation."""

    def __init__(self, known: Knowledge) -> None:
        self.known, self.game, self.me = known, known.game, known.seat
        self.deck = known.game.deck
        self.contract = known.agreed
        self.size = played_size(self.game)
        declarer = None if self.contract is None else self.contract.declarer
        self.declarer = declarer
        self.takes = declarer is not None and self.game.talon_size > 0
        self.passing = self.takes and self.size > self.game.hand_size
        self._check_passes()
        check_own(known)
        self.stage = self._stage()
        if self.stage == "play":
            assert self.contract is not None
            given = own_pass(known)
            if given is not None and not self._given:
                self.contract = replace(self.contract, passes=(*self.contract.passes, (self.me, given)))
            self.contract = name_under(known, self.contract, self.size)
            known.game.check_contract(replace(self.contract, passes=()))

    def build(self) -> Situation:
        """Hands and places first, then constraints."""
        one = self._cards()
        if self.stage == "play":
            self._own_plan()
            follow(one, self.known, self.size)
            if self.declarer not in (None, self.me):
                limit_plan(one, self.known, passing=self.passing, stays=self._stays)
        one.conditions += call_conditions(self.known, one)
        return one

    # ------------------------------------------------------------------ stage and hands

    def _check_passes(self) -> None:
        """Let the game judge passes that are known in part, with any cards in place of the others."""
        c = self.contract
        if c is None or not c.passes:
            return
        if mine := [card for seat, card in c.passes if seat == self.declarer]:
            raise NotationError(f"{mine[0]} is passed to seat {self.declarer}, the declarer: it gives cards to others")
        told = {card for _, card in c.passes}
        spare = iter(card for card in self.deck.cards if card not in told)
        rest = sorted(set(range(self.game.seats)) - {self.declarer, *(seat for seat, _ in c.passes)})
        self.game.check_contract(replace(c, passes=(*c.passes, *((seat, next(spare)) for seat in rest))))

    def _stage(self) -> str:
        c, known = self.contract, self.known
        if c is None:
            return "deal"
        own = self.declarer == self.me
        seen = known.talon is not None or bool(c.taken)
        if want := self.game.untold(c):
            if known.play or c.bury:
                raise NotationError(f"{'cards are played' if known.play else 'a bury is told'}, but no call: {want}")
            return "taken" if self.takes and own and seen else "deal"
        if not self.takes:
            try:
                public_start(self.game, c, self.size)
            except NotationError:  # the plan is still to be told
                if known.play:
                    raise
                return "deal"
            return "play"
        if c.surrender and self.declarer != self.me:
            return "taken" if self.passing else "deal"
        if own:
            gives = len(c.passes) == self.game.seats - 1 if self.passing else bool(c.bury)
            if self._stays or not known.as_dealt or (seen and gives and not c.surrender):
                return "play"
            label = self.game.talon_label
            self._no_play("say what is passed" if self.passing else f"name the bury and show the {label} with 'see'")
            if not seen and (c.passes or c.bury or c.called or c.kind):
                raise NotationError(
                    f"seat {self.me} plans after it takes the {label}: tell the {label} first ('see', --talon)"
                )
            return "taken" if seen else "deal"
        if self.passing and not (self._given or not known.as_dealt or "pass" in known.hidden):
            self._no_play(
                f"say which card was passed to seat {self.me}, as in 'pass {self.deck.cards[-1]} to {self.me}'"
            )
            return "taken"
        return "play"

    def _no_play(self, want: str) -> None:
        if self.known.play:
            raise NotationError(f"cards are played, but seat {self.me}'s hand at the first lead is not known: {want}")

    @property
    def _stays(self) -> bool:
        """Whether the talon lies untouched."""
        c = self.contract
        put = c is None or c.bury or "bury" in self.known.hidden or self.known.talon is not None
        return self.game.talon_may_stay and not put

    @property
    def _given(self) -> tuple[Card, ...]:
        """Cards passed to this seat."""
        return () if self.contract is None else tuple(card for seat, card in self.contract.passes if seat == self.me)

    def _own_hand(self) -> frozenset[Card]:
        """The seat's own cards at this stage, before any is played."""
        known, c = self.known, self.contract
        hand = known.hand
        if c is None or not known.as_dealt:
            return hand
        if self.takes and self.declarer == self.me:
            if self.stage == "deal":
                return hand
            hand |= frozenset(c.taken) or known.talon or frozenset()
            if self.stage == "taken":
                return hand
            gone = {*c.bury, *(card for _, card in c.passes)}
            if missing := gone - hand:
                word = "passes" if self.passing else "buries"
                raise IllegalPlayError(f"seat {self.me} {word} {self.deck.write(missing)} but does not hold it")
            return hand - gone
        given = self._given
        if twice := hand & set(given):
            raise NotationError(f"{self.deck.write(twice)} is passed to seat {self.me}, which was dealt it")
        return hand | frozenset(given)

    def _cards(self) -> Situation:
        """Places, and what is known to lie in them."""
        game, known, me, c = self.game, self.known, self.me, self.contract
        own = self._own_hand()
        held: list[frozenset[Card]] = [known.shown[s] or frozenset() for s in range(game.seats)]
        held[me] = own
        away: frozenset[Card] = frozenset()
        full = [self.size if self.stage == "play" else game.hand_size] * game.seats
        extra: list[Place] = []
        seen = known.talon
        if self.stage == "deal" or not self.takes:
            away = seen or frozenset()
            rest = len(self.deck) - sum(full) - len(away)
            if rest and not (self.stage == "play" and game.talon_size == 0):
                extra.append(Place(None, "talon", rest))
        elif self.stage == "taken":
            assert self.declarer is not None
            full[self.declarer] += game.talon_size
            if self.declarer != me:
                held[self.declarer] |= seen or frozenset()
        else:
            assert c is not None
            away, extra = self._put_away(full, held)
        if self.declarer == me and self.stage == "taken" and len(own) != full[me]:
            full[me] = len(own)  # of two musiks one is taken
        if len(own) != full[me]:
            raise NotationError(f"seat {me} holds {len(own)} cards: {full[me]} are expected at this stage")
        where = self._where(held, away)
        unseen = tuple(card for card in self.deck.cards if card not in where)
        places = [Place(s, "hand", full[s] - len(held[s])) for s in range(game.seats)] + extra
        if any(p.size < 0 for p in places) or sum(p.size for p in places) != len(unseen):
            raise NotationError(
                f"{len(unseen)} cards are unseen, but there is room for {sum(max(0, p.size) for p in places)}: "
                "too many or too few cards are named"
            )
        open_to = frozenset(i for i, p in enumerate(places) if p.size)
        allowed = dict.fromkeys(unseen, open_to)
        return Situation(game, me, self.stage, c, places, where, held, away, unseen, allowed)

    def _put_away(self, full: list[int], held: list[frozenset[Card]]) -> tuple[frozenset[Card], list[Place]]:
        """Bury, under card and talon at the first lead; cards passed that are known are put into `held`."""
        game, known, c, declarer = self.game, self.known, self.contract, self.declarer
        assert c is not None
        assert declarer is not None
        away: frozenset[Card] = frozenset()
        extra: list[Place] = []
        out = len(self.deck) - sum(full)
        # What stays of the talon: all of it, or of two musiks the one that is not taken; else as much is buried.
        rest = out if self._stays else game.talon_size // 2 if game.seats == 2 else 0
        if seen := (known.talon or frozenset()) - set(c.taken) if rest else frozenset():
            away |= seen
            rest -= len(seen)
        if rest:
            extra.append(Place(None, "talon", rest))
        bury = len(self.deck) - sum(full) - rest - len(away)
        away |= frozenset(c.bury)
        if bury - len(c.bury) > 0:
            extra.append(Place(None, "bury", bury - len(c.bury)))
        if "under" in known.hidden and c.under is None and declarer != self.me:
            extra.append(Place(None, "under", 1))
            full[declarer] -= 1
        elif c.under is not None and declarer != self.me:
            held[declarer] |= {c.under}
        for seat, card in c.passes:
            if seat != self.me:
                held[seat] |= {card}
        return away, extra

    def _where(self, held: Sequence[frozenset[Card]], away: frozenset[Card]) -> dict[Card, int]:
        where: dict[Card, int] = {}
        for seat, cards in [*enumerate(held), (-1, away)]:
            for card in cards:
                if card in where:
                    names = [f"seat {s}" if s >= 0 else "what is away" for s in (where[card], seat)]
                    raise NotationError(f"{card} stands twice, with {names[0]} and {names[1]}: the deck has it once")
                where[card] = seat
        return where

    def _own_plan(self) -> None:
        """Let the game judge a plan whose declarer's cards are all known."""
        c, known = self.contract, self.known
        if c is None or self.declarer != self.me or c.side is not None:
            return
        buries = self.takes and not self.passing and "bury" in self.game.clauses
        if buries and not known.as_dealt and not (c.bury or self._stays):
            raise NotationError(f"seat {self.me} plays: name its bury")
        own = self._own_hand()
        others = sorted(
            (card for card in self.deck.cards if card not in own and card not in c.bury),
            key=lambda x: x not in c.called,
        )
        size = self.size
        seats = [s for s in range(self.game.seats) if s != self.me]
        hands = {s: frozenset(others[i * size : (i + 1) * size]) for i, s in enumerate(seats)} | {self.me: own}
        as_played = Deal(self.game, tuple(hands[s] for s in range(self.game.seats)))
        self.game.start(as_played, replace(c, passes=(), taken=()))
