"""Learners reach their known error on the papers' streams: 10^5 rounds, one seed, bars that a broken learner misses.

The same at 10^6 rounds and three seeds is `python -m benchmarks.figures`.
"""

from typing import Any

import pytest

import onebit

CASES: list[tuple[str, onebit.Learner, float, float]] = [
    ("synnonsep", onebit.Perceptron(9), 0.094, 0.102),
    ("synnonsep", onebit.SOBADiagonal(9, gamma="adaptive"), 0.05, 0.15),
    ("synnonsep", onebit.BanditPA(9, gamma=2**-13), 0.05, 0.06),
    ("synnonsep", onebit.Confidit(9, covariance="diagonal"), 0.049, 0.053),
    ("synsep", onebit.Perceptron(9), 0.0, 5e-4),
    ("synsep", onebit.SOBADiagonal(9, gamma=2**-7), 0.0, 0.15),
    ("synsep", onebit.BanditPA(9, gamma=2**-13), 0.0, 4e-3),
    ("synsep", onebit.Confidit(9, covariance="diagonal"), 0.0, 4e-3),
]


@pytest.mark.parametrize(("name", "learner", "low", "high"), CASES, ids=[f"{c[0]}-{c[1]!r}" for c in CASES])
def test_played_error_at_a_hundred_thousand_rounds(name: str, learner: Any, low: float, high: float) -> None:
    stream = getattr(onebit.streams, name)(100_000)
    assert low <= onebit.simulate(learner, stream, seeds=[77]).error <= high
