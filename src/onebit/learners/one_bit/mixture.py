"""How a mixture of models plays, compiled: by what they believe together, p, with exploration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.among import explore_among
from onebit.learners.one_bit.decide import AVERAGED_DECISIONS
from onebit.learners.one_bit.exploration import explore, explore_pmf
from onebit.ops.jit import inline, jit
from onebit.ops.random import first_best
from onebit.ops.sets import best_labels


@inline
def play(p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray) -> tuple[float, int, bool, float]:
    """The m labels with the largest p, or another in place of the last, by inverse-gap weighting.

    Returns the propensity, the label believed best, whether it explored, and how likely it was to.
    """
    best_labels(p, labels)
    greedy = labels[0]
    propensity, exploration, explored = explore(p, steep, gamma, rng, labels)
    return propensity, greedy, explored, exploration


@inline
def play_pmf(p: FloatArray, steep: float, gamma: float, labels: IntArray, out: FloatArray) -> None:
    """How likely `play` is to play each label; `labels` is room for those it plays."""
    best_labels(p, labels)
    explore_pmf(p, steep, gamma, labels, out)


@inline
def play_among(
    p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_], room: FloatArray
) -> tuple[float, int, bool, float]:
    """The same with p over the open labels alone; the bits are the same if all are open. `room` is for p among them."""
    # p among the open labels, -1 for the others; then as probabilities.
    n_open = 0
    sum_ = 0.0
    for r in range(is_open.shape[0]):
        room[r] = p[r] if is_open[r] else -1.0
        sum_ += p[r] if is_open[r] else 0.0
        n_open += is_open[r]
    best_labels(room, labels)
    greedy = first_best(room)
    all_open = n_open == is_open.shape[0]
    for r in range(is_open.shape[0]):
        if not all_open:
            room[r] = share_among_open(p[r], sum_, n_open) if is_open[r] else 0.0
    propensity, exploration, explored = explore_among(room, steep, gamma, rng, labels, is_open)
    return propensity, greedy, explored, exploration


@jit
def share_among_open(p: float, sum_: float, n_open: int) -> float:
    """A probability among the open labels; where none of them is believed in at all, they are alike.

    >>> share_among_open(0.25, 0.5, 3), share_among_open(0.0, 0.0, 4)
    (0.5, 0.25)
    """
    return p / sum_ if sum_ > 0 else 1.0 / n_open


@jit
def count_open(is_open: NDArray[np.bool_]) -> int:
    """How many labels are open.

    >>> count_open(np.array([True, False, True]))
    2
    """
    n_open = 0
    for r in range(is_open.shape[0]):
        n_open += is_open[r]
    return n_open


@jit
def average_exploration(exploration: FloatArray, t: int, chance: float) -> None:
    """How likely a decision explores, over about the last hundred; this was the t-th since the last restart.

    >>> share = np.array([1.0])
    >>> average_exploration(share, 2, 0.5)
    >>> share
    array([0.75])
    """
    exploration[0] += (chance - exploration[0]) / min(t, AVERAGED_DECISIONS)
