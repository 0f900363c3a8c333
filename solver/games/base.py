"""What every game supplies, and how contracts are read from text.

A game is one file: a frozen dataclass of options and a `Game` subclass that builds `TrickRules` from a contract, says
who collects, and settles. Everything else (legality, search, worlds, estimates) works from those.
"""

from __future__ import annotations

import dataclasses
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from solver.games.auction import Auction
from solver.games.clauses import Clause, Spoken, read_clauses
from solver.games.match import Match
from solver.games.options import describe, make_options
from solver.games.traits import Traits
from solver.model import verbs
from solver.model.cards import Card, Deck
from solver.model.checks import checks_numbers, excerpt
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal, check_disjoint, read_deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.limits import Limit
from solver.model.play import Position

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["Game", "Need", "Rung"]


class Need(NamedTuple):
    """What a contract asks of its side: at least so many points or tricks from the play; in a misere at most."""

    measure: str  # "points" as the rules count them, or "tricks"
    amount: int


class Rung(NamedTuple):
    """One threshold of a game's ladder of bids or results.

    `need` counts points, or tricks where `measure` says so, that the side still has to take from the play.
    """

    label: str
    bid: int
    measure: str  # "points" or "tricks"
    need: int


class Game(Traits, ABC):
    """A game with its options.

    Attributes
    ----------
    title
        Name for people.
    unit
        What a value counts: ``"points"`` or ``"tricks"``.
    clauses
        Contract clauses that the game understands.
    """

    title: ClassVar[str]
    about: ClassVar[str]
    unit: ClassVar[str] = "points"
    clauses: ClassVar[frozenset[str]]
    option_class: ClassVar[type[Any]]
    #: What contracts say for a bid instead of a number, such as ``4H``; read by `read_clause` as the word ``"play"``.
    spoken: ClassVar[Spoken | None] = None
    #: Names of the seats, which contracts may use, or their first letters, beside the numbers.
    seat_names: ClassVar[tuple[str, ...]] = ()
    #: A call that shows how one is written.
    first_call: ClassVar[str] = "pass"
    #: Whether a declarer may leave the talon where it lies.
    talon_may_stay: ClassVar[bool] = False
    #: Kinds of contract in which each seat plays for itself, as nobody became declarer.
    undeclared: ClassVar[frozenset[str]] = frozenset()
    #: Known variants that are not offered, ``"option"`` or ``"option=value"``, with the reason.
    left_out: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **options: Any) -> None:
        self.options = make_options(self.option_class, self.name, options, self.left_out)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.name, self.options))

    def __repr__(self) -> str:
        changed = "".join(f", {k}={v!r}" for k, v in self.changed_options().items())
        return f"game({self.name!r}{changed})"

    @property
    def deals(self) -> int:
        """How many different deals there are."""
        ways: int = factorial(len(self.deck)) // factorial(self.hand_size) ** self.seats
        return ways // factorial(self.talon_size)

    def option_values(self) -> dict[str, Any]:
        """Every option with its value."""
        return dataclasses.asdict(self.options)

    def changed_options(self) -> dict[str, Any]:
        """Options that differ from their default."""
        fields = dataclasses.fields(self.options)
        return {f.name: getattr(self.options, f.name) for f in fields if getattr(self.options, f.name) != f.default}

    @property
    def called(self) -> str:
        """Name, with the options that are not as usual: ``"kit, ranks=3"``."""
        return ", ".join([self.name, *(f"{name}={value}" for name, value in self.changed_options().items())])

    @classmethod
    def describe_options(cls) -> list[dict[str, Any]]:
        """Name, default, values and meaning of each option."""
        return describe(cls.option_class)

    # ------------------------------------------------------------------ cards

    @property
    @abstractmethod
    def seats(self) -> int:
        """Number of seats."""

    @property
    @abstractmethod
    def deck(self) -> Deck:
        """The cards."""

    @property
    @abstractmethod
    def hand_size(self) -> int:
        """Cards dealt to each seat."""

    @property
    def talon_size(self) -> int:
        """Cards dealt to nobody."""
        return 0

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Accepted (cards a hand, cards in the talon) of a deal in text."""
        return [(self.hand_size, self.talon_size)]

    @checks_numbers
    def deal(self, *, seed: int) -> Deal:
        """Deal at random; the same seed gives the same deal."""
        cards = list(self.deck.cards)
        random.Random(f"{self.name}:{seed}").shuffle(cards)
        k = self.hand_size
        hands = tuple(frozenset(cards[s * k : (s + 1) * k]) for s in range(self.seats))
        return Deal(self, hands, frozenset(cards[self.seats * k :]))

    def read(self, text: str) -> Deal:
        """Read a deal from text: ``hand | hand | … | talon: …``."""
        return read_deal(self, text, self.sizes)

    def read_hand(self, text: str, sizes: Sequence[int]) -> frozenset[Card]:
        """Read one hand of one of these sizes.

        Raises
        ------
        NotationError
            For cards that cannot be read, or too many or too few of them.
        """
        hand = self.deck.hand(text)
        if len(hand) not in sizes:
            wanted = " or ".join(map(str, sizes))
            how = (
                "too long" if len(hand) > max(sizes) else "too short" if len(hand) < min(sizes) else "of no such length"
            )
            raise NotationError(f"the hand {excerpt(text)} of {len(hand)} cards is {how}: expected {wanted} cards")
        return hand

    # ------------------------------------------------------------------ contracts

    def contract(self, text: str | Contract | None = None) -> Contract:
        """Read a contract, as in ``"120 by 0, pass 9C to 1, 9D to 2"``; None gives the game's plainest.

        Raises
        ------
        NotationError
            With the place of what cannot be read, and what is expected.
        """
        if isinstance(text, Contract):
            return self.check_contract(text)
        given: dict[str, Any] = {}
        text = text or ""
        for clause in read_clauses(text, self.name, self.spoken):
            if clause.word not in self.clauses:
                allowed = ", ".join(sorted(self.clauses))
                raise NotationError(
                    f"{self.name} has no {excerpt(clause.word)} ({clause.where(text)}): it has {allowed}"
                )
            self.read_clause(clause, given, text)
        given.setdefault("leader", self.first_leader(given.get("declarer")))
        return self.check_contract(Contract(**given))

    def first_leader(self, declarer: int | None, dealer: int | None = None) -> int:
        """Seat that leads when a contract names none: left of the dealer, who is the last seat unless named."""
        return 0 if dealer is None else (dealer + 1) % self.seats

    def seat_of(self, text: str) -> int | None:
        """Read a seat, as in ``2``, ``seat 2`` or by name; None for what is none."""
        found = re.fullmatch(r"(?:seat\s+)?(\d{1,9})", text.strip(), re.I)
        if found is not None:
            return int(found[1]) if int(found[1]) < self.seats else None
        word = text.strip().lower()
        return next((s for s, name in enumerate(self.seat_names) if word in (name.lower(), name[0].lower())), None)

    def seat_label(self, seat: int) -> str:
        """Name of a seat in diagrams."""
        return self.seat_names[seat] if self.seat_names else f"seat {seat}"

    def read_clause(self, clause: Clause, given: dict[str, Any], text: str) -> None:
        """Read one clause of a contract into the fields of `Contract`; a game with words of its own extends this.

        Parameters
        ----------
        clause
            From `read_clauses`, its word one of `clauses`.
        given
            Fields read so far, by name; what the clause says is put in. Rules are not checked, `check_contract` does.
        text
            The text that the clause stands in, for messages.

        Raises
        ------
        NotationError
            With the place of what cannot be read, and what is expected.
        """
        word, rest = clause.word, clause.rest

        def wrong(expected: str) -> NotationError:
            return NotationError(f"cannot read {word} {excerpt(rest)} at {clause.where(text)}: expected {expected}")

        def seat(raw: str) -> int:
            found = self.seat_of(raw)
            if found is None:
                names = f", or {' '.join(self.seat_names)}" if self.seat_names else ""
                raise wrong(f"a seat from 0 to {self.seats - 1}{names}")
            return found

        def cards(raw: str) -> tuple[Card, ...]:
            return self.deck.read(raw, start=clause.place)

        if word == "bid":
            given["target"] = int(rest)
        elif word == "by":
            given["declarer"] = seat(rest)
        elif word == "lead":
            given["leader"] = seat(rest)
        elif word == "trump":
            if rest.lower() in ("", "none", "-"):
                given["trump"] = None
            else:
                suit = self.deck._suit(rest)  # the deck's own reading of a suit sign
                if suit is None:
                    raise wrong(f"one of the suits {' '.join(self.deck.suits)}, or 'no trump'")
                given["trump"] = suit
        elif word in ("call", "bury", "take"):
            key = {"call": "called", "take": "taken"}.get(word, word)
            given[key] = (*given.get(key, ()), *cards(rest))
        elif word == "surrender":
            if rest:
                raise wrong("nothing after it")
            given["surrender"] = True
        elif word == "under":
            given["under"] = self.deck.card(rest)
        elif word == "alone":
            given["called"] = ()
        elif word == "pass":
            found = re.fullmatch(r"(.+?)\s+to\s+(.+)", rest, re.I)
            if found is None:
                raise wrong("'CARD to SEAT', as in 9C to 1")
            given["passes"] = (*given.get("passes", ()), (seat(found[2]), self.deck.card(found[1])))
        elif word == "side":
            given["side"] = frozenset(seat(s) for s in rest.split()) | given.get("side", frozenset())

    def check_contract(self, contract: Contract) -> Contract:
        """Return a contract that this game allows, completed; raise NotationError otherwise."""
        return contract

    def require_declarer(self, contract: Contract) -> int:
        """Return the declarer's seat, or say that it is missing."""
        if contract.declarer is None:
            raise NotationError(
                f"the contract names no declarer: write '… by SEAT' with a seat from 0 to {self.seats - 1}"
            )
        return contract.declarer

    def name_side(self, contract: Contract) -> str:
        """Say how a contract that leaves open who collects is to name a side, for messages."""
        return "name a declarer, as in '1 by 0'"

    def check_hands(self, hands: Sequence[frozenset[Card]], contract: Contract) -> None:
        """Check hands in the middle of play, with the cards on the table, against a contract's plan.

        Of a plan that is only what stays true while cards are played; `start` checks the whole of it.

        Raises
        ------
        IllegalPlayError
            Naming the rule that bars it.
        """

    @abstractmethod
    def trick_rules(self, contract: Contract) -> TrickRules:
        """How tricks are played under a contract."""

    @abstractmethod
    def start(self, deal: Deal, contract: Contract) -> Position:
        """Position before the first lead, after bury, pass and call."""

    @abstractmethod
    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """Thresholds of interest in rising order."""

    @abstractmethod
    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Score a deal that has been played out."""

    # ------------------------------------------------------------------ before and after the play

    def auction(self, *, dealer: int | None = None, hands: tuple[frozenset[Card], ...] | None = None) -> Auction:
        """Return the auction before its first call; the dealer is the last seat unless named.

        Raises
        ------
        UnsupportedError
            When the game has none.
        """
        raise UnsupportedError(f"{self.name} has no auction")

    def plans(self, hand: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """Every plan open to a declarer who holds `hand`, talon included, as contracts completed from `contract`.

        Raises
        ------
        UnsupportedError
            When the game has no decision between auction and play.
        """
        raise UnsupportedError(f"{self.name} has no plans: nothing is decided between the auction and the first lead")

    @property
    def has_auction(self) -> bool:
        """Whether anything is called before the play."""
        return type(self).auction is not Game.auction

    @property
    def has_plans(self) -> bool:
        """Whether anything is decided between the auction and the first lead."""
        return type(self).plans is not Game.plans

    def random_plan(self, rng: random.Random, deal: Deal, contract: Contract) -> Contract:
        """A legal plan of the declarer, each as likely as the others."""
        hand, talon = deal.hands[self.require_declarer(contract)], deal.talon
        if self.seats == 2 and talon:  # of two talons the declarer takes one
            contract = dataclasses.replace(contract, taken=tuple(rng.sample(self.deck.sort(talon), len(talon) // 2)))
            talon = frozenset(contract.taken)
        try:
            return rng.choice(list(self.plans(hand | talon, contract)))
        except UnsupportedError:  # with these options there are none
            return contract

    # ------------------------------------------------------------------ what is known

    def knowledge(self, seat: int = 0, hand: str = "", *, dealer: int | None = None) -> Knowledge:
        """What one seat knows, from its cards on: `solver.knowledge` of this game."""
        return verbs.knowledge(self, seat, hand, dealer=dealer)  # type: ignore[no-any-return]

    def partner_cards(self, contract: Contract) -> tuple[Card, ...]:
        """Cards whose holders play with the declarer."""
        return contract.called

    def dummy(self, contract: Contract) -> int | None:
        """The seat whose hand lies open after the first lead."""
        open_ = self.has_dummy and contract.declarer is not None
        return (self.require_declarer(contract) + self.seats // 2) % self.seats if open_ else None

    def sees_talon(self, seat: int, contract: Contract, *, forced: bool = False) -> bool:
        """Whether a seat sees the talon that the declarer takes; `forced` where a rule named the declarer."""
        return seat == contract.declarer

    def passes_shown(self) -> bool:
        """Whether all see the cards that the declarer gives to other seats, by an option of that name."""
        return bool(getattr(self.options, "open_pass", False))

    def plan_limits(self, contract: Contract, *, under: bool = False) -> tuple[Limit, ...]:
        """What a legal plan says of the declarer's cards; `under` where an under card lies that nobody names."""
        return ()

    def match(self) -> Match:
        """Return a match before its first deal."""
        return Match(self)

    def banked(self, contract: Contract) -> int:
        """Points that the collecting side has before the first trick (bury, skat)."""
        return 0

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Lines that say in the game's own terms what a double-dummy value means; none by default."""
        return ()

    def unit_of(self, contract: Contract) -> str:
        """What a value counts under this contract: ``"points"`` or ``"tricks"``."""
        return self.unit

    def need(self, contract: Contract) -> Need | None:
        """What the side must take from the play to make the contract; None where it names no target.

        The one statement of it: whatever says that a contract makes, is made or can't be made any more asks here.
        """
        return None if contract.target is None else Need("points", contract.target - self.banked(contract))

    def made(self, position: Position, contract: Contract) -> bool | None:
        """Whether a deal played out made its contract; None where it names no target."""
        need = self.need(contract)
        if need is None:
            return None
        taken = position.taken(need.measure)
        return taken <= need.amount if position.rules.misere else taken >= need.amount


def one_by_one(
    deck: Deck, suits: str, order: str, key: Callable[[str, str], str]
) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """Effective suits that are the printed ones, each in rising `order`; `key(suit, rank)` names a card."""
    return tuple((s, tuple(Card(key(s, r)) for r in order if key(s, r) in deck)) for s in suits)


def rank_suit(suit: str, rank: str) -> str:
    """Name of a card of the usual pack."""
    return rank + suit


def disjoint(deal: Deal, extra: Sequence[tuple[str, Sequence[Card]]]) -> None:
    """Check that cards named by a contract are in no hand."""
    names = [*(f"seat {s}" for s in range(len(deal.hands))), *(n for n, _ in extra)]
    check_disjoint([*deal.hands, *(c for _, c in extra)], names)
