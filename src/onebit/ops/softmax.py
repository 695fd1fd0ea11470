"""Probabilities from scores, and a label drawn from them."""

from __future__ import annotations

from math import exp

from onebit.core.types import FloatArray
from onebit.ops.jit import jit
from onebit.ops.random import first_best


@jit
def softmax(scores: FloatArray, alpha: float, out: FloatArray) -> None:
    """out_r = exp(α s_r) / Σ_k exp(α s_k), without overflow.

    >>> import numpy as np
    >>> P = np.zeros(2)
    >>> softmax(np.array([1000.0, 1000.0]), 10.0, P)
    >>> P
    array([0.5, 0.5])
    """
    top = scores[first_best(scores)]
    sum_ = 0.0
    for r in range(out.shape[0]):
        out[r] = exp(alpha * (scores[r] - top))
        sum_ += out[r]
    for r in range(out.shape[0]):
        out[r] /= sum_


@jit
def label_at(P: FloatArray, u: float) -> int:
    """The label that a uniform number u draws from the probabilities P: the inverse of their running sum.

    >>> import numpy as np
    >>> label_at(np.array([0.2, 0.5, 0.3]), 0.6)
    1
    """
    sum_ = 0.0
    for r in range(P.shape[0]):
        sum_ += P[r]
        if u < sum_:
            return r
    return first_best(P)
