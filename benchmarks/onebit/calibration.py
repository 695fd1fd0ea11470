"""Whether OneBit's π, the probability of a "yes" to what it plays, comes true.

python -m benchmarks.onebit.calibration      # about three minutes; or some of: digits letter covtype ...

The expected calibration error: over 15 bins of equal width, the mean distance between π and the share of "yes",
weighed by how often π falls into the bin. π is asked before the answer is learned, and the first 2,000 rounds do not
count. Two report seeds, row by row through the public interface.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

import onebit
from benchmarks.onebit.streams import CASES, Line, Part, Plan, main, rows_of
from onebit.streams.base import Stream

ROUNDS = {"digits": 30_000, "letter": 20_000, "covtype": 50_000, "synnonsep": 50_000}
WITHOUT_BAR = {"mnist": 10_000, "newsgroups20": 10_000}
SKIPPED, BINS, BAR = 2_000, 15, 0.03


def calibration_error(predicted: NDArray[np.float64], said: NDArray[np.float64]) -> float:
    """Σ over bins of (share of rounds) · |mean prediction - share of "yes"|.

    >>> calibration_error(np.array([0.9, 0.9]), np.array([1.0, 0.0]))
    0.4
    """
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, predicted - said, BINS)
    return round(float(np.abs(gaps).sum() / len(said)), 10)


def _as_believed(learner: onebit.OneBit, row: object, label: object) -> float:
    """π without calibration."""
    z = learner.scores(row)
    p = np.exp(z - z.max())
    rates = learner.noise_rates
    inside = float(p[learner.classes.index(label)] / p.sum())
    return rates.rho_0 + (1 - rates.rho_0 - rates.rho_1) * inside


def predictions(stream: Stream, seed: int, rounds: int) -> NDArray[np.float64]:
    """A row per round: π, π without calibration, the bit."""
    learner, found = onebit.OneBit(stream.classes, seed=seed), np.empty((rounds, 3))
    for t, (row, y) in enumerate(rows_of(stream, seed, rounds)):
        decision = learner.decide(row)
        right = decision.label == y
        believed = _as_believed(learner, row, decision.label)
        found[t] = learner.probability_of_yes(row, decision.label), believed, right
        learner.learn(decision, right)
    return found


def _measure(name: str, rounds: int, bar: float | None, plan: Plan) -> Iterator[Line]:
    stream = next(case.stream for case in CASES if case.name == name)
    for seed in plan.seeds(2):
        table = predictions(stream, seed, plan.rounds(rounds))
        pi, believed, bit = table[0 if plan.quick else SKIPPED :].T
        raw = calibration_error(believed, bit)
        detail = f"without calibration {raw:.3f}; mean π {pi.mean():.3f}, of the bits {bit.mean():.3f}"
        yield Line(f"{name}, seed {seed}: calibration error of π", calibration_error(pi, bit), bar, detail)


PARTS: dict[str, Part] = {
    **{name: partial(_measure, name, rounds, BAR) for name, rounds in ROUNDS.items()},
    **{name: partial(_measure, name, rounds, None) for name, rounds in WITHOUT_BAR.items()},
}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], f"Calibration after the first {SKIPPED:,} rounds"))
