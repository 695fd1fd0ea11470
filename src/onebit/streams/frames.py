"""Streams from frames: pandas, polars, Arrow, DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from onebit.core.aliases import Label
from onebit.features.frames import to_arrow
from onebit.features.labelled import prepare_rows
from onebit.streams.arrays import ArrayStream
from onebit.streams.tables.feature_columns import check_label, choose_features
from onebit.streams.tables.label_column import read_labels
from onebit.streams.tables.readers import Table
from onebit.streams.tables.stream import TableStream
from onebit.streams.tables.text_values import TextValues


class FrameTable(Table):
    """A frame, held as an Arrow table."""

    def __init__(self, frame: Any, name: str) -> None:
        self.path = name
        self.whole = to_arrow(frame, name)
        self.rows = int(self.whole.num_rows)
        self._keep_types(self.whole.schema)

    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Batches of these columns, which share their memory with the table."""
        yield from self.whole.select(list(columns)).to_batches(max_chunksize=rows)


class FrameStream(TableStream, ArrayStream):
    """The rows of a frame, in memory."""

    no_options = frozenset({"frame", "label", "columns", "hash_features"})

    def __init__(
        self,
        frame: Any,
        label: str,
        columns: Sequence[str] | None,
        classes: Sequence[Label] | None,
        hash_features: int | None,
        normalize: bool,
        bias: bool,
        shuffle: bool,
        name: str,
    ) -> None:
        table = FrameTable(frame, name)
        column = check_label(table, label)
        texts = TextValues(choose_features(table, column, columns, hash_features))
        labels, _ = read_labels(table, column, classes, texts)
        features = texts.columns()
        rows = prepare_rows(features.rows(table.whole), normalize=normalize, bias=bias)
        codes = labels.encode(table.whole.column(column), 0)
        ArrayStream.__init__(self, rows, codes, labels.classes, name, shuffle)
        self.facts = {"label": column}
        self._keep_columns(features, normalize, bias)

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels: a digest of them, and which column holds the labels."""
        return super().identity() | {"label": self.facts["label"]}


def from_frame(
    frame: Any,
    label: str,
    *,
    columns: Sequence[str] | None = None,
    classes: Sequence[Label] | None = None,
    hash_features: int | None = None,
    normalize: bool = False,
    bias: bool = False,
    shuffle: bool = True,
    name: str = "frame",
) -> FrameStream:
    """A stream from a frame: pandas, polars, an Arrow table, a DuckDB relation, or any other that speaks Arrow.

    `label` names the column of the true label. Features are all other columns (but pandas' index), or `columns`. They
    hold numbers, booleans, or text (also as categories) of at most 64 different values, each of which becomes a
    feature of 0 and 1. With `hash_features=2**18`, say, text may have any number of values: each column is hashed as in
    a dict row, and the rows become sparse. For one row by name, a learner is given `stream.seen(row)`. `classes`,
    `normalize`, `bias` and `shuffle` as for `from_arrays`. The stream is the one that `from_file` reads from the same
    columns in a Parquet file, but that it is held in memory and shuffled as a whole.

    >>> import pyarrow as pa
    >>> pets = pa.table({"weight": [4.1, 0.3, 5.0], "food": ["fish", "seed", "fish"], "pet": ["cat", "bird", "cat"]})
    >>> stream = from_frame(pets, label="pet")
    >>> stream.classes, stream.feature_names
    (('bird', 'cat'), ('weight', 'food=fish', 'food=seed'))
    >>> stream.X
    array([[4.1, 1. , 0. ],
           [0.3, 0. , 1. ],
           [5. , 1. , 0. ]])
    """
    return FrameStream(frame, label, columns, classes, hash_features, normalize, bias, shuffle, name)
