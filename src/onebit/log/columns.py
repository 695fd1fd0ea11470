"""Columns of a log as NumPy arrays, checked. No loop over rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from onebit.core.aliases import FloatArray, IntArray, Label
from onebit.core.errors import DataError
from onebit.core.labels import label_array
from onebit.log.source import Source

_LABEL_REMEDY = "labels are whole numbers, numbers, booleans or text, or lists of m of them"


def require(source: Source, columns: Sequence[str]) -> None:
    """A `DataError` that names the first column missing and those there are."""
    missing = [column for column in columns if column not in source]
    if missing:
        found = ", ".join(repr(name) for name in source.table.column_names[:20]) or "none"
        raise DataError(f"{source.name}: has no column {missing[0]!r}; its columns are {found}")


def numbers(source: Source, column: str, fine: Callable[[FloatArray], Any], remedy: str) -> FloatArray:
    """A column of numbers, all of them `fine`."""
    import pyarrow as pa

    if not is_number(source.type(column)):
        raise source.wrong_type(column, remedy)
    check_no_gap(source, column, remedy)
    values: FloatArray = source.table.column(column).cast(pa.float64(), safe=False).to_numpy()
    right = fine(values)
    if not right.all():
        at = int(np.argmin(right))
        raise source.bad(column, at, values[at], remedy)
    return values


def booleans(source: Source, column: str, remedy: str) -> Any:
    """A column of booleans, or of the numbers 0 and 1."""
    import pyarrow as pa

    if source.type(column) == pa.bool_():
        check_no_gap(source, column, remedy)
        return source.table.column(column).to_numpy()
    return numbers(source, column, lambda values: (values == 0) | (values == 1), remedy).astype(bool)


def whole_numbers(source: Source, column: str) -> IntArray | None:
    """A column of whole numbers without gaps, or None if it is anything else."""
    import pyarrow as pa

    values = source.table.column(column)
    if not pa.types.is_integer(values.type) or values.null_count:
        return None
    return np.asarray(values.cast(pa.int64(), safe=False).to_numpy())


def labels(source: Source, column: str) -> Any:
    """A column of labels (n,), or of lists of m labels (n, m)."""
    import pyarrow.compute as pc

    check_no_gap(source, column, "every decision needs its labels")
    values = source.table.column(column)
    if not is_list(values.type):
        return _labels(source, column, values)
    if column_width(source, column) == 0:
        raise source.bad(column, 0, "empty", "a set has at least one label")
    return _labels(source, column, pc.list_flatten(values)).reshape(len(values), -1)


def label_lists(source: Source, column: str) -> Any:
    """A column of lists of labels, of any length: an array of tuples, None where there is no list; None without any."""
    import pyarrow.compute as pc

    values = source.table.column(column)
    lists = pc.drop_null(values)
    if not len(lists):
        return None
    flat = _labels(source, column, pc.list_flatten(lists)).tolist()
    ends = np.cumsum(pc.list_value_length(lists).to_numpy()).tolist()
    found = [tuple(flat[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    column_of_tuples = np.full(len(values), None)
    for row, labels_there in zip(np.flatnonzero(pc.is_valid(values).to_numpy()), found, strict=True):
        column_of_tuples[row] = labels_there
    return column_of_tuples


def column_width(source: Source, column: str) -> int:
    """How long the lists of a column are, if all are as long as the first."""
    import pyarrow.compute as pc

    lengths = pc.list_value_length(source.table.column(column)).to_numpy()
    odd = np.flatnonzero(lengths != lengths[0])
    if len(odd):
        raise source.bad(
            column, odd[0], f"a list of {lengths[odd[0]]}", f"the first one has {lengths[0]}, and all must be as long"
        )
    return int(lengths[0])


def check_no_gap(source: Source, column: str, remedy: str) -> None:
    """A `DataError` where a value is missing, or not a number."""
    import pyarrow.compute as pc

    gap = pc.index(pc.is_null(source.table.column(column), nan_is_null=True), True).as_py()
    if gap >= 0:
        raise source.bad(column, gap, "missing", remedy)


def is_number(kind: Any) -> bool:
    """Whether an Arrow type holds numbers or booleans."""
    import pyarrow as pa

    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind))


def is_list(kind: Any) -> bool:
    """Whether an Arrow type holds lists."""
    import pyarrow as pa

    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _labels(source: Source, column: str, values: Any) -> Any:
    """A flat Arrow column of labels as an array of their own type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    types = pa.types
    kind = values.type
    if types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        kind = kind.value_type
    if pc.any(pc.is_null(values, nan_is_null=True)).as_py():
        raise DataError(f"{source.name}: column {column!r} has a list with a missing label; every label must be there")
    if types.is_boolean(kind):
        return values.to_numpy()
    if types.is_integer(kind) or types.is_floating(kind):
        return values.cast(pa.int64() if types.is_integer(kind) else pa.float64()).to_numpy()
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
        raise source.wrong_type(column, _LABEL_REMEDY)
    encoded = values.cast(pa.large_string()).combine_chunks().dictionary_encode()
    known: dict[str, Label] = {str(label): label for label in source.facts.get("labels", ())}
    found = [known.get(text, text) for text in encoded.dictionary.to_pylist()]
    return label_array(found)[encoded.indices.to_numpy()]
