"""Rows to learn from, and the state of a learner kept and put back."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.states import arrays

D = 6


def rows_and_labels(K: int, n: int) -> tuple[Any, Any]:
    """Clusters, with zeros among their features."""
    draw = np.random.default_rng(K)
    y = draw.integers(K, size=n)
    X = (draw.normal(size=(K, D))[y] + 0.7 * draw.normal(size=(n, D))) * (draw.random((n, D)) < 0.8)
    return X, y


def as_kind(x: Any, kind: str) -> Any:
    """One row, dense or sparse."""
    return sp.csr_array(x[None]) if kind == "sparse" else x


def trained(learner: Any, kind: str = "dense", n: int = 60) -> Any:
    """The learner after n rows and the bits about them."""
    X, y = rows_and_labels(len(learner.classes), n)
    for x, label in zip(X, y, strict=True):
        decision = learner.decide(as_kind(x, kind))
        learner.learn(decision, bool(learner.classes[label] in decision.labels))
    return learner


def kept(learner: Any) -> list[Any]:
    """A copy of every array of the state."""
    return [array.copy() for _, array in arrays(learner._session.state)]


def set_back(learner: Any, state: list[Any]) -> None:
    """Put the copies back."""
    for (_, array), old in zip(arrays(learner._session.state), state, strict=True):
        array[...] = old
