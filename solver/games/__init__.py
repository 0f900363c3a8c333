"""The games, by name."""

from __future__ import annotations

from typing import Any

from solver.games.base import Game
from solver.games.kit import Kit
from solver.games.sheepshead import Sheepshead
from solver.games.thousand import Thousand
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.errors import UnsupportedError

__all__ = ["GAMES", "Game", "game"]

#: Every registered game.
GAMES: dict[str, type[Game]] = {g.name: g for g in (Kit, Sheepshead, Thousand, ThreeOfSpades)}

_ALIASES = {"3s": "three_of_spades", "3_of_spades": "three_of_spades", "1000": "thousand", "tysiacha": "thousand"}


def game(name: str, **options: Any) -> Game:
    """Return a game with its options, as in ``game("thousand", bid_cap="flat120")``.

    Raises
    ------
    UnsupportedError
        For an unknown game, option or value; the message lists the known ones.
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = _ALIASES.get(key, key)
    if key not in GAMES:
        raise UnsupportedError(f"no game {name!r}: there are {', '.join(GAMES)}")
    return GAMES[key](**options)
