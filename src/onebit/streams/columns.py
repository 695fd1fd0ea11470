"""The feature columns of a table: which they are, and their values as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.core.errors import ConfigError, DataError
from onebit.core.types import FloatArray
from onebit.features import hash_columns
from onebit.streams.tables import Table

_PANDAS_INDEX = "__index_level_"


class Features(NamedTuple):
    """The columns that make a row: dense, or hashed into `hashed` features."""

    table: Table
    names: list[str]
    hashed: int | None

    def rows(self, batch: Any, row: int) -> Any:
        """The rows of a record batch that begins at `row` of the file."""
        if self.hashed is None:
            X = np.empty((batch.num_rows, len(self.names)))
            for j, name in enumerate(self.names):
                X[:, j] = self._numbers(batch, name, row)
            return X
        return hash_columns({name: self._values(batch, name, row) for name in self.names}, self.hashed)

    def _values(self, batch: Any, name: str, row: int) -> FloatArray | list[str]:
        if self.table.content(name) == "numbers":
            return self._numbers(batch, name, row)
        texts: list[str] = batch.column(name).cast(self.table.types[name]).to_pylist()
        missing = [i for i, text in enumerate(texts) if text is None]
        if missing:
            raise self._bad_value(name, row + missing[0], "missing")
        return texts

    def _numbers(self, batch: Any, name: str, row: int) -> FloatArray:
        import pyarrow as pa

        column = batch.column(name).cast(self.table.types[name]).cast(pa.float64(), safe=False)
        values: FloatArray = column.to_numpy(zero_copy_only=False)
        finite = np.isfinite(values)
        if not finite.all():
            at = int(np.argmin(finite))
            raise self._bad_value(name, row + at, "missing" if np.isnan(values[at]) else str(values[at]))
        return values

    def _bad_value(self, column: str, row: int, value: str) -> DataError:
        return DataError(
            f"{self.table.path}: column {column!r} is {value} in row {row} (from 0); "
            "rows must be finite: replace or drop such values first"
        )


def check_label(table: Table, label: str | None) -> str:
    """The name of the label column, if there is such a one."""
    if label is None or label not in table.types:
        raise DataError(f"label={label!r}: {table.path} has no such column; name one of {_shown(table.types)}")
    return label


def choose_features(table: Table, label: str, columns: Sequence[str] | None, hashed: int | None) -> Features:
    """The columns asked for, or all but the label (and pandas' nameless index), if they can be features."""
    if columns is None:
        names = [name for name in table.types if name != label and not name.startswith(_PANDAS_INDEX)]
    else:
        names = _asked(table, label, columns)
    if not names:
        raise DataError(f"{table.path}: has no column beside the label {label!r}; a row needs at least one feature")
    kept = ("numbers",) if hashed is None else ("numbers", "text")
    wrong = [name for name in names if table.content(name) not in kept]
    if wrong:
        raise DataError(_wrong_content(table, wrong[0], hashed))
    return Features(table, names, hashed)


def _asked(table: Table, label: str, columns: Sequence[str]) -> list[str]:
    if isinstance(columns, str) or not all(isinstance(name, str) for name in columns):
        raise ConfigError(f"columns={columns!r}: give a list of column names")
    names = list(columns)
    unknown = [name for name in names if name not in table.types]
    if unknown:
        raise DataError(f"columns: {table.path} has no column {unknown[0]!r}; its columns are {_shown(table.types)}")
    if label in names:
        raise ConfigError(f"columns: has the label {label!r}, which would give the answer away; leave it out")
    if len(set(names)) < len(names) or not names:
        raise ConfigError(f"columns={names}: name at least one column, and none twice")
    return names


def _wrong_content(table: Table, name: str, hashed: int | None) -> str:
    holds = "text" if table.content(name) == "text" else str(table.types[name])
    remedy = "leave it out with columns=[...]"
    if hashed is None and holds == "text":
        remedy += ", or hash all columns with hash_features=2**18 (--hash-features 2^18)"
    return f"{table.path}: column {name!r} holds {holds}, and features are numbers; {remedy}"


def _shown(names: Sequence[str] | dict[str, Any]) -> str:
    shown = [repr(name) for name in names][:20]
    return ", ".join(shown) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
