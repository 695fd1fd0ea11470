"""Cutting planes: both solvers of the nearest point, what is dropped, and when they stop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.separability import margins
from onebit.separability.constraints import HalfSpaces, Rivals, Table
from onebit.separability.margins import GAP, ZERO, Budget, largest_margin
from onebit.separability.nearest_point import nearest_weights

RNG = np.random.default_rng(3)


def two_clouds(distance: float, n: int = 3000, d: int = 6) -> Any:
    """Rows of two classes around ±distance/2 on the first axis."""
    y = np.arange(n) % 2
    X = RNG.uniform(-1, 1, (n, d))
    X[:, 0] += np.where(y == 1, 1, -1) * (1 + distance / 2)
    return Table.of(X, y, 2)


@pytest.mark.parametrize("large", [1, 1000])
def test_few_conditions_give_the_margin_of_all(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(margins, "LARGE", large)
    table = two_clouds(0.01)
    sides = HalfSpaces(table, [0], [1])
    found = largest_margin(sides, Budget())
    every = sides.vectors(np.column_stack([np.arange(len(table.y)), np.where(table.y == 0, 1, -1)]))
    want = np.linalg.norm(nearest_weights(every).values @ every)
    assert found.holds
    assert found.least == pytest.approx(want, rel=2 * GAP)
    assert found.most == pytest.approx(want, rel=2 * GAP)
    assert (every @ found.w).min() == pytest.approx(found.least)
    assert len(found.conditions) <= 7
    assert (found.weights > 0).all()
    assert np.linalg.norm(found.weights @ sides.vectors(found.conditions)) == pytest.approx(found.most)


@pytest.mark.parametrize("large", [1, 1000])
def test_weights_that_prove_that_there_is_no_margin(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(margins, "LARGE", large)
    rivals = Rivals(two_clouds(-0.1), [0, 1])
    found = largest_margin(rivals, Budget())
    assert found.holds is False
    assert (found.weights > 0).all()
    assert np.linalg.norm(found.weights @ rivals.vectors(found.conditions)) <= ZERO


def test_it_stops_where_more_is_not_asked_for_or_the_budget_is_spent() -> None:
    sides = HalfSpaces(two_clouds(0.01), [0], [1])
    whole = largest_margin(sides, Budget())
    early = largest_margin(sides, Budget(), enough=0.5)
    assert whole.most < early.most <= 0.5
    spent = largest_margin(sides, Budget(1.0))
    assert spent.most > whole.most
    assert spent.least <= whole.least
