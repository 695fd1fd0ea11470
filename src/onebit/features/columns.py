"""Columns of an Arrow table as rows of numbers: side by side, or hashed by name, with text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.errors import DataError
from onebit.features.hashing import hash_columns

Content = Literal["numbers", "text", "other"]

_PANDAS_INDEX = "__index_level_"


def plain_type(kind: Any) -> Any:
    """The Arrow type as which a column is handled: categories by their values, one kind of text.

    >>> import pyarrow as pa
    >>> plain_type(pa.dictionary(pa.int8(), pa.large_string()))
    DataType(string)
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    return pa.float64() if pa.types.is_float16(kind) else kind


def plain_column(column: Any, kind: Any) -> Any:
    """A column as a plain type; Arrow cannot turn categories of every kind of text into text in one step.

    >>> import pyarrow as pa
    >>> column = pa.array(["cat", "dog"]).dictionary_encode()
    >>> plain_column(column, plain_type(column.type)).type
    DataType(string)
    """
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.dictionary(column.type.index_type, kind))
    return column.cast(kind)


def plain_types(source: object, schema: Any) -> dict[str, Any]:
    """The plain type of each column, if no two have one name.

    >>> import pyarrow as pa
    >>> plain_types("cases.parquet", pa.schema({"weight": pa.float16()}))
    {'weight': DataType(double)}
    """
    twice = sorted(name for name, count in Counter(schema.names).items() if count > 1)
    if twice:
        raise DataError(f"{source}: has several columns named {twice[0]!r}; columns need different names")
    return {field.name: plain_type(field.type) for field in schema}


def content_of(kind: Any) -> Content:
    """What a column of a plain type holds: numbers (also booleans), text, or something else.

    >>> import pyarrow as pa
    >>> content_of(pa.bool_()), content_of(pa.string()), content_of(pa.date32())
    ('numbers', 'text', 'other')
    """
    import pyarrow.types as kinds

    if kinds.is_string(kind):
        return "text"
    numeric = (kinds.is_integer, kinds.is_floating, kinds.is_boolean, kinds.is_decimal, kinds.is_null)
    return "numbers" if any(test(kind) for test in numeric) else "other"


def index_columns(schema: Any) -> set[str]:
    """The columns in which pandas hands over its index: they are no features, unless asked for by name.

    >>> import pyarrow as pa
    >>> index_columns(pa.schema({"__index_level_0__": pa.int64(), "weight": pa.float64()}))
    {'__index_level_0__'}
    """
    noted = (schema.pandas_metadata or {}).get("index_columns", [])
    nameless = {name for name in schema.names if name.startswith(_PANDAS_INDEX)}
    return nameless | {name for name in noted if isinstance(name, str)}


def numbers_in(column: Any) -> Any:
    """A column of floats or signed integers without gaps as an array; Arrow's own way to NumPy would import pandas.

    >>> import pyarrow as pa
    >>> numbers_in(pa.chunked_array([[4, 2], [6]]))
    array([4, 2, 6])
    """
    import pyarrow as pa

    dtype = np.dtype(f"{'f' if pa.types.is_floating(column.type) else 'i'}{column.type.bit_width // 8}")
    chunks = [chunk for chunk in getattr(column, "chunks", [column]) if len(chunk)]
    parts = [np.frombuffer(c.buffers()[1], dtype, len(c), c.offset * dtype.itemsize) for c in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


class Columns(NamedTuple):
    """The columns that make a row of numbers, by name and plain type: dense, or hashed into `hashed` features.

    >>> import pyarrow as pa
    >>> cases = pa.table({"weight": [4.1, 0.3], "tame": [True, False]})
    >>> Columns("cases", plain_types("cases", cases.schema)).rows(cases)
    array([[4.1, 1. ],
           [0.3, 0. ]])
    """

    source: object
    types: Mapping[str, Any]
    hashed: int | None = None

    def rows(self, batch: Any, row: int = 0) -> Any:
        """The rows of a table or record batch that begins at `row` of the source: all float32 stays so.

        >>> import pyarrow as pa
        >>> cases = pa.table({"pet": ["cat", "dog"]})
        >>> Columns("cases", plain_types("cases", cases.schema), hashed=8).rows(cases).shape
        (2, 8)
        """
        import pyarrow as pa

        if self.hashed is not None:
            return hash_columns({name: self._values(batch, name, row) for name in self.types}, self.hashed)
        narrow = all(pa.types.is_float32(kind) for kind in self.types.values())
        X = np.empty((batch.num_rows, len(self.types)), np.float32 if narrow else np.float64)
        for j, name in enumerate(self.types):
            X[:, j] = self._numbers(batch, name, row)
        return X

    def texts(self, batch: Any, name: str, row: int = 0) -> Any:
        """A column of text as Arrow strings, none of them missing.

        >>> import pyarrow as pa
        >>> cases = pa.table({"pet": pa.array(["cat", "dog"]).dictionary_encode()})
        >>> Columns("cases", plain_types("cases", cases.schema)).texts(cases, "pet").to_pylist()
        ['cat', 'dog']
        """
        import pyarrow.compute as pc

        column = plain_column(batch.column(name), self.types[name])
        if column.null_count:
            raise self._bad_value(name, row + pc.index(column.is_null(), True).as_py(), "missing")
        return column

    def _values(self, batch: Any, name: str, row: int) -> FloatArray | list[str]:
        if content_of(self.types[name]) == "numbers":
            return self._numbers(batch, name, row)
        texts: list[str] = self.texts(batch, name, row).to_pylist()
        return texts

    def _numbers(self, batch: Any, name: str, row: int) -> FloatArray:
        import pyarrow as pa

        column = batch.column(name).cast(self.types[name])
        if not pa.types.is_float32(self.types[name]):
            column = column.cast(pa.float64(), safe=False)
        values: FloatArray = numbers_in(column.fill_null(float("nan")) if column.null_count else column)
        finite = np.isfinite(values)
        if not finite.all():
            at = int(np.argmin(finite))
            raise self._bad_value(name, row + at, "missing" if np.isnan(values[at]) else str(values[at]))
        return values

    def _bad_value(self, column: str, row: int, value: str) -> DataError:
        return DataError(
            f"{self.source}: column {column!r} is {value} in row {row} (from 0); "
            "rows must be finite: replace or drop such values first"
            + (", or have raw cases read, which may have gaps" if value == "missing" else "")
        )
