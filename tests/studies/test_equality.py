"""A study of a real game: the same bytes for one thread, two threads, a cluster, and a run killed and resumed."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from solver.studies.runner import begin_study, run
from solver.studies.store import open_store, read_study

from .test_kill import WORK, start
from .test_runner import content

TOML = """
kind = "threshold"
game = "kit"
seed = 5
chunk = 3

[threshold]
hands = {hands}
"""


def begun(folder: Path, name: str, hands: int) -> str:
    toml = folder / "study.toml"
    toml.write_text(TOML.format(hands=hands))
    return begin_study(toml, folder / f"{name}.duckdb")


def test_threads(tmp_path: Path) -> None:
    stores = []
    for workers in (1, 2):
        stores.append(begun(tmp_path, f"by{workers}", 8))
        assert run(stores[-1], workers=workers).complete
    assert content(stores[0]) == content(stores[1])
    frame = read_study(stores[0])
    assert frame["number"].tolist() == list(range(8))
    assert frame["chunk"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_everywhere(tmp_path: Path) -> None:
    one, there, killed = (begun(tmp_path, name, 90) for name in ("one", "there", "killed"))
    assert run(one, workers=1).complete
    if pytest.importorskip("distributed"):
        assert run(there, cluster="local:2").complete
    process = start(str(tmp_path / "study.toml"), killed, code=WORK)
    log = Path(f"{killed}.wal")
    began = time.monotonic()
    while not (log.exists() and log.stat().st_size > 5_000) and time.monotonic() - began < 120:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with open_store(killed) as store:
        assert 0 < len(store.done()) < store.chunks
    assert run(killed, workers=2).complete
    assert content(one) == content(there) == content(killed)
