"""Where cells are played: local processes, a Dask cluster, or any executor that is given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from onebit.core.errors import ConfigError, OnebitError
from onebit.sweep.run.processes import Processes

_DASK = "dask://"
_CONNECT_SECONDS = 10


@contextmanager
def open_executor(executor: Executor | str | None, workers: int | None) -> Iterator[tuple[Executor, int]]:
    """The executor, and how many calls it works at together. One that was given is left open.

    >>> with open_executor(None, 1) as (pool, width):
    ...     pool.submit(abs, -7).result(), width
    (7, 1)
    """
    check_executor(executor)
    if isinstance(executor, str):
        with _dask(executor) as (pool, width):
            yield pool, workers or width
        return
    if executor is None:
        pool = Processes(workers or os.cpu_count() or 1)
        try:
            yield pool, pool.workers
        finally:
            pool.shutdown(cancel_futures=True)
        return
    yield executor, workers or getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def check_executor(executor: Any) -> None:
    """A `ConfigError` for what cells cannot be played on.

    >>> check_executor("dask://")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: executor='dask://': write dask://HOST:PORT, the address of a Dask scheduler
    """
    if executor is not None and not isinstance(executor, Executor | str):
        raise ConfigError(
            f"executor={executor!r}: must be a concurrent.futures.Executor, or a text as dask://HOST:PORT"
        )
    if isinstance(executor, str):
        host, _, port = executor.removeprefix(_DASK).rpartition(":")
        if not (executor.startswith(_DASK) and host and port.isdecimal()):
            raise ConfigError(f"executor={executor!r}: write dask://HOST:PORT, the address of a Dask scheduler")
        if find_spec("distributed") is None:
            raise ConfigError(f"executor={executor!r}: Dask is not installed; run `pip install 'onebit[dask]'`")


def is_lost(error: BaseException) -> bool:
    """Whether an error says that a worker died, rather than that a call went wrong.

    >>> is_lost(BrokenExecutor()), is_lost(ValueError())
    (True, False)
    """
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


@contextmanager
def _dask(address: str) -> Iterator[tuple[Executor, int]]:
    import distributed

    try:
        client: Any = distributed.Client(f"tcp://{address.removeprefix(_DASK)}", timeout=_CONNECT_SECONDS)
    except OSError as error:
        raise OnebitError(f"executor={address!r}: no Dask scheduler answers there ({error}); is it running?") from None
    try:
        width = sum(client.nthreads().values())
        if not width:
            raise OnebitError(f"executor={address!r}: this cluster has no workers; start some with `dask worker`")
        yield client.get_executor(pure=False), width
    finally:
        client.close()
