"""The order of slabs: against every order, and against a sweep of directions."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from onebit.separability.constraints import Slabs, Table
from onebit.separability.margins import Budget, largest_margin
from onebit.separability.slab_order import best_order

RNG = np.random.default_rng(3)


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
