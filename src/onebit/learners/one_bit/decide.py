"""How OneBit decides, compiled: what it believes about a row, optimism, and exploration."""

from __future__ import annotations

from math import sqrt

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.exploration import STEEPNESS, STEEPNESS_UNDER_LIES, explore, explore_pmf
from onebit.learners.one_bit.features import as_row, prepare
from onebit.learners.one_bit.lies import Lies
from onebit.learners.one_bit.state import BELIEFS, SPREADS, Hyper, State
from onebit.ops.gaussian import is_full, spreads
from onebit.ops.jit import inline, jit
from onebit.ops.random import first_best
from onebit.ops.rows import Row
from onebit.ops.sets import best_labels
from onebit.ops.softmax import softmax
from onebit.ops.weights import scores

_MOST_FEATURES_OPTIMISTIC = 64  # with the bias
AVERAGED_DECISIONS = 100
"""Over about so many the share of exploration is averaged."""


@inline
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """z = W x, of the row as it is learned. Uses the room for a row."""
    prepared = state.room.row
    prepare(state.statistics, hyper.standardize, False, row, prepared)
    scores(state.weights.W, as_row(prepared, row), out)


@inline
def believe(hyper: Hyper, state: State, row: Row, new: bool) -> None:
    """z = W x and p = softmax(z); a new row counts in the statistics of the features."""
    prepared = state.room.row
    beliefs = state.room.beliefs
    prepare(state.statistics, hyper.standardize, new, row, prepared)
    scores(state.weights.W, as_row(prepared, row), beliefs.z)
    softmax(beliefs.z, 1.0, beliefs.p)


@jit
def optimism(P: FloatArray) -> float:
    """b: for how many deviations of its score a label is given credit, max(1, 5/√d) up to d = 64 if P is full."""
    d = P.shape[1]
    return max(1.0, 5 / sqrt(d)) if is_full(P) and d <= _MOST_FEATURES_OPTIMISTIC else 0.0


@inline
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p~, or another in place of the last, by inverse-gap weighting."""
    clock = state.clock
    clock.t[0] += 1
    clock.waiting[0] += 1
    optimistic, greedy = preferred(hyper, state, row, labels)
    steep = steepness(state.lies, clock.t[0], optimistic.shape[0])
    propensity, exploration, explored = explore(optimistic, steep, hyper.gamma, rng, labels)
    share = 1 / min(clock.t[0], AVERAGED_DECISIONS)
    state.exploration[0] += share * (exploration - state.exploration[0])
    return propensity, greedy, explored


@inline
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """How likely the next decision is to play each label."""
    optimistic, _ = preferred(hyper, state, row, labels)
    steep = steepness(state.lies, state.clock.t[0] + 1, optimistic.shape[0])
    explore_pmf(optimistic, steep, hyper.gamma, labels, out)


@inline
def preferred(hyper: Hyper, state: State, row: Row, labels: IntArray) -> tuple[FloatArray, int]:
    """Write the m labels with the largest p~; p~ itself, and the label believed best."""
    room = state.room
    beliefs = room.beliefs
    P = state.weights.P
    K = beliefs.p.shape[0]

    # What is believed about the row: z and p. It is new, so it counts in the statistics of the features.
    believe(hyper, state, row, hyper.counts)
    room.known[0] = BELIEFS

    # The m best labels: by z, or, with optimism, by z_r + b √s_r. p~ is the softmax of the same.
    credit = optimism(P)
    optimistic = beliefs.p
    if credit > 0:
        optimistic = room.optimistic
        for r in range(K):
            optimistic[r] = 1.0  # the spreads of all classes are wanted
        spreads(P, as_row(room.row, row), optimistic, room.Px, room.s)
        for r in range(K):
            beliefs.moved[r] = beliefs.z[r] + credit * sqrt(room.s[r])
        softmax(beliefs.moved, 1.0, optimistic)
        room.known[0] = SPREADS
        best_labels(beliefs.moved, labels)
        return optimistic, first_best(beliefs.z)
    best_labels(beliefs.z, labels)
    return optimistic, labels[0]


@jit
def steepness(lies: Lies, t: int, n_labels: int) -> float:
    """λ: less exploration with every decision, more where bits are not to be trusted."""
    steep = STEEPNESS_UNDER_LIES if lies.often[0] else STEEPNESS
    return float(steep * lies.trust[0] * sqrt(n_labels * t))
