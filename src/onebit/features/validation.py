"""Rows as scikit-learn checks them."""

from __future__ import annotations

from typing import Any


def validated(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a finite table, dense or CSR. With `reset` the estimator notes its features, else they must be the same."""
    import sklearn.utils.validation as validation

    options = {"dtype": ["float64", "float32"], "order": "C", "accept_sparse": "csr"}
    if hasattr(validation, "validate_data"):
        return validation.validate_data(estimator, X, reset=reset, **options)
    return estimator._validate_data(X, reset=reset, **options)  # scikit-learn 1.5
