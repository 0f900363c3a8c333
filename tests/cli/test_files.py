"""Nothing is overwritten unasked: one rule for every command that writes a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import toykind
from solver.cli.command import app
from solver.studies.kinds import KINDS

from .test_cli import run  # noqa: F401

#: Options whose FILE is written.
WRITTEN = {"plot", "save", "to"}
KIT = ("kit", "-o", "suits=2", "-o", "ranks=3")
MORE = ("kit", "-o", "suits=3", "-o", "ranks=3")

ASKED: list[tuple[str, tuple[str, ...]]] = [
    ("x.svg", ("bid", "kit", "@3", "--plot")),
    ("x.svg", ("numbers", "kit", "@3", "--plot")),
    ("x.svg", ("threshold", "kit", "--plot")),
    ("x.svg", ("league", *KIT, "--plot")),
    ("x.svg", ("league", *KIT, "--truths", "--plot")),
    ("x.svg", ("equilibrium", *KIT, "--plot")),
    ("x.npz", ("equilibrium", *KIT, "--save")),
    ("x.svg", ("study", "show", "none.duckdb", "--plot")),
    ("x.csv", ("study", "export", "none.duckdb", "--to")),
    ("x.jsonl", ("bench", "--save")),
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    toykind.register()
    yield
    del KINDS["toy"]


def commands(group: Any, *before: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, *before, name)
        else:
            yield (*before, name), one


def test_every_command_that_writes_has_the_rule() -> None:
    writing = {}
    for name, one in commands(typer.main.get_command(app)):
        options = {option.removeprefix("--") for p in one.params for option in p.opts}
        if options & WRITTEN:
            writing[name] = options & WRITTEN
            assert "force" in options, name
    asked = {(args[0], option) if args[0] != "study" else (*args[:2], option)
             for _, args in ASKED for option in [args[-1].removeprefix("--")]}  # fmt: skip
    assert asked == {(*name, option) for name, options in writing.items() for option in options}


@pytest.mark.parametrize("name, arguments", ASKED)
def test_a_file_that_exists_is_left_alone(run, name: str, arguments: tuple[str, ...]) -> None:  # noqa: F811
    for make in (lambda: Path(name).write_text("mine"), lambda: Path(name).symlink_to("nowhere")):
        make()
        ran = run(*arguments, name)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"trickwise: {name} exists already: name another file, or --force\n"
        assert Path(name).is_symlink() or Path(name).read_text() == "mine"
        Path(name).unlink()
    assert not list(Path().iterdir())


def test_two_options_name_two_files(run) -> None:  # noqa: F811
    ran = run("equilibrium", *KIT, "--save", "x.svg", "--plot", "./x.svg")
    assert ran.err == "trickwise: --save and --plot both name ./x.svg: name two files\n"
    ran = run("threshold", "kit", "--checkpoint", "x.svg", "--plot", "x.svg")
    assert ran.err == "trickwise: --checkpoint and --plot both name x.svg: name two files\n"
    assert not list(Path().iterdir())


def test_places_where_nothing_can_be_written(run) -> None:  # noqa: F811
    Path("file").touch()
    for name, said in (("none/x", "No such file"), ("file/x", "Not a directory"), (".", "Is a directory"),
                       ("/dev/null", "Invalid argument")):  # fmt: skip
        ran = run("equilibrium", *KIT, "--save", name, "--force")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"trickwise: cannot use {name}: {said}\n" or said in ran.err
    assert Path("/dev/null").is_char_device()


@pytest.mark.kernel
def test_what_is_gone_on_from_is_no_other_file(run) -> None:  # noqa: F811
    few = ("equilibrium", *MORE, "--save", "x.npz", "--iterations")
    assert run(*few, "2").code == 0
    before = Path("x.npz").read_bytes()
    assert run(*few, "3").code == 2
    assert Path("x.npz").read_bytes() == before
    assert run(*few, "3", "--start", "./x.npz").code == 0
    gone_on = Path("x.npz").read_bytes()
    assert gone_on != before
    assert run(*few, "2", "--force").code == 0
    Path("other.npz").write_bytes(gone_on)
    assert run(*few, "4", "--start", "other.npz").code == 2
    study = ("threshold", *KIT, "--by", "winners", "--seed", "5", "--checkpoint", "x.jsonl", "--hands")
    for hands in ("2", "3"):
        assert run(*study, hands).code == 0
    assert len(Path("x.jsonl").read_text().splitlines()) == 4
    Path("mine.txt").write_text("mine\n")
    assert run(*study[:-3], "--checkpoint", "mine.txt", "--force").code == 2
    assert Path("mine.txt").read_text() == "mine\n"
