"""Batches of made-up decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.layout import Layout, RowKind, to_rows
from onebit.log import DecisionLog, Draws, Lessons

K, D = 4, 6
NAMES = ["ant", "bee", "cow", "dog"]


def batch(
    n: int, first: int = 0, m: int = 1, k: int = 0, kind: RowKind | None = None, dtype: str = "float64"
) -> Lessons:
    """n decisions, numbered from `first`; those of the same number are the same."""
    rng = np.random.default_rng([first, n])
    labels = np.array([rng.permutation(K)[:m] for _ in range(n)])
    top = np.array([rng.permutation(K)[:k] for _ in range(n)]).reshape(n, k)
    X: Any = np.where(rng.random((n, D)) < 0.5, 0, rng.normal(size=(n, D)))
    draws = Draws(
        labels=np.hstack([labels, top]),
        propensity=rng.uniform(0.01, 1, n),
        greedy=rng.integers(0, K, n),
        explored=rng.integers(0, 2, n) > 0,
    )
    return Lessons(
        id=np.arange(first, first + n),
        step=np.arange(first, first + n) + 3,
        draws=draws,
        answer=rng.integers(0, 2, n),
        row=rng.integers(0, 1000, n),
        rows=None if kind is None else to_rows(X if kind == "dense" else sp.csr_array(X), D, kind, dtype),
    )


def changed(lessons: Lessons, **columns: Any) -> Lessons:
    """The lessons with other columns."""
    drawn = {name: columns.pop(name) for name in Draws._fields if name in columns}
    return lessons._replace(draws=lessons.draws._replace(**drawn), **columns)


def layout(kind: RowKind, dtype: str = "float64") -> Layout:
    return Layout(K, D, kind, dtype)


def written(path: Path, *batches: Lessons, **options: Any) -> Path:
    """The path of a log with these decisions."""
    with DecisionLog(path, **({"classes": NAMES} | options)) as log:
        for each in batches:
            log.write(each)
    return path
