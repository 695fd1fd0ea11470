"""What OneBit does when classes come and go: the form of its covariances, and where new classes begin."""

from __future__ import annotations

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.one_bit.learn import WARM_UP_LESSONS
from onebit.learners.one_bit.state import NOTHING, State


def in_form(state: State, full: bool, warm: bool) -> State:
    """The state with covariances of this form: full ones become diagonals where they are too many to keep."""
    weights = state.weights
    warm_up = state.warm_up
    room = state.room
    if len(warm_up.P) and not warm:
        if state.clock.n[0] < WARM_UP_LESSONS:
            weights = weights._replace(P=_diagonals(warm_up.P))
        warm_up = warm_up._replace(P=warm_up.P[:0], Px=warm_up.Px[:0])
    if weights.P.ndim == 3 and not full:
        weights = weights._replace(P=_diagonals(weights.P))
        room = room._replace(Px=room.Px[0])
    return state._replace(weights=weights, warm_up=warm_up, room=room)


def _diagonals(P: FloatArray) -> FloatArray:
    return np.diagonal(P, axis1=1, axis2=2)


def begin_classes(state: State, first: int) -> None:
    """The classes from the first one on begin where a restart would leave them; nothing is known of the last row."""
    variance = state.weights.prior[0] * state.lies.trust[0]
    for P in (state.weights.P, state.warm_up.P):
        new = P[first:]
        if P.ndim == 3:
            j = np.arange(P.shape[1])
            new[:, j, j] = variance
        else:
            new[...] = variance
    state.room.known[0] = NOTHING


def restarts(state: State) -> IntArray:
    """How often what was learned has been forgotten, in one number."""
    return state.clock.drift_restarts + state.clock.lie_restarts
