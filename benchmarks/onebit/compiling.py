"""How long OneBit takes to compile from nothing: the fused loop and what single rows call, on both kinds of rows.

python -m benchmarks.onebit.compiling            # about two minutes; or one of: dense sparse
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main
from onebit.engine.match import Match
from onebit.streams import from_arrays

ROWS = np.eye(4, 20)
LABELS = np.arange(4)
INSIDE = "--inside"
"""The argument of the process with an empty cache, which does the compiling."""


def seconds(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """CPU seconds of one call, and what it returns."""
    began = time.process_time()
    result = function(*arguments)
    return time.process_time() - began, result


def compile_all(kind: str) -> Iterator[tuple[str, float]]:
    """Compile each entry point by its first call."""
    table: Any = ROWS if kind == "dense" else sp.csr_array(ROWS)
    learner: Any = onebit.OneBit(4)
    stream = from_arrays(table, LABELS)
    Match.of(onebit.Banditron(4), stream, onebit.Bit()).compile()  # what all learners share
    yield "fused loop", seconds(Match.of(learner, stream, onebit.Bit()).compile)[0]
    first, second = table[[0]], table[[1]]
    time_to_decide, decision = seconds(learner.decide, first)
    yield "decide", time_to_decide
    yield "learn a bit", seconds(learner.learn, decision, True)[0]
    yield "learn a label", seconds(learner.learn, learner.decide(second), 2)[0]
    yield "scores", seconds(learner.scores, first)[0]


def cold(kind: str, plan: Plan) -> Iterator[Line]:
    """The same in a process of its own, whose cache is empty."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "benchmarks.onebit.compiling", INSIDE, kind]
        env = os.environ | {"ONEBIT_CACHE": cache}
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    times = [line.split(":") for line in done.stdout.splitlines()]
    for name, value in times:
        yield Line(f"{kind}, {name}: CPU seconds", float(value))
    yield Line(f"{kind}, all: CPU seconds", sum(float(value) for _, value in times))


PARTS: dict[str, Part] = {kind: partial(cold, kind) for kind in ("dense", "sparse")}

if __name__ == "__main__":
    if INSIDE in sys.argv:
        for entry, spent in compile_all(sys.argv[-1]):
            print(f"{entry}: {spent}", flush=True)
        sys.exit()
    sys.exit(main(PARTS, sys.argv[1:], "Compiling OneBit"))
