"""The reference figures: played error of the linear learners at T = 10^6, on seeds used for nothing else.

python -m benchmarks.figures             # about two minutes on two cores
python -m benchmarks.figures 100000      # fewer rounds, for a look; the bars are those of 10^6
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

import onebit

SEEDS = (1001, 1002, 1003)


class Case(NamedTuple):
    """A learner on a stream, and between which bounds its error should lie."""

    stream: str
    learner: onebit.Learner
    low: float
    high: float


CASES = [
    Case("synnonsep", onebit.Perceptron(9), 0.096, 0.100),
    Case("synnonsep", onebit.Banditron(9), 0.0, 1.0),
    Case("synnonsep", onebit.PNewtron(9), 0.0, 1.0),
    Case("synnonsep", onebit.SOBADiagonal(9, gamma=2**-7), 0.0, 0.075),
    Case("synnonsep", onebit.SOBADiagonal(9, gamma="adaptive"), 0.0, 0.066),
    Case("synnonsep", onebit.BanditPA(9, gamma=2**-13), 0.0, 0.052),
    Case("synnonsep", onebit.Confidit(9, covariance="diagonal"), 0.0, 0.052),
    Case("synsep", onebit.Perceptron(9), 0.0, 5e-5),
    Case("synsep", onebit.Banditron(9, gamma=2**-13), 0.0, 1.0),
    Case("synsep", onebit.PNewtron(9, gamma=2**-13), 0.0, 1.0),
    Case("synsep", onebit.SOBADiagonal(9, gamma=2**-7), 0.0, 0.023),
    Case("synsep", onebit.BanditPA(9, gamma=2**-13), 0.0, 4e-4),
    Case("synsep", onebit.Confidit(9, covariance="diagonal"), 0.0, 4e-4),
]


def main(rounds: int) -> int:
    print(f"{'stream':<10} {'learner':<42} {'error':>9} {'std':>8}  {'bar':>18}   ns/round")
    missed, perceptron = 0, 1.0
    for case in CASES:
        stream: Any = getattr(onebit.streams, case.stream)(rounds)
        result = onebit.simulate(case.learner, stream, seeds=SEEDS, progress=False)
        if (case.stream, case.learner.name) == ("synnonsep", "perceptron"):
            perceptron = result.error
        met = case.low <= result.error <= case.high
        if (case.stream, case.learner.name) == ("synnonsep", "soba-diagonal"):
            met &= result.error < perceptron
        missed += not met
        bar = "" if case.high == 1 else f"{case.low:g} to {case.high:g}"
        speed = sum(result.seconds) / len(SEEDS) / rounds * 1e9
        verdict = "" if not bar else "met" if met else "MISS"
        errors = f"{result.error:>9.5f} {np.std(result.errors, ddof=1):>8.5f}"
        print(f"{case.stream:<10} {case.learner!r:<42} {errors}  {bar:>18} {verdict:<4} {speed:>6.0f}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000))
