"""Streams from files: Parquet and CSV in windows, however long they are; svmlight in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray, Label
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.core.seeds import bit_generator
from onebit.features.case_rows import cases_of_table, check_no_scaling, joined_batches
from onebit.features.columns import Columns, content_of
from onebit.features.labelled import with_norm_and_bias
from onebit.streams.arrays import ArrayStream, from_arrays
from onebit.streams.base import Stream, Window
from onebit.streams.tables.feature_columns import MOST_ROWS_OR_FEATURES, check_features, check_label, choose_features
from onebit.streams.tables.gaps import GapSearch
from onebit.streams.tables.label_column import Labels, read_labels
from onebit.streams.tables.readers import Table, open_table, suffix_of
from onebit.streams.tables.stream import TableStream

_WINDOW_BYTES = 32 * 2**20
_READ_BYTES = 8 * 2**20
_COMPRESSED = 4
"""Times its size in the file is what a case may take in memory."""
_SVMLIGHT = (".svm", ".svmlight", ".libsvm")
_LIBSVM = (".scale", ".scale01", ".t", ".tr", ".val", ".multiclass")
"""How names of files end that LibSVM publishes, such as covtype.scale.bz2 or rcv1_train.multiclass.bz2."""

ENDINGS = (".csv", ".parquet", ".tsv", *_SVMLIGHT)
"""Of the names of the files that `from_file` reads; all but Parquet may be compressed."""


MOST_SVMLIGHT_FEATURES = 2**28
"""A larger feature number would take gigabytes of weights for every class."""


class FileStream(TableStream):
    """The rows of a Parquet or CSV file, one window in memory at a time, reshuffled inside each window."""

    no_options = frozenset({"path", "label", "columns", "hash_features", "batch_rows", "cases"})
    rounds: int

    def __init__(
        self,
        path: Path,
        label: str | None,
        columns: Sequence[str] | None,
        classes: Sequence[Label] | None,
        hash_features: int | None,
        normalize: bool,
        bias: bool,
        shuffle: bool,
        batch_rows: int,
        cases: bool | None = None,
    ) -> None:
        table = open_table(path, _SVMLIGHT)
        column = check_label(table, label)
        features = choose_features(table, column, columns, hash_features)
        raw, labels, rounds = _opened(table, column, features, classes, cases)
        check_features(table, features, raw)
        if raw:
            check_no_scaling(normalize, bias)
        self.name = path.name
        self.classes = labels.classes
        self.rounds = rounds
        self.cases = raw
        self.sparse = raw or features.hashed is not None
        self._width = len(features.types)
        self.n_features = (features.hashed or self._width) + bias
        self._path = path
        self._table = table
        self._labels = labels
        self._shuffle = shuffle
        self._normalize = normalize
        row_bytes = (16 if self.sparse else 8) * (self._width + bias)
        if raw:
            row_bytes = max(row_bytes, _COMPRESSED * path.stat().st_size // rounds)
        self._window_rows = max(1, min(batch_rows, _WINDOW_BYTES // row_bytes))
        self._read_rows = max(1, min(self._window_rows, _READ_BYTES // row_bytes))
        self.options = {**self.options, "window": self._window_rows}
        self.facts = {"file": str(path), "label": column}
        if labels.counts is not None:
            self.facts["counts"] = labels.counts
        self._keep_columns(features, bias)
        self.recipe = FileStream, {
            "path": path.absolute(), "label": label, "columns": columns, "classes": labels.classes,
            "hash_features": hash_features, "normalize": normalize, "bias": bias, "shuffle": shuffle,
            "batch_rows": batch_rows, "cases": raw,
        }  # fmt: skip

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: the file's content and how its columns are read."""
        read: dict[str, Any] = {
            "label": self._labels.column,
            "columns": list(self._features.types),
            "hashed": self._features.hashed,
        }
        return super().identity() | read | {"content": self._digest}

    @cached_property
    def _digest(self) -> str:
        with self._path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """The file's windows, pass after pass; only inside a window rows change places."""
        left = self.rounds if rounds is None else rounds
        draw = np.random.Generator(bit_generator(seed, "stream")) if self._shuffle else None
        while left > 0:
            yield from self._read(left, draw)
            left -= self.rounds

    def _windows_of_one_pass(self) -> Iterator[Window]:
        return self._read(self.rounds, None)

    def _read(self, rows: int, draw: np.random.Generator | None) -> Iterator[Window]:
        """The windows of one pass, until they have `rows` rows, each reshuffled if there is a generator."""
        columns = [*self._features.types, self._labels.column]
        batches = self._table.read(columns, self._read_rows)
        parts = _cut(batches, self._window_rows)
        for first in range(0, min(rows, self.rounds), self._window_rows):
            n = min(self._window_rows, self.rounds - first)
            order = np.arange(n) if draw is None else draw.permutation(n)
            yield self._window(parts, first, order[: rows - first])

    def _window(self, parts: Iterator[Any], first: int, order: IntArray) -> Window:
        """The next window, filled part by part: its rows start with row `first` of the file."""
        n = min(self._window_rows, self.rounds - first)
        y = np.empty(n, dtype=np.int64)
        X: Any = [] if self.sparse else np.empty((n, self._width))
        done = 0
        while done < n:
            part = next(parts, None)
            if part is None:
                raise DataError(f"{self._path}: had {self.rounds} rows when opened, and fewer now; open it again")
            end = done + part.num_rows
            y[done:end] = self._labels.encode(part.column(self._labels.column), first + done)
            rows = part.select(list(self._features.types)) if self.cases else self._features.rows(part, first + done)
            if self.sparse:
                X.append(rows)
            else:
                X[done:end] = rows
            done = end
        if self.cases:
            return Window(cases_of_table(joined_batches(X), list(self._features.types)), y, order)
        X = sp.vstack(X, format="csr") if self.sparse else X
        return Window(with_norm_and_bias(X, self._normalize, self._bias), y, order)


def _opened(
    table: Table, label: str, features: Columns, classes: Sequence[Label] | None, cases: bool | None
) -> tuple[bool, Labels, int]:
    """Whether the rows are raw cases; the labels; the number of rows. Columns of cases in CSV are read as text."""
    if features.hashed is not None:
        return bool(cases), *read_labels(table, label, classes)
    numbers = all(content_of(kind) == "numbers" for kind in features.types.values())
    raw = cases if cases is not None else not numbers or table.has_gaps(features.types)
    if not raw:
        known = cases is False or (classes is not None and table.rows is not None)
        search = GapSearch([] if known else features.types)
        try:
            found = read_labels(table, label, classes, search)
        except DataError:
            if not search.names:
                raise
            search.found = True  # perhaps a column of numbers has text further down: without it the labels can be read
        if not search.found:
            return False, *found
        raw = True
    table.read_as_text(features.types)
    return raw, *read_labels(table, label, classes)


def from_file(
    path: str | os.PathLike[str],
    label: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    classes: Sequence[Label] | None = None,
    hash_features: int | None = None,
    normalize: bool = False,
    bias: bool = False,
    shuffle: bool = True,
    batch_rows: int = 65_536,
    cases: bool | None = None,
) -> Stream:
    """A stream from a file: Parquet (`.parquet`), CSV with a header line (`.csv`, `.tsv`), or svmlight.

    Parquet and CSV are read window by window (`batch_rows` rows, or fewer if those would take more than
    32 MiB), so the file may be larger than memory. Rows are shuffled inside each window, not across: a
    long file sorted by label stays so from window to window, and one that fits in a window is reshuffled
    whole. svmlight files (`.svm`, `.svmlight`, `.libsvm`, and LibSVM's own names such as `covtype.scale`
    and `usps.t`) are read into memory. All but Parquet may be compressed (`.gz`, `.bz2`). Beside the window,
    Arrow keeps up to 3 MB for each column of a Parquet file, so a very wide one may need more memory than a long one.

    `label` names the column of the true label (svmlight needs none). Features are all other columns, or `columns`.
    Where all of them are numbers or booleans without gaps, rows are dense, in the order of the columns. Where there is
    anything else (text, dates, lists, gaps), they are raw cases, which each learner reads by itself; those of CSV as
    text, of which the learner sees what is a number or a date, and a blank is a gap. `cases=True` asks for that with
    columns of numbers too, `cases=False` refuses it; `hash_features=2**18`, say, hashes all columns by name in its
    place. Gaps in Parquet are looked for once, unless `classes` are given: then only where the file counts them itself.
    `classes` fixes the labels and their order (default: those that occur, sorted). `normalize`, `bias` and `shuffle` as
    for `from_arrays`.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pets.csv"
    >>> _ = path.write_text("weight,food,pet\\n4.1,fish,cat\\n,seed,bird\\n5.0,fish,cat\\n")
    >>> stream = from_file(path, label="pet", shuffle=False)
    >>> stream
    FileStream(pets.csv: 3 rows, 2 columns of raw cases ('weight', 'food'), 2 classes)
    >>> stream.X[:2]
    [{'weight': '4.1', 'food': 'fish'}, {'weight': '', 'food': 'seed'}]
    """
    path = Path(path)
    if not path.is_file():
        near = get_close_matches(path.name, [one.name for one in path.parent.glob("*") if one.is_file()], n=1)
        hint = f"did you mean {near[0]}?" if near else "check its name and folder"
        raise DataError(f"{path}: there is no such file; {hint}")
    if suffix_of(path) in (*_SVMLIGHT, *_LIBSVM):
        given = {"label": label, "columns": columns, "hash_features": hash_features, "cases": cases}
        for name, value in given.items():
            if value is not None:
                raise ConfigError(f"{name}={value!r}: svmlight files have no named columns; leave {name} out")
        return _from_svmlight(path, classes, normalize, bias, shuffle)
    check_whole("batch_rows", batch_rows, high=MOST_ROWS_OR_FEATURES)
    return FileStream(path, label, columns, classes, hash_features, normalize, bias, shuffle, batch_rows, cases)


def _cut(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """The batches in parts, cut so that none crosses the end of a window of `rows` rows."""
    room = rows
    for batch in batches:
        start = 0
        while start < batch.num_rows:
            part = batch.slice(start, room)
            start += part.num_rows
            room = room - part.num_rows or rows
            yield part


def _from_svmlight(
    path: Path, classes: Sequence[Label] | None, normalize: bool, bias: bool, shuffle: bool
) -> ArrayStream:
    from sklearn.datasets import load_svmlight_file

    try:
        X, y = load_svmlight_file(str(path))
    except OverflowError as error:
        raise DataError(
            f"{path}: has a feature number of 2^31 or more; number the features that occur anew, or hash them"
        ) from error
    except (ValueError, OSError, EOFError, MemoryError) as error:
        raise DataError(f"{path}: cannot be read as svmlight ({error}); is it whole, and of this format?") from error
    if X.shape[1] > MOST_SVMLIGHT_FEATURES:
        raise DataError(
            f"{path}: has feature numbers for {X.shape[1]:,} features, and at most {MOST_SVMLIGHT_FEATURES:,} can "
            "be; number those that occur anew, or hash them"
        )
    if X.shape[0] == 0:
        raise DataError(f"{path}: has no rows")
    whole = bool(np.all((np.round(y) == y) & (np.abs(y) < 2**53)))
    try:
        stream = from_arrays(
            X,
            y.astype(np.int64) if whole else y,
            classes=classes,
            normalize=normalize,
            bias=bias,
            shuffle=shuffle,
            name=path.name,
        )
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    stream.facts = {"file": str(path), **stream.facts}
    return stream
