"""A seat's card by what it can know, for the kit: the slow twin of `solver.seat.firstlead` and those that use it.

A seat considers every deal in which its own hand is its own and every card played so far was legal. Each of its cards
is worth, in each of those deals, what its side takes when from the next card on all see everything (0.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from types import ModuleType

from . import minimax

Hands = list[frozenset[str]]


def splits(cards: frozenset[str], sizes: list[int]) -> Iterator[Hands]:
    """Every way to deal cards to seats."""
    if not sizes:
        yield []
        return
    for hand in combinations(sorted(cards), sizes[0]):
        for rest in splits(cards - set(hand), sizes[1:]):
            yield [frozenset(hand), *rest]


def replayed(game: ModuleType, hands: Hands, leader: int, played: list[str], ctx: dict) -> minimax.State | None:
    """Where the play stands; None when a card was not legal."""
    state = minimax.start(hands, leader, [], ctx)
    for card in played:
        if (card, False) not in minimax.moves(game, state):
            return None
        state = minimax.play(game, state, (card, False))[0]
    return state


def taken(game: ModuleType, hands: Hands, leader: int, played: list[str], ctx: dict, side: frozenset[int]) -> int:
    """Tricks of a side so far."""
    state, total = minimax.start(hands, leader, [], ctx), 0
    for card in played:
        state, gains = minimax.play(game, state, (card, False))
        total += sum(gains[s] for s in side)
    return total


def worlds(game: ModuleType, seat: int, hand: frozenset[str], leader: int, played: list[str], ctx: dict) -> list[Hands]:
    """Deals that a seat considers possible."""
    others = frozenset(game.DECK) - hand
    seats = len(game.DECK) // len(hand)
    found = []
    for rest in splits(others, [len(hand)] * (seats - 1)):
        hands = [*rest[:seat], hand, *rest[seat:]]
        if replayed(game, hands, leader, played, ctx) is not None:
            found.append(hands)
    return found


def names(game: ModuleType, hand: frozenset[str], played: list[str], trump: str | None) -> dict[str, int]:
    """Numbers of the cards under the names of suits that make hand and play least; trumps keep their name."""
    suits = sorted({card[0] for card in game.DECK}, key="ots".index)
    ranks = len(game.DECK) // len(suits)
    found = []
    for order in permutations(range(len(suits))):
        if trump is not None and order[suits.index(trump)] != suits.index(trump):
            continue
        number = {c: order[suits.index(c[0])] * ranks + int(c[1:]) for c in game.DECK}
        found.append((sorted(number[c] for c in hand), [number[c] for c in played], order, number))
    return min(found, key=lambda one: one[:3])[3]


def choice(
    game: ModuleType, hands: Hands, leader: int, played: list[str], ctx: dict, side: frozenset[int], need: int,
    needs: list[int], memo: dict,
) -> str:  # fmt: skip
    """Card of the seat on turn: best at `need`, then at all `needs` together, then the weakest, then by its name."""
    state = replayed(game, hands, leader, played, ctx)
    assert state is not None
    seat = minimax.to_move(state)
    key = (seat, hands[seat], leader, tuple(played), side, need)
    if key in memo:
        return memo[key]
    score: dict[str, list[int]] = {move[0]: [0] * len(needs) for move in minimax.moves(game, state)}
    for world in worlds(game, seat, hands[seat], leader, played, ctx):
        now = replayed(game, world, leader, played, ctx)
        before = taken(game, world, leader, played, ctx, side)
        values = minimax.move_values(game, list(now.hands), now.leader, list(now.trick), now.ctx, side)
        for (card, _), value in values.items():
            for i, level in enumerate(needs):
                score[card][i] += (before + value >= level) == (seat in side)
    number = names(game, hands[seat], played, ctx.get("trump"))

    def worth(card: str) -> tuple[int, int, int, int]:
        return score[card][needs.index(need)], sum(score[card]), -int(card[1:]), -number[card]

    memo[key] = max(score, key=worth)
    return memo[key]


def blind(
    game: ModuleType, hands: Hands, leader: int, ctx: dict, side: frozenset[int], needs: list[int], memo: dict
) -> list[bool]:
    """Whether the side reaches each need when the first card is chosen blind and the rest is played double dummy."""
    out = []
    values = minimax.move_values(game, hands, leader, [], ctx, side)
    for need in needs:
        card = choice(game, hands, leader, [], ctx, side, need, needs, memo)
        out.append(values[card, False] >= need)
    return out


def played_out(
    game: ModuleType, hands: Hands, leader: int, ctx: dict, side: frozenset[int], need: int, needs: list[int],
    memo: dict,
) -> list[str]:  # fmt: skip
    """Cards of a deal in which every seat plays its choice."""
    played: list[str] = []
    for _ in range(len(game.DECK)):
        played.append(choice(game, hands, leader, played, ctx, side, need, needs, memo))
    return played
