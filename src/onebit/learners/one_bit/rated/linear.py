"""OneBit for sparse rows with many columns: linear weights with diagonal covariances, for each of several flip rates.

Where classes are few, the first 500 lessons are learned with full covariances, whose diagonals are what stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.layout import Layout
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray
from onebit.core.errors import ConfigError
from onebit.feedback import NoiseRates
from onebit.learners.one_bit.calibration import Calibration, calibration_schema, new_calibration
from onebit.learners.one_bit.drift import Drift, drift_schema, new_drift
from onebit.learners.one_bit.features import (
    PreparedRow,
    Statistics,
    as_row,
    new_prepared_row,
    new_statistics,
    prepare,
    prepared_row_schema,
    statistics_schema,
)
from onebit.learners.one_bit.learn import WARM_UP_LESSONS, least_gradient, posterior_step, warming_up
from onebit.learners.one_bit.rated.decide import seen
from onebit.learners.one_bit.rated.learn import EXPERTS, forget_lessons, learn_from
from onebit.learners.one_bit.rated.mixture import Mixture, mixture_schema, new_mixture
from onebit.learners.one_bit.rated.rates import RATES, Rates, hear, heard_by, new_rates, rates_schema
from onebit.learners.one_bit.rated.saved import common_arrays
from onebit.learners.one_bit.state import NOTHING, Clock, Hyper, WarmUp
from onebit.ops.bit_likelihood import Answer, gradient_bound, mass
from onebit.ops.gaussian import reset
from onebit.ops.jit import noinline
from onebit.ops.rows import Row, SparseRow, body

_POWER = 3
"""Of κ in the prior variance of experts that do not trust the bits."""

_LARGEST = 8 * 2**30

FUNCTIONS = EXPERTS


class Weights(NamedTuple):
    """Of every expert, those of the bias last: means W and variances P, (E, d, K)."""

    W: FloatArray
    P: FloatArray


class RatedState(NamedTuple):
    """All that changes."""

    weights: Weights
    warm_up: WarmUp  # full covariances in the first lessons (E, K, d, d); empty without
    rates: Rates
    statistics: Statistics  # of the features
    clock: Clock
    calibration: Calibration
    forecast: Calibration  # the line of forecasts of the bit, lies included
    drift: Drift
    exploration: FloatArray  # how likely a decision explores, averaged over about the last hundred
    mixture: Mixture
    row: PreparedRow


def start(layout: Layout, rates: NoiseRates | None, variance: float, warm: bool) -> RatedState:
    """The state before the first row; `warm`, whether it begins with full covariances.

    >>> start(Layout(3, 2, "sparse", "float64"), None, 100.0, False).weights.W.shape
    (4, 3, 3)
    """
    K = layout.n_classes
    d = layout.n_features + 1
    dtype = layout.dtype
    grid = new_rates(rates, variance, _POWER)
    E = len(grid.share)
    needed = 2 * E * K * d * np.dtype(dtype).itemsize
    if needed > _LARGEST:
        raise ConfigError(
            f"n_features={layout.n_features}: weights for each feature, {K} classes and {E} flip rates would take "
            f"{needed / 2**30:.0f} GiB; hash the features into fewer, say 2^16, or give the flip rates: noise=None"
        )
    n_full = E if warm else 0
    state = RatedState(
        weights=Weights(W=np.zeros((E, d, K), dtype), P=np.zeros((E, d, K), dtype)),
        warm_up=WarmUp(
            P=np.zeros((n_full, K, d, d) if warm else (0, 0, 0, 0), dtype),
            Px=np.zeros((K, d) if warm else (0, 0), dtype),
        ),
        rates=grid,
        statistics=new_statistics(layout.n_features, "sparse", dtype),
        clock=Clock(*(np.zeros(1, np.int64) for _ in Clock._fields)),
        calibration=new_calibration(),
        forecast=new_calibration(),
        drift=new_drift(),
        exploration=np.ones(1),
        mixture=new_mixture(E, K, dtype),
        row=new_prepared_row(layout.n_features, "sparse", dtype),
    )
    begin_at_prior(state, 0)
    return state


def begin_at_prior(state: RatedState, first: int) -> None:
    """The classes from the first one on have the variances of the prior; nothing is known of the last row."""
    state.weights.P[:, :, first:] = state.rates.variance[:, None, None]
    full = state.warm_up.P
    if len(full):
        j = np.arange(full.shape[2])
        full[:, first:, j, j] = state.rates.variance[:, None, None]
    state.mixture.known[0] = NOTHING


def schema(layout: Layout, rates: NoiseRates | None, warm: bool) -> RatedState:
    """What a file may hold of a state."""
    E = len(RATES) if rates is None else 1
    K = layout.n_classes
    d = layout.n_features + 1
    return RatedState(
        weights=Weights(W=reals(E, d, K), P=reals(E, d, K)),
        warm_up=WarmUp(
            P=reals(E, K, d, d) if warm else reals(0, 0, 0, 0),
            Px=room(K, d) if warm else room(0, 0),
        ),
        rates=rates_schema(E),
        statistics=statistics_schema(layout.n_features, "sparse"),
        clock=Clock(*(whole(1) for _ in Clock._fields)),
        calibration=calibration_schema(),
        forecast=calibration_schema(),
        drift=drift_schema(),
        exploration=reals(1, dtype="float64"),
        mixture=mixture_schema(E, K, ""),
        row=prepared_row_schema(layout.n_features, "sparse"),
    )


def without_warm_up(state: RatedState) -> RatedState:
    """The state with diagonal covariances alone."""
    full = state.warm_up.P
    weights = state.weights
    if len(full) and state.clock.n[0] < WARM_UP_LESSONS:
        weights = weights._replace(P=np.diagonal(full, axis1=2, axis2=3).transpose(0, 2, 1).copy())
    none = WarmUp(P=np.zeros((0, 0, 0, 0), full.dtype), Px=np.zeros((0, 0), full.dtype))
    return state._replace(weights=weights, warm_up=none)


def with_own_room(state: RatedState) -> RatedState:
    """The state with other room, so that scoring changes nothing."""
    E, K = state.mixture.z.shape
    dtype = str(state.weights.W.dtype)
    row = new_prepared_row(state.weights.W.shape[1] - 1, "sparse", dtype)
    return state._replace(mixture=new_mixture(E, K, dtype), row=row)


def leading_expert(state: RatedState, columns: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """The weights (K, columns) of the expert that has most of the mixture, and their covariances."""
    e = int(np.argmax(state.rates.share))
    W = state.weights.W[e][columns].T
    if warming_up(state.warm_up.P, state.clock.n[0] + 1):
        return W, state.warm_up.P[e][:, columns[:, None], columns]
    return W, state.weights.P[e][columns].T


def file_arrays(state: RatedState) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file by name."""
    return {
        "W": (state.weights.W,),
        "P": (state.weights.P,),
        "warm-P": (state.warm_up.P,),
        "warm-Px": (state.warm_up.Px,),
        **{f"row-{name}": (array,) for name, array in state.row._asdict().items()},
        **common_arrays(state),
    }


@body(seen, "sparse")
def _(hyper: Hyper, state: RatedState, row: SparseRow, new: bool) -> Row:
    prepare(state.statistics, hyper.standardize, new, row, state.row)
    return as_row(state.row, row)


@body(learn_from, "sparse")
def _(hyper: Hyper, state: RatedState, row: SparseRow, answer: Answer, told: bool) -> int:
    return learn_linear(state, as_row(state.row, row), answer, told)


@body(forget_lessons, "sparse")
def _(state: RatedState, row: SparseRow) -> None:
    forget_weights(state)


@noinline
def learn_linear(state: RatedState, x: Row, answer: Answer, told: bool) -> int:
    """Weigh the experts by a bit, and take a posterior step with each that is awake; 1 if there was any."""
    rates = state.rates
    share = rates.share
    mixture = state.mixture
    W = state.weights.W
    P = state.weights.P
    full = state.warm_up.P
    expert = mixture.expert
    n = state.clock.n[0]
    warm = warming_up(full, n)

    # How likely each held the answer to be; a label that is told says nothing of lies.
    for e in range(share.shape[0]):
        if share[e] > 0:
            mixture.inside[e] = mass(mixture.believed[e], answer.played)
    if not told:
        hear(rates, n, mixture.inside, answer.bit)

    # A step with each to whom the answer is news.
    updates = 0
    for e in range(share.shape[0]):
        own = heard_by(rates, e, answer, told)
        least = least_gradient(full[0]) if warm else least_gradient(P[0])
        if share[e] > 0 and gradient_bound(mixture.inside[e], own) >= least:
            for r in range(expert.z.shape[0]):
                expert.z[r] = mixture.z[e, r]
                expert.p[r] = mixture.believed[e, r]
            if warm:
                updates |= posterior_step(W[e].T, full[e], state.warm_up.Px, mixture.s, expert, own, x, False)
            else:
                updates |= posterior_step(W[e].T, P[e].T, state.warm_up.Px, mixture.s, expert, own, x, False)
    if warm and n == WARM_UP_LESSONS:
        keep_diagonals(P, full)
    return updates


@noinline
def keep_diagonals(P: FloatArray, full: FloatArray) -> None:
    """The warm-up is over: P becomes the diagonals of the full covariances."""
    for e in range(P.shape[0]):
        for j in range(P.shape[1]):
            for r in range(P.shape[2]):
                P[e, j, r] = full[e, r, j, j]


@noinline
def forget_weights(state: RatedState) -> None:
    """Nothing learned."""
    for e in range(state.rates.share.shape[0]):
        W = state.weights.W[e].T
        reset(W, state.weights.P[e].T, state.rates.variance[e])
        if state.warm_up.P.shape[0] > 0:
            reset(W, state.warm_up.P[e], state.rates.variance[e])
