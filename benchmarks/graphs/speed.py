"""What a round of the linear graph learners costs on Cora: CPU time, best of several plays, wanted on an idle core.

python -m benchmarks.graphs.speed            # about a minute; or some of: round wide learners

MOLGB keeps update vectors, and for a class that has d of them a matrix. "As matrices" is the same learner that begins
with the matrices I/b: it plays the same labels, and every class pays for d × d numbers from the first round on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from threadpoolctl import threadpool_limits

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main
from benchmarks.yardstick import SEED, engine_time
from onebit.engine.match import Match, prepare
from onebit.engine.play import play
from onebit.streams import load
from onebit.streams.base import Stream

WIDTH, WIDE, REPEATS = 100, 1000, 40


def cora(d: int, unit: bool = True) -> Stream:
    return load("cora", d=d, unit=unit)


@numba.njit  # type: ignore[untyped-decorator]  # Numba is not typed
def _products(P: Any, X: Any, g: Any, out: Any) -> None:
    """P_k x for every class and every row, by BLAS."""
    for i in range(len(X)):
        for k in range(len(P)):
            np.dot(P[k], X[i], g)
            out[k] = g[0]


def blas_time(K: int, X: Any) -> float:
    """Nanoseconds for the K matrix-vector products of a row."""
    d = X.shape[1]
    P, g, out = np.random.default_rng(0).normal(size=(K, d, d)), np.zeros(d), np.zeros(K)
    with threadpool_limits(1):
        _products(P, X[:1], g, out)
        began = time.process_time()
        _products(P, X, g, out)
        return (time.process_time() - began) / len(X) * 1e9


def play_time(learner: onebit.MOLGB, stream: Stream, matrices: bool, repeats: int) -> tuple[float, int]:
    """Nanoseconds per round through the engine, and the mistakes; as matrices or as vectors at first."""
    Match(learner, stream, onebit.Bit()).compile()
    best, mistakes = float("inf"), 0
    for _ in range(repeats):
        player = prepare(learner, stream, SEED)
        state = player._session.state
        if matrices:
            d = state.g.shape[0]
            state.U[:] = np.eye(d) / learner.b
            state.n[:] = d
        began = time.process_time()
        mistakes = int(play(player, stream, onebit.Bit(), SEED).mistakes[-1])
        best = min(best, time.process_time() - began)
    assert stream.rounds is not None
    return best / stream.rounds * 1e9, mistakes


def round_(plan: Plan) -> Iterator[Line]:
    """A round of MOLGB against the K products of a matrix and a row that it stands for, measured by turns."""
    stream = cora(WIDTH)
    learner, X = onebit.MOLGB(stream.classes), np.ascontiguousarray(stream.X)
    bare, taken = float("inf"), {True: float("inf"), False: float("inf")}
    for _ in range(1 if plan.quick else REPEATS):
        bare = min(bare, blas_time(len(stream.classes), X))
        for matrices in taken:
            taken[matrices] = min(taken[matrices], play_time(learner, stream, matrices, 1)[0])
    for matrices, what in ((True, "as matrices"), (False, "as vectors at first")):
        detail = f"{taken[matrices] / 1000:.2f} µs against {bare / 1000:.2f} µs"
        yield Line(f"MOLGB, d = {WIDTH}, {what}: time / K BLAS products", taken[matrices] / bare, 2.0, detail)


def wide(plan: Plan) -> Iterator[Line]:
    """Many features and few lessons: vectors against matrices."""
    stream = cora(WIDE)
    learner, repeats = onebit.MOLGB(stream.classes), 1 if plan.quick else 2
    vectors, mistakes = play_time(learner, stream, False, repeats)
    matrices, same = play_time(learner, stream, True, repeats)
    assert mistakes == same, "both forms must play the same game"
    detail = f"{vectors / 1000:.0f} µs against {matrices / 1000:.0f} µs; {mistakes} mistakes"
    yield Line(f"MOLGB, d = {WIDE}: time as vectors / as matrices", vectors / matrices, 0.2, detail)


def learners(plan: Plan) -> Iterator[Line]:
    """All linear graph learners, one pass each."""
    unit, raw = cora(WIDTH), cora(WIDTH, unit=False)
    for make in (onebit.GPA, onebit.OSLG, onebit.MSG, onebit.MOLGF, onebit.OSLGBandit, onebit.MOLGB):
        stream = raw if make is onebit.GPA else unit
        taken, mistakes = engine_time(make(stream.classes), stream, 1 if plan.quick else REPEATS)
        yield Line(f"{make.__name__}, d = {WIDTH}: µs a round", taken / 1000, None, f"{mistakes} mistakes")


PARTS: dict[str, Part] = {"round": round_, "wide": wide, "learners": learners}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Speed on Cora"))
