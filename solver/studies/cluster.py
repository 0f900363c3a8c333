"""Chunks on a Dask cluster: one that runs already, or worker processes of this machine.

Workers have trickwise, numpy and numba in the client's versions; each compiles once. What travels is a function's name
and plain values there, JSON text back: no code, no path. A chunk is a pure function, so the chunks of a worker that is
lost are worked out again by others, with the same results. The store stays with the client.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple
from uuid import uuid4

from solver.deals.versions import versions
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError
from solver.studies.kinds import Item
from solver.studies.pool import Answer, Failed, Moment, Task, failed
from solver.studies.status import other_versions
from solver.studies.work import work_chunk

__all__ = ["Cluster", "check_address", "dask_setup", "open_cluster", "work_remotely"]

#: Seconds to wait for a scheduler and its first worker.
PATIENCE = 30
#: How often a chunk whose workers keep dying is given out anew; Dask itself tries each time four workers.
RETRIES = 1
_NAP = 0.2
#: Seconds to wait for a result that is there, at first.
_SHORT = 2
_ALIVE = ("running", "connecting")
_LOST = "the cluster was lost: finished chunks are kept, resume when there is one"


def work_remotely(
    told: dict[str, Any], chunk: int, units: int, items: Sequence[Item], client: Mapping[str, str]
) -> str:
    """Work out a chunk on a worker.

    Parameters
    ----------
    told, chunk, units, items
        As for `solver.studies.work.work_chunk`.
    client
        Versions at the client; a worker with another trickwise, numpy or numba works nothing out.

    Returns
    -------
    str
        JSON: the ``rows``, or a line with the ``error``.
    """
    mine, its = other_versions(versions(), client)
    if mine:
        return json.dumps({"error": f"a worker has {mine}, and the client {its}"})
    try:
        return json.dumps({"rows": work_chunk(told, chunk, units, items)})
    except Exception as wrong:
        return json.dumps({"error": failed(wrong).why})


class _Asked(NamedTuple):
    """A chunk that is given out."""

    task: Task
    attempt: int
    future: Any


class Cluster:
    """A client of a cluster.

    Parameters
    ----------
    client
        A `distributed.Client`.
    workers
        Threads of all workers now.
    """

    def __init__(self, client: Any, workers: int) -> None:
        self.workers = workers
        self._client = client
        self._name = uuid4().hex  # a scheduler shares what has the same key between its clients

    def map_unordered(self, tasks: Iterator[Task], stop: threading.Event) -> Iterator[Answer]:
        """As `solver.studies.pool.Pool.map_unordered`."""
        asked: dict[str, _Asked] = {}
        later: list[_Asked] = []  # chunks that may have killed their workers wait until no other can suffer from it
        ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        mine = versions()

        def give(task: Task, attempt: int = 0) -> None:
            key = f"trickwise-{self._name}-{task.chunk}-{attempt}"
            future = self._client.submit(work_remotely, *task, mine, key=key, pure=False)
            asked[key] = _Asked(task, attempt, future)
            future.add_done_callback(lambda _: ended.put(key))

        stopped, moment = False, Moment()
        try:
            while True:
                while not stop.is_set() and len(asked) < 2 * self._threads() and (task := next(tasks, None)):
                    give(task)
                if stop.is_set() and not stopped:
                    stopped = True
                    self._take_back(asked)
                if not asked and later and not stop.is_set():
                    give(later[0].task, later.pop(0).attempt + 1)
                if not asked or (stop.is_set() and moment.over()):
                    return
                try:
                    key = ended.get(timeout=_NAP)
                except queue.Empty:
                    if self._client.status not in _ALIVE:
                        raise UnsupportedError(_LOST) from None
                    continue
                if key not in asked:  # taken back
                    continue
                one = asked.pop(key)
                found = self._answer(one)
                if found is None and one.attempt < RETRIES:
                    later.append(one)
                elif found is None:
                    times = one.attempt + 1
                    yield one.task.chunk, Failed(f"its workers died, {times} times over: perhaps it needs more memory")
                else:
                    yield one.task.chunk, found
        except OSError:  # no answer from the scheduler
            raise UnsupportedError(_LOST) from None
        finally:
            with suppress(Exception):  # the cluster may be gone
                self._client.cancel([one.future for one in asked.values()], force=True)

    def _threads(self) -> int:
        """Threads of the workers that there are now: some may have come, or gone."""
        self.workers = sum(self._client.nthreads().values()) or self.workers
        return self.workers

    def _take_back(self, asked: dict[str, _Asked]) -> None:
        """Cancel what no worker has begun."""
        begun = {key for keys in self._client.processing().values() for key in keys}
        for key in [k for k, one in asked.items() if k not in begun and not one.future.done()]:
            self._client.cancel([asked.pop(key).future], force=True)

    def _answer(self, one: _Asked) -> list[dict[str, Any]] | Failed | None:
        """What a worker said; None when it was lost too often."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        patience = _SHORT
        while True:
            if one.future.cancelled() or self._client.status not in _ALIVE:
                raise UnsupportedError(_LOST)
            try:
                found = json.loads(one.future.result(timeout=patience))
                break
            except TimeoutError:  # lost with its worker before it came here, and being worked out again: ask anew
                patience *= 2
            except CancelledError:
                raise UnsupportedError(_LOST) from None
            except KilledWorker:
                return None
            except Exception as wrong:  # the worker has no trickwise, or ran out of memory
                return failed(wrong)
        return Failed(str(found["error"])) if "error" in found else found["rows"]


def dask_setup(worker: Any) -> None:
    """Prepare a worker process of this machine: Ctrl-C in the terminal reaches it as well, and is for the client."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_address(where: str) -> re.Match[str] | None:
    """Check the text that names a cluster; a match where it is of processes here.

    Raises
    ------
    NotationError
        For another text.
    """
    local = re.fullmatch(r"local:([1-9]\d{0,3})", where.strip(), re.ASCII)
    if not local and not re.fullmatch(r"(tcp|tls)://\S+:\d+/?", where.strip(), re.ASCII):
        raise NotationError(f"cluster is {excerpt(where)}: expected tcp://HOST:PORT of a Dask scheduler, or local:4")
    return local


@contextmanager
def open_cluster(where: str) -> Iterator[Cluster]:
    """Connect to a cluster, or start one.

    Parameters
    ----------
    where
        ``"tcp://host:port"`` (or tls) of a scheduler, or ``"local:4"`` for four processes of this machine.

    Yields
    ------
    Cluster

    Raises
    ------
    NotationError
        For another text.
    UnsupportedError
        When Dask is not installed, or no scheduler or worker answers.
    """
    local = check_address(where)
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise UnsupportedError("a cluster needs Dask: python -m pip install 'trickwise[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # a lost worker is no news: its chunks run again
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        try:
            address: Any = where.strip()
            if local:
                others = dask.config.get("distributed.worker.preload", [])
                preload = [*([others] if isinstance(others, str) else others), __name__]
                more = {"logging": {"distributed": "critical"}, "distributed.worker.preload": preload}
                stack.enter_context(dask.config.set(more))
                how = {"threads_per_worker": 1, "memory_limit": None, "dashboard_address": ":0"}
                address = LocalCluster(n_workers=int(local[1]), processes=True, silence_logs=logging.CRITICAL, **how)
                stack.enter_context(address)
            client = stack.enter_context(Client(address, timeout=PATIENCE, set_as_default=False))
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, RuntimeError, TimeoutError, ValueError) as wrong:
            said = " ".join(str(wrong).split()) or type(wrong).__name__
            raise UnsupportedError(f"cannot use the cluster {where}: {said[:200]}") from None
        yield Cluster(client, sum(client.nthreads().values()))
