"""Spoilt records: each is read and judged, or refused in one line; never a traceback, never a hang."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import random_records as rr
from solver.deals.check import check
from solver.formats.record_read import load_record, read_record
from solver.games import GAMES, game
from solver.model.errors import TrickwiseError

FOLDER = Path(__file__).parents[1] / "data" / "records"
WRITTEN = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))]
WORDS = [
    "?", "| ?", "->", "(15)", "!", ":", "pass", "pick", "120", "alone",
    "by 0", "seat 0:", "seat: 1", "none", "AH", "o1", "7D 7D", "# x", "-1", "99",
    "surrender", "leaster", "call AS", "bury ?", "under ?", "side 0", "crack", "lead 2", "\t", "\x0c",
    "\u2028", "♥", "²", "٣", "game: whist", "options: seats=4", "options: partner=jd", "talon: ?", "play:", "hand 0:",
]  # fmt: skip

Change = Callable[[random.Random, list[str]], list[str]]


def cut(rng: random.Random, lines: list[str]) -> list[str]:
    """Truncate, in the middle of a line too."""
    text = "\n".join(lines)
    return text[: rng.randrange(len(text) + 1)].split("\n")


def swap_lines(rng: random.Random, lines: list[str]) -> list[str]:
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return lines


def drop_line(rng: random.Random, lines: list[str]) -> list[str]:
    del lines[rng.randrange(len(lines))]
    return lines or [""]


def double_line(rng: random.Random, lines: list[str]) -> list[str]:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return lines


def foreign_line(rng: random.Random, lines: list[str]) -> list[str]:
    """A line of another record."""
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(rng.choice(WRITTEN).split("\n")))
    return lines


def other_game(rng: random.Random, lines: list[str]) -> list[str]:
    name = rng.choice([*GAMES, "hearts"])
    return [f"game: {name}" if line.lower().startswith("game") else line for line in lines]


def other_words(rng: random.Random, lines: list[str]) -> list[str]:
    """Words replaced by others of the record, so that cards, seats and bids contradict each other."""
    every = " ".join(lines).split() or ["?"]
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    words[rng.randrange(len(words))] = rng.choice(every)
    lines[at] = " ".join(words)
    return lines


def new_words(rng: random.Random, lines: list[str]) -> list[str]:
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    words.insert(rng.randrange(len(words) + 1), rng.choice(WORDS))
    lines[at] = " ".join(words)
    return lines


def noise(rng: random.Random, lines: list[str]) -> list[str]:
    """Characters changed, anywhere."""
    text = list("\n".join(lines)) or ["?"]
    for _ in range(rng.randrange(1, 4)):
        text[rng.randrange(len(text))] = chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x2FFF), 10, 0]))
    return "".join(text).split("\n")


CHANGES: list[Change] = [
    cut, swap_lines, drop_line, double_line, foreign_line, other_game, other_words, other_words, new_words, noise,
]  # fmt: skip


def base(rng: random.Random) -> str:
    """A record to spoil: one of the files, or a random one, whole or as one seat saw it."""
    if rng.random() < 0.4:
        return rng.choice(WRITTEN)
    name, options = rng.choice(rr.RULES)
    one = game(name, **options)
    record = rr.played(rng, one, cards=rng.choice([None, 7, 20]), seats=rng.choice([0, 1])).record
    return (rr.view(record, rng.randrange(one.seats)) if rng.random() < 0.3 else record).text


def attempt(raw: bytes) -> str:
    """What a case comes to: ``"refused"``, ``"right"`` or ``"wrong"``."""
    try:
        record = load_record(raw, "it")
        again = read_record(record.text)
        assert again == record
        report = check(record)
    except TrickwiseError as wrong:
        message = str(wrong)
        assert "\n" not in message
        assert 0 < len(message) < 600
        return "refused"
    assert all("\n" not in line for line in report.lines)
    assert report.ok or all(found.rule and found.text for found in report.findings)
    return "right" if report.ok else "wrong"


def case(seed: int) -> bytes:
    rng = random.Random(f"record {seed}")
    if seed % 20 == 0:
        return rng.randbytes(rng.randrange(400))
    lines = base(rng).split("\n")
    for _ in range(rng.randrange(1, 4)):
        lines = rng.choice(CHANGES)(rng, lines)
    raw = "\n".join(lines).encode("utf-8", "surrogatepass")
    if seed % 20 == 1:
        at = rng.randrange(len(raw) + 1)
        raw = raw[:at] + rng.randbytes(3) + raw[at:]
    return raw


def run(seeds: range) -> None:
    met: dict[str, int] = {}
    for seed in seeds:
        raw, began = case(seed), time.monotonic()
        try:
            kind = attempt(raw)
        except Exception as broken:
            raise AssertionError(f"case {seed}: {raw!r}") from broken
        met[kind] = met.get(kind, 0) + 1
        assert time.monotonic() - began < 20, f"case {seed}: {raw!r}"
    assert min(met.get(kind, 0) for kind in ("refused", "right", "wrong")) > len(seeds) // 50, met


def test_spoilt_records() -> None:
    run(range(300))


@pytest.mark.slow
def test_5000_spoilt_records() -> None:
    run(range(300, 5300))


@pytest.mark.parametrize(
    "text",
    [
        "game: kit\nplay: " + "o1 " * 1000,
        "game: kit\nhands: " + "|" * 3000,
        "game: kit\nhands: " + "|\n" * 20000,
        "game: thousand\nauction: " + "pass " * 700,
        "game: thousand\nauction:" + "\npass" * 15000,
        "game: thousand\nhands: ?|?|?\nplay:" + "\nAH 9H JH" * 9000,
        "game: thousand\nplan: " + "pass 9C to 1, " * 280,
        "game: thousand\nresult: points " + "1 " * 1900,
        "game: thousand\nplay: 0" + " " * 3900 + "!",
        "game: thousand\nplay: " + "(" * 3900,
        "game: thousand\nplay: " + "!" * 3900,
        ("game: kit\n" + " " * 3000 + "x\n") * 30,
        "\n" * 99_000,
        ":" * 3999,
        "game: " + "a" * 3900,
    ],
)
def test_much_of_anything_ends_soon(text: str) -> None:
    began = time.monotonic()
    attempt(text.encode())
    assert time.monotonic() - began < 10
