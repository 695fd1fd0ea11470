"""Streams whose rows went through a feature map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.core.seeds import bit_generator, check_seed
from onebit.features.labelled import prepare_rows
from onebit.streams.base import Stream, Window
from onebit.streams.identity import digest_of_object

_PIECE_BYTES = 32 * 2**20
_PROBE = 100
_GAPS = ("...", "random_state=None")
"""In the text of a transformer: what it does not show, and what it draws anew whenever it is fitted."""


class MappedStream(Stream):
    """Another stream, row by row through a fitted transformer, a piece of at most 32 MiB in memory at a time.

    `raw` is the stream before any map, `transformer` the fitted map: for one row x by hand, a learner is given
    `stream.through_map(x)`.

    >>> import onebit
    >>> stream = mapped(onebit.streams.load("iris"), onebit.features.RandomFourier(8))
    >>> stream.n_features, stream.raw.n_features
    (8, 4)
    """

    no_options = frozenset({"source", "transformer", "rows", "facts"})

    def __init__(self, source: Stream, transformer: Any, rows: Any, facts: dict[str, Any]) -> None:
        from sklearn import config_context

        self.transformer = transformer
        self._source = source
        self.classes = source.classes
        self.rounds = source.rounds
        self.seed = source.seed
        self.name = f"{source.name} ({type(transformer).__name__})"
        probe = _transformed(transformer, rows[:_PROBE], self.name)
        self.sparse = sp.issparse(probe)
        self.n_features = probe.shape[1]
        row_bytes = 16 * max(1, probe.nnz // probe.shape[0]) if self.sparse else 8 * self.n_features
        self._piece = max(1, _PIECE_BYTES // row_bytes)
        with config_context(print_changed_only=False):
            text = _text(transformer)  # with the parameters that have their defaults
        self.facts = {"map": {"transformer": text, "features": source.n_features, **facts}}
        self._text_tells_all = facts["fit_rows"] is not None and not any(gap in text for gap in _GAPS)

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """The windows of the source, mapped in pieces, each in the order in which it is played."""
        played = 0
        for window in self._source.windows(seed, rounds):
            for part in self._pieces(len(window.order)):
                order = window.order[part]
                where = f"{self.name}, rounds {played + 1:,} to {played + len(order):,}"
                X = self._mapped(window.X[order], where)
                played += len(order)
                yield Window(X, window.y[order], np.arange(len(order)))

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the source and the map, by its text or else by its fitted state."""
        fitted = self.facts["map"] | ({} if self._text_tells_all else {"state": digest_of_object(self.transformer)})
        return super().identity() | {"map": fitted, "source": self._source.identity()}

    @property
    def raw(self) -> Stream:
        """The stream of the rows as they were before any map.

        >>> import onebit
        >>> mapped(onebit.streams.load("iris"), onebit.features.RandomFourier(8)).raw.name
        'iris'
        """
        return self._source.raw

    def through_map(self, X: Any) -> Any:
        """Rows as `raw` has them, mapped: what a learner sees.

        >>> import onebit
        >>> stream = mapped(onebit.streams.load("iris"), onebit.features.RandomFourier(8))
        >>> stream.through_map([[5.1, 3.5, 1.4, 0.2]]).shape
        (1, 8)
        """
        rows = self._source.through_map(X)
        if isinstance(rows, np.ndarray) and rows.ndim == 1:
            return self._mapped(prepare_rows(rows[None]), self.name)[0]
        return self._mapped(prepare_rows(rows), self.name)

    def describe(self) -> dict[str, Any]:
        """What the source is, and `map`: the transformer, the features before it, and the rows it was fitted on.

        >>> import onebit
        >>> mapped(onebit.streams.load("iris"), onebit.features.RationalMap(2, normalize=True)).describe()["map"]
        {'transformer': 'RationalMap(c=0.5, degree=2, normalize=True)', 'features': 4, 'fit_rows': 150, 'seed': 0}
        """
        before = {key: value for key, value in self._source.describe().items() if key != "density"}
        return before | super().describe()

    @cached_property
    def _table_of_one_pass(self) -> tuple[Any, Any]:
        X = self._source.X
        y = self._source.y
        tables = [self._mapped(X[part], self.name) for part in self._pieces(len(y))]
        return sp.vstack(tables, format="csr") if self.sparse else np.concatenate(tables), y

    def _pieces(self, rows: int) -> Iterator[slice]:
        return (slice(start, start + self._piece) for start in range(0, rows, self._piece))

    def _mapped(self, X: Any, where: str) -> Any:
        table = _transformed(self.transformer, X, where)
        if table.shape != (X.shape[0], self.n_features):
            raise DataError(
                f"{where}: {X.shape[0]} rows became a table of shape {table.shape}; the transformer must give "
                f"one row of {self.n_features} features for each"
            )
        return table


def mapped(stream: Stream, transformer: Any, *, fit_rows: int | None = 2000, seed: int = 0) -> MappedStream:
    """The stream with its rows put through a feature map, so that any learner can draw curved boundaries.

    `transformer` is anything with scikit-learn's `fit` and `transform`: `onebit.features.RationalMap`,
    `RandomFourier`, `Nystroem`, a pipeline of several, ... A clone of it is fitted once, on the first `fit_rows` rows
    that the stream gives for a seed derived from `seed` (never that of a play), and sees no labels: so the map is
    the same in every play. With `fit_rows=None` the transformer is taken as it is, already fitted. Rows are mapped
    as they are played; the output may be dense or sparse.

    >>> import onebit
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-0.7, 0.7, size=(3000, 2))
    >>> rings = onebit.streams.from_arrays(X, (np.hypot(*X.T) * 4).astype(int))
    >>> curved = onebit.streams.mapped(rings, onebit.features.RationalMap(degree=4))
    >>> [bool(onebit.simulate(onebit.OneBit(rings.classes, kernel=None), s).error < 0.2) for s in (rings, curved)]
    [False, True]
    """
    if not isinstance(stream, Stream):
        raise ConfigError(f"stream={stream!r}: must be a stream, such as onebit.streams.load('digits')")
    if stream.cases:
        raise ConfigError(f"stream={stream!r}: has raw cases, and a map takes rows of numbers; choose such columns")
    if isinstance(transformer, type) or not callable(getattr(transformer, "transform", None)):
        raise ConfigError(
            f"transformer={transformer!r}: must be an object with fit and transform, such as "
            "onebit.features.RationalMap()"
        )
    from copy import deepcopy

    from sklearn.base import clone

    own_seed = int(bit_generator(check_seed(seed), "structure").random_raw())
    if fit_rows is None:
        return MappedStream(stream, deepcopy(transformer), _first_rows(stream, _PROBE, own_seed), {"fit_rows": None})
    check_whole("fit_rows", fit_rows, instead="None for a map already fitted")
    own = clone(transformer, safe=False)
    X = _narrow(_first_rows(stream, fit_rows, own_seed))
    try:
        own.fit(X)
    except ConfigError:
        raise
    except (ValueError, TypeError) as error:
        raise DataError(f"{stream.name}: {_text(own)} cannot be fitted to its rows: {error}") from error
    return MappedStream(stream, own, X, {"fit_rows": X.shape[0], "seed": int(seed)})


def _first_rows(stream: Stream, rows: int, seed: int) -> Any:
    """The first rows of a play, at most one pass."""
    parts = [window.X[window.order] for window in stream.windows(seed, min(rows, stream.rounds or rows))]
    if not parts:
        raise DataError(f"{stream.name}: gives no rows; there is nothing to map")
    return sp.vstack(parts, format="csr") if stream.sparse else np.concatenate(parts)


def _transformed(transformer: Any, X: Any, where: str) -> Any:
    """The output of the transformer as a finite table, or an error that says where."""
    try:
        return prepare_rows(transformer.transform(_narrow(X)))
    except (ValueError, TypeError) as error:
        raise DataError(f"{where}: {_text(transformer)} failed: {error}") from error


def _narrow(X: Any) -> Any:
    """Sparse rows with indices of 32 bits where these suffice: some transformers take no others."""
    if not sp.issparse(X) or max(X.nnz, *X.shape) >= 2**31:
        return X
    places = X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False)
    return sp.csr_array((X.data, *places), shape=X.shape)


def _text(transformer: Any) -> str:
    return " ".join(repr(transformer).split())
