"""What players count in a hand before they bid: trumps, aces, marriages, long suits, voids.

A feature is a whole number of a hand as dealt and of the seat's place at the table. More of a feature is never meant to
be worse, so that rules of thumb can say "at least".
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.bidding.of_game import Feature, Hand, bidding_class, games_with_features
from solver.games import Game
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["Feature", "feature_names", "features", "features_of"]

#: The place of the seat; rules name it in other words.
POSITION = Feature("position", "how many seats speak before this one (kit: play before it in the first trick)",
                   lambda g, h: 0)  # fmt: skip


def features_of(game: Game | str) -> tuple[Feature, ...]:
    """Features of a game's hands, the position last.

    Raises
    ------
    UnsupportedError
        For a game whose hands are not described.
    """
    name = game if isinstance(game, str) else game.name
    if not (own := bidding_class(name).features):
        raise UnsupportedError(
            f"hands of {name} have no features to study: there are {', '.join(games_with_features())}"
        )
    return (*own, POSITION)


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
        return bidding_class(name).by or (known[0],)
    names = [part.strip() for part in by.split(",")] if isinstance(by, str) else list(by)
    for one in names:
        if one not in known:
            raise NotationError(f"no feature {excerpt(str(one))} of {name} hands: there are {', '.join(known)}")
    if not names or len(set(names)) != len(names):
        raise NotationError(f"features {', '.join(names)}: name each once, and at least one")
    return tuple(names)
