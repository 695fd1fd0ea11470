"""Conditions that are never multiplied out, against rows that are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Slabs, Table

RNG = np.random.default_rng(3)


def everything(X: Any, y: Any) -> list[Constraints]:
    table = Table.of(X, y, 3)
    return [HalfSpaces(table, [0], [1]), HalfSpaces(table, [1], [0, 2]), Rivals(table, (0, 1, 0)), Slabs(table, (2, 0))]


def test_worst_conditions_are_those_of_the_written_out_rows() -> None:
    X, y = RNG.normal(size=(40, 3)), np.arange(40) % 3
    sparse = everything(sp.csr_array(X), y)
    for constraints, other in zip(everything(X, y), sparse, strict=True):
        w = RNG.normal(size=constraints.dimension)
        least, found = constraints.worst(w, np.inf, 10**6)
        products = constraints.vectors(found) @ w
        assert products.min() == pytest.approx(least)
        assert len(constraints.worst(w, least - 1e-9, 10**6)[1]) == 0
        assert constraints.products(found, found[:5]) == pytest.approx(
            constraints.vectors(found) @ constraints.vectors(found[:5]).T
        )
        weights = RNG.random(len(found))
        assert constraints.combined(found, weights) == pytest.approx(weights @ constraints.vectors(found))
        assert other.worst(w, np.inf, 10**6)[0] == pytest.approx(least)
        assert other.vectors(found) == pytest.approx(constraints.vectors(found))
        assert other.combined(found, weights) == pytest.approx(weights @ constraints.vectors(found))
    signs = np.where(y == 1, 1, -1)
    w = RNG.normal(size=3)
    assert everything(X, y)[1].worst(w, 0.0, 5)[0] * Table.of(X, y, 3).scale == pytest.approx((signs * (X @ w)).min())
