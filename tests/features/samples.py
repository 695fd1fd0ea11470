"""One table as a frame of every package, and of packages that do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest


class Streamed:
    """A frame that only speaks of an Arrow stream."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


class Batched:
    """A frame that only speaks of an Arrow array."""

    def __init__(self, table: pa.Table) -> None:
        self._batch = table.combine_chunks().to_batches()[0]

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._batch.__arrow_c_array__(requested_schema)


class Interchanged:
    """A frame that only speaks the dataframe interchange protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self._table.__dataframe__(nan_as_null, allow_copy)


def _pandas(table: pa.Table) -> Any:
    pytest.importorskip("pandas")
    return table.to_pandas()


def _polars(table: pa.Table) -> Any:
    return pytest.importorskip("polars").DataFrame(table)


def _duckdb(table: pa.Table) -> Any:
    connection = pytest.importorskip("duckdb").connect()
    connection.register("cases", table)
    return connection.table("cases")


FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "duckdb": _duckdb,
    "table": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "reader": lambda table: table.to_reader(),
    "stream": Streamed,
    "array": Batched,
    "interchange": Interchanged,
}
every_frame = pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
