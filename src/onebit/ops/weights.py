"""Weights and a row: scores, products and updates.

A learner keeps one weight per class and feature in arrays of shape (K, d) and writes `W[k, j]`. The
memory behind it fits the rows: class-major (C order) for dense rows, feature-major (Fortran order) for
sparse ones, so that both kinds of row touch contiguous memory.
"""

from __future__ import annotations

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.ops.flat import add_scaled, inner, weighted_squares
from onebit.ops.rows import DenseRow, Row, SparseRow, body, by_row
from onebit.ops.simd import load, load_full, multiply_add, scale_add, store, total, zeros


@by_row
def scores(W: FloatArray, row: Row, out: FloatArray) -> None:
    """out_k = w_k · x for every class k."""
    raise TypeError("only inside compiled code")


@body(scores, "dense")
def _(W: FloatArray, row: DenseRow, out: FloatArray) -> None:
    K, d = W.shape
    lanes = 64 // W.itemsize
    start = row.i * d
    full = d // lanes * lanes
    for first in range(0, K, 3):  # three classes share each load of x; equal weights give equal scores, to the bit
        k = max(0, min(first, K - 3))
        w_a = k * d
        w_b = min(k + 1, K - 1) * d
        w_c = min(k + 2, K - 1) * d
        a = zeros(W)
        b = zeros(W)
        c = zeros(W)
        for j in range(0, full, lanes):
            x = load_full(row.X, start + j)
            a = multiply_add(a, load_full(W, w_a + j), x)
            b = multiply_add(b, load_full(W, w_b + j), x)
            c = multiply_add(c, load_full(W, w_c + j), x)
        if full < d:
            rest = d - full
            x = load(row.X, start + full, rest)
            a = multiply_add(a, load(W, w_a + full, rest), x)
            b = multiply_add(b, load(W, w_b + full, rest), x)
            c = multiply_add(c, load(W, w_c + full, rest), x)
        out[k] = total(a) * row.scale
        out[min(k + 1, K - 1)] = total(b) * row.scale
        out[min(k + 2, K - 1)] = total(c) * row.scale


@body(scores, "sparse")
def _(W: FloatArray, row: SparseRow, out: FloatArray) -> None:
    K = W.shape[0]
    lanes = 64 // W.itemsize
    one = out.dtype.type(1)
    scale = out.dtype.type(row.scale)
    pairs = row.stop - (row.stop - row.start) % 2
    for k in range(0, K, 2 * lanes):  # two registers of classes share each load of an entry
        left = K - k
        rest = K - k - lanes
        a = zeros(W)
        b = zeros(W)
        c = zeros(W)
        e = zeros(W)
        for i in range(row.start, pairs, 2):  # two chains of sums hide each other's latency
            at = np.int64(row.indices[i]) * K + k
            x = row.values[i]
            a = scale_add(a, x, load(W, at, left))
            b = scale_add(b, x, load(W, at + lanes, rest))
            at = np.int64(row.indices[i + 1]) * K + k
            x = row.values[i + 1]
            c = scale_add(c, x, load(W, at, left))
            e = scale_add(e, x, load(W, at + lanes, rest))
        if pairs < row.stop:
            at = np.int64(row.indices[pairs]) * K + k
            x = row.values[pairs]
            a = scale_add(a, x, load(W, at, left))
            b = scale_add(b, x, load(W, at + lanes, rest))
        store(out, k, left, scale_add(zeros(W), scale, scale_add(a, one, c)))
        store(out, k + lanes, rest, scale_add(zeros(W), scale, scale_add(b, one, e)))


@by_row
def dot(W: FloatArray, k: int, row: Row) -> float:
    """w_k · x."""
    raise TypeError("only inside compiled code")


@body(dot, "dense")
def _(W: FloatArray, k: int, row: DenseRow) -> float:
    d = W.shape[1]
    return inner(W, k * d, row.X, row.i * d, d) * row.scale


@body(dot, "sparse")
def _(W: FloatArray, k: int, row: SparseRow) -> float:
    sum_ = 0.0
    for i in range(row.start, row.stop):
        sum_ += W[k, row.indices[i]] * row.values[i]
    return sum_ * row.scale


@by_row
def dot_vector(g: FloatArray, row: Row) -> float:
    """g · x, for a vector g of d numbers (contiguous, if the row is dense)."""
    raise TypeError("only inside compiled code")


@body(dot_vector, "dense")
def _(g: FloatArray, row: DenseRow) -> float:
    return inner(g, 0, row.X, row.i * g.shape[0], g.shape[0]) * row.scale


@body(dot_vector, "sparse")
def _(g: FloatArray, row: SparseRow) -> float:
    sum_ = 0.0
    for i in range(row.start, row.stop):
        sum_ += g[row.indices[i]] * row.values[i]
    return sum_ * row.scale


@by_row
def add_scores(W: FloatArray, row: Row, out: FloatArray) -> None:
    """out_k += w_k · x for every class k."""
    raise TypeError("only inside compiled code")


@body(add_scores, "dense")
def _(W: FloatArray, row: DenseRow, out: FloatArray) -> None:
    for k in range(W.shape[0]):
        out[k] += dot(W, k, row)


@body(add_scores, "sparse")
def _(W: FloatArray, row: SparseRow, out: FloatArray) -> None:
    for i in range(row.start, row.stop):
        x = row.values[i] * W.dtype.type(row.scale)
        for k in range(W.shape[0]):
            out[k] += W[k, row.indices[i]] * x


@by_row
def add(W: FloatArray, k: int, row: Row, factor: float) -> None:
    """w_k += factor · x."""
    raise TypeError("only inside compiled code")


@body(add, "dense")
def _(W: FloatArray, k: int, row: DenseRow, factor: float) -> None:
    d = W.shape[1]
    add_scaled(W, k * d, factor * row.scale, row.X, row.i * d, d)


@body(add, "sparse")
def _(W: FloatArray, k: int, row: SparseRow, factor: float) -> None:
    step = W.dtype.type(factor * row.scale)
    for i in range(row.start, row.stop):
        W[k, row.indices[i]] += step * row.values[i]


@by_row
def add_all(W: FloatArray, factors: FloatArray, row: Row) -> None:
    """w_k += factors_k · x for every class k; the factors are of W's type."""
    raise TypeError("only inside compiled code")


@body(add_all, "dense")
def _(W: FloatArray, factors: FloatArray, row: DenseRow) -> None:
    for k in range(W.shape[0]):
        if factors[k] != 0:
            add(W, k, row, factors[k])


@body(add_all, "sparse")
def _(W: FloatArray, factors: FloatArray, row: SparseRow) -> None:
    K = W.shape[0]
    lanes = 64 // W.itemsize
    one = W.dtype.type(1)
    scale = W.dtype.type(row.scale)
    for k in range(0, K, 2 * lanes):
        left = K - k
        rest = K - k - lanes
        a = scale_add(zeros(W), scale, load(factors, k, left))
        b = scale_add(zeros(W), scale, load(factors, k + lanes, rest))
        for i in range(row.start, row.stop):  # the product is rounded before it is added, as in `add`
            at = np.int64(row.indices[i]) * K + k
            x = row.values[i]
            store(W, at, left, scale_add(load(W, at, left), one, scale_add(zeros(W), x, a)))
            at += lanes
            store(W, at, rest, scale_add(load(W, at, rest), one, scale_add(zeros(W), x, b)))


@by_row
def weighted_norm(V: FloatArray, k: int, row: Row) -> float:
    """Σ_j V_kj x_j²."""
    raise TypeError("only inside compiled code")


@body(weighted_norm, "dense")
def _(V: FloatArray, k: int, row: DenseRow) -> float:
    d = V.shape[1]
    return weighted_squares(V, k * d, row.X, row.i * d, d) * row.scale**2


@body(weighted_norm, "sparse")
def _(V: FloatArray, k: int, row: SparseRow) -> float:
    sum_ = 0.0
    for i in range(row.start, row.stop):
        sum_ += V[k, row.indices[i]] * row.values[i] ** 2
    return sum_ * row.scale**2
