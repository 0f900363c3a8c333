"""RBN, Richard's Bridge Notation: boards as lines that begin with a letter, with an empty line after each; read only.

::

    D 19980131
    B 15:C
    H N:AKQ2.J98.T72.654:J43.AKQ2.J98.T72:T98.T76.AKQ3.J98:
    A NB:1C^1P1NA
    1 two cards or more
    C 1N:S
    P CA428:CK579:CQ6TJ
    R 7:90

====== =========================================================================================================
``B``  board, after a colon another number or the section
``H``  first seat, then hands clockwise; one may be left out, it is what is left
``A``  dealer and vulnerability (``Z`` none, ``N``, ``E``, ``B`` both, ``?``), then calls: ``P X R``, ``A`` all pass
``C``  contract and declarer
``P``  tricks with colons between; a card without a suit letter is of the suit led
``R``  the declarer's tricks, then the score
``N``  players, North+South:West+East, and the room (``O``, ``C``) or table
====== =========================================================================================================

``D E F L`` are the tags Date, Event, Scoring and Site; other letters, and what a line says beyond its tags, stay as
they stand in tags like ``RBN_T``, notes in ``RBN_A1`` and ``RBN_P1``. A record that leaves out any of
``D T L E S F K N B H`` has it from the record before. Text in braces and lines that begin with ``%`` are passed over.
A line may hold the hands alone, ``N:AKQ2.J98.T72.654:J43…``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from solver.formats.bridge_course import (
    VULNERABLE,
    Call,
    CardPlayed,
    Final,
    auction_section,
    check_played,
    final_contract,
    first_raised,
    passes_left,
    play_section,
    read_calls,
    read_suit,
    whole_deal,
)
from solver.formats.pbn import Board
from solver.formats.record_text import wrong
from solver.games.bridge_deal import SEATS, SUITS
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError

__all__ = ["rbn_boards", "read_rbn"]

_VULNERABLE = {"Z": "none", "N": "ns", "E": "ew", "B": "all", "?": "none"}
_NAMES = {"E": "Event", "F": "Scoring", "L": "Site"}
_ROOMS = {"O": "Open", "C": "Closed"}
#: Letters that a record without them has from the record before, and those that make it a board of its own.
_KEPT = "DTLESFKNBH"
_COURSE = "ACPR"

_LINE = re.compile(r"([A-Z0-9])(?:[ \t]+(.*))?", re.DOTALL)
_BARE = re.compile(r"[NESW][:;]", re.IGNORECASE)
_START = re.compile(r"([NESW])([ZNEB?]):", re.IGNORECASE)
_CALL = re.compile(r"([1-7](?:NT|[CDHSN])|[PXR])((?:\*|\^[0-9]|[!?])*)", re.IGNORECASE)
_BID = re.compile(r"([1-7])\s*(NT|[CDHSN])\s*(XX|[XRD]?)\s*:?\s*([NESW])(?::([NESW]))?(?::.*)?", re.IGNORECASE)
_CARD = re.compile(r"([CDHS]?)(10|[2-9TJQKA])(?:\*|\^[0-9]|[!?])*", re.IGNORECASE)


@dataclass
class _Record:
    """Lines of a board by letter, each with its number."""

    line: int
    lines: dict[str, tuple[str, int]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    bad: NotationError | None = None


def read_rbn(text: str) -> tuple[Board, ...]:
    """Read every board of an RBN text.

    Raises
    ------
    NotationError
        One line: what was read, in which line, and what is expected.
    """
    return first_raised(rbn_boards(text), "no deal: an RBN text has lines like H N:AKQ2.J98.T72.654:J43…")


def rbn_boards(text: str) -> Iterator[Board | NotationError]:
    """Read an RBN text board by board; one that cannot be read is an error in its place, the others are not lost."""
    kept: dict[str, tuple[str, int]] = {}
    for record in _records(text):
        own = set(record.lines)
        other = "B" in own and record.lines["B"][0] != kept.get("B", ("", 0))[0]
        if other and "H" not in own:
            kept.pop("H", None)  # another board is not dealt the cards of the board before
        record.lines = {**kept, **record.lines}
        kept = {letter: value for letter, value in record.lines.items() if letter in _KEPT}
        if record.bad is None and not own & {*"BH", *_COURSE}:
            continue
        try:
            if record.bad is not None:
                raise record.bad
            yield _board(record)
        except NotationError as bad:
            yield bad


# ------------------------------------------------------------------ lines


def _records(text: str) -> Iterator[_Record]:
    """Lines gathered by board."""
    record: _Record | None = None
    brace = 0  # line of an open brace
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1):
        line = raw.strip()
        if brace and not line:
            record = record or _Record(brace)
            record.bad = record.bad or _open(brace)
            brace = 0
        if brace or line.startswith("{"):
            brace = 0 if line.endswith("}") else brace or number
            continue
        if line.startswith("%"):
            continue
        bare = _BARE.match(line)
        if record is not None and (not line or _begins_another(record, "H" if bare else line[:1])):
            yield record
            record = None
        if not line:
            continue
        record = record or _Record(number)
        match = _LINE.fullmatch(line)
        if bare is not None:
            record.lines["H"] = (line, number)
        elif match is None:
            record.bad = record.bad or wrong(
                number, f"cannot read {excerpt(line)}: a line has a letter, a space and what it tells, like B 7"
            )
        else:
            _put(record, match[1], (match[2] or "").strip(), number)
    if brace:
        record = record or _Record(brace)
        record.bad = record.bad or _open(brace)
    if record is not None:
        yield record


def _open(line: int) -> NotationError:
    return wrong(line, "the text that begins with { here has no }")


def _begins_another(record: _Record, letter: str) -> bool:
    """Whether a line of hands, or a board's number, belongs to the next record."""
    return letter in ("B", "H") and (letter in record.lines or not record.lines.keys().isdisjoint(_COURSE))


def _put(record: _Record, letter: str, value: str, number: int) -> None:
    if letter.isdigit():  # notes are of the play from P on
        name = f"{'P' if 'P' in record.lines else 'A'}{letter}"
        record.notes[name] = f"{record.notes[name]} {value}" if name in record.notes else value
        return
    if letter in record.lines:
        joint = ":" if letter == "P" else " "
        value, number = f"{record.lines[letter][0]}{joint}{value}", record.lines[letter][1]
    record.lines[letter] = (value, number)


# ------------------------------------------------------------------ a board


def _board(record: _Record) -> Board:
    lines = record.lines
    if "H" not in lines:
        raise wrong(record.line, "a board without hands: expected a line like H N:AKQ2.J98.T72.654:J43…")
    tags: dict[str, str] = {}
    for letter, (value, _) in lines.items():
        plain, rest = _tags(letter, value)
        tags |= plain
        if rest:
            tags[f"RBN_{letter}"] = value
    tags |= {f"RBN_{name}": value for name, value in record.notes.items()}
    dealer: int | None = None
    vulnerable, calls = "none", ""
    if "A" in lines:
        calls, number = lines["A"]
        if match := _START.match(calls):
            dealer = "NESW".index(match[1].upper())
            vulnerable = _VULNERABLE[match[2].upper()]
            tags["Dealer"] = SEATS[dealer][0]
            tags["Vulnerable"] = "?" if match[2] == "?" else VULNERABLE[vulnerable]
            calls = calls[match.end() :]
        elif re.match(r"[^:]*[A-Za-z?]{2}:", calls) and not _CALL.match(calls):
            raise wrong(
                number, f"cannot read {excerpt(calls)}: expected dealer and vulnerability first, like NZ:1CP1HA"
            )
        else:
            dealer = SEATS.index("West")  # what the notation prescribes where the dealer is left out
            tags["Dealer"] = "W"
    try:
        deal = _deal(lines["H"][0], vulnerable)
    except TrickwiseError as bad:
        raise wrong(lines["H"][1], bad) from None
    return _played(record, Board(deal, tags), dealer, calls)


def _tags(letter: str, value: str) -> tuple[dict[str, str], bool]:
    """Tags that a line is told in, and whether it says more."""
    if letter in _NAMES:
        return {_NAMES[letter]: value}, False
    if letter == "B":
        number, colon, _ = value.partition(":")
        return {"Board": number.strip()}, bool(colon)
    if letter == "D":
        date = re.fullmatch(r"(\d{4})(\d\d|\?\?)?(\d\d|\?\?)?", value, re.ASCII)
        return ({"Date": ".".join(part or "??" for part in date.groups())}, False) if date else ({}, True)
    if letter == "N":
        pairs = value.split(":")
        names: dict[str, str] = {}
        for seats, pair in zip((("North", "South"), ("West", "East")), pairs, strict=False):
            names |= {s: n.strip() for s, n in zip(seats, pair.split("+"), strict=False) if n.strip()}
        room = pairs[2].strip().upper() if len(pairs) > 2 else ""
        if room:
            names |= {"Room": _ROOMS[room]} if room in _ROOMS else {"Table": room}
        return names, len(pairs) > 3 or any(pair.count("+") > 1 for pair in pairs[:2])
    if letter == "R":
        tricks = re.match(r"(\d{1,2})\s*(:|$)", value, re.ASCII)
        result = {"Result": str(int(tricks[1]))} if tricks and int(tricks[1]) <= 13 else {}
        return result, not result or bool(tricks and tricks[2])
    if letter == "C":
        return {}, value.count(":") > 1
    return {}, letter != "H" and (letter not in "AP" or bool(re.search(r"[*^!?;]", value)))


def _deal(text: str, vulnerable: str) -> Deal:
    first = text.strip()[:1].upper()
    words = [word.strip() for word in re.split("[:;]", text.strip())]
    if first not in tuple("NESW") or words[0].upper() != first:
        raise NotationError(f"cannot read the hands {excerpt(text)}: they begin with a seat and a colon, like N:AKQ2.…")
    words = words[1:] + [""] * (4 - len(words[1:]))
    if len(words) > 4:
        raise NotationError(f"read {len(words)} hands in {excerpt(text)}: expected four, with colons between")
    hands: list[list[Card]] = [[] for _ in SEATS]
    for place, word in enumerate(words):
        suits = word.split(".")
        if len(suits) > 4:
            raise NotationError(f"{len(suits)} suits in the hand {excerpt(word)}: spades, hearts, diamonds and clubs")
        seat = ("NESW".index(first) + place) % 4
        hands[seat] = [card for suit, ranks in zip(SUITS, suits, strict=False) for card in read_suit(suit, ranks)]
    return whole_deal(hands, vulnerable)


# ------------------------------------------------------------------ its course


def _calls(text: str, number: int) -> list[Call]:
    """Calls between rounds' colons; ``A`` is all passes that are left."""
    calls: list[Call] = []
    at = 0
    while at < len(text):
        if text[at] in ": \t":
            at += 1
            continue
        if text[at] in "Aa" and not text[at + 1 :].strip():
            return calls + passes_left(calls, number)
        if text[at] in "Yy" and not text[at + 1 :].strip():  # "your call": a question, the calls end here
            return calls
        match = _CALL.match(text, at)
        if match is None:
            raise wrong(
                number, f"cannot read the call {excerpt(text[at:])}: expected a bid like 1C or 3N, P, X, R or A"
            )
        calls += read_calls(match[1], number)
        at = match.end()
    return calls


def _cards(text: str, number: int) -> list[CardPlayed]:
    """Cards of tricks; the suit led is left out."""
    cards: list[CardPlayed] = []
    for trick in re.split("[:;]", text):
        led, at = "", 0
        trick = trick.strip()
        while at < len(trick):
            match = _CARD.match(trick, at)
            suit = "" if match is None else match[1].upper() or led
            if match is None or not suit:
                raise wrong(number, f"cannot read {excerpt(trick[at:])} of the trick {excerpt(trick)}: expected a card")
            rank = match[2].upper().replace("10", "T")
            cards.append(CardPlayed(Card(rank + suit), number))
            led = led or suit
            at = match.end()
    return cards


def _final(record: _Record, final: Final, played: bool) -> tuple[Final | None, int | None]:
    """The contract, of the calls or as told, and who leads where that is not left of the declarer."""
    by_calls = final if final.over or (final.declarer is not None and played) else None
    value, number = record.lines.get("C", ("", 0))
    if value in ("", "?"):
        return by_calls, None
    leader: int | None = None
    if re.match(r"p(ass(ed)?(\s*out)?)?\s*(:|$)", value, re.IGNORECASE):
        contract = Final("Pass", None, True)
    else:
        match = _BID.fullmatch(value)
        if match is None:
            raise wrong(number, f"cannot read the contract {excerpt(value)}: expected one like 4S:S or 3NX:W, or Pass")
        level, strain, doubled, seat, lead = (part.upper() if part else "" for part in match.groups())
        times = {"": "", "X": "X", "D": "X"}.get(doubled, "XX")
        contract = Final(f"{level}{'NT' if strain[0] == 'N' else strain}{times}", "NESW".index(seat), True)
        leader = "NESW".index(lead) if lead else None
    if final.over and contract != final:
        end = final.contract if final.declarer is None else f"{final.contract} by {SEATS[final.declarer]}"
        raise wrong(number, f"the contract {excerpt(value)} is not what the calls end in, {end}")
    return contract, leader


def _played(record: _Record, board: Board, dealer: int | None, written: str) -> Board:
    """The board with what was called and played."""
    lines, tags, sections = record.lines, dict(board.tags), dict(board.sections)
    calls = _calls(written, lines.get("A", ("", 0))[1])
    cards = _cards(*lines["P"]) if "P" in lines else []
    final = Final("Pass", None, False)
    if calls and dealer is not None:
        final = final_contract(dealer, calls)
        tags["Auction"], sections["Auction"] = auction_section(dealer, calls)
    ended, leader = _final(record, final, bool(cards))
    if ended is not None:
        tags["Contract"] = ended.contract
        if ended.declarer is not None:
            tags["Declarer"] = SEATS[ended.declarer][0]
        elif cards:
            raise wrong(cards[0].line, f"{cards[0].card} is played after all have passed")
    if cards:
        contract = Board(board.deal, tags).contract
        if contract is not None and leader is not None:
            contract = replace(contract, leader=leader)
        check_played(board.deal, contract, cards)
        tags["Play"], sections["Play"] = play_section(board.deal, cards)
    return Board(board.deal, tags, sections)
