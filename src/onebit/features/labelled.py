"""Labelled tables in one form: finite rows, dense or CSR, and labels as numbers of classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray, Label
from onebit.core.errors import DataError
from onebit.core.labels import check_classes
from onebit.features import HASHED_FEATURES, hash_rows, is_dicts
from onebit.features.arrays import as_array
from onebit.features.frames import frame_rows, is_frame, is_missing
from onebit.ops.csr import sound_csr
from onebit.ops.rows import first_beyond, problem_of

MOST_SIGNED = 2**31 - 1
"""The largest index of 32 bits with a sign, as SciPy keeps them."""


def prepare_rows(X: Any, *, normalize: bool = False, bias: bool = False) -> Any:
    """A finite table of float64 (float32 stays), in C order or compact CSR, with the options applied."""
    if is_dicts(X):
        X = hash_rows(X, HASHED_FEATURES)
    elif is_frame(X):
        X = frame_rows(X, HASHED_FEATURES)
    table: Any = X if sp.issparse(X) else as_array(X, "X")
    if table.ndim != 2:
        raise DataError(f"X: has {table.ndim} dimensions; give a table with one row per case (2-D)")
    if 0 in table.shape:
        raise DataError(f"X: is empty, {table.shape[0]} rows of {table.shape[1]} features; give at least one of each")
    if table.dtype.kind not in "fiub":
        raise DataError(f"X: holds values of type {table.dtype}; rows must be numbers")
    sparse = sp.issparse(table)
    dtype = np.float32 if table.dtype == np.float32 else np.float64
    table = _as_floats(table, dtype)
    check_values(table)
    table = with_norm_and_bias(table, normalize, bias)
    return compact(table) if sparse else table


def _as_floats(table: Any, dtype: Any) -> Any:
    """The table in C order, or as sound CSR; a value that is too large for the dtype becomes infinite."""
    try:
        with np.errstate(over="ignore"):
            if sp.issparse(table):
                return sp.csr_array(sound_csr(table, "X")).astype(dtype, copy=False)
            return np.ascontiguousarray(table, dtype=dtype)
    except MemoryError as error:
        raise DataError(f"X: a table of shape {table.shape} does not fit in memory; give it in parts") from error


def compact(table: Any) -> Any:
    """A sound CSR table in canonical form, with indices of 32 bits, as compiled code reads them."""
    table = sound_csr(table, "X")
    if table.shape[1] > MOST_SIGNED:
        raise DataError(f"X: has {table.shape[1]} features, and a stream's rows at most 2^31 - 1; hash them into fewer")
    same = sp.csr_array(table.shape, dtype=table.dtype)
    same.data = table.data
    same.indices = table.indices.astype(np.int32, copy=False)
    same.indptr = table.indptr.astype(np.int64, copy=False)
    same.has_canonical_format = True
    return same


def with_norm_and_bias(table: Any, normalize: bool, bias: bool) -> Any:
    """The table with rows of unit norm (rows of zeros stay) and one more feature, always 1, as asked."""
    if sp.issparse(table):
        if normalize:
            norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
            values = table.data / np.repeat(np.where(norms > 0, norms, 1), np.diff(table.indptr))
            table = table.copy()
            table.data = values
        if bias:
            table = sp.hstack([table, sp.csr_array(np.ones((table.shape[0], 1), table.dtype))], format="csr")
        return table
    if not normalize and not bias:
        return table
    rows, width = table.shape
    result = np.ones((rows, width + bias), dtype=table.dtype)
    norms = np.sqrt(np.einsum("ij,ij->i", table, table)) if normalize else np.ones(rows)
    np.divide(table, np.where(norms > 0, norms, 1)[:, None], out=result[:, :width])
    return result


def encode_labels(labels: Any, classes: Sequence[Label] | None) -> tuple[tuple[Label, ...], IntArray]:
    """The classes, and each label's number among them."""
    values = labels.tolist()
    missing = [i for i, label in enumerate(values) if is_missing(label)]
    if missing:
        raise DataError(f"y: row {missing[0]} has the label {values[missing[0]]!r}; drop the rows without a label")
    if classes is None:
        try:
            found, codes = np.unique(labels, return_inverse=True)
        except TypeError:
            raise DataError(
                "y: holds labels of several types, which cannot be sorted; give them as classes=[...]"
            ) from None
        if len(found) < 2:
            raise DataError(f"y: every label is {found.tolist()[0]!r}; there must be at least 2 classes")
        return check_classes(found.tolist()), codes.astype(np.int64)
    known = check_classes(classes)
    numbers = {label: k for k, label in enumerate(known)}
    for i, label in enumerate(values):
        if not isinstance(label, Hashable) or label not in numbers:
            raise DataError(f"y: row {i} has the label {label!r}, which is not among the classes {list(known)}")
    return known, np.array([numbers[label] for label in values], dtype=np.int64)


def check_values(table: Any) -> None:
    """A `DataError` that names the first value of a table of floats that is NaN, infinite or too large for its dtype.

    >>> check_values(np.array([[1.0, 1e99]]))
    Traceback (most recent call last):
    onebit.core.errors.DataError: X: row 0, feature 1 is 1e+99, and values in float64 may be 1e+60 in size at most; ...
    """
    values = table.data if sp.issparse(table) else table.reshape(-1)
    at = first_beyond(values)
    if at < 0:
        return
    if sp.issparse(table):
        row = int(np.searchsorted(table.indptr, at, side="right")) - 1
        column = table.indices[at]
    else:
        row, column = divmod(at, table.shape[1])
    raise DataError(f"X: row {row}, feature {column} is {problem_of(values[at])}")
