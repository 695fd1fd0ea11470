"""What OneBit keeps, named; and under which names a file keeps it.

Numbers that change are arrays of length 1, so that compiled code can write to them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.one_bit.calibration import Calibration
from onebit.learners.one_bit.drift import Drift
from onebit.learners.one_bit.features import PreparedRow, Statistics
from onebit.learners.one_bit.lies import Lies
from onebit.ops.bit_likelihood import Beliefs


class Hyper(NamedTuple):
    """γ; whether to estimate the flip rates, watch for drift, and bring features to equal standing.

    `among` is on for a lesson about a decision that was drawn among some of the labels; `budget` is how many cases are
    kept of dense rows; `counts` says whether a row that is decided counts in the statistics of the features.
    """

    gamma: float
    estimate: bool
    drift: bool
    standardize: bool
    among: bool
    budget: int
    counts: bool


class Weights(NamedTuple):
    """Gaussian weights, those of the bias last: means W (K × d) and covariances P, (K, d, d) or diagonals (K, d)."""

    W: FloatArray
    P: FloatArray
    prior: FloatArray  # the variance of a weight before the first lesson, if bits are trusted


class WarmUp(NamedTuple):
    """Full covariances that stand in for diagonal ones in the first lessons, and P_r x for them; empty without."""

    P: FloatArray
    Px: FloatArray


class Clock(NamedTuple):
    """Counts: decisions and lessons since the last restart, decisions without an answer yet, restarts."""

    t: IntArray  # those of others count too, when they are learned
    n: IntArray
    waiting: IntArray
    drift_restarts: IntArray
    lie_restarts: IntArray


class Room(NamedTuple):
    """Room for one row at a time, and what is known of the last one decided."""

    row: PreparedRow
    beliefs: Beliefs
    s: FloatArray  # s_r = xᵀP_r x
    Px: FloatArray  # P_r x for every class, if P is full
    optimistic: FloatArray  # p~
    told: IntArray  # a label that is told
    known: IntArray  # of the last decision: NOTHING, BELIEFS (z, p), or SPREADS (s and Px too)


NOTHING = 0
BELIEFS = 1
SPREADS = 2


class State(NamedTuple):
    """All that changes."""

    weights: Weights
    warm_up: WarmUp
    statistics: Statistics  # of the features
    clock: Clock
    lies: Lies
    calibration: Calibration
    drift: Drift
    exploration: FloatArray  # how likely a decision explores, averaged over about the last hundred
    room: Room


def file_arrays(state: State) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file: each is one of the state, or several of length 1 in a row."""
    weights, warm_up, statistics, clock, lies, calibration, drift, exploration, room = state
    return {
        "W": (weights.W,),
        "P": (weights.P,),
        "prior": (weights.prior,),
        "trust": (lies.trust,),
        "t": (clock.t,),
        "n": (clock.n,),
        "waiting": (clock.waiting,),
        "restarts": (clock.drift_restarts, clock.lie_restarts),
        "fresh": (room.known,),
        **{name: (array,) for name, array in statistics._asdict().items()},
        **{name: (array,) for name, array in room.row._asdict().items()},
        **{name: (array,) for name, array in room.beliefs._asdict().items()},
        "s": (room.s,),
        "hope": (room.optimistic,),
        "G": (room.Px,),
        "told": (room.told,),
        "rho": (lies.rho_0, lies.rho_1),
        "evidence": (
            lies.outside,
            lies.false_yes,
            lies.inside,
            lies.false_no,
            lies.explored_outside,
            lies.explored_yes,
        ),
        "lying": (lies.often,),
        "line": tuple(calibration),
        "watch": tuple(drift),
        "odds": (exploration,),
        "F": (warm_up.P,),
        "H": (warm_up.Px,),
    }
