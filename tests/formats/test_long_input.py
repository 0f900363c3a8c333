"""Input of any length has a message of one line that quotes little of it, wherever it is written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import solver as tw
from solver.formats.arguments import read_number, read_options, read_seed
from solver.games import GAMES
from solver.model.errors import UnsupportedError

LONG = [
    "x" * 5000, "9" * 5000, "9" * 400 + " by 0", "AH " * 3000, "o1 " * 3000, "0 " * 3000, "0 " + "9" * 5000,
    "call " + "AH " * 2000, "pass 9C to " + "9" * 5000, "lead " + "q" * 3000, "| " * 3000, "talon: " + "x" * 5000,
    "game: " + "y" * 5000, '[Deal "N:' + "A" * 5000 + '"]', "-" + "9" * 5000, "\n" * 10 + "z" * 5000, "٣" * 5000,
]  # fmt: skip


def readers(name: str) -> list[Callable[[str], Any]]:
    """What reads a text of a game."""
    one = tw.game(name)
    known = tw.knowledge(one, 0, one.deck.write(one.deal(seed=1).hands[0]))
    found: list[Callable[[str], Any]] = [
        one.read, one.contract, lambda text: tw.knowledge(one, 0, text), known.contract, known.played, known.heard,
        lambda text: known.see(talon=text), lambda text: tw.game(name, **{text: 1}),
    ]  # fmt: skip
    for option in one.option_values():
        found += [lambda text, option=option: tw.game(name, **{option: text})]
        found += [lambda text, option=option: tw.game(name, **{option: 10 ** len(text)})]
    with suppress(UnsupportedError):
        found += [one.auction().read]
    return found


OTHERS: list[Callable[[str], Any]] = [
    tw.game, tw.read_pbn, tw.read_record, lambda text: tw.read_record(f"game: kit\noptions: {text}"),
    lambda text: tw.read_record(f"game: kit\ncontract: {text}"),
    lambda text: tw.read_record(f"game: kit\nseat: {text}"),
    lambda text: tw.read_record(f"game: thousand\nauction: {text}"), lambda text: read_number("worlds", text),
    lambda text: read_options([text]), lambda text: read_options([f"{text}=1", f"{text}=2"]),
    lambda text: read_options([f"a={text}", f"a={text}"]), lambda text: read_seed(f"@{text}"),
]  # fmt: skip


@pytest.mark.parametrize("name", [*GAMES, ""])
def test_messages_are_short(name: str) -> None:
    for read in readers(name) if name else OTHERS:
        for text in LONG:
            try:
                read(text)
            except tw.TrickwiseError as wrong:
                assert len(str(wrong).splitlines()) == 1  # noqa: PT017
                assert len(str(wrong)) < 700, str(wrong)  # noqa: PT017
