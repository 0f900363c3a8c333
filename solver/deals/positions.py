"""Answers for other programs: one JSON line in, one object out (`solver.formats.jsonl`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solver.deals.search import Search
from solver.formats.jsonl import Question, load, read_position
from solver.model.errors import TrickwiseError
from solver.model.play import Position

__all__ = ["answer", "solve_line", "solve_lines"]


def answer(position: Position, question: Question, *, limit: int = 0) -> dict[str, Any]:
    """Answer a question about a position.

    Parameters
    ----------
    position, question
        From `read_position`.
    limit
        Most nodes for one search, 0 for no limit.

    Returns
    -------
    dict
        ``value``: what the side takes from this trick on, with the marriages that it declares from now on; for a
        threshold instead ``makes``: whether it takes at least so much, and ``made``: whether its contract is made. That
        is the same but in a null game (misere), which is made by taking no trick, whatever the threshold; there a
        ``value`` has its ``made``, too. ``cards`` with the same for each legal card when asked; ``nodes``. A search
        that met the limit gives null for ``makes`` and ``made``, and ``low`` and ``high`` instead of ``value``; so does
        one that an interrupt cut short, and then ``stopped`` is true.
    """
    one = Search(position, limit=limit)
    out = one.guarded(position, lambda: _answer(one, position, question))
    return {**out, "nodes": one.nodes, **({"stopped": True} if one.stopped else {})}


def _answer(one: Search, position: Position, question: Question) -> dict[str, Any]:
    """`answer` without the count of nodes."""
    out = _ask(one, position, question.need, 0)
    if question.cards:
        rows = []
        for move in position.legal():
            after = position.play(move)
            gain = after.collected - position.collected
            rows.append({"card": str(move.card), "declare": move.declare, **_ask(one, after, question.need, gain)})
        out["cards"] = rows
    return out


def _ask(one: Search, position: Position, need: int | None, gained: int) -> dict[str, Any]:
    """Answer for one position, `gained` having been taken on the way to it."""

    def reaches(least: int) -> bool | None:
        if gained >= least or position.over:
            return gained >= least
        return one.reaches(position, least - gained)

    misere = position.rules.misere
    if need is not None:
        makes = reaches(need)
        if not misere:
            return {"makes": makes, "made": makes}
        lost = makes if need == 1 else reaches(1)
        return {"makes": makes, "made": None if lost is None else not lost}
    low, high = (0, 0) if position.over else one.value(position)
    low, high = low + gained, high + gained
    found: dict[str, Any] = {"value": low} if low == high else {"low": low, "high": high}
    return found | ({"made": False if low else None if high else True} if misere else {})


def solve_line(text: str | bytes, number: int = 1, *, limit: int = 0) -> dict[str, Any]:
    """Answer one JSON line.

    Parameters
    ----------
    text
        The line.
    number
        Its number in the file, the id of a line that has none.
    limit
        Most nodes for one search, 0 for no limit.

    Returns
    -------
    dict
        ``id`` with the answer, or with ``error``, one line that says what is wrong.
    """
    name: Any = number
    try:
        obj = load(text)
        if obj.get("id") is not None:
            name = obj["id"]
        _, position, question = read_position(obj)
        return {"id": name, **answer(position, question, limit=limit)}
    except TrickwiseError as wrong:
        return {"id": name, "error": str(wrong)}


def solve_lines(lines: Iterable[str | bytes], *, limit: int = 0) -> Iterator[dict[str, Any]]:
    """Answer lines in their order, passing over empty ones; see `solve_line`.

    An interrupt ends it after the line that was being answered.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            found = solve_line(line, number, limit=limit)
            yield found
            if found.get("stopped"):
                raise KeyboardInterrupt
