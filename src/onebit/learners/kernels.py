"""Entry points from Python into a learner's compiled functions: one decision, one lesson, scores of many rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.ops.jit import jit, kernel
from onebit.ops.rows import Row, Rows, first_bad, row_at, scores


class Draw(NamedTuple):
    """A decision as kernels see it: numbers of classes instead of labels."""

    labels: IntArray
    propensity: float
    greedy: int
    explored: bool


class Functions(NamedTuple):
    """What a learner's file gives: the algorithm as three compiled functions.

    - `decide(hyper, state, row, rng, labels) -> (propensity, greedy, explored)` writes what it plays to `labels`;
    - `learn(hyper, state, row, draw, feedback, rng) -> int` says how many updates it made;
    - `score(hyper, state, row, out) -> None` writes one score per class, and changes nothing else.
    """

    decide: Callable[..., tuple[float, int, bool]]
    learn: Callable[..., int]
    score: Callable[..., None]


@jit
def linear_score(hyper: Any, state: Any, row: Row, out: FloatArray) -> None:
    """s = W x: the `score` of every learner that keeps its weights in `state.W`."""
    scores(state.W, row, out)


class Entries(NamedTuple):
    """The kernels that the interactive methods call."""

    decide: Callable[..., tuple[int, float, int, bool]]
    learn: Callable[..., int]
    score: Callable[..., None]


@cache
def entries(functions: Functions) -> Entries:
    """The entry points of one learner."""
    decide, learn, score = functions

    @kernel
    def decide_one(
        hyper: Any, state: Any, rows: Rows, normalize: bool, rng: Rng, labels: IntArray
    ) -> tuple[int, float, int, bool]:
        row = row_at(rows, 0, normalize)
        bad = first_bad(row)
        if bad >= 0:
            return bad, 0.0, 0, False
        propensity, greedy, explored = decide(hyper, state, row, rng, labels)
        return -1, propensity, greedy, explored

    @kernel
    def learn_one(hyper: Any, state: Any, rows: Rows, normalize: bool, draw: Draw, feedback: int, rng: Rng) -> int:
        return learn(hyper, state, row_at(rows, 0, normalize), draw, feedback, rng)

    @kernel
    def score_all(hyper: Any, state: Any, rows: Rows, normalize: bool, out: FloatArray) -> None:
        for i in range(np.int64(out.shape[0])):
            score(hyper, state, row_at(rows, i, normalize), out[i])

    return Entries(decide_one, learn_one, score_all)
