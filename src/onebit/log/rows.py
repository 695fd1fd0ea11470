"""The rows of a log: from lists of features, by their number in a table, or from columns of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import DataError
from onebit.features import HASHED_FEATURES, hash_rows, is_dicts
from onebit.features.arrays import as_array
from onebit.log.columns import check_no_gap, column_width, is_list, is_number, numbers, require
from onebit.log.source import Source
from onebit.ops.csr import sound_csr

_DECISION = {"played", "propensity", "bit", "label", "greedy", "explored", "top", "id", "step", "row"}
RESERVED = _DECISION | {"time", "timestamp"}
"""Columns that are never features."""

_PANDAS_INDEX = "__index_level_"
_REMEDY = "rows must be finite: replace or drop such values first"


def logged_rows(source: Source, rows: Any) -> tuple[Any, tuple[str, ...]]:
    """The row of each decision (a dense array, a CSR array, or None if not logged), and the features' names."""
    if rows is not None:
        return _numbered(source, rows), ()
    if _holds_lists(source, "features"):
        return _dense(source), ()
    if _holds_lists(source, "indices") or _holds_lists(source, "values"):
        return _sparse(source), ()
    if source.facts:
        return None, ()
    named = [
        name
        for name in source.table.column_names
        if name not in RESERVED and not name.startswith(_PANDAS_INDEX) and is_number(source.type(name))
    ]
    if not named:
        return None, ()
    X = np.empty((source.table.num_rows, len(named)))
    for j, name in enumerate(named):
        X[:, j] = numbers(source, name, np.isfinite, _REMEDY)
    return X, tuple(named)


def _holds_lists(source: Source, name: str) -> bool:
    return name in source and is_list(source.type(name))


def _numbered(source: Source, rows: Any) -> Any:
    """The rows that the column `row` counts in a table."""
    require(source, ["row"])
    table: Any = hash_rows(rows, HASHED_FEATURES) if is_dicts(rows) else rows
    table = sp.csr_array(sound_csr(table, "rows")) if sp.issparse(table) else as_array(table, "rows")
    if table.ndim != 2 or table.dtype.kind not in "fiub":
        raise DataError(f"rows: {table.dtype} with {table.ndim} dimensions; give the table of rows that the log counts")
    n = table.shape[0]
    remedy = f"`rows` has {n} rows, counted from 0; give the table from which the decisions were made"
    at = numbers(source, "row", lambda row: (row >= 0) & (row < n) & (row == np.floor(row)), remedy)
    chosen = table[at.astype(np.int64)]
    values = chosen.data if sp.issparse(chosen) else chosen
    if not np.isfinite(values).all():
        raise DataError(f"rows: holds {values[~np.isfinite(values)][0]}; {_REMEDY}")
    return chosen


def _dense(source: Source) -> FloatArray:
    values: FloatArray = _flat(source, "features")
    width = column_width(source, "features")
    if width == 0:
        raise source.bad("features", 0, "empty", "a row has at least one feature")
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        at = int(bad[0])
        raise source.bad("features", at // width, f"{values[at]} at feature {at % width}", _REMEDY)
    return values.reshape(-1, width)


def _sparse(source: Source) -> Any:
    require(source, ["indices", "values"])
    indices = _flat(source, "indices")
    values = _flat(source, "values")
    counts = _lengths(source, "indices")
    others = _lengths(source, "values")
    unlike = np.flatnonzero(counts != others)
    if len(unlike):
        at = unlike[0]
        raise source.bad("values", at, f"a list of {others[at]}", f"`indices` has {counts[at]} there; each needs one")
    starts = np.concatenate([[0], np.cumsum(counts)])
    width = source.facts.get("n_features") or int(indices.max(initial=0)) + 1
    wrong = (indices < 0) | (indices >= width) | (indices != np.floor(indices))
    for column, array, bad, remedy in (
        ("indices", indices, wrong, f"must be whole numbers from 0 to {width - 1}"),
        ("values", values, ~np.isfinite(values), _REMEDY),
    ):
        if bad.any():
            at = int(np.argmax(bad))
            raise source.bad(column, np.searchsorted(starts, at, side="right") - 1, array[at], remedy)
    kind = np.int32 if max(width, len(values)) < 2**31 else np.int64
    return sp.csr_array((values, indices.astype(kind), starts.astype(kind)), shape=(len(counts), width))


def _flat(source: Source, column: str) -> Any:
    """The values of a column of lists, one after another."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = source.table.column(column)
    if not is_list(values.type) or not is_number(values.type.value_type):
        raise source.wrong_type(column, "must hold lists of numbers")
    check_no_gap(source, column, "every decision needs its row")
    flat = pc.list_flatten(values)
    keeps = pa.types.is_float32(flat.type) or pa.types.is_integer(flat.type)
    return (flat if keeps and not flat.null_count else flat.cast(pa.float64(), safe=False)).to_numpy()


def _lengths(source: Source, column: str) -> IntArray:
    import pyarrow.compute as pc

    return np.asarray(pc.list_value_length(source.table.column(column)).to_numpy(), dtype=np.int64)
