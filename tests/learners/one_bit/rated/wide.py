"""Sparse rows with enough columns for the grid, and learners that have lived through some of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

LABELS = ("a", "b", "c")
WIDTH = 301  # one column more than whole covariances are kept for, with the bias
COLUMNS = np.append(np.arange(0, WIDTH - 1, 10), WIDTH - 1)  # those that ever hold anything: the last is among them


def texts(n: int, K: int = len(LABELS), width: int = WIDTH) -> tuple[list[Any], Any]:
    """Rows of six words, of which their labels are fond in different measure, and the numbers of the labels."""
    draw = np.random.default_rng(K)
    columns = np.unique(np.minimum(COLUMNS, width - 1))
    y = draw.integers(K, size=n)
    fond = np.exp(1.5 * draw.normal(size=(K, len(columns))))
    fond /= fond.sum(axis=1, keepdims=True)
    X = np.zeros((n, width))
    for x, label in zip(X, y, strict=True):
        x[draw.choice(columns, size=6, replace=False, p=fond[label])] = draw.uniform(0.5, 2, size=6)
    return [sp.csr_array(x[None]) for x in X], y


def live(learner: Any, first: int = 0, stop: int = 60, lies: float = 0.0) -> Any:
    """The learner after these rounds and the bits about them, of which some lie."""
    rows, y = texts(stop)
    flips = np.random.default_rng(9).random(stop) < lies
    for t in range(first, stop):
        decision = learner.decide(rows[t])
        learner.learn(decision, (LABELS[y[t]] in decision.labels) != flips[t])
    return learner
