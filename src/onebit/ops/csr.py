"""Sparse tables of any format as sound CSR: compiled code has no bounds checks, so every index is checked here."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.core.aliases import IntArray
from onebit.core.errors import DataError
from onebit.ops.jit import entry_point

MOST_FEATURES = 2**32
"""Of a sparse row: compiled code reads its indices as whole numbers of 32 bits, without a sign."""

_MOST_ROWS = 2**25  # of a table that is not CSR yet: what it claims takes memory when it is turned into CSR
_UNSORTED = 1
_BROKEN = 2
_INT32 = np.dtype(np.int32)


@entry_point
def _form(indptr: IntArray, indices: NDArray[np.int32] | IntArray, width: int) -> int:
    """Whether the indices of every row rise and stay below the width; whether they only stay below; or neither."""
    form = 0
    for i in range(indptr.shape[0] - 1):
        start = indptr[i]
        stop = indptr[i + 1]
        if start < 0 or stop < start or stop > indices.shape[0]:
            return 2
        last = np.int64(-1)
        for j in range(start, stop):
            at = np.int64(indices[j])
            if at < 0 or at >= width:
                return 2
            if at <= last:
                form = 1
            last = at
    return form


def sound_csr(table: Any, name: str = "row") -> Any:
    """A sparse table as CSR in canonical form (itself, if it is that), or a `DataError` where it is broken.

    Duplicates are summed, in a copy. `has_canonical_format` is not believed: it is what was so when somebody looked.

    >>> sound_csr(sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 3))).toarray()
    array([[0., 3., 0.]])
    >>> broken = sp.csr_array([[1.0, 2.0]])
    >>> broken.indices[1] = 7
    >>> sound_csr(broken)
    Traceback (most recent call last):
    onebit.core.errors.DataError: row: a sparse table whose indices point outside its 2 features, ...
    """
    if table.format != "csr" or table.ndim != 2:
        table = _as_csr(table, name)
    rows, width = table.shape
    _check_data(table.data, width, name)
    _check_parts(table, rows, len(table.data), name)
    form = _form_of(table, width)
    if form == _BROKEN:
        raise DataError(
            f"{name}: a sparse table whose indices point outside its {width} features, or whose indptr does "
            "not rise within them; make it anew, and see that X.check_format(full_check=True) passes"
        )
    if form == _UNSORTED:
        table = _wide(table, name).copy()
        table.has_canonical_format = False
        table.has_sorted_indices = False
        table.sum_duplicates()
    return table


def narrow_indices(indices: Any) -> NDArray[np.uint32]:
    """Indices that were checked, as compiled code reads them; those of 32 bits are shared.

    >>> narrow_indices(np.array([0, 2**32 - 1])).tolist()
    [0, 4294967295]
    """
    same = indices.dtype is _INT32 and indices.flags.c_contiguous
    narrow: NDArray[np.uint32] = indices.view(np.uint32) if same else np.ascontiguousarray(indices, dtype=np.uint32)
    return narrow


def _form_of(table: Any, width: int) -> int:
    indptr = np.ascontiguousarray(table.indptr, dtype=np.int64)
    indices = np.ascontiguousarray(table.indices, dtype=_INT32 if table.indices.dtype is _INT32 else np.int64)
    return int(_form(indptr, indices, width))


def _check_parts(table: Any, lines: int, entries: int, name: str) -> None:
    """A `DataError` where the index arrays of a compressed table are not such as can belong to one."""
    indptr = table.indptr
    indices = table.indices
    for part in (indptr, indices):
        if type(part) is not np.ndarray or part.ndim != 1 or part.dtype.kind not in "iu":
            raise DataError(f"{name}: a sparse table whose indices are no whole numbers in an array; make it anew")
    if len(indptr) != lines + 1 or indptr[0] != 0 or indptr[-1] > len(indices) or indptr[-1] > entries:
        raise DataError(
            f"{name}: a sparse table whose arrays differ in length: {lines} rows, indptr of {len(indptr)} that ends "
            f"with {indptr[-1] if len(indptr) else 'nothing'}, {len(indices)} indices, {entries} values; make it anew"
        )


def _check_data(data: Any, width: int, name: str) -> None:
    """A `DataError` where the values of a CSR table are no numbers, or its rows too wide."""
    if not isinstance(data, np.ndarray) or data.ndim != 1 or data.dtype.kind not in "fiub":
        held = getattr(data, "dtype", type(data).__name__)
        raise DataError(f"{name}: holds values of type {held}; rows must be numbers")
    if width > MOST_FEATURES:
        raise DataError(f"{name}: has {width} features, and sparse rows have at most 2^32; hash them into fewer")


def _as_csr(table: Any, name: str) -> Any:
    """A table of another format, or a vector, as CSR; SciPy's own conversions check no index either."""
    if not 1 <= table.ndim <= 2:
        raise DataError(f"{name}: has {table.ndim} dimensions; give one row (1-D) or a table of rows (2-D)")
    if table.ndim == 1 and table.format == "csr":
        return _rebuilt(table, (1, table.shape[0]), name)
    if table.ndim == 2 and table.shape[0] > _MOST_ROWS:
        raise DataError(
            f"{name}: is {table.format.upper()} with {table.shape[0]} rows, and only CSR may have more than "
            f"{_MOST_ROWS}; turn it into CSR first, X.tocsr()"
        )
    try:
        if table.format == "coo":
            _check_coordinates(table, name)
            table = table.reshape(1, -1) if table.ndim == 1 else table
        elif table.format in ("csr", "csc", "bsr"):
            _check_compressed(table, name)
        return sp.csr_array(_wide(table, name))
    except DataError:
        raise
    except (ValueError, TypeError, IndexError, OverflowError, MemoryError) as error:
        raise DataError(f"{name}: a sparse table that cannot be read ({error}); make it anew, as CSR") from error


def _wide(table: Any, name: str) -> Any:
    """The table with whole numbers as floats: a sum of small ones may not fit their type."""
    if table.dtype.kind not in "fiub":
        raise DataError(f"{name}: holds values of type {table.dtype}; rows must be numbers")
    return table if table.dtype.kind == "f" and table.dtype.itemsize > 2 else table.astype(np.float64)


def _check_compressed(table: Any, name: str) -> None:
    """A `DataError` for CSC or BSR out of range: SciPy's `check_format` looks at no index if indptr ends with 0."""
    height, width = table.data.shape[1:] if table.format == "bsr" else (1, 1)
    if not height or not width:
        raise DataError(f"{name}: a sparse table of empty blocks; make it anew, as CSR")
    lines, length = table.shape if table.format != "csc" else table.shape[::-1]
    _check_parts(table, lines // height, len(table.data), name)
    if _form_of(table, length // width) == _BROKEN:
        raise DataError(f"{name}: a sparse table whose places lie outside its shape {table.shape}; make it anew")


def _rebuilt(vector: Any, shape: tuple[int, int], name: str) -> Any:
    try:
        return sp.csr_array((vector.data, vector.indices, vector.indptr), shape=shape)
    except (ValueError, TypeError, IndexError) as error:
        raise DataError(f"{name}: a sparse row that cannot be read ({error}); make it anew") from error


def _check_coordinates(table: Any, name: str) -> None:
    for places, length in zip(table.coords, table.shape, strict=True):
        if len(places) != len(table.data):
            raise DataError(f"{name}: a sparse table with {len(places)} places for {len(table.data)} values")
        if len(places) and not 0 <= np.min(places) <= np.max(places) < length:
            raise DataError(f"{name}: a sparse table whose places lie outside its shape {table.shape}; make it anew")
