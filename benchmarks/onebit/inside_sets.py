"""Research: what exploration costs in misses when sets are played, and what it brings to the label believed best.

python -m benchmarks.onebit.inside_sets      # about half a minute on two cores

A bit about a set says nothing of which label in it was right, so the greedy label of a set learner may stay poor
while its sets are good. digits, 30,000 rounds, five report seeds; per cent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main, simulate, spread
from onebit.streams import load

ROUNDS = 30_000


def digits(plan: Plan) -> Iterator[Line]:
    stream = load("digits")
    for m in (1, 2, 4):
        for gamma in (0.0, 0.02, 0.1):
            learner = onebit.OneBit(stream.classes, m=m, gamma=gamma)
            result = simulate(learner, stream, plan.rounds(ROUNDS), plan.seeds())
            late = 100 * sum((p.predict(stream.X) != stream.y).mean() for p in result.learners) / len(result.seeds)
            detail = (
                f"misses {spread(result.errors)}; greedy error {spread(result.greedy_errors)}; in the end {late:.2f}"
            )
            yield Line(f"m = {m}, γ = {gamma:g}: misses %", 100 * result.error, None, detail)


PARTS: dict[str, Part] = {"digits": digits}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], f"Inside sets, digits, {ROUNDS:,} rounds"))
