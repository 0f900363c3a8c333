"""What a seat is told: a contract of which parts may be unknown, and what an auction came to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solver.games.auction import NO_DEAL
from solver.games.clauses import read_clauses
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
            raise NotationError(
                f"{game.name} has no {clause.word!r} (place {clause.place} of {text!r}): it has {allowed}"
            )
        if "?" in clause.rest:
            if clause.word not in ("bury", "under", "pass"):
                raise NotationError(f"'?' at {clause.word!r} of {text!r}: it stands for a bury, an under card, a pass")
            hidden.add(clause.word)
            continue
        game.read_clause(clause, given, text)
    given.setdefault("leader", game.first_leader(given.get("declarer"), known.dealer))
    contract = Contract(**given)
    if len({s for s, _ in contract.passes}) != len(contract.passes):
        raise NotationError(f"two cards are passed to one seat in {text!r}: one goes to each")
    # Passes may be known in part, which a game does not allow in a contract.
    passes = contract.passes
    return replace(game.check_contract(replace(contract, passes=())), passes=passes), frozenset(hidden)


def follow_auction(known: Knowledge) -> Contract | None:
    """The contract, completed from the auction where that is over."""
    auction, contract = auction_of(known), known.agreed
    result = None if auction is None else auction.result
    if result is None:
        return contract
    if result.kind in NO_DEAL:
        return None
    if contract is None:
        lead = known.game.first_leader(result.declarer, known.dealer)
        kind = "" if result.declarer is not None else result.kind
        bare = Contract(declarer=result.declarer, target=result.bid, leader=lead, kind=kind)
        return known.game.check_contract(bare)
    if contract.declarer is None and result.declarer is not None:
        contract = replace(contract, declarer=result.declarer)
    elif contract.declarer != result.declarer:
        raise IllegalPlayError(f"seat {contract.declarer} is said to play, but by the auction {result.text}")
    if contract.target is None:
        contract = replace(contract, target=result.bid)
    elif result.bid is not None and contract.target < result.bid:
        raise IllegalPlayError(f"the contract is {contract.target}, lower than the bid of {result.bid}")
    return contract
