"""The algorithm as compiled functions: what an author writes, and the entry points by which Python calls it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.lessons import Draws
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


class Decide(Protocol):
    """Plays: writes the numbers of the labels it plays to `labels`, and behind them those believed best, if it has any.

    Returns the exact probability with which it played them, the label believed best, and whether it explored.
    """

    def __call__(self, hyper: Any, state: Any, row: Row, rng: Rng, labels: IntArray, /) -> tuple[float, int, bool]:
        """Draw a decision; only from `rng`, and without allocating memory."""


class DecideAmong(Protocol):
    """Plays, as `Decide` does, only labels that are open; all that it returns is about the choice among these."""

    def __call__(
        self, hyper: Any, state: Any, row: Row, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_], /
    ) -> tuple[float, int, bool]:
        """Draw a decision; `is_open` has an entry for each class, and at least as many are open as are played."""


class LearnBit(Protocol):
    """Learns from the bit, 0 or 1, or from h(f) in its place where the learner has `noise`."""

    def __call__(self, hyper: Any, state: Any, row: Row, draw: Draw, bit: float, rng: Rng, /) -> int:
        """Change the state, and return how many updates that was. The answer may come late: use `draw` alone."""


class LearnLabel(Protocol):
    """Learns from the number of the true label."""

    def __call__(self, hyper: Any, state: Any, row: Row, draw: Draw, y: int, rng: Rng, /) -> int:
        """Change the state, and return how many updates that was."""


class Score(Protocol):
    """Writes one score per class to `out`, and changes nothing else."""

    def __call__(self, hyper: Any, state: Any, row: Row, out: FloatArray, /) -> None:
        """Score every class."""


class Pmf(Protocol):
    """Writes to `out` how likely `decide` is to play each label, or to have it in its set.

    It may write where `decide` does, and to `labels`, which has room for a decision.
    """

    def __call__(self, hyper: Any, state: Any, row: Row, labels: IntArray, out: FloatArray, /) -> None:
        """The probability of every class."""


class Functions(NamedTuple):
    """The algorithm: three compiled functions, or four for a learner of bits that takes the true label as well.

    `learn` takes what the learner's `feedback` says, a bit or a label. `decide_among` is for a learner that decides
    among some of its labels by itself; without it, that is done on a copy of the state that has only these classes.
    `pmf` says how likely `decide` is to play each label; without it, `learner.pmf` is an error.
    """

    decide: Decide
    learn: LearnBit | LearnLabel
    score: Score
    learn_label: LearnLabel | None = None
    decide_among: DecideAmong | None = None
    pmf: Pmf | None = None

    def of(self, kind: AnswerKind) -> LearnBit | LearnLabel:
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
    """The entry points that the interactive methods call."""

    decide: Callable[..., int]
    learn: Callable[..., int]
    score: Callable[..., None]
    decide_among: Callable[..., int] | None = None
    pmf: Callable[..., None] | None = None


@cache
def entries(functions: Functions, kind: AnswerKind) -> Entries:
    """The entry points of one learner; what it learns from are bits, or labels.

    A single row is checked here, where that costs least, before anything changes; tables are checked before they come.
    """
    decide = functions.decide
    learn = functions.of(kind)
    score = functions.score
    heard = heard_of(kind)

    @entry_point
    def decide_all(hyper: Any, state: Any, rows: Rows, normalize: bool, rng: Rng, draws: Draws) -> int:
        if draws.labels.shape[0] == 1:
            bad = first_bad(row_at(rows, 0, False))
            if bad >= 0:
                return bad
        for i in range(draws.labels.shape[0]):
            made = decide(hyper, state, row_at(rows, i, normalize), rng, draws.labels[i])
            draws.propensity[i], draws.greedy[i], draws.explored[i] = made
        return -1

    @entry_point
    def learn_all(
        hyper: Any, state: Any, rows: Rows, normalize: bool, draws: Draws, answers: IntArray, worth: FloatArray,
        rng: Rng, first: int, stop: int,
    ) -> int:  # fmt: skip
        if stop - first == 1 and first_bad(row_at(rows, first, False)) >= 0:
            return -1
        updates = 0
        for i in range(first, stop):
            draw = Draw(draws.labels[i], draws.propensity[i], draws.greedy[i], draws.explored[i], False)
            updates += learn(hyper, state, row_at(rows, i, normalize), draw, heard(answers[i], worth), rng)
        return updates

    @entry_point
    def score_all(hyper: Any, state: Any, rows: Rows, normalize: bool, out: FloatArray) -> None:
        for i in range(np.int64(out.shape[0])):
            score(hyper, state, row_at(rows, i, normalize), out[i])

    return Entries(decide_all, learn_all, score_all, _among_entry(functions.decide_among), _pmf_entry(functions.pmf))


def _pmf_entry(pmf: Pmf | None) -> Callable[..., None] | None:
    """The entry point for the probabilities of labels, if the learner tells them."""
    if pmf is None:
        return None

    @entry_point
    def pmf_all(hyper: Any, state: Any, rows: Rows, normalize: bool, labels: IntArray, out: FloatArray) -> None:
        for i in range(np.int64(out.shape[0])):
            pmf(hyper, state, row_at(rows, i, normalize), labels, out[i])

    return pmf_all


def _among_entry(decide_among: DecideAmong | None) -> Callable[..., int] | None:
    """The entry point for decisions among some labels, if the learner makes them by itself."""
    if decide_among is None:
        return None

    @entry_point
    def decide_among_all(
        hyper: Any, state: Any, rows: Rows, normalize: bool, rng: Rng, draws: Draws, is_open: NDArray[np.bool_]
    ) -> int:
        if draws.labels.shape[0] == 1:
            bad = first_bad(row_at(rows, 0, False))
            if bad >= 0:
                return bad
        for i in range(draws.labels.shape[0]):
            made = decide_among(hyper, state, row_at(rows, i, normalize), rng, draws.labels[i], is_open[i])
            draws.propensity[i], draws.greedy[i], draws.explored[i] = made
        return -1

    return decide_among_all
