"""What the package asks of the machine that it is installed on."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import re
import tomllib
from pathlib import Path

import solver
from solver.bench.workloads import WORKS, suites_folder

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_no_upper_bounds() -> None:
    """Today's Pythons and tomorrow's dependencies are not refused before a failure is known."""
    extras = [wanted for some in PROJECT["optional-dependencies"].values() for wanted in some]
    for wanted in (f"python{PROJECT['requires-python']}", *PROJECT["dependencies"], *extras):
        assert not re.search(r"<|~=|==|,", wanted.split("[")[0] + wanted.partition("]")[2]), wanted
        assert ">=" in wanted or wanted.startswith("trickwise["), wanted


def test_the_installed_package_says_the_same() -> None:
    assert importlib.metadata.metadata("trickwise")["Requires-Python"] == PROJECT["requires-python"]


def test_tested_versions_are_named_alike() -> None:
    """The README's first command names those that the classifiers do."""
    named = [m[1] for c in PROJECT["classifiers"] if (m := re.fullmatch(r".*:: Python :: (3\.\d+)", c))]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"(Python {named[0]} or newer; {', '.join(named[:-1])} and {named[-1]} are tested)" in readme


def test_the_suites_of_the_bench_are_in_the_package() -> None:
    """An installed package measures itself without a checkout."""
    files = importlib.resources.files("solver.bench") / "suites"
    suites = {Path(entry.name).stem for entry in files.iterdir() if entry.name.endswith(".jsonl")}
    assert {work.suite for work in WORKS if work.suite} <= suites
    assert suites_folder() == Path(str(files))
    assert Path(solver.__file__).parent in suites_folder().parents
