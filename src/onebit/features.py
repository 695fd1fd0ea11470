"""Feature maps. Dict rows become sparse rows by hashing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from numbers import Real
from typing import Any

import scipy.sparse as sp

from onebit.core.errors import DataError


def hash_rows(rows: Iterable[Mapping[str, Any]], n_features: int) -> sp.csr_matrix:
    """Rows of named features (numbers, strings, booleans) as a sparse table of `n_features` columns.

    A string is one feature per value ("colour=red"). Nothing is remembered between calls, so new names
    may come at any time; two names share a column with probability 1/n_features.

    >>> hash_rows([{"colour": "red", "weight": 2.5, "new": True}], 1024).sum()
    np.float64(4.5)
    """
    return _hasher(n_features).transform([dict(_entries(row)) for row in rows])


def _entries(row: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    for name, value in row.items():
        if not isinstance(name, str):
            raise DataError(f"row: the feature name {name!r} is not a string")
        if isinstance(value, str):
            yield f"{name}={value}", 1.0
        elif isinstance(value, Real):  # booleans and NumPy's numbers too
            yield name, float(value)
        else:
            raise DataError(f"row: feature {name!r} is {value!r}; dict rows hold numbers, strings and booleans")


@lru_cache(maxsize=16)
def _hasher(n_features: int) -> Any:
    from sklearn.feature_extraction import FeatureHasher

    return FeatureHasher(n_features, alternate_sign=False)
