"""Rows of named features as they come from Python programs: checked, and as tables: dense, hashed, or raw cases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.errors import DataError
from onebit.features import hash_rows
from onebit.features.case_rows import CaseRows
from onebit.features.labelled import compact

Row = dict[str, Any]


def named_row(x: Any, where: str = "row") -> Row:
    """A row with its names as text. The row itself is not changed.

    >>> named_row({0: 1.5, "colour": None})
    {'0': 1.5, 'colour': None}
    """
    if not isinstance(x, Mapping):
        raise DataError(f"{where}: {_short(x)} is not a dict of features by name")
    row = {str(name): value for name, value in x.items()}
    if len(row) < len(x):
        raise DataError(f"{where}: two of the names {list(x)[:10]} are the same as text; rename one of them")
    return row


def raw_row(x: Any, where: str = "row") -> Row:
    """The same for a raw case, its names sorted: in River, the order of features decides nothing.

    >>> raw_row({"plan": "gold", "amount": None})
    {'amount': None, 'plan': 'gold'}
    """
    return dict(sorted(named_row(x, where).items()))


def check_dict_row(x: Any, where: str = "row") -> Row:
    """The same for a row to be hashed, or a `DataError` that names what is missing.

    >>> check_dict_row({0: 1.5, "colour": "red"})
    {'0': 1.5, 'colour': 'red'}
    >>> check_dict_row({"age": None})
    Traceback (most recent call last):
    onebit.core.errors.DataError: row: feature 'age' is None; fill gaps first, as river.preprocessing.StatImputer ...
    """
    row = named_row(x, where)
    for name, value in row.items():
        if value is None or (isinstance(value, float | np.floating) and not math.isfinite(value)):
            raise DataError(
                f"{where}: feature {name!r} is {value}; fill gaps first, as river.preprocessing.StatImputer does, "
                "or leave the feature out of the row"
            )
        if not isinstance(value, str | Real | np.bool_):
            raise DataError(f"{where}: feature {name!r} is {value!r}; rows hold numbers, strings and booleans")
    return row


def numbers_in_order(row: Row, names: Iterable[str], where: str = "row") -> list[float]:
    """The values of a named row in the order of `names`, all of them numbers; a feature that it lacks is 0.

    >>> numbers_in_order({"b": True, "a": 2}, ["a", "b", "c"])
    [2, True, 0.0]
    """
    values = [row.get(name, 0.0) for name in names]
    for name, value in zip(names, values, strict=True):
        if isinstance(value, str):
            raise DataError(
                f"{where}: feature {name!r} is the text {value!r}; dense rows hold numbers, hashed ones text"
            )
    return values


class TableForm(NamedTuple):
    """How rows become a table: dense columns in the order of `names`, hashed into `width` columns, or raw cases."""

    names: tuple[str, ...] | None
    width: int
    cases: bool = False

    def misfit(self, row: Row) -> str:
        """Why the row cannot be one of this table: dense ones have these names and hold numbers. Empty if it can."""
        if self.names is None:
            return ""
        for name in self.names:
            if name not in row:
                return f"there is no feature {name!r}"
            if not isinstance(row[name], Real | np.bool_) or row[name] != row[name]:
                return f"feature {name!r} is {row[name]!r}"
        new = [name for name in row if name not in self.names] if len(row) > len(self.names) else []
        return f"there is a feature {new[0]!r}" if new else ""

    def table(self, rows: Sequence[Row]) -> Any:
        """Rows that fit, as one table."""
        if self.cases:
            return CaseRows([dict(sorted(row.items())) for row in rows])
        if self.names is None:
            return compact(hash_rows(rows, self.width))
        table: FloatArray = np.array([[row[name] for name in self.names] for row in rows], dtype=np.float64)
        return table


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
