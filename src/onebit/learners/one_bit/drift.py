"""Page and Hinkley's test: whether wrong answers have become more frequent than they used to be."""

from __future__ import annotations

from onebit.core.types import FloatArray
from onebit.ops.jit import jit

_FIRST = 50
_ALLOWED = 0.15
_ALARM = 25.0


@jit
def rings(watch: FloatArray, wrong: bool) -> bool:
    """Whether this bit rings the alarm. `watch`: bits so far, wrong ones among them, and the excess of late.

    >>> import numpy as np
    >>> watch = np.zeros(3)
    >>> any(rings(watch, False) for _ in range(1000)), [rings(watch, True) for _ in range(40)].index(True)
    (False, 29)
    """
    watch[0] += 1
    watch[1] += wrong
    if watch[0] > _FIRST and (wrong or watch[2] > 0):
        watch[2] = max(0.0, watch[2] + wrong - watch[1] / watch[0] - _ALLOWED)
    return watch[2] > _ALARM
