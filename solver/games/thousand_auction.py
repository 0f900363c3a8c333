"""The auction of Thousand (RULES.md 3.3): rising bids from 100, a pass is final, a cap before the talon."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from solver.games.auction import BidAuction, Result
from solver.model.cards import Card
from solver.model.limits import HandTest

if TYPE_CHECKING:
    from solver.games.thousand import Thousand

__all__ = ["ThousandAuction"]

#: The forced bid, and the lowest.
FLOOR = 100


def _within(game: Thousand, bid: int, hand: frozenset[Card]) -> bool:
    return bid <= game.cap(hand)


@dataclass(frozen=True)
class ThousandAuction(BidAuction):
    """Forehand speaks first; a seat bids strictly higher or passes for good, until one is left.

    The cap by marriages is enforced when hands are known; without them no bid above 400 is possible.
    """

    game: Thousand

    @property
    def forehand(self) -> int:
        """Seat that speaks first."""
        return (self.dealer + 1) % self.game.seats

    @property
    def turn(self) -> int | None:
        """Next seat that has not passed; None when one is left that has bid or is forced, or when all have passed."""
        active, standing = self.active, self.standing
        if not active or (len(active) == 1 and (standing or self.game.options.all_pass == "forced_dealer")):
            return None
        return self.next_active

    @property
    def _must_open(self) -> bool:
        return not self.calls and self.game.options.all_pass == "forced_forehand"

    def cap(self) -> int:
        """Highest bid open to the seat on turn, as far as its hand is known."""
        known = self.hands[self.turn] if self.hands is not None and self.turn is not None else None
        if known is None:
            return 120 if self.game.options.bid_cap == "flat120" else 400
        return self.game.cap(known)

    def legal(self) -> tuple[str, ...]:
        """Pass, and every higher bid within the cap; a forced forehand may only say 100."""
        if self.turn is None:
            return ()
        if self._must_open:
            return (str(FLOOR),)
        over = 0 if self.standing is None else self.standing[1]
        return ("pass", *(str(b) for b in self.game.bids(self.cap()) if b > over))

    def bar(self, word: str) -> str | None:
        """Why the seat on turn may not make this call, by the rule; None when it may."""
        if self.turn is None:
            return "the auction is over"
        if word in self.legal():
            return None
        if word == "pass" or (self._must_open and re.fullmatch(r"[1-9]\d{2}", word)):
            return f"the forehand must open with {FLOOR} (option all_pass=forced_forehand)"
        if not re.fullmatch(r"[1-9]\d{0,5}", word):
            return "a call is 'pass' or a bid in figures"
        return self._bar_bid(int(word))

    def _bar_bid(self, bid: int) -> str:
        if bid < FLOOR:
            return f"the lowest bid is {FLOOR}"
        if bid > 400:
            return "the highest bid is 400: 120 card points and all four marriages"
        if bid not in self.game.bids():
            return self.game.steps
        if self.standing is not None and bid <= self.standing[1]:
            return f"a bid of {self.standing[1]} stands and must be raised"
        cap = self.cap()
        if self.game.options.bid_cap == "marriage":
            return f"before the talon seat {self.turn} may bid to {cap}: 120 and the marriages in its own hand"
        return f"before the talon nobody may bid above {cap} (option bid_cap={self.game.options.bid_cap})"

    def hand_tests(self) -> tuple[HandTest, ...]:
        """A bid above 120 shows marriages worth the rest (RULES.md 3.3)."""
        if self.game.options.bid_cap != "marriage":
            return ()
        top = {c.seat: int(c.word) for c in self.calls if c.word != "pass"}  # a seat's last bid is its highest
        pairs = tuple(Card(rank + suit) for suit in self.game.deck.suits for rank in "KQ")
        return tuple(
            HandTest(
                seat, pairs, partial(_within, self.game, bid),
                f"it bid {bid}, so it was dealt marriages worth {bid - 120} or more",
            )
            for seat, bid in sorted(top.items()) if bid > 120
        )  # fmt: skip

    @property
    def result(self) -> Result | None:
        """The bid winner; the dealer at a forced 100; or a new deal."""
        if self.turn is not None:
            return None
        if self.standing is not None:
            seat, bid = self.standing
            opened = self.calls[0].seat == seat and bid == FLOOR and len(self.calls) == self.game.seats
            forced = opened and self.game.options.all_pass == "forced_forehand"
            return Result(seat, bid, "forced" if forced else "bid", f"seat {seat} plays at {bid}")
        if self.game.options.all_pass == "forced_dealer":
            return Result(self.dealer, FLOOR, "forced", f"all pass: the dealer, seat {self.dealer}, must play {FLOOR}")
        return Result(None, None, "redeal", "all pass: the cards are dealt again")
