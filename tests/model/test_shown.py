"""Results show themselves as text in a terminal and as HTML in a notebook."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import solver
from solver.bidding.bid import bid
from solver.bidding.plans import LONG, plans
from solver.deals.check import check
from solver.deals.doubledummy import solve
from solver.deals.line import line
from solver.formats.record_read import read_record
from solver.games import game
from solver.model.shown import Shown, counted
from solver.seat.annotate import annotate

K4 = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"
RECORD = "game: kit\nhands: " + K4


class Paper(list):
    """What IPython hands over, as far as it is used."""

    text = list.append


def pretty(result: Shown) -> str:
    """What a plain IPython terminal shows."""
    paper = Paper()
    result._repr_pretty_(paper, False)
    return "".join(paper)


def test_every_class_with_html_is_shown_as_text_too() -> None:
    found = set()
    for module in pkgutil.walk_packages(solver.__path__, "solver."):
        if not module.name.endswith("__main__"):
            classes = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
            found |= {one for _, one in classes if hasattr(one, "_repr_html_") and one.__module__.startswith("solver")}
    assert len(found) > 7
    assert all(issubclass(one, Shown) for one in found)


@pytest.mark.kernel
def test_text_in_a_terminal() -> None:
    deal = game("kit").read(K4)
    results = [
        deal, solve(deal, "2 by 0"), line(deal, "2 by 0"), annotate(deal, "2 by 0", "s4 s1 s2"),
        bid("kit", "o1 o4 t3 s4"), read_record(RECORD), check(RECORD),
    ]  # fmt: skip
    for result in results:
        assert pretty(result) == str(result)
        assert type(result).__name__ not in pretty(result)
        assert result._repr_html_().startswith(("<p>", "<pre>"))


def test_ipython_uses_it() -> None:
    shown = pytest.importorskip("IPython.lib.pretty")
    deal = game("kit").read(K4)
    assert shown.pretty(deal) == str(deal)


def test_long_lists_of_plans_are_cut() -> None:
    many = plans(game("three_of_spades"), "AS KS QS JS TS 9S AH KH AD 2H", "160 by 1")
    assert len(str(many).splitlines()) == 1 + many.count
    assert len(pretty(many).splitlines()) == LONG + 2
    assert f"and {many.count - LONG} more" in pretty(many)
    few = plans(game("three_of_spades"), "AS KS QS JS TS 9S AH KH AD 2H", "160 by 1, call AC KD")
    assert pretty(few) == str(few)


@pytest.mark.parametrize(
    "number, unit, text", [(1, "tricks", "1 trick"), (0, "tricks", "0 tricks"), (2, "points", "2 points")]
)
def test_units_in_the_right_number(number: int, unit: str, text: str) -> None:
    assert counted(number, unit) == text
