"""Directions spread evenly over a sphere, and turned at random."""

from __future__ import annotations

import numpy as np

from onebit.core.aliases import FloatArray

_STEPS = 100


def spread(n: int, d: int, draw: np.random.Generator) -> FloatArray:
    """n unit directions, as far apart as they go in d dimensions.

    Up to d + 1 are the corners of a simplex, with n - 1 coordinates only; in the plane they are equally spaced. More
    of them in more dimensions push each other away, from a random start, until they rest.

    >>> spread(4, 2, np.random.default_rng(0)).round(3) + 0.0
    array([[ 1.,  0.],
           [ 0.,  1.],
           [-1.,  0.],
           [ 0., -1.]])
    """
    if d == 2:
        angles = 2 * np.pi * np.arange(n) / n
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return _simplex(n) if n <= d + 1 else _repelled(n, d, draw)


def turned(points: FloatArray, d: int, draw: np.random.Generator) -> FloatArray:
    """The points in d dimensions, turned by a random rotation; lengths and angles stay.

    >>> points = turned(np.eye(2), 3, np.random.default_rng(0))
    >>> points.shape, (points @ points.T).round(12) + 0.0
    ((2, 3), array([[1., 0.], [0., 1.]]))
    """
    frame, _ = np.linalg.qr(draw.standard_normal((d, points.shape[1])))
    return np.ascontiguousarray(points @ frame.T)


def largest_cosine(points: FloatArray) -> float:
    """The cosine of the two nearest of these unit directions.

    >>> largest_cosine(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]))
    0.0
    """
    cosines = points @ points.T
    np.fill_diagonal(cosines, -1.0)
    return float(cosines.max())


def unit(vectors: FloatArray) -> FloatArray:
    """Each row at length 1.

    >>> unit(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """
    rows: FloatArray = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return rows


def _simplex(n: int) -> FloatArray:
    """The n corners of a regular simplex around the origin, in n - 1 coordinates (1 if there is one corner)."""
    corners = np.eye(n, max(n - 1, 1))
    for i in range(n - 1):
        before = corners[:, :i] @ corners[i, :i]
        corners[i, i] = np.sqrt(1 - before[i])
        corners[i + 1 :, i] = (-1 / (n - 1) - before[i + 1 :]) / corners[i, i]
    return unit(corners)


def _repelled(n: int, d: int, draw: np.random.Generator) -> FloatArray:
    """Points that push each other away, the nearest by far the most, in ever smaller steps."""
    points = unit(draw.standard_normal((n, d)))
    for step in np.geomspace(0.5, 1e-4, _STEPS):
        squares = 2 - 2 * points @ points.T
        np.fill_diagonal(squares, np.inf)
        nearest = squares.min(axis=1, keepdims=True)
        weights = np.square(np.square(nearest / squares))
        push = weights.sum(axis=1, keepdims=True) * points - weights @ points
        push -= (push * points).sum(axis=1, keepdims=True) * points
        points = unit(points + step * np.sqrt(nearest) * push / np.linalg.norm(push, axis=1).max())
    return points
