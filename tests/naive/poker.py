"""Kuhn and Leduc poker from their rules, as the nodes of `naive.hidden`.

Kuhn 1950: three cards, an ante and a bet of one chip, no raise. Leduc (Southey and others 2005): jacks, queens and
kings of two suits, an ante of one, two rounds with raises of two and of four, no more than two raises a round, and a
card for both between the rounds; a pair beats a higher card.
"""

from __future__ import annotations

from itertools import permutations

from .hidden import Node

#: Values that are published for the first seat, of Kuhn exactly.
KUHN_VALUE = -1 / 18
LEDUC_VALUE = -0.085606

Words = tuple[str, ...]


def kuhn() -> list[Node]:
    """All six deals."""
    return [_kuhn(cards, ()) for cards in permutations((1, 2, 3), 2)]


def _kuhn(cards: tuple[int, ...], words: Words) -> Node:
    won = 1.0 if cards[0] > cards[1] else -1.0
    if words in {("pass", "pass"), ("bet", "bet"), ("pass", "bet", "bet")}:
        won *= 1 if words == ("pass", "pass") else 2
        return Node(pays=(won, -won))
    if words == ("bet", "pass"):
        return Node(pays=(1.0, -1.0))
    if words == ("pass", "bet", "pass"):
        return Node(pays=(-1.0, 1.0))
    seat = len(words) % 2
    return Node((seat, cards[seat], words), {word: _kuhn(cards, (*words, word)) for word in ("pass", "bet")})


def leduc() -> list[Node]:
    """All deals of two hands and the card between the rounds; cards of one rank are told apart by nobody."""
    cards = [(rank, suit) for rank in "JQK" for suit in "ab"]
    return [_leduc((a[0], b[0]), middle[0], ((), ()), 0, (1, 1)) for a, b, middle in permutations(cards, 3)]


def _leduc(hands: tuple[str, str], middle: str, words: tuple[Words, Words], now: int, chips: tuple[int, int]) -> Node:
    """Where the betting stands: words of both rounds, the round, chips of each seat in the pot."""
    said = words[now]
    seat = len(said) % 2
    raised = chips[1 - seat] > chips[seat]
    if said and said[-1] == "fold":
        other = float(chips[1 - seat])
        return Node(pays=(other, -other) if seat == 0 else (-other, other))
    if len(said) >= 2 and said[-1] == "call":
        if now == 0:
            return _leduc(hands, middle, words, 1, chips)
        won = float(chips[0]) * _better(hands, middle)
        return Node(pays=(won, -won))
    knows = (seat, hands[seat], middle if now else "", words)
    moves = (["fold"] if raised else []) + ["call"] + (["raise"] if said.count("raise") < 2 else [])
    after = {}
    for move in moves:
        pot = list(chips)
        if move != "fold":
            pot[seat] = chips[1 - seat] + ((2, 4)[now] if move == "raise" else 0)
        heard = ((*said, move), ()) if now == 0 else (words[0], (*said, move))
        after[move] = _leduc(hands, middle, heard, now, (pot[0], pot[1]))
    return Node(knows, after)


def _better(hands: tuple[str, str], middle: str) -> int:
    """1 if the first seat wins, -1 if the second, 0 for equal cards."""
    strength = [(hand == middle, "JQK".index(hand)) for hand in hands]
    return (strength[0] > strength[1]) - (strength[0] < strength[1])
