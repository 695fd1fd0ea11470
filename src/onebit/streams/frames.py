"""Streams from frames: pandas, polars, Arrow, DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from onebit.core.aliases import Label
from onebit.features.case_rows import cases_of_table, check_no_scaling
from onebit.features.frames import to_arrow
from onebit.features.labelled import prepare_rows
from onebit.features.named_rows import are_cases
from onebit.streams.arrays import ArrayStream
from onebit.streams.tables.feature_columns import check_features, check_label, choose_features
from onebit.streams.tables.label_column import read_labels
from onebit.streams.tables.readers import Table
from onebit.streams.tables.stream import TableStream


class FrameTable(Table):
    """A frame, held as an Arrow table."""

    def __init__(self, frame: Any, name: str) -> None:
        self.path = name
        self.whole = to_arrow(frame, name, mixed=True)
        self.rows = int(self.whole.num_rows)
        self._keep_types(self.whole.schema)

    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Batches of these columns, which share their memory with the table."""
        yield from self.whole.select(list(columns)).to_batches(max_chunksize=rows)


class FrameStream(TableStream, ArrayStream):
    """The rows of a frame, in memory."""

    no_options = frozenset({"frame", "label", "columns", "hash_features", "cases"})

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
        cases: bool | None = None,
    ) -> None:
        table = FrameTable(frame, name)
        column = check_label(table, label)
        chosen = choose_features(table, column, columns, hash_features)
        labels, _ = read_labels(table, column, classes)
        names = list(chosen.types)
        raw = are_cases(table.whole.select(names)) if hash_features is None and cases is None else bool(cases)
        check_features(table, chosen, raw)
        rows: Any
        if raw:
            check_no_scaling(normalize, bias)
            rows = cases_of_table(table.whole, names)
        else:
            rows = prepare_rows(chosen.rows(table.whole), normalize=normalize, bias=bias)
        codes = labels.encode(table.whole.column(column), 0)
        ArrayStream.__init__(self, rows, codes, labels.classes, name, shuffle)
        self.facts = {"label": column}
        self._keep_columns(chosen, bias)

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
    cases: bool | None = None,
) -> FrameStream:
    """A stream from a frame: pandas, polars, an Arrow table, a DuckDB relation, or any other that speaks Arrow.

    `label` names the column of the true label. Features are all other columns (but pandas' index), or `columns`. Where
    all of them are numbers or booleans without gaps, rows are dense, in the order of the columns. Where there is
    anything else (text, categories, dates, lists, gaps), they are raw cases, which each learner reads by itself: so a
    learner of this stream goes live on dicts. `cases=True` asks for that with columns of numbers too, `cases=False`
    refuses it; `hash_features=2**18`, say, hashes all columns by name in its place. `classes`, `normalize`, `bias` and
    `shuffle` as for `from_arrays`. The stream is the one that `from_file` reads from the same columns in a Parquet
    file, but that it is held in memory and shuffled as a whole.

    >>> import pyarrow as pa
    >>> pets = pa.table({"weight": [4.1, None, 5.0], "food": ["fish", "seed", "fish"], "pet": ["cat", "bird", "cat"]})
    >>> stream = from_frame(pets, label="pet")
    >>> stream
    FrameStream(frame: 3 rows, 2 columns of raw cases ('weight', 'food'), 2 classes)
    >>> stream.X[1]
    {'weight': None, 'food': 'seed'}
    >>> from_frame(pets, label="pet", columns=["food"], hash_features=64).X.shape
    (3, 64)
    """
    return FrameStream(frame, label, columns, classes, hash_features, normalize, bias, shuffle, name, cases)
