"""Studies on a Dask cluster: the same bytes, also when workers are killed; errors in one line."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from solver.model.errors import NotationError, UnsupportedError
from solver.studies import cluster as module
from solver.studies.cluster import open_cluster, work_remotely
from solver.studies.definition import definition_of
from solver.studies.pool import Task
from solver.studies.runner import ChunkError, run
from solver.studies.store import open_store

from .test_runner import begun, content

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

#: Tests that start a cluster take long.
slow = pytest.mark.slow
#: Of what takes longest the small form leaves to the others what they show too.
whole = pytest.mark.skipif(bool(os.environ.get("TRICKWISE_SMALL")), reason="starts or loses a cluster of its own")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers with the toy kind, which do not try a chunk again that killed one of them."""
    more = {"distributed.worker.preload": ["toykind"], "distributed.scheduler.allowed-failures": 0}
    with dask.config.set(more), distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit=None, silence_logs=50
    ) as made:  # fmt: skip
        yield made


@slow
def test_the_same_bytes(tmp_path: Path, cluster: Any) -> None:
    here, there = (begun(tmp_path, name) for name in ("here", "there"))
    assert run(here, workers=2).complete
    seen: list[int] = []
    assert run(there, cluster=cluster.scheduler_address, progress=lambda done, _: seen.append(done)).complete
    assert seen == list(range(0, 25, 2))
    assert content(here) == content(there)
    with open_store(there) as kept:
        assert [(r["workers"], r["cluster"]) for r in kept.runs()] == [(2, cluster.scheduler_address)]


@slow
def test_stopped_and_gone_on_with(tmp_path: Path, cluster: Any) -> None:
    here, there = (begun(tmp_path, name, count=40, ms=5) for name in ("here", "there"))
    stop = threading.Event()
    status = run(there, cluster=cluster.scheduler_address, stop=stop, progress=lambda d, _: stop.set() if d > 7 else 0)
    assert status.interrupted
    assert 8 <= status.units_done < 40
    assert run(there, workers=1).complete
    assert run(here, workers=1).complete
    assert content(here) == content(there)


@slow
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


@slow
@pytest.mark.parametrize("key, said", [("fail", "thing 9 cannot be read at all"), ("crash", "ZeroDivisionError: by"),
                                       ("die", "its workers died, 2 times over")])  # fmt: skip
def test_a_chunk_that_fails(tmp_path: Path, cluster: Any, key: str, said: str) -> None:
    store = begun(tmp_path, more=f"{key} = 9\n")
    with pytest.raises(ChunkError) as wrong:
        run(store, cluster=cluster.scheduler_address)
    assert f"chunk 4 (things 8 to 9) of {store} ended with an error: {said}" in str(wrong.value)
    assert len(str(wrong.value).splitlines()) == 1
    with open_store(store) as kept:
        assert kept.pending() == [4], "the others are done"


@slow
@whole
def test_processes_of_our_own(tmp_path: Path) -> None:
    here, there = (begun(tmp_path, name) for name in ("here", "there"))
    with dask.config.set({"distributed.worker.preload": ["toykind"]}):
        assert run(there, cluster="local:1").complete
    assert run(here, workers=1).complete
    assert content(here) == content(there)


@slow
@whole
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
    mine = module.versions()
    text = work_remotely(told, 0, 12, [], mine)
    assert text.startswith('{"rows": [{"number": 0')
    assert work_remotely(told, 0, 12, [], {**mine, "python": "2.7"}) == text
    for name in ("trickwise", "numpy", "numba"):
        refused = json.loads(work_remotely(told, 0, 12, [], {**mine, name: "0"}))
        assert refused == {"error": f"a worker has {name} {mine[name]}, and the client {name} 0"}
    told["settings"]["crash"] = 0
    assert work_remotely(told, 0, 12, [], mine) == '{"error": "ZeroDivisionError: by nought"}'


class Listening:
    """A client that notes the keys of what it is given, and is lost at once."""

    status = "closed"

    def __init__(self) -> None:
        self.keys: list[str] = []

    def nthreads(self) -> dict[str, int]:
        return {"a": 1}

    def submit(self, *_: Any, key: str, pure: bool) -> Any:
        self.keys.append(key)
        return Future()

    def cancel(self, *_: Any, force: bool) -> None: ...


def test_two_clients_share_no_key() -> None:
    told = definition_of({"kind": "toy", "game": "kit", "seed": 1}).to_json()
    seen = []
    for _ in range(2):
        client = Listening()
        with pytest.raises(UnsupportedError, match="the cluster was lost"):
            list(module.Cluster(client, 1).map_unordered(iter([Task(told, 0, 2, [])]), threading.Event()))
        seen += client.keys
    assert len(seen) == len(set(seen)) == 2
