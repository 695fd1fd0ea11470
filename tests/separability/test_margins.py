"""The solvers below the checkers: nearest points against an obvious search, conditions against written-out rows."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Slabs, Table
from onebit.separability.groupings import Grouping, GroupSearch, partitions
from onebit.separability.margins import Budget, largest_margin
from onebit.separability.nearest import NearestPoint
from onebit.separability.orders import best_order
from onebit.separability.pivoting import PivotedPoint, settled

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
        hull, pivoted = NearestPoint(2), PivotedPoint()
        hull.add(rows)
        hull.solve()
        pivoted.add(rows @ rows.T)
        pivoted.solve()
        assert np.linalg.norm(hull.point) == pytest.approx(want, abs=1e-12)
        assert np.linalg.norm(pivoted.weights @ rows[pivoted.used]) == pytest.approx(want, abs=1e-5)
        assert len(hull.used) <= 3
        assert (hull.weights > 0).all()
        if want == 0:
            exact = settled(rows[pivoted.used], pivoted.weights)
            assert np.linalg.norm(exact @ rows[pivoted.used]) < 1e-12
            assert (exact >= 0).all()
            inside += 1
    assert 5 < inside < 50


def test_rows_that_come_later_are_as_good_as_all_at_once() -> None:
    rows = RNG.normal(size=(300, 8)) + 1.5
    at_once, later = NearestPoint(8), NearestPoint(8)
    at_once.add(rows)
    at_once.solve()
    pivoted = PivotedPoint()
    for end in range(100, 301, 100):
        later.add(rows[end - 100 : end])
        later.solve()
        pivoted.add(rows[:end] @ rows[end - 100 : end].T)
        pivoted.solve()
    assert later.point == pytest.approx(at_once.point, abs=1e-9)
    assert pivoted.weights @ rows[pivoted.used] == pytest.approx(at_once.point, abs=1e-6)
    assert (rows @ at_once.point).min() == pytest.approx(at_once.point @ at_once.point)


def test_pivoting_bears_rows_whose_rounding_outweighs_the_ridge() -> None:
    rows = 100 * (np.repeat(RNG.normal(size=(4, 30)), 50, axis=0) + 2)
    hull = PivotedPoint()
    hull.add(rows @ rows.T)
    before = np.trace(hull._M)
    hull.solve()
    assert np.trace(hull._M) > before
    exact = NearestPoint(30)
    exact.add(rows[::50])
    exact.solve()
    assert hull.weights @ rows[hull.used] == pytest.approx(exact.point, rel=1e-6)


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


def test_the_best_order_is_that_of_all_orders() -> None:
    """Against every order on its own, and against a sweep of directions, which no search over orders takes part in."""
    for _ in range(8):
        centres = RNG.normal(size=(4, 2)) * 3
        X = np.vstack([centre + RNG.uniform(-0.3, 0.3, (5, 2)) for centre in centres])
        y = np.repeat(np.arange(4), 5)
        table = Table.of(X, y, 4)
        found = best_order(table, range(4), Budget())
        each = [largest_margin(Slabs(table, order), Budget()) for order in permutations(range(4))]
        want = max(margin.least for margin in each)
        if want <= 0:
            assert found.holds is False
            assert found.refuted
            continue
        assert found.holds
        assert found.least == pytest.approx(want, rel=1e-6)
        assert found.most == pytest.approx(want, rel=1e-6)
        angles = np.linspace(0, np.pi, 2000)
        along = X @ np.array([np.cos(angles), np.sin(angles)]) / table.scale
        low = np.array([along[y == k].min(axis=0) for k in range(4)])
        high = np.array([along[y == k].max(axis=0) for k in range(4)])
        gaps = np.sort(low, axis=0)[1:] - np.sort(high, axis=0)[:-1]
        assert gaps.min(axis=0).max() == pytest.approx(found.least, abs=0.003)


def test_many_classes_on_a_line_are_ordered_by_their_directions() -> None:
    order = RNG.permutation(9)
    X = np.column_stack([np.argsort(order).repeat(3) + RNG.uniform(-0.2, 0.2, 27), RNG.normal(size=27)])
    table = Table.of(X, np.arange(9).repeat(3), 9)
    found = best_order(table, range(9), Budget())
    assert found.order in (tuple(order), tuple(order[::-1]))
    assert found.holds
    assert found.least <= found.most


def test_partitions() -> None:
    found = [frozenset(map(frozenset, one)) for one in partitions(tuple((k,) for k in range(5)))]
    assert len(found) == len(set(found)) == 52


def test_groups_are_found_among_many_parts() -> None:
    """Eight classes in eight directions, the last one cut in two by a line that misses the origin."""
    angles = 2 * np.pi * np.arange(8).repeat(40) / 8 + RNG.uniform(-0.3, 0.3, 320)
    radii = RNG.uniform(0.3, 1, 320)
    X = radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    along = X @ np.array([np.cos(7 * np.pi / 4), np.sin(7 * np.pi / 4)])
    y = np.arange(8).repeat(40)
    kept = (y < 7) | (abs(along - 0.6) > 0.02)
    y = np.where((y == 7) & (along > 0.6), 8, y)[kept]
    table = Table.of(X[kept], y, 9)
    search = GroupSearch(table, Budget())
    weak = Grouping(tuple(range(9)), largest_margin(Rivals(table, range(9)), Budget()), ())
    found = search.search(weak, lambda *step: None)
    assert weak.between is not None
    assert weak.between.holds is False
    assert found.holds
    assert found.groups == (0, 1, 2, 3, 4, 5, 6, 7, 7)
