"""Rows by name: whether rows are such, and whether they are raw cases rather than numbers."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.features.columns import content_of, index_columns, plain_types
from onebit.features.frames import first_row, is_frame, is_missing, is_named_row, to_arrow
from onebit.features.hashing import is_dicts

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


def are_cases(X: Any, gaps: bool = True) -> bool:
    """Whether X is raw cases rather than rows of numbers: dicts, or a frame or a Series that holds anything else.

    Gaps among numbers count as such, unless told not to.

    >>> import pyarrow as pa
    >>> are_cases({"weight": 4.1}), are_cases([4.1]), are_cases(pa.table({"weight": [4.1]}))
    (True, False, False)
    >>> are_cases(pa.table({"weight": [4.1], "pet": ["cat"]})), are_cases(pa.table({"weight": [4.1, None]}))
    (True, True)
    """
    if isinstance(X, np.ndarray) or sp.issparse(X):
        return False
    if isinstance(X, Mapping) or is_dicts(X):
        return True
    if is_frame(X):
        return not _is_frame_of_numbers(to_arrow(X, mixed=True), gaps)
    return is_named_row(X) and not _is_series_of_numbers(X, gaps)


def _is_frame_of_numbers(table: Any, gaps: bool) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    index = index_columns(table.schema)
    for name, kind in plain_types(_SOURCE, table.schema).items():
        if name in index:
            continue
        if content_of(kind) != "numbers":
            return False
        column = table.column(name)
        if gaps and (column.null_count or (pa.types.is_floating(kind) and pc.any(pc.is_nan(column)).as_py())):
            return False
    return True


def _is_series_of_numbers(row: Any, gaps: bool) -> bool:
    for value in first_row(row).values():
        if is_missing(value):
            if gaps:
                return False
        elif not isinstance(value, Real | np.bool_):
            return False
    return True
