"""Probabilities from scores, and a label drawn from them."""

from __future__ import annotations

from onebit.core.types import FloatArray
from onebit.ops.jit import jit
from onebit.ops.random import first_best
from onebit.ops.simd import exponential, load, scale_add, store, total, zeros

_LEAST = -708.0


@jit
def softmax(scores: FloatArray, alpha: float, out: FloatArray) -> None:
    """out_r = exp(α s_r) / Σ_k exp(α s_k), without overflow; `out` is of doubles.

    >>> import numpy as np
    >>> P = np.zeros(2)
    >>> softmax(np.array([1000.0, 1000.0]), 10.0, P)
    >>> P
    array([0.5, 0.5])
    """
    K, top = out.shape[0], scores[0]
    for r in range(1, K):
        top = max(top, scores[r])
    for r in range(K):
        out[r] = max(alpha * (scores[r] - top), _LEAST)
    sum_ = zeros(out)
    for r in range(0, K, 8):
        store(out, r, K - r, exponential(load(out, r, K - r)))
        sum_ = scale_add(sum_, 1.0, load(out, r, K - r))
    share = 1 / total(sum_)
    for r in range(K):
        out[r] *= share


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
