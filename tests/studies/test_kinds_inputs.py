"""Studies that read: kinds `solve` and `annotate`, and the examples of all kinds in the data folder."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from chunked import study, told
from solver.deals.positions import solve_line
from solver.formats.record_read import read_record
from solver.model.errors import TrickwiseError
from solver.seat.annotate import annotate
from solver.studies.definition import Definition, definition_of, read_definition
from solver.studies.kinds import KINDS, kind_of

HERE = Path(__file__).parents[1]
EXAMPLES = HERE.parent / "data" / "studies"
LINES = (EXAMPLES / "positions.jsonl").read_text(encoding="utf-8").splitlines()


# ---------------------------------------------------------------------- solve


def test_lines_are_answered_as_solve_does(tmp_path: Path) -> None:
    lines = [*LINES, '{"game": "kit"}', "", "no JSON", '{"id": 7, "game": "whist", "hands": 3}']
    random.Random(1).shuffle(lines)
    (tmp_path / "some.jsonl").write_text("\n".join(lines), encoding="utf-8")
    table = {"kind": "solve", "solve": {"file": "some.jsonl"}}
    one, rows = study(table | {"chunk": 3}, tmp_path)
    assert rows == study(table | {"chunk": 1}, tmp_path)[1]
    numbers = [i for i, line in enumerate(lines, 1) if line.strip()]
    assert [row["number"] for row in rows] == numbers
    for row in rows:
        found = solve_line(lines[row["number"] - 1], row["number"])
        assert row["id"] == str(found["id"])
        assert {k: row[k] for k in ("value", "makes", "nodes", "error")} == {
            k: found.get(k) for k in ("value", "makes", "nodes", "error")
        }
        assert row["cards"] is None or json.loads(row["cards"]) == found["cards"]
        assert (row["low"], row["high"]) == (row["value"], row["value"])
    report = told(one, rows, len(rows))
    assert report.tables[0][1]["errors"][0] == 3
    assert len(report.tables[1][1]) == 3
    assert not told(one, [], 3).tables[0][1]["positions"][0]


def test_a_limit_leaves_bounds(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text("\n".join(LINES), encoding="utf-8")
    table = {"kind": "solve", "solve": {"file": "some.jsonl", "limit": 1}}
    one, rows = study(table, tmp_path)
    open_ = [row for row in rows if row["value"] is None and row["makes"] is None]
    assert open_
    assert all(row["low"] < row["high"] for row in open_ if row["low"] is not None)
    assert rows == study(table | {"chunk": 2}, tmp_path)[1]
    assert told(one, rows, len(rows)).tables[0][1]["left open by the limit"][0] == len(open_)


def test_nodes_do_not_depend_on_what_was_searched_before(tmp_path: Path) -> None:
    some = [line for line in LINES if "thousand" in line]
    first = {line: solve_line(line)["nodes"] for line in some}
    for seed in range(3):
        order = some * 2
        random.Random(seed).shuffle(order)
        assert [solve_line(line)["nodes"] for line in order] == [first[line] for line in order]


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    (tmp_path / "bytes.jsonl").write_bytes(b"{}\n\xff\n")
    kind = kind_of("solve")
    for name, said in (("none.jsonl", "no such file"), ("empty.jsonl", "no line"), ("bytes.jsonl", "line 2")):
        one = definition_of({"kind": "solve", "solve": {"file": name}})
        with pytest.raises(TrickwiseError, match=said):
            kind.inputs(one, tmp_path)
    with pytest.raises(TrickwiseError, match=r"solve\.file is empty"):
        definition_of({"kind": "solve", "solve": {"file": " "}})


# ---------------------------------------------------------------------- annotate


def test_records_are_judged_as_annotate_does() -> None:
    table = {"kind": "annotate", "annotate": {"folder": "records"}}
    one, rows = study(table | {"chunk": 2}, HERE / "data")
    names = sorted(p.name for p in (HERE / "data" / "records").glob("*.txt"))
    assert list(dict.fromkeys(row["record"] for row in rows)) == names
    wrong = {row["record"]: row["error"] for row in rows if row["error"]}
    assert set(wrong) == set(names) - {"kit_k4.txt", "sheepshead_s6.txt", "spades_five.txt", "thousand_t7.txt"}
    assert all("\n" not in error for error in wrong.values())
    mine = [row for row in rows if row["record"] == "thousand_t7.txt"]
    record = read_record((HERE / "data" / "records" / "thousand_t7.txt").read_text(encoding="utf-8"))
    assert record.deal is not None
    play = " ".join(f"{c.move.card}{'!' * c.move.declare}" for t in record.play for c in t.cards)
    frame = annotate(record.deal, record.contract, play).frame
    for name in ("trick", "seat", "card", "value", "loss", "best"):
        assert [row[name] for row in mine] == frame[name].tolist()
    declarer = record.contract.declarer
    for row in mine:
        assert row["best_value"] == row["value"] + (row["loss"] if row["seat"] == declarer else -row["loss"])
    report = told(one, rows, len(names))
    tables = dict(report.tables)
    assert tables["by seat"]["cards"].sum() == len([row for row in rows if row["card"]])
    assert tables["by record, the dearest 20"]["loss"].sum() == sum(row["loss"] or 0 for row in rows)
    assert len(tables["records with errors, the first 20"]) == len(wrong)
    assert told(one, [], 3).tables == ()


def test_the_seats_view() -> None:
    table = {"kind": "annotate", "seed": 3,
             "annotate": {"folder": "records", "files": "kit_k*", "seen": True, "worlds": 70}}  # fmt: skip
    one, rows = study(table, HERE / "data")
    assert len(rows) == 12
    record = read_record((HERE / "data" / "records" / "kit_k4.txt").read_text(encoding="utf-8"))
    assert record.deal is not None
    play = " ".join(str(c.move.card) for t in record.play for c in t.cards)
    frame = annotate(record.deal, record.contract, play, seen=True, worlds=70, seed=3, workers=1).frame
    for name in ("seen_loss", "seen_low", "seen_high", "seen_worlds"):
        assert [row[name] for row in rows] == [None if x is None or x != x else x for x in frame[name]]
    assert any(row["seen_worlds"] for row in rows)
    assert "seen_loss" in told(one, rows, 1).tables[0][1]


def test_folders_that_are_none(tmp_path: Path) -> None:
    kind = kind_of("annotate")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.txt").write_bytes(b"\xff")
    (tmp_path / "empty").mkdir()
    for name, said in (("none", "no such folder"), ("empty", "no record"), ("bad", "no UTF-8 text")):
        with pytest.raises(TrickwiseError, match=said):
            kind.inputs(definition_of({"kind": "annotate", "annotate": {"folder": name}}), tmp_path)
    for files in ("", "../*.txt"):
        with pytest.raises(TrickwiseError, match=r"annotate\.files"):
            definition_of({"kind": "annotate", "annotate": {"folder": "records", "files": files}})


# ---------------------------------------------------------------------- examples


@pytest.mark.parametrize("name", sorted(KINDS))
def test_examples_are_studies(name: str) -> None:
    one = read_definition(EXAMPLES / f"{name}.toml")
    kind = kind_of(name)
    assert one.kind == kind.name == name
    assert Definition.from_json(one.to_json()) == one
    items = kind.inputs(one, EXAMPLES)
    assert kind.units(one, items) > 0
    assert all(key.help for key in kind.keys.values())
    assert set(kind.columns(one).values()) <= {"BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR"}
