"""The play of the cards: a position, its legal moves with the rule that bars each other card, and what follows.

Plain Python over `TrickRules`, for people's questions and for checking records; the compiled search has
its own form of the same rules (`solver.kernels.tricks`), compared with this one and with the plain twin in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.model.cards import Card
from solver.model.contract import Marriage, TrickRules
from solver.model.errors import IllegalPlayError
from solver.model.play_rules import PLAY_RULES, playable

__all__ = ["Move", "Position", "Trick"]


class Move(NamedTuple):
    """A card, and whether a marriage is declared with it; written ``KH`` or ``KH!``."""

    card: Card
    declare: bool = False

    def __str__(self) -> str:
        return f"{self.card}{'!' if self.declare else ''}"


class Trick(NamedTuple):
    """A finished trick."""

    leader: int
    moves: tuple[Move, ...]
    winner: int
    points: int

    def __str__(self) -> str:
        seats = len(self.moves)
        played = ", ".join(f"{(self.leader + i) % seats} {m}" for i, m in enumerate(self.moves))
        return f"{played} -> {self.winner} ({self.points})"


@dataclass(frozen=True)
class Position:
    """A point in the play, between two cards.

    Parameters
    ----------
    rules
        How tricks are played; those that hold later (`suits_later`) take their place when they begin to hold.
    hands
        Cards left, by seat, without those on the table.
    leader
        Seat that led, or leads, this trick.
    trick
        Moves on the table, the leader's first.
    side
        Seats that collect together.
    trump
        Effective suit that is trump in this trick; None for no trump.
    pending
        Suit that becomes trump with the next trick (a marriage declared in this one).
    first_lead
        Whether this trick is the first of the deal.
    called_led
        Whether the called suit has been led (needed only with the option `partner_leads_any`).
    points, bonus, tricks
        Taken so far by each seat: trick points, marriage bonuses, tricks.
    """

    rules: TrickRules
    hands: tuple[frozenset[Card], ...]
    leader: int
    trick: tuple[Move, ...] = ()
    side: frozenset[int] = frozenset()
    trump: str | None = None
    pending: str | None = None
    first_lead: bool = False
    called_led: bool = False
    points: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        zeros = (0,) * self.rules.seats
        for name in ("points", "bonus", "tricks"):
            if not getattr(self, name):
                object.__setattr__(self, name, zeros)
        if self.called_led and self.rules.suits_later:
            rules = replace(self.rules, suits=self.rules.suits_later, suits_later=())
            object.__setattr__(self, "rules", rules)

    # ------------------------------------------------------------------ state

    @property
    def turn(self) -> int:
        """Seat to play."""
        return (self.leader + len(self.trick)) % self.rules.seats

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return not self.trick and not any(self.hands)

    @property
    def collected(self) -> int:
        """Points and bonuses that the collecting side has so far."""
        return sum(self.points[s] + self.bonus[s] for s in self.side)

    def taken(self, measure: str) -> int:
        """What the collecting side has so far: ``"points"`` as the rules count them, or ``"tricks"``."""
        return sum(self.tricks[s] for s in self.side) if measure == "tricks" else self.collected

    @property
    def duties_open(self) -> bool:
        """Whether the called suit is still to be led, so that partner and picker have duties (RULES.md 2.4)."""
        called = self.rules.called
        return called is not None and not self.called_led and any(called.card in hand for hand in self.hands)

    @property
    def best(self) -> tuple[int, Card] | None:
        """Seat and card that win the trick as it lies; None before the lead."""
        if not self.trick:
            return None
        seat, card = self.leader, self.trick[0].card
        for i, move in enumerate(self.trick[1:], 1):
            if self.rules.beats(move.card, card, self.trump):
                seat, card = (self.leader + i) % self.rules.seats, move.card
        return seat, card

    # ------------------------------------------------------------------ legality

    def legal(self) -> tuple[Move, ...]:
        """Legal moves of the seat to play, a declared marriage beside the bare card."""
        hand = self.hands[self.turn]
        good, _ = playable(self, hand)
        moves = []
        for _, cards in self.rules.suits:
            for card in reversed(cards):
                if card in good:
                    if self.may_declare(card) is not None:
                        moves.append(Move(card, True))
                    moves.append(Move(card))
        return tuple(moves)

    def barred(self) -> dict[Card, str]:
        """Cards of the seat to play that are not legal now, with the id of the rule that bars each."""
        barred = playable(self, self.hands[self.turn])[1]
        return {c: barred[c].id for _, cards in self.rules.suits for c in reversed(cards) if c in barred}

    def explain(self, rule: str) -> str:
        """Say a rule in words, as it applies here."""
        best = self.best
        return PLAY_RULES[rule].text.format(
            hand=f"seat {self.turn}",
            led=self.rules.suit_of[self.trick[0].card] if self.trick else "",
            best=best[1] if best else "",
            called=self.rules.called.card if self.rules.called else "",
        )

    def may_declare(self, card: Card) -> Marriage | None:
        """Return the marriage that leading this card may declare."""
        marriage = self.rules.marriage_of.get(card)
        if marriage is None or self.trick or (self.first_lead and not self.rules.marriage_on_first_lead):
            return None
        hand = self.hands[self.turn]
        return marriage if marriage.king in hand and marriage.queen in hand else None

    # ------------------------------------------------------------------ moves

    def check(self, move: Move) -> None:
        """Raise IllegalPlayError with the rule when a move is not legal here."""
        seat, card = self.turn, move.card
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalPlayError(f"seat {seat} plays {card} but does not hold it")
        rule = playable(self, hand)[1].get(card)
        if rule is not None:
            held = "" if rule.whole_hand else f"; it holds {self.legal()[0].card}"
            raise IllegalPlayError(f"seat {seat} may not play {card} ({rule.id}): {self.explain(rule.id)}{held}")
        if move.declare and self.may_declare(card) is None:
            why = (
                "only on lead" if self.trick
                else "not on the first lead of the deal" if self.first_lead
                else "king and queen of one suit must both be in hand"
            )  # fmt: skip
            raise IllegalPlayError(f"seat {seat} may not declare a marriage with {card}: {why}")

    def play(self, move: Move | str) -> Position:
        """Return the position after a legal move.

        Raises
        ------
        IllegalPlayError
            When a rule bars it.
        """
        if not isinstance(move, Move):
            move = Move(Card(move.rstrip("!")), move.endswith("!"))
        self.check(move)
        seat, rules = self.turn, self.rules
        hands = tuple(h - {move.card} if s == seat else h for s, h in enumerate(self.hands))
        trick = (*self.trick, move)
        changed: dict[str, object] = {"hands": hands, "trick": trick}
        trump, pending, bonus = self.trump, self.pending, self.bonus
        if move.declare:
            marriage = rules.marriage_of[move.card]
            bonus = _add(bonus, seat, marriage.bonus)
            if not (rules.one_trump and trump is not None):
                pending = marriage.suit
                if rules.immediate_trump:
                    trump = marriage.suit
        changed |= {"trump": trump, "pending": pending, "bonus": bonus}
        if len(trick) < rules.seats:
            return replace(self, **changed)  # type: ignore[arg-type]
        full = replace(self, **changed)  # type: ignore[arg-type]
        winner, points = full.trick_result()
        return replace(
            full,
            leader=winner,
            trick=(),
            trump=pending or trump,
            pending=None,
            first_lead=False,
            called_led=self.called_led
            or (rules.called is not None and rules.suit_of[trick[0].card] == rules.called_suit),
            points=_add(self.points, winner, points),
            tricks=_add(self.tricks, winner, 1),
        )

    def trick_result(self) -> tuple[int, int]:
        """Winner of the cards on the table and what they are worth, bonus of the first and last trick included."""
        best = self.best
        assert best is not None
        worth = sum(self.rules.value_of[m.card] for m in self.trick) + self.rules.trick_value
        worth += self.rules.first_value if self.first_lead else 0
        return best[0], worth + (0 if any(self.hands) else self.rules.last_value)


def _add(values: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    return tuple(v + amount if s == seat else v for s, v in enumerate(values))
