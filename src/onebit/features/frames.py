"""Frames as rows: pandas, polars, Arrow, DuckDB, and whatever else hands its columns over through Arrow.

None of these packages is imported here, or asked for by name: a frame is an object with the Arrow PyCapsule interface
(`__arrow_c_stream__` or `__arrow_c_array__`), or else with the dataframe interchange protocol (`__dataframe__`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from numbers import Real
from typing import Any

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.errors import DataError
from onebit.features.arrays import as_array
from onebit.features.columns import Columns, content_of, index_columns, plain_column, plain_type, plain_types

_ARROW = ("__arrow_c_stream__", "__arrow_c_array__")


def is_frame(X: Any) -> bool:
    """Whether X is a table of named columns; a single column, which has a `dtype`, is none.

    >>> import pyarrow as pa
    >>> is_frame(pa.table({"weight": [4.1, 0.3]})), is_frame(np.eye(2)), is_frame([{"weight": 4.1}])
    (True, False, False)
    """
    kind = type(X)
    return not hasattr(kind, "dtype") and any(hasattr(kind, way) for way in (*_ARROW, "__dataframe__"))


def is_named_row(X: Any) -> bool:
    """Whether X is one row with a name for each value, but no dict: a pandas Series, as `frame.iloc[0]` gives it.

    >>> is_named_row({"weight": 4.1}), is_named_row(np.array([4.1]))
    (False, False)
    """
    kind = type(X)
    return hasattr(kind, "dtype") and hasattr(kind, "keys") and hasattr(kind, "to_dict")


def to_arrow(frame: Any, source: str = "frame", mixed: bool = False) -> Any:
    """A frame as an Arrow table, without copies where its columns are Arrow's already.

    A column of pandas that mixes numbers and text, which Arrow does not have, is an error, or text with `mixed`.

    >>> import pandas as pd, pyarrow as pa
    >>> to_arrow(pa.record_batch({"weight": [4.1, 0.3]})).num_rows
    2
    >>> to_arrow(pd.DataFrame({"size": [12, "large", None]}), mixed=True)["size"].to_pylist()
    ['12', 'large', None]
    """
    import pyarrow as pa

    if not isinstance(frame, pa.Table | pa.RecordBatch) and not is_frame(frame):
        raise DataError(
            f"{source}: is a {type(frame).__name__}, and no table of named columns; give a pandas or polars frame "
            "(collect a lazy one first), an Arrow table or a DuckDB relation"
        )
    if mixed and hasattr(type(frame), "iloc"):
        try:
            return to_arrow(frame, source)
        except DataError as error:
            return _mixed_as_text(frame, error)
    return checked(_table_of(frame, source), source)


def _table_of(frame: Any, source: str) -> Any:
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    with _explained(source):
        if hasattr(type(frame), "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(frame).read_all()  # `pa.table` would import pandas
        if hasattr(type(frame), "__arrow_c_array__"):
            return pa.Table.from_batches([pa.record_batch(frame)])
        from pyarrow.interchange import from_dataframe

        return from_dataframe(frame)


def checked(arrow: Any, source: str) -> Any:
    """Arrow data, or a `DataError` where its text is not UTF-8 or its buffers are not what they say.

    >>> import pyarrow as pa
    >>> checked(pa.array([bytes([255])]).view(pa.string()), "frame")
    Traceback (most recent call last):
    onebit.core.errors.DataError: frame: is damaged (Invalid UTF8 sequence at string index 0); decode its text ...
    """
    import pyarrow as pa

    try:
        arrow.validate(full=True)
    except pa.ArrowException as error:
        raise DataError(
            f"{source}: is damaged ({error}); decode its text with the encoding that it has, or make the table anew"
        ) from error
    return arrow


def _mixed_as_text(frame: Any, error: DataError) -> Any:
    """A frame of pandas as an Arrow table, columns of numbers and text as text; the error where that is not all."""
    import pyarrow as pa

    columns = []
    for at in range(frame.shape[1]):
        values = frame.iloc[:, at]
        try:
            columns.append(pa.array(values, from_pandas=True))
        except (pa.ArrowException, ValueError, TypeError):
            texts = [None if is_missing(value) else value for value in values]
            if not all(isinstance(text, str | Real | np.bool_ | date | None) for text in texts):
                raise error from None
            columns.append(pa.array([None if text is None else str(text) for text in texts], pa.string()))
    return pa.Table.from_arrays(columns, [str(name) for name in frame.columns])


def _schema(frame: Any) -> Any:
    """The columns of a frame, without their values where these need not be made for it."""
    import pyarrow as pa

    known = getattr(frame, "schema", None)
    if isinstance(known, pa.Schema):
        return known
    if not hasattr(type(frame), "__arrow_c_stream__"):
        return to_arrow(frame).schema
    with _explained("frame"):
        return pa.RecordBatchReader.from_stream(frame).schema


@contextmanager
def _explained(source: str) -> Iterator[None]:
    """Turns what Arrow has to say of a frame into a `DataError`."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, ValueError, TypeError, NotImplementedError) as error:
        said = "; ".join(map(str, error.args)) or type(error).__name__
        raise DataError(
            f"{source}: its columns cannot be handed over to Arrow ({said}); give a table whose columns each hold "
            "values of one kind, under different names"
        ) from error


def frame_columns(frame: Any) -> Columns:
    """The columns of a frame that make a row: all but pandas' index, and each must hold numbers, booleans or text.

    >>> import pyarrow as pa
    >>> list(frame_columns(pa.table({"weight": [4.1], "pet": ["cat"]})).types)
    ['weight', 'pet']
    """
    schema = _schema(frame)
    index = index_columns(schema)
    types = {name: kind for name, kind in plain_types("frame", schema).items() if name not in index}
    if not types:
        raise DataError("frame: has no columns; a row needs at least one feature")
    for name, kind in types.items():
        if content_of(kind) == "other":
            raise DataError(
                f"frame: column {name!r} holds {kind}; a feature is a number, a boolean or text: leave the column out, "
                "or turn it into such (a date into days since another, a list into a column for each entry)"
            )
    return Columns("frame", types)


def holds_text(columns: Columns) -> bool:
    """Whether the rows of these columns are hashed, because one of them holds text.

    >>> import pyarrow as pa
    >>> holds_text(frame_columns(pa.table({"weight": [4.1], "pet": ["cat"]})))
    True
    """
    return any(content_of(kind) == "text" for kind in columns.types.values())


def frame_rows(frame: Any, hashed: int, width: int | None = None) -> Any:
    """The rows of a frame: dense if all columns are numbers, else hashed by name into `hashed` features.

    With `width`, numbers are dense only if there are that many columns, and otherwise hashed too.

    >>> import pyarrow as pa
    >>> frame_rows(pa.table({"weight": [4.1], "tame": [True]}), 1024)
    array([[4.1, 1. ]])
    >>> frame_rows(pa.table({"weight": [4.1], "pet": ["cat"]}), 1024).sum()
    np.float64(5.1)
    """
    table = to_arrow(frame)
    columns = frame_columns(table)
    dense = not holds_text(columns) and width in (None, len(columns.types))
    return columns._replace(hashed=None if dense else hashed).rows(table)


def named_values(row: Any, width: int | None = None) -> FloatArray | dict[str, Any]:
    """One named row: a vector if all its values are numbers or booleans, else a dict, to be hashed; `width` as above.

    >>> import pandas as pd
    >>> named_values(pd.Series({"weight": 4.1, "tame": True})), named_values(pd.Series({"weight": 4.1, "pet": "cat"}))
    (array([4.1, 1. ]), {'weight': 4.1, 'pet': 'cat'})
    """
    fits = width in (None, len(row))
    if fits and isinstance(row.dtype, np.dtype) and row.dtype.kind in "fiub":
        return np.asarray(row)
    values = first_row(row)
    for name, value in values.items():
        if is_missing(value):
            raise DataError(f"row: feature {name!r} is missing; rows must be finite: replace or drop such values first")
    if fits and all(isinstance(value, Real | np.bool_) for value in values.values()):
        return np.array([float(value) for value in values.values()])
    return values


def first_row(X: Any) -> dict[str, Any]:
    """The first row of a frame, or a named row, as a dict.

    >>> import pyarrow as pa
    >>> first_row(pa.table({"weight": [4.1, 0.3], "pet": ["cat", "bird"]}))
    {'weight': 4.1, 'pet': 'cat'}
    """
    if is_named_row(X):
        return {str(name): value for name, value in X.to_dict().items()}
    table = to_arrow(X)
    row: dict[str, Any] = table.slice(0, 1).select(list(frame_columns(table).types)).to_pylist()[0]
    return row


def column_values(column: Any) -> Any:
    """One column, of any package, as an array.

    >>> import pyarrow as pa
    >>> column_values(pa.array(["cat", "dog", "cat"]).dictionary_encode())
    array(['cat', 'dog', 'cat'], dtype=object)
    """
    kind = type(column)
    if hasattr(kind, "dtype") or not any(hasattr(kind, way) for way in _ARROW):
        return as_array(column, "y")
    import pyarrow as pa

    values = checked(pa.array(column) if hasattr(kind, "__arrow_c_array__") else pa.chunked_array(column), "y")
    if pa.types.is_nested(values.type):
        raise DataError(f"y: is a {kind.__name__} of {values.type}; give one column, with a single value for each row")
    return plain_column(values, plain_type(values.type)).to_numpy(zero_copy_only=False)


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, or pandas' NA, which does not say whether it equals itself.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True
    except ValueError:  # of an array
        return False
