"""Perft counts and golden playthroughs as they were frozen, and perft by the plain twin as well."""

from __future__ import annotations

import difflib

import pytest

import golden
from every_game import Case, start, twin_perft

every_case = pytest.mark.parametrize("case", golden.FROZEN, ids=lambda c: c.id)


@every_case
def test_perft(case: Case) -> None:
    """The frozen counts are what the rules give today, and what the twin gives."""
    line = golden.perft_line(case)
    frozen = (golden.DATA / "perft.txt").read_text("utf-8").splitlines()
    assert line in frozen, "if this is meant: python tests/golden.py --write"
    counts = [int(n) for n in line.split("|")[3].split()]
    position = start(case, golden.seed_of(case))[2]
    assert [twin_perft(case, position, plies) for plies in range(1, len(counts) + 1)] == counts


@every_case
def test_playthrough(case: Case) -> None:
    frozen = (golden.DATA / "golden" / f"{case.id}.txt").read_text("utf-8").splitlines()
    found = golden.playthrough(case).splitlines()
    changes = list(difflib.unified_diff(frozen, found, "frozen", "found", lineterm="", n=1))
    assert not changes, "\n".join(["if this is meant: python tests/golden.py --write", *changes[:40]])


def test_no_frozen_file_is_left_over() -> None:
    assert {p.stem for p in (golden.DATA / "golden").glob("*.txt")} == {case.id for case in golden.FROZEN}
    assert len((golden.DATA / "perft.txt").read_text("utf-8").splitlines()) == len(golden.FROZEN) + 2
