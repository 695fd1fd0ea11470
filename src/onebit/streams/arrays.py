"""Streams from tables in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.errors import DataError
from onebit.core.seeds import bit_generator
from onebit.core.types import Label
from onebit.streams.base import Stream, Window


class ArrayStream(Stream):
    """A table in memory, reshuffled by each seed and for each further pass (`shuffle=False` keeps its order)."""

    def __init__(self, X: Any, y: Any, classes: Sequence[Label], name: str, shuffle: bool = True) -> None:
        self.name, self.classes, self.shuffle = name, tuple(classes), shuffle
        self.sparse = sp.issparse(X)
        self._table, self._codes = X, y
        self.rounds, self.n_features = X.shape

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """One window per pass: the same table, in another order."""
        assert self.rounds is not None
        left = self.rounds if rounds is None else rounds
        draw = np.random.Generator(bit_generator(seed, "stream"))
        while left > 0:
            order = draw.permutation(self.rounds) if self.shuffle else np.arange(self.rounds)
            yield Window(self._table, self._codes, order[:left])
            left -= self.rounds

    @property
    def X(self) -> Any:
        """The table, in its own order."""
        return self._table

    @property
    def y(self) -> Any:
        """The labels, in the table's order."""
        labels = np.empty(len(self.classes), dtype=object)
        labels[:] = self.classes
        return np.array(labels[self._codes].tolist())


def from_arrays(
    X: Any,
    y: Any,
    *,
    classes: Sequence[Label] | None = None,
    normalize: bool = False,
    bias: bool = False,
    shuffle: bool = True,
    name: str = "arrays",
) -> ArrayStream:
    """A stream from a table of rows (NumPy or SciPy sparse) and one label per row.

    `normalize` scales rows to unit norm, `bias` then appends a feature that is always 1, `classes` fixes
    the labels and their order (default: those that occur, sorted).

    >>> stream = from_arrays([[0.0, 1.0], [1.0, 0.0]], ["cat", "dog"], bias=True)
    >>> stream.X
    array([[0., 1., 1.],
           [1., 0., 1.]])
    """
    table = prepare_rows(X, normalize=normalize, bias=bias)
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != table.shape[0]:
        raise DataError(f"y: has shape {labels.shape}, but X has {table.shape[0]} rows; give one label per row")
    found, codes = encode_labels(labels, classes)
    return ArrayStream(table, codes, found, name, shuffle)


def prepare_rows(X: Any, *, normalize: bool = False, bias: bool = False) -> Any:
    """A table as float64, finite, C order or canonical CSR, with the options applied."""
    table = sp.csr_array(X) if sp.issparse(X) else np.asarray(X)
    if table.ndim != 2:
        raise DataError(f"X: has {table.ndim} dimensions; give a table with one row per case (2-D)")
    if 0 in table.shape:
        raise DataError(f"X: is empty, {table.shape[0]} rows of {table.shape[1]} features; give at least one of each")
    values = table.data if sp.issparse(table) else table
    if values.dtype.kind not in "fiub":
        raise DataError(f"X: holds values of type {values.dtype}; rows must be numbers")
    table = table.astype(np.float64, copy=False) if sp.issparse(table) else np.ascontiguousarray(table, dtype=np.float64)
    values = table.data if sp.issparse(table) else table
    if not np.isfinite(values).all():
        raise DataError(_where_not_finite(table))
    if sp.issparse(table) and not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    if normalize:
        table = unit_rows(table)
    if bias:
        table = with_bias(table)
    return table


def unit_rows(table: Any) -> Any:
    """Rows scaled to unit norm; rows of zeros stay as they are."""
    if sp.issparse(table):
        norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        scaled = table.copy()
        scaled.data = table.data / np.repeat(np.where(norms > 0, norms, 1), np.diff(table.indptr))
        return scaled
    norms = np.sqrt(np.einsum("ij,ij->i", table, table))
    return table / np.where(norms > 0, norms, 1)[:, None]


def with_bias(table: Any) -> Any:
    """The table with one more feature, always 1."""
    ones = np.ones((table.shape[0], 1))
    return sp.hstack([table, ones], format="csr") if sp.issparse(table) else np.hstack([table, ones])


def encode_labels(labels: Any, classes: Sequence[Label] | None) -> tuple[tuple[Label, ...], Any]:
    """The classes, and each label's number among them."""
    if classes is None:
        found, codes = np.unique(labels, return_inverse=True)
        classes = tuple(found.tolist())
        if len(classes) < 2:
            raise DataError(f"y: every label is {classes[0]!r}; there must be at least 2 classes")
        return classes, codes.astype(np.int64)
    numbers = {label: k for k, label in enumerate(classes)}
    try:
        return tuple(classes), np.array([numbers[label] for label in labels.tolist()], dtype=np.int64)
    except KeyError as missing:
        raise DataError(f"y: the label {missing} is not among the classes {list(classes)}") from None


def _where_not_finite(table: Any) -> str:
    if sp.issparse(table):
        at = int(np.flatnonzero(~np.isfinite(table.data))[0])
        row, column, value = np.searchsorted(table.indptr, at, side="right") - 1, table.indices[at], table.data[at]
    else:
        row, column = np.argwhere(~np.isfinite(table))[0]
        value = table[row, column]
    return f"X: row {row}, feature {column} is {value}; rows must be finite: replace or drop such values first"
