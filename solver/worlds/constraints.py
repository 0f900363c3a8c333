"""What a card says about the hand that it was played from, found by asking the rules of play.

A recorded move was legal, so its seat held no card that would have barred it, and held what it needed. Both sets come
from the game's own legality alone: `duty` tries the move from hands of two cards, the one played and one other. A card
that bars the move is *barred*; where some other card in its company would have allowed the move after all, the seat
*needed* one of those (a picker's second card of the called suit, the queen to a declared king). That every rule of
`solver.model.play_rules` has this form is tested on random hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from solver.games import Game
from solver.model.cards import Card
from solver.model.contract import Contract, TrickRules
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError
from solver.model.play import Move, Position

__all__ = ["MARRIAGE", "Duty", "duty", "loose", "public_start", "reason"]

#: Id of what a declared marriage needs, beside the rules of `solver.model.play_rules`.
MARRIAGE = "marriage"


@dataclass(frozen=True)
class Duty:
    """What one move says.

    Parameters
    ----------
    before
        The public position before it; hands that nobody sees are empty in it.
    trick
        Number of its trick, from 1.
    move
        The card.
    barred
        Cards that its seat did not hold, each with the id of the rule that would have barred the move.
    needs
        Cards of which it held one at least; empty where it needed none.
    rule
        Id of the rule that needs them.
    """

    before: Position
    trick: int
    move: Move
    barred: Mapping[Card, str]
    needs: frozenset[Card] = frozenset()
    rule: str = ""

    @property
    def seat(self) -> int:
        """Who played."""
        return self.before.turn


def _with_hand(position: Position, hand: Iterable[Card], called_out: bool) -> Position:
    """The position with a hand for the seat on turn; a called card still out is in another hand, or in this one."""
    held = frozenset(hand)
    hands = [frozenset[Card]()] * position.rules.seats
    hands[position.turn] = held
    called = position.rules.called
    if called is not None and called_out and called.card not in held:
        hands[(position.turn + 1) % position.rules.seats] = frozenset({called.card})
    return replace(position, hands=tuple(hands))


def reason(position: Position, hand: Iterable[Card], move: Move, *, called_out: bool) -> str | None:
    """Id of the rule that bars a move from a hand; None when it is legal.

    Parameters
    ----------
    position
        Whose turn, table and trump count; its hands do not.
    hand
        Of the seat on turn, with the card played.
    move
        What it plays.
    called_out
        Whether the called card, if there is one, is still to be played.
    """
    trial = _with_hand(position, hand, called_out)
    rule = trial.barred().get(move.card)
    if rule is None and move.declare and trial.may_declare(move.card) is None:
        return MARRIAGE
    return rule


def duty(position: Position, trick: int, move: Move, others: Iterable[Card], size: int, *, called_out: bool) -> Duty:
    """Say what a move tells of the hand it came from.

    Parameters
    ----------
    position
        The public position before it.
    trick
        Number of the trick.
    move
        What was played.
    others
        Cards that the seat may have held beside it.
    size
        Cards that it held, this one with them.
    called_out
        As for `reason`.

    Raises
    ------
    IllegalPlayError
        When no hand allows the move.
    """

    def why(*more: Card) -> str | None:
        return reason(position, (move.card, *more), move, called_out=called_out)

    if size == 1:
        if (rule := why()) is not None:
            raise IllegalPlayError(_never(position, move, rule))
        return Duty(position, trick, move, {})
    alone = {card: why(card) for card in others}
    bad = {card: rule for card, rule in alone.items() if rule is not None}
    good = frozenset(card for card, rule in alone.items() if rule is None)
    if not good:
        raise IllegalPlayError(_never(position, move, next(iter(bad.values()), "")))
    if not bad:
        return Duty(position, trick, move, {})
    if size == 2:
        return Duty(position, trick, move, bad)
    helper = next(iter(good))
    barred = {card: rule for card, rule in bad.items() if why(helper, card) is not None}
    cured = [rule for card, rule in bad.items() if card not in barred]
    return Duty(position, trick, move, barred, good if cured else frozenset(), cured[0] if cured else "")


def _never(position: Position, move: Move, rule: str) -> str:
    if rule == MARRIAGE:
        why = (
            "only on lead" if position.trick
            else "not on the first lead of the deal"
            if position.first_lead and not position.rules.marriage_on_first_lead
            else "no king and queen of one suit"
        )  # fmt: skip
        return f"seat {position.turn} may not declare a marriage with {move.card}: {why}"
    return f"seat {position.turn} may not play {move.card} ({rule}): {position.explain(rule)}"


# --------------------------------------------------------------------- positions without hands


def public_start(game: Game, contract: Contract, size: int) -> Position:
    """The position before the first lead as all see it: rules, leader and trump, and no hands.

    Parameters
    ----------
    game, contract
        What is played.
    size
        Cards of each hand at the first lead.
    """
    declarer = contract.declarer
    others = [s for s in range(game.seats) if s != declarer]
    order = [*others, *([] if declarer is None else [declarer])]
    cards = sorted(game.deck.cards, key=lambda c: (c not in contract.called, c == contract.under))
    hands = {seat: frozenset(cards[i * size : (i + 1) * size]) for i, seat in enumerate(order)}
    deal = Deal(game, tuple(hands[s] for s in range(game.seats)))
    bare = replace(contract, bury=(), passes=(), taken=())
    try:
        start = game.start(deal, bare)
    except IllegalPlayError:  # these cards allow no such plan; it is judged where the right ones are known
        if declarer is None:
            raise
        start = game.start(deal, replace(bare, side=contract.side or frozenset({declarer})))
    rules = start.rules
    if declarer is None:  # what lies in the talon is not known here
        rules = replace(rules, first_value=0, last_value=0)
    empty = (frozenset[Card](),) * game.seats
    return replace(start, rules=rules, hands=empty, bonus=(0,) * game.seats, side=contract.side or frozenset())


def loose(position: Position, move: Move, *, last: bool) -> Position:
    """Play a card whatever the hand, and leave all hands empty.

    Parameters
    ----------
    position
        Without hands.
    move
        A declared marriage may be declared here.
    last
        Whether it is the last card of the deal.
    """
    seat, rules = position.turn, position.rules
    marriage = rules.marriage_of.get(move.card)
    hand = {move.card} if marriage is None or not move.declare else {marriage.king, marriage.queen}
    hands = [frozenset[Card]()] * rules.seats
    hands[seat] = frozenset(hand)
    if not last:
        hands[(seat + 1) % rules.seats] = frozenset({_filler(rules, hand)})
    free = replace(position, hands=tuple(hands))
    done = free.play(move if not move.declare or free.may_declare(move.card) is not None else Move(move.card))
    return replace(done, hands=position.hands)


def _filler(rules: TrickRules, hand: set[Card]) -> Card:
    """Some card that is not in the hand and not the called one, to say that the deal goes on."""
    called = None if rules.called is None else rules.called.card
    return next(c for _, cards in rules.suits for c in cards if c not in hand and c != called)
