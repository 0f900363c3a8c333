"""The auction of Sheepshead: from eldest each seat picks or passes, once (RULES.md 2.3)."""

from __future__ import annotations

from dataclasses import dataclass

from solver.games.auction import Auction, Result
from solver.games.sheepshead_score import weak

__all__ = ["SheepsheadAuction"]

#: What follows when all pass, by the option `no_pick`.
_ALL_PASS = {
    "leaster": "a leaster, each for itself, fewest points win",
    "moster": "a moster, each for itself, most points lose",
    "mittler": "a mittler, each for itself, the middle points win",
    "schneidster": "a schneidster, each for itself, nearest to 30 and not above wins",
    "schwanzer": "a schwanzer, hands are shown and the most trump power loses",
    "doubler": "a new deal that counts double",
    "redeal": "a new deal",
}


@dataclass(frozen=True)
class SheepsheadAuction(Auction):
    """Pick and pass; with the option `weak_redeal` also ``redeal``."""

    @property
    def turn(self) -> int | None:
        """Seat to call; None when the auction is over."""
        return None if self.result else (self.dealer + 1 + len(self.calls)) % int(self.game.seats)

    @property
    def forced(self) -> bool:
        """Whether all but the dealer have passed and the dealer must pick."""
        return bool(self.game.options.no_pick == "forced_dealer") and len(self.calls) >= int(self.game.seats) - 1

    def legal(self) -> tuple[str, ...]:
        """Calls open to the seat on turn."""
        return tuple(word for word in ("pass", "pick", "redeal") if self.turn is not None and self.bar(word) is None)

    def bar(self, word: str) -> str | None:
        """Why the seat on turn may not make this call; None when it may."""
        if self.turn is None:
            return "the auction is over"
        if word == "pick":
            return None
        if word == "pass":
            return "no_pick=forced_dealer: all others have passed, so the dealer picks" if self.forced else None
        if word == "redeal":
            if not self.game.options.weak_redeal:
                return "no new deal is claimed with weak_redeal off"
            if self.hands is not None and not weak(self.hands[self.turn]):
                return "a new deal is claimed with a hand without ace, face card and trump"
            return None
        return f"calls are {' and '.join(self.legal())}"

    @property
    def result(self) -> Result | None:
        """The picker, or what all passing comes to; None while it goes on."""
        if not self.calls:
            return None
        seat, word = self.calls[-1].seat, self.calls[-1].word
        if word == "pick":
            # The dealer's own call is the last, so `forced` looks at the calls before it.
            forced = self.game.options.no_pick == "forced_dealer" and len(self.calls) == self.game.seats
            return Result(seat, None, "forced" if forced else "bid", f"seat {seat} picks{' as it must' * forced}")
        if word == "redeal":
            return Result(None, None, "redeal", f"seat {seat} claims a new deal")
        if len(self.calls) < self.game.seats:
            return None
        kind = self.game.options.no_pick
        return Result(None, None, kind, f"all pass: {_ALL_PASS[kind]}")
