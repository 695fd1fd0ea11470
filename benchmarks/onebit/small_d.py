"""Research: how often OneBit is trapped where rows have few features, and what optimism has to do with it.

python -m benchmarks.onebit.small_d          # about two minutes on two cores; or some of: wedges letters

`wedges`: a point of the disc, as (r cos a, r sin a, 1), belongs to one of K equal wedges; 40,000 rounds, twelve report
seeds. A run with an error above 5 % is called trapped. `letters`: letter and pendigits, 16 features, five seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main, simulate, spread
from onebit.contract.compiled import Functions
from onebit.learners.one_bit import decide as deciding
from onebit.ops.jit import jit
from onebit.streams import from_arrays, load
from onebit.streams.base import Stream

ROUNDS, TRAPPED = 40_000, 0.05


def _with_optimism(constant: float) -> Callable[[Any], onebit.Learner]:
    """Linear OneBit that gives every label credit for so many deviations, whatever the number of features."""

    @jit
    def optimism(P: Any) -> float:
        return constant

    plain: Any = deciding.decide
    scope = {**plain.py_func.__globals__, "optimism": optimism}
    decide = jit(FunctionType(plain.py_func.__code__, scope, "decide"))

    class Credited(onebit.OneBit):
        """The same with another `optimism`."""

        functions = Functions(decide, *onebit.OneBit.functions[1:])

    return partial(Credited, kernel=None)


VARIANTS: dict[str, Callable[[Any], onebit.Learner]] = {
    "default, a dictionary": onebit.OneBit,
    "kernel=None, optimism max(1, 5/√d)": partial(onebit.OneBit, kernel=None),
    "optimism 0": _with_optimism(0.0),
    "optimism 1": _with_optimism(1.0),
    "optimism 2": _with_optimism(2.0),
    "optimism 5": _with_optimism(5.0),
    "curvature='diagonal'": lambda classes: onebit.OneBit(classes, curvature="diagonal"),
    "kernel=None, gamma=.02": lambda classes: onebit.OneBit(classes, kernel=None, gamma=0.02),
}


def disc(K: int, rounds: int, seed: int = 0) -> Stream:
    """K wedges of the disc without its middle."""
    draw = np.random.default_rng(seed)
    angle, radius = draw.uniform(0, 2 * np.pi, rounds), np.sqrt(draw.uniform(0.05, 1, rounds))
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.ones(rounds)])
    return from_arrays(X, (angle / (2 * np.pi) * K).astype(np.int64), name=f"{K} wedges")


def wedges(plan: Plan) -> Iterator[Line]:
    for K in (6, 9):
        stream = disc(K, ROUNDS)
        for name, make in VARIANTS.items():
            result = simulate(make(K), stream, plan.rounds(ROUNDS), plan.seeds(12))
            errors = np.sort(result.errors)
            trapped = int((errors > TRAPPED).sum())
            bar = 0 if make is onebit.OneBit else None
            middle, worst = 100 * np.median(errors), 100 * errors[-1]
            detail = f"of {len(errors)}; error {spread(errors)} %, median {middle:.2f}, worst {worst:.2f}"
            yield Line(f"{K} wedges, {name}: trapped", trapped, bar, detail)


def letters(plan: Plan) -> Iterator[Line]:
    for stream in (load("letter"), load("pendigits")):
        for name, make in VARIANTS.items():
            result = simulate(make(stream.classes), stream, plan.rounds(stream.rounds or 0), plan.seeds())
            yield Line(f"{stream.name}, {name}: error %", 100 * result.error, None, spread(result.errors))


PARTS: dict[str, Part] = {"wedges": wedges, "letters": letters}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Few features"))
