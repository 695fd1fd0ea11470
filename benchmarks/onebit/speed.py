"""How long a round of OneBit takes through the engine: best of several plays, CPU time, wanted on an idle core.

python -m benchmarks.onebit.speed            # about a minute; or some of: synsep dense decide linear

`dense` is the default, `linear` the one model of `kernel=None`; `decide` a decision alone when the dictionary is full.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main
from benchmarks.yardstick import GAMMA, SEED, engine_time, sparse_stream
from onebit.streams import from_arrays, load
from onebit.streams.base import Stream

DENSE = {"digits": 12.0, "pendigits": 12.0, "covtype": 20.0, "mnist": 60.0, "letter": 40.0}
LINEAR = {"digits": ("full", 100_000, 4.0), "usps": ("full", 7_291, 60.0), "mnist": ("diagonal", 60_000, 8.0)}
ROUNDS = 100_000


def synsep(plan: Plan) -> Iterator[Line]:
    """The diagonal form on sparse rows, as a multiple of Banditron's round on the same rows in the same run."""
    stream = sparse_stream(plan.rounds(400_000))
    banditron, learner = onebit.Banditron(9, gamma=GAMMA), onebit.OneBit(9, curvature="diagonal")
    there, here = float("inf"), float("inf")
    for _ in range(3):
        there = min(there, engine_time(banditron, stream, 2)[0])
        time, mistakes = engine_time(learner, stream, 2)
        here = min(here, time)
    detail = f"{here:.0f} ns against {there:.0f} ns; {mistakes} mistakes"
    yield Line("synsep, diagonal: time / Banditron's", here / there, 2.2, detail)


def _in_order(name: str, rounds: int) -> Stream:
    """The rows of a table, over and over, in an order drawn beforehand."""
    table, draw = load(name, split="all" if name == "covtype" else "train"), np.random.default_rng(SEED)
    n = len(table.y)
    order = np.concatenate([draw.permutation(n) for _ in range(-(-rounds // n))])[:rounds]
    return from_arrays(table.X[order], table.y[order], classes=table.classes, shuffle=False, name=name)


def dense(plan: Plan) -> Iterator[Line]:
    for name, bar in DENSE.items():
        stream = _in_order(name, plan.rounds(ROUNDS))
        here, mistakes = engine_time(onebit.OneBit(stream.classes), stream)
        yield Line(f"{name}: µs a round", here / 1000, bar, f"{mistakes} mistakes in {plan.rounds(ROUNDS):,} rounds")


def linear(plan: Plan) -> Iterator[Line]:
    for name, (curvature, rounds, bar) in LINEAR.items():
        stream = _in_order(name, plan.rounds(rounds))
        here, mistakes = engine_time(onebit.OneBit(stream.classes, kernel=None, curvature=curvature), stream)
        detail = f"{mistakes} mistakes in {plan.rounds(rounds):,} rounds"
        yield Line(f"{name}, kernel=None, {curvature}: µs a round", here / 1000, bar, detail)


def decide(plan: Plan) -> Iterator[Line]:
    """A table of rows decided at once, after lessons on it have filled the dictionary."""
    stream = _in_order("pendigits", plan.rounds(20_000))
    learner: Any = onebit.simulate(onebit.OneBit(stream.classes), stream, seeds=1, progress=False).learners[0]
    rows = np.asarray(stream.X)[:5_000]
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        learner.decide_many(rows)
        best = min(best, time.process_time() - began)
    kept = learner.describe().kept
    yield Line("d = 16, K = 10, a decision alone: µs", 1e6 * best / len(rows), 6.0, f"{kept} rows kept")


PARTS: dict[str, Part] = {"synsep": synsep, "dense": dense, "decide": decide, "linear": linear}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Speed"))
