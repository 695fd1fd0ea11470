"""Second-order parts: inverse covariances, full or diagonal, and their rank-one updates.

A full inverse P = A⁻¹ is a symmetric matrix in C order, so P x is a sum of its rows: contiguous memory for
dense rows, and for sparse ones only the rows of the entries that are there. A diagonal one is an array
V (K, d), laid out as the weights are. A += z zᵀ is P -= v vᵀ/(1+r) with v = P z, r = zᵀv (Sherman and
Morrison); v is scaled first, so that both halves of P get the same bits and P stays symmetric exactly.
"""

from __future__ import annotations

from math import sqrt

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, size, value
from onebit.ops.simd import load, scale_add, store, zeros
from onebit.ops.weights import dot_vector, weighted_norm


@jit
def add_rows(P: FloatArray, first: int, column: int, row: Row, factor: float, out: FloatArray) -> None:
    """out += factor · Σ_j x_j P[first + j], the columns from `column` on, as many as `out` has.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> out = np.zeros(2)
    >>> add_rows(np.eye(4), 2, 2, DenseRow(np.array([[3.0, 4.0]]), 0, 1.0), 2.0, out)
    >>> out
    array([6., 8.])
    """
    n = size(row)
    width = out.shape[0]
    stride = P.shape[1]
    lanes = 64 // out.itemsize
    step = out.dtype.type(factor)
    for j in range(0, width, 2 * lanes):  # two registers of columns share each entry of the row
        left = width - j
        rest = width - j - lanes
        a = load(out, j, left)
        b = load(out, j + lanes, rest)
        for i in range(n):
            at = (first + index(row, i)) * stride + column + j
            x = step * value(row, i)
            a = scale_add(a, x, load(P, at, left))
            b = scale_add(b, x, load(P, at + lanes, rest))
        store(out, j, left, a)
        store(out, j + lanes, rest, b)


@jit
def subtract_outer(P: FloatArray, v: FloatArray) -> None:
    """P -= v vᵀ.

    >>> import numpy as np
    >>> P = np.eye(2)
    >>> subtract_outer(P, np.array([0.5, 0.0]))
    >>> P
    array([[0.75, 0.  ],
           [0.  , 1.  ]])
    """
    n = v.shape[0]
    for i in range(n):
        for j in range(n):
            P[i, j] -= v[i] * v[j]


@jit
def rank_one_downdate(P: FloatArray, v: FloatArray, r: float) -> None:
    """P -= v vᵀ/(1+r), where v = P z and r = zᵀv: the inverse after A += z zᵀ. Scales v by 1/√(1+r).

    >>> import numpy as np
    >>> P, z = np.eye(2), np.array([1.0, 0.0])
    >>> rank_one_downdate(P, z, 1.0)
    >>> P.round(12)
    array([[0.5, 0. ],
           [0. , 1. ]])
    """
    scale = v.dtype.type(1 / sqrt(1 + r))
    for i in range(v.shape[0]):
        v[i] *= scale
    subtract_outer(P, v)


@jit
def quadratic(P: FloatArray, row: Row, g: FloatArray) -> float:
    """xᵀP x, never below 0; leaves g = P x.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> quadratic(2 * np.eye(2), DenseRow(np.array([[3.0, 4.0]]), 0, 1.0), np.zeros(2))
    50.0
    """
    g[:] = 0
    add_rows(P, 0, 0, row, 1.0, g)
    return max(dot_vector(g, row), 0.0)


@jit
def quadratics(P: FloatArray, row: Row, g: FloatArray, out: FloatArray) -> None:
    """out_k = xᵀP_k x for every class: P a stack of matrices (K, d, d), or of diagonals (K, d). g is scratch.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> out, row = np.zeros(2), DenseRow(np.array([[3.0, 4.0]]), 0, 1.0)
    >>> quadratics(np.stack([np.eye(2), 2 * np.eye(2)]), row, np.zeros(2), out)
    >>> out
    array([25., 50.])
    """
    if P.ndim == 3:
        for k in range(P.shape[0]):
            out[k] = quadratic(P[k], row, g)
    elif P.strides[1] == P.itemsize:  # class-major, for dense rows
        for k in range(P.shape[0]):
            out[k] = weighted_norm(P, k, row)
    else:
        _feature_major(P, row, out)


@jit
def _feature_major(V: FloatArray, row: Row, out: FloatArray) -> None:
    """out_k = Σ_j V_kj x_j² for V in Fortran order: the classes in lanes, as in `weights.scores`."""
    K = V.shape[0]
    lanes = 64 // V.itemsize
    for k in range(0, K, 2 * lanes):
        a = zeros(V)
        b = zeros(V)
        for i in range(size(row)):
            entry = index(row, i) * K + k
            x = value(row, i)
            a = scale_add(a, x * x, load(V, entry, K - k))
            b = scale_add(b, x * x, load(V, entry + lanes, K - k - lanes))
        store(out, k, K - k, a)
        store(out, k + lanes, K - k - lanes, b)


@jit
def diagonal_step(V: FloatArray, W: FloatArray, k: int, row: Row, target: float) -> None:
    """A_k += x², θ_k += target · x, for V = 1/A and W = θ/A.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> V, W = np.ones((1, 2)), np.zeros((1, 2))
    >>> diagonal_step(V, W, 0, DenseRow(np.array([[1.0, 2.0]]), 0, 1.0), 1.0)
    >>> V, W
    (array([[0.5, 0.2]]), array([[0.5, 0.4]]))
    """
    one = V.dtype.type(1)
    to = V.dtype.type(target)
    for i in range(size(row)):
        j = index(row, i)
        x = value(row, i)
        v = V[k, j]
        shrink = one / (one + v * x * x)
        W[k, j] = (W[k, j] + to * v * x) * shrink
        V[k, j] = v * shrink


@jit
def least_squares_step(P: FloatArray, W: FloatArray, k: int, row: Row, target: float, g: FloatArray) -> None:
    """Class k's ridge regression takes in one more row: A_k += x xᵀ, w_k += A_k⁻¹ x (target - w_k·x).

    P is a stack of matrices (K, d, d) or of diagonals (K, d), as for `quadratics`. A diagonal one solves
    for each weight alone: A_k += x², w_k = (A_k w_k + target · x)/A_k, old A_k inside.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> P, W = np.eye(2)[None], np.zeros((1, 2))
    >>> least_squares_step(P, W, 0, DenseRow(np.array([[1.0, 0.0]]), 0, 1.0), 1.0, np.zeros(2))
    >>> W
    array([[0.5, 0. ]])
    """
    if P.ndim == 3:
        _full_least_squares_step(P[k], W[k], row, target, g)
    else:
        diagonal_step(P, W, k, row, target)


@jit
def _full_least_squares_step(P: FloatArray, w: FloatArray, row: Row, target: float, g: FloatArray) -> None:
    q = quadratic(P, row, g)
    step = w.dtype.type((target - dot_vector(w, row)) / (1 + q))
    for j in range(w.shape[0]):
        w[j] += step * g[j]
    rank_one_downdate(P, g, q)
