"""Answers for other programs: one JSON line in, one object out (`solver.formats.jsonl`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solver.analysis.doubledummy import Search
from solver.formats.jsonl import Question, load, read_position
from solver.model.errors import NotationError, TrickwiseError
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
        ``makes`` for a threshold, else ``value``: what the side takes from this trick on, with the marriages that it
        declares from now on; ``cards`` with the same for each legal card when asked; ``nodes``. A search that met the
        limit gives null for ``makes``, and ``low`` and ``high`` instead of ``value``; so does one that an interrupt cut
        short, and then ``stopped`` is true.
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
    if position.over:
        return {"value": gained} if need is None else {"makes": gained >= need}
    if need is not None:
        return {"makes": True if gained >= need else one.reaches(position, need - gained)}
    low, high = one.value(position)
    return {"value": gained + low} if low == high else {"low": gained + low, "high": gained + high}


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
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8-sig")
            except UnicodeDecodeError as wrong:
                raise NotationError(f"not UTF-8 text: byte {wrong.start + 1} of the line") from None
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
