"""What players count in a hand before they bid: trumps, aces, marriages, long suits, voids.

A feature is a whole number of a hand as dealt and of the seat's place at the table. More of a feature is never meant to
be worse, so that rules of thumb can say "at least".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from solver.games import Game
from solver.games.sheepshead_score import TRUMPS, power
from solver.games.thousand_tables import POINTS
from solver.model.cards import Card
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["DEFAULT_BY", "Feature", "feature_names", "features", "features_of"]

Hand = frozenset[Card]


@dataclass(frozen=True)
class Feature:
    """A number that a player reads off the cards.

    Parameters
    ----------
    name
        In tables and for `by`.
    words
        What it counts.
    count
        Function of (game, hand).
    least
        How a rule says that there are at least ``{n}``; empty where no rule uses it.
    step
        Width of a bin in tables, and what thresholds of rules are multiples of.
    within
        A feature that this one is a part of, said with "including".
    """

    name: str
    words: str
    count: Callable[[Any, Hand], int]
    least: str = ""
    step: int = 1
    within: str = ""

    def said(self, n: int) -> str:
        """``"at least n"`` in words."""
        return self.least.format(n=n)


def _ranks(ranks: str) -> Callable[[Any, Hand], int]:
    return lambda game, hand: sum(c.rank in ranks for c in hand)


def _suits(game: Game, hand: Hand) -> list[list[Card]]:
    """Cards of each printed suit."""
    return [[c for c in hand if c.suit == s] for s in game.deck.suits]


def _longest(game: Game, hand: Hand) -> int:
    return max(len(own) for own in _suits(game, hand))


def _voids(game: Game, hand: Hand) -> int:
    return sum(not own for own in _suits(game, hand))


def _points(game: Any, hand: Hand) -> int:
    return sum(int(game.points(c)) for c in hand)


# ---------------------------------------------------------------------- games


def _trumps(ranks: str) -> Callable[[Any, Hand], int]:
    return lambda game, hand: sum(c in TRUMPS and c.rank in ranks for c in hand)


def _fail(hand: Hand, suit: str) -> list[Card]:
    return [c for c in hand if c.suit == suit and c not in TRUMPS]


def _halves(game: Game, hand: Hand) -> int:
    return sum(len({c.rank for c in own} & {"K", "Q"}) == 1 for own in _suits(game, hand))


def _best_suit(game: Any, hand: Hand) -> list[Card]:
    """The longest suit, of equals the one with most points."""
    return max(_suits(game, hand), key=lambda own: (len(own), _points(game, frozenset(own))))


def _winners(game: Game, hand: Hand) -> int:
    """Cards that head their suit without a gap: a leader takes a trick with each, where nothing trumps them."""
    total = 0
    for own in _suits(game, hand):
        held = {c.rank for c in own}
        gap = next((i for i, rank in enumerate(game.deck.ranks) if rank not in held), len(game.deck.ranks))
        total += gap
    return total


def _nth_rank(place: int) -> Callable[[Any, Hand], int]:
    return lambda game, hand: sum(c.rank == game.deck.ranks[place : place + 1] for c in hand)


_VOIDS = Feature("voids", "suits without a card", _voids, "{n} or more void suits")

#: Features by game; the seat's place, `position`, comes to each.
FEATURES: dict[str, tuple[Feature, ...]] = {
    "sheepshead": (
        Feature("trumps", "queens, jacks and diamonds", _trumps("QJATK987"), "{n} or more trumps"),
        Feature("queens", "queens", _ranks("Q"), "{n} or more queens", within="trumps"),
        Feature("jacks", "jacks", _ranks("J"), "{n} or more jacks", within="trumps"),
        Feature("tops", "queens and jacks", _ranks("QJ"), "{n} or more of the queens and jacks", within="trumps"),
        Feature("power", "trump power: a queen counts 3, a jack 2, any other diamond 1", lambda g, h: power(h)[0],
                "trump power {n} or more"),
        Feature("aces", "aces of clubs, spades and hearts", lambda g, h: sum(c.rank == "A" and c != "AD" for c in h),
                "{n} or more fail aces"),
        Feature("points", "card points of the hand", _points, "{n} or more card points", 5),
        Feature("voids", "of clubs, spades and hearts those without a card", lambda g, h:
                sum(not _fail(h, s) for s in "CSH"), "{n} or more void fail suits"),
    ),
    "thousand": (
        Feature("aces", "aces", _ranks("A"), "{n} or more aces"),
        Feature("tens", "tens", _ranks("T"), "{n} or more tens"),
        Feature("marriages", "bonus of the marriages held (H 100, D 80, C 60, S 40)", lambda g, h: g.bonus_in(h),
                "marriages worth {n} or more", 20),
        Feature("halves", "suits with the king or the queen alone, which the talon may complete", _halves,
                "{n} or more half marriages"),
        Feature("points", "card points of the hand", lambda g, h: sum(POINTS[c.rank] for c in h),
                "{n} or more card points", 5),
        Feature("worth", "card points and marriage bonuses of the hand together",
                lambda g, h: sum(POINTS[c.rank] for c in h) + g.bonus_in(h),
                "{n} or more card points and marriage bonuses together", 10),
        Feature("longest", "cards of the longest suit", _longest, "a suit of {n} or more cards"),
        _VOIDS,
    ),
    "three_of_spades": (
        Feature("length", "cards of the best suit: the longest, of equals the one with most points",
                lambda g, h: len(_best_suit(g, h)), "{n} or more cards of the best suit"),
        Feature("suit_points", "card points of the best suit", lambda g, h: _points(g, frozenset(_best_suit(g, h))),
                "{n} or more points in the best suit", 10),
        Feature("aces", "aces", _ranks("A"), "{n} or more aces"),
        Feature("kings", "kings", _ranks("K"), "{n} or more kings"),
        Feature("three", "1 with the 3 of spades, else 0", lambda g, h: int("3S" in h), "the 3 of spades"),
        Feature("points", "card points of the hand", _points, "{n} or more card points", 10),
        _VOIDS,
    ),
    "kit": (
        Feature("highest", "cards of the highest rank, the 4s", _nth_rank(0), "{n} or more of the highest cards"),
        Feature("second", "cards of the second rank, the 3s", _nth_rank(1), "{n} or more of the second highest cards"),
        Feature("winners", "cards that head their suit without a gap, such as 4, or 4 and 3", _winners,
                "{n} or more cards from the top"),
        Feature("longest", "cards of the longest suit", _longest, "a suit of {n} or more cards"),
        _VOIDS,
    ),
}  # fmt: skip

#: The place of the seat; rules name it in other words.
POSITION = Feature("position", "how many seats speak before this one (kit: play before it in the first trick)",
                   lambda g, h: 0)  # fmt: skip

#: What tables are by unless features are named.
DEFAULT_BY = {
    "sheepshead": ("trumps",), "thousand": ("marriages",), "three_of_spades": ("length",), "kit": ("winners",),
}  # fmt: skip


def features_of(game: Game | str) -> tuple[Feature, ...]:
    """Features of a game's hands, the position last.

    Raises
    ------
    UnsupportedError
        For a game whose hands are not described.
    """
    name = game if isinstance(game, str) else game.name
    if name not in FEATURES:
        raise UnsupportedError(f"hands of {name} have no features to study: there are {', '.join(FEATURES)}")
    return (*FEATURES[name], POSITION)


def features(game: Game, hand: Hand, position: int) -> dict[str, int]:
    """Count the features of a hand as dealt.

    Parameters
    ----------
    game, hand
        The cards, with the options in force.
    position
        How many seats speak before this one: 0 for the first, ``seats - 1`` for the dealer.
    """
    return {one.name: one.count(game, hand) for one in features_of(game)[:-1]} | {"position": position}


def feature_names(game: Game | str, by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Read names of features, ``"trumps, queens"`` or a list of them; the usual ones when None.

    Raises
    ------
    NotationError
        For a name that is none, or stands twice.
    """
    known = [one.name for one in features_of(game)]
    name = game if isinstance(game, str) else game.name
    if by is None:
        return DEFAULT_BY.get(name, (known[0],))
    names = [part.strip() for part in by.split(",")] if isinstance(by, str) else list(by)
    for one in names:
        if one not in known:
            raise NotationError(f"no feature {excerpt(str(one))} of {name} hands: there are {', '.join(known)}")
    if not names or len(set(names)) != len(names):
        raise NotationError(f"features {', '.join(names)}: name each once, and at least one")
    return tuple(names)
