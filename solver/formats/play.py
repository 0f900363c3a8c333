"""The cards played, as text: ``0 AH, 1 JD, 2 JH`` or plainly ``AH JD JH``.

Seats are optional: a number that stands alone, or before a colon, is the seat that plays the card after it.
``KH!`` declares a marriage (Thousand). Line breaks, commas, ``|`` and ``/`` separate; trick numbers (``1.``) at the
start of a line and a trick's result (``-> 2 (15)``) are passed over, so that the tricks of `line` can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from solver.games import Game
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import IllegalPlayError, NotationError
from solver.model.play import Move, Position

__all__ = ["Played", "read_play", "replay", "write_play"]

#: Trick numbers at the start of a line, and results at its end.
_ASIDE = re.compile(r"^[ \t]*\d+\.(?=\s)|(?:->|→|⇒)[^\n,;|/]*", re.MULTILINE)
_WORD = re.compile(r"[^\s,;|/]+")
_SEAT = re.compile(r"(?:seat|s\.)?(\d{1,3})(?::|$)", re.IGNORECASE)


class Played(NamedTuple):
    """One card as it was written: the seat if one was named, the move, and its place in the text (from 1)."""

    seat: int | None
    move: Move
    place: int


def read_play(game: Game, text: str) -> list[Played]:
    """Read the cards played, in order.

    Parameters
    ----------
    game
        Gives the deck and the number of seats.
    text
        ``"0 AH, 1 JD"``, ``"0:AH 1:JD"``, ``"AH JD"``; ``"KH!"`` declares a marriage.

    Returns
    -------
    list of Played
        Empty for an empty text.

    Raises
    ------
    NotationError
        For a card or seat that cannot be read, a seat without a card, or a card played twice.
    """
    bare = _ASIDE.sub(lambda found: " " * len(found[0]), text)
    out: list[Played] = []
    places: dict[Card, int] = {}
    named: tuple[int, int] | None = None  # a seat still without its card, and where it stands

    def lonely(seat: tuple[int, int]) -> NotationError:
        return NotationError(
            f"seat {seat[0]} at place {seat[1]} of {excerpt(text, seat[1])} is followed by no card: "
            f"write its card after it, as in '{seat[0]} {game.deck.cards[0]}'"
        )

    for word in _WORD.finditer(bare):
        chunk, at = word[0], word.start()
        if chunk.lower() in ("seat", ":"):
            continue
        found = _SEAT.match(chunk)
        if found is not None:
            if named is not None:
                raise lonely(named)
            seat = int(found[1])
            if seat >= game.seats:
                raise NotationError(
                    f"no seat {seat} (place {at + 1} of {excerpt(text, at + 1)}): "
                    f"{game.name} has seats 0 to {game.seats - 1}"
                )
            named = (seat, at + 1)
            chunk, at = chunk[found.end() :], at + found.end()
        for piece in re.finditer(r"[^!]+(!?)|!", chunk):
            begin = at + piece.start()
            if piece[0] == "!":
                raise NotationError(
                    f"'!' at place {begin + 1} of {excerpt(text, begin + 1)} declares nothing: "
                    "write it right after the king or queen of a marriage, as in KH!"
                )
            cards = piece[0].removesuffix("!")
            game.deck.read(cards, start=begin, whole=text)
            tokens = game.deck.tokens(cards, begin, text)
            for i, token in enumerate(tokens):
                if token.card in places:
                    raise NotationError(
                        f"{token.card} is played twice, at places {places[token.card]} and {token.place} of "
                        f"{excerpt(text, token.place)}: the deck has it once"
                    )
                places[token.card] = token.place
                declare = bool(piece[1]) and i == len(tokens) - 1
                out.append(Played(None if named is None else named[0], Move(token.card, declare), token.place))
                named = None
    if named is not None:
        raise lonely(named)
    return out


def replay(position: Position, played: Sequence[Played]) -> Position:
    """Play cards on from a position, each checked against the rules.

    Parameters
    ----------
    position
        Where the play begins; mostly the position before the first lead.
    played
        From `read_play`.

    Returns
    -------
    Position
        After the last card.

    Raises
    ------
    IllegalPlayError
        For a card out of turn, not held, or barred by a rule; the message has its number and place.
    """
    for number, one in enumerate(played, 1):
        where = f"card {number}, {one.move} at place {one.place}"
        if position.over:
            raise IllegalPlayError(f"{where}: the deal is over, all cards have been played")
        if one.seat is not None and one.seat != position.turn:
            raise IllegalPlayError(f"{where}: seat {one.seat} is named, but seat {position.turn} is on turn")
        try:
            position = position.play(one.move)
        except IllegalPlayError as wrong:
            raise IllegalPlayError(f"{where}: {wrong}") from None
    return position


def write_play(position: Position, moves: Sequence[Move]) -> str:
    """Write moves from a position in the one strict form, ``0 AH, 1 JD, 2 JH``, a trick a line."""
    lines: list[list[str]] = []
    for move in moves:
        if not position.trick:
            lines.append([])
        lines[-1].append(f"{position.turn} {move}")
        position = position.play(move)
    return "\n".join(", ".join(trick) for trick in lines)
