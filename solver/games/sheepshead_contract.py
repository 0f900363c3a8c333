"""What a contract of Sheepshead may say under the house rules, as far as it can be judged without the hands."""

from __future__ import annotations

from dataclasses import replace

from solver.games.sheepshead_options import SheepsheadOptions
from solver.games.sheepshead_score import NO_PICK, TRUMPS
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import NotationError

__all__ = ["DOUBLES", "check_contract"]

#: Calls that double.
DOUBLES = ("doubler", "crack", "recrack", "blitz")


def check_contract(contract: Contract, o: SheepsheadOptions, bury: int) -> Contract:
    """Return a contract that the house rules allow, completed; the picker buries `bury` cards.

    Raises
    ------
    NotationError
        Naming what they do not allow.
    """
    _check_doubles(contract.doubles, o)
    if contract.kind in NO_PICK:
        return _check_no_pick(contract, o)
    if contract.target is None:
        contract = replace(contract, target=61)
    if not 1 <= contract.target <= 120:  # type: ignore[operator]
        raise NotationError(f"a target of {contract.target}: card points go from 1 to 120")
    plan = contract.called or contract.bury or contract.under or contract.kind
    if o.partner == "queens" and (contract.declarer is not None or plan):
        raise NotationError(
            "with partner=queens nobody picks, buries or calls: the contract has 'lead' and 'side' only"
        )
    if contract.bury and len(contract.bury) != bury:
        raise NotationError(f"the bury {' '.join(contract.bury)}: the picker buries {bury} cards")
    if len(contract.called) > 1:
        raise NotationError(f"call {' '.join(contract.called)}: one card is called")
    for card in contract.called:
        _check_call(card, contract.kind, o)
    if contract.under is not None and not (contract.called and contract.called[0] not in TRUMPS):
        raise NotationError(f"under {contract.under}: an under card goes with a called ace")
    return replace(contract, kind="") if o.partner == "none" else contract


def _check_call(card: Card, kind: str, o: SheepsheadOptions) -> None:
    if kind == "alone":
        raise NotationError(f"call {card} and 'alone': a picker who calls does not play openly alone")
    if o.jd_call_up:
        if card not in ("JH", "JS", "JC"):
            raise NotationError(f"call {card}: with jd_call_up on one of JH JS JC is called")
    elif o.partner != "called":
        raise NotationError(f"call {card}: with partner={o.partner} nothing is called")
    elif card in TRUMPS or card.rank not in "AT":
        raise NotationError(f"call {card}: a fail ace is called, or with all three of them a fail ten")


def _check_no_pick(contract: Contract, o: SheepsheadOptions) -> Contract:
    """A leaster or its like: no plan, no target; at most one seat is asked about."""
    kind = contract.kind
    if o.partner == "queens":
        raise NotationError(f"a {kind} with partner=queens: there is no auction to pass in")
    if o.no_pick != kind:
        raise NotationError(f"a {kind} with no_pick={o.no_pick}: none is played when all pass")
    if contract.target is not None or contract.called or contract.bury or contract.under or contract.doubles:
        raise NotationError(f"a {kind} has no target, call, bury, under card or doubling: write '{kind}, side 2'")
    side = contract.side or frozenset()
    if contract.declarer is not None:
        side |= {contract.declarer}
    if len(side) > 1:
        raise NotationError(f"a {kind} with side {' '.join(map(str, sorted(side)))}: each plays for itself, name one")
    return replace(contract, side=side or None)


def _check_doubles(doubles: tuple[str, ...], o: SheepsheadOptions) -> None:
    needs = {
        "doubler": ("no_pick", ("doubler",)),
        "crack": ("crack", ("crack", "recrack")),
        "recrack": ("crack", ("recrack",)),
        "blitz": ("blitz", (True,)),
    }
    for word in doubles:
        option, values = needs[word]
        value = getattr(o, option)
        if value not in values:
            raise NotationError(f"{word}: the house rules have none, as {option} is {value}")
        if doubles.count(word) > 1 and not (word == "doubler" and o.doubler_stacks):
            raise NotationError(f"{word} stands {doubles.count(word)} times: it counts once")
    if "recrack" in doubles and "crack" not in doubles:
        raise NotationError("recrack: only a crack is answered by it")
