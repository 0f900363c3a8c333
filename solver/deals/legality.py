"""Cards followed one by one from a position: what is illegal, and which card proves it.

A seat whose hand is not written is given the cards that it plays later, and those that it is known to hold.  All duties
but one only grow with the cards held, so what is barred with these is barred with the whole hand; the exception, the
picker's last card of the called suit, is judged only when the hand is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from solver.formats.record import Record, RecordedTrick
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import TrickwiseError
from solver.model.play import Move, Position
from solver.model.play_rules import PLAY_RULES
from solver.model.shown import counted

__all__ = ["Finding", "Follower", "Known", "find_under"]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong in a record.

    Parameters
    ----------
    line
        Where it stands in the text; None for a record that was not read from text.
    rule
        Id of the rule that is broken, or the name of what is written wrongly.
    text
        What is wrong, in words.
    trick, seat, card
        Where in the play.
    proof
        The card that proves it.
    """

    line: int | None
    rule: str
    text: str
    trick: int | None = None
    seat: int | None = None
    card: str | None = None
    proof: str | None = None

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        trick = "" if self.trick is None else f"trick {self.trick}: "
        return f"{where}{trick}{self.text} [{self.rule}]"


class Known(NamedTuple):
    """What is known of a hand before the first lead: what it surely holds, what it may hold (None: anything)."""

    held: frozenset[Card] = frozenset()
    pool: frozenset[Card] | None = None
    complete: bool = False


def loose(position: Position, move: Move) -> Position:
    """Play a card whatever the hand."""
    card, marriage = move.card, position.rules.marriage_of.get(move.card)
    hand = {card} if marriage is None or not move.declare else {marriage.king, marriage.queen}
    seat = position.turn
    free = replace(position, hands=tuple(frozenset(hand) if s == seat else h for s, h in enumerate(position.hands)))
    done = free.play(move if move.declare and free.may_declare(card) is not None else Move(card))
    hands = tuple(h - {card} for h in position.hands)
    return replace(done, hands=hands)


def whereabouts(start: Position, tricks: Sequence[RecordedTrick]) -> dict[Card, tuple[int, int]]:
    """Trick and seat of each card, as far as turns are kept and no card comes twice."""
    where: dict[Card, tuple[int, int]] = {}
    position = start
    for number, trick in enumerate(tricks, 1):
        for seat, move in trick.cards:
            if move.card in where or (seat is not None and seat != position.turn):
                return where
            where[move.card] = number, position.turn
            position = loose(position, move)
    return where


def find_under(start: Position, tricks: Sequence[RecordedTrick], contract: Contract) -> Card | None:
    """The picker's card in the first trick that another seat leads in the called suit."""
    position, suit = start, start.rules.called_suit
    for trick in tricks:
        leader = position.leader
        for i, (_, move) in enumerate(trick.cards):
            led = start.rules.suit_of[trick.cards[0].move.card]
            if i and led == suit and leader != contract.declarer and position.turn == contract.declarer:
                return move.card
            position = loose(position, move)
    return None


@dataclass
class Follower:
    """Follows the tricks from a position.

    Parameters
    ----------
    record
        With the tricks.
    position
        Before the first lead.
    known
        How far each hand is known.
    away
        Cards known to be in no hand.
    size
        Tricks of the deal.
    talon_plays
        Whether unknown cards of the talon may count for the first or the last trick.
    """

    record: Record
    position: Position
    known: Sequence[Known]
    away: frozenset[Card]
    size: int = 0
    talon_plays: bool = False
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings_stop: bool = False
    ended: bool = False

    def __post_init__(self) -> None:
        self.where = whereabouts(self.position, self.record.play)
        self.size = self.size or len(self.position.hands[0])
        self.whole = all(k.complete for k in self.known)
        if not self.whole:
            self.position = replace(self.position, hands=self._inferred())

    def _inferred(self) -> tuple[frozenset[Card], ...]:
        """Hands of what is held for sure: known cards, cards played later, and the other card of a marriage."""
        owner = {c: s for s, k in enumerate(self.known) for c in k.held}
        hands = [set(k.held) for k in self.known]

        def give(card: Card, seat: int) -> None:
            one = self.known[seat]
            if one.complete or owner.setdefault(card, seat) != seat or card in self.away:
                return
            if one.pool is None or card in one.pool:
                hands[seat].add(card)

        for card, (_, seat) in self.where.items():
            give(card, seat)
        for trick in self.record.play:
            for _, move in trick.cards:
                marriage = self.position.rules.marriage_of.get(move.card)
                if move.declare and marriage is not None and move.card in self.where:
                    other = marriage.queen if move.card == marriage.king else marriage.king
                    give(other, self.where[move.card][1])
        return tuple(map(frozenset, hands))

    def run(self) -> None:
        """Follow every trick, until a card that may not be played."""
        cards = 0
        for number, trick in enumerate(self.record.play, 1):
            for seat, move in trick.cards:
                found = self._card(number, trick, seat, move)
                if found is not None:
                    self.findings.append(found)
                    self.findings_stop = True
                    self.notes.append(f"the play is not followed beyond this card of trick {number}")
                    return
                cards += 1
            if not self.position.trick:
                self._ending(number, trick)
        left = self.size * len(self.known) - cards
        self.ended = not left
        if cards:
            more = "" if self.ended else f", {left} more were not"
            played = f"{counted(cards, 'cards')} in {counted(len(self.record.play), 'tricks')}"
            self.notes.append(f"play: {played} {'was' if cards == 1 else 'were'} followed{more}")

    def _card(self, number: int, trick: RecordedTrick, seat: int | None, move: Move) -> Finding | None:
        """Play a card, or say what is wrong with it."""
        turn, card = self.position.turn, move.card

        def find(rule: str, text: str, proof: Card | None = None) -> Finding:
            return Finding(trick.line, rule, text, number, turn, str(move), None if proof is None else str(proof))

        if number > self.size:
            return find("over", f"{card} is played, but all {self.size} tricks are over")
        if seat is not None and seat != turn:
            return replace(find("out-of-turn", f"seat {seat} plays {card}, but seat {turn} is on turn"), seat=seat)
        before = self.where.get(card)
        hand = self.position.hands[turn]
        if before is not None and (card not in hand) and self._played(card, number):
            return find("played-twice", f"seat {turn} plays {card}, which seat {before[1]} played in trick {before[0]}")
        if card not in hand:
            return find("not-held", f"seat {turn} plays {card}, {self._place(card, turn)}")
        rule = self.position.barred().get(card)
        lenient = rule is not None and PLAY_RULES[rule].whole_hand and not self.known[turn].complete
        if rule is not None and not lenient:
            proof = self._proof(rule, number)
            shown = "" if proof is None else f": {self._says(proof, turn, number)}"
            return find(rule, f"seat {turn} may not play {card}, as {self.position.explain(rule)}{shown}", proof)
        if move.declare and self.position.may_declare(card) is None:
            try:
                self.position.check(move)
            except TrickwiseError as wrong:
                marriage = self.position.rules.marriage_of.get(card)
                other = None if marriage is None else marriage.queen if card == marriage.king else marriage.king
                elsewhere = self.where.get(other) if other is not None and other not in hand else None
                said = (
                    "" if elsewhere is None else f": {other} is played by seat {elsewhere[1]} in trick {elsewhere[0]}"
                )
                return find("marriage", f"{wrong}{said}", other if elsewhere is not None else None)
        self.position = loose(self.position, move) if lenient else self.position.play(move)
        return None

    def _played(self, card: Card, number: int) -> bool:
        """Whether a card has been played before this one, in an earlier trick or on the table."""
        on_table = any(m.card == card for m in self.position.trick)
        return on_table or self.where[card][0] < number

    def _place(self, card: Card, turn: int) -> str:
        """Where a card is that a seat plays without holding it."""
        holder = next((s for s, hand in enumerate(self.position.hands) if card in hand), None)
        if holder is not None:
            return f"which seat {holder} holds"
        if card in self.away:
            return f"which is in no hand but buried or in the {self.record.game.talon_label}"
        return "which it does not hold"

    def _proof(self, rule: str, number: int) -> Card | None:
        """The card that had to be played: one that the seat plays later, as soon as possible, or one that it held."""
        proofs = PLAY_RULES[rule].proof(self.position)
        return min(proofs, key=lambda c: self.where.get(c, (self.size + 1, 0))[0], default=None)

    def _says(self, proof: Card, turn: int, number: int) -> str:
        """Say how a card proves it."""
        at = self.where.get(proof)
        later = at is not None and at[1] == turn and at[0] > number
        return f"it held {proof}, and played it in trick {at[0]}" if later and at is not None else f"it held {proof}"

    def _ending(self, number: int, trick: RecordedTrick) -> None:
        """Compare the written winner and points of a trick with the true ones."""
        rules, winner = self.position.rules, self.position.leader
        if trick.winner is not None and trick.winner != winner:
            best = next(m.card for i, (_, m) in enumerate(trick.cards) if self.where[m.card][1] == winner)
            text = f"the trick is written as won by seat {trick.winner}, but {best} of seat {winner} wins it"
            self.findings.append(Finding(trick.line, "winner", text, number, trick.winner, str(best)))
        first, last = rules.first_value * (number == 1), rules.last_value * (number == self.size)
        if trick.points is None or (self.talon_plays and number in (1, self.size)):
            return
        points = sum(rules.value_of[m.card] for _, m in trick.cards) + rules.trick_value + first + last
        if trick.points != points:
            text = f"the trick is written with {trick.points} points, but it has {points}"
            self.findings.append(Finding(trick.line, "trick-points", text, number, winner))
