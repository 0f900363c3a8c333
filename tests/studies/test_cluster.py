"""Studies on a Dask cluster: the same bytes, also when workers are killed; errors in one line."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.model.errors import NotationError, UnsupportedError
from solver.studies import cluster as module
from solver.studies.cluster import open_cluster, work_remotely
from solver.studies.definition import definition_of
from solver.studies.runner import ChunkError, run
from solver.studies.store import open_store

from .test_runner import begun, content

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers with the toy kind, which do not try a chunk again that killed one of them."""
    more = {"distributed.worker.preload": ["toykind"], "distributed.scheduler.allowed-failures": 0}
    with dask.config.set(more), distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit=None, silence_logs=50
    ) as made:  # fmt: skip
        yield made


def test_the_same_bytes(tmp_path: Path, cluster: Any) -> None:
    here, there = (begun(tmp_path, name) for name in ("here", "there"))
    assert run(here, workers=2).complete
    seen: list[int] = []
    assert run(there, cluster=cluster.scheduler_address, progress=lambda done, _: seen.append(done)).complete
    assert seen == list(range(0, 25, 2))
    assert content(here) == content(there)
    with open_store(there) as kept:
        assert [(r["workers"], r["cluster"]) for r in kept.runs()] == [(2, cluster.scheduler_address)]


def test_stopped_and_gone_on_with(tmp_path: Path, cluster: Any) -> None:
    here, there = (begun(tmp_path, name, count=40, ms=5) for name in ("here", "there"))
    stop = threading.Event()
    status = run(there, cluster=cluster.scheduler_address, stop=stop, progress=lambda d, _: stop.set() if d > 7 else 0)
    assert status.interrupted
    assert 8 <= status.units_done < 40
    assert run(there, workers=1).complete
    assert run(here, workers=1).complete
    assert content(here) == content(there)


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_killed_workers(tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet, store = begun(tmp_path, "quiet", count=60), begun(tmp_path, count=60, ms=20)
    killed = []

    def kill(done: int, _: int) -> None:
        if done in (6, 30):
            pid = list(cluster.workers.values())[len(killed) % 2].process.pid
            if pid:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    # As clusters are: the scheduler gives a chunk to four workers before it gives up.
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 3)
    assert run(store, cluster=cluster.scheduler_address, progress=kill).complete
    assert killed
    assert run(quiet, workers=1).complete
    assert content(store)[0] == content(quiet)[0]


@pytest.mark.parametrize("key, said", [("fail", "thing 9 cannot be read at all"), ("crash", "ZeroDivisionError: by"),
                                       ("die", "its workers died, 2 times over")])  # fmt: skip
def test_a_chunk_that_fails(tmp_path: Path, cluster: Any, key: str, said: str) -> None:
    store = begun(tmp_path, more=f"{key} = 9\n")
    with pytest.raises(ChunkError) as wrong:
        run(store, cluster=cluster.scheduler_address)
    assert f"chunk 4 (things 8 to 9) of {store} ended with an error: {said}" in str(wrong.value)
    assert len(str(wrong.value).splitlines()) == 1
    with open_store(store) as kept:
        assert 4 in kept.pending()
        assert len(kept.done()) >= (11 if key == "die" else 1)


def test_processes_of_our_own(tmp_path: Path) -> None:
    here, there = (begun(tmp_path, name) for name in ("here", "there"))
    with dask.config.set({"distributed.worker.preload": ["toykind"]}):
        assert run(there, cluster="local:1").complete
    assert run(here, workers=1).complete
    assert content(here) == content(there)


def test_a_cluster_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 4)
    store = begun(tmp_path, count=400, ms=20)
    other = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=":0", silence_logs=50
    )
    gone = []

    def lose(done: int, _: int) -> None:
        if done >= 6 and not gone:
            gone.append(threading.Thread(target=other.close))
            gone[0].start()

    began = time.monotonic()
    with pytest.raises(UnsupportedError, match="the cluster was lost: finished chunks are kept"):
        run(store, cluster=other.scheduler_address, progress=lose)
    gone[0].join()
    assert time.monotonic() - began < 60
    with open_store(store) as kept:
        assert len(kept.done()) >= 3


@pytest.mark.parametrize("where", ["", "local", "local:0", "local:x", "http://host:1", "tcp://host", "tcp://"])
def test_no_address(where: str) -> None:
    with pytest.raises(NotationError, match="expected tcp://HOST:PORT of a Dask scheduler, or local:4"), \
            open_cluster(where):  # fmt: skip
        pass


def test_nobody_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    store = begun(tmp_path)
    with pytest.raises(UnsupportedError, match=r"cannot use the cluster tcp://127\.0\.0\.1:9") as wrong:
        run(store, cluster="tcp://127.0.0.1:9")
    assert "\n" not in str(wrong.value)
    with open_store(store) as kept:
        assert kept.runs() == []


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UnsupportedError, match=r"a cluster needs Dask: .*trickwise\[cluster\]"),
        open_cluster("local:1"),
    ):
        pass


def test_what_travels_is_plain() -> None:
    told = definition_of({"kind": "toy", "game": "kit", "seed": 1}).to_json()
    text = work_remotely(told, 0, 12, [], module.versions()["trickwise"])
    assert text.startswith('{"rows": [{"number": 0')
    assert "a worker has trickwise" in work_remotely(told, 0, 12, [], "0")
    told["settings"]["crash"] = 0
    assert work_remotely(told, 0, 12, [], module.versions()["trickwise"]) == '{"error": "ZeroDivisionError: by nought"}'
