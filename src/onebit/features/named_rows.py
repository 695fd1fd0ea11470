"""Rows by name, as they come live, in the columns of a table that was read before."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from onebit.core.errors import DataError
from onebit.features.columns import Columns, content_of, plain_types
from onebit.features.frames import first_row, is_frame, is_missing, is_named_row, to_arrow
from onebit.features.hashing import hash_rows, is_dicts

_SOURCE = "row"


def is_row_by_name(X: Any) -> bool:
    """Whether X is one row with a name for each value: a dict, or a pandas Series.

    >>> is_row_by_name({"weight": 4.1}), is_row_by_name([{"weight": 4.1}]), is_row_by_name([4.1])
    (True, False, False)
    """
    return isinstance(X, Mapping) or is_named_row(X)


def are_rows_by_name(X: Any) -> bool:
    """Whether X is such a row, a list of dicts, or a frame.

    >>> are_rows_by_name({"weight": 4.1}), are_rows_by_name([{"weight": 4.1}]), are_rows_by_name([4.1])
    (True, True, False)
    """
    return is_row_by_name(X) or is_dicts(X) or is_frame(X)


def rows_by_name(columns: Columns, X: Any) -> Any:
    """Named rows as a table of these columns; others that they have do not count.

    Text that is not among the values of its column has no feature: all those of the column are 0.

    >>> import pyarrow as pa
    >>> columns = Columns("pets.csv", {"weight": pa.float64(), "pet": pa.string()}, values={"pet": ("bird", "cat")})
    >>> rows_by_name(columns, [{"pet": "cat", "weight": 4.1, "owner": "ann"}, {"pet": "dog", "weight": 9}])
    array([[4.1, 0. , 1. ],
           [9. , 0. , 0. ]])
    """
    if not is_frame(X):
        rows = [first_row(X)] if is_named_row(X) else [X] if isinstance(X, Mapping) else X
        checked = [_checked(columns, row) for row in rows]
        if columns.hashed is not None:
            return hash_rows(checked, columns.hashed)
        return np.array([_features(columns, row) for row in checked])
    table = to_arrow(X, _SOURCE)
    given = plain_types(_SOURCE, table.schema)
    types = {name: _fitting(columns, name, given) for name in columns.types}
    return columns._replace(source=_SOURCE, types=types).rows(table, live=True)


def _checked(columns: Columns, row: Any) -> dict[str, Any]:
    """The columns of a dict row, each with text or a finite number, as it should be."""
    if not isinstance(row, Mapping):
        raise DataError(f"row: {row!r} stands among dict rows; give every row as a dict")
    found = {}
    for name, kind in columns.types.items():
        if name not in row:
            raise _missing(columns, name, list(row))
        value = row[name]
        if is_missing(value):
            raise DataError(f"row: column {name!r} is missing; fill such gaps first")
        if content_of(kind) == "text":
            fits = isinstance(value, str)
            want = "text"
        else:
            fits = isinstance(value, Real | np.bool_) and isfinite(float(value))
            want = "a finite number"
        if not fits:
            raise DataError(f"row: column {name!r} is {value!r}; give {want}, as {columns.source} has there")
        found[name] = value
    return found


def _features(columns: Columns, row: Mapping[str, Any]) -> list[float]:
    """The features of a dense row."""
    features: list[float] = []
    for name, value in row.items():
        if name in columns.values:
            features += [float(value == one) for one in columns.values[name]]
        else:
            features.append(float(value))
    return features


def _fitting(columns: Columns, name: str, given: Mapping[str, Any]) -> Any:
    """The type as which a column is read: that of the live rows, if it is of the kind that the column had."""
    if name not in given:
        raise _missing(columns, name, list(given))
    kind = given[name]
    before = columns.types[name]
    want = content_of(before)
    got = content_of(kind)
    if str(kind) == "null":
        return before
    if got != want:
        holds = "text" if got == "text" else kind
        raise DataError(f"row: column {name!r} holds {holds}; give {want}, as {columns.source} has there")
    return kind


def _missing(columns: Columns, name: str, there: list[str]) -> DataError:
    return DataError(
        f"row: has no column {name!r}, which is a feature in {columns.source}; it has {', '.join(map(repr, there))}"
    )
