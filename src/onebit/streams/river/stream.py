"""Streams from River: its data sets, its generators, and pairs of a dict row and a label of any origin."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray, Label
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.core.labels import check_classes
from onebit.core.seeds import bit_generator
from onebit.features.case_rows import CaseRows
from onebit.features.labelled import compact
from onebit.streams.arrays import ArrayStream
from onebit.streams.base import Stream, Window
from onebit.streams.identity import digest_of
from onebit.streams.river.dict_rows import Row, TableForm
from onebit.streams.river.source import Overview, PairSource, of_river, origin_of, settings_of, source_of

_WINDOW_BYTES = 32 * 2**20
_WINDOW_ROWS = 65_536
_READ_ROWS = 2_048


class RiverStream(Stream):
    """The rows of a source, one window of so many rows in memory at a time."""

    no_options = frozenset({"source", "form"})

    def __init__(
        self,
        source: PairSource,
        form: TableForm,
        classes: tuple[Label, ...],
        rounds: int | None,
        shuffle: bool,
        window: int,
        name: str,
    ) -> None:
        self.name = name
        self.classes = classes
        self.rounds = rounds
        self.sparse = form.names is None
        self.cases = form.cases
        self.n_features = form.width
        self._source = source
        self._form = form
        self._shuffle = shuffle
        self._window_rows = window
        self._numbers = {label: k for k, label in enumerate(classes)}
        own = getattr(source.pairs, "seed", None)
        self.seed = own if source.drawn and isinstance(own, int) and own >= 0 else 0
        self.options = {**self.options, "settings": settings_of(source.pairs)}
        self.facts = {"source": origin_of(source.pairs)}

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: a generator's settings, or else the content."""
        known = super().identity() | {"source": self.facts["source"], "names": self._form.names}
        if not self._source.drawn:
            return known | {"content": self._digest}
        endless = self._source.limit is None
        return known if endless else known | {"limit": self._source.limit}

    @cached_property
    def _digest(self) -> str:
        if self.cases:
            parts = (f"{window.X.digest()} {digest_of(window.y)}" for window in self.one_pass())
            return hashlib.sha256(" ".join(parts).encode()).hexdigest()
        return digest_of(*(part for window in self.one_pass() for part in (window.X, window.y)))

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """Windows in the order of the source, pass after pass; with `shuffle` rows change places inside a window."""
        left = self.rounds if rounds is None else rounds
        if left is None:
            raise ConfigError(f"rounds=None: {self.name} is drawn without end; say how many rounds to play")
        draw = np.random.Generator(bit_generator(seed, "stream")) if self._shuffle else None
        while left > 0:
            for window in self.one_pass(seed, left):
                order = window.order if draw is None else draw.permutation(len(window.order))
                yield window._replace(order=order[:left])
                left -= len(order)
                if left <= 0:
                    break

    def _windows_of_one_pass(self) -> Iterator[Window]:
        return self.windows(self.seed) if self._source.limit is None else self.one_pass(self.seed)

    def one_pass(self, seed: int = 0, rows: int | None = None) -> Iterator[Window]:
        """The windows of one pass in their own order; a source without end is read no further than `rows`."""
        pairs: Iterator[tuple[Row, Label]] = self._source.rows(seed, self.cases)
        if self._source.limit is None:
            pairs = islice(pairs, rows)
        first = 0
        while parts := list(self._parts(islice(pairs, self._window_rows), first)):
            tables, codes = zip(*parts, strict=True)
            y = np.concatenate(codes)
            yield Window(self._joined(tables), y, np.arange(len(y)))
            first += len(y)
        if first == 0:
            raise DataError(f"{self.name}: had rows when it was opened, and has none now; open it again")

    def _joined(self, tables: Sequence[Any]) -> Any:
        """The tables as one."""
        if self.cases:
            return CaseRows(list(chain.from_iterable(tables)))
        return compact(sp.vstack(tables, format="csr")) if self.sparse else np.concatenate(tables)

    def _parts(self, pairs: Iterator[tuple[Row, Label]], first: int) -> Iterator[tuple[Any, IntArray]]:
        """Small tables with their labels' numbers, so that few rows are dicts at a time."""
        while part := list(islice(pairs, _READ_ROWS)):
            for i, (row, label) in enumerate(part, first):
                if misfit := self._form.misfit(row):
                    raise DataError(f"row {i}: {misfit}, unlike the first rows; give cases=True")
                if label not in self._numbers:
                    raise DataError(f"row {i}: has the label {label!r}, which is not among {list(self.classes)[:10]}")
            rows, labels = zip(*part, strict=True)
            yield self._form.table(rows), np.array([self._numbers[label] for label in labels], dtype=np.int64)
            first += len(part)


def from_river(
    dataset: Any,
    *,
    classes: Sequence[Label] | None = None,
    rounds: int | None = None,
    shuffle: bool = False,
    hash_features: int | None = None,
    name: str | None = None,
    cases: bool | None = None,
) -> Stream:
    """A stream from a data set or generator of River, or from any list of (dict, label) pairs.

    Rows whose features are all numbers, with the same names throughout, become dense, in the order of the first
    row's names. Others, with text, gaps, or names that come and go, are raw cases, which each learner reads by itself;
    `cases=True` asks for that in any case, `cases=False` refuses it. `hash_features=2**18` hashes all rows by name in
    its place, into so many columns; those must have no gaps.

    A data set keeps its order, is read once beforehand to find its labels, and kept in memory if it takes no more
    than 32 MiB. `shuffle=True` reshuffles it for each seed, a larger one inside each window of that size.

    A generator (`river.datasets.synth`) is drawn afresh for each seed: seed s plays the rows of River's own `seed=s`
    (of `seed_sample=s` where it has one: its structure stays). It has no end, so it needs `rounds`, here or in
    `simulate`; its labels are those of the first 10,000 rows.

    `classes` fixes the labels and their order, `rounds` the length of one pass.

    >>> rows = [({"weight": 4.1, "legs": 4}, "cat"), ({"weight": 0.3, "legs": 2}, "bird")]
    >>> stream = from_river(rows)
    >>> stream.classes, stream.X
    (('bird', 'cat'), array([[4.1, 4. ], [0.3, 2. ]]))
    """
    for argument, value in (("rounds", rounds), ("hash_features", hash_features)):
        if value is not None:
            check_whole(argument, value)
    if hash_features is not None and cases:
        raise ConfigError(f"hash_features={hash_features}: is not for raw cases; leave it out, or leave cases out")
    source = source_of(dataset, rounds)
    kind = type(dataset).__name__
    if source.limit is None and shuffle:
        raise ConfigError(f"shuffle=True: {kind} is drawn afresh by each seed; leave shuffle out")
    found = source.overview(hash_features, cases)
    if found is None:
        raise DataError(f"dataset={kind}: has no rows")
    length = rounds if source.limit is None else found.counts.total()
    row_bytes = (8 if found.form.names else 200 if found.form.cases else 16) * max(
        1.0, found.entries / found.counts.total()
    )
    window_rows = max(1, min(_WINDOW_ROWS, int(_WINDOW_BYTES / row_bytes)))
    labels = _labels(found, classes, source)
    title = name or (kind if of_river(dataset) else "pairs")
    stream = RiverStream(source, found.form, labels, length, shuffle, window_rows, title)
    if source.drawn or found.counts.total() > window_rows:
        return stream
    # It fits in one window, and is kept as a table.
    (window,) = stream.one_pass()
    kept = ArrayStream(window.X, window.y, stream.classes, stream.name, **stream.options)
    kept.facts = stream.facts
    return kept


def as_stream(stream: Any) -> Stream:
    """What `simulate` plays: a stream as it is, a data set of River through `from_river`.

    >>> import onebit
    >>> as_stream(onebit.streams.load("iris")).name
    'iris'
    """
    if isinstance(stream, Stream):
        return stream
    if of_river(stream):
        return from_river(stream)
    raise ConfigError(
        f"stream={stream!r:.80}: must be a stream, such as onebit.streams.load('digits'), or a data set of River"
    )


def _labels(found: Overview, classes: Sequence[Label] | None, source: PairSource) -> tuple[Label, ...]:
    """The labels asked for, or else those found, sorted; of what has no end, as many as it says it has."""
    rows = found.counts.total()
    kind = type(source.pairs).__name__
    if classes is not None:
        known = check_classes(classes)
        unknown = [label for label in found.counts if label not in known]
        if unknown:
            raise DataError(f"classes={list(known)[:10]}: {kind} has the label {unknown[0]!r} as well; add it")
        return known
    try:
        labels = tuple(sorted(found.counts))  # type: ignore[type-var]  # those that cannot be sorted are refused
    except TypeError:
        raise DataError(f"dataset={kind}: its labels cannot be sorted; give them as classes=[...]") from None
    promised = (getattr(source.pairs, "n_classes", None) or 2) if source.limit is None else 2
    if len(labels) < promised:
        raise DataError(
            f"dataset={kind}: {rows:,} rows show the labels {list(labels)}, and there should be {promised} or more; "
            "give them all as classes=[...]"
        )
    return labels
