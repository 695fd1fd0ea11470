"""What the maps check before they begin: their parameters, and the rows, the way scikit-learn does."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from onebit.core.errors import ConfigError


def check_whole(name: str, value: Any, least: int = 1) -> int:
    """The value as an int, if it is a whole number not below `least`.

    >>> check_whole("degree", 18)
    18
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise ConfigError(f"{name}={value!r}: must be a whole number, {least} or larger")
    return int(value)


def check_between(name: str, value: Any, low: float, high: float = float("inf")) -> float:
    """The value as a float, if it is a number above `low` and below `high`.

    >>> check_between("gamma", 2, 0)
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not low < float(value) < high:
        below = "" if high == float("inf") else f" and below {high:g}"
        raise ConfigError(f"{name}={value!r}: must be a number above {low:g}{below}")
    return float(value)


def validated(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a finite table, dense or CSR. With `reset` the estimator notes its features, else they must be the same."""
    import sklearn.utils.validation as validation

    options = {"dtype": ["float64", "float32"], "order": "C", "accept_sparse": "csr"}
    if hasattr(validation, "validate_data"):
        return validation.validate_data(estimator, X, reset=reset, **options)
    return estimator._validate_data(X, reset=reset, **options)  # scikit-learn 1.5
