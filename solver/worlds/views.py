"""What one seat saw of a recorded deal: its own cards, what was public, and its part of the plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from solver.formats.record import Record
from solver.model.cards import Card
from solver.model.checks import seat_number
from solver.model.contract import Contract
from solver.model.errors import NotationError
from solver.worlds.told import follow_auction

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["seen_by"]


def seen_by(start: type[Knowledge], record: Record, seat: int | None = None) -> Knowledge:
    """Take from a record what a seat saw, as knowledge of this class; nothing else has any influence on the answer.

    Raises
    ------
    NotationError
        When no seat is named, or its hand is not written.
    """
    game = record.game
    who = record.seat if seat is None else seat
    if who is None:
        raise NotationError("the record is nobody's view: name a seat")
    who = seat_number(who, game.seats)
    if record.seat is not None and seat is not None and seat != record.seat:
        raise NotationError(f"the record is what seat {record.seat} saw: it does not tell what seat {seat} knows")
    hand = record.hands[who]
    if hand is None:
        raise NotationError(f"the hand of seat {who} is not written in the record")
    as_played = bool(game.talon_size) and record.talon is not None and not record.talon
    shown: list[frozenset[Card] | None] = [None] * game.seats
    if record.seat is not None:  # a view has no cards but those seen
        shown = [None if s == who else h for s, h in enumerate(record.hands)]
    play = tuple((one.seat, one.move) for trick in record.play for one in trick.cards)
    known = start(
        game, who, hand, record.dealer, calls=record.calls, shown=tuple(shown), play=play,
        dealt=not as_played if game.talon_size else None,
    )  # fmt: skip
    contract = _contract(record, known)
    if contract is None:
        return known
    played = {move.card for _, move in play}
    contract, hidden = _seen_plan(record, contract, who, played)
    known = replace(known, agreed=contract, hidden=hidden)
    left = game.talon_may_stay and not (contract.bury or "bury" in hidden)
    if record.talon and not left and game.sees_talon(who, contract, forced=known.forced):
        known = replace(known, talon=record.talon)
    return known


def _contract(record: Record, known: Knowledge) -> Contract | None:
    """The contract, completed from the auction; None where nothing has been agreed."""
    contract = record.contract
    told = contract.declarer is not None or contract.kind or contract.target is not None or contract.side is not None
    if not told and record.calls:
        found = follow_auction(known)
        return None if found is None else replace(found, leader=contract.leader)
    if not told and not record.play and record.game.talon_size:
        return None
    checked = record.game.check_contract(replace(contract, passes=()))
    return follow_auction(replace(known, agreed=replace(checked, passes=contract.passes)))


def _seen_plan(record: Record, contract: Contract, seat: int, played: set[Card]) -> tuple[Contract, frozenset[str]]:
    """The plan without what the seat has not seen of it, and which parts lie hidden."""
    if contract.declarer in (None, seat):
        return contract, record.hidden
    hidden = set(record.hidden)
    if contract.bury:
        hidden.add("bury")
        contract = replace(contract, bury=())
    if contract.under is not None and contract.under not in played:
        hidden.add("under")
        contract = replace(contract, under=None)
    if not record.game.passes_shown():
        own = tuple((to, card) for to, card in contract.passes if to == seat)
        if len(own) < len(contract.passes):
            hidden.add("pass")
        contract = replace(contract, passes=own)
    return contract, frozenset(hidden)
