"""Cells give the same results wherever they are played; a worker that dies costs its own cells only."""

from __future__ import annotations

import os
import signal
import warnings
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

import onebit
from onebit.sweep.run import executors
from onebit.sweep.run.processes import Processes
from onebit.sweep.run.tasks import Task, TaskOutcome, play_task


def plan(rounds: int = 2000) -> onebit.Sweep:
    arms: list[Any] = [onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1, 0.5]}), onebit.Perceptron(9)]
    return onebit.Sweep.cross(arms, onebit.streams.synsep(rounds), seeds=2, tune_seeds=2)


def columns(results: onebit.Results) -> Any:
    return results.curves().drop_columns(["seconds"])


def play(sweep: onebit.Sweep, folder: Path, **where: Any) -> onebit.Results:
    return onebit.sweep(sweep, folder, progress=False, **where)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return columns(play(plan(), tmp_path_factory.mktemp("one"), workers=1))


def test_two_processes(tmp_path: Path, expected: Any) -> None:
    assert columns(play(plan(), tmp_path, workers=2)).equals(expected)


def test_threads(tmp_path: Path, expected: Any) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert columns(play(plan(), tmp_path, executor=pool)).equals(expected)


def test_an_executor_that_is_none(tmp_path: Path) -> None:
    for wrong in (7, "somewhere", "dask://", "dask://nowhere"):
        with pytest.raises(onebit.ConfigError, match="executor="):
            onebit.sweep(plan(), tmp_path / "none", executor=wrong, progress=False)  # type: ignore[arg-type]  # on purpose

    assert not (tmp_path / "none").exists()


def test_no_scheduler_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with pytest.raises(onebit.OnebitError, match="no Dask scheduler answers there"):
        play(plan(), tmp_path, executor="dask://127.0.0.1:9")


class Murderous(Processes):
    """Kills the worker of each call that was chosen, as often as it was asked to."""

    def __init__(self, workers: int, seed: int, times: int) -> None:
        super().__init__(workers)
        self.seed, self.times = seed, times

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        if fn is play_task and args[0].seed == self.seed and self.times > 0:
            self.times -= 1
            return super().submit(die, *args)
        return super().submit(fn, *args)


def die(task: Task) -> TaskOutcome:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_worker_killed_once_costs_nothing(tmp_path: Path, expected: Any) -> None:
    with Murderous(2, seed=1000, times=1) as pool:
        results = play(plan(), tmp_path, executor=pool, workers=2)
    assert pool.times == 0
    assert results.failed == ()
    assert columns(results).equals(expected)


def test_cells_whose_worker_dies_three_times_have_failed(tmp_path: Path, expected: Any) -> None:
    with Murderous(2, seed=1, times=1000) as pool:
        results = play(plan(), tmp_path, executor=pool, workers=2)
    assert [failure["tries"] for failure in results.failed] == [3, 3]
    assert {failure["error"] for failure in results.failed} == {"its worker died"}
    assert {tuple(failure["settings"]["seeds"]) for failure in results.failed} == {(1,)}
    assert not results.complete
    assert results.cells_done == results.cells_total - 2
    assert results.entry("banditron").report.seeds == (0,)
    assert columns(play(plan(), tmp_path, workers=1)).equals(expected)


def test_a_lost_worker_is_replaced() -> None:
    with Processes(1) as pool:
        with pytest.raises(BrokenExecutor):
            pool.submit(die, None).result()
        assert pool.submit(abs, -3).result() == 3
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        assert pool.submit(os.getpid).result() != os.getpid()
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(abs, 1)


def test_a_foreign_pool_that_breaks_is_told(tmp_path: Path) -> None:
    class Breaking(ProcessPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            return super().submit(die if fn is play_task else fn, *args)

    from multiprocessing import get_context

    pool = Breaking(1, mp_context=get_context("spawn"))
    with pool, pytest.raises(onebit.OnebitError, match="has broken"):
        play(plan(), tmp_path, executor=pool)
    assert onebit.open_results(tmp_path).cells_done == 0


def test_dask_with_a_worker_killed_in_the_middle(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    rounds = 400_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask's own, about ports and its dashboard
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            address = cluster.scheduler_address.replace("tcp://", "dask://")
            killed: list[int] = []

            def kill() -> None:
                while len(list((tmp_path / "dask" / "cells").glob("*"))) < 2:
                    sleep(0.01)
                victim = next(iter(cluster.workers.values()))
                killed.append(victim.pid)
                os.kill(victim.pid, signal.SIGKILL)

            killer = Thread(target=kill, daemon=True)
            killer.start()
            results = play(plan(rounds), tmp_path / "dask", executor=address)
            killer.join(timeout=1)
    assert len(killed) == 1
    assert results.failed == ()
    assert results.complete
    assert columns(results).equals(columns(play(plan(rounds), tmp_path / "here", workers=2)))


def test_keyword_arguments_reach_the_function() -> None:
    with Processes(1) as pool:
        assert pool.submit(int, "ff", base=16).result() == 255
