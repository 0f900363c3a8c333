"""Logs of the skat server ISS, a game a line in the manner of SGF; read only.

::

    (;GM[Skat]ID[77]P0[a]P1[b]P2[c]MV[w CT.C9.….H9 1 p 2 18 0 p 2 s w HA.H9 2 H.S7.D7 0 CT 1 CA …]R[d:2 win …] ;)

``MV`` has pairs, who and what: ``w`` is the world, ``0 1 2`` are forehand, middlehand and rearhand.

=============== ================================================================================================
``w CT.C9.…``   32 cards, suit first: ten of forehand, ten of middlehand, ten of rearhand, the skat
``18 y p s``    a bid, yes, pass, takes the skat; then ``w HA.H9``, the skat
``H.S7.D7``     the game, with the cards laid away: ``D H S C`` suits, ``G`` grand, ``N`` null, and letters after it,
                ``H`` hand, ``O`` open, ``S`` and ``Z`` schneider and schwarz announced; after an open game's letters
                and cards laid away stand the cards shown
``CT``          a card played
``SC``          cards shown, ``RE`` given up, ``TI.1`` time is up, ``LE.1`` seat 1 has left: remarks
=============== ================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.formats.record_text import wrong
from solver.games import Game, game
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Move

__all__ = ["SkatLog", "iss_games", "read_iss"]

_HAND = 10  # cards
_PROPERTY = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\[([^\]]*)\]")
_DECLARED = re.compile(r"([DHSCGN])([HOSZ]*)((?:\.[A-Z0-9]{2,3})*)")
_BID = re.compile(r"[0-9]{2,3}|[yps]")
_CARD = re.compile(r"[CSHD](?:[789QKTJA]|10)")
_ASIDE = re.compile(r"(SC|RE|TI|LE)\b(.*)")
_ASIDES = {"SC": "shows its cards", "RE": "gives up", "TI": "time is up", "LE": "has left"}
_LETTERS = {"H": "hand", "O": "ouvert", "S": "schneider announced", "Z": "schwarz announced"}
_SCHNEIDER, _SCHWARZ = 90, 120


@dataclass(frozen=True)
class SkatLog:
    """A game as the server wrote it down.

    Parameters
    ----------
    deal
        Forehand is seat 0.
    contract
        With the cards laid away; None where no game was declared.
    play
        Cards in the order played, as far as the game went.
    name
        The server's number of the game.
    calls
        The bidding as written, ``1 p``, ``2 18``.
    result
        Words of the result as written.
    line
        Where the game begins, from 1.
    remarks
        What is not in the other fields: hand, ouvert, resigned, ….
    """

    deal: Deal
    contract: Contract | None = None
    play: tuple[Move, ...] = ()
    name: str = ""
    calls: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    line: int = field(default=1, compare=False)
    remarks: tuple[str, ...] = ()


class _Step(NamedTuple):
    """A pair of MV."""

    who: str
    what: str

    def __str__(self) -> str:
        return f"{self.who} {self.what}"


def read_iss(text: str) -> tuple[SkatLog, ...]:
    """Read every game of a log.

    Raises
    ------
    NotationError
        One line: what was read, in which line, and what is expected.
    """
    logs: list[SkatLog] = []
    for log in iss_games(text):
        if isinstance(log, NotationError):
            raise log
        logs.append(log)
    if not logs:
        raise NotationError("no game: a log of the skat server has games like (;GM[Skat]…MV[w CT.C9.… 1 p …]…;)")
    return tuple(logs)


def iss_games(text: str) -> Iterator[SkatLog | NotationError]:
    """Read a log game by game; one that cannot be read is an error in its place, the others are not lost."""
    text = text.removeprefix("\ufeff")
    starts = [match.start() for match in re.finditer(r"\(\s*;", text)]
    line = 1
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        part = text[start:end]
        skipped = part[: len(part) - len(part.lstrip())]
        begin = line + len(re.findall(r"\r\n|\n|\r", skipped))
        line += len(re.findall(r"\r\n|\n|\r", part))
        if not part.strip():
            continue
        try:
            yield _log(part.strip(), begin)
        except TrickwiseError as bad:
            yield wrong(begin, bad)


# ------------------------------------------------------------------ a game


def _log(text: str, line: int) -> SkatLog:
    tags = _tags(text)
    if tags.get("GM", "Skat").strip().lower() != "skat":
        raise NotationError(f"a game of {excerpt(tags['GM'])}: expected GM[Skat]")
    words = tags.get("MV", "").split()
    if len(words) % 2:
        raise NotationError(f"the moves end in {excerpt(words[-1])}: expected pairs, who and what, like 0 CT")
    steps = [_Step(who, what) for who, what in zip(words[::2], words[1::2], strict=True)]
    if stray := next((step for step in steps if step.who not in ("w", "0", "1", "2")), None):
        raise NotationError(f"the move {excerpt(str(stray))}: {excerpt(stray.who)} is none of w, 0, 1, 2")
    if not steps or steps[0].who != "w":
        raise NotationError("a game without a deal: expected MV[w CT.C9.… with 32 cards")
    skat = game("skat")
    deal = _deal(skat, steps[0].what)
    asides = [step for step in steps if _ASIDE.fullmatch(step.what)]
    bidding, declared, rest = _parts(skat, deal, [step for step in steps[1:] if step not in asides])
    calls = [str(step) for step in bidding if step.who != "w"]
    contract, remarks = None, list[str]()
    if declared is not None:
        contract, remarks = _contract(skat, declared, "s" in [s.what for s in bidding if s.who == declared.who])
    elif {call.split()[0] for call in calls if call.endswith(" p")} == {"0", "1", "2"}:
        remarks = ["all have passed"]
    else:
        remarks = ["no game was declared"]
    remarks += map(_aside, asides)
    play = () if contract is None else _play(skat, deal, contract, rest)
    result = tuple(tags.get("R", "").split())
    return SkatLog(deal, contract, play, tags.get("ID", "").strip(), tuple(calls), result, line, tuple(remarks))


def _tags(text: str) -> dict[str, str]:
    """Properties by name."""
    head = re.match(r"\(\s*;", text)
    if head is None:
        raise NotationError(f"cannot read {excerpt(text)}: a game begins with (; like (;GM[Skat]…")
    tags: dict[str, str] = {}
    at = head.end()
    while match := _PROPERTY.match(text, at):
        name = match[1].upper()
        if name in tags:
            raise NotationError(f"{name} stands twice in one game")
        tags[name] = match[2]
        at = match.end()
    if not re.fullmatch(r"\s*;?\s*\)?\s*", text[at:]):
        raise NotationError(f"cannot read {excerpt(text[at:].strip())}: expected a name and a value like ID[7], or ;)")
    return tags


def _cards(skat: Game, text: str) -> list[Card]:
    """Read cards with dots between, suit first."""
    words = text.split(".")
    if bad := next((word for word in words if not _CARD.fullmatch(word)), None):
        raise NotationError(f"cannot read the card {excerpt(bad)}: expected a suit and a rank, like HA")
    return list(skat.deck.read(" ".join(words)))


def _deal(skat: Game, text: str) -> Deal:
    cards = _cards(skat, text.replace("|", "."))
    if len(cards) != len(skat.deck):
        raise NotationError(
            f"read {len(cards)} cards dealt: expected {len(skat.deck)}, three hands of ten and the skat"
        )
    hands = tuple(frozenset(cards[_HAND * seat : _HAND * (seat + 1)]) for seat in range(3))
    return Deal(skat, hands, frozenset(cards[3 * _HAND :]))


def _parts(skat: Game, deal: Deal, steps: list[_Step]) -> tuple[list[_Step], _Step | None, list[_Step]]:
    """The bidding, the declaration of a game, and what follows."""
    for at, step in enumerate(steps):
        if step.who == "w":
            if frozenset(_cards(skat, step.what)) != deal.talon:
                raise NotationError(f"the skat is {step.what}, but {skat.deck.write(deal.talon)} were dealt to it")
        elif not _BID.fullmatch(step.what):
            return steps[:at], step, steps[at + 1 :]
    return steps, None, []


def _contract(skat: Game, step: _Step, took: bool) -> tuple[Contract, list[str]]:
    """Read the declaration of a game."""
    match = _DECLARED.fullmatch(step.what)
    if match is None:
        word = step.what.split(".")[0]
        if word.startswith("R"):
            raise UnsupportedError(f"the game {excerpt(step.what)}: ramsch is not played here")
        raise NotationError(
            f"cannot read the game {excerpt(step.what)}: expected one of D H S C G N, like H.S7.D7 or GH"
        )
    kind, letters = match[1], match[2]
    cards = _cards(skat, match[3][1:]) if match[3] else []
    laid = len(cards) in (2, 2 + _HAND)
    if len(cards) not in (0, 2, _HAND, 2 + _HAND) or laid != took or (took and "H" in letters):
        held = "took" if took else "left"
        raise NotationError(f"the game {excerpt(step.what)} by seat {step.who}, who {held} the skat, has wrong cards")
    if not took and "H" not in letters:
        letters = "H" + letters
    target = None
    if kind != "N":
        schwarz = "Z" in letters or "O" in letters  # an open game announces schwarz, but for null
        target = _SCHWARZ if schwarz else _SCHNEIDER if "S" in letters else None
    contract = Contract(
        declarer=int(step.who),
        target=target,
        trump=None if kind in "GN" else kind,
        bury=tuple(skat.deck.sort(cards[:2])) if laid else (),
        kind={"G": "grand", "N": "null"}.get(kind, ""),
    )
    return skat.contract(contract), [_LETTERS[letter] for letter in "HOSZ" if letter in letters]


def _aside(step: _Step) -> str:
    """Say what a move that is no card tells."""
    match = _ASIDE.fullmatch(step.what)
    assert match is not None
    seat = match[2].strip(".") if match[1] in ("TI", "LE") and step.who == "w" else step.who
    return f"seat {seat or '?'}: {_ASIDES[match[1]]}"


def _play(skat: Game, deal: Deal, contract: Contract, steps: list[_Step]) -> tuple[Move, ...]:
    """Cards in order, each judged by the rules."""
    position = skat.start(deal, contract)
    play: list[Move] = []
    for step in steps:
        card = _cards(skat, step.what)[0]
        where = f"card {len(play) + 1}, {step}"
        if position.over:
            raise NotationError(f"{where}: the deal is over, all cards have been played")
        if step.who != str(position.turn):
            raise NotationError(f"{where}: seat {position.turn} is on turn")
        play.append(Move(card))
        position = position.play(Move(card))
    return tuple(play)
