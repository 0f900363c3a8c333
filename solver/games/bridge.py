"""Contract bridge: the play of the cards and the duplicate score; there is no auction here.

Seats 0 to 3 are North, East, South and West. Follow suit, nothing else is a duty; one point a trick. A contract is
``"4H by S"``: South and North collect, ten tricks are the target, and West, on declarer's left, leads. The plain
clauses say the same, ``"10 by 2, trump H"``, ``"lead 3"``; without a trump suit it is no trump. Deals are read in PBN
too, ``N:AKQ.J98.T72.6543 …``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from solver.games.base import Game, Rung, one_by_one, rank_suit
from solver.games.bridge_deal import RANKS, SEATS, SUITS, find_deal, find_vulnerable, read_hands
from solver.games.clauses import Clause, Spoken
from solver.games.options import choice
from solver.model.cards import Deck
from solver.model.checks import excerpt
from solver.model.contract import Contract, Outcome, TrickRules
from solver.model.deal import Deal, read_deal
from solver.model.errors import NotationError
from solver.model.play import Position
from solver.model.shown import counted

__all__ = ["Bridge", "BridgeOptions", "duplicate_score"]

_BOOK = 6  # tricks that no bid counts
_SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_SAID = re.compile(
    r"([1-7])\s*(NT|N|no\s?trumps?|[CDHS♣♦♥♠]|clubs?|diamonds?|hearts?|spades?)\s*(XX?)?|(XX?|(?:re)?double)d?", re.I
)
_DOUBLES = {"x": ("double",), "double": ("double",), "xx": ("redouble",), "redouble": ("redouble",)}


@dataclass(frozen=True)
class BridgeOptions:
    """What the score depends on beside the play."""

    vulnerable: str = choice("none", "ns", "ew", "all", help="sides that are vulnerable; changes the score alone")


class Bridge(Game):
    """Contract bridge."""

    name = "bridge"
    title = "Contract bridge"
    about = "52 cards, 4 seats, partners opposite, 13 tricks; follow suit, a trump suit or none; no auction"
    unit = "tricks"
    clauses = frozenset({"bid", "by", "lead", "play", "side", "trump"})
    option_class = BridgeOptions
    has_dummy = True
    trial = "3NT by S"
    options: BridgeOptions
    spoken = Spoken(_SAID, ("4H by S", "3NT by 0", "4SX by E", "10 by 2", "trump H", "no trump", "lead 3", "side 0 2"))
    seat_names = SEATS
    left_out: ClassVar[Mapping[str, str]] = {
        "auction": "the contract is given; bidding systems are no rules of the game",
        "scoring": "duplicate scores are computed; rubber bridge carries part scores from deal to deal",
        "honours": "points for holding honours do not come from play",
    }

    @property
    def seats(self) -> int:
        """Four."""
        return 4

    @cached_property
    def deck(self) -> Deck:
        """The full pack."""
        return Deck("the bridge deck", SUITS, RANKS)

    @property
    def hand_size(self) -> int:
        """All cards are dealt."""
        return 13

    def read(self, text: str) -> Deal:
        """Read a deal, ``hand | hand | hand | hand`` from North on, or PBN, ``N:AKQ.J98.T72.6543 …``.

        Endings are read too: four hands of equal size. A PBN tag says who is vulnerable, unless the option does.
        """
        pbn, one = find_deal(text), self
        if pbn is not None:
            vulnerable = find_vulnerable(text)
            if vulnerable is not None and self.options.vulnerable == "none":
                one = Bridge(vulnerable=vulnerable)
            text = " | ".join(self.deck.write(hand) for hand in read_hands(pbn))
        return read_deal(one, text, [(self._ending_size(text) or self.hand_size, 0)])

    def _ending_size(self, text: str) -> int | None:
        """Cards a hand of an ending; None for whole hands, and for what `read_deal` refuses."""
        try:
            sizes = {len(self.deck.tokens(part)) for part in text.split("|")}
        except NotationError:
            return None
        return sizes.pop() if len(sizes) == 1 and 0 < max(sizes) < self.hand_size else None

    # ------------------------------------------------------------------ contract

    def first_leader(self, declarer: int | None, dealer: int | None = None) -> int:
        """Seat on declarer's left."""
        return super().first_leader(None, dealer) if declarer is None else (declarer + 1) % 4

    def read_clause(self, clause: Clause, given: dict[str, Any], text: str) -> None:
        """Read a clause; a bid sets target and trump, and may be followed by X or XX."""
        before = dict(given)
        found = _SAID.fullmatch(clause.rest) if clause.word == "play" else None
        if found is None:
            super().read_clause(clause, given, text)
        else:
            level, strain, doubled, alone = found.groups()
            if level:
                given["target"] = _BOOK + int(level)
                given["trump"] = None if strain[0] in "Nn" else _SIGNS.get(strain[0], strain[0].upper())
            if doubled or alone:
                given["doubles"] = _DOUBLES[(doubled or alone).lower()]
        for key in ("target", "trump", "doubles"):
            if key in before and before[key] != given[key]:
                raise NotationError(
                    f"{clause.word} {excerpt(clause.rest)} at {clause.where(text)}: the {key} is "
                    f"{before[key] or 'none'} already"
                )

    def check_contract(self, contract: Contract) -> Contract:
        """Tricks from 1 to 13."""
        if contract.target is not None and not 1 <= contract.target <= self.hand_size:
            raise NotationError(f"{contract.target} tricks: a side of bridge takes from 1 to {self.hand_size}")
        return contract

    def bid_text(self, contract: Contract) -> str | None:
        """Write a bid, ``4HX by South``; None for what could not be bid."""
        if contract.declarer is None or contract.target is None or contract.target <= _BOOK:
            return None
        doubled = {(): "", ("double",): "X"}.get(contract.doubles, "XX")
        return f"{contract.target - _BOOK}{contract.trump or 'NT'}{doubled} by {SEATS[contract.declarer]}"

    # ------------------------------------------------------------------ play

    def trick_rules(self, contract: Contract) -> TrickRules:
        """One point a trick, nothing for cards."""
        suits = one_by_one(self.deck, self.deck.suits, self.deck.ranks[::-1], rank_suit)
        return TrickRules(seats=self.seats, suits=suits, trick_value=1)

    def start(self, deal: Deal, contract: Contract) -> Position:
        """The seat on declarer's left leads, or whoever the contract names."""
        side = contract.side
        if side is None:
            declarer = self.require_declarer(contract)
            side = frozenset({declarer, (declarer + 2) % 4})
        left = len(deal.hands[0])
        if contract.target is not None and contract.target > left:
            raise NotationError(
                f"{contract.target} tricks with {left} cards a hand: write how many of these are wanted, as in "
                f"'{left} by {0 if contract.declarer is None else contract.declarer}'"
            )
        rules = self.trick_rules(contract)
        return Position(rules, deal.hands, contract.leader, side=side, trump=contract.trump, first_lead=True)

    def ladder(self, contract: Contract) -> tuple[Rung, ...]:
        """At least 1, 2, … tricks."""
        return tuple(Rung(f"{k} or more", k, "points", k) for k in range(1, self.hand_size + 1))

    # ------------------------------------------------------------------ score

    def score(self, contract: Contract, tricks: int) -> int | None:
        """Duplicate score of the declaring side; None for what could not be bid."""
        if contract.declarer is None or contract.target is None or contract.target <= _BOOK:
            return None
        vulnerable = self.options.vulnerable in ("all", ("ns", "ew")[contract.declarer % 2])
        times = {(): 1, ("double",): 2}.get(contract.doubles, 4)
        return duplicate_score(contract.target - _BOOK, contract.trump, tricks, times=times, vulnerable=vulnerable)

    def _result_text(self, contract: Contract, tricks: int) -> str:
        """Say how a bid came out, ``4H by South: 11 tricks, 1 over, +450``."""
        assert contract.target is not None
        more = tricks - contract.target
        how = "made" if not more else f"{more} over" if more > 0 else f"down {-more}"
        return f"{self.bid_text(contract)}: {counted(tricks, self.unit)}, {how}, {self.score(contract, tricks):+d}"

    def settle(self, position: Position, contract: Contract) -> Outcome:
        """Score the declaring side's bid as in duplicate bridge; a deal without a bid, or an ending, scores nothing."""
        tricks = position.tricks
        pairs = [tricks[0] + tricks[2], tricks[1] + tricks[3]]
        made = self.made(position, contract)
        text = f"North-South {pairs[0]}, East-West {pairs[1]}"
        scores: tuple[int, ...] = (0, 0, 0, 0)
        if contract.declarer is not None and sum(tricks) == self.hand_size:
            own = pairs[contract.declarer % 2]
            score = self.score(contract, own)
            if score is not None:
                scores = tuple(score if s % 2 == contract.declarer % 2 else -score for s in range(4))
                text += f"; {self._result_text(contract, own)}"
        return Outcome(tricks, tricks, made, scores, text)

    def explain_value(self, position: Position, contract: Contract, low: int, high: int) -> tuple[str, ...]:
        """Say how the bid comes out and what it scores."""
        whole = len(position.hands[0]) == self.hand_size and contract.side is None
        return (self._result_text(contract, low),) if low == high and whole and self.bid_text(contract) else ()


def duplicate_score(level: int, trump: str | None, tricks: int, *, times: int = 1, vulnerable: bool = False) -> int:
    """Score of a bid for the declaring side by the law of duplicate bridge.

    Parameters
    ----------
    level
        1 to 7.
    trump
        Trump suit, None for no trump.
    tricks
        What the declaring side took.
    times
        1, doubled 2, redoubled 4.
    vulnerable
        Whether the declaring side is.
    """
    over = tricks - _BOOK - level
    if over < 0:
        if times == 1:
            return (100 if vulnerable else 50) * over
        rows = (200, 300, 300) if vulnerable else (100, 200, 200)
        return -sum(rows[i] if i < 3 else 300 for i in range(-over)) * times // 2
    each = 20 if trump in ("C", "D") else 30
    points = (each * level + (10 if trump is None else 0)) * times
    game = (500 if vulnerable else 300) if points >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    extra = each if times == 1 else (100 if vulnerable else 50) * times
    return points + game + slam + over * extra + (0, 0, 50, 0, 100)[times]
