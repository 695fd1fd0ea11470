"""Flip rates by TailMoment from 60,000 rounds of RCNBF, on seeds used for nothing else, against their bars.

python -m benchmarks.noise_rates              # about three minutes
python -m benchmarks.noise_rates usps         # one data set

Bars: |rho_0 - truth| ≤ .02 and |rho_1 - truth| ≤ .04 in every run, means within .02, under 2 s of CPU per estimate.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import onebit
from onebit.core.seeds import bit_generator
from onebit.feedback import answer
from onebit.noise.tail_moment import TailMoment
from onebit.ops.random import pack
from onebit.streams.base import Stream

DATA = ("mnist", "usps", "fashion_mnist")
PAIRS = ((0.0, 0.0), (0.15, 0.15), (0.25, 0.25), (0.2, 0.4), (0.4, 0.2), (0.4, 0.4))
SEEDS, ROUNDS, GAMMA = (2001, 2002, 2003), 60_000, 0.2


class Lessons(NamedTuple):
    """What `fit` takes."""

    rows: Any
    played: Any
    propensity: Any
    bit: Any


def collect(learner: onebit.Learner, stream: Stream, rates: tuple[float, float], seed: int, rounds: int) -> Lessons:
    """Play the learner on a stream under noise, and keep the answered decisions."""
    player, channel, rng = (
        learner.clone(seed=seed),
        onebit.NoisyBit(*rates).values(),
        pack(bit_generator(seed, "channel")),
    )
    rows, played, propensity, bits = [], [], [], []
    for window in stream.windows(seed, rounds):
        for r in window.order:
            decision = player.decide(window.X[[r]] if stream.sparse else window.X[r])
            bit = answer(channel, stream.classes[window.y[r]] in decision.labels, 0, rng)
            player.learn(decision, bool(bit))
            rows.append(r)
            played.append(decision.labels)
            propensity.append(decision.propensity)
            bits.append(bit)
    return Lessons(stream.X[rows], np.array(played), np.array(propensity), np.array(bits))


def measure(stream: Stream, pair: tuple[float, float]) -> tuple[Any, float, list[str]]:
    """The errors of both rates for every seed, the CPU seconds of the slowest estimate, and all notes."""
    errors: list[list[float]] = []
    notes: list[str] = []
    seconds = 0.0
    for seed in SEEDS:
        learner = onebit.RCNBF(stream.classes, gamma=GAMMA, rho_0=pair[0], rho_1=pair[1])
        lessons = collect(learner, stream, pair, seed, ROUNDS)
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
