"""One reader for every file of deals: it tells the format by itself, and reads each deal or says why it can't.

======== ==============================================================================================================
format   told by
======== ==============================================================================================================
record   a line ``game: NAME`` (`solver.formats.record_read`)
skat log ``(;GM[Skat]`` (`solver.formats.iss`)
LIN      ``md|``, the hands of a bridge server's board (`solver.formats.lin`)
PBN      tags in brackets, ``[Deal "…"]``, or lines like ``N:AKQ.J98.T72.6543 …`` (`solver.formats.pbn`)
RBN      hands with colons between, ``H N:AKQ.J98.T72.6543:…`` (`solver.formats.rbn`)
text     anything else: one deal, ``hand | hand | …``, alone or below a diagram
======== ==============================================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from solver.formats.arguments import deal_line
from solver.formats.bridge_course import bare_board
from solver.formats.bytes import decode
from solver.formats.pbn import Board, pbn_boards
from solver.formats.record import Record, RecordedCard, RecordedTrick, WrittenResult
from solver.formats.record_read import load_record, read_record
from solver.games import Game, as_game
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Move

__all__ = ["DealFile", "WrittenDeal", "format_of", "read", "read_deals", "read_records"]


class _Written(Protocol):
    """What the readers of boards and logs give."""

    @property
    def deal(self) -> Deal: ...

    @property
    def name(self) -> str: ...

    @property
    def contract(self) -> Contract | None: ...

    @property
    def play(self) -> tuple[Move, ...]: ...

    @property
    def line(self) -> int: ...

    @property
    def remarks(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class WrittenDeal:
    """A deal of a file.

    Parameters
    ----------
    deal
        In the game asked for.
    name
        What the file calls it; its place in the file where it says nothing.
    contract
        What was played for; None where the file does not say.
    play
        The cards in order.
    wrong
        Why the file's contract or play, which are left out then, cannot be read.
    source
        As its own reader gave it: a `Board`, a `SkatLog`, a `Record`, or None for text.
    """

    deal: Deal
    name: str = ""
    contract: Contract | None = None
    play: tuple[Move, ...] = ()
    wrong: TrickwiseError | None = field(default=None, compare=False, repr=False)
    source: object = field(default=None, compare=False, repr=False)

    def under(self, game: Game, options: Collection[object]) -> Deal:
        """The deal, in the game asked for where its options were named: they go before what a board says."""
        return replace(self.deal, game=game) if options and not isinstance(self.source, Record) else self.deal

    @property
    def board_name(self) -> str:
        """Its name without the number of the result."""
        own = self.source.name if isinstance(self.source, Board) else ""
        return own if own and self.name.startswith(f"{own}.") else self.name

    def board(self) -> Board:
        """The same as a bridge board, for PBN and LIN.

        Raises
        ------
        UnsupportedError
            For another game.
        """
        if isinstance(self.source, Board):
            return self.source
        if self.deal.game.name != "bridge":
            raise UnsupportedError(f"PBN and LIN are of bridge, not of {self.deal.game.name}")
        return bare_board(self.deal, self.name, self.contract, self.play)

    @property
    def taken(self) -> int | None:
        """What the file says that the declarer's side took; None where it does not."""
        if isinstance(self.source, Record):
            return None if self.source.result is None else self.source.result.side
        return self.source.taken if isinstance(self.source, Board) and self.contract is not None else None

    @property
    def record(self) -> Record:
        """The same as a record: what its file has, or made of the parts.

        Raises
        ------
        TrickwiseError
            For a contract or play that cannot be read.
        """
        if self.wrong is not None:
            raise self.wrong
        if isinstance(self.source, Record):
            return self.source
        game, size = self.deal.game, self.deal.game.seats
        tricks = [self.play[at : at + size] for at in range(0, len(self.play), size)]
        play = tuple(RecordedTrick(tuple(RecordedCard(None, move) for move in trick)) for trick in tricks)
        dealer = game.seat_of(self.source.tags.get("Dealer", "")) if isinstance(self.source, Board) else None
        return Record(
            game, game.seats - 1 if dealer is None else dealer, self.deal.hands, self.deal.talon,
            contract=self.contract or Contract(), play=play, result=WrittenResult(side=self.taken),
        )  # fmt: skip


class DealFile(NamedTuple):
    """A file as it was read.

    Parameters
    ----------
    format
        As in the table of this module.
    deals
        In order.
    errors
        One for each deal that cannot be read.
    remarks
        What was passed over.
    """

    format: str
    deals: tuple[WrittenDeal, ...]
    errors: tuple[TrickwiseError, ...] = ()
    remarks: tuple[str, ...] = ()

    def one(self, name: str = "", remedy: str = "expected one") -> WrittenDeal:
        """The deal of that name, or the only one; `remedy` says what to do where there are several.

        Raises
        ------
        NotationError
            When there are several to choose from, or none of that name.
        """
        names = [written.name for written in self.deals]
        if name:
            found = [written for written in self.deals if written.name == name]
            if not found:
                raise NotationError(f"{self.format}: no board {excerpt(name)}: there are {_listed(names)}")
            return found[0]
        if len({(written.name, written.deal.hands, written.contract) for written in self.deals}) > 1:
            raise NotationError(f"{self.format}: read {len(self.deals)} deals: {remedy}, there are {_listed(names)}")
        return self.deals[0]


def _listed(names: list[str]) -> str:
    shown = [name[:20] for name in dict.fromkeys(names)]
    return ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")


def _boards(kind: str, text: str) -> Iterator[_Written | NotationError]:
    """Deals of a text, by the reader of its format, of which only one is loaded."""
    if kind == "LIN":
        from solver.formats.lin import lin_boards

        return lin_boards(text)
    if kind == "RBN":
        from solver.formats.rbn import rbn_boards

        return rbn_boards(text)
    if kind == "skat log":
        from solver.formats.iss import iss_games

        return iss_games(text)
    return pbn_boards(text)


def format_of(text: str) -> str:
    """Name of a text's format, as in the table of this module; a tag Deal on its line decides before all else."""
    if re.search(r'^\s*\[\s*Deal\s+"', text, re.IGNORECASE | re.MULTILINE):
        return "PBN"
    if re.search(r"\(\s*;\s*GM\s*\[\s*Skat", text, re.IGNORECASE):
        return "skat log"
    if re.search(r"(?:^|\||%7C|\s)md(?:\||%7C)", text, re.IGNORECASE):
        return "LIN"
    if re.search(r"^\s*(?:H\s+)?[NESW]:[^\s:|]*:", text, re.IGNORECASE | re.MULTILINE):
        return "RBN"
    if re.search(r"^\s*game\s*:", text, re.IGNORECASE | re.MULTILINE):
        return "record"
    if re.search(r'^\s*(?:\[\s*[A-Za-z]\w*\s+"|%\s|[NESW]\w*\s*:(?!.*\|))', text, re.IGNORECASE | re.MULTILINE):
        return "PBN"
    return "text"


def read_deals(raw: bytes | str, game: Game | None = None) -> DealFile:
    """Read every deal of a file.

    Parameters
    ----------
    raw
        Its bytes, or its text.
    game
        That is asked about: bridge deals are read as whist too, other files are of one game alone. None for the game of
        the file; a text of no known format then cannot be read.

    Raises
    ------
    NotationError, UnsupportedError
        For a file that cannot be read at all, or is of another game.
    """
    text = decode(raw) if isinstance(raw, bytes) else raw
    kind = format_of(text)
    if kind == "text":
        if game is None:
            raise NotationError("no deal of a known format: PBN, LIN, RBN, a skat log or a record 'game: …'")
        return DealFile(kind, (WrittenDeal(game.read(deal_line(text))),))
    if kind == "record":
        record = load_record(raw, "the file") if isinstance(raw, bytes) else read_record(text)
        return DealFile(kind, (_of_record(record, game),))
    deals: list[WrittenDeal] = []
    errors: list[TrickwiseError] = []
    remarks: list[str] = []
    try:
        for board in _boards(kind, text):
            if isinstance(board, NotationError):
                errors.append(type(board)(f"{kind}, {board}"))
                continue
            deals.append(_of_board(board, game, kind))
            remarks += [f"{kind}, {remark}" for remark in board.remarks]
    except NotationError as wrong:
        raise NotationError(f"{kind}, {wrong}") from None
    if not deals and not errors:
        raise NotationError(f"{kind}: no deal in it: {_EXPECTED[kind]}")
    return DealFile(kind, _named(deals), tuple(errors), tuple(remarks))


_EXPECTED = {
    "PBN": 'a board has a tag like [Deal "N:AKQ.J98.T72.6543 …"]', "LIN": "a board has its hands as md|3S…,…|",
    "RBN": "a record has its hands as H N:AKQ.J98.T72.6543:…", "skat log": "a game has its deal as MV[w …]",
}  # fmt: skip


def read(game_or_name: Game | str, text: str, **options: Any) -> Deal:
    """Read a deal, as in ``read("kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3")``, or a file's text with one deal.

    Raises
    ------
    NotationError
        For cards that cannot be read, stand twice, or do not add up to a deal; for a file with several deals.
    """
    game = as_game(game_or_name, options)
    if format_of(text) == "text":
        return game.read(text)
    found = read_deals(text, game)
    if found.errors:
        raise found.errors[0]
    several = len({written.deal for written in found.deals}) > 1  # results of one deal are not
    return (found.one() if several else found.deals[0]).under(game, options)


def read_records(raw: bytes, name: str) -> tuple[dict[str, Record], DealFile]:
    """Read the deals of a file as records, which may leave cards open.

    Parameters
    ----------
    raw, name
        The file's bytes, and what messages call it.

    Returns
    -------
    records, file
        Records by the names of their deals; the file, whose deals are empty where it holds a single record.
    """
    kind = format_of(decode(raw))
    if kind in ("record", "text"):
        return {"": load_record(raw, name)}, DealFile("record", ())
    found = read_deals(raw)
    wrong = tuple(written.wrong for written in found.deals if written.wrong is not None)
    records = {written.name: written.record for written in found.deals if written.wrong is None}
    return records, found._replace(errors=(*found.errors, *wrong))


def _named(deals: list[WrittenDeal]) -> tuple[WrittenDeal, ...]:
    """Names that tell deals apart: their places where the file's own do not; ``7.2`` for the second result of 7."""
    names = {written.name: written.deal.hands for written in deals}
    if len(deals) < 2:
        return tuple(deals)
    if "" in names or any(names[w.name] != w.deal.hands for w in deals):
        return tuple(replace(w, name=str(i)) for i, w in enumerate(deals, 1))
    seen: Counter[str] = Counter()
    out = []
    for written in deals:
        seen[written.name] += 1
        number = seen[written.name]
        out.append(written if number == 1 else replace(written, name=f"{written.name}.{number}"))
    return tuple(out)


def _of_board(board: _Written, game: Game | None, kind: str) -> WrittenDeal:
    deal = board.deal
    if game is None or game.name == deal.game.name:
        if game is not None and game.changed_options() and game != deal.game:
            deal = Deal(game, deal.hands, deal.talon)
        try:
            return WrittenDeal(deal, board.name, board.contract, board.play, source=board)
        except TrickwiseError as bad:  # the deal stands all the same
            wrong = type(bad)(f"{kind}, line {board.line}: {bad}")
            return WrittenDeal(deal, board.name, wrong=wrong, source=board)
    if deal.game.name == "bridge" and set(game.deck.cards) == set(deal.game.deck.cards) and game.seats == 4:
        return WrittenDeal(Deal(game, deal.hands), board.name, source=board)
    raise UnsupportedError(f"{kind}: its deals are of {deal.game.name}, not of {game.name}")


def _of_record(record: Record, game: Game | None) -> WrittenDeal:
    if game is not None and game.name != record.game.name:
        raise UnsupportedError(f"the record is of {record.game.name}, not of {game.name}")
    if game is not None and game.changed_options() and game != record.game:
        raise UnsupportedError("the record names its house rules itself: leave the options out")
    deal = record.deal
    if deal is None:
        raise NotationError("the record does not show every hand: a deal with all cards known is expected")
    named = record.contract != Contract(leader=record.contract.leader)
    contract = record.game.check_contract(record.contract) if named else None
    return WrittenDeal(deal, "", contract, tuple(c.move for trick in record.play for c in trick.cards), source=record)
