"""Weights with a Gaussian belief about them: mean W (K × d), and for every class a covariance P_k.

P is a stack of matrices (K, d, d), or of diagonals (K, d) laid out as W is. A lesson moves the mean along P_k x
and takes from P_k what it has learned in that direction.
"""

from __future__ import annotations

from math import sqrt

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, is_sparse, size, value
from onebit.ops.second_order import quadratic, quadratics, subtract_outer

_LEAST_CHANGE = 1e-3
"""A full covariance is left as it is if a lesson would take a smaller share of it: that costs d² operations."""


@jit
def is_full(P: FloatArray) -> bool:
    """Whether P holds matrices; known when compiling.

    >>> import numpy as np
    >>> is_full(np.zeros((2, 3, 3))), is_full(np.zeros((2, 3)))
    (True, False)
    """
    return bool(P.ndim == 3)


@jit
def spreads(P: FloatArray, row: Row, g: FloatArray, G: FloatArray, s: FloatArray) -> None:
    """s_k = xᵀP_k x for every class with g_k ≠ 0, else 0; leaves G_k = P_k x where P is full.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> s, row = np.zeros(2), DenseRow(np.array([[3.0, 4.0]]), 0, 1.0)
    >>> spreads(np.stack([np.eye(2), np.eye(2)]), row, np.array([0.5, 0.0]), np.zeros((2, 2)), s)
    >>> s
    array([25.,  0.])
    """
    if P.ndim == 3:
        for k in range(P.shape[0]):
            s[k] = quadratic(P[k], row, G[k]) if g[k] != 0 else 0.0
    else:
        quadratics(P, row, G, s)


@jit
def move(W: FloatArray, P: FloatArray, row: Row, steps: FloatArray, shrinks: FloatArray, G: FloatArray) -> None:
    """w_k += step_k P_k x;  P_k -= shrink_k (P_k x)(P_k x)ᵀ.  Where P is full, G_k = P_k x must be there.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> W, P = np.zeros((1, 2)), np.ones((1, 2))
    >>> row = DenseRow(np.array([[1.0, 2.0]]), 0, 1.0)
    >>> move(W, P, row, np.array([0.5]), np.array([0.25]), np.zeros(2))
    >>> W, P
    (array([[0.5, 1. ]]), array([[0.75, 0.  ]]))
    """
    if P.ndim == 3:
        for k in range(P.shape[0]):
            if steps[k] != 0 or shrinks[k] != 0:
                _move_full(W, P[k], k, steps[k], shrinks[k], G[k])
    elif is_sparse(row):
        for i in range(size(row)):
            j = index(row, i)
            x = value(row, i)
            for k in range(W.shape[0]):
                _move_one(W, P, k, j, x, steps[k], shrinks[k])
    else:
        for k in range(W.shape[0]):
            for j in range(W.shape[1]):
                _move_one(W, P, k, j, value(row, j), steps[k], shrinks[k])


@jit
def _move_full(W: FloatArray, P: FloatArray, k: int, step: float, shrink: float, g: FloatArray) -> None:
    d = g.shape[0]
    by = g.dtype.type(step)
    root = g.dtype.type(sqrt(shrink))
    for j in range(d):
        W[k, j] += by * g[j]
    if shrink == 0:
        return
    for j in range(d):
        g[j] *= root
    subtract_outer(P, g)


@jit
def _move_one(W: FloatArray, P: FloatArray, k: int, j: int, x: float, step: float, shrink: float) -> None:
    """One weight, whose variance is P_kj."""
    g = P[k, j] * x
    W[k, j] += P.dtype.type(step) * g
    P[k, j] -= P.dtype.type(shrink) * g * g


@jit
def shrinkage(P: FloatArray, h: float, s: float) -> float:
    """h/(1 + h s): what curvature h takes from P_k; 0 where a full one would change by less than a thousandth.

    >>> import numpy as np
    >>> shrinkage(np.zeros((1, 2)), 0.25, 4.0)
    0.125
    """
    shrink = h / (1 + h * s)
    return 0.0 if is_full(P) and shrink * s < _LEAST_CHANGE else shrink


@jit
def reset(W: FloatArray, P: FloatArray, variance: float) -> None:
    """Back to W = 0 and P_k = variance · I.

    >>> import numpy as np
    >>> W, P = np.ones((1, 2)), np.ones((1, 2, 2))
    >>> reset(W, P, 4.0)
    >>> P
    array([[[4., 0.],
            [0., 4.]]])
    """
    if P.ndim == 3:
        for k in range(W.shape[0]):
            for i in range(W.shape[1]):
                W[k, i] = 0
                for j in range(W.shape[1]):
                    P[k, i, j] = 0
                P[k, i, i] = variance
    else:
        for k in range(W.shape[0]):
            for j in range(W.shape[1]):
                W[k, j] = 0
                P[k, j] = variance
