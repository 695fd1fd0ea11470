"""Where to cut the groups into classes: slabs of equal mass with a margin between them."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray

_POINTS = 2**17
_NUMBERS = 2**24
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
LEAST_MASS = 0.01
"""A class must keep this part of the 1/K of the ball that it would have without a margin."""


class Group(NamedTuple):
    """The points of one group: sorted, ⟨x, u'⟩; beside it, by how much the group beats the next one."""

    heights: FloatArray
    gaps: FloatArray


def sample_groups(u: FloatArray, u_prime: FloatArray, draw: np.random.Generator) -> list[Group]:
    """The groups, as seen on points spread over the unit ball.

    Only their shadow on the span of the vectors counts, so that many features cost no more than a few.

    >>> u = np.array([[1.0, 0.0], [-1.0, 0.0]])
    >>> [len(group.heights) for group in sample_groups(u, u, np.random.default_rng(0))]
    [65536, 65536]
    """
    frame, _ = np.linalg.qr(np.concatenate([u, u_prime]).T)
    points = _ball_shadow(u.shape[1], frame.shape[1], draw)
    scores = points @ (u @ frame).T
    heights = points @ (u_prime @ frame).T
    winner = scores.argmax(axis=1)
    gaps = np.full(len(points), inf)
    if len(u) > 1:
        ranked = np.partition(scores, len(u) - 2, axis=1)
        gaps = ranked[:, -1] - ranked[:, -2]
    groups = []
    for g in range(len(u)):
        own = np.flatnonzero(winner == g)
        own = own[np.argsort(heights[own, g])]
        groups.append(Group(heights[own, g], gaps[own]))
    return groups


def cut_groups(groups: list[Group], sizes: IntArray, margin: float) -> tuple[FloatArray, float]:
    """Cut each group into as many classes as `sizes` says, of equal mass inside the group.

    The upper end of every class on its u' (∞ for the last one of a group), and the smallest mass of a class · K.

    >>> line = Group(np.linspace(-1, 1, 2001), np.full(2001, inf))
    >>> tops, mass = cut_groups([line], np.array([2]), 0.1)
    >>> tops.round(3) + 0.0, round(mass, 2)
    (array([ 0., inf]), 0.9)
    """
    points = sum(len(group.heights) for group in groups)
    tops = []
    least = inf
    for (heights, gaps), classes in zip(groups, sizes.tolist(), strict=True):
        inner, mass = _cut_group(heights[gaps >= margin], classes, margin)
        tops += [*inner, inf]
        least = min(least, mass)
    return np.array(tops), least * int(sizes.sum()) / points


def widest_margin(groups: list[Group], sizes: IntArray) -> float:
    """The largest margin at which every class keeps its least mass, about.

    >>> line = Group(np.linspace(-1, 1, 2001), np.full(2001, inf))
    >>> round(widest_margin([line], np.array([2])), 3)
    0.99
    """
    low = 0.0
    high = 2.0
    for _ in range(20):
        middle = (low + high) / 2
        _, mass = cut_groups(groups, sizes, middle)
        low, high = (middle, high) if mass >= LEAST_MASS else (low, middle)
    return low


def _cut_group(heights: FloatArray, classes: int, margin: float) -> tuple[list[float], float]:
    """The thresholds between slabs of equal mass, 2 · margin apart; and that mass, in points."""
    n = len(heights)
    if n == 0 or classes == 1:
        return [inf] * (classes - 1), float(n)
    ranks = np.arange(n, dtype=np.float64)
    low = 0.0
    high = n / classes
    for _ in range(40):
        mass = (low + high) / 2
        _, left = _cut_off(heights, ranks, classes - 1, margin, mass)
        low, high = (mass, high) if left >= mass else (low, mass)
    return _cut_off(heights, ranks, classes - 1, margin, low)[0], low


def _cut_off(
    heights: FloatArray, ranks: FloatArray, slabs: int, margin: float, mass: float
) -> tuple[list[float], float]:
    """Cut slabs of a given mass off, from below: the thresholds above them, and what is left above the last."""
    thresholds = []
    start = 0.0
    for _ in range(slabs):
        thresholds.append(float(np.interp(start + mass, ranks, heights)) + margin)
        start = float(np.interp(thresholds[-1] + margin, heights, ranks))
    return thresholds, len(heights) - 1 - start


def _ball_shadow(d: int, k: int, draw: np.random.Generator) -> FloatArray:
    """Points uniform in the ball of d dimensions, seen in k of them. In the plane they lie as seeds in a sunflower."""
    n = min(_POINTS, _NUMBERS // k)
    if d == 2:
        order = np.arange(n) + 0.5
        radius = np.sqrt(order / n)
        angle = order * _GOLDEN_ANGLE
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    normal = draw.standard_normal((n, k))
    square = np.square(normal).sum(axis=1) + draw.chisquare(d - k + 2, n)
    normal /= np.sqrt(square)[:, None]
    return normal
