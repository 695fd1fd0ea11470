"""Raw cases in memory, as a stream deals them: the rows of an Arrow table, or dicts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np

from onebit.core.errors import ConfigError, DataError
from onebit.features.columns import index_columns, plain_types

_READ_AT_ONCE = 4096  # rows of an Arrow table that are dicts at a time


class CaseRows(Sequence[Mapping[str, Any]]):
    """Cases by number; a slice, or an array of numbers, gives some of them, in that order.

    >>> import pyarrow as pa
    >>> rows = CaseRows(pa.table({"pet": ["cat", "dog", "cow"], "weight": [4.1, None, 600]}))
    >>> rows[1], len(rows[np.array([2, 0])]), rows[np.array([2, 0])][0]
    ({'pet': 'dog', 'weight': None}, 2, {'pet': 'cow', 'weight': 600.0})
    """

    def __init__(self, held: Any) -> None:
        self._held = held  # an Arrow table, or a list of dicts

    def __len__(self) -> int:
        return len(self._held)

    @overload
    def __getitem__(self, which: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, which: Any) -> CaseRows: ...

    def __getitem__(self, which: Any) -> Any:
        is_list = isinstance(self._held, list)
        if isinstance(which, slice):
            return CaseRows(self._held[which] if is_list else self._held.take(np.arange(len(self))[which]))
        if isinstance(which, np.ndarray | list):
            return CaseRows([self._held[i] for i in which] if is_list else self._held.take(np.asarray(which)))
        at = range(len(self))[which]
        return self._held[at] if is_list else _dicts_of(self._held.slice(at, 1))[0]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        if isinstance(self._held, list):
            yield from self._held
            return
        for start in range(0, len(self._held), _READ_AT_ONCE):
            yield from _dicts_of(self._held.slice(start, _READ_AT_ONCE))

    @property
    def table(self) -> Any:
        """The Arrow table, if it is one that is held.

        >>> CaseRows([{"pet": "cat"}]).table is None
        True
        """
        return None if isinstance(self._held, list) else self._held

    def copied(self) -> CaseRows:
        """The same cases, in memory that nobody else can change: NumPy hands its numbers to Arrow without a copy.

        >>> CaseRows([{"pet": "cat"}]).copied()[0]
        {'pet': 'cat'}
        """
        if self.table is None:
            return CaseRows([dict(case) for case in self])
        import pyarrow as pa

        columns = self.table.columns
        every = np.arange(len(self))
        return CaseRows(
            pa.table(
                [one.take(every) if pa.types.is_primitive(one.type) else one for one in columns],
                schema=self.table.schema,
            )
        )

    @property
    def columns(self) -> list[str]:
        """The names of the columns; those of dicts in the order in which they come.

        >>> CaseRows([{"pet": "cat"}, {"weight": 4.1, "pet": "dog"}]).columns
        ['pet', 'weight']
        """
        if not isinstance(self._held, list):
            return list(self._held.column_names)
        return list(dict.fromkeys(name for case in self._held for name in case))

    def digest(self) -> str:
        """A hash of the content.

        >>> CaseRows([{"pet": "cat"}]).digest() == CaseRows([{"pet": "dog"}]).digest()
        False
        """
        found = hashlib.sha256()
        for case in self:
            found.update(repr(_plain(case)).encode("utf-8", "replace"))
        return found.hexdigest()


def _dicts_of(table: Any) -> list[dict[str, Any]]:
    """The rows of an Arrow table; a `DataError` where it holds what Python cannot."""
    try:
        rows: list[dict[str, Any]] = table.to_pylist()
    except (ValueError, OverflowError) as error:  # years beyond 9999, text that is not UTF-8
        raise DataError(
            f"frame: holds a value that cannot be read ({error}); leave its column out, or mend it"
        ) from None
    return rows


def _plain(value: Any) -> Any:
    """A value such that its `repr` tells all of it."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def cases_of_dicts(rows: Sequence[Any]) -> CaseRows:
    """The cases of a list of dicts.

    >>> cases_of_dicts([{"pet": "cat"}, 3])
    Traceback (most recent call last):
    onebit.core.errors.DataError: X: row 1 is 3, which stands among dict rows; give every row as a dict
    """
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise DataError(f"X: row {i} is {row!r:.80}, which stands among dict rows; give every row as a dict")
    return CaseRows([dict(row) for row in rows])


def cases_of_table(table: Any, columns: Sequence[str] | None = None) -> CaseRows:
    """The cases of an Arrow table: these columns, or all but the index of pandas.

    >>> import pyarrow as pa
    >>> cases_of_table(pa.table({"pet": ["cat"], "__index_level_0__": [7]}))[0]
    {'pet': 'cat'}
    """
    if columns is None:
        index = index_columns(table.schema)
        columns = [name for name in plain_types("frame", table.schema) if name not in index]
    if not columns:
        raise DataError("frame: has no columns; a row needs at least one feature")
    return CaseRows(_plain_table(table.select(list(columns))))


def _plain_table(table: Any) -> Any:
    """The table with columns that Arrow can cut and Python can hold."""
    for at, field in enumerate(table.schema):
        kind = _plain_kind(field.type)
        if kind != field.type:
            table = table.set_column(at, field.name, table.column(at).cast(kind, safe=False))
    return table


def _plain_kind(kind: Any) -> Any:
    """Text of views, which Arrow cannot cut, as plain text; times to the microsecond, as Python has them."""
    import pyarrow as pa

    test = pa.types
    if test.is_string_view(kind):
        return pa.large_string()
    if test.is_dictionary(kind) and test.is_string_view(kind.value_type):
        return pa.dictionary(kind.index_type, pa.large_string())
    if test.is_timestamp(kind) and kind.unit == "ns":
        return pa.timestamp("us", kind.tz)
    if test.is_list(kind):
        return pa.list_(_plain_kind(kind.value_type))
    if test.is_large_list(kind):
        return pa.large_list(_plain_kind(kind.value_type))
    if test.is_fixed_size_list(kind):
        return pa.list_(_plain_kind(kind.value_type), kind.list_size)
    if test.is_struct(kind):
        return pa.struct([(field.name, _plain_kind(field.type)) for field in kind])
    return kind


def check_no_scaling(normalize: bool, bias: bool) -> None:
    """A `ConfigError` for options of rows of numbers.

    >>> check_no_scaling(normalize=False, bias=False)
    """
    what = "is for rows of numbers, and these are raw cases; leave it out"
    if bias:
        raise ConfigError(f"bias=True: {what}")
    if normalize:
        raise ConfigError(f"normalize=True: {what}, or give the learner normalize=True (--set normalize=true)")


def joined_batches(batches: Sequence[Any]) -> Any:
    """Record batches as one Arrow table.

    >>> import pyarrow as pa
    >>> joined_batches([pa.record_batch({"a": [1]}), pa.record_batch({"a": [2]})]).num_rows
    2
    """
    import pyarrow as pa

    return pa.Table.from_batches(batches)
