"""Inverses that begin as I/b and lose a rank-one part in every step: few steps cost little.

After n steps P = A⁻¹ = I/b - Σ u uᵀ, with one update vector u for each. While n is below the number d of features,
the vectors are kept, in n rows of length d:

    q = xᵀP x = ‖x‖²/b - ‖U x‖²,   g = P x = x/b - Uᵀ(U x)

The d-th vector turns them into the matrix P, which goes on with P -= u uᵀ. Both live in the same d × d numbers, and
those that no vector has reached are never touched: they cost no time, and on most systems no memory.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.flat import add_scaled, inner
from onebit.ops.jit import jit, noinline
from onebit.ops.rows import DenseRow, Row, SparseRow, body, by_row, index, size, squared_norm, value
from onebit.ops.second_order import add_rows, fit_row, largest_form, quadratic, sound_form, subtract_outer
from onebit.ops.simd import load, load_full, multiply_add, scale_add, store, total, zeros
from onebit.ops.weights import dot, scores


class Inverses(NamedTuple):
    """P_k = A_k⁻¹ for every class k, A_k = bI at first, and room to work.

    `n` counts the steps of each class, up to d. As long as n_k < d, the first n_k rows of U_k (d × d) are update
    vectors; then U_k is P_k itself, all of it. `z` (1 × d) is room for U x, and `T` (d × d) for the change of form.
    """

    U: FloatArray
    n: IntArray
    z: FloatArray
    T: FloatArray
    b: float


@jit
def quadratic_form(P: Inverses, k: int, row: Row, norm: float) -> float:
    """q = xᵀP_k x, where norm = ‖x‖²; never outside 0 .. ‖x‖²/b.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> U, z, T = np.zeros((1, 2, 2)), np.zeros((1, 2)), np.zeros((2, 2))
    >>> U[0, 0] = 0.5, 0.0
    >>> P, row = Inverses(U, np.array([1]), z, T, 2.0), DenseRow(np.array([[1.0, 1.0]]), 0, 1.0)
    >>> quadratic_form(P, 0, row, 2.0)
    0.75
    """
    n = P.n[k]
    d = P.U.shape[1]
    most = norm / P.b
    if n == d:  # by now a matrix
        return min(max(symmetric_form(P.U, k, row), 0.0), most)
    dot_vectors(P.U, k, n, row, P.z)
    return max(most - inner(P.z, 0, P.z, 0, n), 0.0)


@jit
def inverse_times_row(P: Inverses, k: int, row: Row, norm: float, g: FloatArray) -> float:
    """q = xᵀP_k x, as `quadratic_form` has it, where norm = ‖x‖²; leaves g = P_k x.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> U, z, T, g = np.zeros((1, 2, 2)), np.zeros((1, 2)), np.zeros((2, 2)), np.zeros(2)
    >>> U[0, 0] = 0.5, 0.0
    >>> P, row = Inverses(U, np.array([1]), z, T, 2.0), DenseRow(np.array([[1.0, 1.0]]), 0, 1.0)
    >>> inverse_times_row(P, 0, row, 2.0, g), g
    (0.75, array([0.25, 0.5 ]))
    """
    n = P.n[k]
    d = P.U.shape[1]
    if n == d:
        return min(quadratic(P.U[k], row, g), norm / P.b)
    # g = x/b - Uᵀ(U x), where U x stands in z.
    q = quadratic_form(P, k, row, norm)
    g[:] = 0
    add_rows(P.U[k], 0, 0, DenseRow(P.z[:, :n], 0, 1.0), -1.0, g)
    for i in range(size(row)):
        g[index(row, i)] += value(row, i) / g.dtype.type(P.b)
    return q


@jit
def sound_inverse_times_row(
    P: Inverses, k: int, row: Row, g: FloatArray, W: FloatArray, classes: tuple[int, int]
) -> float:
    """`inverse_times_row` for a row of any scale, after which P_k -= g gᵀ/(1+q) stays positive definite.

    Where it would not, q is larger (see `sound_form`), and P_k and the weights of these classes are brought to the
    row's scale. A row with ‖x‖² ≤ b needs none of it: its step leaves at least half of what P_k holds in any direction.

    >>> import numpy as np
    >>> from onebit.ops.rows import DenseRow
    >>> U, z, T, g, W = np.zeros((1, 2, 2)), np.zeros((1, 2)), np.zeros((2, 2)), np.zeros(2), np.zeros((1, 2))
    >>> P, row = Inverses(U, np.array([0]), z, T, 2.0), DenseRow(np.array([[1.0, 1.0]]), 0, 1.0)
    >>> sound_inverse_times_row(P, 0, row, g, W, (0, 1))
    1.0
    """
    norm = squared_norm(row)
    if norm > P.b:
        return _large_row(P, k, row, norm, g, W, classes)
    return inverse_times_row(P, k, row, norm, g)


@noinline
def _large_row(
    P: Inverses, k: int, row: Row, norm: float, g: FloatArray, W: FloatArray, classes: tuple[int, int]
) -> float:
    """The same for a row with ‖x‖² > b; vectors of which too few digits would be left become a matrix early."""
    d = P.U.shape[1]
    bound = norm / P.b
    if bound > largest_form(P.U):
        if P.n[k] < d:
            to_matrix(P.U, k, P.b, P.T)
            P.n[k] = d
        bound = fit_row(P.U[k], W, classes, row, g, 1 / P.b)
    q = inverse_times_row(P, k, row, norm, g)
    return sound_form(P.U[k], g, q, bound) if P.n[k] == d else q


@jit
def downdate_inverse(P: Inverses, k: int, g: FloatArray, factor: float) -> None:
    """P_k -= factor · g gᵀ. Scales g by √factor, which makes it the update vector.

    >>> import numpy as np
    >>> U, n, z, T = np.zeros((1, 2, 2)), np.array([0]), np.zeros((1, 2)), np.zeros((2, 2))
    >>> P = Inverses(U, n, z, T, 2.0)
    >>> downdate_inverse(P, 0, np.array([0.5, 0.0]), 1.0)
    >>> U[0, 0], n
    (array([0.5, 0. ]), array([1]))
    >>> downdate_inverse(P, 0, np.array([0.0, 0.5]), 1.0)
    >>> U[0]
    array([[0.25, 0.  ],
           [0.  , 0.25]])
    """
    d = g.shape[0]
    n = P.n[k]
    root = g.dtype.type(sqrt(factor))
    for j in range(d):
        g[j] *= root
    if n == d:
        subtract_outer(P.U[k], g)
        return
    # One vector more; the d-th turns them all into a matrix.
    for j in range(d):
        P.U[k, n, j] = g[j]
    P.n[k] = n + 1
    if n + 1 == d:
        to_matrix(P.U, k, P.b, P.T)


@noinline
def to_matrix(U: FloatArray, k: int, b: float, T: FloatArray) -> None:
    """U_k = I/b - U_kᵀU_k, by way of T; symmetric to the last bit.

    >>> import numpy as np
    >>> U = np.array([[[0.5, 0.0], [0.0, 0.0]]])
    >>> to_matrix(U, 0, 2.0, np.zeros((2, 2)))
    >>> U
    array([[[0.25, 0.  ],
            [0.  , 0.5 ]]])
    """
    d = T.shape[0]
    lanes = 64 // T.itemsize
    first = k * d * d
    # T = -U_kᵀU_k, two registers of columns at a time.
    for j in range(0, d, 2 * lanes):
        left = d - j
        rest = d - j - lanes
        for i in range(d):
            a = zeros(T)
            b_ = zeros(T)
            for r in range(d):
                at = first + r * d + j
                u = -U[k, r, i]
                a = scale_add(a, u, load(U, at, left))
                b_ = scale_add(b_, u, load(U, at + lanes, rest))
            store(T, i * d + j, left, a)
            store(T, i * d + j + lanes, rest, b_)
    # U_k = T + I/b.
    for i in range(d):
        for j in range(d):
            U[k, i, j] = T[i, j]
        U[k, i, i] += U.dtype.type(1 / b)


@by_row
def dot_vectors(U: FloatArray, k: int, n: int, row: Row, z: FloatArray) -> None:
    """z = U x for the first n rows of U_k."""
    raise TypeError("only inside compiled code")


@body(dot_vectors, "dense")
def _(U: FloatArray, k: int, n: int, row: DenseRow, z: FloatArray) -> None:
    scores(U[k, :n], row, z[0])


@body(dot_vectors, "sparse")
def _(U: FloatArray, k: int, n: int, row: SparseRow, z: FloatArray) -> None:
    for r in range(n):
        z[0, r] = dot(U[k], r, row)


@by_row
def symmetric_form(P: FloatArray, k: int, row: Row) -> float:
    """xᵀP_k x for a stack of symmetric matrices: half of P_k is read, and what lies below the diagonal counts twice."""
    raise TypeError("only inside compiled code")


@body(symmetric_form, "dense")
def _(P: FloatArray, k: int, row: DenseRow) -> float:
    d = P.shape[1]
    lanes = 64 // P.itemsize
    x = row.i * P.shape[1]
    once = zeros(P)
    twice = zeros(P)
    for j in range(0, d, 2 * lanes):  # two registers of columns share each entry of the row
        left = d - j
        rest = d - j - lanes
        below = min(j + 2 * lanes, d)
        x_a = load(row.X, x + j, left)
        x_b = load(row.X, x + j + lanes, rest)
        at = (k * d + j) * d + j
        # The square on the diagonal counts once.
        a = zeros(P)
        b = zeros(P)
        for i in range(j, below):
            a = scale_add(a, row.X[row.i, i], load(P, at, left))
            b = scale_add(b, row.X[row.i, i], load(P, at + lanes, rest))
            at += d
        once = multiply_add(multiply_add(once, a, x_a), b, x_b)
        # What lies below it stands for its mirror image too.
        a = zeros(P)
        b = zeros(P)
        for i in range(below, d):
            a = scale_add(a, row.X[row.i, i], load_full(P, at))
            b = scale_add(b, row.X[row.i, i], load_full(P, at + lanes))
            at += d
        twice = multiply_add(multiply_add(twice, a, x_a), b, x_b)
    return (total(once) + 2 * total(twice)) * row.scale**2


@body(symmetric_form, "sparse")
def _(P: FloatArray, k: int, row: SparseRow) -> float:
    sum_ = 0.0
    for s in range(row.start, row.stop):
        i = row.indices[s]
        below = 0.0
        for t in range(row.start, s):
            below += P[k, i, row.indices[t]] * row.values[t]
        sum_ += (2 * below + P[k, i, i] * row.values[s]) * row.values[s]
    return sum_ * row.scale**2


@jit
def add_outer(W: FloatArray, steps: FloatArray, g: FloatArray) -> None:
    """W += steps gᵀ, in the order of W's memory.

    >>> import numpy as np
    >>> W = np.zeros((2, 2))
    >>> add_outer(W, np.array([1.0, -2.0]), np.array([0.5, 1.0]))
    >>> W
    array([[ 0.5,  1. ],
           [-1. , -2. ]])
    """
    K, d = W.shape
    if W.strides[1] == W.itemsize:
        for k in range(K):
            add_scaled(W, k * d, steps[k], g, 0, d)
    else:
        for j in range(d):
            for k in range(K):
                W[k, j] += steps[k] * g[j]
