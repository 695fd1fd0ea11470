"""Flip rates by TailMoment from 60,000 rounds of RCNBF, on seeds used for nothing else, against their bars.

python -m benchmarks.noise_rates              # about a minute
python -m benchmarks.noise_rates usps         # one data set

Bars: |rho_0 - truth| ≤ .02 and |rho_1 - truth| ≤ .04 in every run, means within .02, under 2 s of CPU per estimate.
"""

from __future__ import annotations

import sys
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np

import onebit
from onebit.noise.tail_moment import TailMoment
from onebit.streams.base import Stream

DATA = ("mnist", "usps", "fashion_mnist")
PAIRS = ((0.0, 0.0), (0.15, 0.15), (0.25, 0.25), (0.2, 0.4), (0.4, 0.2), (0.4, 0.4))
SEEDS, ROUNDS, GAMMA = (2001, 2002, 2003), 60_000, 0.2


def collect(stream: Stream, rates: tuple[float, float], seed: int) -> tuple[Any, Any, Any, Any]:
    """Rows, played labels, propensities and bits of RCNBF under noise, the stream repeated where it is short."""
    learner = onebit.RCNBF(stream.classes, gamma=GAMMA, rho_0=rates[0], rho_1=rates[1])
    with TemporaryDirectory() as folder:
        log = f"{folder}/log.parquet"
        onebit.simulate(learner, stream, onebit.NoisyBit(*rates), ROUNDS, [seed], log=log, progress=False)
        return onebit.read_log(log, rows=stream.X).lessons


def measure(stream: Stream, pair: tuple[float, float]) -> tuple[Any, float, list[str]]:
    """The errors of both rates for every seed, the CPU seconds of the slowest estimate, and all notes."""
    errors: list[list[float]] = []
    notes: list[str] = []
    seconds = 0.0
    for seed in SEEDS:
        lessons = collect(stream, pair, seed)
        began = process_time()
        estimate = TailMoment(classes=len(stream.classes)).fit(*lessons)
        seconds = max(seconds, process_time() - began)
        errors.append([estimate.rho_0 - pair[0], estimate.rho_1 - pair[1]])
        notes += estimate.notes
    return np.array(errors), seconds, notes


def main(names: tuple[str, ...]) -> int:
    TailMoment().fit(np.eye(2), [0, 1], [0.5, 0.5], [0, 1])  # compiles
    print(f"{'data':<14} {'rates':<12} {'worst error':>14} {'mean error':>18} {'seconds':>8}")
    missed, everything = 0, []
    for name in names:
        stream = onebit.streams.load(name, normalize=True)
        for pair in PAIRS:
            errors, seconds, notes = measure(stream, pair)
            worst, mean = np.abs(errors).max(axis=0), errors.mean(axis=0)
            met = worst[0] <= 0.02 and worst[1] <= 0.04 and np.abs(mean).max() <= 0.02 and seconds < 2
            missed += not met
            everything.append(errors)
            numbers = f"{worst[0]:>7.3f}{worst[1]:>7.3f} {mean[0]:>+10.3f}{mean[1]:>+8.3f} {seconds:>8.2f}"
            print(f"{name:<14} {pair!s:<12} {numbers}  {'met' if met else 'MISS'}", *notes, flush=True)
        rmse = np.sqrt(np.mean(np.concatenate(everything[-len(PAIRS) :]) ** 2, axis=0))
        print(f"{name:<14} RMSE {rmse[0]:.4f} {rmse[1]:.4f}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or DATA))
