"""Second-order parts: inverse covariances, full or diagonal, and their rank-one updates.

A full inverse P = A⁻¹ is a symmetric matrix in C order, so P x is a sum of its rows: contiguous memory for
dense rows, and for sparse ones only the rows of the entries that are there. A diagonal one is an array
V (K, d), laid out as the weights are. A += z zᵀ is P -= v vᵀ/(1+r) with v = P z, r = zᵀv (Sherman and
Morrison); v is scaled first, so that both halves of P get the same bits and P stays symmetric exactly.

The step takes 1+r of what P holds along z, and with it as many digits: `sound_form` says what r a matrix can bear, and
keeps it positive definite for rows of any scale (docs/decisions/0018 has the reasons).
"""

from __future__ import annotations

from math import sqrt

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit, noinline
from onebit.ops.rows import Row, index, size, value
from onebit.ops.simd import load, scale_add, store, zeros
from onebit.ops.weights import dot, dot_vector, weighted_norm

PASS_OVER = 1e300
"""An r so large that the step comes to nothing."""


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
def largest_form(P: FloatArray) -> float:
    """The largest r = zᵀP z for which a step leaves half of the digits; known when compiling.

    >>> import numpy as np
    >>> largest_form(np.eye(2)), largest_form(np.eye(2, dtype="float32"))
    (134217728.0, 8192.0)
    """
    return 2.0**27 if P.itemsize == 8 else 2.0**13


@noinline
def sound_form(P: FloatArray, v: FloatArray, r: float, bound: float) -> float:
    """r for a step along z, where v = P z and r = zᵀv: larger where P cannot bear it, as if the row were noisier.

    `bound` is (Σ|z_j| √P_jj)², which r cannot exceed; it is asked for only where r is beyond `largest_form`. There a
    step leaves at least bound/`largest_form` along z, half of the digits that P can hold. A step that rounding has left
    without meaning is passed over: r ≤ 0, or a v by which an entry of P's diagonal would fall below 0.

    >>> import numpy as np
    >>> sound_form(np.eye(2), np.array([2.0, 0.0]), 4.0, 4.0)
    4.0
    >>> sound_form(np.eye(2), np.array([2.0, 0.0]), 1.0, 4.0) == PASS_OVER
    True
    """
    if not r > 0:
        return PASS_OVER
    if r > largest_form(P):
        least = bound / largest_form(P)
        if r <= 2 * least:
            return PASS_OVER
        r += least / (1 - least / r) - 1
    below = 0
    for i in range(v.shape[0]):
        below += v[i] * v[i] > P[i, i] * (1 + r)
    return r if below == 0 else PASS_OVER


@noinline
def fit_prior(
    P: FloatArray,
    first: int,
    W: FloatArray,
    classes: tuple[int, int],
    row: Row,
    factor: float,
    prior: float,
    entries: int,
) -> None:
    """Other units for columns of which P, from `first` on, holds its prior, and for which the row is far too large.

    z = factor · x has so many `entries`; where P_jj > prior/2 and z_j² P_jj is beyond its share of `largest_form`, P_jj
    is brought down to that, and the weights of these classes with it: S P S and S w, with a diagonal S. So P stays
    positive definite as it was, to the last digit.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> P, W = np.eye(2), np.zeros((1, 2))
    >>> fit_prior(P, 0, W, (0, 1), DenseRow(np.array([[1e9, 1.0]]), 0, 1.0), 1.0, 1.0, 1)
    >>> bool(abs(P[0, 0] * 1e18 / largest_form(P) - 1) < 1e-12), float(P[1, 1])
    (True, 1.0)
    """
    share = largest_form(P) / entries**2
    for i in range(size(row)):
        j = first + index(row, i)
        spread = abs(factor * value(row, i)) * sqrt(max(P[j, j], 0.0))
        if P[j, j] > prior / 2 and spread * spread > share:
            scale = P.dtype.type(sqrt(share) / spread)
            for k in range(P.shape[0]):
                P[j, k] *= scale
            for k in range(P.shape[0]):
                P[k, j] *= scale
            for k in range(classes[0], classes[1]):
                W[k, index(row, i)] *= scale


@jit
def spread_bound(P: FloatArray, first: int, row: Row, factor: float) -> float:
    """Σ |z_j| √P_jj for z = factor · x, from `first` on: no less than √(zᵀP z) if P is positive.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> spread_bound(4 * np.eye(2), 0, DenseRow(np.array([[3.0, -4.0]]), 0, 1.0), 1.0)
    14.0
    """
    sum_ = 0.0
    for i in range(size(row)):
        j = first + index(row, i)
        sum_ += abs(factor * value(row, i)) * sqrt(max(P[j, j], 0.0))
    return sum_


@jit
def fit_row(P: FloatArray, W: FloatArray, classes: tuple[int, int], row: Row, g: FloatArray, prior: float) -> float:
    """Makes P, which began as prior · I, and the weights of these classes fit for a row of any scale; g is scratch.

    Gives the bound on xᵀP x for `sound_form`.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> P, W = np.eye(2), np.zeros((1, 2))
    >>> bound = fit_row(P, W, (0, 1), DenseRow(np.array([[1e9, 1.0]]), 0, 1.0), np.zeros(2), 1.0)
    >>> bool(bound <= 2 * largest_form(P))
    True
    """
    if quadratic(P, row, g) > largest_form(P):
        fit_prior(P, 0, W, classes, row, 1.0, prior, size(row))
    return float(spread_bound(P, 0, row, 1.0) ** 2)


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
    """w_k += V_k x (target - w_k·x)/(1 + xᵀV_k x), then A_k += x², for V = 1/A: the step of a matrix without its rest.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> V, W = np.ones((1, 2)), np.zeros((1, 2))
    >>> diagonal_step(V, W, 0, DenseRow(np.array([[1.0, 2.0]]), 0, 1.0), 1.0)
    >>> V, W.round(3)
    (array([[0.5, 0.2]]), array([[0.167, 0.333]]))
    """
    one = V.dtype.type(1)
    step = V.dtype.type((target - dot(W, k, row)) / (1 + weighted_norm(V, k, row)))
    for i in range(size(row)):
        j = index(row, i)
        x = value(row, i)
        v = V[k, j]
        W[k, j] += step * v * x
        V[k, j] = v / (one + v * x * x)


@jit
def least_squares_step(
    P: FloatArray, W: FloatArray, k: int, row: Row, target: float, g: FloatArray, prior: float
) -> None:
    """Class k's ridge regression takes in one more row: A_k += x xᵀ, w_k += A_k⁻¹ x (target - w_k·x).

    P is a stack of matrices (K, d, d) or of diagonals (K, d), as for `quadratics`; it began as prior · I. A diagonal
    one takes the same step, and keeps of A_k no more than its diagonal.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> P, W = np.eye(2)[None], np.zeros((1, 2))
    >>> least_squares_step(P, W, 0, DenseRow(np.array([[1.0, 0.0]]), 0, 1.0), 1.0, np.zeros(2), 1.0)
    >>> W
    array([[0.5, 0. ]])
    """
    if P.ndim == 3:
        _full_least_squares_step(P[k], W, k, row, target, g, prior)
    else:
        diagonal_step(P, W, k, row, target)


@jit
def _full_least_squares_step(
    P: FloatArray, W: FloatArray, k: int, row: Row, target: float, g: FloatArray, prior: float
) -> None:
    q = quadratic(P, row, g)
    bound = q
    if q > largest_form(P):
        bound = fit_row(P, W, (k, k + 1), row, g, prior)
        q = quadratic(P, row, g)
    q = sound_form(P, g, q, bound)
    w = W[k]
    step = w.dtype.type((target - dot_vector(w, row)) / (1 + q))
    for j in range(w.shape[0]):
        w[j] += step * g[j]
    rank_one_downdate(P, g, q)
