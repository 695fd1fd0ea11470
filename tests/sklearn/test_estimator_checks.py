"""scikit-learn's own checks of an estimator, all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import onebit
from onebit.sklearn import BanditClassifier, OneBitClassifier

CLASSIFIERS = [
    OneBitClassifier(),
    BanditClassifier(onebit.Banditron(2, gamma=0.3), bias=True, passes=30),
    BanditClassifier(onebit.Perceptron(2), feedback="full", bias=True, passes=30),
]


@parametrize_with_checks(CLASSIFIERS)  # type: ignore[untyped-decorator]  # scikit-learn is untyped
def test_scikit_learn_checks(estimator: Any, check: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # else the check of the array API is skipped
    check(estimator)
