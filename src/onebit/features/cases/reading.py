"""What the values of a case are: dicts as cells."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from numbers import Real
from typing import Any
from uuid import UUID

import numpy as np

from onebit.core.aliases import IntArray
from onebit.core.errors import DataError
from onebit.features.cases.cells import (
    ASKS_PYTHON,
    FIELD,
    FIRST,
    IS_BAG,
    IS_DATE,
    IS_GAP,
    IS_NUMBER,
    IS_SYMBOL,
    IS_TEXT,
    IS_VECTOR,
    IS_WORD,
    KIND,
    LONGEST_TEXT,
    LONGEST_WHOLE,
    MAY_BE_ANYTHING,
    MAY_BE_DATE,
    MAY_BE_NUMBER,
    MAY_BE_SYMBOL,
    MAY_BE_TEXT,
    N_CELL,
    NO_NUMBERS,
    NO_PARTS,
    SECOND,
    Cells,
    put_number,
)
from onebit.features.cases.dates import day_and_hour, parsed_date
from onebit.features.cases.letters import NO_LETTERS, letter_table
from onebit.ops.rows import LARGEST_DOUBLE

SHORTEST_VECTOR = 4
_DEEPEST = 32
MOST_READ = 2 * LONGEST_TEXT  # characters of a text that compiled code looks at; longer ones Python cuts first
_NUMBER_STARTS = frozenset("0123456789+-.")
_MOST_DAYS = 4e6  # before or after 1970, more than Python's dates reach
_DAYS_OF = {"Y": 365.25, "M": 30.4, "W": 7, "D": 1, "h": 1 / 24, "m": 1 / 1440, "s": 1 / 86_400}
_DAYS_OF |= {unit: 10.0**-zeros / 86_400 for unit, zeros in (("ms", 3), ("us", 6), ("ns", 9), ("ps", 12), ("fs", 15))}
_DAYS_OF |= {"as": 1e-18 / 86_400, "generic": 1.0}
_NO_TEXT = np.zeros(1, np.uint8)

DECLARED = {"text": MAY_BE_TEXT, "category": MAY_BE_SYMBOL, "number": MAY_BE_NUMBER, "date": MAY_BE_DATE}
"""What a text may be, by how its column is declared."""


class Reading:
    """Cases on their way: a cell for each value, and the text, the parts and the numbers that cells point to.

    `numbers` has the fields that are known; names that are new wait in `new`, by the cell.
    """

    __slots__ = ("_at", "_declared", "_lengths", "_nested", "_numbers", "cells", "ends", "new", "new_lengths", "parts",
                 "texts", "vectors")  # fmt: skip

    def __init__(self, numbers: Mapping[str, int], declared: Mapping[str, str], lengths: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._declared = declared
        self._lengths = lengths
        self._at = 0  # where the next text begins
        self._nested = False  # whether names within this case were made of others
        self.cells: list[float] = []
        self.ends = [0]
        self.new: list[tuple[float, str]] = []
        self.texts: list[str] = []
        self.parts: list[tuple[int, int]] = []
        self.vectors: list[float] = []
        self.new_lengths: dict[str, int] = {}

    def read_case(self, case: Any) -> None:
        """Read a whole case, or raise a `DataError`."""
        if type(case) is not dict and not isinstance(case, Mapping):
            raise DataError(f"row: {shown(case)} is not a case; give a dict from names to values")
        self._nested = False
        self._read("", case, 0)
        self.ends.append(len(self.cells) // N_CELL)
        if self._nested:
            self._check_names()

    def _check_names(self) -> None:
        """A `DataError` where two values of the case have one name: "a.b", and b within a."""
        begin = self.ends[-2]
        fields = [field for field in self.cells[N_CELL * begin + FIELD :: N_CELL] if field >= 0]
        new = [name for at, name in self.new if at >= begin]
        if len(set(fields)) == len(fields) and len(set(new)) == len(new):
            return
        twice = [name for name, field in self._numbers.items() if fields.count(field) > 1]
        twice += [name for name, count in Counter(new).items() if count > 1]
        raise name_twice(twice[0])

    def _read(self, prefix: str, case: Mapping[str, Any], depth: int) -> None:
        """Every value of a dict; those of a dict within it under dotted names."""
        numbers = self._numbers
        declared = self._declared
        cells = self.cells
        texts = self.texts
        for name, value in case.items():
            field = -1
            if prefix or name not in numbers:
                if not isinstance(name, str):
                    raise DataError(f"row: the column name {shown(name)} is not a string")
                name = prefix + name
            field = numbers.get(name, -1)
            kind = type(value)
            if declared and name in declared:
                self._as_declared(field, name, value, declared[name])
            elif kind is str:
                length = len(value)
                if length > MOST_READ or field < 0:
                    self._text(field, name, value, MAY_BE_ANYTHING)
                    continue
                texts.append(value)
                at = self._at
                self._at = at + length
                cells += (MAY_BE_ANYTHING, field, at, at + length)
            elif kind is float and field >= 0:
                cells += (IS_NUMBER, field, value, 0)
            elif kind is int:
                self._number(field, name, value)
            elif kind is bool:
                self._text(field, name, "true" if value else "false", MAY_BE_SYMBOL)
            elif value is None:
                self._cell(IS_GAP, field, name, 0, 0)
            elif kind is list:
                self._list(field, name, value)
            elif kind is dict or isinstance(value, Mapping):
                if depth >= _DEEPEST:
                    raise DataError(f"row: column {name[:80]!r} is a dict within {_DEEPEST} others; flatten it first")
                self._nested = True
                self._read(f"{name}.", value, depth + 1)
            else:
                self._other(field, name, value)

    def _cell(self, kind: int, field: int, name: str, first: float, second: float) -> None:
        if field < 0:
            self.new.append((len(self.cells) // N_CELL, name))
        self.cells += (kind, field, first, second)

    def _text(self, field: int, name: str, value: str, kind: int) -> None:
        """A text, which is sorted out later."""
        if len(value) > MOST_READ:
            value = _shorter(value)
        self._cell(kind, field, name, self._at, self._at + len(value))
        self._append(value)

    def _append(self, value: str) -> None:
        self.texts.append(value)
        self._at += len(value)

    def _number(self, field: int, name: str, value: Any) -> None:
        self._cell(IS_NUMBER, field, name, as_double(value), 0)

    def _other(self, field: int, name: str, value: Any) -> None:
        """A value that is neither plain text nor a plain number."""
        if isinstance(value, bool | np.bool_):
            self._text(field, name, "true" if value else "false", MAY_BE_SYMBOL)
        elif isinstance(value, Enum):
            self._read("", {name: value.value}, _DEEPEST)
        elif isinstance(value, str):
            self._text(field, name, str(value), MAY_BE_ANYTHING)
        elif isinstance(value, np.datetime64 | np.timedelta64):
            self._numpy_time(field, name, value)
        elif isinstance(value, date):
            if value != value:  # NaT
                self._cell(IS_GAP, field, name, 0, 0)
            else:
                self._cell(IS_DATE, field, name, *day_and_hour(value))
        elif isinstance(value, Real | Decimal):
            self._number(field, name, value)
        elif isinstance(value, timedelta):
            self._number(field, name, value.total_seconds())
        elif isinstance(value, time):
            self._number(field, name, value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6)
        elif isinstance(value, UUID):
            self._text(field, name, str(value), MAY_BE_SYMBOL)
        elif isinstance(value, np.ndarray):
            self._list(field, name, value.ravel().tolist())
        elif isinstance(value, bytes | bytearray | memoryview):
            raise DataError(f"row: column {name!r} is {shown(value)}; bytes may be anything: decode them to text")
        elif isinstance(value, Sequence | set | frozenset):
            self._list(field, name, list(value))
        elif is_missing(value):
            self._cell(IS_GAP, field, name, 0, 0)
        else:
            raise DataError(
                f"row: column {name!r} is {shown(value)}; give text, a number, a date, a list of these or a dict"
            )

    def _numpy_time(self, field: int, name: str, value: np.datetime64 | np.timedelta64) -> None:
        """A moment of NumPy as a date, a span as seconds."""
        if np.isnat(value):
            self._cell(IS_GAP, field, name, 0, 0)
        elif isinstance(value, np.timedelta64):
            if np.datetime_data(value.dtype)[0] in ("Y", "M", "generic"):
                raise DataError(f"row: column {name!r} is {value!r}, a span of no fixed length; give it in days")
            self._number(field, name, value / np.timedelta64(1, "s"))
        else:
            unit, step = np.datetime_data(value.dtype)
            days = value.astype(np.int64).item() * step * _DAYS_OF[unit]
            found = value.astype("datetime64[D]" if unit in "YMWD" else "datetime64[us]").item()
            if not -_MOST_DAYS < days < _MOST_DAYS or not isinstance(found, date):
                raise DataError(f"row: column {name!r} is {value!r}, which is not within the years 1 to 9999")
            self._cell(IS_DATE, field, name, *day_and_hour(found))

    def _list(self, field: int, name: str, values: list[Any]) -> None:
        """Numbers are a vector, few of them columns of their own; everything else is a bag."""
        if not values:
            self._cell(IS_GAP, field, name, 0, 0)
        elif type(values[0]) is not str and _are_numbers(values):
            if len(values) < SHORTEST_VECTOR:
                self._nested = True
                for j, one in enumerate(values):
                    inner = f"{name}[{j}]"
                    self._number(self._numbers.get(inner, -1), inner, one)
            else:
                self._vector(field, name, values)
        else:
            begin = len(self.parts)
            for one in values:
                self._part(name, one)
            self._cell(IS_BAG, field, name, begin, len(self.parts))

    def _part(self, name: str, one: Any) -> None:
        if type(one) is not str:
            if isinstance(one, list | tuple | set | frozenset | np.ndarray | Mapping):
                raise DataError(
                    f"row: column {name!r} holds {shown(one)} within a list; give lists of text or of numbers"
                )
            if is_missing(one):
                return
            one = as_text(name, one)
        if len(one) > MOST_READ:
            one = one.strip()[:LONGEST_WHOLE]
        if not one.isascii():
            one = one.lower()
        self.parts.append((self._at, self._at + len(one)))
        self._append(one)

    def _vector(self, field: int, name: str, values: Any) -> None:
        numbers = _doubles(values)
        if numbers is None or numbers.ndim != 1 or len(numbers) == 0:
            raise DataError(f"row: column {name!r} is {shown(values)}; give a vector of numbers")
        length = self._lengths.get(name)
        if length is None:
            length = self.new_lengths.setdefault(name, len(numbers))
        if len(numbers) != length:
            raise wrong_length(name, numbers.size, length)
        start = len(self.vectors)
        self.vectors += within_reach(numbers).tolist()
        self._cell(IS_VECTOR, field, name, start, len(self.vectors))

    def _as_declared(self, field: int, name: str, value: Any, kind: str) -> None:
        """A value of a column of which the user has said what it is."""
        if kind == "ignore":
            return
        if is_missing(value):
            self._cell(IS_GAP, field, name, 0, 0)
        elif kind == "text" or kind == "category":
            self._text(field, name, as_text(name, value), DECLARED[kind])
        elif isinstance(value, str) and not value.strip():
            self._cell(IS_GAP, field, name, 0, 0)
        elif kind == "number":
            self._number(field, name, declared_number(name, value))
        elif kind == "date":
            self._cell(IS_DATE, field, name, *day_and_hour(declared_date(name, value)))
        else:
            self._vector(field, name, value)

    def made(self) -> Cells:
        """All that was read, as compiled code takes it."""
        joined = "".join(self.texts)
        if joined.isascii():
            text = np.frombuffer(joined.encode(), np.uint8) if joined else _NO_TEXT
            letters = NO_LETTERS
        else:
            text = self._encoded()
            letters = letter_table()
        return Cells(
            _one_case(self.ends[1]) if len(self.ends) == 2 else np.array(self.ends, np.int64),
            np.array(self.cells, np.float64).reshape(-1, N_CELL),
            text,
            np.array(self.parts, np.int64) if self.parts else NO_PARTS,
            np.array(self.vectors, np.float64) if self.vectors else NO_NUMBERS,
            letters,
        )

    def _encoded(self) -> Any:
        """The text as bytes; cells and parts then point to bytes, too, in place of letters."""
        encoded = [text.encode("utf-8", "replace") for text in self.texts]
        places = {0: 0}
        letters = 0
        at = 0
        for text, data in zip(self.texts, encoded, strict=True):
            letters += len(text)
            at += len(data)
            places[letters] = at
        cells = self.cells
        for i in range(0, len(cells), N_CELL):
            if cells[i + KIND] >= MAY_BE_ANYTHING:
                cells[i + FIRST] = places[int(cells[i + FIRST])]
                cells[i + SECOND] = places[int(cells[i + SECOND])]
        self.parts = [(places[start], places[stop]) for start, stop in self.parts]
        return np.frombuffer(b"".join(encoded), np.uint8)


@lru_cache(maxsize=64)
def _one_case(cells: int) -> IntArray:
    """Where the cells of a single case begin and end; never written to."""
    ends = np.array([0, cells])
    ends.flags.writeable = False
    return ends


def with_answers(cases: Cells, name_of: Callable[[int], str]) -> Cells:
    """The cells with what Python says of the texts that compiled code could not tell; `name_of` names a cell.

    Raises a `DataError` where a column was declared to be what it is not.
    """
    more: list[bytes] = []
    at = len(cases.text)
    for i in np.flatnonzero(cases.cells[:, KIND] >= ASKS_PYTHON).tolist():
        cell = cases.cells[i]
        kind = int(cell[KIND]) - ASKS_PYTHON
        value = cases.text[int(cell[FIRST]) : int(cell[SECOND])].tobytes().decode("utf-8", "replace")
        found = _written(value, kind, name_of(i))
        if isinstance(found, date):
            cell[KIND] = IS_DATE
            cell[FIRST:] = day_and_hour(found)
        elif isinstance(found, float):
            put_number.py_func(cell, found)  # type: ignore[attr-defined]  # a Numba dispatcher
        else:
            several = len(value.split(None, 1)) > 1
            cell[KIND] = {MAY_BE_TEXT: IS_TEXT, MAY_BE_SYMBOL: IS_SYMBOL}.get(kind, IS_TEXT if several else IS_WORD)
            data = value[: LONGEST_WHOLE if kind == MAY_BE_SYMBOL else LONGEST_TEXT].lower().encode("utf-8", "replace")
            cell[FIRST:] = at, at + len(data)
            at += len(data)
            more.append(data)
    return cases._replace(text=np.concatenate([cases.text, np.frombuffer(b"".join(more), np.uint8)])) if more else cases


def _written(value: str, kind: int, name: str) -> date | float | None:
    """The date or the number that a text is; None if it is words."""
    if kind == MAY_BE_NUMBER:
        return float(declared_number(name, value))
    if kind == MAY_BE_DATE:
        return declared_date(name, value)
    if kind == MAY_BE_ANYTHING and (value[0] in _NUMBER_STARTS or value[-1].isdigit()):
        when = parsed_date(value) if len(value) >= 6 else None
        if when is not None:
            return when
        try:
            return float(value)
        except ValueError:
            pass
    return None


def declared_number(name: str, value: Any) -> Any:
    """A value of a column that was declared a number, as one."""
    try:
        return value if _is_number(value) or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        raise DataError(f"row: column {name!r} is {shown(value)}, and was declared a number") from None


def declared_date(name: str, value: Any) -> date:
    """A value of a column that was declared a date, as one."""
    when = value if isinstance(value, date) else parsed_date(as_text(name, value).strip())
    if when is None:
        raise DataError(f"row: column {name!r} is {shown(value)}, and was declared a date")
    return when


def within_reach(numbers: Any) -> Any:
    """Numbers of a vector: NaN is 0, and none is too large."""
    return np.clip(np.nan_to_num(numbers), -LARGEST_DOUBLE, LARGEST_DOUBLE)


def as_double(value: Any) -> float:
    """A number of any kind as a double; the largest there may be for one that is beyond, NaN for one that is none."""
    try:
        return float(value)
    except OverflowError:
        return LARGEST_DOUBLE if value > 0 else -LARGEST_DOUBLE
    except ValueError:  # Decimal's signalling NaN
        return float("nan")


def _doubles(values: Any) -> Any:
    """Numbers as an array; None if they are none."""
    if isinstance(values, str | bytes | Mapping):
        return None
    try:
        values = list(values)
        return np.array(values, np.float64)
    except (OverflowError, ValueError, TypeError):
        return np.array(list(map(as_double, values))) if _are_numbers(values) else None


def _are_numbers(values: Any) -> bool:
    return type(values) is list and all(map(_is_number, values))


def as_text(name: str, value: Any) -> str:
    """What a value of a declared column, or of a list, is as text.

    >>> as_text("zip", 80331)
    '80331'
    """
    if isinstance(value, bytes | bytearray | memoryview):
        raise DataError(f"row: column {name!r} is {shown(value)}; bytes may be anything: decode them to text")
    try:
        return str(value)
    except ValueError:  # a number so long that Python refuses to write it down, by itself or within
        raise DataError(f"row: column {name!r} is {shown(value)} too long to be written; give it as text") from None


def _shorter(value: str) -> str:
    """A text that is too long to be looked at, cut to what is read of it."""
    value = value.strip()
    return value if len(value) <= MOST_READ else value[:MOST_READ]


def _is_number(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return False
    if kind is float or kind is int:
        return True
    return isinstance(value, Real | Decimal) and not isinstance(value, bool | np.timedelta64)  # NumPy's spans say so


def shown(value: Any) -> str:
    """A value, shortened, as an error names it.

    >>> shown("x" * 100), shown(10**5000)
    ("'xxxxxxxxxxxx...xxxxxxxxxxxxx'", 'an int')
    """
    try:
        return reprlib.repr(value)
    except ValueError:  # a number too long to be written down
        return f"an {type(value).__name__}" if type(value) is int else f"a {type(value).__name__}"


def wrong_length(name: str, length: int, before: int) -> DataError:
    """The error for a vector that is longer or shorter than those before."""
    return DataError(
        f"row: column {name!r} is a vector of {length} numbers, and those before had {before}; every vector of a "
        "column must have the same length"
    )


def name_twice(name: str) -> DataError:
    """The error for two values under one name."""
    return DataError(f"row: column {name!r} is there twice, by itself and within another; rename one of them")


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, NaT, and pandas' NA, which does not say whether it equals itself."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:
        return type(value).__name__ == "NAType"
    except ArithmeticError:  # Decimal's signalling NaN
        return True
    except ValueError:  # of an array
        return False
