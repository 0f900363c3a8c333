"""Unpruned search over any of the rule modules, RULES.md sections 0.2, 0.3 and 1.7 (K8).

Points count from the given position on: the whole trick on the table, later tricks, later bonuses.
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

Move = tuple[str, bool]
Hands = tuple[frozenset[str], ...]


class State(NamedTuple):
    """Hands, leader of the current trick, cards of the current trick, context."""

    hands: Hands
    leader: int
    trick: tuple[str, ...]
    ctx: dict


def start(hands: list[frozenset[str]], leader: int, trick: list[str], ctx: dict) -> State:
    """State from the plain arguments of the public functions."""
    return State(tuple(frozenset(h) for h in hands), leader, tuple(trick), dict(ctx))


def to_move(state: State) -> int:
    """Seat whose turn it is."""
    return (state.leader + len(state.trick)) % len(state.hands)


def table(state: State) -> list[tuple[int, str]]:
    """The current trick as (seat, card) pairs."""
    n = len(state.hands)
    return [((state.leader + i) % n, card) for i, card in enumerate(state.trick)]


def finished(state: State) -> bool:
    """No card left in any hand or on the table."""
    return not state.trick and not any(state.hands)


def moves(game: ModuleType, state: State) -> list[Move]:
    """Legal moves in deck order, undeclared first (tie rule of 1.7, K8)."""
    seat = to_move(state)
    found = game.legal(seat, state.hands[seat], table(state), state.ctx)
    return sorted(found, key=lambda m: (game.DECK.index(m[0]), m[1]))


def play(game: ModuleType, state: State, move: Move) -> tuple[State, list[int]]:
    """The state after a move and the points credited to each seat by it."""
    n, seat, before = len(state.hands), to_move(state), table(state)
    gains = [0] * n
    ctx, bonus = game.after_move(seat, move[0], move[1], before, state.ctx)
    gains[seat] += bonus
    hands = tuple(h - {move[0]} if s == seat else h for s, h in enumerate(state.hands))
    trick = [*before, (seat, move[0])]
    if len(trick) < n:
        return State(hands, state.leader, (*state.trick, move[0]), ctx), gains
    taker = game.winner(trick, ctx)
    gains[taker] += sum(game.value(c, ctx) for _, c in trick) + game.trick_value(ctx)
    if not any(hands):
        gains[taker] += ctx.get("last_trick", 0)
    return State(hands, taker, (), game.after_trick(ctx, taker)), gains


def _key(state: State) -> tuple:
    """Hashable form of the full state."""
    return state.hands, state.leader, state.trick, frozenset(state.ctx.items())


def _best(game: ModuleType, state: State, side: frozenset[int], memo: dict) -> int:
    """Minimax value for `side`, which in a misere wants little; remembered at the start of each trick."""
    if finished(state):
        return 0
    key = None if state.trick else _key(state)
    if key is not None and key in memo:
        return memo[key]
    results = _after_each(game, state, side, memo).values()
    most = (to_move(state) in side) != state.ctx.get("misere", False)
    result = max(results) if most else min(results)
    if key is not None:
        memo[key] = result
    return result


def _after_each(game: ModuleType, state: State, side: frozenset[int], memo: dict) -> dict[Move, int]:
    """Value for `side` of every legal move, gains of the move included."""
    out: dict[Move, int] = {}
    for move in moves(game, state):
        child, gains = play(game, state, move)
        out[move] = sum(gains[s] for s in side) + _best(game, child, side, memo)
    return out


def value(
    game: ModuleType, hands: list[frozenset[str]], leader: int, trick: list[str], ctx: dict, side: frozenset[int]
) -> int:
    """Points the seats of `side` take from here on under best play of both sides (0.3)."""
    return _best(game, start(hands, leader, trick, ctx), frozenset(side), {})


def move_values(
    game: ModuleType, hands: list[frozenset[str]], leader: int, trick: list[str], ctx: dict, side: frozenset[int]
) -> dict[Move, int]:
    """Value for `side` after each legal move of the seat to move, its own bonus included."""
    return _after_each(game, start(hands, leader, trick, ctx), frozenset(side), {})


def _max_n(game: ModuleType, state: State, memo: dict) -> tuple[int, ...]:
    """Points of every seat when each maximises its own (1.7, K8)."""
    if finished(state):
        return (0,) * len(state.hands)
    key = _key(state)
    if key not in memo:
        seat, best = to_move(state), None
        for move in moves(game, state):
            child, gains = play(game, state, move)
            later = _max_n(game, child, memo)
            line = tuple(g + x for g, x in zip(gains, later, strict=True))
            if best is None or line[seat] > best[seat]:
                best = line
        memo[key] = best
    return memo[key]


def max_n(game: ModuleType, hands: list[frozenset[str]], leader: int, ctx: dict) -> list[int]:
    """Own points of every seat; cards in deck order, switch only on a strict own improvement (K8)."""
    return list(_max_n(game, start(hands, leader, [], ctx), {}))


def _perft(game: ModuleType, state: State, plies: int) -> int:
    """Move sequences of exactly `plies` cards from a state."""
    if plies == 0:
        return 1
    return sum(_perft(game, play(game, state, m)[0], plies - 1) for m in moves(game, state))


def perft(game: ModuleType, hands: list[frozenset[str]], leader: int, ctx: dict, plies: int) -> int:
    """Number of distinct sequences of `plies` moves; declaring and not declaring count apart."""
    if plies > sum(len(h) for h in hands):
        raise ValueError("more plies than cards")
    return _perft(game, start(hands, leader, [], ctx), plies)
