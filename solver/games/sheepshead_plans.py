"""The picker's plan in Sheepshead: call, under card and bury (RULES.md 2.3, 2.6), and why one is barred."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from solver.games.sheepshead_options import SheepsheadOptions
from solver.games.sheepshead_score import TRUMPS
from solver.model.cards import Card, Deck
from solver.model.contract import Contract
from solver.model.limits import Holding, Limit

__all__ = ["barred", "fail_cards", "jack_to_call", "legal_plans", "ordinary_calls", "own_call", "plan_limits"]

_CALLS = tuple(Card(rank + suit) for rank in "AT" for suit in "CSH")


def fail_cards(cards: frozenset[Card], suit: str) -> frozenset[Card]:
    """Cards of a fail suit."""
    return frozenset(c for c in cards if c.suit == suit and c not in TRUMPS)


def ordinary_calls(cards: frozenset[Card], held: frozenset[Card], o: SheepsheadOptions) -> list[Card]:
    """Aces not in `held` that a picker with `cards` may call without an under card."""
    return [a for a in _CALLS[:3] if a not in held and (not o.hold_card or fail_cards(cards, a.suit))]


def jack_to_call(eight: frozenset[Card]) -> Card | None:
    """Jack that a picker who holds JD may call; None with all four."""
    return next((Card(j) for j in ("JH", "JS", "JC") if j not in eight), None)


def barred(eight: frozenset[Card], contract: Contract, o: SheepsheadOptions, size: int) -> str | None:
    """Why a plan is barred; None when it is legal.

    Parameters
    ----------
    eight
        The picker's cards with the blind, as far as they are known: without a bury named they may be fewer.
    contract
        With call, under card and bury.
    o
        House rules.
    size
        Cards of hand and blind.
    """
    named = (*contract.bury, *([contract.under] if contract.under else []))
    missing = [c for c in named if c not in eight]
    if missing:
        return f"the picker buries or puts under {' '.join(missing)} but does not hold it"
    if contract.under is not None and contract.under in contract.bury:
        return f"{contract.under} cannot be both buried and the under card"
    unknown = size - len(eight)
    spared = frozenset(c for c in eight if (not o.bury_trump and c in TRUMPS) or (not o.bury_ace and c.rank == "A"))
    against = sorted(spared & set(contract.bury))
    if against and not unknown and len(eight - spared) >= len(contract.bury):
        rule = "bury_trump" if against[0] in TRUMPS and not o.bury_trump else "bury_ace"
        return f"bury {' '.join(against)}: with {rule} off it is not buried while other cards are held"
    if not contract.called:
        jack = {"jd": "JD", "jc": "JC"}.get(o.partner)
        if contract.kind == "alone" and jack is not None and jack not in eight and not unknown:
            return f"alone: with partner={o.partner} the partner is who holds {jack}, and that is not the picker"
        return None
    return _bad_call(eight, contract, o, unknown)


def own_call(held: frozenset[Card], contract: Contract, o: SheepsheadOptions) -> str | None:
    """Why the called card may not be among cards of the picker; None when it may, or is not."""
    called, under = contract.called[0], contract.under
    if called not in held:
        return None
    if called.rank != "A" or not o.call_own_ace:
        return f"call {called}: the picker holds it"
    return None if under is None else f"under {under}: an ace of the picker's own is called without an under card"


def _bad_call(eight: frozenset[Card], contract: Contract, o: SheepsheadOptions, unknown: int) -> str | None:
    called, under, kept = contract.called[0], contract.under, eight - set(contract.bury)
    if called in TRUMPS:
        if "JD" not in eight and not unknown:
            return f"call {called}: a jack is called only with JD in hand"
        wanted = jack_to_call(eight)
        return None if called == wanted or unknown else f"call {called}: the picker may call {wanted or 'no jack'}"
    aces = frozenset(a for a in _CALLS[:3] if a in eight)
    if called in eight:
        return own_call(eight, contract, o) or (None if called in kept else f"call {called}: the picker must keep it")
    if called.rank == "T" and not o.call_ten:
        return f"call {called}: with call_ten off no ten is called"
    if called.rank == "T" and len(aces) + unknown < 3:
        return f"call {called}: a ten is called only with all three fail aces in hand"
    if under is None:
        if o.hold_card and not fail_cards(kept, called.suit):
            return f"call {called}: the picker must keep a card of that suit after the bury"
        return None
    if called.rank == "T":
        return f"under {under}: an under card goes with a called ace"
    tested, when = (eight, "") if o.under_test == "eight" else (kept, " after the bury")
    if own := fail_cards(tested, called.suit):
        return f"under {under}: the picker has {' '.join(sorted(own))} of the called suit{when}"
    if ordinary := ordinary_calls(tested, eight, o):
        return f"under {under}: an ordinary call is open ({' '.join(ordinary)}){when}"
    return None


def plan_limits(contract: Contract, o: SheepsheadOptions, deck: Deck, bury: int, *, under: bool) -> Iterator[Limit]:
    """What a legal plan says of the picker's cards, for those who do not see them: `barred`, turned round.

    Parameters
    ----------
    contract
        As announced.
    o, deck, bury
        House rules, the cards, how many are buried.
    under
        Whether an under card lies that is not named.
    """
    kept, put, eight = frozenset({"kept"}), frozenset({"bury"}), frozenset({"kept", "bury"})
    cards = frozenset(deck.cards)

    def none(of: Iterable[Card], where: frozenset[str]) -> Holding:
        return Holding(frozenset(of), where, 0, 0)

    def some(of: Iterable[Card], where: frozenset[str]) -> Holding:
        return Holding(frozenset(of), where, 1)

    for option, spared in (("bury_trump", cards & set(TRUMPS)), ("bury_ace", {c for c in cards if c.rank == "A"})):
        if not getattr(o, option):
            free = cards - frozenset(c for c in cards if not _free(c, o))
            want = Holding(free, eight, 0, bury - 1)
            yield Limit((none(spared, put), want), f"with {option} off others are buried first")
    jack = {"jd": Card("JD"), "jc": Card("JC")}.get(o.partner)
    if not contract.called:
        if contract.kind == "alone" and jack is not None:
            yield Limit((some([jack], eight),), f"who plays alone has {jack}")
        return
    called = contract.called[0]
    if called in TRUMPS:
        order = ("JD", "JH", "JS", "JC")
        for j in order[: order.index(called)]:
            yield Limit((some([Card(j)], eight),), f"{called} is called with the jacks below it in hand")
        yield Limit((none([called], eight),), "the called card is not the picker's")
        return
    fails = {a.suit: fail_cards(cards, a.suit) for a in _CALLS[:3]}
    own = called.rank == "A" and o.call_own_ace and contract.under is None and not under
    yield Limit((none([called], put if own else eight),), f"the called card is not {'buried' if own else 'its own'}")
    if called.rank == "T":
        for ace in _CALLS[:3]:
            yield Limit((some([ace], eight),), "a ten is called with all three fail aces")
    if contract.under is None and not under:
        if o.hold_card:
            yield Limit((some(fails[called.suit], kept),), "a card of the called suit is kept to call")
        return
    tested = eight if o.under_test == "eight" else kept
    for ace in _CALLS[:3]:
        why = f"with an under card no ace may be callable ({ace})"
        if o.hold_card:
            holds = (some([ace], eight),) if ace != called else ()
            yield Limit((*holds, none(fails[ace.suit], tested)), why)
        else:
            yield Limit((some([ace], eight),), why)


def _free(card: Card, o: SheepsheadOptions) -> bool:
    """Whether a card may be buried without need."""
    return not ((not o.bury_trump and card in TRUMPS) or (not o.bury_ace and card.rank == "A"))


def legal_plans(
    eight: frozenset[Card], contract: Contract, o: SheepsheadOptions, deck: Deck, bury: int
) -> Iterator[Contract]:
    """Every legal plan of a picker's cards with the blind, `bury` of them buried; what `contract` names is kept."""
    cards = deck.sort(eight)
    jacks = [j for j in [jack_to_call(eight)] if o.jd_call_up and "JD" in eight and j is not None]
    choices: list[Card | None] = [*(_CALLS if o.partner == "called" else jacks)]
    alone = "alone" if o.partner == "called" or (o.jd_call_up and "JD" in eight) else contract.kind
    if contract.called:
        choices = [c for c in choices if c in contract.called]
    elif contract.kind == "alone":
        choices = []
    if not contract.called:
        choices.append(None)
    no_under = o.under_test == "eight" and bool(ordinary_calls(eight, eight, o))
    for called in choices:
        if called in eight and not (o.call_own_ace and called is not None and called.rank == "A"):
            continue
        unders: list[Card | None] = [None]
        if called is not None and called.rank == "A" and not no_under:
            unders += cards
        for under in unders if contract.under is None else [u for u in unders if u == contract.under]:
            for put in combinations(cards, bury):
                if contract.bury and set(put) != set(contract.bury):
                    continue
                kind = alone if called is None else ""
                plan = replace(contract, called=() if called is None else (called,), under=under, bury=put, kind=kind)
                if barred(eight, plan, o, len(eight)) is None:
                    yield plan
