"""How the command ends whatever happens: at Ctrl-C soon and in one line, and without its standard streams in one line.

Ctrl-C is a KeyboardInterrupt on the main thread, and questions end early at one with what they have proved. Where that
is not seen in time – in the compiler, in a library's C code, in what comes after a question – a thread that waits for
nothing else ends the process. This module is light, so that all that is true from the first imports on.
"""

from __future__ import annotations

import _thread
import atexit
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

__all__ = ["OUTPUT", "guard", "say_stopped"]

#: Seconds after which the process is ended that has not ended at Ctrl-C by itself.
GRACE = 1.6
_NAP = 0.05

#: Name of the stream in errors.
OUTPUT = "standard output"


class _State:
    """What is known of the command that runs."""

    pressed = False
    again = False  # Ctrl-C came where nothing can be raised
    said = False


def say_stopped(why: str = "") -> None:
    """Say in a line that the command was stopped, unless that is said."""
    if not _State.said:
        _State.said = True
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"trickwise: {why or 'stopped'}\n")
            sys.stderr.flush()


# --------------------------------------------------------------------- Ctrl-C


def _press(number: int, frame: FrameType | None) -> NoReturn:
    _State.pressed = True
    raise KeyboardInterrupt


def _not_raised(wrong: Any) -> None:
    """What comes up where nothing can be raised, in a finalizer or a callback from C; `_watch` presses again."""
    if isinstance(wrong.exc_value, KeyboardInterrupt):
        _State.again = True
    elif not _State.pressed:
        sys.__unraisablehook__(wrong)


def _in_thread(wrong: Any) -> None:
    if not _State.pressed:
        threading.__excepthook__(wrong)


def _watch(pressed: int, ended: threading.Event) -> None:
    """End the process when it has not ended a while after Ctrl-C; `pressed` gives a byte for each signal."""
    while signals := os.read(pressed, 64):
        if signal.SIGINT in signals:
            until = time.monotonic() + GRACE
            while not ended.wait(_NAP):
                if time.monotonic() > until:
                    with suppress(OSError):
                        os.write(2, b"" if _State.said else b"trickwise: stopped\n")
                    os._exit(130)
                if _State.again:
                    _State.again = False
                    _thread.interrupt_main()
            return


def _at_exit() -> None:
    """Let Ctrl-C end what is left to do after the command."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        say_stopped()
        os._exit(130)

    with suppress(ValueError):
        signal.signal(signal.SIGINT, end)


@contextmanager
def _interrupts() -> Iterator[None]:
    """Listen for Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reader, ended), name="trickwise Ctrl-C", daemon=True)
    watcher.start()
    handler = signal.signal(signal.SIGINT, _press)
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    hooks = sys.unraisablehook, threading.excepthook
    sys.unraisablehook, threading.excepthook = _not_raised, _in_thread
    try:
        yield
    finally:
        ended.set()
        if _State.pressed:  # libraries that were cut short say more when they are torn down, and it means nothing
            sys.unraisablehook = lambda _: None
        else:
            sys.unraisablehook, threading.excepthook = hooks
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, handler)
        atexit.unregister(_at_exit)
        atexit.register(_at_exit)  # the last to be registered is the first to be called
        os.close(writer)
        watcher.join()
        os.close(reader)


# --------------------------------------------------------------------- standard streams


class _Output(io.FileIO):
    """Standard output, which says its name where it cannot be written to."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as wrong:
            raise OSError(wrong.errno, wrong.strerror, OUTPUT) from None


class _Errors(io.FileIO):
    """Standard error, where there is nobody to tell that it cannot be written to."""

    def write(self, data: Any) -> int:
        with suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def _open_streams() -> None:
    """Open the standard streams that are closed, so that no file takes their place, and let errors say which it is."""
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):  # 0 and 1 are bad when they are used
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    for name, number, kind in (("stdout", 1, _Output), ("stderr", 2, _Errors)):
        stream = getattr(sys, name)
        if stream is None or (stream is getattr(sys, f"__{name}__") and _is_file(stream)):
            raw = kind(number, "w", closefd=False)
            unbuffered = getattr(stream, "write_through", False)
            setattr(sys, name, io.TextIOWrapper(
                raw if unbuffered else io.BufferedWriter(raw), getattr(stream, "encoding", None), "backslashreplace",
                line_buffering=number == 2 or getattr(stream, "line_buffering", False), write_through=unbuffered,
            ))  # fmt: skip
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _is_file(stream: Any) -> bool:
    buffer = getattr(stream, "buffer", None)
    return type(getattr(buffer, "raw", buffer)) is io.FileIO


# --------------------------------------------------------------------- all of it


@contextmanager
def guard() -> Iterator[None]:
    """Run the command in this; it ends with SystemExit where it is stopped."""
    _State.pressed = _State.again = _State.said = False
    try:
        _open_streams()  # first of all: what is opened takes the lowest number that is free
        with _interrupts():
            yield
    except KeyboardInterrupt:
        _stop()
    except SystemExit as end:
        if end.code == 130:
            _stop()
        raise
    except Exception:
        if not _State.pressed:
            raise
        _stop()  # an interrupted import may come out as anything


def _stop() -> NoReturn:
    """Say that the command was stopped, and end it."""
    say_stopped()
    exec("")  # Python notes an interrupt of text that `exec` runs, as dataclasses have it, and would die of the signal
    raise SystemExit(130) from None
