"""Rows, dense or sparse: what they are, their entries, and functions with a body for each kind.

Which body is taken is settled at compile time, by the type of the row. `onebit.ops.weights` has what learners do with
weights and a row.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.flat import inner
from onebit.ops.jit import PART_OPTIONS, jit

F = TypeVar("F", bound=Callable[..., Any])

LARGEST_DOUBLE = 1e60
"""The largest value, in size, that a row of doubles may hold: so ‖x‖⁴ and sums of it stay far from overflow."""

LARGEST_SINGLE = 1e10
"""The same for a row in single precision."""


def largest_of(dtype: Any) -> float:
    """The largest value, in size, that a row of this dtype may hold.

    >>> largest_of(np.dtype("float32"))
    10000000000.0
    """
    return LARGEST_DOUBLE if dtype.itemsize == 8 else LARGEST_SINGLE


def first_beyond(values: FloatArray) -> int:
    """Where the first of these values stands that is NaN, infinite or too large for its dtype; -1 if none is.

    >>> first_beyond(np.array([1.0, 1e99])), first_beyond(np.array([1.0, 2.0]))
    (1, -1)
    """
    limit = largest_of(values.dtype)
    if values.size == 0 or (values.max() <= limit and values.min() >= -limit):
        return -1
    return int(np.argmax(~(np.abs(values) <= limit)))


def problem_of(value: Any) -> str:
    """What is wrong with a value that is not finite or too large, and what to do.

    >>> problem_of(np.float64("nan"))
    'nan; rows must be finite: replace or drop such values first'
    """
    if not np.isfinite(value):
        return f"{value}; rows must be finite: replace or drop such values first"
    return (
        f"{value:g}, and values in {value.dtype} may be {largest_of(value.dtype):g} in size at most; rescale it, "
        "by its deviation or its logarithm for instance"
    )


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
def largest_allowed(row: Row) -> float:
    """The largest value, in size, that a row of this precision may hold; known when compiling."""
    raise TypeError("only inside compiled code")


@body(largest_allowed, "dense")
def _(row: DenseRow) -> float:
    return LARGEST_DOUBLE if row.X.itemsize == 8 else LARGEST_SINGLE


@body(largest_allowed, "sparse")
def _(row: SparseRow) -> float:
    return LARGEST_DOUBLE if row.values.itemsize == 8 else LARGEST_SINGLE


@jit
def unit_scale(row: Row) -> float:
    """1/‖x‖, and 1 for a row of zeros; also for one so short that its square is lost, below 1/`largest_allowed`."""
    norm = sqrt(squared_norm(row))
    return 1 / norm if norm * largest_allowed(row) >= 1 else 1.0


@jit
def first_bad(row: Row) -> int:
    """The first feature that is NaN, infinite or larger in size than is allowed, or -1."""
    limit = largest_allowed(row)
    if squared_norm(row) <= limit * limit:
        return -1
    for i in range(size(row)):
        if not abs(value(row, i)) <= limit:
            return index(row, i)
    return -1
