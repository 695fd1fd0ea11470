"""Local worker processes as a `concurrent.futures.Executor`, each with one call at a time.

Unlike `ProcessPoolExecutor`, a worker that dies takes down its own call only, and is replaced; workers never import
the caller's main module, so a script needs no `if __name__ == "__main__"`; and they end when their parent is killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Processes(Executor):
    """So many worker processes.

    >>> with Processes(1) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._calls: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()  # each with its call, pickled
        self._lock = Lock()
        self._closed = False
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._threads = [Thread(target=self._serve, args=(at,), daemon=True) for at in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a worker call a function, which must be importable, with these arguments."""
        if self._closed:
            raise RuntimeError("cannot submit after shutdown")
        future: Future[T] = Future()
        self._calls.put((future, pickle.dumps((fn, args, kwargs))))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls. With `cancel_futures`, end those under way as well."""
        self._closed = True
        if cancel_futures:
            while not self._calls.empty():
                if (call := self._calls.get()) is not None:
                    future, _ = call
                    future.cancel()
        for _ in self._threads:
            self._calls.put(None)
        if cancel_futures:
            with self._lock:
                for process in self._running.values():
                    process.kill()
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self, at: int) -> None:
        """The life of one worker, and of those that take its place."""
        process = self._start(at)
        while (call := self._calls.get()) is not None:
            future, packed = call
            if not future.set_running_or_notify_cancel():
                continue
            if process is None or process.poll() is not None:
                process = self._start(at)
            try:
                kind, value = _ask(process, packed)
            except (OSError, EOFError, pickle.UnpicklingError):
                _end(process)
                process = None
                future.set_exception(BrokenExecutor("the worker process died in the middle of a call"))
                continue
            if kind == "value":
                future.set_result(value)
            else:
                future.set_exception(value)
        with self._lock:
            self._running.pop(at, None)
        _end(process)

    def _start(self, at: int) -> subprocess.Popen[bytes] | None:
        path = os.pathsep.join(str(Path(part).absolute()) for part in sys.path)
        with self._lock:
            if self._closed and self._calls.empty():
                return None
            process = subprocess.Popen(
                [sys.executable, "-m", "onebit.sweep.run.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": path},
                start_new_session=True,
            )
            self._running[at] = process
        return process


def _ask(process: subprocess.Popen[bytes] | None, packed: bytes) -> tuple[str, Any]:
    """Send a call and wait for its answer."""
    if process is None:
        raise EOFError
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed)
    process.stdin.flush()
    kind, value = pickle.load(process.stdout)
    if kind == "ready":
        kind, value = pickle.load(process.stdout)
    return kind, value


def _end(process: subprocess.Popen[bytes] | None) -> None:
    """Let a worker end, and wait until it has."""
    if process is None:
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
