"""kill -9 at any moment of a study: nothing is lost, nothing is there twice, and the result is that of a quiet run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toykind
from solver.studies.runner import run_study
from solver.studies.store import open_store

#: Begins a study or goes on with it, and says when it starts to.
WORK = """
import sys, toykind
toykind.register()
from solver.studies.runner import run_study
print("ready", flush=True)
status = run_study(sys.argv[1], sys.argv[2], workers=1)
print("done" if status.complete else "left", flush=True)
"""


def start(*arguments: str, code: str = WORK) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(Path(toykind.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def killed_until_done(folder: Path, kills: int, count: int, ms: int, longest: float) -> None:
    assert kills * longest <= count * ms / 1000, "the last kill comes before the end, however fast the machine"
    toml, quiet, store = folder / "study.toml", folder / "quiet.duckdb", folder / "study.duckdb"
    toml.write_text(toykind.TOML.format(count=count, ms=0))
    run_study(toml, quiet, workers=2)
    toml.write_text(toykind.TOML.format(count=count, ms=ms))
    rng = random.Random(8)
    done: set[int] = set()
    for _ in range(kills):
        process = start(str(toml), str(store))
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(rng.uniform(0, longest))
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        if store.exists():
            with open_store(store) as kept:
                now = set(kept.done())
                assert done <= now
                assert sorted({*kept.done(), *kept.pending()}) == list(range(kept.chunks))
                done = now
    process = start(str(toml), str(store))
    out, err = process.communicate(timeout=120)
    assert out.split() == ["ready", "done"], err
    with open_store(store) as kept, open_store(quiet) as other:
        assert kept.digest() == other.digest()
        assert sum(r["chunks_done"] for r in kept.runs()) == kept.chunks
        kept.export(folder / "a.csv")
        other.export(folder / "b.csv")
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()
    assert not (folder / "study.duckdb.wal").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_killed_a_few_times(tmp_path: Path) -> None:
    killed_until_done(tmp_path, kills=4, count=80, ms=30, longest=0.6)


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("TRICKWISE_SMALL")), reason="the few times are its small form")
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_killed_twenty_times(tmp_path: Path) -> None:
    killed_until_done(tmp_path, kills=20, count=400, ms=30, longest=0.6)
