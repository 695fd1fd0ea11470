"""Nearest points: against an obvious search in the plane, and the two solvers against each other."""

from __future__ import annotations

from itertools import combinations
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from onebit.separability import nearest_point
from onebit.separability.nearest_point import balanced, nearest_weights, pivoted_weights

RNG = np.random.default_rng(3)


def distance_in_the_plane(rows: Any) -> float:
    """From the origin to the hull of rows of the plane: that of the nearest corner or side, or 0 if it is inside."""
    angles = np.sort(np.arctan2(rows[:, 1], rows[:, 0]))
    if np.diff(np.append(angles, angles[0] + 2 * np.pi)).max() < np.pi:
        return 0.0
    best = float(np.linalg.norm(rows, axis=1).min())
    for a, b in combinations(rows, 2):
        if not np.allclose(a, b):
            share = np.clip(a @ (a - b) / ((a - b) @ (a - b)), 0, 1)
            best = min(best, float(np.linalg.norm(a + share * (b - a))))
    return best


def test_both_solvers_find_the_nearest_point_of_a_plane() -> None:
    inside = 0
    for _ in range(60):
        rows = RNG.normal(size=(int(RNG.integers(1, 12)), 2)) * 0.4 + RNG.normal(size=2) * 0.6
        want = distance_in_the_plane(rows)
        weights = nearest_weights(rows).values
        pivoted = pivoted_weights(rows @ rows.T, np.zeros(len(rows))).values
        for one, digits in ((weights, 1e-12), (pivoted, 1e-5)):
            assert np.linalg.norm(one @ rows) == pytest.approx(want, abs=digits)
            assert (one >= 0).all()
            assert one.sum() == pytest.approx(1)
        assert np.count_nonzero(weights) <= 3
        if want == 0:
            exact = balanced(rows[pivoted > 0], pivoted[pivoted > 0])
            assert np.linalg.norm(exact @ rows[pivoted > 0]) < 1e-12
            assert (exact >= 0).all()
            inside += 1
    assert 5 < inside < 50


def test_no_row_lies_behind_the_plane_through_the_nearest_point() -> None:
    rows = RNG.normal(size=(300, 8)) + 1.5
    point = nearest_weights(rows).values @ rows
    assert (rows @ point).min() == pytest.approx(point @ point)
    for start in (np.zeros(300), np.ones(300), (np.arange(300) == 7).astype(float)):
        pivoted = pivoted_weights(rows @ rows.T, start).values
        assert pivoted @ rows == pytest.approx(point, abs=1e-6)


def test_a_row_of_zeros_is_the_nearest_point_alone() -> None:
    rows = np.vstack([RNG.normal(size=(5, 3)) + 1, np.zeros(3)])
    assert nearest_weights(rows).values.tolist() == [0, 0, 0, 0, 0, 1]


def test_rows_so_alike_that_rounding_outweighs_the_ridge() -> None:
    rows = 100 * (np.repeat(RNG.normal(size=(4, 30)), 50, axis=0) + 2)
    want = nearest_weights(rows[::50]).values @ rows[::50]
    assert pivoted_weights(rows @ rows.T, np.zeros(200)).values @ rows == pytest.approx(want, rel=1e-6)


def test_what_goes_round_in_circles_is_solved_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = RNG.normal(size=(60, 6)) + 0.8
    want = nearest_weights(rows).values @ rows
    spy = Mock(side_effect=nearest_point._one_at_a_time)
    monkeypatch.setattr(nearest_point, "_one_at_a_time", spy)
    monkeypatch.setattr(nearest_point, "_PATIENCE", 0)
    assert pivoted_weights(rows @ rows.T, np.ones(60)).values @ rows == pytest.approx(want, abs=1e-6)
    assert spy.call_count == 1


def test_where_lawson_and_hanson_give_up_blocks_are_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = RNG.normal(size=(60, 6)) + 0.8
    want = nearest_weights(rows).values @ rows

    def give_up(*args: Any, **options: Any) -> None:
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr("scipy.optimize.nnls", give_up)
    assert nearest_weights(rows).values @ rows == pytest.approx(want, abs=1e-6)
    monkeypatch.setattr(nearest_point, "_PATIENCE", 0)
    last = nearest_weights(rows).values
    assert (last >= 0).all()
    assert last.sum() == pytest.approx(1)


def test_at_the_limit_the_weights_still_bound_the_distance() -> None:
    rows = RNG.normal(size=(200, 20)) + 0.5
    best = pivoted_weights(rows @ rows.T, np.zeros(200))
    early = pivoted_weights(rows @ rows.T, np.zeros(200), limit=1)
    assert early.cost < best.cost
    assert (early.values >= 0).all()
    assert early.values.sum() == pytest.approx(1)
    assert np.linalg.norm(early.values @ rows) >= np.linalg.norm(best.values @ rows)
