"""The cards played, one by one: who played which, and what each says of the hand that it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError
from solver.model.play import Move, Position
from solver.worlds.constraints import duty, loose, public_start, reason
from solver.worlds.counting import at_least

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.situation import Situation

__all__ = ["follow", "name_under"]


def name_under(known: Knowledge, contract: Contract, size: int) -> Contract:
    """Name the under card as soon as the play has shown it.

    A card that the picker leads is taken for the under card when the called card falls on it; before that, say so in
    the contract.
    """
    if "under" not in known.hidden or contract.under is not None or contract.declarer is None:
        return contract
    position = public_start(known.game, contract, size)
    seats, picker, called = known.game.seats, contract.declarer, contract.called[0] if contract.called else None
    tricks = [known.play[i : i + seats] for i in range(0, len(known.play), seats)]
    for number, trick in enumerate(tricks, 1):
        cards = [move.card for _, move in trick]
        at = (picker - position.leader) % seats
        suit = position.rules.suit_of.get(cards[0])
        led = suit == position.rules.called_suit
        shown = led if at else called in cards[1:] and not led  # the called card fell: its suit was led
        if at < len(cards) and (shown or number == size):
            return replace(contract, under=cards[at])
        for i, (_, move) in enumerate(trick):
            position = loose(position, move, last=number == size and i == seats - 1)
    return contract


def follow(one: Situation, known: Knowledge, size: int) -> None:
    """Follow the cards: who played which, then what each says of the hand that it came from.

    Parameters
    ----------
    one
        The situation at the first lead; brought to where the play stands.
    known
        With the cards played.
    size
        Cards of each hand at the first lead.

    Raises
    ------
    IllegalPlayError
        For a card that may not be played, with the card that proves it.
    """
    assert one.contract is not None
    position = public_start(one.game, one.contract, size)
    steps: list[tuple[Position, int, Move]] = []
    seats, total = one.game.seats, size * one.game.seats
    for number, (named, move) in enumerate(known.play, 1):
        turn, card = position.turn, move.card
        where = f"card {number}, {move}"
        if number > total:
            raise IllegalPlayError(f"{where}: the deal is over, all cards have been played")
        if named is not None and named != turn:
            raise IllegalPlayError(f"{where}: seat {named} is named, but seat {turn} is on turn")
        if any(card == m.card for _, _, m in steps):
            raise IllegalPlayError(f"{where}: it has been played before")
        if one.where.get(card, turn) != turn or (turn == one.seat and card not in one.where):
            raise IllegalPlayError(f"{where}: seat {turn} does not hold it{_holder(one, card)}")
        if card in one.allowed:
            _take(one, card, turn, where)
        one.held[turn] -= {card}
        steps.append((position, (number - 1) // seats + 1, move))
        position = loose(position, move, last=number == total)
    one.unseen = tuple(c for c in one.unseen if c in one.allowed)
    one.position = replace(position, hands=tuple(one.held))
    one.moves = tuple((before.turn, move) for before, _, move in steps)
    when = {m.card: n for _, n, m in steps}
    for number, (before, trick, move) in enumerate(steps, 1):
        _say(one, size, number, before, trick, move, when)


def _holder(one: Situation, card: Card) -> str:
    at = one.where.get(card)
    return "" if at is None else f", but seat {at} does" if at >= 0 else f", it is buried or in the " \
        f"{one.game.talon_label}"  # fmt: skip


def _take(one: Situation, card: Card, turn: int, where: str) -> None:
    """An unseen card shows itself."""
    place = one.places[turn]
    if not place.size:
        raise IllegalPlayError(f"{where}: every other card of seat {turn} is known, so it cannot hold it")
    one.places[turn] = place._replace(size=place.size - 1)
    one.where[card] = turn
    del one.allowed[card]


def _say(
    one: Situation, full: int, number: int, before: Position, trick: int, move: Move, when: Mapping[Card, int]
) -> None:
    """What one card says of the hand that it came from."""
    seat, called, order = before.turn, before.rules.called, [m.card for _, m in one.moves]
    earlier = frozenset(order[: number - 1])
    out = called is not None and called.card not in earlier
    size = full - sum(s == seat for s, _ in one.moves[: number - 1])
    had = frozenset(c for c, at in one.where.items() if at == seat) - earlier - {move.card}
    prefix = f"card {number}, {move} in trick {trick}"
    if seat == one.seat:
        rule = reason(before, had | {move.card}, move, called_out=out)
        if rule is None:
            return
        said = duty(before, trick, move, had, max(size, 2), called_out=out)  # names the rule when none allows it
        proof = min((c for c in had if c in said.barred), key=lambda c: when.get(c, 99), default=None)
        raise IllegalPlayError(_revoke(prefix, before, move, rule, proof, trick, when))
    others = frozenset(c for c in (*one.unseen, *had)) - {move.card}
    declarer = None if one.contract is None else one.contract.declarer
    hidden = seat == declarer and one.place("under") is not None
    try:
        said = duty(before, trick, move, others, size + hidden * (size == 2), called_out=out)
    except IllegalPlayError as wrong:
        if hidden:
            return
        shown = {c: why for c in had if (why := reason(before, {c, move.card}, move, called_out=out)) is not None}
        if not shown:
            raise IllegalPlayError(f"{prefix}: {wrong}") from None
        proof = min(shown, key=lambda c: when.get(c, 99))
        raise IllegalPlayError(_revoke(prefix, before, move, shown[proof], proof, trick, when)) from None
    if proof := min((c for c in had if c in said.barred), key=lambda c: when.get(c, 99), default=None):
        raise IllegalPlayError(_revoke(prefix, before, move, said.barred[proof], proof, trick, when))
    one.duties.append(said)
    for card in said.barred:
        one.forbid(card, [seat])
    if said.needs and not said.needs & had:
        left = frozenset(c for c in said.needs if seat in one.allowed.get(c, ()))
        if not left:
            raise IllegalPlayError(f"{prefix}: it needed one of {one.game.deck.write(said.needs)} beside it, and "
                                   "holds none")  # fmt: skip
        one.conditions.append(at_least(1, left, [seat]))


def _revoke(
    prefix: str,
    before: Position,
    move: Move,
    rule: str,
    proof: Card | None,
    trick: int,
    when: Mapping[Card, int],
) -> str:
    held = "" if proof is None else f": it held {proof}"
    if proof is not None and when.get(proof, 0) > trick:
        held += f", and played it in trick {when[proof]}"
    why = before.explain(rule) if rule != "marriage" else "it does not hold king and queen"
    return f"{prefix}: seat {before.turn} may not play it ({rule}), as {why}{held}"
