"""What users give for numbers, as arrays, or an error of our own."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.core.errors import DataError


def as_array(X: Any, name: str = "row") -> Any:
    """The values as an array of any type, or a `DataError` for lists of unequal length and for hidden values.

    >>> as_array([[1.0, 2.0], [3.0]], "X")
    Traceback (most recent call last):
    onebit.core.errors.DataError: X: its rows differ in length; give a table with the same features in each row
    """
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise DataError(f"{name}: has masked values; fill them (X.filled(0)), or drop such rows first")
    try:
        return np.asarray(X)
    except ValueError as error:
        if isinstance(X, list | tuple):
            raise DataError(
                f"{name}: its rows differ in length; give a table with the same features in each row"
            ) from error
        raise _unreadable(name, X, error) from error
    except (TypeError, OverflowError, RuntimeError, MemoryError) as error:
        raise _unreadable(name, X, error) from error


def _unreadable(name: str, X: Any, error: Exception) -> DataError:
    return DataError(f"{name}: a {type(X).__name__} that cannot be read as numbers ({error}); give an array")
