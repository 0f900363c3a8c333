"""Ctrl-C during a search: it ends soon, and what was proved stands."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from solver.bench.timing import read_suite
from solver.deals import success
from solver.deals.doubledummy import cards, position_cards, solve
from solver.deals.interrupt import STOPPED, interruptible, stopping
from solver.deals.line import best_line, line
from solver.deals.positions import solve_lines
from solver.deals.search import Search, thread_memory
from solver.deals.success import Runner, task
from solver.games import deal, game
from solver.kernels.table import STOP, SWITCHES, new_memory
from solver.model.errors import UnsupportedError
from solver.model.play import Position

pytestmark = pytest.mark.kernel

FOLDER = Path(__file__).parents[2] / "solver" / "bench" / "suites"
EVERYTHING = sum(SWITCHES.values())
KIT = "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3"


def press(memory) -> None:
    """Ctrl-C in a moment, and again while the search is ending."""

    def send() -> None:
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        while not memory.counters[STOP]:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()


def until_stopped(memory) -> str:
    """A search that only the flag ends."""
    start = time.monotonic()
    while not memory.counters[STOP]:
        assert time.monotonic() - start < 60, "the flag never came"
        time.sleep(0.001)
    time.sleep(0.3)
    return "proved"


def bridge() -> Position:
    """A whole deal of bridge."""
    return read_suite(FOLDER / "bridge.jsonl")[0].position


# --------------------------------------------------------------------- the wait


def test_an_interrupt_sets_the_flag() -> None:
    memory = thread_memory(12)
    press(memory)
    assert interruptible(lambda: until_stopped(memory), memory) == ("proved", True)
    assert not stopping(memory)


def test_without_an_interrupt() -> None:
    memory = thread_memory(12)
    assert interruptible(lambda: threading.current_thread() is threading.main_thread(), memory) == (False, False)
    with pytest.raises(UnsupportedError, match="what went wrong"):
        interruptible(lambda: fail("what went wrong"), memory)


def fail(message: str) -> None:
    raise UnsupportedError(message)


def test_away_from_the_main_thread_nothing_waits() -> None:
    found = []
    thread = threading.Thread(
        target=lambda: found.append(interruptible(threading.current_thread, thread_memory(12))), name="asks"
    )
    thread.start()
    thread.join()
    assert found == [(thread, False)]


def test_another_signal_ends_the_search_first() -> None:
    memory = thread_memory(12)

    def leave(*_: object) -> None:
        raise SystemExit(3)

    before = signal.signal(signal.SIGUSR1, leave)
    try:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(SystemExit):
            interruptible(lambda: until_stopped(memory), memory)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not stopping(memory)


# --------------------------------------------------------------------- answers


@pytest.fixture
def told_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question of `guarded` meets the stop flag, as after an interrupt at once, and no search is quick."""
    memory = new_memory(12, EVERYTHING)

    def stopped(ask, memory):
        memory.counters[STOP] = 1
        try:
            return ask(), True
        finally:
            memory.counters[STOP] = 0

    monkeypatch.setattr("solver.deals.search.interruptible", stopped)
    monkeypatch.setattr("solver.deals.search.thread_memory", lambda _: memory)


def test_the_search_gives_up_at_the_flag() -> None:
    position = bridge()
    one = Search(position, memory=new_memory(12, EVERYTHING))
    one.memory.counters[STOP] = 1
    low, high = one.value(position)
    assert one.nodes < 20_000
    assert 0 <= low < high <= 13
    assert one.reaches(position, 7) is None
    one.memory.counters[STOP] = 0
    one.limit = 2_000
    assert one.reaches(position, 7) is None


@pytest.mark.usefixtures("told_to_stop")
def test_bounds_of_a_stopped_question() -> None:
    position = bridge()
    frame = position_cards(position)
    assert frame.attrs["partial"]
    legal = frame[frame["legal"]]
    assert (legal["value"] <= legal["high"]).all()
    assert legal["best"].isna().any()
    with pytest.raises(KeyboardInterrupt, match="stopped before the answer was proved"):
        best_line(position)

    one = deal("bridge", seed=1)
    found = solve(one, "4S by S")
    assert found.partial
    assert found.points < found.high
    assert found.notes[-1] == STOPPED
    assert found.made is None
    assert str(found).endswith(STOPPED)


@pytest.mark.usefixtures("told_to_stop")
def test_lines_end_after_the_stopped_one() -> None:
    lines = (FOLDER / "bridge.jsonl").read_text().splitlines()[:2]
    answers = solve_lines(lines)
    first = next(answers)
    assert first["stopped"] is True
    assert first["low"] < first["high"]
    with pytest.raises(KeyboardInterrupt):
        next(answers)


def test_a_finished_answer_is_not_partial() -> None:
    dealt = game("kit").read(KIT)
    assert not solve(dealt, "2 by 0").partial
    frame = cards(dealt, "2 by 0")
    assert not frame.attrs["partial"]
    assert frame["best"].dtype == bool
    assert "high" not in frame


def test_bounds_say_no_more_than_is_proved() -> None:
    position = bridge()
    whole = position_cards(position)
    values = dict(zip(whole["card"], whole["value"], strict=True))
    best = dict(zip(whole["card"], whole["best"], strict=True))
    for limit in (1_000, 20_000, 60_000):
        frame = position_cards(position, limit=limit)
        for row in frame[frame["legal"]].to_dict("records"):
            assert row["value"] <= values[row["card"]] <= row.get("high", row["value"])
            assert row["best"] in (None, best[row["card"]])


def test_a_limit_leaves_no_line() -> None:
    with pytest.raises(UnsupportedError, match="a limit of 5 positions was met before the answer was proved"):
        line(deal("bridge", seed=1), "4S by S", limit=5)
    assert line(game("kit").read(KIT), "2 by 0", limit=10**6).points == 2


# --------------------------------------------------------------------- many deals


def test_runner_stops_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = read_suite(FOLDER / "kit.jsonl")[:6]
    first = cases[0].position
    layout = Search(first).layout
    hands = np.array([[layout.encode(h) for h in c.position.hands] for c in cases], np.uint64)
    asked = task(first, hands, 1, [1, 2])
    inner, seen = success.search_part, []

    def part(one, where, answer, memory, limit):
        inner(one, where, answer, memory, limit)
        if where.start == 4:
            seen.append(memory)
            press(memory)
            until_stopped(memory)

    monkeypatch.setattr(success, "search_part", part)
    with Runner(workers=1, chunk=2) as runner:
        (answer,) = runner.run(asked)
        assert runner.interrupted
        assert answer.done.tolist() == [True] * 4 + [False] * 2
        assert runner.searches == 4
        assert not runner.run(asked)[0].done.any()
    assert not stopping(seen[0])


# --------------------------------------------------------------------- a real interrupt

#: The command with a search that has everything off, which would take years, and says when it begins.
SLOW = """
import sys, threading
from solver.deals import search, success
from solver.kernels.table import SWITCHES, new_memory

kept = {}
def slow(cards):
    return kept.setdefault(threading.get_ident(), new_memory(12, sum(SWITCHES.values())))
search.thread_memory = success.thread_memory = slow

def marked(ask, memory, inner=search.interruptible):
    return inner(lambda: print("searching", file=sys.stderr, flush=True) or ask(), memory)
search.interruptible = marked

def part(one, where, answer, memory, limit, inner=success.search_part):
    if where.stop > where.start:
        print("searching", file=sys.stderr, flush=True)
    inner(one, where, answer, memory, limit)
success.search_part = part

from solver.cli import main
main()
"""


def interrupted(*arguments: str, text: str = "") -> tuple[int, str, str]:
    """Run a command, press Ctrl-C when it searches, and say how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *arguments], text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
        for line in process.stderr:
            if line == "searching\n":
                break
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize("name", ["solve", "cards"])
def test_a_command_shows_what_was_proved(name: str) -> None:
    code, out, err = interrupted(name, "bridge", "@1", "4S by S")
    assert code == 130, err
    assert STOPPED in out
    assert "Traceback" not in err


def test_a_line_says_why_there_is_none() -> None:
    code, out, err = interrupted("line", "bridge", "@1", "4S by S")
    assert code == 130
    assert not out
    assert err.splitlines()[-1] == "trickwise: stopped before the answer was proved"


def test_bids_end_with_what_is_finished() -> None:
    code, out, err = interrupted("bid", "thousand", "AH KH QH 9H TS JC 9D", "--seed", "1", "--workers", "2")
    assert code == 130, err
    assert not out, "no deal was finished"
    assert "Traceback" not in err


def test_plans_that_were_not_compared_are_not_shown() -> None:
    hand = "AH TH KH QH 9H TS JS JC 9C 9D"
    code, out, err = interrupted("plan", "thousand", hand, "--seed", "1", "--workers", "2")
    assert code == 130, err
    assert not out
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "trickwise: stopped before the plans could be compared"


def test_json_lines_end() -> None:
    text = (FOLDER / "bridge.jsonl").read_text()
    code, out, err = interrupted("solve", "--jsonl", "-", text=text)
    assert code == 130, err
    assert len(out.splitlines()) == 1
    assert '"stopped": true' in out
