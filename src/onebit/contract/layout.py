"""The shape of a learner's state, and rows of any kind brought into that shape."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray
from onebit.core.errors import ConfigError, DataError
from onebit.features import HASHED_FEATURES, hash_rows, is_dicts
from onebit.features.arrays import as_array
from onebit.features.frames import frame_columns, frame_rows, holds_text, is_frame, is_named_row, named_values, to_arrow
from onebit.ops.csr import narrow_indices, sound_csr
from onebit.ops.rows import DenseRows, Rows, SparseRows, first_beyond, problem_of
from onebit.ops.tables import dense_rows

RowKind = Literal["dense", "sparse"]
_LARGEST_MATRIX = 8 * 2**30


class Layout(NamedTuple):
    """K classes, d features, the kind of rows and the dtype: all that a learner's first state depends on."""

    n_classes: int
    n_features: int
    kind: RowKind
    dtype: str

    def per_feature(self, value: float = 0.0) -> FloatArray:
        """A (K, d) array in the memory order that suits the rows."""
        needed = self.n_classes * self.n_features * np.dtype(self.dtype).itemsize
        if needed > _LARGEST_MATRIX:
            raise ConfigError(
                f"n_features={self.n_features}: a weight for each feature and each of {self.n_classes} classes would "
                f"take {needed / 2**30:.0f} GiB; hash the features into fewer, say 2^18"
            )
        if self.kind == "dense":
            return _aligned((self.n_classes, self.n_features), value, self.dtype)
        return _aligned((self.n_features, self.n_classes), value, self.dtype).T

    def per_class(self, value: float = 0.0) -> FloatArray:
        """A vector of K numbers."""
        return np.full(self.n_classes, value, dtype=self.dtype)

    def identities(self, count: int, size: int, value: float, learner: str, instead: str) -> FloatArray:
        """`count` matrices of size × size, each `value` times the identity, if memory allows."""
        stack = self.matrices(count, size, learner, instead)
        stack[:, np.arange(size), np.arange(size)] = value
        return stack

    def matrices(self, count: int, size: int, learner: str, instead: str) -> FloatArray:
        """`count` matrices of size × size, all zeros, if memory allows; what is not touched takes none."""
        item = np.dtype(self.dtype).itemsize
        needed = count * size * size * item
        if needed > _LARGEST_MATRIX:
            raise ConfigError(
                f"n_features={self.n_features}: {learner} would keep {needed / 2**30:.0f} GiB of matrices for "
                f"{self.n_classes} classes; use {instead}, or fewer features"
            )
        return _from_a_line(np.zeros(needed // item + 64 // item, dtype=self.dtype), (count, size, size))


def _aligned(shape: tuple[int, int], value: float, dtype: str) -> FloatArray:
    """A C-order array that starts on a cache line."""
    array = _from_a_line(np.empty(shape[0] * shape[1] + 64 // np.dtype(dtype).itemsize, dtype=dtype), shape)
    array.fill(value)
    return array


def _from_a_line(room: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """The room from the first cache line on: a register loaded across two lines costs two loads."""
    item = room.itemsize
    start = -room.ctypes.data // item % (64 // item)
    return room[start : start + math.prod(shape)].reshape(shape)


def settled(X: Any) -> Any:
    """A frame as an Arrow table, which is read once and never changes; whatever else it is, as it is."""
    return X if isinstance(X, np.ndarray) or not is_frame(X) else to_arrow(X, mixed=True)


def is_many(X: Any) -> bool:
    """Whether X is a table of rows rather than one row."""
    if sp.issparse(X):  # first: SciPy's DOK tables are mappings too
        return len(X.shape) == 2 and X.shape[0] != 1
    if isinstance(X, Mapping):
        return False
    return is_dicts(X) or is_frame(X) or is_nothing(X) or as_array(X).ndim == 2


def is_nothing(X: Any) -> bool:
    """Whether X is a list without rows."""
    return isinstance(X, list | tuple) and len(X) == 0


def kind_of(X: Any) -> RowKind:
    """Sparse for SciPy matrices, for dict rows and for frames with text, dense for everything else."""
    return "sparse" if sp.issparse(X) or _is_hashed(X) else "dense"


def width_of(X: Any) -> int:
    """How many features the row or table has; dict rows and frames with text are hashed."""
    if is_frame(X):
        columns = frame_columns(X)
        return HASHED_FEATURES if holds_text(columns) else len(columns.types)
    if _is_hashed(X):
        return HASHED_FEATURES
    array = X if sp.issparse(X) or is_named_row(X) else _numbers(X)
    if array.ndim not in (1, 2):
        raise DataError(f"row: has {array.ndim} dimensions; give one row (1-D) or a table of rows (2-D)")
    if array.shape[-1] == 0:
        raise DataError("row: is empty; a row needs at least one feature")
    return int(array.shape[-1])


def to_rows(X: Any, n_features: int, kind: RowKind, dtype: str) -> Rows:
    """A row or a table, of any kind, as compiled code reads it. Checks everything but NaN and infinity."""
    if type(X) is np.ndarray and kind == "dense" and X.shape == (n_features,) and X.dtype == dtype:
        return dense_rows(np.ascontiguousarray(X.reshape(1, n_features)))  # the common case, fast
    table = _table(X, n_features, kind)
    if not 1 <= table.ndim <= 2:
        raise DataError(f"row: has {table.ndim} dimensions; give one row (1-D) or a table of rows (2-D)")
    if table.shape[-1] != n_features:
        raise DataError(
            f"row: has {table.shape[-1]} features, but the learner has n_features={n_features}; "
            "every row must have the same length"
        )
    try:
        if kind == "dense":
            dense = sound_csr(table).toarray() if sp.issparse(table) else table
            return dense_rows(_as_floats(dense.reshape(-1, n_features), dtype))
        return _sparse_rows(table if table.ndim == 2 or sp.issparse(table) else table.reshape(1, n_features), dtype)
    except MemoryError as error:
        raise DataError(f"row: a table of shape {table.shape} does not fit in memory; give it in parts") from error


def _is_hashed(X: Any) -> bool:
    """Whether X is a row or a table of named features that are hashed: a dict, or such as holds text."""
    if sp.issparse(X):
        return False
    if is_named_row(X):
        X = named_values(X)
    return isinstance(X, Mapping) or is_dicts(X) or (is_frame(X) and holds_text(frame_columns(X)))


def _table(X: Any, n_features: int, kind: RowKind) -> Any:
    """A row or a table as an array or a sparse table. Where rows are hashed, so are frames and Series of numbers."""
    if sp.issparse(X):
        return X
    if isinstance(X, Mapping) or is_dicts(X):
        if kind == "dense":
            raise DataError(
                f"row: is a dict, but the learner has dense rows of n_features={n_features}; give it the numbers "
                "alone, in the order that it has had so far"
            )
        return hash_rows([X] if isinstance(X, Mapping) else X, n_features)
    if isinstance(X, np.ndarray | list | tuple):
        return _numbers(X)
    width = n_features if kind == "sparse" else None
    if is_frame(X):
        table = frame_rows(X, n_features, width)
    elif is_named_row(X):
        values = named_values(X, width)
        table = hash_rows([values], n_features) if isinstance(values, dict) else values
    else:
        table = _numbers(X)
    if kind == "dense" and sp.issparse(table):
        raise DataError(
            f"row: holds text, but the learner has dense rows of n_features={n_features}; give it the columns of "
            "numbers that it has had so far, in the same order"
        )
    return table


def _sparse_rows(table: Any, dtype: str) -> SparseRows:
    """A CSR table without copies where it is one already, in canonical form."""
    return _csr_rows(sound_csr(table if sp.issparse(table) else sp.csr_array(table)), dtype)


def _csr_rows(table: Any, dtype: str) -> SparseRows:
    indptr = np.ascontiguousarray(table.indptr, dtype=np.int64)
    return SparseRows(indptr, narrow_indices(table.indices), _as_floats(table.data, dtype))


def sound_rows(table: Any) -> Rows:
    """A table that was checked before as compiled code reads it, in its own precision: an array, or canonical CSR.

    >>> sound_rows(np.array([[1.0, 2.0]])).X
    array([[1., 2.]])
    """
    return _csr_rows(table, table.dtype) if sp.issparse(table) else dense_rows(np.ascontiguousarray(table))


def _as_floats(values: Any, dtype: str) -> FloatArray:
    """The values in C order as this dtype; one that is too large for it becomes infinite, and is refused as such."""
    if values.dtype == dtype:
        return np.ascontiguousarray(values)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(values, dtype=dtype)


def check_finite(rows: Rows) -> None:
    """A `DataError` that names the first feature that is NaN, infinite or too large for its precision.

    Up to the largest value allowed, no learner's arithmetic overflows, however long it learns (docs/decisions/0018).
    """
    values = rows.X.reshape(-1) if isinstance(rows, DenseRows) else rows.values
    at = first_beyond(values)
    if at < 0:
        return
    feature = at % rows.X.shape[1] if isinstance(rows, DenseRows) else rows.indices[at]
    raise DataError(f"row: feature {feature} is {problem_of(values[at])}")


def _numbers(X: Any) -> FloatArray:
    array: FloatArray = as_array(X)
    if array.dtype.kind not in "fiub":
        raise DataError(f"row: holds values of type {array.dtype}; rows must be numbers (or a dict, which is hashed)")
    return array
