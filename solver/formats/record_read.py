"""Reading a record: tolerant of order, case, separators and notation, exact about what is wrong and where.

``#`` begins a comment; empty lines are passed over; a line without a key goes on with the key before it.

=========== ============================================================================================================
key         what follows
=========== ============================================================================================================
game        name; ``options`` has ``name=value`` with commas between
seat        whose view this is, absent when everything is known
dealer      the last seat when absent
hands       ``hand | hand | …`` by seat, ``?`` for an unknown one; or a line each, ``hand 0: …``
talon       or the game's own word for it: cards, ``?``, or ``none``
auction     ``0:100 1:110 2:pass``; the seats may be left out
contract    ``120 by 0``, ``picker 2``, with or without the plan
plan        ``trump S``, ``call AS KD``, ``bury TC 8H``, ``under 7D``, ``pass 9C to 1``, ``alone``, ``lead 0``
play        tricks in order; trick numbers, seats and ``-> winner (points)`` may be left out
result      ``points 132 128 0; tricks 3 5 0; scores 120 130 0; made``; ``side 9``: what the declarer's side took
=========== ============================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from solver.formats.arguments import read_options
from solver.formats.bytes import decode, has_mark
from solver.formats.record import Record, default_leader
from solver.formats.record_play import read_result, read_tricks
from solver.formats.record_text import CLAUSES, Line, Section, read_sections, short, wrong
from solver.games import Game
from solver.games import game as find_game
from solver.games.auction import Call
from solver.games.clauses import read_clauses
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import TALON_LABELS, check_disjoint
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError

__all__ = ["load_record", "read_record"]

#: Most calls of an auction.
MOST_CALLS = 400


def read_record(text: str) -> Record:
    """Read a record.

    Parameters
    ----------
    text
        As in the table above.

    Returns
    -------
    Record
        What is written, with gaps that need no rules filled: the dealer, the seats of calls and the talon's kind.

    Raises
    ------
    NotationError, UnsupportedError
        One line: what was read, in which line, and what is expected.
    """
    found = read_sections(text)
    game = _game(found)
    lines = {key: section[0].number for key, section in found.items()}
    dealer = _one_seat(game, found, "dealer")
    dealer = game.seats - 1 if dealer is None else dealer
    seat = _one_seat(game, found, "seat")
    hands, talon = _cards(game, found, seat)
    calls = _calls(game, found, dealer)
    contract, hidden = _contract(game, found, dealer)
    play, result = read_tricks(game, _single(found, "play")), read_result(game, found)
    return Record(game, dealer, hands, talon, calls, contract, play, result, seat, hidden, lines)


def load_record(raw: bytes, name: str) -> Record:
    """Read a record from the bytes of a file, UTF-8 or what its byte-order mark says; `name` is for messages.

    Raises
    ------
    NotationError, UnsupportedError
        For bytes that are no such text, and as `read_record`.
    """
    if not has_mark(raw):
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as bad:
            raise NotationError(f"{name} is not UTF-8 text: byte {bad.start + 1}") from None
    return read_record(decode(raw))


def _single(found: dict[str, list[Section]], key: str) -> Section | None:
    return found[key][0] if key in found else None


def _game(found: dict[str, list[Section]]) -> Game:
    """Return the game with its options; how many seats it has follows from the hands where no option says it."""
    name = _single(found, "game")
    if name is None:
        raise NotationError("no game is named: a record has a line like 'game: thousand'")
    options: dict[str, Any] = {}
    section = _single(found, "options")
    at = name.number
    try:
        plain = find_game(name.text)
        if section is not None:
            at = section.number
            options.update(read_options(part for part in re.split(r"[,;]", section.text) if part.strip()))
        hands = found.get("hands")
        if "seats" in plain.option_values() and "seats" not in options and hands and hands[0].seat is None:
            parts = [p for p in " ".join(line.text for line in hands[0].lines).split("|") if not _label(p)]
            if len(parts) != plain.seats and len(parts) in _seat_numbers(plain):
                options["seats"] = str(len(parts))
        return find_game(name.text, **options)
    except UnsupportedError as bad:
        raise UnsupportedError(f"line {at}: {short(bad)}") from None
    except NotationError as bad:
        raise wrong(at, bad) from None


def _seat_numbers(game: Game) -> tuple[int, ...]:
    return next((row["values"] for row in game.describe_options() if row["option"] == "seats"), ())


def _label(text: str) -> str | None:
    """The word for the talon that a text begins with."""
    low = text.strip().lower()
    return next((word for word in TALON_LABELS if low.startswith(word)), None)


def _one_seat(game: Game, found: dict[str, list[Section]], key: str) -> int | None:
    section = _single(found, key)
    if section is None:
        return None
    got = re.fullmatch(r"(?:seat\s*)?(\d{1,3})", section.text, re.IGNORECASE)
    if got is None or int(got[1]) >= game.seats:
        raise wrong(section.number, f"{key} is {excerpt(section.text)}: expected a seat from 0 to {game.seats - 1}")
    return int(got[1])


# --------------------------------------------------------------------- cards


def _parts(section: Section) -> Iterator[Line]:
    """Parts of a section between ``|``; a part that runs over a line end is joined."""
    for line in section.lines:
        place = line.start
        for part in line.text.split("|"):
            yield Line(line.number, line.whole[: place + len(part)], place)
            place += len(part) + 1


def _set(game: Game, line: Line) -> frozenset[Card] | None:
    """Cards of a part; None for ``?``."""
    text = line.text.strip()
    if re.fullmatch(r"\?+(?:\s+\?+)*", text):
        return None
    if text.lower() in ("none", "-", "–", "empty"):
        return frozenset()
    try:
        return frozenset(game.deck.read(line.text, start=line.start, whole=line.whole))
    except NotationError as bad:
        raise wrong(line.number, bad) from None


def _cards(
    game: Game, found: dict[str, list[Section]], seat: int | None
) -> tuple[tuple[frozenset[Card] | None, ...], frozenset[Card] | None]:
    """Hands and talon, checked for what stands twice and for their numbers."""
    sections = found.get("hands", [])
    hands: list[frozenset[Card] | None] = [None] * game.seats
    talon = _single(found, "talon")
    under = None if talon is None else Line(talon.number, talon.lines[-1].whole, talon.lines[-1].start)
    if talon is not None and len(talon.lines) > 1:
        raise wrong(talon.lines[1].number, f"the {game.talon_label} runs on: its cards stand in one line")
    for section in sections:
        if section.seat is not None:
            if section.seat >= game.seats:
                raise wrong(section.number, f"no seat {section.seat}: {game.name} has seats 0 to {game.seats - 1} here")
            hands[section.seat] = _set(game, section.lines[0])
            if len(section.lines) > 1:
                raise wrong(section.lines[1].number, "the hand runs on: its cards stand in one line")
            continue
        parts = _drop_line_ends(list(_parts(section)))
        if len(parts) == 1 and not parts[0].text.strip():
            parts = []
        label = _label(parts[-1].text) if parts else None
        if label is not None:
            last = parts.pop()
            if under is not None:
                raise wrong(last.number, f"the {game.talon_label} stands twice, also in line {under.number}")
            skip = last.text.lower().index(label) + len(label)
            under = Line(last.number, last.whole, last.start + skip)
        if len(parts) == 1 and seat is not None and game.seats > 1:
            hands[seat] = _set(game, parts[0])
        elif len(parts) == game.seats:
            hands = [None if not part.text.strip() else _set(game, part) for part in parts]
        else:
            raise wrong(
                section.number,
                f"read {len(parts)} hands: {game.name} has {game.seats} seats here, write their hands with | between, "
                "'?' for one that is unknown",
            )
    on_table = None if under is None else _set(game, under)
    if under is None and (not game.talon_size or None not in hands):
        on_table = frozenset()
    _check_cards(game, hands, on_table, sections[0].number if sections else 1)
    return tuple(hands), on_table


def _drop_line_ends(parts: list[Line]) -> list[Line]:
    """Without the empty parts that a ``|`` at a line's end or beginning makes."""
    return [
        part
        for i, part in enumerate(parts)
        if part.text.strip()
        or not (
            (i + 1 < len(parts) and parts[i + 1].number != part.number)
            or (i > 0 and parts[i - 1].number != part.number)
        )
    ]


def _check_cards(game: Game, hands: list[frozenset[Card] | None], talon: frozenset[Card] | None, line: int) -> None:
    known = [(f"seat {s}", hand) for s, hand in enumerate(hands) if hand is not None]
    names = [*known, (f"the {game.talon_label}", talon or frozenset())]
    try:
        check_disjoint([cards for _, cards in names], [name for name, _ in names])
    except NotationError as bad:
        raise wrong(line, bad) from None
    sizes = [(h, t) for h, t in game.sizes if talon is None or len(talon) == t]
    if not sizes:
        allowed = " or ".join(str(t) for t in dict.fromkeys(t for _, t in game.sizes))
        raise wrong(line, f"{len(talon or ())} cards in the {game.talon_label}: {game.name} has {allowed} there")
    counts = {len(hand) for _, hand in known}
    if len(counts) > 1 or not counts <= {h for h, _ in sizes}:
        held = ", ".join(f"{name} {len(hand)}" for name, hand in known)
        allowed = " or ".join(str(h) for h in dict.fromkeys(h for h, _ in sizes))
        raise wrong(line, f"the hands have {held} cards: {game.name} has {allowed} a seat here")


# --------------------------------------------------------------------- auction and plan


def _calls(game: Game, found: dict[str, list[Section]], dealer: int) -> tuple[Call, ...]:
    """Calls with their seats; where none is written, the seat on turn, or the next that has not passed."""
    section = _single(found, "auction")
    if section is None:
        return ()
    try:
        auction = game.auction(dealer=dealer)
    except UnsupportedError:
        auction = None
    calls: list[Call] = []
    for line in section.lines:
        text = re.sub(r"\bseat\s*(?=\d)", "", line.text, flags=re.IGNORECASE)
        text = re.sub(r"(?<=\d)\s*[:=]\s*", ":", text)
        for part in re.split(r"[,;\s]+", text):
            got = re.fullmatch(r"(?:(\d{1,3}):)?([a-z_]+|\d{1,5})", part.lower())
            if not part:
                continue
            if got is None:
                raise wrong(line.number, f"cannot read the call {excerpt(part)}: expected SEAT:CALL, as in 0:pass")
            if got[1] is not None and int(got[1]) >= game.seats:
                raise wrong(
                    line.number, f"no seat {got[1]} (call {excerpt(part)}): {game.name} has {game.seats} seats here"
                )
            if len(calls) == MOST_CALLS:
                raise wrong(line.number, f"more than {MOST_CALLS} calls: no auction is so long")
            seat = int(got[1]) if got[1] is not None else None
            on_turn = None if auction is None else auction.turn
            if seat is None:
                seat = _next_caller(calls, dealer, game.seats) if on_turn is None else on_turn
            calls.append(Call(seat, got[2]))
            try:
                auction = None if auction is None else auction.call(got[2], seat)
            except IllegalPlayError:
                auction = None  # what follows is read all the same; `check` reports the call
    return tuple(calls)


def _next_caller(calls: list[Call], dealer: int, seats: int) -> int:
    out = {c.seat for c in calls if c.word == "pass"}
    seat = calls[-1].seat if calls else dealer
    for _ in range(seats):
        seat = (seat + 1) % seats
        if seat not in out:
            break
    return seat


def _contract(game: Game, found: dict[str, list[Section]], dealer: int) -> tuple[Contract, frozenset[str]]:
    """Contract and plan from their lines, not checked against the rules."""
    given: dict[str, Any] = {}
    hidden: set[str] = set()
    seen: dict[str, tuple[Any, int]] = {}
    for key in ("contract", "plan", *CLAUSES):
        section = _single(found, key)
        if section is None:
            continue
        text = f"{key} {section.text}" if key in CLAUSES else section.text
        try:
            clauses = read_clauses(text, game.name, game.spoken)
            for clause in clauses:
                if clause.word not in game.clauses:
                    raise NotationError(
                        f"{game.name} has no {excerpt(clause.word)} ({clause.where(text)}): "
                        f"it has {', '.join(sorted(game.clauses))}"
                    )
                if "?" in clause.rest:
                    _hide(clause.word, clause.rest, hidden)
                    continue
                game.read_clause(clause, given, text)
                once = {"bid": "target", "by": "declarer", "lead": "leader", "trump": "trump", "under": "under"}
                name = once.get(clause.word)
                if name is not None:
                    if name in seen and seen[name][0] != given[name]:
                        raise NotationError(
                            f"{clause.word} is {given[name]}, but {seen[name][0]} in line {seen[name][1]}"
                        )
                    seen[name] = (given[name], section.number)
        except NotationError as bad:
            raise wrong(section.number, bad) from None
    given.setdefault("leader", default_leader(game, dealer, given.get("declarer")))
    contract = Contract(**given)
    at = next((s[0].number for k, s in found.items() if k in ("plan", "contract", *CLAUSES)), 1)
    for word, cards in (("call", contract.called), ("bury", contract.bury), ("pass", [c for _, c in contract.passes])):
        if len(set(cards)) != len(cards):
            twice = next(c for c in cards if list(cards).count(c) > 1)
            raise wrong(at, f"{twice} stands twice after {excerpt(word)}: the deck has it once")
    if len({s for s, _ in contract.passes}) != len(contract.passes):
        raise wrong(at, "two cards are passed to one seat: one goes to each")
    known = {"bury": contract.bury, "under": contract.under, "pass": len(contract.passes) == game.seats - 1}
    for word in sorted(hidden):
        if known[word]:
            raise wrong(at, f"{excerpt(word)} is written with cards and with '?': write one of them")
    return contract, frozenset(hidden)


def _hide(word: str, rest: str, hidden: set[str]) -> None:
    """Note a part of the plan that is written ``?``."""
    pattern = r"[?\s]+to\s+(?:seat\s+)?\d{1,3}" if word == "pass" else r"[?\s]+"
    if word not in ("bury", "under", "pass") or not re.fullmatch(pattern, rest, re.IGNORECASE):
        raise NotationError(
            f"cannot read {word} {excerpt(rest)}: '?' stands for a whole bury, an under card, or a card passed, "
            "as in 'bury ?' and 'pass ? to 1'"
        )
    hidden.add(word)
