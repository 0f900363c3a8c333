"""Small notations of the command line: ``NAME=VALUE``, ``@7`` for what seed 7 deals, a number or ``all``."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from solver.model.checks import excerpt, shortened
from solver.model.errors import NotationError

__all__ = ["deal_line", "new_seed", "read_number", "read_options", "read_seed"]


def read_options(texts: Iterable[str]) -> dict[str, str]:
    """Read house rules from ``NAME=VALUE`` texts.

    Raises
    ------
    NotationError
        For a text without a name or an equals sign, or a name given twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        name = key.strip().replace("-", "_")
        if not sign or not name:
            raise NotationError(f"cannot read the option {excerpt(text)}: write NAME=VALUE, as in must_beat=off")
        if name in found:
            raise NotationError(
                f"the option {shortened(name)} is given twice, as {excerpt(found[name])} and {excerpt(value.strip())}"
            )
        found[name] = value.strip()
    return found


def new_seed() -> int:
    """Return a seed that nobody chose; whoever uses it reports it."""
    return random.SystemRandom().randrange(2**31)


def read_seed(text: str) -> int | None:
    """Seed of ``@7``, a new one for ``@``; None for other text.

    Raises
    ------
    NotationError
        When something else than a number follows the sign.
    """
    text = text.strip()
    if not text.startswith("@"):
        return None
    if text == "@":
        return new_seed()
    if not re.fullmatch(r"@\d{1,18}", text, re.ASCII):
        raise NotationError(f"cannot read {excerpt(text)}: a random deal is written '@7', with its seed")
    return int(text[1:])


def read_number(name: str, text: str) -> int | str | None:
    """Read how many: a whole number from 1, ``all``, or None for nothing.

    Parameters
    ----------
    name
        What messages call it.
    text
        What was written.
    """
    text = text.strip().lower()
    if text in ("", "all"):
        return text or None
    if not re.fullmatch(r"[1-9]\d{0,6}", text, re.ASCII):
        raise NotationError(f"{name} is {excerpt(text)}: expected a whole number from 1, or 'all'")
    return int(text)


def deal_line(text: str) -> str:
    """Find the deal in what ``trickwise deal`` prints, a diagram with the text below; other text is left as it is."""
    lines = text.strip().splitlines()
    return next((line for line in reversed(lines) if "|" in line), text) if len(lines) > 1 else text
