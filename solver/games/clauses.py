"""The text of a contract, split into clauses: ``120 by 0, no trump, pass 9C to 1, 9D to 2``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.model.errors import NotationError

__all__ = ["Clause", "read_clauses"]


@dataclass(frozen=True)
class Clause:
    """One part of a contract's text, with its place (from 1)."""

    word: str
    rest: str
    place: int


#: Words that begin a clause of a contract, and the one that stands for them.
_WORDS = {
    "trump": "trump", "trumps": "trump", "call": "call", "calls": "call", "called": "call", "bury": "bury",
    "buries": "bury", "buried": "bury", "under": "under", "pass": "pass", "passes": "pass", "lead": "lead",
    "leader": "lead", "leads": "lead", "picker": "by", "by": "by", "declarer": "by", "alone": "alone", "side": "side",
    "leaster": "leaster", "moster": "moster", "mittler": "mittler", "schneidster": "schneidster",
    "schwanzer": "schwanzer", "doubler": "doubler", "crack": "crack", "recrack": "recrack", "re-crack": "recrack",
    "blitz": "blitz",
    "take": "take", "takes": "take", "taken": "take", "surrender": "surrender", "surrenders": "surrender",
}  # fmt: skip


def read_clauses(text: str, game: str) -> list[Clause]:
    """Split ``120 by 0, no trump, pass 9C to 1, 9D to 2`` into clauses."""
    out: list[Clause] = []
    place = 0
    for part in re.split(r"[,;]", text):
        at = place + len(part) - len(part.lstrip()) + 1
        place += len(part) + 1
        part = part.strip()
        if not part:
            continue
        if found := re.fullmatch(r"(\d{1,9})(?:\s+by\s+(?:seat\s+)?(\d{1,9}))?", part, re.I):
            out.append(Clause("bid", found[1], at))
            if found[2]:
                out.append(Clause("by", found[2], at))
            continue
        if re.fullmatch(r"no[\s-]?trumps?", part, re.I):
            out.append(Clause("trump", "", at))
            continue
        word, _, rest = part.partition(" ")
        known = _WORDS.get(word.lower())
        if known is not None:
            out.append(Clause(known, rest.strip(), at))
        elif out and out[-1].word in ("pass", "call", "bury", "take", "side"):
            out.append(Clause(out[-1].word, part, at))
        else:
            raise NotationError(
                f"cannot read {part!r} at place {at} of the contract {text[:80]!r}: a clause is like "
                f"'120 by 0', 'trump H', 'no trump', 'call AS', 'bury TC 8H', 'under 7D', 'pass 9C to 1', 'alone', "
                f"'lead 0'"
            )
    return out
