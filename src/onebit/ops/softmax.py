"""Probabilities from scores, and a label drawn from them."""

from __future__ import annotations

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit
from onebit.ops.random import first_best
from onebit.ops.simd import DOUBLES, exponential, largest, load_doubles, scale_add, store, total, zeros


@jit
def softmax(scores: FloatArray, alpha: float, out: FloatArray) -> None:
    """out_r = exp(α s_r) / Σ_k exp(α s_k), without overflow; `out` is of doubles.

    >>> import numpy as np
    >>> P = np.zeros(2)
    >>> softmax(np.array([1000.0, 1000.0]), 10.0, P)
    >>> P
    array([0.5, 0.5])
    """
    K = out.shape[0]
    in_registers = 2 * DOUBLES
    # The largest score; the first two registers of scores stay where they are.
    a = load_doubles(scores, 0, K)
    b = load_doubles(scores, DOUBLES, K - DOUBLES)
    top = max(largest(a, K), largest(b, K - DOUBLES))
    for r in range(in_registers, K, DOUBLES):
        top = max(top, largest(load_doubles(scores, r, K - r), K - r))
    # The exponentials and their sum.
    a = exponential(a, top, alpha, K)
    b = exponential(b, top, alpha, K - DOUBLES)
    sum_ = total(a) + total(b)
    for r in range(in_registers, K, DOUBLES):
        e = exponential(load_doubles(scores, r, K - r), top, alpha, K - r)
        store(out, r, K - r, e)
        sum_ += total(e)
    # Each as a share of the sum.
    share = 1 / sum_
    store(out, 0, K, scale_add(zeros(out), share, a))
    store(out, DOUBLES, K - DOUBLES, scale_add(zeros(out), share, b))
    for r in range(in_registers, K):
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
