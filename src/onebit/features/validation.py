"""Rows as scikit-learn checks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from onebit.core.errors import DataError
from onebit.features.case_rows import CaseRows, cases_of_dicts, cases_of_table
from onebit.features.frames import is_frame, to_arrow
from onebit.features.hashing import is_dicts


def validated(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a finite table, dense or CSR. With `reset` the estimator notes its features, else they must be the same."""
    import sklearn.utils.validation as validation

    options = {"dtype": ["float64", "float32"], "order": "C", "accept_sparse": "csr"}
    if hasattr(validation, "validate_data"):
        return validation.validate_data(estimator, X, reset=reset, **options)
    return estimator._validate_data(X, reset=reset, **options)  # scikit-learn 1.5


def raw_rows(X: Any) -> CaseRows:
    """X as raw cases: a frame, or a list of dicts.

    >>> raw_rows([{"plan": "gold"}])[0]
    {'plan': 'gold'}
    """
    if is_frame(X):
        return cases_of_table(to_arrow(X, "X", mixed=True))
    if not is_dicts(X):
        raise DataError(f"X: is {type(X).__name__}, and raw cases are asked for: give a frame, or a list of dicts")
    return cases_of_dicts(X)


def note_columns(estimator: Any, columns: Sequence[str]) -> None:
    """Let the estimator note the columns of raw cases as its features; later cases may have others.

    >>> from sklearn.base import BaseEstimator
    >>> estimator = BaseEstimator()
    >>> note_columns(estimator, ["plan", "amount"])
    >>> estimator.n_features_in_, estimator.feature_names_in_
    (2, array(['plan', 'amount'], dtype=object))
    """
    estimator.n_features_in_ = len(columns)
    estimator.feature_names_in_ = np.array(list(columns), dtype=object)
