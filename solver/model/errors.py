"""The three ways in which input can be wrong, all of them `ValueError`.

Each message is one line: what was read, where it stands, and what is expected there.
"""

from __future__ import annotations

__all__ = ["IllegalPlayError", "NotationError", "TrickwiseError", "UnsupportedError"]


class TrickwiseError(ValueError):
    """Anything wrong with what the user gave; the message is one line, fit to be shown."""


class NotationError(TrickwiseError):
    """A text (card, hand, deal, contract, JSON line) that cannot be read."""


class IllegalPlayError(TrickwiseError):
    """A card, call or plan that a rule of the game bars; the message names the rule."""


class UnsupportedError(TrickwiseError):
    """A game, option or question that exists but is not offered here."""
