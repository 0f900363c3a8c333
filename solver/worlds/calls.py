"""What the calls of an auction say for certain of the hands that others were dealt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from solver.games.auction import Auction
from solver.model.cards import Card
from solver.model.errors import UnsupportedError
from solver.model.limits import HandTest
from solver.worlds.counting import Condition, Counter
from solver.worlds.own import dealt_hand

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.situation import Situation

__all__ = ["auction_of", "call_conditions"]


def auction_of(known: Knowledge) -> Auction | None:
    """The auction so far, checked as far as hands are known; None where the game has none or nobody has called.

    Raises
    ------
    IllegalPlayError
        For a call out of turn or barred, with the rule.
    """
    if not known.calls:
        return None
    game = known.game
    anything = frozenset(game.deck.cards)
    hands = [hand if hand and len(hand) == game.hand_size else anything for hand in known.shown]
    hands[known.seat] = dealt_hand(known) or anything
    auction = game.auction(dealer=known.dealer, hands=tuple(hands))
    for call in known.calls:
        auction = auction.call(call.word, call.seat)
    return auction


def call_conditions(known: Knowledge, one: Situation) -> list[Condition]:
    """Conditions on worlds, from the calls of the other seats."""
    with suppress(UnsupportedError):
        auction = auction_of(known)
        if auction is not None:
            tests = [test for test in auction.hand_tests() if test.seat != known.seat]
            return list(_conditions(known, one, tests))
    return []


def _conditions(known: Knowledge, one: Situation, tests: Sequence[HandTest]) -> Iterator[Condition]:
    """A condition for all tests together where a hidden pass couples them, else one for each."""
    game, contract = known.game, one.contract
    declarer = None if contract is None else contract.declarer
    passing = one.stage == "play" and declarer is not None and _passing(known)
    if not tests:
        return
    if passing and contract is not None and declarer != known.seat and dealt_hand(known) is None:
        return  # which of the own cards was passed is not known, so that any may have been the declarer's
    given = {} if contract is None else {card: seat for seat, card in contract.passes}
    talon = known.talon or frozenset()
    hidden = [s for s in range(game.seats) if s not in (declarer, known.seat) and s not in given.values()]
    if passing and declarer is not None and declarer != known.seat and hidden:
        yield _hidden_pass(one, tests, declarer, hidden[0], given, talon)
        return
    for test in tests:
        places = {test.seat}
        skip = frozenset(c for c, seat in given.items() if seat == test.seat) if one.stage == "play" else frozenset()
        more: frozenset[Card] = frozenset()
        if test.seat == declarer and one.stage != "deal":
            more = frozenset(given)
            skip = (talon | frozenset(contract.taken)) if contract is not None else talon
            places |= {x for x in (one.place("bury"), -1) if x is not None} if one.stage == "play" else set()
        yield _plain(test, frozenset(places), more, skip)


def _passing(known: Knowledge) -> bool:
    return any(h > known.game.hand_size for h, t in known.game.sizes if t == 0)


def _plain(test: HandTest, places: frozenset[int], more: frozenset[Card], skip: frozenset[Card]) -> Condition:
    """The cards dealt are those that lie in the places, and `more`, less `skip`."""
    cards = tuple(c for c in test.cards if c not in skip)
    sure = frozenset(test.cards) & more

    def accept(counts: tuple[int, ...]) -> bool:
        return test.test(sure | frozenset(c for c, n in zip(cards, counts, strict=True) if n))

    return Condition(tuple(Counter(frozenset({c}), places, 1) for c in cards), accept, test.why)


def _hidden_pass(
    one: Situation,
    tests: Sequence[HandTest],
    declarer: int,
    other: int,
    given: dict[Card, int],
    talon: frozenset[Card],
) -> Condition:
    """Some card of the other defender's hand is the declarer's pass: one at least must explain all bids.

    The cards that matter are followed one by one, with the declarer and with the other defender.
    """
    cards = tuple(dict.fromkeys([*(c for test in tests for c in test.cards), *sorted(talon)]))
    counters = tuple(Counter(frozenset({c}), frozenset({seat}), 1) for seat in (declarer, other) for c in cards)
    total = next(h for h, t in one.game.sizes if t == 0)

    def accept(counts: tuple[int, ...]) -> bool:
        with_declarer = frozenset(c for c, n in zip(cards, counts, strict=False) if n)
        with_other = frozenset(c for c, n in zip(cards, counts[len(cards) :], strict=True) if n)
        passed: list[frozenset[Card]] = [frozenset({c}) for c in with_other & talon]
        if not passed:
            passed = [frozenset({c}) for c in with_other]
            if len(with_other) < total:
                passed.append(frozenset())
        for some in passed:
            dealt = {declarer: (with_declarer | some | set(given)) - talon, other: with_other - some}
            if all(test.test(dealt[test.seat] & set(test.cards)) for test in tests):
                return True
        return False

    return Condition(counters, accept, "; ".join(f"seat {test.seat}: {test.why}" for test in tests))
