"""The commands ``study run``, ``status``, ``resume``, ``export``, ``show``."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

import solver.cli.study
import toykind
from solver.deals.estimate import plain_rows
from solver.studies import runner
from solver.studies.definition import read_definition
from solver.studies.kinds import KINDS
from solver.studies.store import create_store, open_store, read_study
from solver.studies.work import work_chunk
from solver.views import study as views

from .test_cli import run  # noqa: F401  (a fixture)


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """The kind ``toy``, for these tests alone."""
    toykind.register()
    yield
    del KINDS["toy"]


@pytest.fixture
def toml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A definition in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("toy.toml").write_text(toykind.TOML.format(count=12, ms=0))
    return "toy.toml"


@pytest.fixture
def done(toml: str) -> str:
    assert runner.run_study(toml, workers=1).complete
    return "toy.duckdb"


@contextmanager
def half_done(toml: str) -> Iterator[str]:
    """A store with two chunks, as a stopped run leaves it."""
    create_store("toy.duckdb", read_definition(toml), [])
    with open_store("toy.duckdb", write=True) as store:
        store.begin(1, "")
        for chunk in (0, 1):
            store.add(chunk, work_chunk(store.definition.to_json(), chunk, store.units, []))
    yield "toy.duckdb"


def test_from_begin_to_end(run, toml: str) -> None:  # noqa: F811
    ran = run("study", "run", toml, "--workers", "1")
    assert (ran.code, ran.out, ran.err) == (0, "", "toy.duckdb: all 12 things are done\n")
    assert run("study", "run", toml) == ran, "again nothing is to do"
    assert run("study", "resume", "toy.duckdb") == ran
    ran = run("study", "run", toml, "--store", "other.duckdb")
    assert ran.err == "other.duckdb: all 12 things are done\n"
    ran = run("study", "status", "toy.duckdb")
    lines = [line.split() for line in ran.out.splitlines()]
    assert lines[0] == ["kind", "game", "things", "chunks", "rows", "runs", "time"]
    assert lines[2][:9] == ["toy", "kit", "12", "of", "12", "6", "of", "6", "16"]
    assert "runs (UTC)" in ran.out


def test_gone_on_with(run, toml: str) -> None:  # noqa: F811
    with half_done(toml) as store:
        found = json.loads(run("study", "status", store, "--json").out)
        assert (found["units_done"], found["units"], found["done"], found["notes"]) == (4, 12, 2, [])
        ran = run("study", "show", store)
        assert "4 of 12 things so far (2 of 6 chunks)" in ran.out
        ran = run("study", "export", store, "--to", "part.csv")
        assert ran.err.endswith(" rows, 4 of 12 things so far\n")
        ran = run("study", "resume", store, "--workers", "2")
        assert ran.err == f"{store}: goes on after 4 of 12 things\n{store}: all 12 things are done\n"


def test_show(run, done: str) -> None:  # noqa: F811
    lines = run("study", "show", done).out.splitlines()
    assert lines[0] == "toy: 12 things"
    assert "by parity" in lines
    assert lines[-1] == "a note"
    found = json.loads(run("study", "show", done, "--json").out)
    assert found["heading"] == ["toy: 12 things"]
    assert [t["title"] for t in found["tables"]] == ["", "by parity"]
    assert len(found["tables"][0]["rows"]) == 3
    ran = run("study", "show", done, "--csv")
    assert [row["number"] for row in csv.DictReader(io.StringIO(ran.out))] == ["0.0", "1.0", "1.0"]
    assert ran.err == "toy: 12 things\na note\nthe first table only; for another --table: 2 (by parity)\n"
    again = run("study", "show", done, "--csv", "--table", "2")
    assert (again.out, again.err) == (ran.out, "toy: 12 things\nby parity\na note\n")
    assert run("study", "show", done, "--table", "3").err == "trickwise: --table is 3: the study has 2 tables\n"


def test_sql(run, done: str) -> None:  # noqa: F811
    asked = ("study", "show", done, "--sql", "select count(*) as n, max(number) as most from results")
    assert run(*asked).out.split() == ["n", "most", *run(*asked).out.split()[2:3], "16", "10"]
    assert run(*asked, "--csv").out == "n,most\n16,10\n"
    assert json.loads(run(*asked, "--json").out) == {"rows": [{"n": 16, "most": 10}]}
    asked = ("study", "show", done, "--sql", "select [1, null, 2] a, [[1], [2.5]] b, {'x': [true]} c, "
             "[date '2020-01-02'] d, array_agg(number order by number) e from results where number < 3")  # fmt: skip
    (row,) = json.loads(run(*asked, "--json").out)["rows"]
    assert (row["a"], row["b"], row["c"], row["e"]) == ([1, None, 2], [[1], [2.5]], {"x": [True]}, [0, 1, 1])
    assert row["d"][0].startswith("2020-01-02")
    assert run(*asked, "--csv").code == run(*asked).code == 0
    assert "1, , 2" in run(*asked).out
    frame = read_study(done, "select [1, null] a, 3 b")
    assert plain_rows(frame) == [{"a": [1, None], "b": 3}]


def test_plot(run, done: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    ran = run("study", "show", done, "--plot", "x.svg")
    assert ran.code == 2
    assert ran.err == "trickwise: this study has no picture: show its tables, or export its results\n"
    drawn = []
    from solver.views import plot

    class Thresholds: ...

    class Estimate: ...

    monkeypatch.setattr(plot, "save_threshold", lambda found, path: drawn.append(("threshold", path)))
    monkeypatch.setattr(plot, "save_curve", lambda found, path: drawn.append(("curve", path)))
    report = toykind.KIND.report

    for what in (Thresholds(), Estimate()):
        monkeypatch.setattr(toykind.KIND, "report", lambda *a, what=what: report(*a)._replace(what=what), raising=False)
        assert run("study", "show", done, "--plot", "x.svg").code == 0
    assert drawn == [("threshold", "x.svg"), ("curve", "x.svg")]


def test_export(run, done: str) -> None:  # noqa: F811
    for name in ("all.csv", "all.parquet"):
        assert run("study", "export", done, "--to", name).err == f"{name}: 16 rows\n"
        before = Path(name).read_bytes()
        Path(name).write_text("mine")
        ran = run("study", "export", done, "--to", name)
        assert ran.code == 2
        assert f"{name} exists already: name another file, or --force" in ran.err
        assert Path(name).read_text() == "mine"
        assert run("study", "export", done, "--to", name, "--force").code == 0
        assert Path(name).read_bytes() == before


def test_busy(run, toml: str) -> None:  # noqa: F811
    with half_done(toml) as store, open_store(store, write=True):
        ran = run("study", "status", store)
        assert (ran.code, ran.out, ran.err) == (0, f"{store} is being worked on by this process\n", "")
        Path("a: b.duckdb").symlink_to(store)
        assert run("study", "status", "a: b.duckdb").out == "a: b.duckdb is being worked on by this process\n"
        for more in (
            ("status", store, "--json"),
            ("status", store, "--csv"),
            ("resume", store),
            ("run", toml),
            ("show", store),
            ("export", store, "--to", "x.csv"),
        ):
            ran = run("study", *more)
            assert (ran.code, ran.out) == (2, "")
            assert ran.err.startswith(f"trickwise: {store} is being worked on by this process: wait")
            assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    "more, said",
    [
        (("run", "none.toml"), "cannot use none.toml: No such file"),
        (
            ("run", "toy.toml", "--workers", "2", "--cluster", "local:2"),
            "--workers and --cluster: a cluster has its own",
        ),
        (("run", "toy.toml", "--cluster", "here"), "expected tcp://HOST:PORT of a Dask scheduler, or local:4"),
        (("run", "toy.toml", "--store", "toy.toml"), "toy.toml is the definition"),
        (("run", "toy.toml", "--store", "bad.duckdb"), "bad.duckdb, which is damaged or no store of a study"),
        (("status", "bad.duckdb"), "cannot open bad.duckdb"),
        (("status", "none.duckdb"), "there is no store none.duckdb"),
        (("resume", "none.duckdb"), "there is no store none.duckdb"),
        (("export", "none.duckdb", "--to", "x.txt"), "the name ends in .parquet or .csv"),
        (("show", "none.duckdb", "--plot", "x.txt"), "the name ends in .png"),
        (("show", "none.duckdb", "--json", "--csv"), "--json and --csv: choose one"),
        (("show", "none.duckdb", "--sql", "x", "--plot", "x.svg"), "--sql and --plot: choose one"),
        (("show", "none.duckdb", "--sql", "x", "--table", "1"), "--sql and --table: choose one"),
    ],
)
def test_errors(run, toml: str, more: tuple[str, ...], said: str) -> None:  # noqa: F811
    Path("bad.duckdb").write_bytes(random.Random(1).randbytes(5000))
    before = Path("bad.duckdb").read_bytes()
    ran = run("study", *more)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert Path("bad.duckdb").read_bytes() == before


def test_typos(run, toml: str) -> None:  # noqa: F811
    Path(toml).write_text(Path(toml).read_text().replace("seed", "sed").replace("count", "cuont"))
    ran = run("study", "run", toml)
    assert ran.code == 2
    assert ran.err == "trickwise: toy.toml: unknown keys: 'sed' (nearest: seed); 'toy.cuont' (nearest: count)\n"
    assert not Path("toy.duckdb").exists()


def test_a_chunk_that_fails(run, toml: str) -> None:  # noqa: F811
    with Path(toml).open("a") as file:
        file.write("fail = 5\n")
    ran = run("study", "run", toml, "--workers", "1")
    assert ran.code == 2
    assert ran.err.startswith("trickwise: chunk 2 (things 4 to 5) of toy.duckdb ended with an error: thing 5 cannot be")
    assert len(ran.err.splitlines()) == 1


def test_help(run) -> None:  # noqa: F811
    ran = run("study", "--help")
    assert ran.code == 0
    assert all(f"\n  {name} " in ran.out for name in ("run", "resume", "status", "export", "show"))
    assert solver.cli.study.studies.registered_commands


# --------------------------------------------------------------------- progress


@pytest.mark.parametrize(
    "done, total, fresh, seconds, said",
    [
        (10, 100, 0, 5.0, "hands: 10 of 100"),
        (30, 100, 20, 5.0, "hands: 30 of 100, 4.0/s, 0:18 left"),
        (30, 1000, 20, 600.0, "hands: 30 of 1000, 2.0/min, 8:05:00 left"),
        (1, 680, 1, 1800.0, "hands: 1 of 680, 2.0/h, 14 days 3 h left"),
        (4, 4, 4, 100_000.0, "hands: 4 of 4, 0.1/h, 0:00 left"),
    ],
)
def test_pace(done: int, total: int, fresh: int, seconds: float, said: str) -> None:
    assert views.pace("hands", done, total, fresh, seconds) == said


def test_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter(range(0, 1000, 25))
    monkeypatch.setattr(views.time, "monotonic", lambda: next(clock))
    with views.study_progress("hands") as tell:
        for done in range(4, 9):
            tell(done, 8)
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(line.startswith("hands: ") and line.endswith(" left") for line in lines)
    monkeypatch.undo()
    shown = io.StringIO()
    monkeypatch.setattr(views, "Console", lambda file: Console(file=shown, force_terminal=True, width=100))
    with views.study_progress("hands") as tell:
        tell(4, 8)
        tell(8, 8)
    assert "hands: 8 of 8" in shown.getvalue()


def test_kinds(run) -> None:  # noqa: F811
    told = json.loads(run("study", "kinds", "--json").out)["rows"]
    assert {row["kind"] for row in told} >= {"threshold", "exact", "match", "solve", "annotate"}
    assert run("study", "kinds", "solve").out.count("solve ") >= 2
    assert run("study", "kinds", "nothing").code == 2


def test_what_cannot_be_begun_leaves_nothing(run, tmp_path: Path) -> None:  # noqa: F811
    assert "directory" in run("study", "run", str(tmp_path)).err
    toml = tmp_path / "toy.toml"
    toml.write_text(toykind.TOML.format(count=4, ms=0))
    assert run("study", "run", str(toml), "--cluster", "locl:2").code == 2
    assert list(tmp_path.iterdir()) == [toml]
