"""LIN: boards of bridge servers and their shows, as commands between bars; read tolerantly, written in one form.

::

    pn|south,west,north,east|md|3SAKQJH98DT6CAKT87,ST9H32DKQ9874CQJ2,S8732HAKQ4D53C965,|ah|Board 1|sv|o|
    mb|1C|mb|p|mb|1N!|an|15-17|mb|p|mb|p|mb|p|pc|DK|pc|D3|pc|D2|pc|D6|mc|9|

========  =======================================================================================================
``pn``    players, South, West, North, East; in a file with two rooms four of the open and four of the closed room
``qx``    a board of a file begins: ``o7`` in the open room, ``c7`` in the closed, which may leave out what it shares
``md``    dealer (1 South, 2 West, 3 North, 4 East) and hands, South, West, North, East; one may be left out
``ah``    ``Board 7``
``sv``    vulnerable: ``o`` or ``0`` none, ``n`` North-South, ``e`` East-West, ``b`` both
``mb``    a call, ``!`` where it was alerted; ``an`` explains it
``pc``    a card
``mc``    the declarer's tricks, where the rest was claimed
========  =======================================================================================================

Other commands are passed over. A board also begins where one of ``pn md ah sv`` stands that the board has already, or
comes after calls and cards. The text may be a link to a board (``…?lin=…``) or the percent-encoded value of one. An
alert of the third call is the tag ``Alert3``, its value the explanation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from solver.formats.bridge_course import (
    VULNERABLE,
    Call,
    CardPlayed,
    auction_section,
    calls_of,
    check_played,
    final_contract,
    first_raised,
    play_section,
    read_calls,
    read_suit,
    whole_deal,
)
from solver.formats.pbn import Board, check_bridge
from solver.formats.record_text import wrong
from solver.games.bridge_deal import RANKS, SEATS, SUITS
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError

__all__ = ["left_out", "lin_boards", "read_lin", "write_lin"]

#: Seats in LIN's order, as numbers from North.
_ORDER = (2, 3, 0, 1)
_VULNERABLE = {"": "none", "o": "none", "0": "none", "-": "none", "n": "ns", "e": "ew", "b": "all"}
_ROOMS = {"o": "Open", "c": "Closed"}

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]")
_LINK = re.compile(r"[?&]lin=([^&#\s]*)", re.IGNORECASE)
_HAND = re.compile(r"[SHDC](?:10|[^SHDC])*", re.IGNORECASE)
_STRAY, _STRAY_LINE = "", "?"  # text that is no command, within a board or on a line of its own
_ALERT = re.compile(r"Alert[0-9]+")
_HEADS = ("pn", "md", "ah", "sv")


class _Command(NamedTuple):
    """A command, its value, and its line; two keys stand for what cannot be read."""

    key: str
    value: str
    line: int


@dataclass
class _Group:
    """Commands of one board."""

    line: int
    room: str = ""
    heads: dict[str, _Command] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    alerts: dict[int, str] = field(default_factory=dict)
    cards: list[_Command] = field(default_factory=list)
    claim: _Command | None = None
    bad: NotationError | None = None

    @property
    def begun(self) -> bool:
        """Whether anything was called or played."""
        return bool(self.calls or self.cards or self.claim)


def read_lin(text: str) -> tuple[Board, ...]:
    """Read every board of a LIN text.

    Raises
    ------
    NotationError
        One line: what was read, in which line, and what is expected.
    """
    return first_raised(lin_boards(text), "no deal: a LIN text has commands like md|3SAKQJH98DT6CAKT87,…|")


def lin_boards(text: str) -> Iterator[Board | NotationError]:
    """Read a LIN text board by board; one that cannot be read is an error in its place, the others are not lost."""
    players: _Command | None = None
    rooms: dict[str, dict[str, _Command]] = {}  # what the rooms share, by the board's number
    for group in _groups(text):
        if "md" not in group.heads and not group.room and not group.begun and group.bad is None:
            players = group.heads.get("pn", players)
            continue
        number = group.room[1:]
        shared = rooms.get(number, {}) if number else {}
        group.heads = {**({"pn": players} if players else {}), **shared, **group.heads}
        rooms[number] = {key: group.heads[key] for key in ("md", "ah", "sv") if key in group.heads}
        try:
            if group.bad is not None:
                raise group.bad
            yield _board(group)
        except NotationError as bad:
            yield bad


# ------------------------------------------------------------------ commands


def _plain(line: str) -> str:
    """A line without percent-encoding, where it is a link or the value of one."""
    link = _LINK.search(line)
    if link is not None or "%7c" in line.lower():
        return " ".join(unquote(link[1] if link is not None else line).splitlines())
    return line


def _commands(text: str) -> Iterator[_Command]:
    """Commands by line (from 1); a value runs on to its bar, but not into a line that begins with a command."""
    last: _Command | None = None  # its value has no bar yet
    for number, line in enumerate(map(_plain, re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))), 1):
        parts = line.split("|")
        begins = len(parts) > 1 and _KEY.fullmatch(parts[0].strip())
        if last is not None and not begins:
            last = last._replace(value=f"{last.value}\n{parts.pop(0)}")
            if not parts:
                continue
        elif not begins and line.strip():
            yield _Command(_STRAY_LINE, line.strip(), number)
            continue
        if last is not None:
            yield last
            last = None
        for at in range(0, len(parts), 2):
            key = parts[at].strip()
            if at + 1 == len(parts) and not key:
                break
            if at + 1 == len(parts) or not _KEY.fullmatch(key):
                yield _Command(_STRAY, "|".join(parts[at:]).strip(), number)
                break
            command = _Command(key.lower(), parts[at + 1], number)
            if at + 2 < len(parts):
                yield command
            else:
                last = command
    if last is not None:
        yield last


def _groups(text: str) -> Iterator[_Group]:
    """Commands gathered by board."""
    group: _Group | None = None
    for command in _commands(text):
        alone = command.key == _STRAY_LINE
        again = group is not None and command.key in _HEADS and (command.key in group.heads or group.begun)
        if group is None or command.key == "qx" or again or alone:
            if group is not None:
                yield group
            group = _Group(command.line)
        try:
            _put(group, command)
        except NotationError as bad:
            group.bad = group.bad or bad
        if alone:
            yield group
            group = None
    if group is not None:
        yield group


def _put(group: _Group, command: _Command) -> None:
    """Put a command into its board."""
    key, value, line = command.key, command.value.strip(), command.line
    if key in (_STRAY, _STRAY_LINE):
        raise wrong(line, f"cannot read {excerpt(value)}: a command has two letters and a value, like mb|1C|")
    if key == "qx":
        group.room = value.lower()
    elif key in _HEADS:
        group.heads[key] = command._replace(value=value)
    elif key == "mb":
        word = "".join(value.split()).rstrip("*")
        group.calls += read_calls(word.rstrip("!"), line)
        if word.endswith("!"):
            group.alerts[len(group.calls)] = ""
    elif key == "an":
        if not group.calls:
            raise wrong(line, f"the explanation {excerpt(value)} follows no call")
        group.alerts[len(group.calls)] = " ".join(value.split())
    elif key == "pc":
        group.cards.append(command)
    elif key == "mc":
        group.claim = command._replace(value=value)


# ------------------------------------------------------------------ a board


def _board(group: _Group) -> Board:
    heads = group.heads
    if "md" not in heads:
        raise wrong(group.line, "a board without a deal: expected md|3SAKQJH98DT6CAKT87,…|")
    tags: dict[str, str] = {}
    kind, number = group.room[:1], group.room[1:]
    if "ah" in heads:
        number = re.sub(r"^board\b", "", heads["ah"].value, flags=re.IGNORECASE).strip()
    if number:
        tags["Board"] = number
    if kind in _ROOMS:
        tags["Room"] = _ROOMS[kind]
    if "pn" in heads:
        names = [name.strip() for name in heads["pn"].value.split(",")]
        names = names[4:] if kind == "c" and len(names) >= 8 else names[:4]
        tags |= {SEATS[seat]: name for seat, name in zip(_ORDER, names, strict=False) if name}
    vulnerable = "none"
    if "sv" in heads:
        letter = heads["sv"].value.lower()
        if letter not in _VULNERABLE:
            raise wrong(heads["sv"].line, f"cannot read {excerpt(letter)} as vulnerable: expected one of o, n, e, b")
        vulnerable = _VULNERABLE[letter]
        tags["Vulnerable"] = VULNERABLE[vulnerable]
    try:
        dealer, deal = _deal(heads["md"].value, vulnerable)
    except TrickwiseError as bad:
        raise wrong(heads["md"].line, bad) from None
    tags["Dealer"] = SEATS[dealer][0]
    return _played(group, Board(deal, tags), dealer)


def _deal(value: str, vulnerable: str) -> tuple[int, Deal]:
    dealer = "1234".find(value[:1]) if value else -1
    if dealer < 0:
        raise NotationError(f"cannot read the dealer in {excerpt(value)}: expected 1 South, 2 West, 3 North or 4 East")
    words = [word.strip() for word in value[1:].split(",")]
    if len(words) > 4:
        raise NotationError(f"read {len(words)} hands in {excerpt(value)}: expected four, with commas between")
    hands: list[list[Card]] = [[] for _ in SEATS]
    for seat, word in zip(_ORDER, words, strict=False):
        suits = _HAND.findall(word)
        if "".join(suits) != word:
            raise NotationError(
                f"cannot read the hand {excerpt(word)}: expected suits and ranks, like SAKQH98DT6CAKT87"
            )
        hands[seat] = [card for suit in suits for card in read_suit(suit[0].upper(), suit[1:])]
    return _ORDER[dealer], whole_deal(hands, vulnerable)


def _played(group: _Group, board: Board, dealer: int) -> Board:
    """The board with what was called and played."""
    tags, sections = dict(board.tags), dict(board.sections)
    final = final_contract(dealer, group.calls)
    deck = board.deal.game.deck
    cards: list[CardPlayed] = []
    for _, value, line in group.cards:
        try:
            cards += [CardPlayed(card, line) for card in deck.read(value)]
        except TrickwiseError as bad:
            raise wrong(line, bad) from None
    if group.calls:
        tags["Auction"], sections["Auction"] = auction_section(dealer, group.calls)
        tags |= {f"Alert{number}": meaning for number, meaning in group.alerts.items()}
    decided = final.over or (final.declarer is not None and (bool(cards) or group.claim is not None))
    if decided:
        tags["Contract"] = final.contract
    if decided and final.declarer is not None:
        tags["Declarer"] = SEATS[final.declarer][0]
    if cards:
        if decided and final.declarer is None:
            raise wrong(cards[0].line, f"{cards[0].card} is played after all have passed")
        check_played(board.deal, Board(board.deal, tags).contract, cards)
        tags["Play"], sections["Play"] = play_section(board.deal, cards)
    if group.claim is not None and group.claim.value:
        tricks = group.claim.value
        if not re.fullmatch(r"[0-9]{1,2}", tricks) or int(tricks) > len(board.deal.hands[0]):
            raise wrong(group.claim.line, f"cannot read the claim {excerpt(tricks)}: expected the declarer's tricks")
        tags["Result"] = str(int(tricks))
    return Board(board.deal, tags, sections)


# ------------------------------------------------------------------ writing


def write_lin(boards: Iterable[Board]) -> str:
    """Write boards, one a line; tags that LIN has no command for are left out.

    Raises
    ------
    NotationError
        For a board that LIN cannot hold: without a dealer, or with a bar in a name; and for calls that do not end in
        the board's contract.
    UnsupportedError
        For a deal of another game than bridge.
    """
    boards = tuple(boards)
    for board in boards:
        check_bridge(board, "LIN")
    return "".join("".join(f"{key}|{value}|" for key, value in _written(board)) + "\n" for board in boards)


def left_out(board: Board) -> list[str]:
    """Names of the tags that `write_lin` leaves out of a board; its contract is there only where its calls are."""
    kept = {"Board", "Room", "Dealer", "Vulnerable", *SEATS, "Auction", "Play", "Result"}
    (again,) = read_lin(write_lin([board]))
    kept |= {"Contract", "Declarer"} if again.contract == board.contract else set()
    kept -= {"Result"} if "Result" not in again.tags else set()
    told = [name for name, value in board.tags.items() if value.strip() not in ("", "?", "-")]
    return [name for name in told if name not in kept and not _ALERT.fullmatch(name)] + ["Note"] * bool(board.footnotes)


def _agreed(board: Board, dealer: int) -> Contract | None:
    """The contract that the calls of a board come to."""
    final = final_contract(dealer, calls_of(board))
    if final.declarer is None:
        return None
    return board.deal.game.contract(f"{final.contract} by {SEATS[final.declarer]}")


def _written(board: Board) -> Iterator[tuple[str, str]]:
    """Commands of a board."""
    for key, value in _unchecked(board):
        if re.search(r"[|\r\n]|%7c|[?&]lin=", value, re.IGNORECASE):
            raise NotationError(f"cannot write {excerpt(value)} in LIN: a value is one line without a bar")
        yield key, value


def _unchecked(board: Board) -> Iterator[tuple[str, str]]:
    tags = board.tags
    dealer = tags.get("Auction" if board.words("Auction") else "Dealer", "").strip().upper()
    if len(dealer) != 1 or dealer not in "NESW":
        raise NotationError(f"cannot write a board in LIN whose Dealer is {excerpt(dealer)}: expected N, E, S or W")
    seat = "NESW".index(dealer)
    number = tags.get("Board", "")
    room = {name: letter for letter, name in _ROOMS.items()}.get(tags.get("Room", ""))
    if room is not None:
        yield "qx", f"{room}{number}"
    names = [tags.get(SEATS[s], "") for s in _ORDER]
    if comma := next((name for name in names if "," in name), None):
        raise NotationError(f"cannot write the name {excerpt(comma)} in LIN: commas stand between names")
    if any(names):
        yield "pn", ",".join(names)
    hands = (_hand(board.deal.hands[s]) for s in _ORDER)
    yield "md", f"{_ORDER.index(seat) + 1}{','.join(hands)}"
    if number:
        yield "ah", f"Board {number}"
    vulnerable = board.deal.game.options.vulnerable
    if "Vulnerable" in tags or vulnerable != "none":
        yield "sv", {"none": "o", "ns": "n", "ew": "e", "all": "b"}[vulnerable]
    calls = calls_of(board)
    contract = board.contract
    if calls and contract is not None and contract != _agreed(board, seat):
        final = final_contract(seat, calls)
        end = final.contract if final.declarer is None else f"{final.contract} by {SEATS[final.declarer]}"
        raise NotationError(f"the calls end in {end}, which is not the board's contract")
    for place, call in enumerate(calls, 1):
        meaning = tags.get(f"Alert{place}")
        yield "mb", ("p" if call.word == "Pass" else call.word[:2]) + ("" if meaning is None else "!")
        if meaning:
            yield "an", meaning
    if board.words("Play") and contract is None:
        raise NotationError("the play has no order without a contract: write the tags Contract and Declarer")
    for move in board.play:
        yield "pc", move.card.suit + move.card.rank
    result = tags.get("Result", "") if re.fullmatch(r"[0-9]{1,2}", tags.get("Result", "")) else board.taken
    if result is not None:
        yield "mc", str(result)


def _hand(hand: frozenset[Card]) -> str:
    return "".join(s + "".join(r for r in RANKS if r + s in hand) for s in SUITS)
