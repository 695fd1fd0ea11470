"""The Gaussian posterior of the weights: one covariance P_k per class, a full matrix or its diagonal."""

from __future__ import annotations

from math import sqrt

from onebit.core.types import FloatArray
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, is_sparse, size, value
from onebit.ops.second_order import quadratic, quadratics


@jit
def spreads(P: FloatArray, x: Row, g: FloatArray, G: FloatArray, s: FloatArray) -> None:
    """s_k = xᵀP_k x for every class whose g_k is not 0; leaves G_k = P_k x if P is full."""
    if P.ndim == 3:
        for k in range(P.shape[0]):
            if g[k] != 0:
                s[k] = quadratic(P[k], x, G[k])
    else:
        quadratics(P, x, G, s)


@jit
def _move(W: FloatArray, P: FloatArray, k: int, j: int, x: float, step: float, shrink: float) -> None:
    g = P[k, j] * x
    W[k, j] += P.dtype.type(step) * g
    P[k, j] -= P.dtype.type(shrink) * g * g


@jit
def move(W: FloatArray, P: FloatArray, x: Row, steps: FloatArray, shrinks: FloatArray, s: FloatArray, G: FloatArray) -> None:
    """w_k += step_k P_k x;  P_k -= shrink_k (P_k x)(P_k x)ᵀ."""
    K, d = W.shape
    if P.ndim == 3:
        for k in range(K):
            if steps[k] != 0:
                Gk = G[k]
                for j in range(d):
                    W[k, j] += W.dtype.type(steps[k]) * Gk[j]
                if shrinks[k] * s[k] >= 1e-3:
                    root = G.dtype.type(sqrt(shrinks[k]))
                    for j in range(d):
                        Gk[j] *= root
                    Pk = P[k]
                    for i in range(d):
                        a = Gk[i]
                        for j in range(d):
                            Pk[i, j] -= a * Gk[j]
    elif is_sparse(x):
        for i in range(size(x)):
            j, v = index(x, i), value(x, i)
            for k in range(K):
                _move(W, P, k, j, v, steps[k], shrinks[k])
    else:
        for k in range(K):
            for j in range(d):
                _move(W, P, k, j, value(x, j), steps[k], shrinks[k])


@jit
def forget(W: FloatArray, P: FloatArray, prior: float) -> None:
    K, d = W.shape
    if P.ndim == 3:
        for k in range(K):
            for i in range(d):
                W[k, i] = 0
                for j in range(d):
                    P[k, i, j] = prior if i == j else 0.0
    else:
        for k in range(K):
            for j in range(d):
                W[k, j] = 0
                P[k, j] = prior


@jit
def is_full(P: FloatArray) -> bool:
    if P.ndim == 3:
        return True
    else:
        return False
