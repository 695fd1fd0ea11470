"""Entry points from Python into a learner's compiled functions: decisions, lessons and scores of a table of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.feedback import AnswerKind, heard_bit, heard_label
from onebit.ops.jit import entry_point, jit
from onebit.ops.rows import Row, Rows, first_bad, row_at
from onebit.ops.weights import scores


class Draw(NamedTuple):
    """A decision as compiled code sees it: numbers of classes instead of labels.

    `labels` holds those played and, behind them, the `top_size` labels believed best, for a learner that
    asks for them. `last` says that this was the last decision made, and that its row is the one given: what
    `decide` left in the state about it is still there, if no lesson has changed it since.
    """

    labels: IntArray
    propensity: float
    greedy: int
    explored: bool
    last: bool


class Draws(NamedTuple):
    """n decisions, column by column: `labels` is (n, width), the others have n entries."""

    labels: IntArray
    propensity: FloatArray
    greedy: IntArray
    explored: NDArray[np.bool_]

    def at(self, which: IntArray) -> Draws:
        """Some of them, in this order."""
        return Draws(self.labels[which], self.propensity[which], self.greedy[which], self.explored[which])


def new_draws(n: int, width: int) -> Draws:
    """Room for n decisions."""
    return Draws(np.zeros((n, width), np.int64), np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.bool_))


class Functions(NamedTuple):
    """What a learner's file gives: the algorithm as three compiled functions, or four.

    - `decide(hyper, state, row, rng, labels) -> (propensity, greedy, explored)` writes what it plays to `labels`
      (and behind it, if the learner has a `top_size`, what it believes best);
    - `learn(hyper, state, row, draw, feedback, rng) -> int` says how many updates it made. The feedback is the
      number of the true label, or the bit as a float: 0 or 1, and h(f) in its place when the learner has `noise`;
    - `score(hyper, state, row, out) -> None` writes one score per class, and changes nothing else;
    - `learn_label(hyper, state, row, draw, y, rng) -> int`, for a learner whose `learn` takes bits and which takes
      the number of the true label as well.
    """

    decide: Callable[..., tuple[float, int, bool]]
    learn: Callable[..., int]
    score: Callable[..., None]
    learn_label: Callable[..., int] | None = None

    def of(self, kind: AnswerKind) -> Callable[..., int]:
        """The function that learns from answers of this kind, which the learner must take."""
        return self.learn_label if kind == "label" and self.learn_label is not None else self.learn


@jit
def linear_score(hyper: Any, state: Any, row: Row, out: FloatArray) -> None:
    """s = W x: the `score` of every learner that keeps its weights in `state.W`."""
    scores(state.W, row, out)


def heard_of(kind: AnswerKind) -> Callable[..., Any]:
    """What is learned from, as a compiled function of an answer of this kind."""
    return heard_label if kind == "label" else heard_bit


class Entries(NamedTuple):
    """The compiled functions that the interactive methods call."""

    decide: Callable[..., int]
    learn: Callable[..., int]
    score: Callable[..., None]


@cache
def entries(functions: Functions, kind: AnswerKind) -> Entries:
    """The entry points of one learner; what it learns from are bits, or labels."""
    decide = functions.decide
    learn = functions.of(kind)
    score = functions.score
    heard = heard_of(kind)

    @entry_point
    def decide_all(hyper: Any, state: Any, rows: Rows, normalize: bool, rng: Rng, draws: Draws) -> int:
        for i in range(draws.labels.shape[0]):
            row = row_at(rows, i, normalize)
            bad = first_bad(row)
            if bad >= 0:
                return bad
            made = decide(hyper, state, row, rng, draws.labels[i])
            draws.propensity[i], draws.greedy[i], draws.explored[i] = made
        return -1

    @entry_point
    def learn_all(
        hyper: Any, state: Any, rows: Rows, normalize: bool, draws: Draws, answers: IntArray, worth: FloatArray,
        rng: Rng, first: int, stop: int,
    ) -> int:  # fmt: skip
        updates = 0
        for i in range(first, stop):
            draw = Draw(draws.labels[i], draws.propensity[i], draws.greedy[i], draws.explored[i], False)
            updates += learn(hyper, state, row_at(rows, i, normalize), draw, heard(answers[i], worth), rng)
        return updates

    @entry_point
    def score_all(hyper: Any, state: Any, rows: Rows, normalize: bool, out: FloatArray) -> None:
        for i in range(np.int64(out.shape[0])):
            score(hyper, state, row_at(rows, i, normalize), out[i])

    return Entries(decide_all, learn_all, score_all)
