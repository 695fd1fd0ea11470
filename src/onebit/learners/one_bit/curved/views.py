"""A dense row in two views, by what the rows so far were like: columns of equal standing, and columns as they are.

    a_j = clip((x_j - μ_j)/σ_j, ±4)/√d₊,   b_j = (x_j - μ_j)/√Σσ²

μ and σ² are running means and variances, the row itself included, and d₊ is the number of columns that vary. The mean
square length of both is 1; a longer one than 2 is cut to 2. In the first view a column that matters little counts as
much as any other; in the second one column of huge scale would count alone. Neither is right everywhere, so both are in
the running.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.schema import room
from onebit.core.aliases import FloatArray
from onebit.learners.one_bit.features import Statistics, observe
from onebit.ops.flat import inner
from onebit.ops.jit import jit
from onebit.ops.rows import DenseRow, value

_LARGEST_DEVIATION = 4.0
_LARGEST_LENGTH = 2.0


class Views(NamedTuple):
    """Both views of one row, each with its squared length behind it."""

    a: FloatArray
    b: FloatArray


def new_views(d: int) -> Views:
    """Room for rows of d features.

    >>> new_views(3).a
    array([0., 0., 0., 0.])
    """
    return Views(np.zeros(d + 1), np.zeros(d + 1))


def views_schema(d: int) -> Views:
    """What a file may hold of them: nothing that is read."""
    return Views(room(d + 1, dtype="float64"), room(d + 1, dtype="float64"))


@jit
def look(statistics: Statistics, standardize: bool, new: bool, row: DenseRow, views: Views) -> None:
    """Write both views of a row; a new one is taken into the statistics first.

    Rows that come as they should be (`standardize` off) are brought to unit length, in both views.
    """
    if standardize:
        if new:
            observe(statistics, row)
        _standardised(statistics, row, views)
    else:
        _as_it_comes(row, views)
    _cut(views.a)
    _cut(views.b)


@jit
def _standardised(statistics: Statistics, row: DenseRow, views: Views) -> None:
    mean = statistics.mean
    variance = statistics.variance
    a = views.a
    b = views.b
    d = mean.shape[0]
    # Over all columns: how many vary, and by how much together.
    varying = 0
    spread = 0.0
    for j in range(d):
        varying += variance[j] > 0
        spread += np.float64(variance[j])
    each = 1 / sqrt(varying) if varying > 0 else 0.0
    whole = 1 / sqrt(spread) if spread > 0 else 0.0
    for j in range(d):
        away = np.float64(value(row, j)) - np.float64(mean[j])
        deviation = np.sqrt(np.float64(variance[j]))
        by = each / deviation if deviation > 0 else 0.0
        most = _LARGEST_DEVIATION * each
        a[j] = min(max(away * by, -most), most)
        b[j] = away * whole


@jit
def _as_it_comes(row: DenseRow, views: Views) -> None:
    d = views.a.shape[0] - 1
    square = 0.0
    for j in range(d):
        x = np.float64(value(row, j))
        views.a[j] = x
        square += x * x
    scale = 1 / sqrt(square) if square > 0 else 0.0
    for j in range(d):
        views.a[j] *= scale
        views.b[j] = views.a[j]


@jit
def _cut(view: FloatArray) -> None:
    """No longer than 2, and the squared length behind it."""
    d = view.shape[0] - 1
    square = inner(view, 0, view, 0, d)
    if square > _LARGEST_LENGTH**2:
        shrink = _LARGEST_LENGTH / sqrt(square)
        for j in range(d):
            view[j] *= shrink
        square = inner(view, 0, view, 0, d)
    view[d] = square
