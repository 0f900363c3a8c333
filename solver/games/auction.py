"""Auctions: who may call what, why another call is barred, and what an ended auction comes to.

An `Auction` is immutable; `call` gives the next one. Each game has its own subclass beside its rules.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.limits import HandTest

__all__ = ["NO_DEAL", "Auction", "BidAuction", "Call", "Result"]

#: Ends of an auction after which the cards are dealt again.
NO_DEAL = ("redeal", "doubler")


@dataclass(frozen=True)
class Call:
    """One call: a seat with ``pass``, ``pick`` or a number."""

    seat: int
    word: str

    def __str__(self) -> str:
        return f"{self.seat}:{self.word}"


@dataclass(frozen=True)
class Result:
    """What an ended auction comes to.

    Parameters
    ----------
    declarer
        Seat that plays; None when nobody does.
    bid
        Standing bid, None in games without one.
    kind
        ``"bid"``; ``"forced"`` when a rule names the declarer; or what is played instead, such as ``"leaster"``.
    text
        One line for people.
    """

    declarer: int | None
    bid: int | None
    kind: str
    text: str


@dataclass(frozen=True)
class Auction(ABC):
    """An auction so far.

    Parameters
    ----------
    game
        With its options.
    dealer
        The seat to the dealer's left speaks first.
    hands
        Cards as dealt, where they are known: a cap that depends on a hand is enforced only then.
    calls
        Calls so far.
    """

    game: Any
    dealer: int
    hands: tuple[frozenset[Card], ...] | None = None
    calls: tuple[Call, ...] = ()

    @property
    @abstractmethod
    def turn(self) -> int | None:
        """Seat to call; None when the auction is over."""

    @abstractmethod
    def legal(self) -> tuple[str, ...]:
        """Calls open to the seat on turn, in rising order; empty when the auction is over."""

    @abstractmethod
    def bar(self, word: str) -> str | None:
        """Why the seat on turn may not make this call; None when it may."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """What the auction came to; None while it goes on."""

    def hand_tests(self) -> tuple[HandTest, ...]:
        """What the calls so far say for certain of hands as dealt; nothing, as a rule."""
        return ()

    def check(self, seat: int, word: str) -> None:
        """Raise IllegalPlayError when a seat may not make a call now."""
        if self.turn is None:
            raise IllegalPlayError(f"seat {seat} calls {excerpt(word)}, but the auction is over")
        if seat != self.turn:
            raise IllegalPlayError(f"seat {seat} calls {excerpt(word)} out of turn: seat {self.turn} is to call")
        why = self.bar(word)
        if why is not None:
            raise IllegalPlayError(f"seat {seat} may not call {excerpt(word)}: {why}")

    def call(self, word: str, seat: int | None = None) -> Self:
        """Return the auction after a call by the seat on turn (or by `seat`, which must be on turn)."""
        if self.turn is None and seat is None:
            raise IllegalPlayError(f"{excerpt(word)} is called, but the auction is over")
        who: int = self.turn if seat is None else seat  # type: ignore[assignment]
        word = word.strip().lower()
        self.check(who, word)
        return replace(self, calls=(*self.calls, Call(who, word)))

    def read(self, text: str | Iterable[str]) -> Self:
        """Go on with calls from text: ``"0:100 1:110 2:pass"``, ``"100, 110, pass"``; the seat may be left out.

        Raises
        ------
        NotationError
            For what is no call.
        IllegalPlayError
            For a call out of turn or barred, with the rule.
        """
        parts = re.split(r"[,;\s]+", text.strip()) if isinstance(text, str) else list(text)
        now = self
        for part in parts:
            if not part:
                continue
            found = re.fullmatch(r"(?:(\d{1,9})[:=])?([a-z_]+|\d{1,9})", part.lower())
            if found is None:
                raise NotationError(
                    f"cannot read the call {excerpt(part)}: expected SEAT:CALL, as in 0:{self.game.first_call}"
                )
            now = now.call(found[2], int(found[1]) if found[1] is not None else None)
        return now

    def __str__(self) -> str:
        said = " ".join(map(str, self.calls))
        result = self.result
        return f"{said} -> {result.text}" if result else f"{said} (seat {self.turn} to call)"


@dataclass(frozen=True)
class BidAuction(Auction):
    """An auction of rising numbers in which a pass is final."""

    @property
    def standing(self) -> tuple[int, int] | None:
        """Seat and amount of the highest bid."""
        return next(((c.seat, int(c.word)) for c in reversed(self.calls) if c.word != "pass"), None)

    @property
    def active(self) -> frozenset[int]:
        """Seats that have not passed."""
        return frozenset(range(self.game.seats)) - {c.seat for c in self.calls if c.word == "pass"}

    @property
    def next_active(self) -> int | None:
        """Next seat clockwise, after the last to call or the dealer, that has not passed; None when all have."""
        last = self.calls[-1].seat if self.calls else self.dealer
        seats = self.game.seats
        return next((s for s in ((last + i) % seats for i in range(1, seats + 1)) if s in self.active), None)
