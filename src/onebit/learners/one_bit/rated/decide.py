"""How OneBit decides by its experts, compiled: the mixture of their beliefs, and exploration."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.exploration import STEEPNESS
from onebit.learners.one_bit.mixture import average_exploration, count_open, play, play_among, play_pmf
from onebit.learners.one_bit.rated.mixture import mix
from onebit.learners.one_bit.rated.rates import Rates, expected_steepness
from onebit.learners.one_bit.state import BELIEFS, Hyper
from onebit.ops.jit import inline, jit
from onebit.ops.rows import Row, by_row

_LEAST = 1e-300


@by_row
def seen(hyper: Hyper, state: Any, row: Row, new: bool) -> Row:
    """The row as the experts' weights meet it; a new one enters the statistics."""
    raise TypeError("only inside compiled code")


@inline
def believe(hyper: Hyper, state: Any, row: Row, new: bool) -> None:
    """What every expert believes of the row, and p."""
    mix(state.weights.W, state.rates, seen(hyper, state, row, new), state.mixture)


@inline
def score(hyper: Hyper, state: Any, row: Row, out: FloatArray) -> None:
    """log p, whose softmax is p. Uses the room."""
    believe(hyper, state, row, False)
    for r in range(out.shape[0]):
        out[r] = log(max(state.mixture.p[r], _LEAST))


@jit
def steepness(rates: Rates, t: int, n_labels: int) -> float:
    """λ: less exploration with every decision, more where bits are not to be trusted."""
    return float(STEEPNESS * expected_steepness(rates) * sqrt(n_labels * t))


@inline
def decide(hyper: Hyper, state: Any, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p, or another in place of the last, by inverse-gap weighting."""
    take_up(hyper, state, row)
    p = state.mixture.p
    t = state.clock.t[0]
    steep = steepness(state.rates, t, p.shape[0])
    propensity, greedy, explored, chance = play(p, steep, hyper.gamma, rng, labels)
    average_exploration(state.exploration, t, chance)
    return propensity, greedy, explored


@inline
def pmf(hyper: Hyper, state: Any, row: Row, labels: IntArray, out: FloatArray) -> None:
    """How likely the next decision is to play each label."""
    believe(hyper, state, row, hyper.counts)
    steep = steepness(state.rates, state.clock.t[0] + 1, out.shape[0])
    play_pmf(state.mixture.p, steep, hyper.gamma, labels, out)


@inline
def decide_among(
    hyper: Hyper, state: Any, row: Row, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_]
) -> tuple[float, int, bool]:
    """`decide` with p over the open labels alone, and K their number; the bits are the same if all are open."""
    take_up(hyper, state, row)
    mixture = state.mixture
    t = state.clock.t[0]
    steep = steepness(state.rates, t, count_open(is_open))
    propensity, greedy, explored, chance = play_among(mixture.p, steep, hyper.gamma, rng, labels, is_open, mixture.open)
    average_exploration(state.exploration, t, chance)
    return propensity, greedy, explored


@inline
def take_up(hyper: Hyper, state: Any, row: Row) -> None:
    """Count a row that is to be decided, and what is believed of it."""
    state.clock.t[0] += 1
    state.clock.waiting[0] += 1
    believe(hyper, state, row, hyper.counts)
    state.mixture.known[0] = BELIEFS
