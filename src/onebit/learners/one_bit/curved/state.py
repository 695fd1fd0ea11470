"""What OneBit keeps for dense rows: the dictionary, the experts' weights on it, and what all forms of OneBit keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.layout import Layout
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray
from onebit.core.errors import FormatError
from onebit.feedback import NoiseRates
from onebit.learners.one_bit.calibration import Calibration, calibration_schema, new_calibration
from onebit.learners.one_bit.curved import dictionary as kept_cases
from onebit.learners.one_bit.curved import experts as on_kept
from onebit.learners.one_bit.curved.dictionary import Dictionary, dictionary_schema, new_dictionary
from onebit.learners.one_bit.curved.experts import Experts, experts_schema, new_experts
from onebit.learners.one_bit.curved.views import Views, new_views, views_schema
from onebit.learners.one_bit.drift import Drift, drift_schema, new_drift
from onebit.learners.one_bit.features import Statistics, new_statistics, statistics_schema
from onebit.learners.one_bit.rated.mixture import Mixture, mixture_schema, new_mixture
from onebit.learners.one_bit.rated.rates import RATES, Rates, new_rates, rates_schema
from onebit.learners.one_bit.rated.saved import common_arrays
from onebit.learners.one_bit.state import NOTHING, Clock

_FIRST_CAPACITY = 64
"""Room for so many cases at the start; it doubles up to the budget."""

_MOST_NUMBERS = 2**27
"""Of all covariances together: beyond, fewer cases are kept."""

_DOUBTED = 0.3
_POWER = 0.5
"""The prior variance of experts that do not trust the bits is .3 √κ of that of the others."""


class CurvedState(NamedTuple):
    """All that changes."""

    dictionary: Dictionary
    weights: Experts
    rates: Rates
    statistics: Statistics  # of the features
    clock: Clock
    calibration: Calibration
    forecast: Calibration  # the line of forecasts of the bit, lies included
    drift: Drift
    exploration: FloatArray  # how likely a decision explores, averaged over about the last hundred
    mixture: Mixture
    views: Views  # of the row at hand
    Pk: FloatArray  # P_r k (K, N)


def most_kept(budget: int, n_classes: int) -> int:
    """How many cases are kept at the most: the budget, or fewer where classes are so many that P would be too large.

    >>> most_kept(256, 10), most_kept(256, 10_000)
    (256, 80)
    """
    affordable = int((2 * _MOST_NUMBERS / (len(RATES) * n_classes)) ** 0.5) // 8 * 8
    return max(8, min(budget, affordable)) if budget > 8 else budget


def start(layout: Layout, rates: NoiseRates | None, variance: float, budget: int) -> CurvedState:
    """The state before the first row.

    >>> start(Layout(3, 2, "dense", "float64"), None, 100.0, 256).weights.W.shape
    (4, 3, 64)
    """
    K = layout.n_classes
    d = layout.n_features
    grid = new_rates(rates, variance, _POWER, _DOUBTED)
    E = len(grid.share)
    state = CurvedState(
        dictionary=new_dictionary(d),
        weights=new_experts(E, K),
        rates=grid,
        statistics=new_statistics(d, layout.kind, layout.dtype),
        clock=Clock(*(np.zeros(1, np.int64) for _ in Clock._fields)),
        calibration=new_calibration(),
        forecast=new_calibration(),
        drift=new_drift(),
        exploration=np.ones(1),
        mixture=new_mixture(E, K),
        views=new_views(d),
        Pk=np.zeros((K, 0)),
    )
    return resized(state, first_capacity(budget))


def first_capacity(budget: int) -> int:
    """Room for how many cases there is at the start.

    >>> first_capacity(256), first_capacity(10)
    (64, 10)
    """
    return capacity(0, 1, budget)


def capacity(kept: int, lessons: int, budget: int) -> int:
    """Room for how many cases so many lessons may need beside those kept: a power of two, up to the budget.

    >>> capacity(0, 1, 256), capacity(60, 100, 256), capacity(60, 1000, 256)
    (64, 256, 256)
    """
    needed = max(_FIRST_CAPACITY, 1 << (kept + lessons - 1).bit_length())
    return max(kept, min(budget, needed))


def resized(state: CurvedState, capacity: int) -> CurvedState:
    """With room for so many kept cases."""
    return state._replace(
        dictionary=kept_cases.with_room(state.dictionary, capacity),
        weights=on_kept.with_room(state.weights, state.rates.share, capacity),
        Pk=_with_columns(state.Pk, kept_cases.padded(capacity)),
    )


def _with_columns(array: FloatArray, n: int) -> FloatArray:
    """The same with n columns, zeros where there were none."""
    wider = np.zeros((len(array), n))
    kept = min(n, array.shape[1])
    wider[:, :kept] = array[:, :kept]
    return wider


def schema(layout: Layout, rates: NoiseRates | None, capacity: int) -> CurvedState:
    """What a file may hold of a state with room for so many kept cases."""
    E = len(RATES) if rates is None else 1
    K = layout.n_classes
    d = layout.n_features
    return CurvedState(
        dictionary=dictionary_schema(d, capacity),
        weights=experts_schema(E, K, capacity),
        rates=rates_schema(E),
        statistics=statistics_schema(d, layout.kind),
        clock=Clock(*(whole(1) for _ in Clock._fields)),
        calibration=calibration_schema(),
        forecast=calibration_schema(),
        drift=drift_schema(),
        exploration=reals(1, dtype="float64"),
        mixture=mixture_schema(E, K),
        views=views_schema(d),
        Pk=room(K, kept_cases.padded(capacity), dtype="float64"),
    )


def check_prior(state: CurvedState) -> None:
    """No covariance has left a dictionary behind that may still grow."""
    if state.weights.less_prior.any() and not state.dictionary.closed.item():
        raise FormatError("array less-prior takes off a prior that may still grow")


def forget_row(state: CurvedState) -> CurvedState:
    """Nothing is known of the last row."""
    state.mixture.known[0] = NOTHING
    return state


def with_own_room(state: CurvedState) -> CurvedState:
    """The state with other room, so that scoring changes nothing."""
    E, K = state.mixture.z.shape
    dictionary = state.dictionary
    return state._replace(
        dictionary=dictionary._replace(k=dictionary.k.copy()),
        mixture=new_mixture(E, K),
        views=new_views(len(state.views.a) - 1),
    )


def file_arrays(state: CurvedState) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file by name."""
    return {
        **{f"kept-{name}": (array,) for name, array in state.dictionary._asdict().items()},
        "W": (state.weights.W,),
        "Q": (state.weights.Q,),
        "less-prior": (state.weights.less_prior,),
        **common_arrays(state),
        **{f"view-{name}": (array,) for name, array in state.views._asdict().items()},
        "last-Pk": (state.Pk,),
    }
