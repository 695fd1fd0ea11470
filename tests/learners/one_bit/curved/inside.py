"""What tests read from the state of OneBit on dense rows: the only file of them that knows its layout."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.learners.one_bit.rated.rates import RATES
from onebit.ops.gram import BLOCK
from tests.naive.packed import whole

__all__ = [
    "RATES",
    "Counts",
    "Kept",
    "closed",
    "counts",
    "covariances",
    "inverse",
    "kept",
    "means",
    "priors_taken_off",
    "shares",
    "size",
]


class Kept(NamedTuple):
    """The kept cases in both views, one a row, their squared lengths, and the lesson of each."""

    a: Any
    b: Any
    squares_a: Any
    squares_b: Any
    lesson: Any


class Counts(NamedTuple):
    """Decisions, lessons and restarts; how far wrong answers are too many; exploration; calibration's two lines."""

    t: int
    n: int
    restarts: int
    excess: float
    exploration: float
    a: float
    b: float
    forecast_a: float
    forecast_b: float


def size(learner: Any) -> int:
    """How many cases are kept."""
    return int(learner._session.state.dictionary.size[0])


def closed(learner: Any) -> bool:
    """Whether the dictionary has been full."""
    return bool(learner._session.state.dictionary.closed[0])


def priors_taken_off(learner: Any) -> Any:
    """Of which experts and classes: (E, K)."""
    return learner._session.state.weights.less_prior


def kept(learner: Any) -> Kept:
    dictionary = learner._session.state.dictionary
    n = size(learner)
    a, b = (rows_of(blocks, n) for blocks in (dictionary.a, dictionary.b))
    return Kept(a[:, :-2], b[:, :-2], a[:, -2], b[:, -2], dictionary.lesson[:n])


def rows_of(blocks: Any, n: int) -> Any:
    """The first n vectors, each with its squared length and its weight behind it."""
    width = blocks.shape[1]
    assert blocks.shape[2] == BLOCK
    return np.moveaxis(blocks, 1, 2).reshape(-1, width)[:n].astype(np.float64)


def inverse(learner: Any) -> Any:
    """K⁻¹."""
    return whole(learner._session.state.dictionary.inverse, size(learner))


def means(learner: Any) -> Any:
    """W of every expert: (E, K, n)."""
    return learner._session.state.weights.W[:, :, : size(learner)]


def covariances(learner: Any) -> Any:
    """P = v K⁻¹ - Q of every expert and class, v = 0 where the prior is taken off: (E, K, n, n)."""
    state = learner._session.state
    n = size(learner)
    Q = np.array([[whole(of_class, n) for of_class in of_expert] for of_expert in state.weights.Q])
    variance = np.where(state.weights.less_prior, 0, state.rates.variance[:, None])
    return variance[:, :, None, None] * inverse(learner) - Q


def shares(learner: Any) -> Any:
    return learner._session.state.rates.share


def counts(learner: Any) -> Counts:
    state = learner._session.state
    clock, line = state.clock, state.calibration
    lines = line.a, line.b, state.forecast.a, state.forecast.b
    numbers = state.drift.excess, state.exploration, *lines
    return Counts(
        *(int(count[0]) for count in (clock.t, clock.n, clock.drift_restarts)),
        *(float(number[0]) for number in numbers),
    )
