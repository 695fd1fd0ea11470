"""Research: a full and a diagonal OneBit that both learn from every answer; the likelier of the two decides.

python -m benchmarks.onebit.mixing           # about ten minutes on one core; or some of: synsep synnonsep

Each is scored by the log-likelihood of the bits under its π, discounted by .999 a round; the one with the larger
score decides the next round. Beside each alone, on the same three report seeds. Errors in per cent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import log

import numpy as np

import onebit
from benchmarks.onebit.streams import CASES, Line, Part, Plan, main, rows_of, simulate, spread
from onebit.core.decision import Decision
from onebit.streams.base import Stream

KEEP, LEAST = 0.999, 1e-6
CURVATURES = ("full", "diagonal")


def _likelihood(learner: onebit.OneBit, decision: Decision, right: bool) -> float:
    yes = learner.probability_of_yes(decision.row, decision.label)
    return log(max(LEAST, yes if right else 1 - yes))


def mixed(stream: Stream, seed: int, rounds: int) -> tuple[float, float]:
    """The played error, and the share of rounds in which the full one decided."""
    pair = [onebit.OneBit(stream.classes, curvature=curvature, seed=seed) for curvature in CURVATURES]
    score, mistakes, led = [0.0, 0.0], 0, 0
    for row, y in rows_of(stream, seed, rounds):
        leader = int(score[1] > score[0])
        decision = [learner.decide(row) for learner in pair][leader]
        right = bool(decision.label == y)
        for i, learner in enumerate(pair):
            score[i] = KEEP * score[i] + _likelihood(learner, decision, right)
            learner.learn(replace(decision, _spent=[False]), right)
        mistakes += not right
        led += leader == 0
    return mistakes / rounds, led / rounds


def _compare(name: str, plan: Plan) -> Iterator[Line]:
    case = next(case for case in CASES if case.name == name)
    stream, rounds, seeds = case.stream, plan.of(case), plan.seeds(3)
    for curvature in CURVATURES:
        result = simulate(onebit.OneBit(stream.classes, curvature=curvature), stream, rounds, seeds)
        detail = f"{spread(result.errors)}; {result.nanoseconds:,.0f} ns a round"
        yield Line(f"{name}, {curvature} alone: error %", 100 * result.error, None, detail)
    errors, led = np.array([mixed(stream, seed, rounds) for seed in seeds]).T
    detail = f"{spread(errors)}; the full one decided {100 * led.mean():.0f} % of the rounds"
    yield Line(f"{name}, mixed: error %", 100 * errors.mean(), None, detail)


PARTS: dict[str, Part] = {name: partial(_compare, name) for name in ("synsep", "synnonsep")}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Mixing full and diagonal"))
