"""The cache of compiled kernels: any edit of any kernel source starts a new one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

from solver.kernels import _jit

SOURCES = sorted(p.name for p in Path(_jit.__file__).parent.glob("*.py"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the kernel sources."""
    for name in SOURCES:
        shutil.copy(Path(_jit.__file__).parent / name, tmp_path / name)
    return tmp_path


def test_a_copy_has_the_same_fingerprint(folder: Path) -> None:
    assert _jit.fingerprint(folder) == _jit.fingerprint() == _jit.fingerprint()
    assert _jit.cache_dir.name == _jit.fingerprint()
    (folder / "notes.txt").write_text("no source")
    assert _jit.fingerprint(folder) == _jit.fingerprint()


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_counts(folder: Path, name: str) -> None:
    before = _jit.fingerprint(folder)
    path = folder / name
    text = path.read_bytes()
    path.write_bytes(text + b"\n")
    changed = _jit.fingerprint(folder)
    assert changed != before
    path.write_bytes(text)
    assert _jit.fingerprint(folder) == before
    path.rename(folder / ("x" + name))
    assert _jit.fingerprint(folder) not in (before, changed)


def test_a_new_source_counts(folder: Path) -> None:
    before = _jit.fingerprint(folder)
    (folder / "another.py").write_text("")
    assert _jit.fingerprint(folder) != before


def test_content_cannot_move_between_files(folder: Path) -> None:
    (folder / "one.py").write_text("a = 1\n")
    (folder / "two.py").write_text("b = 2\n")
    before = _jit.fingerprint(folder)
    (folder / "one.py").write_text("a = 1\nb = 2\n")
    (folder / "two.py").write_text("")
    assert _jit.fingerprint(folder) != before


@pytest.mark.parametrize("setting, value", [("BOUNDSCHECK", 7), ("OPT", 7), ("CPU_NAME", "other")])
def test_settings_that_change_code_count(monkeypatch: pytest.MonkeyPatch, setting: str, value: object) -> None:
    before = _jit.fingerprint()
    monkeypatch.setattr(config, setting, value)
    assert _jit.fingerprint() != before


#: A kernel that takes its constant and its helper from other files, as the real ones do.
CALLER = """
import numpy as np
from solver.kernels._jit import jit
from solver.kernels.helper import STEP, shift

@jit
def ask(x):
    return shift(x) + STEP
"""
HELPER = """
from solver.kernels._jit import jit

STEP = {step}

@jit
def shift(x):
    return x + {shift}
"""
SCRIPT = """
from solver.kernels import _jit
from solver.kernels.caller import ask

print(ask(1000), sum(ask.stats.cache_hits.values()), _jit.cache_dir)
"""


def run(package: Path, cache: Path) -> tuple[int, int, str]:
    """Value, cache hits and cache folder of a fresh process that uses a copied package."""
    env = {**os.environ, "PYTHONPATH": str(package), "TRICKWISE_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, cwd=package, capture_output=True, text=True, check=True, timeout=120
    )
    value, hits, used = done.stdout.split(maxsplit=2)
    return int(value), int(hits), used.strip()


@pytest.mark.kernel
def test_a_stale_cache_is_not_used(tmp_path: Path) -> None:
    """Numba alone would answer 1003 after both edits: it looks only at the file of the function that is called."""
    package, cache = tmp_path / "package", tmp_path / "cache"
    copied = package / "solver"
    kernels = copied / "kernels"
    kernels.mkdir(parents=True)
    (copied / "__init__.py").write_text("")  # the kernels need nothing of the package
    for name in ("__init__.py", "_cache.py", "_jit.py"):
        shutil.copy(Path(_jit.__file__).parent / name, kernels / name)
    (kernels / "caller.py").write_text(CALLER)
    helper = kernels / "helper.py"

    helper.write_text(HELPER.format(step=1, shift=2))
    first = run(package, cache)
    again = run(package, cache)
    assert (first[0], again[0]) == (1003, 1003)
    assert first[2] == again[2]
    assert (first[1], again[1]) == (0, 1)  # the second process takes the code that the first one left
    helper.write_text(HELPER.format(step=10, shift=2))
    constant = run(package, cache)
    helper.write_text(HELPER.format(step=10, shift=200))
    function = run(package, cache)
    assert (constant[0], function[0]) == (1012, 1210)
    assert len({first[2], constant[2], function[2]}) == 3
    assert all(Path(used).parent == cache for _, _, used in (first, constant, function))
    assert function[1] == 0


def test_records_are_named_by_their_fields() -> None:
    # By numba's own names, which count types, code for two records could be mixed up in the cache.
    script = (
        "import sys; from numba import from_dtype, types; from solver.kernels import _jit; "
        "from solver.kernels.table import WORK; from solver.model.layout import rules_type; "
        "[types.Record.make_c_struct([(f'f{i}', types.int64)]) for i in range(int(sys.argv[1]))]; "
        "print(*(from_dtype(record).mangling_args for record in (rules_type(), WORK)), sep='\\n')"
    )
    named = [
        subprocess.run([sys.executable, "-c", script, n], capture_output=True, text=True, check=True).stdout
        for n in ("0", "7")
    ]
    assert named[0] == named[1]
    rules, work = named[0].splitlines()
    assert rules != work
