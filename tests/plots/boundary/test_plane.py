"""The numbers behind a picture of boundaries."""

from __future__ import annotations

import numpy as np
import pytest

from onebit.plots.boundary.plane import partition, plane_through, refine, sample
from onebit.streams import from_arrays
from onebit.streams.base import Stream


def cones(rows: int, d: int = 2, classes: int = 3, shuffle: bool = True) -> Stream:
    """Rows in the unit disc (further features are 0.5), their class by the direction in which they lie."""
    draw = np.random.default_rng(0)
    length, angle = 0.8 * np.sqrt(draw.random(rows)), draw.uniform(0, 2 * np.pi, rows)
    X = np.full((rows, d), 0.5)
    X[:, 0], X[:, 1] = length * np.cos(angle), length * np.sin(angle)
    y = (angle / (2 * np.pi) * classes).astype(int)
    return from_arrays(X, y, name="cones", shuffle=shuffle)


def test_rows_come_evenly_from_the_pass() -> None:
    stream = cones(3000, shuffle=False)
    rows = sample(stream, 0, 30)
    assert len(rows.X) == 30
    assert np.array_equal(rows.X[[0, -1]], stream.X[[0, -1]])
    assert len(sample(stream, 0, 10**6).X) == 3000


def test_features_of_very_different_size_are_stretched() -> None:
    draw = np.random.default_rng(0)
    plane = plane_through(draw.random((50, 2)) * [1, 1000], (0, 1), None)
    assert plane.stretched
    assert plane.ratio == 1
    level = plane_through(draw.random((50, 2)) * [3, 2], (0, 1), None)
    assert not level.stretched
    assert level.ratio == pytest.approx((level.y[1] - level.y[0]) / (level.x[1] - level.x[0]))


def test_refined_boundaries_lie_where_scores_cross() -> None:
    x = np.linspace(0, 1, 50)
    assert refine(np.outer(x, x)) == pytest.approx(np.outer(np.linspace(0, 1, 150), np.linspace(0, 1, 150)))
    scores = np.stack([np.tile(0.7 - x, (50, 1)), np.tile(x - 0.7, (50, 1)), np.full((50, 50), -9.0)], axis=2)
    winner = partition(scores)
    assert (winner[0] == (np.linspace(0, 1, 150) > 0.7)).all()
