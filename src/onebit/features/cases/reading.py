"""What the values of a case are: gaps, words, texts, numbers, dates, lists, vectors."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from math import isnan
from numbers import Real
from typing import Any

import numpy as np

from onebit.core.errors import DataError
from onebit.features.cases.dates import day_number, parsed_date, parts
from onebit.features.cases.row import (
    IS_BAG,
    IS_DATE,
    IS_GAP,
    IS_NUMBER,
    IS_PART,
    IS_SYMBOL,
    IS_TEXT,
    IS_VECTOR,
    IS_WORD,
)
from onebit.ops.rows import LARGEST_DOUBLE

_LONGEST_TEXT = 2**16  # characters that are read of a value
_LONGEST_WHOLE = 200
_SHORTEST_VECTOR = 4
_DEEPEST = 32
_NUMBER_STARTS = frozenset("0123456789+-.")


class Reading:
    """One case on its way: the items of its values, numbers and text apart."""

    __slots__ = ("_at", "_declared", "_lengths", "kinds", "names", "new_lengths", "numbers", "starts", "stops", "text")

    def __init__(self, declared: Mapping[str, str], lengths: Mapping[str, int]) -> None:
        self._declared = declared
        self._lengths = lengths
        self._at = 0  # where the next text begins
        self.kinds: list[int] = []
        self.names: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        self.numbers: list[float] = []
        self.text: list[bytes] = []
        self.new_lengths: dict[str, int] = {}

    def read_case(self, case: Any) -> None:
        """Read a whole case, or raise a `DataError`."""
        if not isinstance(case, Mapping):
            raise DataError(f"row: {reprlib.repr(case)} is not a case; give a dict from names to values")
        self._read("", case, 0)
        if len(set(self.names)) < len(self.names):
            self._check_names()

    def _check_names(self) -> None:
        """A `DataError` where two values have one name: "a.b", and b within a."""
        named = [name for name, kind in zip(self.names, self.kinds, strict=True) if kind != IS_PART]
        for name, count in Counter(named).items():
            if count > 1:
                raise DataError(
                    f"row: column {name!r} is there twice, by itself and within another; rename one of them"
                )

    def _read(self, prefix: str, case: Mapping[str, Any], depth: int) -> None:
        """Every value of a dict; those of a dict within it under dotted names."""
        if depth > _DEEPEST:
            raise DataError(f"row: column {prefix[:80]!r} is a dict within {_DEEPEST} others; flatten it first")
        declared = self._declared
        for name, value in case.items():
            if type(name) is not str and not isinstance(name, str):
                raise DataError(f"row: the column name {name!r} is not a string")
            full = prefix + name
            kind = declared.get(full) if declared else None
            if kind is not None:
                self._as_declared(full, value, kind)
            elif type(value) is str:
                self._text(full, value)
            elif type(value) is float or type(value) is int:
                self._number(full, value)
            elif value is None:
                self._item(IS_GAP, full, 0, 0)
            elif isinstance(value, Mapping):
                self._read(f"{full}.", value, depth + 1)
            else:
                self._other(full, value)

    def _item(self, kind: int, name: str, start: int, stop: int) -> None:
        self.kinds.append(kind)
        self.names.append(name)
        self.starts.append(start)
        self.stops.append(stop)

    def _text(self, name: str, value: str) -> None:
        """A text as it looks: a gap, a number, a date, one word or several."""
        value = value.strip()
        if not value:
            self._item(IS_GAP, name, 0, 0)
            return
        if value[0] in _NUMBER_STARTS or value[-1].isdigit():
            when = parsed_date(value) if len(value) >= 6 else None
            if when is not None:
                self._date(name, when)
                return
            try:
                self._number(name, float(value))
                return
            except ValueError:
                pass
        self._words(name, value, IS_WORD if len(value.split(None, 1)) == 1 else IS_TEXT)

    def _words(self, name: str, value: str, kind: int) -> None:
        data = value[:_LONGEST_TEXT].lower().encode("utf-8", "replace")
        self.text.append(data)
        start = self._at
        self._at = start + len(data)
        self._item(kind, name, start, self._at)

    def _number(self, name: str, value: Any) -> None:
        try:
            x = float(value)
        except OverflowError:
            x = LARGEST_DOUBLE if value > 0 else -LARGEST_DOUBLE
        if not -LARGEST_DOUBLE <= x <= LARGEST_DOUBLE:
            if isnan(x):
                self._item(IS_GAP, name, 0, 0)
                return
            x = LARGEST_DOUBLE if x > 0 else -LARGEST_DOUBLE
        self.numbers.append(x)
        self._item(IS_NUMBER, name, len(self.numbers) - 1, len(self.numbers))

    def _date(self, name: str, when: date) -> None:
        self.numbers += parts(when)
        self._item(IS_DATE, name, len(self.numbers) - 3, len(self.numbers))
        self._number(f"{name} (day)", day_number(when))

    def _other(self, name: str, value: Any) -> None:
        """A value that is neither plain text nor a plain number."""
        if isinstance(value, bool | np.bool_):
            self._words(name, "true" if value else "false", IS_SYMBOL)
        elif type(value) is list:
            self._list(name, value)
        elif isinstance(value, str):
            self._text(name, str(value))
        elif isinstance(value, np.datetime64):
            self._other(name, value.item())
        elif isinstance(value, date):
            if value != value:  # NaT
                self._item(IS_GAP, name, 0, 0)
            else:
                self._date(name, value)
        elif isinstance(value, Real):
            self._number(name, value)
        elif isinstance(value, np.ndarray):
            self._list(name, value.ravel().tolist())
        elif isinstance(value, Sequence | set | frozenset):
            self._list(name, list(value))
        elif _is_missing(value):
            self._item(IS_GAP, name, 0, 0)
        else:
            raise DataError(
                f"row: column {name!r} is {reprlib.repr(value)}; give text, a number, a date, a list of these or a dict"
            )

    def _list(self, name: str, values: list[Any]) -> None:
        """Numbers are a vector, few of them columns of their own; everything else is a bag."""
        if not values:
            self._item(IS_GAP, name, 0, 0)
        elif all(map(_is_number, values)):
            if len(values) < _SHORTEST_VECTOR:
                for j, one in enumerate(values):
                    self._number(f"{name}[{j}]", one)
            else:
                self._vector(name, values)
        else:
            self._item(IS_BAG, name, 0, 0)
            for one in values:
                self._part(name, one)

    def _part(self, name: str, one: Any) -> None:
        if isinstance(one, list | tuple | set | frozenset | np.ndarray | Mapping):
            raise DataError(
                f"row: column {name!r} holds {reprlib.repr(one)} within a list; give lists of text or of numbers"
            )
        if one is None or (isinstance(one, float) and isnan(one)):
            return
        text = str(one).strip()
        if text:
            self._words(name, text[:_LONGEST_WHOLE], IS_PART)

    def _vector(self, name: str, values: Any) -> None:
        try:
            numbers = np.array(list(values), np.float64)
        except (TypeError, ValueError):
            raise DataError(f"row: column {name!r} is {reprlib.repr(values)}; give a vector of numbers") from None
        length = self._lengths.get(name)
        if length is None:
            self.new_lengths[name] = length = len(numbers)
        if len(numbers) != length or numbers.ndim != 1:
            raise wrong_length(name, numbers.size, length)
        numbers = np.clip(np.nan_to_num(numbers), -LARGEST_DOUBLE, LARGEST_DOUBLE)
        start = len(self.numbers)
        self.numbers += numbers.tolist()
        self._item(IS_VECTOR, name, start, len(self.numbers))

    def _as_declared(self, name: str, value: Any, kind: str) -> None:
        """A value of a column of which the user has said what it is."""
        if kind == "ignore":
            return
        if _is_missing(value) or (isinstance(value, str) and not value.strip()):
            self._item(IS_GAP, name, 0, 0)
        elif kind == "text":
            self._words(name, str(value).strip(), IS_TEXT)
        elif kind == "category":
            self._words(name, str(value).strip()[:_LONGEST_WHOLE], IS_SYMBOL)
        elif kind == "number":
            try:
                self._number(name, value if isinstance(value, Real) else float(value))
            except (TypeError, ValueError):
                raise DataError(f"row: column {name!r} is {reprlib.repr(value)}, and was declared a number") from None
        elif kind == "date":
            when = value if isinstance(value, date) else parsed_date(str(value).strip())
            if when is None:
                raise DataError(f"row: column {name!r} is {reprlib.repr(value)}, and was declared a date")
            self._date(name, when)
        else:
            self._vector(name, value)


def _is_number(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return False
    return kind is float or kind is int or (isinstance(value, Real) and not isinstance(value, bool))


def wrong_length(name: str, length: int, before: int) -> DataError:
    """The error for a vector that is longer or shorter than those before."""
    return DataError(
        f"row: column {name!r} is a vector of {length} numbers, and those before had {before}; every vector of a "
        "column must have the same length"
    )


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False
