"""What OneBit keeps for dense rows: the dictionary, the experts, and what all forms of OneBit keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.layout import Layout
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import FormatError
from onebit.feedback import NoiseRates
from onebit.learners.one_bit.calibration import Calibration, calibration_schema, new_calibration
from onebit.learners.one_bit.curved import dictionary as kept_cases
from onebit.learners.one_bit.curved import experts as rated
from onebit.learners.one_bit.curved.dictionary import Dictionary, dictionary_schema, new_dictionary
from onebit.learners.one_bit.curved.experts import RATES, Experts, experts_schema, new_experts
from onebit.learners.one_bit.curved.views import Views, new_views, views_schema
from onebit.learners.one_bit.drift import Drift, drift_schema, new_drift
from onebit.learners.one_bit.features import Statistics, new_statistics, statistics_schema
from onebit.learners.one_bit.state import BELIEFS, NOTHING, Clock
from onebit.ops.bit_likelihood import Beliefs, new_beliefs

_FIRST_CAPACITY = 64
"""Room for so many cases at the start; it doubles up to the budget."""

_MOST_NUMBERS = 2**27
"""Of all covariances together: beyond, fewer cases are kept."""


class Room(NamedTuple):
    """Room for one row at a time, and what is known of the last one decided."""

    views: Views
    z: FloatArray  # the scores of each expert (E, K)
    believed: FloatArray  # what each believes (E, K)
    p: FloatArray  # what they believe together (K)
    inside: FloatArray  # how likely each holds the play to be right (E)
    expert: Beliefs  # of one expert in its step
    s: FloatArray  # s_r = kᵀP_r k
    Pk: FloatArray  # P_r k (K, N)
    open: FloatArray  # p among the open labels
    told: IntArray  # a label that is told
    known: IntArray  # of the last decision: NOTHING, or BELIEFS


class CurvedState(NamedTuple):
    """All that changes."""

    dictionary: Dictionary
    experts: Experts
    statistics: Statistics  # of the features
    clock: Clock
    calibration: Calibration
    drift: Drift
    exploration: FloatArray  # how likely a decision explores, averaged over about the last hundred
    room: Room


def most_kept(budget: int, n_classes: int) -> int:
    """How many cases are kept at the most: the budget, or fewer where classes are so many that P would be too large.

    >>> most_kept(256, 10), most_kept(256, 10_000)
    (256, 80)
    """
    affordable = int((2 * _MOST_NUMBERS / (len(RATES) * n_classes)) ** 0.5) // 8 * 8
    return max(8, min(budget, affordable)) if budget > 8 else budget


def start(layout: Layout, rates: NoiseRates | None, variance: float, budget: int) -> CurvedState:
    """The state before the first row.

    >>> start(Layout(3, 2, "dense", "float64"), None, 100.0, 256).experts.W.shape
    (4, 3, 64)
    """
    K = layout.n_classes
    d = layout.n_features
    experts = new_experts(K, rates, variance)
    state = CurvedState(
        dictionary=new_dictionary(d),
        experts=experts,
        statistics=new_statistics(d, layout.kind, layout.dtype),
        clock=Clock(*(np.zeros(1, np.int64) for _ in Clock._fields)),
        calibration=new_calibration(),
        drift=new_drift(),
        exploration=np.ones(1),
        room=_new_room(d, K, len(experts.share)),
    )
    return resized(state, capacity(state, 1, budget))


def _new_room(d: int, K: int, E: int) -> Room:
    p, s, among = np.zeros((3, K))
    return Room(
        views=new_views(d),
        z=np.zeros((E, K)),
        believed=np.zeros((E, K)),
        p=p,
        inside=np.zeros(E),
        expert=new_beliefs(K),
        s=s,
        Pk=np.zeros((K, 0)),
        open=among,
        told=np.zeros(1, np.int64),
        known=np.zeros(1, np.int64),
    )


def capacity(state: CurvedState, lessons: int, budget: int) -> int:
    """Room for how many cases so many lessons may need: a power of two, up to the budget."""
    kept = int(state.dictionary.size[0])
    needed = max(_FIRST_CAPACITY, 1 << (kept + lessons - 1).bit_length())
    return max(kept, min(budget, needed))


def resized(state: CurvedState, capacity: int) -> CurvedState:
    """With room for so many kept cases."""
    K = len(state.room.p)
    return state._replace(
        dictionary=kept_cases.with_room(state.dictionary, capacity),
        experts=rated.with_room(state.experts, capacity),
        room=state.room._replace(Pk=np.zeros((K, kept_cases.padded(capacity)))),
    )


def schema(layout: Layout, rates: NoiseRates | None, capacity: int) -> CurvedState:
    """What a file may hold of a state with room for so many kept cases."""
    E = len(RATES) if rates is None else 1
    K = layout.n_classes
    d = layout.n_features
    one: Any = room(K, dtype="float64")
    believed: Any = reals(E, K, dtype="float64")
    return CurvedState(
        dictionary=dictionary_schema(d, capacity),
        experts=experts_schema(E, K, capacity),
        statistics=statistics_schema(d, layout.kind),
        clock=Clock(*(whole(1) for _ in Clock._fields)),
        calibration=calibration_schema(),
        drift=drift_schema(),
        exploration=reals(1, dtype="float64"),
        room=Room(
            views=views_schema(d),
            z=believed,
            believed=believed,
            p=reals(K, dtype="float64"),
            inside=room(E, dtype="float64"),
            expert=Beliefs(one, one, one, one, one, one),
            s=one,
            Pk=room(K, kept_cases.padded(capacity), dtype="float64"),
            open=one,
            told=whole(1, high=K - 1),
            known=whole(1, high=BELIEFS),
        ),
    )


def check_state(state: CurvedState) -> None:
    """The bits say something to every expert, and one is awake."""
    experts = state.experts
    for rates in zip(experts.rho_0.tolist(), experts.rho_1.tolist(), strict=True):
        NoiseRates(*rates).checked()
    if not experts.share.any():
        raise FormatError("array share has no expert that is awake")


def forget_row(state: CurvedState) -> CurvedState:
    """Nothing is known of the last row."""
    state.room.known[0] = NOTHING
    return state


def with_own_room(state: CurvedState) -> CurvedState:
    """The state with other room, so that scoring changes nothing."""
    E, K = state.room.z.shape
    own = _new_room(len(state.room.views.a) - 1, K, E)._replace(Pk=state.room.Pk)
    dictionary = state.dictionary
    return state._replace(dictionary=dictionary._replace(k=dictionary.k.copy()), room=own)


def file_arrays(state: CurvedState) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file by name."""
    dictionary, experts, statistics, clock, calibration, drift, exploration, room_ = state
    return {
        **{f"kept-{name}": (array,) for name, array in dictionary._asdict().items()},
        **{name: (array,) for name, array in experts._asdict().items()},
        **{name: (array,) for name, array in statistics._asdict().items()},
        "clock": tuple(clock),
        "line": tuple(calibration),
        "watch": tuple(drift),
        "exploration": (exploration,),
        **{f"view-{name}": (array,) for name, array in room_.views._asdict().items()},
        **{f"expert-{name}": (array,) for name, array in room_.expert._asdict().items()},
        **{f"last-{name}": (getattr(room_, name),) for name in Room._fields if name not in ("views", "expert")},
    }
