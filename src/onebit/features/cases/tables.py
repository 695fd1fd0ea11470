"""Columns of an Arrow table as cells, with no Python for each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.features.cases.cells import (
    FIELD,
    FIRST,
    IS_BAG,
    IS_DATE,
    IS_GAP,
    IS_NUMBER,
    IS_VECTOR,
    KIND,
    MAY_BE_ANYTHING,
    MAY_BE_SYMBOL,
    N_CELL,
    NO_NUMBERS,
    NO_PARTS,
    SECOND,
    Cells,
)
from onebit.features.cases.letters import NO_LETTERS, letter_table
from onebit.features.cases.reading import DECLARED, MOST_READ, SHORTEST_VECTOR, as_double, as_text, within_reach
from onebit.features.columns import numbers_in

_BEFORE_1970 = 719163  # days
_LAST_DAY = 3652059
_KNOWN_ZONES = (1903 - 1970, 2037 - 1970)
_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_ASK_IN_LISTS = ("Σ".encode(), "İ".encode())  # whose small form Python has to find


class NotByColumns(Exception):
    """A table with a column that is read value by value, as dicts."""


class TableCells(NamedTuple):
    """The cells of a table, the names of its columns, and the lengths of vectors that are new."""

    cases: Cells
    names: list[str]
    new_lengths: dict[str, int]


class _Heap:
    """What the cells of all columns point to."""

    def __init__(self) -> None:
        self.text: list[Any] = []
        self.at = 0
        self.parts: list[Any] = []
        self.part_at = 0
        self.numbers: list[Any] = []
        self.number_at = 0
        self.ascii = True

    def add_text(self, data: Any) -> int:
        """Where this text begins among all."""
        start = self.at
        self.text.append(data)
        self.at += len(data)
        self.ascii = self.ascii and (len(data) == 0 or int(data.max()) < 128)
        return start


def table_cells(
    table: Any, numbers: Mapping[str, int], declared: Mapping[str, str], lengths: Mapping[str, int]
) -> TableCells:
    """A table as cells; raises `NotByColumns` where a column has to be read value by value.

    >>> import pyarrow as pa
    >>> found = table_cells(pa.table({"pet": ["cat", None], "weight": [4.1, 0.3]}), {"pet": 0}, {}, {})
    >>> found.names, found.cases.cells[:, KIND].tolist(), found.cases.cells[:, FIELD].tolist()
    (['pet', 'weight'], [8.0, 4.0, 0.0, 4.0], [0.0, -1.0, 0.0, -1.0])
    """
    import pyarrow as pa

    names = [name for name in table.column_names if declared.get(name) != "ignore"]
    if len(set(table.column_names)) < len(table.column_names):
        raise NotByColumns
    n = table.num_rows
    cells = np.zeros((n, len(names), N_CELL))
    heap = _Heap()
    new_lengths: dict[str, int] = {}
    for j, name in enumerate(names):
        cells[:, j, FIELD] = numbers.get(name, -1)
        try:
            length = _put(cells[:, j], _whole(table.column(name)), declared.get(name), heap)
        except (pa.ArrowException, OverflowError, ValueError, UnicodeError):
            raise NotByColumns from None
        if length and lengths.get(name, length) != length:
            raise NotByColumns
        if length and name not in lengths:
            new_lengths[name] = length
    text = np.concatenate(heap.text) if heap.at else np.zeros(1, np.uint8)
    cases = Cells(
        np.arange(n + 1) * len(names),
        cells.reshape(-1, N_CELL),
        text,
        np.concatenate(heap.parts) if heap.parts else NO_PARTS,
        np.concatenate(heap.numbers) if heap.numbers else NO_NUMBERS,
        NO_LETTERS if heap.ascii else letter_table(),
    )
    return TableCells(cases, names, new_lengths)


def _whole(column: Any) -> Any:
    """A column in one piece, categories as their values."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], type=column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.large_string())
    chunks = column.chunks
    return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks) if chunks else pa.array([], column.type)


def _put(cells: FloatArray, column: Any, declared: str | None, heap: _Heap) -> int:
    """Write a column's cells; the length of its vectors, if it holds such."""
    import pyarrow.types as kinds

    kind = column.type
    if declared in ("text", "category") and not kinds.is_large_string(kind):
        column = _as_texts(column)
        kind = column.type
    if kinds.is_large_string(kind):
        return _put_text(cells, column, MAY_BE_ANYTHING if declared is None else DECLARED.get(declared, -1), heap)
    if kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind):
        return _put_lists(cells, column, declared, heap)
    for fits, put, may_be in _PLAIN:
        if fits(kinds, kind):
            if declared is not None and declared != may_be:
                raise NotByColumns
            put(cells, column, heap)
            return 0
    raise NotByColumns


def _as_texts(column: Any) -> Any:
    """A column that is declared to be text: its values written down."""
    import pyarrow as pa

    if pa.types.is_integer(column.type):
        return column.cast(pa.large_string())
    if pa.types.is_nested(column.type) or pa.types.is_timestamp(column.type):
        raise NotByColumns
    values = [None if one is None or one != one else as_text("", one) for one in column.to_pylist()]
    return pa.array(values, pa.large_string())


def _present(column: Any) -> Any:
    """Which values are there."""
    return column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else np.ones(len(column), np.bool_)


def _text_of(column: Any) -> tuple[Any, Any]:
    """Where the texts of a column begin and end, and their bytes."""
    n = len(column)
    _, offsets, data = column.buffers()
    if n == 0 or offsets is None:
        return np.zeros(n + 1, np.int64), np.zeros(0, np.uint8)
    ends = np.frombuffer(offsets, np.int64, n + 1, column.offset * 8)
    text = (
        np.zeros(0, np.uint8) if data is None or data.size == 0 else np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    )
    if len(text) and int(text.max()) >= 128:
        column.validate(full=True)
    if n and int(np.diff(ends).max()) > MOST_READ:
        raise NotByColumns
    return ends - ends[0], text


def _put_text(cells: FloatArray, column: Any, kind: int, heap: _Heap) -> int:
    if kind < 0:
        raise NotByColumns
    ends, text = _text_of(column)
    start = heap.add_text(text)
    cells[:, KIND] = kind if column.null_count == 0 else np.where(_present(column), kind, IS_GAP)
    cells[:, FIRST] = ends[:-1] + start
    cells[:, SECOND] = ends[1:] + start
    return 0


def _put_lists(cells: FloatArray, column: Any, declared: str | None, heap: _Heap) -> int:
    """Lists of text are bags, lists of numbers vectors, where all have one length."""
    import pyarrow as pa
    import pyarrow.types as kinds

    if declared not in (None, "vector"):
        raise NotByColumns
    column = column.cast(pa.large_list(column.type.value_type))
    present = _present(column)
    inner = column.flatten()
    lengths = np.where(present, column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False), 0)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    cells[:, KIND] = IS_GAP
    filled = lengths > 0
    if kinds.is_dictionary(inner.type):
        inner = inner.dictionary_decode()
    if kinds.is_integer(inner.type) or kinds.is_floating(inner.type):
        return _put_vectors(cells, inner, lengths, ends, declared, heap)
    if declared is not None or not (kinds.is_string(inner.type) or kinds.is_large_string(inner.type)):
        raise NotByColumns
    inner = inner.cast(pa.large_string())
    bounds, text = _text_of(inner)
    if any(letter in text.tobytes() for letter in _ASK_IN_LISTS):
        raise NotByColumns
    start = heap.add_text(text)
    parts = np.stack([bounds[:-1], bounds[1:]], axis=1) + start
    parts[~_present(inner)] = start  # nothing
    heap.parts.append(parts.astype(np.int64))
    cells[filled, KIND] = IS_BAG
    cells[:, FIRST] = ends[:-1] + heap.part_at
    cells[:, SECOND] = ends[1:] + heap.part_at
    heap.part_at += len(parts)
    return 0


def _put_vectors(cells: FloatArray, inner: Any, lengths: Any, ends: Any, declared: str | None, heap: _Heap) -> int:
    found = np.unique(lengths[lengths > 0])
    if len(found) == 0:
        if declared is not None and len(lengths):
            raise NotByColumns
        return 0
    if len(found) > 1 or inner.null_count or (declared is None and found[0] < SHORTEST_VECTOR):
        raise NotByColumns
    if declared is not None and (lengths == 0).any():
        raise NotByColumns
    numbers = within_reach(_doubles(inner))
    heap.numbers.append(numbers)
    cells[lengths > 0, KIND] = IS_VECTOR
    cells[:, FIRST] = ends[:-1] + heap.number_at
    cells[:, SECOND] = ends[1:] + heap.number_at
    heap.number_at += len(numbers)
    return int(found[0])


def _doubles(column: Any) -> FloatArray:
    """Numbers as doubles, NaN where there are none."""
    import pyarrow as pa

    column = column.cast(pa.float64(), safe=False)
    found: FloatArray = numbers_in(column.fill_null(float("nan")) if column.null_count else column)
    return found


def _put_numbers(cells: FloatArray, column: Any, heap: _Heap) -> None:
    cells[:, KIND] = IS_NUMBER
    cells[:, FIRST] = _doubles(column)


def _put_decimals(cells: FloatArray, column: Any, heap: _Heap) -> None:
    cells[:, KIND] = IS_NUMBER
    cells[:, FIRST] = [float("nan") if one is None else as_double(one) for one in column.to_pylist()]


def _put_nothing(cells: FloatArray, column: Any, heap: _Heap) -> None:
    cells[:, KIND] = IS_GAP


def _put_booleans(cells: FloatArray, column: Any, heap: _Heap) -> None:
    start = heap.add_text(np.frombuffer(b"falsetrue", np.uint8))
    true = column.fill_null(False).to_numpy(zero_copy_only=False)
    cells[:, KIND] = np.where(_present(column), MAY_BE_SYMBOL, IS_GAP)
    cells[:, FIRST] = start + np.where(true, 5, 0)
    cells[:, SECOND] = start + np.where(true, 9, 5)


def _put_days(cells: FloatArray, column: Any, heap: _Heap) -> None:
    import pyarrow as pa

    _put_dates(cells, column, column.cast(pa.date32()).cast(pa.int32()).fill_null(0).to_numpy(), -1.0)


def _put_moments(cells: FloatArray, column: Any, heap: _Heap) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    unit = column.type.unit
    zone = column.type.tz
    if zone is not None:
        column = pc.local_timestamp(column)
    moments = column.cast(pa.int64()).fill_null(0).to_numpy()
    if zone is not None and zone != "UTC":
        # Before and after these years, Arrow and Python may know different rules.
        years = (
            column.filter(column.is_valid()).cast(pa.timestamp(unit)).cast(pa.int64()).to_numpy()
            / _A_DAY[unit]
            / 365.25
        )
        if len(years) and (years.min() < _KNOWN_ZONES[0] or years.max() > _KNOWN_ZONES[1]):
            raise NotByColumns
    days, rest = np.divmod(moments, _A_DAY[unit])
    hours, rest = np.divmod(rest, _A_DAY[unit] // 24)
    _put_dates(cells, column, days, hours + rest // (_A_DAY[unit] // 1440) / 60)


def _put_dates(cells: FloatArray, column: Any, days: Any, hours: Any) -> None:
    numbers = days.astype(np.int64) + _BEFORE_1970
    if len(numbers) and (numbers.min() < 1 or numbers.max() > _LAST_DAY):
        raise NotByColumns
    cells[:, KIND] = np.where(_present(column), IS_DATE, IS_GAP)
    cells[:, FIRST] = numbers
    cells[:, SECOND] = hours


_Fits = Callable[[Any, Any], bool]
_Put = Callable[[FloatArray, Any, _Heap], None]
_PLAIN: tuple[tuple[_Fits, _Put, str | None], ...] = (
    (lambda kinds, kind: kinds.is_integer(kind) or kinds.is_floating(kind), _put_numbers, "number"),
    (lambda kinds, kind: kinds.is_boolean(kind), _put_booleans, None),
    (lambda kinds, kind: kinds.is_timestamp(kind), _put_moments, "date"),
    (lambda kinds, kind: kinds.is_date(kind), _put_days, "date"),
    (lambda kinds, kind: kinds.is_decimal(kind), _put_decimals, "number"),
    (lambda kinds, kind: kinds.is_null(kind), _put_nothing, None),
)
"""The types of columns that hold single values, how they are read, and what they may be declared."""
