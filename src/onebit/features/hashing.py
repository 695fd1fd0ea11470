"""Rows of named features become sparse rows by hashing, and so do tables with columns of text."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf, isfinite
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray
from onebit.core.errors import ConfigError, DataError
from onebit.ops.rows import LARGEST_DOUBLE, problem_of

HASHED_FEATURES = 2**18
"""Into how many columns dict rows are hashed, if nothing else is said."""

_MOST_HASHED = 2**31 - 1


def is_dicts(rows: Any) -> bool:
    """Whether these are rows of named features, to be hashed.

    >>> is_dicts([{"colour": "red"}]), is_dicts([[1.0, 2.0]])
    (True, False)
    """
    return isinstance(rows, list | tuple) and len(rows) > 0 and isinstance(rows[0], Mapping)


def hash_rows(rows: Iterable[Mapping[str, Any]], n_features: int) -> sp.csr_matrix:
    """Rows of named features (numbers, strings, booleans) as a sparse table of `n_features` columns.

    A string is one feature per value ("colour=red"). Nothing is remembered between calls, so new names
    may come at any time; two names share a column with probability 1/n_features.

    >>> hash_rows([{"colour": "red", "weight": 2.5, "new": True}], 1024).sum()
    np.float64(4.5)
    """
    if n_features > _MOST_HASHED:
        raise ConfigError(f"n_features={n_features}: dict rows are hashed into at most {_MOST_HASHED:,} features")
    named = [dict(_entries(row)) for row in rows]
    try:
        table: sp.csr_matrix = _hasher(n_features).transform(named)
    except UnicodeEncodeError as error:
        raise DataError(
            f"row: the feature {error.object!r} holds half of a pair of surrogates, which is no text; repair it first, "
            "say with name.encode('utf-8', 'replace').decode()"
        ) from None
    return table


def hash_columns(columns: Mapping[str, FloatArray | Sequence[str]], n_features: int) -> sp.csr_array:
    """The same for a table given by its columns, arrays of numbers or lists of strings: equal, and quicker.

    >>> table = hash_columns({"colour": ["red", "blue"], "weight": np.array([2.5, 1.0])}, 1024)
    >>> rows = hash_rows([{"colour": "red", "weight": 2.5}, {"colour": "blue", "weight": 1.0}], 1024)
    >>> abs(table - rows).sum()
    np.float64(0.0)
    """
    rows = len(next(iter(columns.values())))
    width = len(columns)
    if rows == 0:
        return sp.csr_array((0, n_features))
    indices = np.empty((rows, width), dtype=np.int32)
    values = np.ones((rows, width))
    for j, (name, column) in enumerate(columns.items()):
        if isinstance(column, np.ndarray):
            indices[:, j] = _places([{name: 1.0}], n_features)
            values[:, j] = column
        else:
            numbers: dict[str, int] = {}
            codes = [numbers.setdefault(value, len(numbers)) for value in column]
            indices[:, j] = _places([{name: value} for value in numbers], n_features)[codes]
    starts = np.arange(0, rows * width + 1, width, dtype=np.int32)
    table = sp.csr_array((values.ravel(), indices.ravel(), starts), shape=(rows, n_features))
    table.sum_duplicates()
    table.eliminate_zeros()
    return table


def _places(rows: list[Mapping[str, Any]], n_features: int) -> Any:
    """The column to which each row of a single feature is hashed."""
    return hash_rows(rows, n_features).indices


def _entries(row: Any) -> Iterable[tuple[str, float]]:
    if not isinstance(row, Mapping):
        raise DataError(f"row: {row!r} stands among dict rows; give every row as a dict")
    for name, value in row.items():
        if not isinstance(name, str):
            raise DataError(f"row: the feature name {name!r} is not a string")
        if isinstance(value, str):
            yield f"{name}={value}", 1.0
        elif type(value) is float and -LARGEST_DOUBLE <= value <= LARGEST_DOUBLE:
            yield name, value
        elif isinstance(value, Real | np.bool_):
            yield name, _finite(name, value)
        else:
            raise DataError(f"row: feature {name!r} is {value!r}; dict rows hold numbers, strings and booleans")


def _finite(name: str, value: Any) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise DataError(
            f"row: feature {name!r} is {reprlib.repr(value)}; rows must be finite: replace or drop such values first"
        )
    if abs(number) > LARGEST_DOUBLE:
        raise DataError(f"row: feature {name!r} is {problem_of(np.float64(number))}")
    return number


@lru_cache(maxsize=16)
def _hasher(n_features: int) -> Any:
    from sklearn.feature_extraction import FeatureHasher

    return FeatureHasher(n_features, alternate_sign=False)
