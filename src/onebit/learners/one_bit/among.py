"""How OneBit decides among some of its labels, compiled: nothing is copied, and it believes in all labels as ever."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.decide import AVERAGED_DECISIONS, believe, optimism, steepness
from onebit.learners.one_bit.features import as_row
from onebit.learners.one_bit.state import BELIEFS, Hyper, State
from onebit.ops.bit_likelihood import mass_outside
from onebit.ops.gaussian import spreads
from onebit.ops.jit import inline, jit
from onebit.ops.random import first_best, uniform
from onebit.ops.rows import Row
from onebit.ops.sets import best_labels, contains
from onebit.ops.softmax import softmax


@jit
def close(scores: FloatArray, is_open: NDArray[np.bool_]) -> None:
    """A closed label is the last of all.

    >>> scores = np.array([3.0, 1.0])
    >>> close(scores, np.array([False, True]))
    >>> scores
    array([-inf,   1.])
    """
    for r in range(scores.shape[0]):
        scores[r] = scores[r] if is_open[r] else -inf


@jit
def open_softmax(scores: FloatArray, is_open: NDArray[np.bool_], out: FloatArray) -> None:
    """The softmax over the open labels, 0 for the others, whose scores must be those of closed ones.

    >>> out = np.zeros(3)
    >>> open_softmax(np.array([-np.inf, 1.0, 1.0]), np.array([False, True, True]), out)
    >>> out
    array([0. , 0.5, 0.5])
    """
    softmax(scores, 1.0, out)
    for r in range(out.shape[0]):
        out[r] = out[r] if is_open[r] else 0.0


@jit
def explore_among(
    p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_]
) -> tuple[float, float, bool]:
    """`explore` where K are the open labels alone; p must be 0 for the others, and none of them among the labels.

    >>> from onebit.ops.random import pack
    >>> p, is_open, labels = np.array([0.0, 0.75, 0.25]), np.array([False, True, True]), np.array([1])
    >>> explore_among(p, 15.0, 0.0, pack(np.random.PCG64(0)), labels, is_open)
    (0.96875, 0.03125, False)
    """
    K = 0
    for r in range(p.shape[0]):
        K += is_open[r]
    last = labels.shape[0] - 1
    c = max(mass_outside(p, labels), 1e-300)
    least = p[labels[last]]
    floor = gamma / K
    u = uniform(rng)
    drawn = -1
    propensity = 0.0
    exploration = 0.0  # the sum of the probabilities so far: the first label at which it passes u is drawn
    for r in range(p.shape[0]):
        chance = floor + (1 - gamma) * c / (K * c + steep * (least - p[r]))
        exploration += chance if is_open[r] and not contains(labels, r) else 0.0
        if drawn < 0 and u < exploration:
            drawn = r
            propensity = chance
    if drawn < 0:
        return 1 - exploration, exploration, False
    labels[last] = drawn
    return propensity, exploration, True


@inline
def decide_among(
    hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_]
) -> tuple[float, int, bool]:
    """`decide` with p~ the softmax over the open labels and K their number; the bits are the same if all are open."""
    room = state.room
    beliefs = room.beliefs
    clock = state.clock
    P = state.weights.P
    K = 0
    for r in range(is_open.shape[0]):
        K += is_open[r]

    # What is believed about the row, over all labels: a closed one may be the true one.
    clock.t[0] += 1
    clock.waiting[0] += 1
    believe(hyper, state, row, hyper.counts)
    room.known[0] = BELIEFS

    # The m best open labels: by z, or, with optimism, by z_r + b √s_r. p~ is the softmax of the same.
    credit = optimism(P)
    optimistic = room.optimistic
    moved = beliefs.moved
    for r in range(moved.shape[0]):
        moved[r] = beliefs.z[r]
    close(moved, is_open)
    greedy = first_best(moved)
    if credit > 0:
        for r in range(moved.shape[0]):
            optimistic[r] = 1.0 if is_open[r] else 0.0  # the spreads of the open classes are wanted
        spreads(P, as_row(room.row, row), optimistic, room.Px, room.s)
        for r in range(moved.shape[0]):
            moved[r] = beliefs.z[r] + credit * sqrt(room.s[r])
        close(moved, is_open)
    open_softmax(moved, is_open, optimistic)
    best_labels(moved, labels)

    # Exploration, as ever.
    steep = steepness(state.lies, clock.t[0], K)
    propensity, exploration, explored = explore_among(optimistic, steep, hyper.gamma, rng, labels, is_open)
    share = 1 / min(clock.t[0], AVERAGED_DECISIONS)
    state.exploration[0] += share * (exploration - state.exploration[0])
    return propensity, greedy, explored
