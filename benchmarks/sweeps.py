"""Speed of sweeps: how busy the workers are, what a cell costs beyond its rounds, what sharing rows saves.

`python -m benchmarks.sweeps`; every figure is a ratio within one run, against the bar the project sets itself.
"""

from __future__ import annotations

import statistics
from concurrent.futures import Executor, Future
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

import onebit
from onebit.core.text import text_table
from onebit.engine.group import play_group
from onebit.engine.match import Match, prepare
from onebit.engine.play import play
from onebit.sweep.run.processes import Processes
from onebit.sweep.run.tasks import TaskOutcome, play_task

GAMMAS = [2.0**-k for k in range(13, 1, -1)]


class Watched(Executor):
    """Local processes that remember when they were at work."""

    def __init__(self, workers: int) -> None:
        self.pool, self.works = Processes(workers), list[Future[TaskOutcome]]()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call a function."""
        future = self.pool.submit(fn, *args)
        if fn is play_task:
            self.works.append(future)
        return future


def busy(cells: int = 24, rounds: int = 100_000, workers: int = 2) -> tuple[float, float, float]:
    """The share of the time that workers play, and the seconds beyond the rounds that a cell costs.

    A first sweep on other seeds lets the workers compile, or load, and begin; the time is that of the second, from the
    first call's begin to the last one's end, and (for the overhead) of the whole call of `sweep`.
    """
    arm = onebit.Arm(onebit.Banditron(9), {"gamma": GAMMAS})
    stream = onebit.streams.synsep(rounds)
    seeds = cells // len(GAMMAS)
    pool = Watched(workers)
    with TemporaryDirectory() as folder:
        for first in (500, 0):
            pool.works.clear()
            plan = onebit.Sweep.cross([arm], stream, seeds=range(first, first + seeds), tune_seeds=0)
            started = perf_counter()
            results = onebit.sweep(plan, f"{folder}/{first}", executor=pool, workers=workers, progress=False)
            whole = perf_counter() - started
        played = float(np.sum(results.cells()["seconds"].to_numpy()))
    pool.pool.shutdown()
    works = [future.result() for future in pool.works]
    span = max(work.ended for work in works) - min(work.began for work in works)
    share = sum(work.ended - work.began for work in works) / (workers * span)
    return share, (workers * whole - played) / cells, whole


def grouped(replicas: int = 16, rounds: int = 60_000, n: int = 60_000) -> float:
    """The time of replicas of dense Banditron that share the rows, over that of as many separate runs; same bits."""
    draw = np.random.default_rng(0)
    X = draw.random((n, 400))
    stream = onebit.streams.from_arrays(X / np.linalg.norm(X, axis=1)[:, None], draw.integers(0, 9, n))
    learners = [onebit.Banditron(9, gamma=0.5 / (k + 2)) for k in range(replicas)]
    Match(learners[0], stream, onebit.Bit()).compile()
    players = [prepare(learner, stream, 0) for learner in learners]
    started = perf_counter()
    apart = [play(player, stream, onebit.Bit(), 0, rounds) for player in players]
    separate = perf_counter() - started
    players = [prepare(learner, stream, 0) for learner in learners]
    started = perf_counter()
    together = play_group(players, stream, onebit.Bit(), 0, rounds)
    shared = perf_counter() - started
    for a, b in zip(apart, together, strict=True):
        assert np.array_equal(a.mistakes, b.mistakes)
        assert np.array_equal(a.updates, b.updates)
    return shared / separate


def main() -> None:
    found = [busy() for _ in range(3)]
    share, overhead = (statistics.median(each[k] for each in found) for k in (0, 1))
    ratio = statistics.median(grouped() for _ in range(3))
    rows = [
        ["workers at play, 24 cells × 10^5 SynSep, 2 processes", f"{share:.1%}", "≥ 90 %"],
        ["a cell beyond its rounds", f"{1000 * overhead:.1f} ms", "≤ 30 ms"],
        ["16 replicas of dense Banditron (d = 400) that share rows / apart", f"{ratio:.2f}", "≤ 0.60"],
    ]
    print("\n".join(text_table(["what (median of 3)", "measured", "bar"], rows, right=["measured"])))


if __name__ == "__main__":
    main()
