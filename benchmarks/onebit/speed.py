"""How long a round of OneBit takes through the engine: best of several plays, CPU time, wanted on an idle core.

python -m benchmarks.onebit.speed            # about half a minute; or some of: synsep digits usps mnist
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main
from benchmarks.yardstick import GAMMA, SEED, engine_time, sparse_stream
from onebit.streams import from_arrays, load

BARS = {"digits": ("full", 100_000, 4.0), "usps": ("full", 7_291, 60.0), "mnist": ("diagonal", 60_000, 8.0)}


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


def dense(name: str, plan: Plan) -> Iterator[Line]:
    """A round on dense rows, in an order drawn beforehand."""
    curvature, rounds, bar = BARS[name]
    table, draw = load(name), np.random.default_rng(SEED)
    n = len(table.y)
    order = np.concatenate([draw.permutation(n) for _ in range(-(-rounds // n))])[: plan.rounds(rounds)]
    stream = from_arrays(table.X[order], table.y[order], classes=table.classes, shuffle=False, name=name)
    here, mistakes = engine_time(onebit.OneBit(table.classes, curvature=curvature), stream)
    yield Line(f"{name}, {curvature}: µs a round", here / 1000, bar, f"{mistakes} mistakes in {len(order):,} rounds")


PARTS: dict[str, Part] = {"synsep": synsep, **{name: partial(dense, name) for name in BARS}}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Speed"))
