"""Groupings: every way to join parts, and groups found among many."""

from __future__ import annotations

import numpy as np

from onebit.separability.constraints import Rivals, Table
from onebit.separability.groupings import Grouping, GroupSearch, partitions
from onebit.separability.margins import Budget, largest_margin

RNG = np.random.default_rng(3)


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
