"""What OneBit keeps for raw cases.

No single prior variance serves both a table of mixed columns, where most of what recurs is chance, and sentences with a
hundred labels. So there are several members. Each has weights of its own; what the lessons have told about each weight,
Σ h x², they share, so the variance of a member's weight is 1/(1/(v κ²) + Σ h x²).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.layout import Layout
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import ConfigError
from onebit.learners.one_bit.bank.kept import Kept, kept_schema, with_own_room
from onebit.learners.one_bit.calibration import Calibration, calibration_schema, new_calibration
from onebit.learners.one_bit.drift import Drift, drift_schema, new_drift
from onebit.learners.one_bit.features import (
    PreparedRow,
    Statistics,
    new_prepared_row,
    new_statistics,
    prepared_row_schema,
    statistics_schema,
)
from onebit.learners.one_bit.lies import Lies, lies_schema
from onebit.learners.one_bit.state import BELIEFS, NOTHING, Clock
from onebit.ops.bit_likelihood import Beliefs, new_beliefs
from onebit.ops.jit import jit

VARIANCES = (0.3, 5.0, 300.0)
"""Prior variances of the members' weights, each times the number of classes."""

_HANDICAPS = (20.0, 10.0, 0.0)
"""How much evidence a tighter prior needs before it counts as much as the widest: what is fast to learn goes first."""

CURVED = 1
"""The number of the member that keeps cases, where one does: beside its weights, which have the tightest prior."""

_CURVED_HANDICAP = 10.0

_LARGEST = 8 * 2**30
_PRECISION = "float32"


class Bank(NamedTuple):
    """The members: weights (K, B, d), those of the bias last; what is known of the weights (K, d); and the evidence."""

    W: FloatArray
    information: FloatArray  # Σ h x²
    variance: FloatArray  # v, the prior variance of each member's weights
    handicap: FloatArray
    evidence: FloatArray  # how well each foretold the answers, with forgetting: 0 or less
    share: FloatArray  # of each in the mixture; 0 for one that is too far behind, until a restart


class Room(NamedTuple):
    """Room for one row at a time, and what is known of the last one decided."""

    row: PreparedRow
    z: FloatArray  # the scores of each member (B, K)
    p: FloatArray  # what they believe together (K)
    open: FloatArray  # the same, among the open labels
    member: Beliefs  # of one member in its step
    s: FloatArray  # xᵀP_r x
    h: FloatArray  # curvature, over all members
    told: IntArray  # a label that is told
    known: IntArray  # of the last decision: NOTHING, or BELIEFS


class BankState(NamedTuple):
    """All that changes."""

    bank: Bank
    kept: Kept  # of one member; without room where none keeps cases
    statistics: Statistics  # of the features
    clock: Clock
    lies: Lies
    calibration: Calibration
    drift: Drift
    exploration: FloatArray  # how likely a decision explores, averaged over about the last hundred
    room: Room


def new_bank(layout: Layout, variances: Sequence[float], curved: bool = False) -> Bank:
    """A bank for rows of so many columns, with one more for the bias; `curved`, whether a member more keeps cases.

    >>> new_bank(Layout(2, 3, "sparse", "float64"), [1.0, 9.0]).W.shape
    (2, 2, 4)
    """
    K = layout.n_classes
    handicaps = _HANDICAPS if len(variances) == len(_HANDICAPS) else (0.0,) * len(variances)
    if curved:
        variances = [*variances[:CURVED], variances[0], *variances[CURVED:]]
        handicaps = (*handicaps[:CURVED], _CURVED_HANDICAP, *handicaps[CURVED:])
    B = len(variances)
    d = layout.n_features + 1
    needed = (B + 1) * K * d * np.dtype(_PRECISION).itemsize
    if needed > _LARGEST:
        raise ConfigError(
            f"cases: weights for {layout.n_features:,} columns and {K} classes would take {needed / 2**30:.0f} GiB; "
            "give cases=onebit.Cases(hash=2**16), or leave out columns with ignore=[...]"
        )
    bank = Bank(
        W=np.zeros((d, B, K), _PRECISION).transpose(2, 1, 0),
        information=np.zeros((d, K), _PRECISION).T,
        variance=np.array(variances, np.float64),
        handicap=np.array(handicaps),
        evidence=np.zeros(B),
        share=np.zeros(B),
    )
    begin_shares(bank)
    return bank


def bank_schema(K: int, B: int, d: int) -> Bank:
    """What a file may hold of a bank."""
    return Bank(
        W=reals(K, B, d, dtype=_PRECISION),
        information=reals(K, d, low=0, dtype=_PRECISION),
        variance=reals(B, low=1e-300, dtype="float64"),
        handicap=reals(B, low=0, dtype="float64"),
        evidence=reals(B, high=0, dtype="float64"),
        share=reals(B, low=0, high=1, dtype="float64"),
    )


def new_room(row: PreparedRow, K: int, B: int) -> Room:
    """Room for rows of this width.

    >>> from onebit.learners.one_bit.features import new_prepared_row
    >>> new_room(new_prepared_row(4, "sparse", "float64"), 3, 2).z.shape
    (2, 3)
    """
    p, among, s, h = np.zeros((4, K))
    return Room(
        row=row,
        z=np.zeros((B, K)),
        p=p,
        open=among,
        member=new_beliefs(K),
        s=s,
        h=h,
        told=np.zeros(1, np.int64),
        known=np.zeros(1, np.int64),
    )


def room_schema(row: PreparedRow, K: int, B: int, told: Any, known: Any) -> Room:
    """What a file may hold of the room; scores and beliefs are read for as long as the last row is known."""
    one: Any = room(K, dtype="float64")
    believed: Any = reals(K, dtype="float64")
    member = Beliefs(one, one, one, one, one, one)
    return Room(row, reals(B, K, dtype="float64"), believed, one, member, one, one, told, known)


@jit
def begin_shares(bank: Bank) -> None:
    """Nothing is heard yet: the widest prior has most of the mixture.

    >>> bank = new_bank(Layout(2, 3, "sparse", "float64"), VARIANCES)
    >>> bool(bank.share[2] > 0.99)
    True
    """
    sum_ = 0.0
    for b in range(bank.share.shape[0]):
        bank.evidence[b] = 0.0
        bank.share[b] = np.exp(-bank.handicap[b])
        sum_ += bank.share[b]
    for b in range(bank.share.shape[0]):
        bank.share[b] /= sum_


def start(layout: Layout, variances: Sequence[float], lies: Lies, kept: Kept) -> BankState:
    """The state before the first case; one member more keeps cases if there is room for any.

    >>> from onebit.learners.one_bit.bank.kept import new_kept
    >>> from onebit.learners.one_bit.lies import new_lies
    >>> nothing_kept = new_kept(2, 100.0, 0)
    >>> start(Layout(2, 3, "sparse", "float64"), [1.0, 9.0], new_lies(None), nothing_kept).bank.information.shape
    (2, 4)
    """
    K = layout.n_classes
    row = new_prepared_row(layout.n_features, layout.kind, layout.dtype)
    bank = new_bank(layout, variances, len(kept.lesson) > 0)
    return BankState(
        bank=bank,
        kept=kept,
        statistics=new_statistics(layout.n_features, layout.kind, layout.dtype),
        clock=Clock(*(np.zeros(1, np.int64) for _ in Clock._fields)),
        lies=lies,
        calibration=new_calibration(),
        drift=new_drift(),
        exploration=np.ones(1),
        room=new_room(row, K, len(bank.share)),
    )


def schema(layout: Layout, n_members: int, capacity: int) -> BankState:
    """What a file may hold of a state with room for so many kept cases."""
    K = layout.n_classes
    row = prepared_row_schema(layout.n_features, layout.kind)
    return BankState(
        bank=bank_schema(K, n_members, layout.n_features + 1),
        kept=kept_schema(K, capacity),
        statistics=statistics_schema(layout.n_features, layout.kind),
        clock=Clock(*(whole(1) for _ in Clock._fields)),
        lies=lies_schema(),
        calibration=calibration_schema(),
        drift=drift_schema(),
        exploration=reals(1, dtype="float64"),
        room=room_schema(row, K, n_members, whole(1, high=K - 1), whole(1, high=BELIEFS)),
    )


def move_bias(state: BankState, before: int) -> None:
    """After a state has grown, the bias is the last column again; what stood there `before` is new."""
    for array in (state.bank.W, state.bank.information):
        array[..., -1] = array[..., before]
        array[..., before] = 0
    state.room.known[0] = NOTHING  # what is known of the last row has the bias in its old place


def forget_row(state: BankState) -> BankState:
    """Nothing is known of the last row."""
    state.room.known[0] = NOTHING
    return state


def with_other_room(state: BankState, dtype: str) -> BankState:
    """The state with other room, so that scoring changes nothing."""
    B, K = state.room.z.shape
    row = new_prepared_row(state.bank.W.shape[2] - 1, "sparse", dtype)
    return state._replace(room=new_room(row, K, B), kept=with_own_room(state.kept))


def leading(state: BankState, columns: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """The weights for these columns of the member that has most of the mixture, and their variances: (K, columns)."""
    bank = state.bank
    b = int(np.argmax(bank.share))
    tightness = 1 / (bank.variance[b] * state.lies.trust[0])
    W = bank.W[:, b, columns].astype(np.float64)
    return W, 1 / (tightness + bank.information[:, columns].astype(np.float64))


def file_arrays(state: BankState) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file by name."""
    bank, kept, statistics, clock, lies, calibration, drift, exploration, room_ = state
    return {
        **{name: (array,) for name, array in bank._asdict().items()},
        **{f"kept-{name}": (array,) for name, array in kept._asdict().items()},
        **{name: (array,) for name, array in statistics._asdict().items()},
        "clock": tuple(clock),
        "rates": (lies.rho_0, lies.rho_1, lies.trust),
        "often": (lies.often,),
        "lies": tuple(lies[4:]),
        "line": tuple(calibration),
        "watch": tuple(drift),
        "exploration": (exploration,),
        **{f"row-{name}": (array,) for name, array in room_.row._asdict().items()},
        **{f"member-{name}": (array,) for name, array in room_.member._asdict().items()},
        **{f"last-{name}": (getattr(room_, name),) for name in ("z", "p", "open", "s", "h", "told", "known")},
    }
