"""Ctrl-C at any moment, and standard streams that are closed or full: the command ends soon, in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import toykind
from solver.cli import ending
from solver.cli.command import note

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and streams of Unix")

SEVEN, TEN = "AH KH QH 9H TS JC 9D", "AH TH KH QH 9H TS JS JC 9C 9D"
THIRTEEN = "SA SK SQ S2 HA H3 H2 DA D2 CA CK C3 C2"

#: Seconds after the start; in the small form one among the imports and one within the work.
MOMENTS = [0.3, 2] if os.environ.get("TRICKWISE_SMALL") else [0.1, 0.2, 0.3, 0.5, 1, 2, 4, 8, 16]

#: Commands with more work than a test waits for, by what they do most of the time.
LONG = {
    "drawing": ["advise", "bridge", THIRTEEN, "--contract", "3NT by W", "--worlds", "9999999", "--seed", "1"],
    "listing": ["advise", "kit", "o1 o2 o3 o4", "--contract", "2 by 0", "--worlds", "9999999", "--seed", "1"],
    "solve": ["solve", "sheepshead", "@3"],
    "bid": ["bid", "thousand", SEVEN, "--seed", "1", "--worlds", "999999"],
    "plan": ["plan", "thousand", TEN, "--seed", "1", "--worlds", "999999"],
    "numbers": ["numbers", "thousand", SEVEN, "--contract", "120 by 0", "--seed", "1", "--worlds", "99999"],
    "threshold": ["threshold", "thousand", "--hands", "100000", "--seed", "1"],
    "equilibrium": ["equilibrium", "kit", "--iterations", "1000000"],
    "league": ["league", "kit", "--iterations", "1000000"],
    "diagnose": ["diagnose", "bridge", "--deals", "100000", "--seed", "1"],
    "bench": ["bench"],
    "table": ["table", "-"],
    "solve lines": ["solve", "--jsonl", "-"],
}
#: Those that read standard input, and nothing comes.
READING = [["solve", "kit", "-", "2 by 0"], ["check", "-"], ["deal", "kit"], ["games"], ["worlds", "kit", "-"]]


def press(arguments: list[str], after: float) -> tuple[int, str, str]:
    """Ctrl-C after so many seconds of a command; exit code and what it wrote."""
    process = subprocess.Popen(
        [sys.executable, "-m", "solver.cli", *arguments], text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        time.sleep(after)
        if process.poll() is not None:
            pytest.skip(f"ended by itself before {after} s")
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(30)  # before its input ends: that would end it, too
        took = time.monotonic() - pressed
        out, err = process.communicate()
    finally:
        process.kill()
        process.wait()
    assert took < 5, "2 s on a quiet machine"
    return process.returncode, out, err


def check_ended(arguments: list[str], after: float) -> None:
    code, _, err = press(arguments, after)
    assert code in (130, -signal.SIGINT), err  # the second before Python itself has started
    assert "Traceback" not in err
    assert "ignored" not in err
    lines = [line for line in err.splitlines() if line.startswith("trickwise: ")]
    assert len(lines) == (code == 130)


@pytest.mark.parametrize("name, after", [("drawing", 0.15), ("solve", 0.4), ("drawing", 4), ("equilibrium", 2)])
def test_control_c(name: str, after: float) -> None:
    check_ended(LONG[name], after)


@pytest.mark.slow
@pytest.mark.parametrize("after", MOMENTS)
@pytest.mark.parametrize("name", LONG)
def test_control_c_at_any_moment(name: str, after: float) -> None:
    check_ended(LONG[name], after)


@pytest.mark.slow
@pytest.mark.parametrize("after", [m for m in MOMENTS if m <= 1])
@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_control_c_while_waiting_for_input(arguments: list[str], after: float) -> None:
    check_ended(arguments, after)


@pytest.mark.slow
def test_control_c_while_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKWISE_CACHE_DIR", str(tmp_path))
    for after in (2, 3, 5, 8):
        check_ended(["solve", "kit", "@1", "2 by 0"], after)
    assert not [*tmp_path.rglob("*.part")]
    done = subprocess.run(
        [sys.executable, "-m", "solver.cli", "solve", "kit", "@1", "2 by 0", "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == "the deal of seed 1\n"


def test_work_that_sees_no_interrupt_is_ended(tmp_path: Path) -> None:
    # An interrupt that is swallowed, one in a finalizer, and one in text, of which Python would die at its end.
    code = (
        "import sys, time\n"
        "from solver.cli import app as _, command, main\n"
        "class Late:\n"
        "    def __del__(self):\n"
        "        time.sleep(0.5)\n"
        "def app():\n"
        "    print('begun', file=sys.stderr, flush=True)\n"
        "    {work}\n"
        "command.app = app\n"
        "main()\n"
    )
    for work in (
        "while True:\n        try: time.sleep(9)\n        except BaseException: pass",
        "while True: Late()",
        "exec('while True: pass')",
    ):
        (tmp_path / "late.py").write_text(code.format(work=work))
        process = subprocess.Popen(
            [sys.executable, "-m", "late"], stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(ending.__file__).parents[2])])},
        )  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, "trickwise: stopped\n"), work
        assert time.monotonic() - pressed < 5


def test_an_interrupted_study_keeps_what_is_finished_in_a_moment(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text(toykind.TOML.format(count=8, ms=10_000))
    code = (
        "import sys, toykind\ntoykind.register()\nfrom solver.cli import main\n"
        f"sys.argv = ['trickwise', 'study', 'run', {str(toml)!r}, '--workers', '1']\nmain()\n"
    )
    path = os.pathsep.join([str(Path(toykind.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    try:
        while process.poll() is None and not (tmp_path / "study.duckdb.wal").exists():
            time.sleep(0.05)
        time.sleep(0.5)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert time.monotonic() - pressed < 5
    assert process.returncode == 130
    assert err.startswith("trickwise: stopped after 0 of 8 things, which are kept; to go on: trickwise study resume ")
    assert len(err.splitlines()) == 1


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook, threading.excepthook
    with pytest.raises(SystemExit) as ended, ending.guard():
        raise SystemExit(3)
    assert ended.value.code == 3
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook, threading.excepthook) == before
    assert "trickwise Ctrl-C" not in {thread.name for thread in threading.enumerate()}


# --------------------------------------------------------------------- streams


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "streams, arguments, code, said",
    [
        (">/dev/full", "games", 2, "trickwise: cannot use standard output: No space left on device\n"),
        (">/dev/full", "--help", 2, "trickwise: cannot use standard output: No space left on device\n"),
        (">&-", "games", 2, "trickwise: cannot use standard output: Bad file descriptor\n"),
        ("2>&-", "games", 0, ""),
        ("2>/dev/full", "deal kit nonsense", 2, ""),
        ("<&-", "solve kit - '2 by 0'", 2, "trickwise: cannot use the input: Bad file descriptor\n"),
        ("<&- >&- 2>&-", "games", 2, ""),
        ("| true", "games", 0, ""),
    ],
)
def test_standard_streams(tmp_path: Path, streams: str, arguments: str, code: int, said: str, unbuffered: str) -> None:
    if "/dev/full" in streams and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m solver.cli {arguments} {streams}"], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, said)


def test_a_note_that_nobody_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("typer.echo", full)
    note("said to nobody")
