"""Rows, dense or sparse, and what learners do with them.

A learner keeps one weight per class and feature in arrays of shape (K, d) and writes `W[k, j]`. The
memory behind it fits the rows: class-major (C order) for dense rows, feature-major (Fortran order) for
sparse ones, so that both kinds of row touch contiguous memory. Which of the two code paths is taken is
settled at compile time, by the type of the row.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from onebit.core.types import FloatArray, IntArray
from onebit.ops.flat import add_scaled, inner, weighted_squares
from onebit.ops.jit import PART_OPTIONS, jit
from onebit.ops.simd import load, load_full, multiply_add, scale_add, store, total, zeros

F = TypeVar("F", bound=Callable[..., Any])


class DenseRow(NamedTuple):
    """Row i of a table, times `scale`."""

    X: FloatArray
    i: int
    scale: float


class SparseRow(NamedTuple):
    """The entries start .. stop-1 of a sparse table, times `scale`."""

    indices: NDArray[np.uint32]
    values: FloatArray
    start: int
    stop: int
    scale: float


class DenseRows(NamedTuple):
    """A table of rows: (n, d), C order."""

    X: FloatArray


class SparseRows(NamedTuple):
    """A table of sparse rows, as in CSR. Indices are unsigned: nothing to wrap around."""

    indptr: IntArray
    indices: NDArray[np.uint32]
    values: FloatArray


Row = DenseRow | SparseRow
Rows = DenseRows | SparseRows


def by_row(stub: F) -> F:
    """Decorator: a function with a dense and a sparse body, chosen by the type of its row or rows."""
    variants: dict[str, Callable[..., Any]] = {}

    def choose(*types: Any) -> Callable[..., Any]:
        kinds = {getattr(t, "instance_class", None) for t in types}
        return variants["dense" if kinds & {DenseRow, DenseRows} else "sparse"]

    overload(stub, jit_options=PART_OPTIONS, strict=False)(choose)
    stub.variants, stub.options = variants, PART_OPTIONS  # type: ignore[attr-defined]  # for the cache of compiled code
    return stub


def body(stub: Callable[..., Any], kind: str) -> Callable[[F], F]:
    """Decorator: the body of `stub` for one kind of row."""

    def keep(function: F) -> F:
        stub.variants[kind] = function  # type: ignore[attr-defined]
        return function

    return keep


@by_row
def row_at(rows: Rows, i: int, normalize: bool) -> Row:
    """Row i of a table, scaled to unit norm if asked (a row of zeros stays one)."""
    raise TypeError("only inside compiled code")


@body(row_at, "dense")
def _(rows: DenseRows, i: int, normalize: bool) -> DenseRow:
    row = DenseRow(rows.X, i, 1.0)
    return DenseRow(rows.X, i, unit_scale(row)) if normalize else row


@body(row_at, "sparse")
def _(rows: SparseRows, i: int, normalize: bool) -> SparseRow:
    row = SparseRow(rows.indices, rows.values, rows.indptr[i], rows.indptr[i + 1], 1.0)
    return SparseRow(rows.indices, rows.values, row.start, row.stop, unit_scale(row)) if normalize else row


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
def size(row: Row) -> int:
    """How many entries the row stores; `index` and `value` give each of them."""
    raise TypeError("only inside compiled code")


@body(size, "dense")
def _(row: DenseRow) -> int:
    return row.X.shape[1]


@body(size, "sparse")
def _(row: SparseRow) -> int:
    return row.stop - row.start


@by_row
def index(row: Row, i: int) -> int:
    """The feature of the i-th stored entry."""
    raise TypeError("only inside compiled code")


@body(index, "dense")
def _(row: DenseRow, i: int) -> int:
    return i


@body(index, "sparse")
def _(row: SparseRow, i: int) -> int:
    return np.int64(row.indices[row.start + i])  # type: ignore[return-value]  # an int to the compiler


@by_row
def value(row: Row, i: int) -> float:
    """The value of the i-th stored entry, scaled."""
    raise TypeError("only inside compiled code")


@body(value, "dense")
def _(row: DenseRow, i: int) -> float:
    return row.X[row.i, i] * row.X.dtype.type(row.scale)


@body(value, "sparse")
def _(row: SparseRow, i: int) -> float:
    return row.values[row.start + i] * row.values.dtype.type(row.scale)


@by_row
def is_sparse(row: Row) -> bool:
    """Whether the row is sparse, and so the state feature-major; known when compiling."""
    raise TypeError("only inside compiled code")


@body(is_sparse, "dense")
def _(row: DenseRow) -> bool:
    return False


@body(is_sparse, "sparse")
def _(row: SparseRow) -> bool:
    return True


@by_row
def scaled(row: Row, factor: float) -> Row:
    """The row times a factor."""
    raise TypeError("only inside compiled code")


@body(scaled, "dense")
def _(row: DenseRow, factor: float) -> DenseRow:
    return DenseRow(row.X, row.i, row.scale * factor)


@body(scaled, "sparse")
def _(row: SparseRow, factor: float) -> SparseRow:
    return SparseRow(row.indices, row.values, row.start, row.stop, row.scale * factor)


@by_row
def squared_norm(row: Row) -> float:
    """‖x‖²."""
    raise TypeError("only inside compiled code")


@body(squared_norm, "dense")
def _(row: DenseRow) -> float:
    d = row.X.shape[1]
    return inner(row.X, row.i * d, row.X, row.i * d, d) * row.scale**2


@body(squared_norm, "sparse")
def _(row: SparseRow) -> float:
    return inner(row.values, row.start, row.values, row.start, row.stop - row.start) * row.scale**2


@by_row
def along(g: FloatArray, row: Row) -> float:
    """g · x, for a vector g of d numbers (contiguous, if the row is dense)."""
    raise TypeError("only inside compiled code")


@body(along, "dense")
def _(g: FloatArray, row: DenseRow) -> float:
    return inner(g, 0, row.X, row.i * g.shape[0], g.shape[0]) * row.scale


@body(along, "sparse")
def _(g: FloatArray, row: SparseRow) -> float:
    sum_ = 0.0
    for i in range(row.start, row.stop):
        sum_ += g[row.indices[i]] * row.values[i]
    return sum_ * row.scale


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


@jit
def unit_scale(row: Row) -> float:
    """1/‖x‖, and 1 for a row of zeros."""
    norm = sqrt(squared_norm(row))
    return 1 / norm if norm > 0 else 1.0


@jit
def first_bad(row: Row) -> int:
    """The first feature that is NaN or infinite, or -1."""
    for i in range(size(row)):
        if not np.isfinite(value(row, i)):
            return index(row, i)
    return -1
