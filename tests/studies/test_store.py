"""The store of a study: chunks come whole or not at all, and what is no store is refused and left as it is."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import toykind
from solver.model.errors import NotationError, UnsupportedError
from solver.studies.runner import begin_study, report_study, run
from solver.studies.store import StoreBusyError, StoreError, open_store, read_study
from solver.studies.work import work_chunk

from .test_kill import start


def begun(folder: Path, count: int = 12, more: str = "", name: str = "study") -> Path:
    toml = folder / f"{name}.toml"
    toml.write_text(toykind.TOML.format(count=count, ms=0) + more)
    return Path(begin_study(toml))


def finished(folder: Path, **how) -> Path:
    store = begun(folder, **how)
    assert run(store, workers=1).complete
    return store


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a finished study."""
    return finished(tmp_path_factory.mktemp("store"), count=200).read_bytes()


# --------------------------------------------------------------------- what it holds


def test_chunk_by_chunk(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with open_store(path, write=True) as store:
        assert (store.units, store.chunks, store.pending(), store.done()) == (12, 6, list(range(6)), [])
        store.begin(1, "")
        told = store.definition.to_json()
        rows = {c: work_chunk(told, c, store.units, []) for c in (4, 1)}
        for c, some in rows.items():
            store.add(c, some)
        assert (store.pending(), store.done()) == ([0, 2, 3, 5], [1, 4])
        with pytest.raises(StoreError, match=r"chunk 4 of .* is done already"):
            store.add(4, rows[4])
        with pytest.raises(StoreError, match="chunk 6 of"):
            store.add(6, [])
        status = store.status()
    assert (status.units_done, status.done, status.rows, status.runs) == (4, 2, len(rows[1] + rows[4]), 1)
    with open_store(path) as store:
        assert store.definition.to_json() == told
        frame = store.frame()
        assert [r["chunks_done"] for r in store.runs()] == [2]
    assert list(frame) == ["chunk", "row", *toykind.KIND.columns(store.definition)]
    for want, got in zip([*rows[1], *rows[4]], frame.to_dict("records"), strict=True):
        for name, value in want.items():
            assert pd.isna(got[name]) if value is None else got[name] == value
    assert frame["chunk"].tolist() == [1] * len(rows[1]) + [4] * len(rows[4])


def test_a_row_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with open_store(path, write=True) as store:
        good = work_chunk(store.definition.to_json(), 0, 12, [])
        with pytest.raises(StoreError):
            store.add(0, [*good, {**good[0], "number": 2**80}])
        assert store.status().rows == 0
        store.add(0, good)
        assert store.done() == [0]


def test_inputs(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for i, text in enumerate(["eins", "zwei ♠\n", "", 'it\'s "four"']):
        (tmp_path / "texts" / f"{i}.txt").write_text(text)
    path = finished(tmp_path, more='folder = "texts"\n')
    for name in ("./texts", "texts/", f"{tmp_path}/texts"):  # which is no other study, and stored without its folder
        assert begun(tmp_path, more=f'folder = "{name}"\n') == path
        other = begun(tmp_path, more=f'folder = "{name}"\n', name="other")
        with open_store(other) as store:
            assert store.told["settings"]["folder"] == store.definition.settings["folder"] == "texts"
        assert str(tmp_path).encode() not in other.read_bytes()
        other.unlink()
    with duckdb.connect(path) as db:  # as older stores have it
        db.execute(
            f"""update about set value = replace(value, '"texts"', '"{tmp_path}/texts"') where key = 'definition'"""
        )
    assert begun(tmp_path, more='folder = "texts"\n') == path
    with duckdb.connect(path) as db:
        db.execute(f"""update about set value = replace(value, '{tmp_path}/', '') where key = 'definition'""")
        db.execute("vacuum")
    with open_store(path) as store:
        assert store.units == 4
        assert [n for n, _ in store.inputs()] == ["0.txt", "1.txt", "2.txt", "3.txt"]
        assert store.inputs(1, 2) == [("1.txt", "zwei ♠\n")]
        texts = {r["number"]: r["text"] for r in store.frame().dropna().to_dict("records")}
    assert texts == {0: "eins", 1: "zwei ♠\n", 3: 'it\'s "four"'}
    (tmp_path / "texts" / "0.txt").write_text("other")
    with pytest.raises(StoreError, match="holds another study, with other inputs"):
        begin_study(tmp_path / "study.toml")


def test_another_study_is_refused(tmp_path: Path) -> None:
    path = finished(tmp_path)
    assert begun(tmp_path) == path
    with pytest.raises(
        StoreError, match=r"holds another study, with settings\.count 12 and not 13: name another store"
    ):
        begun(tmp_path, count=13)
    with pytest.raises(UnsupportedError, match="a study without things"):
        begun(tmp_path, count=0, name="other")
    assert not (tmp_path / "other.duckdb").exists()


def test_never_replaced(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text(toykind.TOML.format(count=3, ms=0))
    with pytest.raises(UnsupportedError, match="is the definition"):
        begin_study(toml, toml)
    (tmp_path / "study.duckdb.wal").write_text("left")
    with pytest.raises(StoreError, match=r"study\.duckdb\.wal exists already"):
        begin_study(toml)
    with pytest.raises(StoreError, match="there is no folder"):
        begin_study(toml, tmp_path / "none" / "study.duckdb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["study.duckdb.wal", "study.toml"]


# --------------------------------------------------------------------- reading


def test_into_pandas(tmp_path: Path) -> None:
    path = finished(tmp_path)
    frame = read_study(path)
    assert (frame.attrs["units"], frame.attrs["done"], frame.attrs["definition"]["game"]) == (12, 12, "kit")
    assert read_study(path, "select count(*) as n from results")["n"].tolist() == [len(frame)]


@pytest.mark.parametrize(
    "sql",
    ["", "nonsense", "select * from nothing", "delete from results", "drop table results", "copy results to 'x.csv'",
     "select * from read_csv('study.toml')", "attach 'y.duckdb'", "set enable_external_access = true",
     "select content from read_text('study.toml')", "export database 'folder'", "install httpfs"],
)  # fmt: skip
def test_a_query_reads_the_store_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: bytes, sql: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "study.duckdb"
    path.write_bytes(done)
    (tmp_path / "study.toml").write_text(toykind.TOML.format(count=2, ms=0))
    before, names = path.read_bytes(), sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(NotationError) as wrong:
        read_study(path, sql)
    assert "\n" not in str(wrong.value)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == names


def test_export(tmp_path: Path) -> None:
    path = finished(tmp_path)
    with open_store(path) as store:
        frame = store.frame()
        for ending in ("csv", "parquet"):
            file = tmp_path / f"it's.{ending}"
            store.export(file)
            bytes_ = file.read_bytes()
            with pytest.raises(StoreError, match="exists already: name another file, or --force"):
                store.export(file)
            store.export(file, force=True)
            assert file.read_bytes() == bytes_
        with pytest.raises(NotationError, match=r"the name ends in \.parquet or \.csv"):
            store.export(tmp_path / "x.json")
        with pytest.raises(StoreError, match="cannot write"):
            store.export(tmp_path / "none" / "x.csv")
    again = duckdb.sql(f"from '{tmp_path}/it''s.parquet'").df()
    pd.testing.assert_frame_equal(again.astype({"number": float}), frame)
    table = pd.read_csv(tmp_path / "it's.csv")
    assert table["value"].tolist() == pytest.approx(frame["value"].tolist(), rel=0, abs=0, nan_ok=True)
    assert len(list(tmp_path.iterdir())) == 4


# --------------------------------------------------------------------- what is no store


def foreign(folder: Path, sql: str) -> bytes:
    with duckdb.connect(folder / "foreign.db") as db:
        db.execute(sql)
    return (folder / "foreign.db").read_bytes()


def refused(path: Path) -> str:
    """Open a file in every way; it must be refused in one line, and stay as it is."""
    before = path.read_bytes()
    said = ""
    for ask in (partial(open_store, path), partial(open_store, path, write=True), partial(run, path)):
        with pytest.raises(StoreError) as wrong:
            ask()
        said = str(wrong.value)
        assert len(said.splitlines()) == 1
        assert str(path) in said
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir() if p.name.startswith("study.duckdb")] == ["study.duckdb"]
    return said


@pytest.mark.parametrize("what", ["empty", "text", "random", "half", "short", "number", "foreign", "tables", "format"])
def test_what_is_no_store(tmp_path: Path, done: bytes, what: str) -> None:
    path = tmp_path / "study.duckdb"
    tables = "create table {}(key varchar, value varchar);" * 5
    made = {
        "empty": lambda: b"",
        "text": lambda: b'kind = "toy"\n' * 400,
        "random": lambda: random.Random(1).randbytes(20_000),
        "half": lambda: done[: len(done) // 2],
        "short": lambda: done[:5_000],
        "number": lambda: done[:12] + (12345).to_bytes(8, "little") + done[20:],
        "foreign": lambda: foreign(tmp_path, "create table mine(x int); insert into mine values (1)"),
        "tables": lambda: foreign(tmp_path, tables.format("about", "inputs", "chunks", "results", "runs")),
        "format": lambda: edited(tmp_path, done, "update about set value = '99' where key = 'format'"),
    }[what]()
    path.write_bytes(made)
    said = refused(path)
    expected = {"foreign": "no store of a study", "format": "is a store of format '99': this version reads '1'",
                "tables": "store of format None"}  # fmt: skip
    assert expected.get(what, "damaged or no store of a study") in said


def edited(folder: Path, done: bytes, sql: str) -> bytes:
    file = folder / "edited.duckdb"
    file.write_bytes(done)
    with duckdb.connect(file) as db:
        db.execute(sql)
    return file.read_bytes()


#: Changes a definition.
DEFINITION = "update about set value = replace(value, '{}', '{}') where key = 'definition'"


@pytest.mark.parametrize(
    "sql, said",
    [
        ("delete from results where chunk = 3", "chunks and its results do not agree"),
        ("insert into results select * from results where chunk = 3", "chunks and its results do not agree"),
        ("update chunks set state = 'open' where chunk = 3", "chunks and its results do not agree"),
        ("delete from chunks where chunk = 99", "chunks and its results do not agree"),
        ("update about set value = 'many' where key = 'units'", "garbles"),
        ("delete from about where key = 'definition'", "lacks or garbles 'definition'"),
        ("update about set value = '[' where key = 'versions'", "garbles"),
        ("update about set value = '[]' where key = 'versions'", "which is no object"),
        ("update about set value = '3' where key = 'definition'", "which is no object"),
        (DEFINITION.format('"kind"', '"kin"'), "lacks or garbles 'kind'"),
        (DEFINITION.format('"game"', '"gam"'), "lacks or garbles 'game'"),
        (DEFINITION.format('"kit"', "null"), "its kind is 'toy' and its game None, no names"),
        (DEFINITION.format('"toy"', '"tow"'), "a study of kind 'tow', which this version does not know"),
        (DEFINITION.format('"chunk": 2', '"chunk": 0'), "200 units are not 100 chunks of 0 each"),
        (DEFINITION.format('"chunk": 2', '"chunk": 3'), "200 units are not 100 chunks of 3 each"),
        (DEFINITION.format('"chunk": 2', '"chunk": Infinity'), "garbles"),
        ("update about set value = '0' where key = 'units'", "0 units are not 100 chunks"),
        ("alter table results drop column value", "do not have the columns of its study; wrong: value"),
        ("alter table results add column more bigint", "do not have the columns of its study; wrong: more"),
        ("alter table results alter even type varchar", "do not have the columns of its study; wrong: even"),
    ],
)
def test_what_does_not_agree(tmp_path: Path, done: bytes, sql: str, said: str) -> None:
    path = tmp_path / "study.duckdb"
    path.write_bytes(edited(tmp_path, done, sql))
    assert said in refused(path)


@pytest.mark.parametrize(
    "sql, what",
    [
        ("create macro epoch(x) as (select length(content) from read_text('{secret}'))", "the macro 'epoch'"),
        ("create macro all_of() as table select * from read_text('{secret}')", "the macro 'all_of'"),
        ("create view more as select * from read_text('{secret}')", "the view 'more'"),
        ("create type mood as enum ('good', 'bad')", "the type 'mood'"),
        ("create sequence next", "the sequence 'next'"),
        ("create schema other", "the schema 'other'"),
        ("create table more (x bigint)", "the table 'more'"),
        ("create index fast on chunks (chunk)", "the index 'fast'"),
        ("alter table runs alter versions set default version()", "or formula, of the column 'versions'"),
        ("alter table runs alter versions set not null", "the constraint 'NOT NULL'"),
        ("drop table runs; create view runs as select * from read_text('{secret}')", "no store of a study"),
        ("alter table inputs add column more varchar", "its table inputs has other columns"),
        ("create or replace table inputs (number bigint, name varchar, text varchar, "
         "more bigint as (length(version())))", "the default, or formula, of the column 'more'"),
        ("create or replace table inputs (number bigint, name varchar, text varchar check (text <> version()))",
         "the constraint 'CHECK"),
        ("update about set value = repeat('[', 100000) where key = 'definition'", "garbles not JSON"),
    ],
)  # fmt: skip
def test_what_no_study_has_in_its_store(tmp_path: Path, done: bytes, sql: str, what: str) -> None:
    """It would act when the store is read, or is there to be overlooked: the file may come from anywhere."""
    path, secret = tmp_path / "study.duckdb", tmp_path / "secret"
    secret.write_text("secret")
    path.write_bytes(edited(tmp_path, done, sql.format(secret=secret)))
    said = refused(path)
    assert what in said
    assert len(said) < len(str(path)) + 300


def test_no_other_file_is_read_or_written(tmp_path: Path, done: bytes) -> None:
    path, other = tmp_path / "study.duckdb", tmp_path / "other.csv"
    path.write_bytes(done)
    other.write_text("a,b\n1,2\n")
    for write in (False, True):
        with open_store(path, write=write) as store:
            store.export(tmp_path / "some.csv", force=True)
            for sql in (f"from '{other}'", f"copy about to '{other}'", f"attach '{tmp_path}/x.db'",
                        "set enable_external_access = true", f"set allowed_paths = ['{other}']"):  # fmt: skip
                with pytest.raises(StoreError):
                    store._ask(sql)
    assert other.read_text() == "a,b\n1,2\n"
    with open_store(path), open_store(path) as second, pytest.raises(StoreError, match="is open in this process"):
        second.export(tmp_path / "more.csv")


def test_a_lost_column_of_an_older_store(tmp_path: Path, done: bytes) -> None:
    """Which has no note of its columns: found by whoever needs the study's own."""
    path, older = tmp_path / "study.duckdb", "delete from about where key = 'columns';"
    path.write_bytes(edited(tmp_path, done, older))
    assert run(path, workers=1).complete
    assert report_study(path).tables
    path.write_bytes(edited(tmp_path, done, older + "alter table results drop column even"))
    for ask in (report_study, lambda store: open_store(store).definition):
        with pytest.raises(StoreError, match="do not have the columns of its study; wrong: even"):
            ask(path)


def test_random_damage(tmp_path: Path, done: bytes) -> None:
    """A byte changed anywhere is found, or it stands where nothing is; never are other results read."""
    path, rng = tmp_path / "study.duckdb", random.Random(2)
    path.write_bytes(done)
    with open_store(path) as store:
        digest = store.digest()
    found: list[str] = []
    for _ in range(15):
        raw = bytearray(done)
        at = rng.randrange(len(raw))
        raw[at] ^= 1 << rng.randrange(8)
        path.write_bytes(raw)
        try:
            with open_store(path) as store:
                assert store.digest() == digest
        except StoreError as wrong:
            found.append(str(wrong))
        assert path.read_bytes() == raw
    assert len(found) > 3
    assert all(len(said.splitlines()) == 1 for said in found)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        open_store(tmp_path / "study.duckdb")
    with pytest.raises(StoreError, match="is no file"):
        open_store(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_study_of_a_kind_that_is_not_known(tmp_path: Path, done: bytes) -> None:
    path = tmp_path / "study.duckdb"
    path.write_bytes(edited(tmp_path, done, "update about set value = replace(value, 'odds', 'luck')"))
    with open_store(path) as store, pytest.raises(StoreError, match="holds a study that this version does not know"):
        _ = store.definition


def test_another_version_does_not_go_on(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with duckdb.connect(path) as db:
        db.execute("update about set value = replace(value, '\"trickwise\": \"', '\"trickwise\": \"9.') "
                   "where key = 'versions'")  # fmt: skip
    with pytest.raises(StoreError, match="was begun by trickwise 9"):
        run(path)
    with open_store(path) as store:
        assert store.status().done == 0


# --------------------------------------------------------------------- two at once


def test_two_in_one_process(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with open_store(path, write=True):
        for write in (True, False):
            with pytest.raises(StoreBusyError, match="is being worked on by this process"):
                open_store(path, write=write)
        link = tmp_path / "link.duckdb"
        link.symlink_to(path)
        with pytest.raises(StoreBusyError):
            open_store(link)
    with open_store(path), open_store(path), pytest.raises(StoreBusyError):
        run(path)
    assert run(path, workers=1).complete


HOLD = """
import sys, toykind
toykind.register()
from solver.studies.store import open_store
with open_store(sys.argv[1], write=True):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_two_processes(tmp_path: Path) -> None:
    path = begun(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(toykind.__file__).parent)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        for ask in (lambda: run(path), lambda: read_study(path)):
            with pytest.raises(StoreBusyError) as wrong:
                ask()
            assert f"{path} is being worked on by process {process.pid}" in str(wrong.value)
            assert "\n" not in str(wrong.value)
    finally:
        process.communicate("")
    assert run(path, workers=1).complete


# --------------------------------------------------------------------- a disk that is full, or must not be written

#: Goes on with a study where no file may become longer than so many bytes.
SHORT = """
import resource, sys, toykind
toykind.register()
from solver.studies.runner import run
from solver.studies.store import StoreError
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    run(sys.argv[1], workers=1)
except StoreError as wrong:
    print(wrong)
"""

unix = pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")


@unix
def test_no_room(tmp_path: Path) -> None:
    path = begun(tmp_path, count=100)
    process = start(str(path), "14000", code=SHORT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(out.splitlines()) == 1
    assert f"cannot write {path}, the disk is full or a limit is met" in out
    with open_store(path) as store:
        kept = store.status().done
        assert kept == sum(r["chunks_done"] for r in store.runs())
    assert 0 < kept < 50
    assert run(path, workers=1).complete
    whole = finished(tmp_path, count=100, name="whole")
    with open_store(path) as store, open_store(whole) as other:
        assert store.digest() == other.digest()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def filled(ballast: Path) -> None:
    """Fill a disk."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return


@unix
def test_full_disk(small_disk: Path) -> None:
    path = begun(small_disk, count=400)
    ballast, another = small_disk / "ballast", small_disk / "another.toml"
    another.write_text(toykind.TOML.format(count=3, ms=0))
    with open_store(path, write=True) as store:
        store.begin(1, "")
        told = store.definition.to_json()
        store.add(0, work_chunk(told, 0, 400, []))
        filled(ballast)
        said, done = "", 1
        while not said:
            try:
                store.add(done, work_chunk(told, done, 400, []))
                done += 1
            except StoreError as wrong:
                said = str(wrong)
        assert said.startswith(f"cannot write {path}, the disk is full")
        assert "\n" not in said
    with pytest.raises(StoreError, match="the disk is full"):
        begin_study(another)
    ballast.unlink()
    assert list(small_disk.glob("another*")) == [another]
    with open_store(path) as store:
        assert store.done() == list(range(done))
    assert subprocess.run(["mount", "-o", "remount,ro", small_disk], check=False).returncode == 0
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot write"):
        run(path)
    assert path.read_bytes() == before
    with open_store(path) as store:
        assert store.done() == list(range(done))
    assert subprocess.run(["mount", "-o", "remount,rw,size=16m", small_disk], check=False).returncode == 0
    assert run(path, workers=1).complete


#: Goes on with a study as somebody who may not write it.
NOBODY = """
import os, sys, toykind
toykind.register()
from solver.studies.runner import run
from solver.studies.store import StoreError, open_store
if os.getuid() == 0:
    os.setuid(65534)
try:
    run(sys.argv[1], workers=1)
except StoreError as wrong:
    print(wrong)
with open_store(sys.argv[1]) as store:
    print(store.status().done)
"""


@unix
def test_read_only() -> None:
    with tempfile.TemporaryDirectory() as name:  # one that others may enter
        folder = Path(name)
        path = begun(folder)
        before = path.read_bytes()
        path.chmod(0o444)
        folder.chmod(0o555)
        try:
            process = start(str(path), code=NOBODY)
            out, err = process.communicate(timeout=60)
        finally:
            folder.chmod(0o755)
            path.chmod(0o644)
        assert process.returncode == 0, err
        said, done = out.splitlines()
        assert said.startswith(f"cannot write {path}: ")
        assert done == "0"
        assert path.read_bytes() == before
        assert run(path, workers=1).complete


# --------------------------------------------------------------------- what others put beside it


def test_nothing_planted_beside_the_name_is_written_to(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("not to be lost")
    for ending in ("new", "part", "tmp"):
        for name in ("study.duckdb", "out.csv"):
            (tmp_path / f"{name}.{os.getpid()}.{ending}").symlink_to(mine)
    before = sorted(os.listdir(tmp_path))
    with open_store(finished(tmp_path)) as kept:
        kept.export(tmp_path / "out.csv")
    assert mine.read_text() == "not to be lost"
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "study.toml", "study.duckdb", "out.csv"])
    assert not any((tmp_path / name).is_symlink() for name in ("study.duckdb", "out.csv"))


@pytest.mark.parametrize("ending", ["wal", "tmp"])
def test_what_duckdb_would_take_in_must_be_ones_own(tmp_path: Path, ending: str) -> None:
    store = finished(tmp_path)
    near = tmp_path / f"{store.name}.{ending}"
    near.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match=f"{near.name} is a link, or belongs to somebody else"):
        open_store(store)
    near.unlink()
    if hasattr(os, "getuid") and os.getuid() == 0:
        near.write_bytes(b"")
        os.chown(near, 54321, -1)
        with pytest.raises(StoreError, match="belongs to somebody else"):
            open_store(store, write=True)
        near.unlink()
    assert run(store, workers=1).complete
