"""What `plan`, `bid` and `threshold` are asked: a knowledge from what was written, and the stage it is at.

A decision is at one of three stages: *before the talon* (its cards are an outer chance), *to plan* (the declarer sees
all that it will see and has still to choose), *at play* (the plan is told).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from solver.bidding.of_game import bidding_of
from solver.formats.record import contract_text
from solver.games import Game, as_game
from solver.games.clauses import read_clauses
from solver.model.cards import Card
from solver.model.checks import seat_number
from solver.model.contract import Contract
from solver.model.deal import TALON_LABELS
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError
from solver.worlds.constraints import public_start
from solver.worlds.knowledge import Knowledge, knowledge
from solver.worlds.situation import played_size

__all__ = [
    "as_declarer",
    "ask",
    "at_play",
    "open_plans",
    "read_contract",
    "split_talon",
]


def ask(
    source: Knowledge | Game | str,
    hand: str | frozenset[Card] = "",
    contract: str | Contract | None = None,
    *,
    seat: int | None = None,
    dealer: int | None = None,
    options: dict[str, Any] | None = None,
) -> Knowledge:
    """Return the knowledge asked about.

    Parameters
    ----------
    source
        A knowledge, to which a contract may be added; or a game, or its name with `options`.
    hand
        The seat's cards, with a game: as dealt, with the talon, or at the first lead. Which of ten or eight cards came
        from the talon makes no difference to the declarer; the last ones of the deck's order are taken for it.
    contract
        What is settled, the plan where it is told; the seat becomes the declarer where none is named.
    seat, dealer
        The seat, by default the contract's declarer, else 0; and who dealt, the last seat when None.

    Raises
    ------
    NotationError, IllegalPlayError, UnsupportedError
        For what cannot be read, or breaks a rule.
    """
    if isinstance(source, Knowledge):
        if hand or options or seat is not None or dealer is not None:
            raise NotationError("a knowledge has its hand, seat, dealer and options: name none beside it")
        return source if contract is None else source.contract(contract)
    game = as_game(source, options or {})
    seat = None if seat is None else seat_number(seat, game.seats)
    dealer = None if dealer is None else seat_number(dealer, game.seats, "dealer")
    read = read_contract(game, contract, seat, dealer)
    mine = 0 if read.declarer is None else read.declarer
    mine = mine if seat is None else seat
    text, talon = split_talon(hand if isinstance(hand, str) else game.deck.write(hand))
    full = game.hand_size + game.talon_size
    if game.seats == 2 and game.talon_size:  # of two talons one stays hidden
        sizes = [game.hand_size]
    else:
        sizes = [game.hand_size] if talon else sorted({game.hand_size, played_size(game), full})
    cards = game.read_hand(text, sizes)
    _check_plan(game, cards | frozenset(game.deck.read(talon)), read, mine)
    told = read != read_contract(game, "", seat, dealer) or not game.talon_size
    if game.talon_size and len(cards) == full > game.hand_size:
        order = game.deck.sort(cards)
        text, talon = game.deck.write(order[: game.hand_size]), game.deck.write(order[game.hand_size :])
    begun = knowledge(game, mine, text, dealer=dealer)
    if talon:
        return begun.see(talon=talon).contract(read)
    at_lead = game.talon_size and len(cards) == played_size(game) != game.hand_size
    return begun.contract(read) if told or at_lead else begun


def split_talon(text: str) -> tuple[str, str]:
    """Hand and talon of ``"… | talon: …"``; no talon where none is marked."""
    parts = re.split(rf"\|?\s*\b(?:{'|'.join(TALON_LABELS)})\b:?|\|", text, maxsplit=1, flags=re.IGNORECASE)
    return parts[0], parts[1] if len(parts) > 1 else ""


def read_contract(
    game: Game, contract: str | Contract | None, seat: int | None = None, dealer: int | None = None
) -> Contract:
    """Read the contract, put the seat in as declarer and let who leads after this dealer lead."""
    usual = 0 if seat is None else seat
    if isinstance(contract, Contract):
        return game.contract(contract if contract.declarer is not None else replace(contract, declarer=usual))
    text = contract or ""
    words = {clause.word for clause in read_clauses(text, game.name, game.spoken)}
    if not words & {"by", "side", *game.undeclared} and not (game.spoken and "play" in words):
        text = f"{text.rstrip(' ,;')}, by {usual}"
    read = game.contract(text)
    if "lead" in words or dealer is None:
        return read
    return replace(read, leader=game.first_leader(read.declarer, dealer))


def _check_plan(game: Game, cards: frozenset[Card], read: Contract, seat: int) -> None:
    """Say in the plan's own terms what a hand of this size cannot go with."""
    if read.passes:
        if len(cards) == game.hand_size:
            raise NotationError(
                f"a hand of {len(cards)} cards is before the talon, so nothing is passed yet: leave the passes out"
            )
        ten = len(cards) > played_size(game)
        for to, card in read.passes:
            if (card in cards) != ten:
                what = "does not hold it" if ten else f"still holds it in the hand of {len(cards)}"
                raise NotationError(f"seat {seat} passes {card} to {to} but {what}")
    if game.talon_size and len(cards) > played_size(game) and read.side is not None and read.declarer is None:
        raise NotationError(
            f"with a side named nobody buries: give the {played_size(game)} cards of the first lead, not {len(cards)}"
        )
    if game.talon_size and len(cards) == game.hand_size == played_size(game) and (both := cards & set(read.bury)):
        raise NotationError(
            f"the bury {game.deck.write(both)} is still in the hand of {len(cards)} cards: "
            f"give the hand after the bury, or all {game.hand_size + game.talon_size} cards"
        )


def at_play(known: Knowledge) -> bool:
    """Whether the plan is told, so that the first card may be led."""
    return known.position is not None


def as_declarer(known: Knowledge) -> Contract:
    """The contract as far as it is settled, the knowing seat playing it."""
    game = known.game
    agreed = known.agreed
    if agreed is None:
        leader = game.first_leader(known.seat, known.dealer)
        return replace(game.contract(f"by {known.seat}"), leader=leader)
    if agreed.declarer != known.seat:
        raise NotationError(f"the contract is by seat {agreed.declarer}, but the hand is of seat {known.seat}")
    return replace(agreed, taken=())


def open_plans(known: Knowledge, contract: Contract) -> Iterator[Contract]:
    """Plans open to a declarer that has seen the talon, if there is one; at least one.

    Raises
    ------
    IllegalPlayError
        When none goes with what is settled.
    NotationError
        When the contract lacks what is no plan, as a trump suit that was turned up.
    UnsupportedError
        For a table that bids are not estimated at.
    """
    game = known.game
    full = known.hand | (known.talon or frozenset())
    if not game.has_plans:
        public_start(game, contract, played_size(game))  # says what the contract lacks
    plan = None
    for plan in bidding_of(game).plans(full, contract):
        yield plan
    if plan is None:
        raise IllegalPlayError(f"no plan of {game.deck.write(full)} goes with {contract_text(game, contract)}")


def begin(known: Knowledge) -> Knowledge:
    """The same as declarer of the plainest contract, where none is told and the game needs none."""
    if known.agreed is None and not known.play and not known.game.has_plans:
        try:
            return known.contract(as_declarer(known))
        except TrickwiseError:
            return known
    return known
