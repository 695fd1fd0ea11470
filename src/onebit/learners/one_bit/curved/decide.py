"""How OneBit decides about dense rows, compiled: kernels, the mixture of the experts' beliefs, and exploration."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.curved.dictionary import compare
from onebit.learners.one_bit.curved.experts import expected_steepness
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.curved.views import look
from onebit.learners.one_bit.exploration import STEEPNESS
from onebit.learners.one_bit.mixture import average_exploration, count_open, play, play_among
from onebit.learners.one_bit.state import BELIEFS, Hyper
from onebit.ops.jit import inline, jit
from onebit.ops.rows import DenseRow, Row
from onebit.ops.softmax import softmax
from onebit.ops.weights import scores

_LEAST = 1e-300


@inline
def believe(hyper: Hyper, state: CurvedState, row: Any, new: bool) -> None:
    """k, every expert's z and what it believes, and p = Σ share_e softmax(z_e); a new row enters the statistics."""
    look(state.statistics, hyper.standardize, new, row, state.room.views)
    compare(state.dictionary, state.room.views)
    mix(state)


@jit
def mix(state: CurvedState) -> None:
    """z_e = W_e k and p_e = softmax(z_e) of the experts that are awake, and their mixture p."""
    room = state.room
    share = state.experts.share
    features = DenseRow(state.dictionary.k, 0, 1.0)
    for r in range(room.p.shape[0]):
        room.p[r] = 0.0
    for e in range(share.shape[0]):
        if share[e] > 0:
            scores(state.experts.W[e], features, room.z[e])
            softmax(room.z[e], 1.0, room.believed[e])
            for r in range(room.p.shape[0]):
                room.p[r] += share[e] * room.believed[e, r]


@inline
def score(hyper: Hyper, state: CurvedState, row: Row, out: FloatArray) -> None:
    """log p, whose softmax is p. Uses the room."""
    believe(hyper, state, row, False)
    for r in range(out.shape[0]):
        out[r] = log(max(state.room.p[r], _LEAST))


@jit
def steepness(state: CurvedState, n_labels: int) -> float:
    """λ: less exploration with every decision, more where bits are not to be trusted."""
    return float(STEEPNESS * expected_steepness(state.experts) * sqrt(n_labels * state.clock.t[0]))


@inline
def decide(hyper: Hyper, state: CurvedState, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p, or another in place of the last, by inverse-gap weighting."""
    take_up(hyper, state, row)
    p = state.room.p
    steep = steepness(state, p.shape[0])
    propensity, greedy, explored, chance = play(p, steep, hyper.gamma, rng, labels)
    average_exploration(state.exploration, state.clock.t[0], chance)
    return propensity, greedy, explored


@inline
def decide_among(
    hyper: Hyper, state: CurvedState, row: Row, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_]
) -> tuple[float, int, bool]:
    """`decide` with p over the open labels alone, and K their number; the bits are the same if all are open."""
    take_up(hyper, state, row)
    room = state.room
    steep = steepness(state, count_open(is_open))
    propensity, greedy, explored, chance = play_among(room.p, steep, hyper.gamma, rng, labels, is_open, room.open)
    average_exploration(state.exploration, state.clock.t[0], chance)
    return propensity, greedy, explored


@inline
def take_up(hyper: Hyper, state: CurvedState, row: Row) -> None:
    """Count a row that is to be decided, and what is believed of it."""
    state.clock.t[0] += 1
    state.clock.waiting[0] += 1
    believe(hyper, state, row, True)
    state.room.known[0] = BELIEFS
