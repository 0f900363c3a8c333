"""Every world of a seat by trying all of them: the slow twin of `solver.worlds`, written from RULES.md alone.

A world is where each unseen card lies before the first lead: in a seat's hand, in the bury, face down as under card, or
in a talon that nobody takes. It is possible when the plan is legal for it and every card played is legal in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from types import ModuleType
from typing import NamedTuple

from . import minimax, sheepshead, thousand

Place = int | str
World = dict[Place, frozenset[str]]


class Seen(NamedTuple):
    """What one seat saw: cards known to lie in each place before the first lead, sizes of the places, the play."""

    deck: list[str]
    known: World
    sizes: dict[Place, int]
    leader: int
    played: list[tuple[int, str, bool]]
    picker: int | None
    ctx: dict


def unseen(seen: Seen) -> list[str]:
    """Cards whose place is not known: in no known place and not played."""
    gone = set().union(*seen.known.values()) | {card for _, card, _ in seen.played}
    return [c for c in seen.deck if c not in gone]


def start_known(seen: Seen) -> World:
    """Known cards with those that were played."""
    out = {place: set(seen.known.get(place, ())) for place in seen.sizes}
    for seat, card, _ in seen.played:
        out[seat].add(card)
    return {place: frozenset(cards) for place, cards in out.items()}


def room(seen: Seen) -> dict[Place, int]:
    """Unseen cards that each place takes."""
    known = start_known(seen)
    return {place: size - len(known[place]) for place, size in seen.sizes.items()}


def candidates(seen: Seen) -> int:
    """How many ways there are to lay out the unseen cards, possible or not."""
    left, total = len(unseen(seen)), 1
    for size in room(seen).values():
        total *= comb(left, size)
        left -= size
    return total


def layouts(cards: list[str], sizes: list[tuple[Place, int]]) -> Iterator[World]:
    """Every way to lay out cards."""
    if not sizes:
        yield {}
        return
    (place, size), rest = sizes[0], sizes[1:]
    for some in combinations(cards, size):
        left = [c for c in cards if c not in some]
        for more in layouts(left, rest):
            yield {place: frozenset(some), **more}


def replays(game: ModuleType, seen: Seen, hands: list[frozenset[str]], ctx: dict) -> bool:
    """Whether every card played is legal from these hands."""
    state = minimax.start(hands, seen.leader, [], ctx)
    for seat, card, declare in seen.played:
        if minimax.to_move(state) != seat:
            return False
        move = (card, declare)
        if move not in game.legal(seat, state.hands[seat], minimax.table(state), state.ctx):
            return False
        state, _ = minimax.play(game, state, move)
    return True


def possible(game: ModuleType, seen: Seen, plan_ok: Callable[[World], bool]) -> Iterator[World]:
    """Every possible world, as the unseen cards of each place."""
    known, seats = start_known(seen), [p for p in seen.sizes if isinstance(p, int)]
    for world in layouts(unseen(seen), [*room(seen).items()]):
        full = {place: known[place] | world[place] for place in seen.sizes}
        if not plan_ok(full):
            continue
        hands, ctx = [full[s] for s in sorted(seats)], seen.ctx
        if full.get("under"):
            ctx = {**ctx, "under": next(iter(full["under"]))}
            hands[seen.picker] |= full["under"]
        if replays(game, seen, hands, ctx):
            yield world


# --------------------------------------------------------------------- plans


def picker_plan(
    picker: int, call: str | None, alone: bool, under: str | None, partner: str, rules: dict
) -> Callable[[World], bool]:
    """Whether the picker's hand, bury and under card come from a legal plan (2.3, 2.6, 2.11)."""

    def ok(world: World) -> bool:
        hidden = world.get("under", frozenset())
        card = next(iter(hidden), under)
        bury = world.get("bury", frozenset())
        eight = set(world[picker] | hidden | bury)
        plans = sheepshead.house_plans(eight, len(bury), **rules)
        if call is None:
            jack = {"jd": "JD", "jc": "JC"}.get(partner)
            return (None, None, bury) in plans and not (alone and jack and jack not in eight)
        if call in sheepshead.TRUMPS:
            return (None, None, bury) in plans and (call, None, bury) in sheepshead.jack_plans(eight, len(bury))
        return (call, card, bury) in plans

    return ok


def bids_ok(
    bids: dict[int, int], declarer: int, me: int, talon: frozenset[str], passes: dict[int, str], capped: bool
) -> Callable[[World], bool]:
    """Whether some hidden pass explains the talon's cards and every bid above 120 (3.3, 3.13)."""

    def fits(seat: int, dealt: frozenset[str]) -> bool:
        return not capped or bids.get(seat, 0) <= max(120, thousand.cap(dealt))

    def ok(world: World) -> bool:
        others = [s for s in range(3) if s not in (declarer, me)]
        if declarer == me or set(others) <= set(passes):
            full = world[declarer] | set(passes.values())
            dealt = {s: world[s] - {passes.get(s)} for s in others}
            if any(dealt[s] & talon for s in others):
                return False
            return all(fits(s, dealt[s]) for s in others) and (declarer == me or fits(declarer, full - talon))
        other = others[0]
        for card in world[other]:
            if (world[other] - {card}) & talon:
                continue
            dealt_declarer = (world[declarer] | set(passes.values()) | {card}) - talon
            if fits(other, world[other] - {card}) and fits(declarer, dealt_declarer):
                return True
        return False

    return ok
