"""The course of a bridge board, its calls and cards in order, as the tags and lines of PBN have it.

What the readers of other bridge notations share: the hand left out of a deal, the contract that the calls end in, and
the play by columns, which belong to seats from the opening leader on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from solver.formats.pbn import Board
from solver.formats.record_text import wrong
from solver.games import game
from solver.games.bridge_deal import RANKS, SEATS
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError
from solver.model.play import Move

__all__ = [
    "VULNERABLE", "Call", "CardPlayed", "Final", "Section", "auction_section", "bare_board", "calls_of", "check_played",
    "final_contract", "first_raised", "passes_left", "play_section", "read_calls", "read_suit", "whole_deal",
]  # fmt: skip

#: How PBN writes each value of bridge's option.
VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "all": "All"}

_CALL = re.compile(r"([1-7])(NT|[CDHSN])|(PASS|P)|(XX|RDBL|REDOUBLE|R)|(X|DBL|DOUBLE|D)", re.IGNORECASE)
_STRAINS = "CDHSN"

#: A tag's value and the lines after it.
Section = tuple[str, tuple[str, ...]]


class Call(NamedTuple):
    """A call in PBN's spelling, and its line."""

    word: str
    line: int


class CardPlayed(NamedTuple):
    """A card, and its line."""

    card: Card
    line: int


class Final(NamedTuple):
    """What the calls come to: the contract in PBN's spelling, ``Pass`` if all passed; and whether they are over."""

    contract: str
    declarer: int | None
    over: bool


# ------------------------------------------------------------------ deals


def read_suit(suit: str, ranks: str) -> Iterator[Card]:
    """Read the ranks held in a suit, in any case, ``10`` for the ten, ``-`` for none.

    Raises
    ------
    NotationError
        For what is no rank.
    """
    for rank in ranks.upper().replace("10", "T").strip().strip("-"):
        if rank not in RANKS:
            raise NotationError(f"cannot read {rank!r} in {excerpt(ranks)}: a rank is one of {' '.join(RANKS)}")
        yield Card(rank + suit)


def whole_deal(hands: Sequence[Sequence[Card]], vulnerable: str = "none") -> Deal:
    """Deal hands from North on; one that is empty gets the cards left by three whole ones.

    Raises
    ------
    NotationError
        For hands that do not make a deal.
    """
    bridge = game("bridge", vulnerable=vulnerable)
    held = list(hands)
    where: dict[Card, str] = {}
    for card, name in ((card, name) for name, hand in zip(SEATS, held, strict=False) for card in hand):
        if card in where:
            raise NotationError(f"{card} stands twice, in the hands of {where[card]} and {name}: the deck has it once")
        where[card] = name
    empty = [seat for seat, hand in enumerate(held) if not hand]
    if len(held) != 4 or len(empty) > 1 or (empty and {len(hand) for hand in held} != {0, bridge.hand_size}):
        counts = ", ".join(f"{name} {len(hand)}" for name, hand in zip(SEATS, held, strict=False))
        raise NotationError(f"the cards told ({counts}) make no deal: four equal hands, or three of 13")
    if empty:
        held[empty[0]] = [card for card in bridge.deck.cards if card not in where]
    return bridge.read(" | ".join(" ".join(hand) for hand in held))


# ------------------------------------------------------------------ calls


def read_calls(text: str, line: int) -> list[Call]:
    """Read calls that may be run together, ``1C`` or ``1CP1HPPP``.

    Raises
    ------
    NotationError
        For what is no call.
    """
    calls: list[Call] = []
    at = 0
    while at < len(text):
        match = _CALL.match(text, at)
        if match is None:
            raise wrong(line, f"cannot read the call {excerpt(text[at:])}: expected a bid like 1C or 3NT, P, X or XX")
        level, strain, passed, redoubled, _ = match.groups()
        bid = f"{level}{strain[0].upper()}{'T' if strain[0] in 'Nn' else ''}" if level else ""
        calls.append(Call(bid or ("Pass" if passed else "XX" if redoubled else "X"), line))
        at = match.end()
    return calls


def final_contract(dealer: int, calls: Sequence[Call]) -> Final:
    """What the calls come to, so far as they go.

    Raises
    ------
    NotationError
        For a call that the laws of bridge do not allow, with its line.
    """
    bid: Call | None = None
    height, bidder, doubled, passes = -1, dealer, "", 0
    named: dict[tuple[int, str], int] = {}  # who named a strain first for a side
    for number, call in enumerate(calls):
        seat = (dealer + number) % 4
        if passes == (4 if bid is None else 3):
            raise wrong(call.line, f"the call {call.word} by {SEATS[seat]}: the auction is over")
        if call.word == "Pass":
            passes += 1
            continue
        passes = 0
        if call.word in ("X", "XX"):
            other = (seat - bidder) % 2 == 1
            if bid is None or doubled != ("" if call.word == "X" else "X") or other != (call.word == "X"):
                raise wrong(call.line, f"the call {call.word} by {SEATS[seat]}: there is nothing that it could double")
            doubled = call.word
            continue
        rank = int(call.word[0]) * 5 + _STRAINS.index(call.word[1])
        if bid is not None and rank <= height:
            raise wrong(call.line, f"the bid {call.word} by {SEATS[seat]} is not above {bid.word}")
        bid, height, bidder, doubled = call, rank, seat, ""
        named.setdefault((seat % 2, call.word[1]), seat)
    if bid is None:
        return Final("Pass", None, passes == 4)
    return Final(bid.word + doubled, named[bidder % 2, bid.word[1]], passes == 3)


def passes_left(calls: Sequence[Call], line: int) -> list[Call]:
    """The passes that end the auction after some calls."""
    last = next((i for i, call in enumerate(reversed(calls)) if call.word != "Pass"), None)
    return [Call("Pass", line)] * (4 - len(calls) if last is None else 3 - last)


def auction_section(dealer: int, calls: Sequence[Call]) -> Section:
    """The dealer's letter, and the calls four a line."""
    words = [call.word for call in calls]
    return SEATS[dealer][0], tuple(" ".join(words[i : i + 4]) for i in range(0, len(words), 4))


def calls_of(board: Board) -> list[Call]:
    """The calls of a board's Auction; ``AP`` stands for all passes that are left."""
    calls: list[Call] = []
    for word in board.words("Auction"):
        if word.upper() == "AP":
            calls += passes_left(calls, board.line)
        elif word.strip("-–"):  # a dash stands for a seat before the dealer
            calls += read_calls(word, board.line)
    return calls


# ------------------------------------------------------------------ cards


def play_section(deal: Deal, cards: Sequence[CardPlayed]) -> Section:
    """The opening leader's letter, and a line a trick, columns by seat from the opening leader on.

    A card is its holder's, so that no contract is needed.

    Raises
    ------
    NotationError
        For a card played twice, in no hand, or second of a seat in one trick, with its line.
    """
    holder = {card: seat for seat, hand in enumerate(deal.hands) for card in hand}
    tricks: list[dict[int, Card]] = []
    played: set[Card] = set()
    for card, line in cards:
        if card not in holder or card in played:
            raise wrong(line, f"{card} is played {'twice' if card in played else 'but no hand holds it'}")
        played.add(card)
        seat = holder[card]
        if not tricks or len(tricks[-1]) == 4:
            tricks.append({})
        if seat in tricks[-1]:
            raise wrong(line, f"{SEATS[seat]} plays {card} after {tricks[-1][seat]} to the same trick")
        tricks[-1][seat] = card
    leader = holder[cards[0].card]
    order = [(leader + i) % 4 for i in range(4)]
    return SEATS[leader][0], tuple(" ".join(_cell(trick.get(seat)) for seat in order) for trick in tricks)


def bare_board(deal: Deal, name: str, contract: Contract | None, play: Sequence[Move] = ()) -> Board:
    """A board of a deal with what is known of it, its tags made of that."""
    tags = {"Board": name} if name else {}
    tags["Vulnerable"] = VULNERABLE[deal.game.option_values()["vulnerable"]]
    sections: dict[str, tuple[str, ...]] = {}
    if contract is not None and contract.declarer is not None and contract.target is not None and contract.target > 6:
        doubled = {(): "", ("double",): "X"}.get(contract.doubles, "XX")
        tags["Declarer"] = SEATS[contract.declarer][0]
        tags["Contract"] = f"{contract.target - 6}{contract.trump or 'NT'}{doubled}"
        if play:
            tags["Play"], sections["Play"] = play_section(deal, [CardPlayed(move.card, 1) for move in play])
    return Board(deal, tags, sections)


def check_played(deal: Deal, contract: Contract | None, cards: Sequence[CardPlayed]) -> None:
    """Raise NotationError, with the line, for the first card that the rules bar; without a contract for none."""
    if contract is None:
        return
    line = cards[0].line
    try:
        position = deal.game.start(deal, contract)
        for played in cards:
            line = played.line
            position = position.play(Move(played.card))
    except TrickwiseError as bad:
        raise wrong(line, bad) from None


def _cell(card: Card | None) -> str:
    return "-" if card is None else card.suit + card.rank


def first_raised(boards: Iterable[Board | NotationError], absent: str) -> tuple[Board, ...]:
    """Every board, or the first error raised; `absent` says what a text without any board lacks."""
    out: list[Board] = []
    for board in boards:
        if isinstance(board, NotationError):
            raise board
        out.append(board)
    if not out:
        raise NotationError(absent)
    return tuple(out)
