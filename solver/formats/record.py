"""A whole deal in writing: hands, auction, plan, tricks, result.

A record is text with a key a line; `solver.formats.record_read` reads it tolerantly, `write_record` writes its one
form::

    game: thousand
    options: bid_cap=flat120
    dealer: 2
    hands: AH TH … | … | …
    talon: TH JS 9C
    auction: 0:100 1:110 2:pass 0:120 1:pass
    contract: 120 by 0
    plan: pass 9C to 1, pass 9D to 2
    play:
    1. 0 AH, 1 JD, 2 JH -> 0 (15)
    2. 0 KH!, 1 9C, 2 9D -> 0 (4)
    result: points 132 128 0; tricks 3 5 0; scores 120 130 0

What one seat saw is written in the same way, with ``seat: 0`` and ``?`` for what it did not see: hands, talon, bury,
under card, passes.  A record says what somebody wrote, right or wrong; `solver.deals.check` says which.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from solver.games.auction import Call
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.play import Move
from solver.model.shown import Shown

if TYPE_CHECKING:
    from solver.games import Game

__all__ = [
    "Record",
    "RecordedCard",
    "RecordedTrick",
    "WrittenResult",
    "contract_text",
    "default_leader",
    "plan_text",
    "write_record",
]


class RecordedCard(NamedTuple):
    """A card as it was written down; the seat is None where none was named."""

    seat: int | None
    move: Move


@dataclass(frozen=True)
class RecordedTrick:
    """A trick as it was written down.

    Parameters
    ----------
    cards
        In the order played; fewer than seats only where the record breaks off.
    winner, points
        As written, None where nothing is.
    line
        Where it stands in the text (from 1); no part of what is compared.
    """

    cards: tuple[RecordedCard, ...]
    winner: int | None = None
    points: int | None = None
    line: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class WrittenResult:
    """The end of a deal as it was written down, by seat; None where nothing is.

    Parameters
    ----------
    points, tricks, scores
        In the meaning of `Outcome`.
    made
        Whether the contract is said to be made.
    side
        Points or tricks that the seats who collect took together.
    """

    points: tuple[int, ...] | None = None
    tricks: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    made: bool | None = None
    side: int | None = None


@dataclass(frozen=True)
class Record(Shown):
    """A deal as somebody wrote it down.

    Parameters
    ----------
    game
        With its options.
    dealer
        The seat to its left speaks first.
    hands
        By seat, as dealt, or after bury or pass where there is no talon; None where the hand is unknown.
    talon
        Cards dealt to nobody; None where they are unknown, empty where none lie there.
    calls
        The auction.
    contract
        What was played for, with the plan; not yet checked against the rules.
    play
        The tricks.
    result
        As written.
    seat
        Whose view this is; None for a record that knows everything.
    hidden
        Parts of the plan that are written ``?``: ``"bury"``, ``"under"``, ``"pass"``.
    lines
        Where each key stands in the text (from 1); no part of what is compared.
    """

    game: Game
    dealer: int
    hands: tuple[frozenset[Card] | None, ...]
    talon: frozenset[Card] | None = frozenset()
    calls: tuple[Call, ...] = ()
    contract: Contract = field(default_factory=Contract)
    play: tuple[RecordedTrick, ...] = ()
    result: WrittenResult | None = None
    seat: int | None = None
    hidden: frozenset[str] = frozenset()
    lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        contract, sort = self.contract, self.game.deck.sort
        tidy = replace(
            contract,
            called=tuple(sort(contract.called)),
            bury=tuple(sort(contract.bury)),
            passes=tuple(sorted(contract.passes)),
            taken=tuple(sort(contract.taken)),
        )
        object.__setattr__(self, "contract", tidy)
        if self.result == WrittenResult():
            object.__setattr__(self, "result", None)

    @property
    def text(self) -> str:
        """The one strict form."""
        return write_record(self)

    @property
    def complete(self) -> bool:
        """Whether every card and the whole plan is known."""
        return not self.hidden and self.talon is not None and None not in self.hands

    @property
    def deal(self) -> Deal | None:
        """The deal; None where cards are unknown."""
        if self.talon is None:
            return None
        hands = [hand for hand in self.hands if hand is not None]
        return Deal(self.game, tuple(hands), self.talon) if len(hands) == len(self.hands) else None

    def __str__(self) -> str:
        return self.text.rstrip("\n")


def default_leader(game: Game, dealer: int, declarer: int | None = None) -> int:
    """Seat that leads where the record names none and the contract does not decide it."""
    return game.first_leader(declarer, dealer)


def contract_text(game: Game, contract: Contract) -> str:
    """Write a contract in one form, ``120 by 0, pass 9C to 1, pass 9D to 2``."""
    by = "" if contract.declarer is None else f"by {contract.declarer}"
    bid = by if contract.target is None else f"{contract.target} {by}".strip()
    lead = f"lead {contract.leader}" if contract.leader != game.first_leader(contract.declarer) else ""
    return ", ".join(part for part in (bid, plan_text(game, contract), lead) if part)


def plan_text(game: Game, contract: Contract, hidden: frozenset[str] = frozenset()) -> str:
    """Write what was decided between auction and play: ``trump S, call AS KD``, ``pass 9C to 1, pass 9D to 2``.

    Parameters
    ----------
    game
        Gives the deck.
    contract
        Where the plan stands.
    hidden
        Parts to write ``?``.
    """
    parts = [contract.kind] if contract.kind else []
    parts += contract.doubles
    if contract.trump:
        parts.append(f"trump {contract.trump}")
    if contract.called:
        parts.append(f"call {' '.join(contract.called)}")
    if contract.taken:
        parts.append(f"take {game.deck.write(contract.taken)}")
    if contract.under is not None or "under" in hidden:
        parts.append(f"under {contract.under or '?'}")
    if contract.bury or "bury" in hidden:
        parts.append(f"bury {game.deck.write(contract.bury) or '?'}")
    given = [f"pass {card} to {seat}" for seat, card in contract.passes]
    if "pass" in hidden:
        seats = {contract.declarer, *(seat for seat, _ in contract.passes)}
        given += [f"pass ? to {s}" for s in range(game.seats) if s not in seats]
    parts += given
    if contract.surrender:
        parts.append("surrender")
    if contract.side is not None:
        parts.append(f"side {' '.join(map(str, sorted(contract.side)))}")
    return ", ".join(parts)


def _bid_text(game: Game, contract: Contract) -> str:
    """Write ``120 by 0`` or ``picker 2``."""
    by = ""
    if contract.declarer is not None:
        by = f"{game.declarer_word if contract.target is None else 'by'} {contract.declarer}"
    return by if contract.target is None else f"{contract.target} {by}".strip()


def _trick_text(number: int, trick: RecordedTrick) -> str:
    cards = ", ".join(f"{'' if seat is None else f'{seat} '}{move}" for seat, move in trick.cards)
    end = "" if trick.winner is None else f" {trick.winner}"
    end += "" if trick.points is None else f" ({trick.points})"
    return f"{number}. {cards}{' ->' + end if end else ''}"


def _result_text(result: WrittenResult) -> str:
    parts = []
    for name in ("points", "tricks", "scores"):
        values = getattr(result, name)
        if values is not None:
            parts.append(f"{name} {' '.join(map(str, values))}")
    if result.side is not None:
        parts.append(f"side {result.side}")
    if result.made is not None:
        parts.append("made" if result.made else "failed")
    return "; ".join(parts)


def write_record(record: Record) -> str:
    """Write a record in its one form, with a line break at the end; `read_record` gives an equal record back."""
    game, deck, contract = record.game, record.game.deck, record.contract
    options = ", ".join(f"{k}={_option(v)}" for k, v in game.changed_options().items())
    known = None not in record.hands
    rows: list[tuple[str, str]] = [("game", game.name), ("options", options)]
    rows.append(("seat", "" if record.seat is None else str(record.seat)))
    rows.append(("dealer", str(record.dealer)))
    rows.append(("hands", " | ".join("?" if hand is None else deck.write(hand) for hand in record.hands)))
    if record.talon is None:
        rows.append((game.talon_label, "?"))
    elif record.talon or (game.talon_size and not known):
        rows.append((game.talon_label, deck.write(record.talon) or "none"))
    rows.append(("auction", " ".join(map(str, record.calls))))
    rows.append(("contract", _bid_text(game, contract)))
    plan = plan_text(game, contract, record.hidden)
    if contract.leader != default_leader(game, record.dealer, contract.declarer):
        plan += f"{', ' if plan else ''}lead {contract.leader}"
    rows.append(("plan", plan))
    out = [f"{key}: {text}" for key, text in rows if text]
    if record.play:
        out += ["play:", *(_trick_text(i, trick) for i, trick in enumerate(record.play, 1))]
    if record.result is not None:
        out.append(f"result: {_result_text(record.result)}")
    return "\n".join(out) + "\n"


def _option(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
