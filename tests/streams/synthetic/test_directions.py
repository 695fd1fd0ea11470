"""Directions spread over a sphere: the known best arrangements."""

from __future__ import annotations

import numpy as np
import pytest

from onebit.streams.synthetic.directions import largest_cosine, spread, turned


@pytest.mark.parametrize(
    ("n", "d", "cosine"),
    [
        (3, 2, -1 / 2),
        (9, 2, np.cos(2 * np.pi / 9)),
        (2, 1, -1.0),
        (4, 3, -1 / 3),
        (7, 9, -1 / 6),
        (6, 3, 0.0),  # octahedron
        (12, 3, 1 / np.sqrt(5)),  # icosahedron
        (8, 4, 0.0),
    ],
)
def test_the_nearest_two_are_as_far_apart_as_can_be(n: int, d: int, cosine: float) -> None:
    points = spread(n, d, np.random.default_rng(0))
    assert np.linalg.norm(points, axis=1) == pytest.approx(1)
    assert largest_cosine(points) == pytest.approx(cosine, abs=1e-3)


def test_one_direction() -> None:
    assert [spread(1, d, np.random.default_rng(0)).tolist() for d in (2, 5)] == [[[1.0, 0.0]], [[1.0]]]


def test_many_are_better_spread_than_at_random() -> None:
    draw = np.random.default_rng(1)
    points = draw.standard_normal((60, 6))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    assert largest_cosine(spread(60, 6, draw)) < largest_cosine(points) - 0.2


def test_turning_keeps_angles() -> None:
    points = spread(5, 7, np.random.default_rng(0))
    there = turned(points, 7, np.random.default_rng(2))
    assert there.shape == (5, 7)
    assert there @ there.T == pytest.approx(points @ points.T)
    assert (there != 0).all()
