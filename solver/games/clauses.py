"""The text of a contract, split into clauses: ``120 by 0, no trump, pass 9C to 1, 9D to 2``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from solver.model.checks import excerpt
from solver.model.errors import NotationError

__all__ = ["Clause", "Spoken", "read_clauses"]


@dataclass(frozen=True)
class Clause:
    """One part of a contract's text, with its place (from 1)."""

    word: str
    rest: str
    place: int

    def where(self, text: str) -> str:
        """Where it stands in a text, for messages."""
        return f"place {self.place} of {excerpt(text, self.place)}"


class Spoken(NamedTuple):
    """What a game says for a bid instead of a number, and clauses as examples for messages."""

    pattern: re.Pattern[str]
    examples: tuple[str, ...]


_EXAMPLES = (
    "120 by 0", "trump H", "no trump", "call AS", "bury TC 8H", "under 7D", "pass 9C to 1", "alone", "lead 0",
)  # fmt: skip

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


_BID = re.compile(r"\d{1,9}")
_BY = re.compile(r"(.+?)\s+by\s+((?:seat\s+)?\w{1,9})", re.I)


def read_clauses(text: str, game: str, spoken: Spoken | None = None) -> list[Clause]:
    """Split ``120 by 0, no trump, pass 9C to 1, 9D to 2`` into clauses.

    Parameters
    ----------
    text
        The contract.
    game
        Name of the game, for messages.
    spoken
        The game's own words for a bid, as in ``4H by S``; a clause ``"play"``.
    """
    out: list[Clause] = []
    place = 0
    for part in re.split(r"[,;]", text):
        at = place + len(part) - len(part.lstrip()) + 1
        place += len(part) + 1
        part = part.strip()
        if not part:
            continue
        found = _BY.fullmatch(part)
        said, seat = (found[1], found[2]) if found else (part, "")
        bid = _BID.fullmatch(said) is not None
        if bid or (spoken is not None and spoken.pattern.fullmatch(said)):
            out.append(Clause("bid" if bid else "play", said, at))
            if seat:
                out.append(Clause("by", seat, at))
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
            examples = ", ".join(map(repr, _EXAMPLES if spoken is None else spoken.examples))
            raise NotationError(
                f"cannot read {excerpt(part)} at place {at} of the contract {excerpt(text, at)}: "
                f"a clause is like {examples}"
            )
    return out
