"""The label column of a table: which classes there are, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import IntArray, Label
from onebit.core.errors import DataError
from onebit.core.labels import check_classes
from onebit.features.columns import numbers_in, plain_column
from onebit.streams.tables.gaps import GapSearch
from onebit.streams.tables.readers import CsvTable, Table

_SCAN_ROWS = 65_536
MISSING_NUMBERS = {"", "NA", "N/A", "NULL", "NaN", "nan", "null"}
_BOOLEANS = {"true", "false", "True", "False", "TRUE", "FALSE"}


class Labels(NamedTuple):
    """The label column, its classes, the same as an Arrow array, and the rows of each class where counted."""

    path: Path | str
    column: str
    classes: tuple[Label, ...]
    values: Any
    counts: list[int] | None

    def encode(self, column: Any, row: int) -> IntArray:
        """The number of each label's class, for a part of the column that begins at `row`."""
        import pyarrow.compute as pc

        labels = plain_column(column, self.values.type)
        codes = pc.index_in(labels, value_set=self.values)
        if codes.null_count:
            at = pc.index(codes.is_null(), True).as_py()
            raise _not_a_class(self.path, self.column, labels[at].as_py(), row + at, self.classes)
        return numbers_in(codes).astype(np.int64)  # type: ignore[no-any-return]  # an array


class _Occurrence(NamedTuple):
    """The first row that has a label, and how many do."""

    row: int
    times: int


def read_labels(
    table: Table, column: str, classes: Sequence[Label] | None, gaps: GapSearch | None = None
) -> tuple[Labels, int]:
    """The labels of a table, and its number of rows: by a scan of the label column, where there is need.

    The same scan looks for gaps in other columns, if there is one.
    """
    import pyarrow as pa

    gaps = gaps or GapSearch()
    known = None if classes is None else check_classes(classes)
    if pa.types.is_nested(table.types[column]):
        raise DataError(f"label={column!r}: holds {table.types[column]} in {table.path}; a label is a single value")
    if known is not None and table.rows is not None and not gaps.names:
        seen = None
        rows = table.rows
    else:
        seen, rows = (
            _scan_text(table, column, known, gaps) if isinstance(table, CsvTable) else _scan(table, column, gaps)
        )
        unknown = [] if known is None else [label for label in seen if label not in known]
        known = known or tuple(sorted(seen))
        if unknown:
            raise _not_a_class(table.path, column, unknown[0], seen[unknown[0]].row, known)
    if rows == 0:
        raise DataError(f"{table.path}: has no rows")
    if len(known) < 2:
        raise DataError(f"label={column!r}: every row of {table.path} says {known[0]!r}; there must be 2 classes")
    try:
        values = pa.array(known, type=table.types[column])
    except (pa.ArrowException, TypeError, OverflowError):
        raise DataError(
            f"classes={list(known)}: cannot be labels of column {column!r} of {table.path}, "
            f"which holds {table.types[column]}"
        ) from None
    counts = None if seen is None else [seen[label].times if label in seen else 0 for label in known]
    return Labels(table.path, column, known, values, counts), rows


def _scan(table: Table, column: str, gaps: GapSearch) -> tuple[dict[Any, _Occurrence], int]:
    """Each label that occurs, where and how often; and the number of rows."""
    import pyarrow.compute as pc

    seen: dict[Any, _Occurrence] = {}
    rows = 0
    for batch in table.read([column, *gaps.names], _SCAN_ROWS):
        gaps.add(batch)
        labels = plain_column(batch.column(column), table.types[column])
        gap = pc.index(pc.is_null(labels, nan_is_null=True), True).as_py()
        if gap >= 0:
            raise _missing(table.path, column, rows + gap)
        groups = labels.dictionary_encode()
        _, firsts, counts = np.unique(numbers_in(groups.indices), return_index=True, return_counts=True)
        for label, first, count in zip(groups.dictionary.to_pylist(), firsts.tolist(), counts.tolist(), strict=True):
            before = seen.get(label)
            seen[label] = _Occurrence(before.row, before.times + count) if before else _Occurrence(rows + first, count)
        rows += len(labels)
    return seen, rows


def _scan_text(
    table: Table, column: str, known: tuple[Label, ...] | None, gaps: GapSearch
) -> tuple[dict[Any, _Occurrence], int]:
    """The same for CSV, where labels are what all of them can be: whole numbers, numbers, booleans or text.

    Where the user's classes are text, so are the labels.
    """
    import pyarrow as pa

    table.types[column] = pa.string()
    seen, rows = _scan(table, column, gaps)
    text = known is not None and all(isinstance(label, str) for label in known)
    proper = [label for label in seen if label not in MISSING_NUMBERS]
    kind = pa.string() if text else common_type(proper)
    missing = [seen[label].row for label in ({""} if kind == pa.string() else MISSING_NUMBERS) if label in seen]
    if missing:
        raise _missing(table.path, column, min(missing))
    table.types[column] = kind
    typed: dict[Any, _Occurrence] = {}
    for label, raw in zip(cast_text(list(seen), kind).to_pylist(), seen, strict=True):
        first, count = typed.get(label, _Occurrence(seen[raw].row, 0))
        typed[label] = _Occurrence(min(first, seen[raw].row), count + seen[raw].times)
    return typed, rows


def common_type(labels: list[str]) -> Any:
    """The Arrow type that all of these texts can be: whole numbers, numbers, booleans, else text."""
    import pyarrow as pa

    if not labels:
        return pa.string()
    for kind in (pa.int64(), pa.float64()):
        try:
            cast_text(labels, kind)
        except pa.ArrowInvalid:
            continue
        return kind
    return pa.bool_() if _BOOLEANS.issuperset(labels) else pa.string()


def cast_text(labels: list[str], kind: Any) -> Any:
    """Text as CSV readers take it: spaces around numbers do not count."""
    import pyarrow as pa

    texts = pa.array(labels, type=pa.string())
    return texts if kind == pa.string() else pa.array([label.strip() for label in labels]).cast(kind)


def _missing(path: Path | str, column: str, row: int) -> DataError:
    return DataError(f"{path}: row {row} (from 0) has no label in column {column!r}; drop the rows without one")


def _not_a_class(path: Path | str, column: str, label: Any, row: int, classes: Sequence[Label]) -> DataError:
    if label is None or label != label:
        return _missing(path, column, row)
    return DataError(
        f"{path}: row {row} (from 0) has the label {label!r} in column {column!r}, "
        f"which is not among the classes {list(classes)}"
    )
