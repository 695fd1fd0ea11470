"""Streams from tables in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import Label
from onebit.core.errors import DataError
from onebit.core.labels import label_array
from onebit.core.seeds import bit_generator
from onebit.features.frames import column_values
from onebit.features.labelled import check_values, compact, encode_labels, prepare_rows
from onebit.streams.base import Stream, Window
from onebit.streams.identity import digest_of


class ArrayStream(Stream):
    """A table in memory, reshuffled by each seed and for each pass (`shuffle=False` keeps its order).

    `y` holds the number of each row's class; `made_with` are further options, which say how the table was made.
    """

    no_options = frozenset({"X", "y"})
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
        self.sparse = sp.issparse(X)
        self._table = compact(X) if self.sparse else X
        check_values(self._table)
        self._codes = y
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
        return label_array(self.classes)[self._codes]

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the options, and a digest of the table or of the file it comes from."""
        content = {"sha256": self.sha256} if self.sha256 else {"content": self._digest}
        return super().identity() | content

    @cached_property
    def _digest(self) -> str:
        return digest_of(self._table, self._codes)

    def describe(self) -> dict[str, Any]:
        """What the stream is, with the rows of each class and, if sparse, the share of entries stored."""
        facts = super().describe()
        facts["counts"] = np.bincount(self._codes, minlength=len(self.classes)).tolist()
        if self.sparse:
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
) -> ArrayStream:
    """A stream from a table of rows (NumPy, SciPy sparse, a list of dicts, or a frame) and one label per row.

    Dict rows hold numbers, strings and booleans by name, and are hashed into 2^18 features. A frame (pandas, polars,
    Arrow, DuckDB) of numbers is a table in the order of its columns; the rows of one with text are dict rows.
    `normalize` scales rows to unit norm, `bias` then appends a feature that is always 1, `classes` fixes the labels
    and their order (default: those that occur, sorted).

    >>> stream = from_arrays([[0.0, 1.0], [1.0, 0.0]], ["cat", "dog"], bias=True)
    >>> stream.X
    array([[0., 1., 1.],
           [1., 0., 1.]])
    """
    table = prepare_rows(X, normalize=normalize, bias=bias)
    labels = column_values(y)
    if labels.ndim != 1 or len(labels) != table.shape[0]:
        raise DataError(f"y: has shape {labels.shape}, but X has {table.shape[0]} rows; give one label per row")
    found, codes = encode_labels(labels, classes)
    return ArrayStream(table, codes, found, name, shuffle, normalize=normalize, bias=bias)
