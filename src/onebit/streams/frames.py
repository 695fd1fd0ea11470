"""Streams from frames: pandas, polars, Arrow, DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from onebit.core.types import Label
from onebit.features.frames import to_arrow
from onebit.streams.arrays import ArrayStream, prepare_rows
from onebit.streams.columns import check_label, choose_features
from onebit.streams.labels import read_labels
from onebit.streams.tables import Table


class FrameTable(Table):
    """A frame, held as an Arrow table."""

    def __init__(self, frame: Any, name: str) -> None:
        self.path, self.whole = name, to_arrow(frame, name)
        self.rows = int(self.whole.num_rows)
        self._keep_types(self.whole.schema)

    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Batches of these columns, which share their memory with the table."""
        yield from self.whole.select(list(columns)).to_batches(max_chunksize=rows)


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
) -> ArrayStream:
    """A stream from a frame: pandas, polars, an Arrow table, a DuckDB relation, or any other that speaks Arrow.

    `label` names the column of the true label. Features are all other columns (but pandas' index), or `columns`. They
    hold numbers or booleans; with `hash_features=2**18`, say, text and categories too: each column is hashed as in a
    dict row, and the rows become sparse. `classes`, `normalize`, `bias` and `shuffle` as for `from_arrays`. The
    stream is the one that `from_file` reads from the same columns in a Parquet file, but that it is held in memory
    and shuffled as a whole.

    >>> import pyarrow as pa
    >>> pets = pa.table({"weight": [4.1, 0.3, 5.0], "legs": [4, 2, 4], "pet": ["cat", "bird", "cat"]})
    >>> stream = from_frame(pets, label="pet")
    >>> stream.classes, stream.rounds, stream.n_features
    (('bird', 'cat'), 3, 2)
    >>> stream.X
    array([[4.1, 4. ],
           [0.3, 2. ],
           [5. , 4. ]])
    """
    table = FrameTable(frame, name)
    named = check_label(table, label)
    features = choose_features(table, named, columns, hash_features)
    labels, _ = read_labels(table, named, classes)
    rows = prepare_rows(features.rows(table.whole), normalize=normalize, bias=bias)
    stream = ArrayStream(rows, labels.encode(table.whole.column(named), 0), labels.classes, name, shuffle)
    stream.facts = {"label": named, "options": {"normalize": normalize, "bias": bias, "shuffle": shuffle}}
    return stream
