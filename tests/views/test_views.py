"""Diagrams, tables and plots."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from solver.games import deal, game, read
from solver.views import diagrams, plot, tables
from solver.views.progress import progress_bar

FRAME = pd.DataFrame(
    {
        "bid": [100, 105],
        "p": [0.5, 0.25],
        "low": [0.4, np.nan],
        "high": [0.6, 0.3],
        "legal": [True, False],
        "score": [1.0, -0.5],
        "empty": [None, None],
    }
)


def text_stream(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def test_symbols_where_they_can_be_shown() -> None:
    assert diagrams.can_show_symbols(text_stream("utf-8"))
    assert not diagrams.can_show_symbols(text_stream("ascii"))
    assert not diagrams.can_show_symbols(text_stream("cp1252"))


def test_deal_diagram() -> None:
    one = deal("thousand", seed=1)
    shown = diagrams.deal_diagram(one)
    assert [line.split()[0] for line in shown.splitlines()] == ["seat", "seat", "seat", "talon"]
    assert "♥" in shown
    letters = diagrams.deal_diagram(one, symbols=False)
    assert letters.isascii()
    again = " | ".join(line[6:].strip() for line in letters.splitlines())
    assert one.game.read(again) == one


def test_position_diagram() -> None:
    one = read("kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3")
    position = one.game.start(one, game("kit").contract("1 by 0")).play("t3")
    lines = diagrams.position_diagram(one.game.deck, position).splitlines()
    assert lines[0].startswith("seat 0*")
    assert lines[1].startswith("seat 1 >")
    assert lines[3].split() == ["table", "0", "t3"]
    assert diagrams.hand_diagram(one.game.deck, []) == "-"


def test_plain_rows() -> None:
    columns, rows = tables.plain_rows(FRAME)
    assert columns == list(FRAME.columns)
    assert rows[1] == {
        "bid": 105, "p": 0.25, "low": None, "high": 0.3, "legal": False, "score": -0.5, "empty": None,
    }  # fmt: skip
    nullable = pd.DataFrame({"value": pd.array([1, None], "Int64")})
    assert tables.plain_rows(nullable)[1] == [{"value": 1}, {"value": None}]
    assert tables.plain_rows([{"a": (1, 2)}, {"b": frozenset({2, 1})}])[0] == ["a", "b"]


def test_table_for_people() -> None:
    out = io.StringIO()
    tables.print_table(FRAME, out, heading=["what was asked"], notes=["what it means"])
    lines = out.getvalue().splitlines()
    assert lines[0] == "what was asked"
    assert lines[2].split() == ["bid", "p", "low", "high", "legal", "score"]
    assert lines[4].split() == ["100", "50.0", "%", "40.0", "%", "60.0", "%", "yes", "1.00"]
    assert lines[5].split() == ["105", "25.0", "%", "30.0", "%", "no", "-0.50"]
    assert lines[-1] == "what it means"


def test_bounds_are_no_chances() -> None:
    out = io.StringIO()
    tables.print_table([{"low": 0.5, "high": 1.0}], out)
    assert "%" not in out.getvalue()


def test_ascii_table() -> None:
    out = text_stream("ascii")
    tables.print_table(FRAME, out)
    out.flush()
    assert out.buffer.getvalue().isascii()  # type: ignore[attr-defined]


def test_csv() -> None:
    out = io.StringIO()
    tables.write_csv(FRAME, out)
    assert out.getvalue().splitlines() == [
        "bid,p,low,high,legal,score,empty",
        "100,0.5,0.4,0.6,true,1.0,",
        "105,0.25,,0.3,false,-0.5,",
    ]


def test_json_object() -> None:
    out = io.StringIO()
    found = tables.json_object(
        FRAME, game="kit", options={"seats": np.int64(3)}, method="m", seed=1, n=2, versions={"a": "1"}, side={2, 1}
    )
    tables.write_json(found, out)
    again = json.loads(out.getvalue())
    assert list(again)[:6] == ["game", "options", "method", "seed", "n", "versions"]
    assert again["options"] == {"seats": 3}
    assert again["side"] == [1, 2]
    assert again["rows"][0]["p"] == 0.5


def estimate(**columns: list) -> SimpleNamespace:
    return SimpleNamespace(
        game="thousand", unit="points", method="double dummy, uniform worlds", n=96, seed=1, hand="AH KH",
        frame=pd.DataFrame(columns),
    )  # fmt: skip


def test_success_curve() -> None:
    one = estimate(bid=[100, 105], p=[0.5, 0.25], low=[0.4, 0.2], high=[0.6, 0.3])
    ax = plot.success_curve(one)
    assert ax.get_xlabel() == "bid (points)"
    assert "%" in ax.get_ylabel()
    assert "double dummy" in ax.get_title()
    assert "n = 96" in ax.get_title()
    assert list(ax.lines[0].get_ydata()) == [50.0, 25.0]
    assert ax.figure.patch.get_alpha() == 0
    assert plot.success_curve(one, ax, label="again") is ax
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["AH KH", "95 % interval", "again"]
    plt.close(ax.figure)


def test_tiers_have_names() -> None:
    one = estimate(bid=[0, 61], label=["a trick", "61 (wins)"], p=[1.0, 0.5], low=[0.9, 0.4], high=[1.0, 0.6])
    ax = plot.success_curve(one)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a trick", "61\n(wins)"]
    plt.close(ax.figure)


def test_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("deals") as report:
        assert report is None
    assert capsys.readouterr() == ("", "")


def test_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("solver.views.progress.PATIENCE", 0.0)
    with progress_bar("deals") as report:
        assert report is not None
        report(3, 4)
    assert capsys.readouterr().out == ""
