"""Reading the tricks and the result of a record; the notation is that of `solver.formats.record_read`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from solver.formats.record import RecordedCard, RecordedTrick, WrittenResult
from solver.formats.record_text import Line, Section, wrong
from solver.games import Game
from solver.model.checks import excerpt, shortened
from solver.model.errors import NotationError
from solver.model.play import Move

__all__ = ["read_result", "read_tricks"]

#: Parts of the result that may stand on a line of their own.
_PARTS = ("points", "scores")
_ARROW = re.compile(r"->|=>|→|⇒")
_END = re.compile(r"(?:(?:seat\s*)?(\d{1,3}))?\s*(?:[:,(]?\s*(\d{1,4})\s*(?:points?|p)?\s*\)?)?\.?", re.IGNORECASE)


def read_tricks(game: Game, section: Section | None) -> tuple[RecordedTrick, ...]:
    """The tricks, cut by their length where neither line ends nor results cut them."""
    tricks: list[RecordedTrick] = []
    cards: list[RecordedCard] = []
    began = 0

    def close(winner: int | None = None, points: int | None = None) -> None:
        tricks.append(RecordedTrick(tuple(cards), winner, points, began))
        cards.clear()

    for line in section.lines if section is not None else ():
        text = line.text
        if number := re.match(r"\s*(?:trick\s*)?(\d{1,3})\s*[.)](?=\s|$)", text, re.IGNORECASE):
            if cards:
                if len(cards) != game.seats:
                    raise _broken(game, len(tricks) + 1, len(cards), began)
                close()
            if int(number[1]) != len(tricks) + 1:
                raise wrong(line.number, f"trick {number[1]} stands where trick {len(tricks) + 1} is expected")
            line = line._replace(start=line.start + number.end())
        for part in re.split(r"[;/|]", line.text):
            body, *ends = _ARROW.split(part)
            for played in _line_cards(game, line, body):
                if len(cards) == game.seats:
                    close()
                began = began if cards else line.number
                cards.append(played)
            if len(ends) > 1:
                raise wrong(line.number, f"{excerpt(part.strip())} has two results: write one trick a line")
            if ends:
                if len(cards) != game.seats:
                    raise _broken(game, len(tricks) + 1, len(cards), line.number)
                close(*_end(game, line, ends[0]))
    if cards:
        close()
    return tuple(tricks)


def _broken(game: Game, trick: int, cards: int, line: int) -> NotationError:
    return wrong(line, f"trick {trick} has {cards} cards: one from each of {game.seats} seats is expected")


def _end(game: Game, line: Line, text: str) -> tuple[int | None, int | None]:
    """Read ``2 (15)`` after the arrow."""
    got = _END.fullmatch(text.strip())
    if got is None or not text.strip():
        raise wrong(line.number, f"cannot read the trick's result {excerpt(text.strip())}: expected '-> 2 (15)'")
    winner = None if got[1] is None else int(got[1])
    if winner is not None and winner >= game.seats:
        raise wrong(line.number, f"the trick's winner is {winner}: {game.name} has seats 0 to {game.seats - 1} here")
    return winner, None if got[2] is None else int(got[2])


def _line_cards(game: Game, line: Line, body: str) -> Iterator[RecordedCard]:
    """Cards of a part of a line: ``0 AH, 1 KH!``, ``0:AH``, ``AH JD``; remarks in brackets are passed over."""
    text = re.sub(r"\(\s*\+\s*\d+\s*\)", "!", body)
    text = re.sub(r"\([^()]*\)", " ", text)
    seat: int | None = None

    def fail(word: str, expected: str) -> NotationError:
        return wrong(line.number, f"cannot read {excerpt(word)} in {excerpt(body.strip())}: expected {expected}")

    for word in re.findall(r"[^\s,]+", re.sub(r"(?<=[^\s\d])\s+!", "!", text)):
        if word.lower() in ("seat", ":"):
            continue
        got = re.match(r"(?:seat)?(\d{1,3})(?::|$)", word, re.IGNORECASE)
        if got is not None:
            if seat is not None:
                raise fail(word, f"the card of seat {seat}")
            seat = int(got[1])
            if seat >= game.seats:
                raise fail(word, f"a seat from 0 to {game.seats - 1}")
            word = word[got.end() :]
        for piece in re.findall(r"[^!]+!?|!", word):
            try:
                cards = game.deck.read(piece.removesuffix("!"))
            except NotationError as bad:
                raise wrong(line.number, bad) from None
            if not cards:
                raise fail(word, "a card before '!', as in KH!")
            for i, card in enumerate(cards):
                yield RecordedCard(seat, Move(card, piece.endswith("!") and i == len(cards) - 1))
                seat = None
    if seat is not None:
        raise fail(str(seat), f"the card of seat {seat} after it")


def read_result(game: Game, found: dict[str, list[Section]]) -> WrittenResult | None:
    """Read ``points 132 128 0; scores 120 130 0; made``."""
    given: dict[str, Any] = {}
    for key in ("result", *_PARTS):
        if key not in found:
            continue
        section = found[key][0]
        text = section.text if key == "result" else f"{key} {section.text}"
        text = text.replace("−", "-").replace("–", "-")
        pattern = r"([a-z]+)[\s:]*((?:[+-]?\d{1,6}[\s,/]*)*)"
        rest = re.sub(pattern, "", text, flags=re.IGNORECASE).strip(" ;,.")
        if rest:
            raise wrong(section.number, f"cannot read {excerpt(rest)} in the result: expected like 'scores 120 130 0'")
        for word, numbers in re.findall(pattern, text, re.IGNORECASE):
            values = tuple(int(n) for n in re.findall(r"[+-]?\d+", numbers))
            name = {"score": "scores", "point": "points", "trick": "tricks"}.get(word.lower(), word.lower())
            value: bool | int | tuple[int, ...]
            wanted = 0 if name in ("made", "failed") else 1 if name == "side" else game.seats
            if name in ("made", "failed"):
                name, value = "made", name == "made"
            elif name in ("points", "tricks", "scores", "side"):
                value = values[0] if name == "side" and values else values
            else:
                raise wrong(
                    section.number, f"unknown word {excerpt(word)}: a result has points, tricks, scores, side, made"
                )
            if not wanted and values:
                raise wrong(section.number, f"{word} {excerpt(numbers.strip())}: no number follows")
            if len(values) != wanted:
                raise wrong(section.number, f"{len(values)} {name} ({shortened(numbers)}): {wanted} are expected")
            if given.get(name, value) != value:
                raise wrong(section.number, f"{name} stands twice with different values")
            given[name] = value
    return WrittenResult(**given) if given else None
