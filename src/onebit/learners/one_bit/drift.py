"""Page and Hinkley's test: whether wrong answers have become more frequent than they used to be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.schema import MOST_COUNTED, reals
from onebit.core.aliases import FloatArray
from onebit.ops.jit import inline, jit

_BITS_BEFORE_TEST = 50
_TOLERATED_RISE = 0.15
_ALARM = 25.0


class Drift(NamedTuple):
    """Bits so far, wrong ones among them, and by how much there were too many of late. Each of length 1."""

    bits: FloatArray
    wrong: FloatArray
    excess: FloatArray


def new_drift() -> Drift:
    """Nothing heard yet.

    >>> new_drift().bits
    array([0.])
    """
    return Drift(bits=np.zeros(1), wrong=np.zeros(1), excess=np.zeros(1))


def drift_schema() -> Drift:
    """What a file may hold of it."""
    count = reals(1, dtype="float64", low=0, high=MOST_COUNTED)
    return Drift(bits=count, wrong=count, excess=count)


@jit
def drifted(drift: Drift, wrong: bool) -> bool:
    """Count one bit; whether wrong ones are now so much more frequent that the world must have changed.

    >>> drift = new_drift()
    >>> any(drifted(drift, False) for _ in range(1000)), [drifted(drift, True) for _ in range(40)].index(True)
    (False, 29)
    """
    drift.bits[0] += 1
    drift.wrong[0] += wrong
    if drift.bits[0] > _BITS_BEFORE_TEST and (wrong or drift.excess[0] > 0):
        rise = drift.excess[0] + wrong - drift.wrong[0] / drift.bits[0] - _TOLERATED_RISE
        drift.excess[0] = max(0.0, rise)
    return drift.excess[0] > _ALARM


@inline
def forget_bits(drift: Drift) -> None:
    """Back to nothing heard."""
    drift.bits[0] = 0
    drift.wrong[0] = 0
    drift.excess[0] = 0
