"""What a seat is told: a contract of which parts may be unknown, and what an auction came to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solver.games.auction import NO_DEAL, Auction, BidAuction, Result
from solver.games.clauses import read_clauses
from solver.model.checks import excerpt
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError
from solver.worlds.calls import auction_of

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

__all__ = ["follow_auction", "read_contract"]


def read_contract(known: Knowledge, text: str) -> tuple[Contract, frozenset[str]]:
    """Read a contract of which parts may be written ``?`` or left out."""
    given: dict[str, Any] = {}
    hidden: set[str] = set()
    game = known.game
    for clause in read_clauses(text, game.name, game.spoken):
        if clause.word not in game.clauses:
            allowed = ", ".join(sorted(game.clauses))
            raise NotationError(f"{game.name} has no {excerpt(clause.word)} ({clause.where(text)}): it has {allowed}")
        if "?" in clause.rest:
            if clause.word not in ("bury", "under", "pass"):
                raise NotationError(
                    f"'?' at {excerpt(clause.word)} of {excerpt(text)}: it stands for a bury, an under card, a pass"
                )
            hidden.add(clause.word)
            continue
        game.read_clause(clause, given, text)
    given.setdefault("leader", game.first_leader(given.get("declarer"), known.dealer))
    contract = Contract(**given)
    if len({s for s, _ in contract.passes}) != len(contract.passes):
        raise NotationError(f"two cards are passed to one seat in {excerpt(text)}: one goes to each")
    # Passes may be known in part, which a game does not allow in a contract.
    passes = contract.passes
    return replace(game.check_contract(replace(contract, passes=())), passes=passes), frozenset(hidden)


def follow_auction(known: Knowledge) -> Contract | None:
    """The contract, completed from the auction where that is over.

    Raises
    ------
    IllegalPlayError
        When the auction cannot have come, or come yet, to that contract.
    """
    auction, contract = auction_of(known), known.agreed
    if auction is None:
        return contract
    result = auction.result
    if result is None:
        if contract is not None:
            _may_come(auction, contract)
        return contract
    if contract is None:
        return None if result.kind in NO_DEAL else _bare(known, result)
    by = f"but by the auction {result.text}"
    if result.kind in NO_DEAL:
        raise IllegalPlayError(f"a contract is told, {by}")
    if contract.declarer not in (None, result.declarer):
        raise IllegalPlayError(f"seat {contract.declarer} is said to play, {by}")
    if result.declarer is None:
        if contract.kind not in ("", result.kind):
            raise IllegalPlayError(f"{excerpt(contract.kind)} is said to be played, {by}")
        # A contract that names no kind was completed as if there were a declarer.
        return contract if contract.kind else known.game.check_contract(
            replace(contract, kind=result.kind, target=None)
        )  # fmt: skip
    if contract.kind in known.game.undeclared:
        raise IllegalPlayError(f"a {contract.kind} is said to be played, {by}")
    if contract.declarer is None:
        contract = replace(contract, declarer=result.declarer)
    if contract.target is None:
        contract = replace(contract, target=result.bid)
    elif result.bid is not None and contract.target < result.bid:
        raise IllegalPlayError(f"the contract is {contract.target}, lower than the bid of {result.bid}")
    elif result.bid is not None and contract.target > result.bid and not known.game.may_raise:
        raise IllegalPlayError(
            f"the contract is {contract.target}, higher than the bid of {result.bid}: {known.game.name} has no raise "
            "after the auction"
        )
    return contract


def _bare(known: Knowledge, result: Result) -> Contract:
    """The contract that an auction comes to, without a plan."""
    lead = known.game.first_leader(result.declarer, known.dealer)
    kind = "" if result.declarer is not None else result.kind
    return known.game.check_contract(Contract(declarer=result.declarer, target=result.bid, leader=lead, kind=kind))


def _may_come(auction: Auction, contract: Contract) -> None:
    """Refuse a contract to which an auction that goes on cannot come any more."""
    seat, bid = contract.declarer, contract.target
    if seat is not None and any(c.seat == seat and c.word == "pass" for c in auction.calls):
        end = auction  # who has passed plays only where all others pass too and a rule then names it
        while end.result is None and "pass" in end.legal():
            end = end.call("pass")
        if end.result is None or end.result.declarer != seat:
            raise IllegalPlayError(f"seat {seat} is said to play, but it has passed")
    standing = auction.standing if isinstance(auction, BidAuction) else None
    if standing is None or bid is None:
        return
    if bid < standing[1]:
        raise IllegalPlayError(f"the contract is {bid}, lower than the bid of {standing[1]}")
    if bid == standing[1] and seat not in (None, standing[0]):
        raise IllegalPlayError(f"seat {seat} is said to play, but the bid of {bid} is that of seat {standing[0]}")
