"""Files of the field, spoilt: letters lost, doubled, swapped and changed, parts cut out and put elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

CASES = Path(__file__).parents[1] / "data" / "cases"
_STRANGE = [
    *"|;:.,()[]{}!^*-?%0123456789 AKQJTXSHDCNEWPRpw\n\t\r",
    "10",
    "²",
    "٣",
    "\u2028",
    "\x00",
    "(;",
    "%7C",
    "?lin=",
]


def case(name: str) -> str:
    """The text of a case."""
    return (CASES / name).read_text(encoding="utf-8")


def mutations(text: str, count: int = 300) -> Iterator[str]:
    """A text spoilt in so many ways, each of one to six changes."""
    rng = random.Random(20)
    for _ in range(count):
        spoilt = text
        for _ in range(rng.randint(1, 6)):
            at, end = sorted((rng.randint(0, len(spoilt)), rng.randint(0, len(spoilt))))
            short = spoilt[at : min(end, at + 12)]
            spoilt = rng.choice(
                [
                    spoilt[:at] + rng.choice(_STRANGE) + spoilt[at + 1 :],
                    spoilt[:at] + rng.choice(_STRANGE) + spoilt[at:],
                    spoilt[:at] + spoilt[at + len(short) :],
                    spoilt[:end] + short + spoilt[end:],
                    spoilt[:at] + short[::-1] + spoilt[at + len(short) :],
                    spoilt[:end] if rng.random() < 0.2 else spoilt,
                ]
            )
        yield spoilt
