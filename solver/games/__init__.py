"""The games, by name."""

from __future__ import annotations

from typing import Any

from solver.games.base import Game
from solver.games.bridge import Bridge
from solver.games.kit import Kit
from solver.games.sheepshead import Sheepshead
from solver.games.skat import Skat
from solver.games.thousand import Thousand
from solver.games.three_of_spades import ThreeOfSpades
from solver.games.whist import Whist
from solver.model.checks import excerpt
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError

__all__ = ["ALIASES", "GAMES", "Game", "as_game", "deal", "game", "game_of", "games_for", "read"]

#: Every registered game.
GAMES: dict[str, type[Game]] = {g.name: g for g in (Bridge, Kit, Sheepshead, Skat, Thousand, ThreeOfSpades, Whist)}

#: Other names of games.
ALIASES = {"3s": "three_of_spades", "3_of_spades": "three_of_spades", "1000": "thousand", "tysiacha": "thousand"}


def game(name: str, **options: Any) -> Game:
    """Return a game with its options, as in ``game("thousand", bid_cap="flat120")``.

    Raises
    ------
    UnsupportedError
        For an unknown game, option or value; the message lists the known ones.
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = ALIASES.get(key, key)
    if key not in GAMES:
        raise UnsupportedError(f"no game {excerpt(name)}: there are {', '.join(GAMES)}")
    return GAMES[key](**options)


def games_for(kind: str) -> tuple[str, ...]:
    """Games that a kind of study is offered for, by rising name."""
    return tuple(sorted(name for name, found in GAMES.items() if kind in found.studies))


def deal(game_or_name: Game | str, *, seed: int, **options: Any) -> Deal:
    """Deal at random, as in ``deal("thousand", seed=7)``; the same seed gives the same deal."""
    return as_game(game_or_name, options).deal(seed=seed)


def read(game_or_name: Game | str, text: str, **options: Any) -> Deal:
    """Read a deal, as in ``read("kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3")``.

    Raises
    ------
    NotationError
        For cards that cannot be read, stand twice, or do not add up to a deal.
    """
    return as_game(game_or_name, options).read(text)


def as_game(game_or_name: Game | str, options: dict[str, Any] | None = None) -> Game:
    """Return the game that is named or given.

    Raises
    ------
    UnsupportedError
        For an unknown name, options given to a game that has them already, or something that is no game.
    """
    if isinstance(game_or_name, str):
        return game(game_or_name, **(options or {}))
    if not isinstance(game_or_name, Game):
        raise UnsupportedError(f"a {type(game_or_name).__name__} is no game: give its name or what game() returns")
    if options:
        raise UnsupportedError(f"options {', '.join(options)}: name the game as text to choose options")
    return game_or_name


def game_of(deal: Deal) -> Game:
    """Return the game of a deal.

    Raises
    ------
    UnsupportedError
        For what is no deal.
    """
    if not isinstance(deal, Deal):
        raise UnsupportedError(
            f"a {type(deal).__name__} is no deal: give what deal() or read() returns, as in read('kit', '...')"
        )
    return deal.game
