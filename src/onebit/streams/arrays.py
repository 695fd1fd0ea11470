"""Streams from tables in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import Label
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.core.labels import label_array
from onebit.core.seeds import bit_generator
from onebit.features.case_rows import CaseRows, cases_of_dicts, cases_of_table, check_no_scaling
from onebit.features.frames import column_values, frame_columns, is_frame, to_arrow
from onebit.features.hashing import hash_rows, is_dicts
from onebit.features.labelled import MOST_SIGNED, check_values, compact, encode_labels, prepare_rows
from onebit.features.named_rows import are_cases, is_row_by_name
from onebit.streams.base import Stream, Window
from onebit.streams.identity import digest_of


class ArrayStream(Stream):
    """A table in memory, reshuffled by each seed and for each pass (`shuffle=False` keeps its order).

    `y` holds the number of each row's class; `made_with` are further options, which say how the table was made.
    """

    no_options = frozenset({"X", "y"})
    _table: Any
    numbered = True
    sound = True
    sha256: str = ""
    """Of the file that the table comes from: with the options, it tells the content."""

    def __init__(
        self, X: Any, y: Any, classes: Sequence[Label], name: str, shuffle: bool = True, **made_with: Any
    ) -> None:
        self.name = name
        self.classes = tuple(classes)
        self.shuffle = shuffle
        self._codes = y
        self.cases = isinstance(X, CaseRows)
        if isinstance(X, CaseRows):
            self.sparse = True
            self.numbered = False  # the number of a case says nothing about the row as which it was read
            self._table = X
            self.rounds = len(X)
            self.n_features = len(X.columns)
            return
        self.sparse = sp.issparse(X)
        self._table = compact(X) if self.sparse else X
        check_values(self._table)
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
        """The table, in its own order; raw cases as a list of dicts."""
        return list(self._table) if self.cases else self._table

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The columns of raw cases; those of other tables have no names.

        >>> from_arrays([{"pet": "cat"}, {"pet": "dog", "weight": 9}], [0, 1]).feature_names
        ('pet', 'weight')
        """
        return tuple(self._table.columns) if self.cases else ()

    @property
    def y(self) -> Any:
        """The labels, in the table's order."""
        return label_array(self.classes)[self._codes]

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the options, and a digest of the table or of the file it comes from."""
        content = {"sha256": self.sha256} if self.sha256 else {"content": self._digest}
        return super().identity() | content

    @cached_property
    def _digest(self) -> str:
        if self.cases:
            return f"{self._table.digest()} {digest_of(self._codes)}"
        return digest_of(self._table, self._codes)

    def describe(self) -> dict[str, Any]:
        """What the stream is, with the rows of each class and, if sparse, the share of entries stored."""
        facts = super().describe()
        facts["counts"] = np.bincount(self._codes, minlength=len(self.classes)).tolist()
        if self.cases:
            facts["columns"] = list(self.feature_names)
        elif self.sparse:
            facts["density"] = self._table.nnz / (self._table.shape[0] * self._table.shape[1])
        return facts


def from_arrays(
    X: Any,
    y: Any,
    *,
    classes: Sequence[Label] | None = None,
    normalize: bool = False,
    bias: bool = False,
    shuffle: bool = True,
    name: str = "arrays",
    hash_features: int | None = None,
) -> ArrayStream:
    """A stream from a table of rows (NumPy, SciPy sparse, a list of dicts, or a frame) and one label per row.

    Dict rows are raw cases, which each learner reads by itself (docs: raw cases). A frame (pandas, polars, Arrow,
    DuckDB) of numbers is a table in the order of its columns; the rows of one with anything else, or gaps, are raw
    cases. `normalize` scales rows of numbers to unit norm, `bias` then appends a feature that is always 1, `classes`
    fixes the labels and their order (default: those that occur, sorted). `hash_features=2**18`, say, hashes dicts and
    frames by name in place of all that.

    >>> stream = from_arrays([[0.0, 1.0], [1.0, 0.0]], ["cat", "dog"], bias=True)
    >>> stream.X
    array([[0., 1., 1.],
           [1., 0., 1.]])
    """
    X = to_arrow(X, mixed=True) if is_frame(X) else X
    if hash_features is not None:
        X = _hashed(X, check_whole("hash_features", hash_features, high=MOST_SIGNED))
    table: Any
    if are_cases(X):
        if is_row_by_name(X):
            raise DataError(f"X: is a {type(X).__name__}, a single row; give a list of dicts, or a frame")
        check_no_scaling(normalize, bias)
        table = cases_of_dicts(X) if is_dicts(X) else cases_of_table(X)
        n = len(table)
    else:
        table = prepare_rows(X, normalize=normalize, bias=bias)
        n = table.shape[0]
    labels = column_values(y)
    if labels.ndim != 1 or len(labels) != n:
        raise DataError(f"y: has shape {labels.shape}, but X has {n} rows; give one label per row")
    found, codes = encode_labels(labels, classes)
    return ArrayStream(table, codes, found, name, shuffle, normalize=normalize, bias=bias)


def _hashed(X: Any, n_features: int) -> Any:
    """Dicts or the columns of a frame, hashed by name."""
    if is_dicts(X):
        return hash_rows(X, n_features)
    if is_frame(X):
        return frame_columns(X)._replace(hashed=n_features).rows(X)
    raise ConfigError(
        f"hash_features={n_features}: is for dict rows and frames, and X is {type(X).__name__}; leave it out"
    )
