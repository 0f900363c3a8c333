"""A record replayed: the plan, the cards, and what the deal comes to.

Where hands are not written, the position is set up from the cards that are known, and followed as far as they prove
something; a deal played to its end shows every hand, and is then judged as a whole.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from solver.deals.legality import Finding, Follower, Known, find_under
from solver.formats.record import Record
from solver.games import Game
from solver.model.cards import Card
from solver.model.contract import Contract, Outcome
from solver.model.deal import Deal
from solver.model.errors import IllegalPlayError, TrickwiseError
from solver.model.play import Position

__all__ = ["Replay", "replay"]


@dataclass(frozen=True)
class Replay:
    """What following the cards has shown."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    outcome: Outcome | None = None


def replay(record: Record, contract: Contract, line: int | None) -> Replay:
    """Follow the plan and the cards of a record.

    Parameters
    ----------
    record
        As read.
    contract
        Completed from the auction and checked by the game.
    line
        Where the plan stands, for what is wrong with it.
    """
    deal = record.deal if not record.hidden else None
    if deal is None and record.talon is None and None not in record.hands and not record.hidden:
        hands = [hand for hand in record.hands if hand is not None]
        rest = frozenset(record.game.deck.cards).difference(*hands)
        deal = Deal(record.game, tuple(hands), rest)
    if deal is not None:
        return _follow_deal(record, deal, contract, line)
    return _follow_view(record, contract, line)


def _follow_deal(record: Record, deal: Deal, contract: Contract, line: int | None) -> Replay:
    """Follow a deal of which everything is known."""
    try:
        position = record.game.start(deal, contract)
    except TrickwiseError as wrong:
        notes = ("the play is not checked, as the plan cannot be played",) if record.play else ()
        return Replay((Finding(line, "plan", str(wrong), seat=contract.declarer),), notes)
    away = _away(record, contract) | frozenset(record.game.deck.cards).difference(*position.hands)
    follower = Follower(record, position, [Known(hand, None, True) for hand in position.hands], away)
    follower.run()
    if follower.findings_stop or not (follower.ended or _shown(contract, record)):
        return Replay(tuple(follower.findings), tuple(follower.notes))
    try:
        outcome = record.game.settle(follower.position, contract)
    except TrickwiseError as wrong:
        follower.notes.append(f"the deal is not settled: {wrong}")
        return Replay(tuple(follower.findings), tuple(follower.notes))
    return Replay(tuple(follower.findings), (*follower.notes, f"settlement: {_settled(outcome)}"), outcome)


def _shown(contract: Contract, record: Record) -> bool:
    """Whether the deal may be scored without play, from the hands."""
    return bool(contract.kind) and contract.declarer is None and not record.play


def _settled(outcome: Outcome) -> str:
    return f"{outcome.text}; scores {' '.join(map(str, outcome.scores))}"


def _away(record: Record, contract: Contract) -> frozenset[Card]:
    """Cards known to be in no hand."""
    talon = record.talon if contract.declarer is None and record.talon else frozenset()
    return frozenset(contract.bury) | talon


# --------------------------------------------------------------------- partial records


def _follow_view(record: Record, contract: Contract, line: int | None) -> Replay:
    """Follow a record that shows only some hands; played to the end it shows all of them."""
    game = record.game
    tricks = next((h for h, t in game.sizes if t == 0), game.hand_size)
    plan = _plan_findings(record, contract, line)
    if plan:
        return Replay(tuple(plan), ("the play is not checked, as the plan cannot be played",) if record.play else ())
    try:
        template = _template(game, contract)
        if "under" in record.hidden:
            under = find_under(template, record.play, contract)
            if under is not None:
                contract = replace(contract, under=under)
                template = _template(game, contract)
    except TrickwiseError as wrong:
        return Replay((Finding(line, "plan", str(wrong), seat=contract.declarer),), ())
    known = _knowledge(record, contract, tricks)
    blind = contract.declarer is None and record.talon is None
    follower = Follower(record, template, known, _away(record, contract), tricks, blind)
    follower.run()
    notes = list(follower.notes)
    notes.append("hands that are not written are judged by the cards they play")
    if follower.findings_stop or not follower.ended:
        return Replay(tuple(follower.findings), tuple(notes))
    full = _all_known(record, contract, follower.where)
    whole = _follow_deal(replace(record, hands=full[0].hands, talon=full[0].talon), *full, line)
    return Replay(whole.findings, (*whole.notes, "all cards have been played, so every hand is known"), whole.outcome)


def _template(game: Game, contract: Contract) -> Position:
    """A position before the first lead with the right rules, leader and trump, and cards of no meaning."""
    size = next((h for h, t in game.sizes if t == 0), game.hand_size)
    others = [s for s in range(game.seats) if s != contract.declarer]
    order = [*others, *([] if contract.declarer is None else [contract.declarer])]
    cards = sorted(game.deck.cards, key=lambda c: (c not in contract.called, c == contract.under))
    hands = {seat: frozenset(cards[i * size : (i + 1) * size]) for i, seat in enumerate(order)}
    deal = Deal(game, tuple(hands[s] for s in range(game.seats)))
    bare = replace(contract, bury=(), passes=(), taken=())
    try:
        return game.start(deal, bare)
    except IllegalPlayError:  # such as a hand that does not allow the call
        side = frozenset({0 if contract.declarer is None else contract.declarer})
        return game.start(deal, replace(bare, side=contract.side or side))


def _knowledge(record: Record, contract: Contract, size: int) -> list[Known]:
    """What the record tells of each hand before the first lead."""
    passed: dict[int, frozenset[Card]] = {seat: frozenset({card}) for seat, card in contract.passes}
    gone = frozenset(contract.bury) | {card for _, card in contract.passes}
    out = []
    for seat, hand in enumerate(record.hands):
        got = passed.get(seat, frozenset())
        if hand is None:
            out.append(Known(got))
        elif record.talon is not None and not record.talon:  # as played, or nothing is ever taken
            out.append(Known(hand, None, True))
        elif seat == contract.declarer:
            if record.talon is None:
                out.append(Known())
                continue
            rest = (hand | (frozenset(contract.taken) or record.talon)) - gone
            whole = len(rest) == size
            out.append(Known(rest if whole else frozenset(), rest, whole))
        else:
            held = hand | got
            out.append(Known(held, None, len(held) == size))
    return out


def _plan_findings(record: Record, contract: Contract, line: int | None) -> list[Finding]:
    """What is wrong with the plan as far as the hands are known."""
    out = []
    declarer = contract.declarer
    named = [*((card, "passed") for _, card in contract.passes), *((card, "buried") for card in contract.bury)]
    if record.talon or record.talon is None:
        for card, word in named:
            holder = next(
                (s for s, h in enumerate(record.hands) if h is not None and card in h and s != declarer), None
            )
            if holder is not None and declarer is not None:
                text = f"{card} is {word} by seat {declarer}, but seat {holder} was dealt it"
                out.append(Finding(line, "plan", text, seat=declarer, card=str(card)))
    own = None if declarer is None else record.hands[declarer]
    if out or own is None or record.talon is None or record.hidden or not (named or contract.called):
        return out
    unseen = set(record.game.deck.cards).difference(record.talon, *(h for h in record.hands if h is not None))
    left = sorted(unseen, key=lambda c: c not in contract.called)
    hands = []
    for hand in record.hands:
        hands.append(frozenset(left[: len(own)]) if hand is None else hand)
        left = left[len(own) :] if hand is None else left
    try:
        record.game.start(Deal(record.game, tuple(hands), record.talon), contract)
    except TrickwiseError as wrong:
        out.append(Finding(line, "plan", str(wrong), seat=declarer))
    return out


def _all_known(record: Record, contract: Contract, where: dict[Card, tuple[int, int]]) -> tuple[Deal, Contract]:
    """The deal as played, from where each card was played, and the contract to go with it."""
    game = record.game
    hands = tuple(frozenset(c for c, (_, seat) in where.items() if seat == s) for s in range(game.seats))
    rest = frozenset(game.deck.cards) - where.keys()
    bare = replace(contract, passes=(), taken=())
    if contract.declarer is None or not rest:
        return Deal(game, hands, rest), bare
    if not contract.bury and "bury" in game.clauses:
        with suppress(TrickwiseError):  # where some of these cards were never the declarer's
            bare = game.check_contract(replace(bare, bury=tuple(game.deck.sort(rest))))
    return Deal(game, hands), bare
