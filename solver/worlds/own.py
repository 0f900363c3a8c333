"""The seat's own cards: as it was dealt them, as they are at the first lead, and the one that it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.games import Game
from solver.model.cards import Card
from solver.model.errors import NotationError

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["check_own", "dealt_hand", "own_pass", "played_size"]


def played_size(game: Game) -> int:
    """Cards of each hand at the first lead."""
    return next((h for h, t in game.sizes if t == 0), game.hand_size)


def own_pass(known: Knowledge) -> Card | None:
    """The card that the declarer gave to the seat; None where there is none, or which it is cannot be told."""
    c = known.agreed
    if c is None:
        return None
    told = next((card for to, card in c.passes if to == known.seat), None)
    if told is not None or known.as_dealt or c.declarer in (None, known.seat):
        return told
    # A card of the talon, which the declarer took, has come to another seat in one way only.
    found = known.hand & (known.talon or frozenset())
    return next(iter(found)) if len(found) == 1 else None


def dealt_hand(known: Knowledge) -> frozenset[Card] | None:
    """The hand that the seat was dealt, worked back from that of the first lead; None where it cannot be told."""
    if known.as_dealt:
        return known.hand
    c = known.agreed
    if c is None or c.declarer is None:
        return None
    if c.declarer == known.seat:
        gone = {*c.bury, *(card for _, card in c.passes)}
        dealt = (known.hand | gone) - (frozenset(c.taken) or known.talon or frozenset())
    else:
        dealt = known.hand - {own_pass(known)}
    return dealt if len(dealt) == known.game.hand_size else None


def check_own(known: Knowledge) -> None:
    """Hold the own hand against the talon and the pass, once a declarer is named.

    Raises
    ------
    NotationError
        When one card would be in two places, or in none.
    """
    c, game, me = known.agreed, known.game, known.seat
    if c is None or c.declarer is None:
        return
    hand, talon, label, write = known.hand, known.talon or frozenset(), game.talon_label, game.deck.write
    if known.as_dealt:
        if twice := hand & talon:
            raise NotationError(f"{write(twice)} stands twice, with seat {me} as dealt and in the {label}")
        return
    if played_size(game) == game.hand_size:  # nothing is passed
        return
    if c.declarer == me:
        gone = talon - hand - {card for _, card in c.passes}
        if len(gone) > game.seats - 1 - len(c.passes):
            raise NotationError(f"seat {me} took {write(gone)} with the {label}, but neither holds nor passes it")
        return
    given = own_pass(known)
    if given is not None and given not in hand:
        raise NotationError(f"{given} is passed to seat {me}, but is not in its hand at the first lead")
    found = hand & talon
    if len(found) > 1 or found - {given}:
        raise NotationError(
            f"seat {me} holds {write(found)} of the {label}, of which the card passed to it"
            f"{'' if given is None else f', {given},'} is the only one that it can have"
        )
