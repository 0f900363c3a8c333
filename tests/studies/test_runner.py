"""Running studies: the same bytes however they run, errors that name their chunk, interrupts that keep what is done."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import toykind
from solver.deals.estimate import Estimate
from solver.deals.versions import versions
from solver.model.errors import NotationError, UnsupportedError
from solver.studies.pool import Threads
from solver.studies.runner import ChunkError, begin_study, report_study, run, run_study
from solver.studies.store import StoreError, create_store, open_store

from .test_kill import start


def begun(folder: Path, name: str = "study", count: int = 24, ms: int = 0, more: str = "") -> str:
    toml = folder / f"{name}.toml"
    toml.write_text(toykind.TOML.format(count=count, ms=ms) + more)
    return begin_study(toml)


def content(store: str) -> tuple[str, bytes, bytes]:
    """Digest and exported bytes of a store."""
    with open_store(store) as kept:
        files = [Path(f"{store}.{ending}") for ending in ("csv", "parquet")]
        for file in files:
            kept.export(file, force=True)
        return kept.digest(), files[0].read_bytes(), files[1].read_bytes()


def test_one_thread_and_two(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    one, two, rest = (begun(tmp_path, name) for name in ("one", "two", "rest"))
    status = run(one, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, 24) for n in range(0, 25, 2)]
    assert (status.complete, status.interrupted, status.runs, status.units_done) == (True, False, 1, 24)
    assert run(two, workers=2).complete
    stop = threading.Event()
    stopped = run(rest, workers=2, stop=stop, progress=lambda done, _: stop.set() if done >= 8 else None)
    assert stopped.interrupted
    assert 8 <= stopped.units_done < 24
    seen.clear()
    assert run(rest, workers=3, progress=lambda done, total: seen.append((done, total))).complete
    assert seen[0] == (stopped.units_done, 24)
    assert seen[-1] == (24, 24)
    assert content(one) == content(two) == content(rest)
    again = run(one, workers=1)
    assert (again.runs, again.interrupted) == (1, False)
    assert run_study(tmp_path / "one.toml", workers=1) == again


def test_a_stop_that_came_before(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    status = run(begun(tmp_path), workers=1, stop=stop)
    assert (status.done, status.interrupted) == (0, True)


@pytest.mark.parametrize(
    "key, said", [("fail", "thing 9 cannot be read at all"), ("crash", "ZeroDivisionError: by nought")]
)
def test_a_chunk_that_fails(tmp_path: Path, key: str, said: str) -> None:
    store = begun(tmp_path, more=f"{key} = 9\n")
    with pytest.raises(ChunkError) as wrong:
        run(store, workers=1)
    text = str(wrong.value)
    assert f"chunk 4 (things 8 to 9) of {store} ended with an error: {said}; " in text
    assert len(text.splitlines()) == 1
    with open_store(store) as kept:
        assert kept.pending() == [4], "the others are done"
    assert text.endswith("; 11 of 12 chunks are kept")
    with pytest.raises(ChunkError, match=r"chunk 4 .* 11 of 12 chunks are kept"):
        run(store, workers=1)


@pytest.mark.parametrize("bad, tried", [({3, 8, 9, 14, 21}, 12), (set(range(4, 80)), 12)])
def test_chunks_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: set[int], tried: int) -> None:
    """The others are done, until ten fail in a row."""
    work, asked = toykind.KIND.work, []

    def some(definition: Any, first: int, last: int, items: Any) -> Any:
        asked.append(first)
        if bad & set(range(first, last)):
            raise ValueError(f"{first}\nis bad")
        return work(definition, first, last, items)

    monkeypatch.setattr(toykind.KIND, "work", some, raising=False)
    count = 24 if len(bad) < 10 else 80
    store = begun(tmp_path, count=count)
    with pytest.raises(ChunkError) as wrong:
        run(store, workers=1)
    text = str(wrong.value)
    with open_store(store) as kept:
        done = kept.done()
    assert done == [c for c in range(count // 2) if not bad & {2 * c, 2 * c + 1}]
    assert tried <= len(asked) <= tried + 2, "those that were in hand"
    failed = len(asked) - len(done)
    first = min(bad) // 2
    assert text.startswith(f"{failed} chunks of {store} ended with an error: chunk {first} (things {2 * first} to ")
    assert f"): ValueError: {2 * first} is bad; chunk " in text
    assert text.endswith(f"; and {failed - 3} more; {len(done)} of {count // 2} chunks are kept")


def test_how_many(tmp_path: Path) -> None:
    assert Threads().workers >= 1
    with pytest.raises(NotationError, match="workers is 0: expected a whole number from 1"):
        run(begun(tmp_path), workers=0)
    with pytest.raises(UnsupportedError, match="workers and cluster are both given"):
        run(begun(tmp_path), workers=1, cluster="local:2")


def test_reports(tmp_path: Path) -> None:
    store = begun(tmp_path)
    with pytest.raises(StoreError, match="has no finished chunk yet"):
        report_study(store)
    stop = threading.Event()
    status = run(store, workers=1, stop=stop, progress=lambda done, _: stop.set() if done >= 8 else None)
    part = f"{status.units_done} of 24 things so far ({status.done} of 12 chunks)"
    assert report_study(store).heading == ("toy: 24 things", part)
    run(store, workers=1)
    assert report_study(store).heading == ("toy: 24 things",)


def test_versions_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer has those it was begun with; a study that goes on with others says so."""
    store, report = begun(tmp_path), toykind.KIND.report
    said = Estimate("kit", {}, "", "", "", "", 3, 1, "tricks", pd.DataFrame())
    monkeypatch.setattr(toykind.KIND, "report", lambda *a: report(*a)._replace(what=said), raising=False)
    stop = threading.Event()
    run(store, workers=1, stop=stop, progress=lambda done, _: stop.set() if done >= 8 else None)
    part = report_study(store)
    with open_store(store) as kept:
        assert (kept.status().notes, part.what.notes) == ((), part.heading[1:])
    with duckdb.connect(store) as db:
        db.execute("""update about set value = replace(value, '"numba": "', '"numba": "9.') where key = 'versions'""")
    status = run(store, workers=1)
    now = versions()["numba"]
    note = f"worked on with several versions, and numbers may depend on them: numba 9.{now} and {now}"
    found = report_study(store)
    assert (status.complete, status.notes) == (True, (note,))
    assert found.notes == ("a note", note)
    assert (found.what.notes, found.what.versions) == ((note,), {**versions(), "numba": f"9.{now}"})


# --------------------------------------------------------------------- two at once


def test_a_store_that_another_has_just_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def second(*arguments: Any) -> None:
        create_store(*arguments)  # the other program
        create_store(*arguments)

    monkeypatch.setattr("solver.studies.runner.create_store", second)
    assert run(begun(tmp_path), workers=1).complete
    with pytest.raises(StoreError, match="holds another study"):
        begun(tmp_path, count=25)


def test_the_loser_is_told_that_another_works_on_it(tmp_path: Path) -> None:
    pairs = []
    for n in range(3):
        toml = tmp_path / f"{n}.toml"
        toml.write_text(toykind.TOML.format(count=60, ms=50))
        pairs.append([start("study", "run", str(toml), "--workers", "1", code=COMMAND) for _ in range(2)])
        while all(process.poll() is None for process in pairs[-1]):  # the winner, which waits, need not be waited for
            time.sleep(0.02)
    for both in pairs:
        said = [process.communicate(timeout=120)[1] for process in both]
        (loser,) = [i for i in range(2) if both[i].returncode]
        assert both[loser].returncode == 2
        assert "is being worked on by process" in said[loser]
        assert "remove" not in said[loser]
        assert len(said[loser].splitlines()) == 1
        assert "all 60 things are done" in said[1 - loser]


# --------------------------------------------------------------------- Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interrupt_finishes_what_is_in_hand(tmp_path: Path) -> None:
    store = begun(tmp_path, ms=20)

    def press(done: int, _: int) -> None:
        if done == 8:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    status = run(store, workers=1, progress=press)
    assert status.interrupted
    assert 8 <= status.units_done <= 12
    assert signal.getsignal(signal.SIGINT) is before
    assert run(store, workers=1).complete


def test_a_second_interrupt_ends_at_once(tmp_path: Path) -> None:
    store = begun(tmp_path, count=4, ms=3000)

    def press() -> None:
        for _ in range(2):
            time.sleep(0.3)
            _thread.interrupt_main()

    threading.Thread(target=press).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt, match="ended at once: finished chunks are kept"):
        run(store, workers=1)
    assert time.monotonic() - began < 5
    with open_store(store) as kept:
        assert kept.done() == []


def test_not_on_the_main_thread(tmp_path: Path) -> None:
    store, found = begun(tmp_path), []
    thread = threading.Thread(target=lambda: found.append(run(store, workers=1)))
    thread.start()
    thread.join()
    assert found[0].complete


COMMAND = """
import sys, toykind
toykind.register()
import solver.cli.study
from solver.cli import main
sys.argv[0] = "trickwise"
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_the_command_says_how_to_go_on(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text(toykind.TOML.format(count=400, ms=20))
    process = start("study", "run", str(toml), "--workers", "1", code=COMMAND)
    store = tmp_path / "study.duckdb"
    try:
        for _ in range(300):
            time.sleep(0.1)
            if (
                store.with_name("study.duckdb.wal").exists()
                and store.with_name("study.duckdb.wal").stat().st_size > 5000
            ):
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert not out
    with open_store(store) as kept:
        status = kept.status()
    assert 0 < status.units_done < 400
    assert err == (f"trickwise: stopped after {status.units_done} of 400 things, which are kept; to go on: "
                   f"trickwise study resume {store} --workers 1\n")  # fmt: skip
