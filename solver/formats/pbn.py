"""PBN files: bridge boards as ``[Name "value"]`` tags, read tolerantly; `solver.formats.pbn_write` writes them.

::

    [Board "7"]
    [Dealer "S"]
    [Vulnerable "All"]
    [Deal "S:Q.Q87.T9654.8763 J83.AT4.8.KQJ542 AT7654.5.A732.T9 K92.KJ9632.KQJ.A"]
    [Declarer "W"]
    [Contract "3NT"]

A record ends at an empty line, or where a second deal begins; a tag that comes again is passed over, except ``Note``,
of which all are kept. A record without a deal is another result of the deal before it, from which it takes what it
leaves out; at the beginning of a file its tags belong to the first deal, and tags that a record lacks may follow it
after an empty line. Comments, ``{…}`` and from ``;`` to the end of the line, and lines that begin with ``%`` are passed
over, and so is text after a record that is no tag; the value ``#`` is the one of the board before. Lines after a tag,
such as the calls after ``[Auction "N"]``, are kept as they stand. A text without any tag has a deal on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.formats.bytes import decode
from solver.formats.record_text import wrong
from solver.games import game, game_of
from solver.games.bridge import Bridge
from solver.games.bridge_deal import SEATS, read_hands, read_vulnerable, seen_lines, write_hands
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Move

__all__ = ["FIRST", "KNOWN", "Board", "check_bridge", "load_pbn", "pbn_boards", "read_pbn"]

#: Tags that stand before the deal; with the deal they are what other results of it leave out.
FIRST = ("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable")
#: Names that are known in any case.
KNOWN = {name.lower(): name for name in (*FIRST, "Deal", "Declarer", "Contract", "Result", "Auction", "Play", "Note")}

_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]', re.ASCII)
_OPENS = re.compile(r"\[\s*([A-Za-z]\w*)", re.ASCII)
_SEAT = re.compile(r"[NESW]\w*\s*:", re.IGNORECASE)
_HANDS = re.compile(r"[AKQJTSHDC\d.\s–-]+", re.IGNORECASE)
#: Words in a section of cards or calls that are none: footnotes, marks of irregularities.
_ASIDE = re.compile(r"=\d*=|\$\d+|\^.*|\+|[!?]+")


@dataclass(frozen=True)
class Board:
    """A deal with its tags.

    Parameters
    ----------
    deal
        Of bridge, vulnerable as the tag says.
    tags
        Every other tag by name, as written: Board, Dealer, Vulnerable, Declarer, Contract, ….
    sections
        Lines that follow a tag, by its name.
    footnotes
        Values of the tags Note.
    line
        Where it stands in its file (from 1).
    remarks
        What was passed over, for people.
    """

    deal: Deal
    tags: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    footnotes: tuple[str, ...] = ()
    line: int = field(default=1, compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """Its number, or what stands for it; empty where the file says none."""
        return self.tags.get("Board", "").strip()

    @property
    def contract(self) -> Contract | None:
        """What the tags Contract and Declarer say; None where they are absent, unknown, or all passed.

        Raises
        ------
        NotationError
            For a contract or declarer that cannot be read.
        """
        bid, seat = (self.tags.get(name, "").strip() for name in ("Contract", "Declarer"))
        if bid.lower() in ("", "?", "-", "pass") or seat in ("", "?", "-"):
            return None
        return self.deal.game.contract(f"{bid} by {seat.removeprefix('^')}")

    @property
    def play(self) -> tuple[Move, ...]:
        """Cards of the section Play in the order in which they were played; none without a contract.

        A line of the section is a trick, and each of its columns is a seat's, the first that of the seat named.

        Raises
        ------
        NotationError
            For a card that cannot be read, and for one that is missing though others were played after it.
        """
        contract, words = self.contract, self.words("Play")
        if contract is None or not words:
            return ()
        deck, rules = self.deal.game.deck, self.deal.game.trick_rules(contract)
        leads = self.deal.game.seat_of(self.tags["Play"].removeprefix("^"))
        first = leader = contract.leader if leads is None else leads
        out: list[Move] = []
        for at in range(0, len(words), 4):
            row = {(first + i) % 4: word for i, word in enumerate(words[at : at + 4]) if word not in "-–"}
            trick: list[Card] = []
            while (leader + len(trick)) % 4 in row and len(trick) < 4:
                trick.append(deck.card(row.pop((leader + len(trick)) % 4)))
            out += map(Move, trick)
            if row or (len(trick) < 4 and any(word not in "-–" for word in words[at + 4 :])):
                raise NotationError(
                    f"trick {at // 4 + 1} of the play, {excerpt(' '.join(words[at : at + 4]))}, has no card of "
                    f"{SEATS[(leader + len(trick)) % 4]}, who is on turn, but cards after it"
                )
            if len(trick) < 4:
                break
            best = 0
            for i, card in enumerate(trick):
                best = i if i and rules.beats(card, trick[best], contract.trump) else best
            leader = (leader + best) % 4
        return tuple(out)

    @property
    def taken(self) -> int | None:
        """Tricks of the declarer's side by the tag Result, ``9`` or ``NS 9``; None where it does not say."""
        contract, value = self.contract, self.tags.get("Result", "").upper().strip(" ^")
        if contract is None or contract.declarer is None:
            return None
        own, other = ("NS", "EW")[:: 1 - 2 * (contract.declarer % 2)]
        by_side = {side: int(tricks) for side, tricks in re.findall(r"(NS|EW)\s*(\d{1,2})", value)}
        if other in by_side:
            by_side.setdefault(own, len(self.deal.hands[0]) - by_side[other])
        return int(value) if re.fullmatch(r"\d{1,2}", value, re.ASCII) else by_side.get(own)

    def words(self, name: str) -> list[str]:
        """Words of a section up to ``*``, which ends it, without marks."""
        words = " ".join(self.sections.get(name, ())).split()
        words = words[: words.index("*")] if "*" in words else words
        return [word.rstrip("!?") for word in words if not _ASIDE.fullmatch(word)]


def check_bridge(board: Board, notation: str) -> None:
    """Raise UnsupportedError for a board of another game than bridge, which the notation is not for."""
    played = game_of(board.deal)
    if not isinstance(played, Bridge):
        raise UnsupportedError(f"{notation} is for deals of bridge, not of {played.name}")


class _Tag(NamedTuple):
    """A tag, the line where it stands (from 1), and the lines that follow it."""

    name: str
    value: str
    line: int
    after: tuple[str, ...] = ()


class _Group:
    """Tags between two empty lines, and what stood there that is no tag."""

    def __init__(self, line: int = 1) -> None:
        self.tags: list[_Tag] = []
        self.line = line
        self.stray: list[tuple[int, str]] = []  # lines that are no tags
        self.bad: list[tuple[int, NotationError]] = []  # before which tag, and what is wrong there

    def spoil(self, line: int, message: str) -> None:
        """Note what is wrong in a line."""
        self.bad.append((len(self.tags), wrong(line, message)))


def load_pbn(raw: bytes) -> tuple[Board, ...]:
    """Read the bytes of a PBN file: by its byte-order mark, else UTF-8, else Latin 1, which the format prescribes."""
    return read_pbn(decode(raw))


def read_pbn(text: str) -> tuple[Board, ...]:
    """Read every board of a PBN text.

    Raises
    ------
    NotationError
        One line: what was read, in which line, and what is expected.
    """
    boards = []
    for board in pbn_boards(text):
        if isinstance(board, NotationError):
            raise board
        boards.append(board)
    if not boards:
        raise NotationError('no deal: a PBN file has tags like [Deal "N:AKQ.J98.T72.6543 …"]')
    return tuple(boards)


def pbn_boards(text: str) -> Iterator[Board | NotationError]:
    """Boards of a PBN text, and in the place of each that cannot be read an error.

    Raises
    ------
    NotationError
        For what spoils the whole file: a comment that never ends, a text that is no PBN.
    """
    before: Board | None = None
    for record in _records(_groups(text)):
        if record.bad:
            yield record.bad[0][1]
            continue
        if not record.tags:  # a text before the first board
            continue
        tags = {tag.name: tag for tag in reversed(record.tags) if tag.name != "Note"}  # the first of each
        if "Deal" not in tags:
            yield wrong(record.tags[0].line, f"the board that begins with [{record.tags[0].name} …] has no [Deal …]")
            continue
        at = tags["Deal"].line
        last = {"Deal": write_hands(before.deal.hands), **before.tags} if before is not None else {}
        values = {t.name: last.get(t.name, "") if t.value == "#" else t.value for t in reversed(tags.values())}
        deal = values.pop("Deal")
        sections = {t.name: t.after for t in record.tags if t.after and tags.get(t.name) == t}
        footnotes = tuple(tag.value for tag in record.tags if tag.name == "Note")
        again = [t for t in record.tags if t.name != "Note" and tags[t.name] is not t and t.value != tags[t.name].value]
        remarks = tuple(f"line {t.line}: a second [{t.name} …] was passed over" for t in again)
        if record.stray:
            number, line = record.stray[0]
            more = f" and {len(record.stray) - 1} more such lines" if len(record.stray) > 1 else ""
            remarks += (f"line {number}: {excerpt(line)}{more}, no tags, passed over",)
        try:
            before = Board(_deal(deal, values.get("Vulnerable", "")), values, sections, footnotes, record.line, remarks)
        except TrickwiseError as bad:
            yield wrong(at, bad)
        else:
            yield before


def _deal(text: str, vulnerable: str) -> Deal:
    one = game("bridge", vulnerable=read_vulnerable(vulnerable))
    return one.read(" | ".join(one.deck.write(hand) for hand in read_hands(text)))


def _groups(text: str) -> Iterator[_Group]:
    """Tags between empty lines; in a text without tags deals, which may go on in the next line."""
    group = _Group()
    tagged = bool(_TAG.search(text))
    for number, line in seen_lines(text):
        begins = not tagged and _SEAT.match(line or "")
        goes_on = not tagged and group.tags and _HANDS.fullmatch(line or "")
        if line is None or begins or not (tagged or goes_on):
            if group.tags or group.bad or group.stray:
                yield group
            group = _Group(number)
        if line is None:
            continue
        found = list(_TAG.finditer(line))
        rest = _TAG.sub("", line).strip()
        opens = _OPENS.match(line)
        if begins:
            group.tags.append(_Tag("Deal", line, number))
        elif goes_on:
            group.tags[-1] = group.tags[-1]._replace(value=f"{group.tags[-1].value} {line}")
        elif tagged and not line.startswith("["):
            if group.tags:
                tag = group.tags[-1]
                group.tags[-1] = tag._replace(after=(*tag.after, line))
            else:
                group.stray.append((number, line))
        else:
            if rest and found and not found[0].start():
                group.spoil(number, f"cannot read {excerpt(rest)} after a tag: a line holds tags and nothing else")
            elif rest:
                group.spoil(number, f'cannot read {excerpt(line)}: expected a tag, like [Deal "N:AKQ.J98.T72.6543 …"]')
            # What a bad line is named for says to which board it belongs.
            pairs = [(tag[1], re.sub(r"\\(.)", r"\1", tag[2])) for tag in found]
            for name, value in pairs or ([(opens[1], line)] if opens else []):
                group.line = number if not group.tags else group.line
                group.tags.append(_Tag(KNOWN.get(name.lower(), name), value, number))
    if group.tags or group.bad or group.stray:
        yield group


def _split(group: _Group) -> Iterator[_Group]:
    """Cut a group where a second deal begins: at the tag before it that comes again first, else at the deal.

    A tag that comes again but stands after a deal in every board, such as Declarer, begins none.
    """
    cuts, again, begin = [0], None, 0
    for at, tag in enumerate(group.tags):
        names = {t.name for t in group.tags[begin:at]}
        if tag.name == "Deal" and "Deal" in names:
            begin, again = at if again is None else again, None
            cuts.append(begin)
        elif tag.name in names and tag.name in FIRST and again is None:
            again = at
    for first, end in zip(cuts, [*cuts[1:], len(group.tags) + 1], strict=True):
        part = _Group(group.tags[first].line if group.tags else group.line)
        part.tags = group.tags[first:end]
        part.bad = [(at, bad) for at, bad in group.bad if first <= at < end]
        part.stray = group.stray if end > len(group.tags) else []
        yield part


def _records(groups: Iterable[_Group]) -> Iterator[_Group]:
    """Records with all their tags: what stands apart joined, what is left out taken from the record before."""
    waiting: _Group | None = None

    def names(group: _Group) -> set[str]:
        return {tag.name for tag in group.tags}

    for group in (part for whole in groups for part in _split(whole)):
        if waiting is None or waiting.bad or group.bad:
            if waiting is not None:
                yield waiting
            waiting = group
        elif not group.tags:
            waiting.stray += group.stray
        elif "Deal" in names(group) and "Deal" in names(waiting):
            yield waiting
            waiting = group
        elif not names(waiting) & names(group) or "Deal" not in names(waiting):
            waiting.tags += group.tags
            waiting.stray += group.stray
        else:
            yield waiting
            waiting = _another_result(waiting, group)
    if waiting is not None:
        yield waiting


def _another_result(before: _Group, group: _Group) -> _Group:
    """A record without a deal of its own, with what it leaves out; one of another board is bad."""
    numbers = [tag.value for g in (before, group) for tag in g.tags if tag.name == "Board"]
    if any(tag.name == "Board" for tag in group.tags) and len(set(numbers)) > 1:
        tag = group.tags[0]
        group.spoil(tag.line, f"the board that begins with [{tag.name} …] has no [Deal …]")
        return group
    own = {tag.name for tag in group.tags}
    group.tags += [tag for tag in before.tags if tag.name in (*FIRST, "Deal") and tag.name not in own]
    return group
