"""Rows as a learner with a prior on its weights wants them: features of equal standing, unit norm, and a bias.

A dense row is standardised by the running mean and deviation of each feature and cut at four deviations. In a
sparse row every feature is weighed by how rare it is, log((1+n)/(1+n_j)) + 2 for one that stood in n_j of n rows;
the weight is brought up to date whenever n_j is a power of two. Then the row is scaled to unit norm, gets a bias
of .1 as its last feature, and is divided by √1.01.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.types import FloatArray, IntArray
from onebit.ops.flat import inner
from onebit.ops.jit import jit
from onebit.ops.rows import DenseRow, Row, SparseRow, body, by_row, value

BIAS = 0.1
CLIP = 4.0
_WHOLE = sqrt(1 + BIAS**2)


class Statistics(NamedTuple):
    """Rows seen; mean and variance of each feature for dense rows, counts n_j and weights for sparse ones."""

    seen: IntArray
    mean: FloatArray
    variance: FloatArray
    counts: IntArray
    weights: FloatArray


class Room(NamedTuple):
    """Room for one row as it is learned, but for the factor to unit norm; indices and size if it is sparse."""

    x: FloatArray
    scale: FloatArray
    indices: NDArray[np.uint32]
    size: IntArray


def new_statistics(n_features: int, kind: str, dtype: str) -> Statistics:
    """Nothing seen yet.

    >>> new_statistics(2, "dense", "float64").mean
    array([0., 0.])
    """
    dense, sparse = (n_features, 0) if kind == "dense" else (0, n_features)
    seen = np.zeros(1, np.int64)
    counts = np.zeros(sparse, np.int64)
    return Statistics(seen, np.zeros(dense, dtype), np.zeros(dense, dtype), counts, np.zeros(sparse, dtype))


def new_room(n_features: int, kind: str, dtype: str) -> Room:
    """Room for a row of so many features, and the bias.

    >>> new_room(2, "dense", "float64").x.shape
    (1, 3)
    """
    width = n_features + 1
    shape = (1, width) if kind == "dense" else (width,)
    indices = np.zeros(0 if kind == "dense" else width, np.uint32)
    return Room(np.zeros(shape, dtype), np.ones(1), indices, np.zeros(1, np.int64))


@by_row
def prepare(statistics: Statistics, standardize: bool, new: bool, row: Row, room: Room) -> None:
    """Write the row to the room, as it is learned; a new one is taken into the statistics first."""
    raise TypeError("only inside compiled code")


@body(prepare, "dense")
def _(statistics: Statistics, standardize: bool, new: bool, row: DenseRow, room: Room) -> None:
    x = room.x
    d = row.X.shape[1]
    if not standardize:
        for j in range(d):
            x[0, j] = value(row, j)
    else:
        if new:
            _observe(statistics, row)
        mean = statistics.mean
        variance = statistics.variance
        zero = x.dtype.type(0)
        one = x.dtype.type(1)
        clip = x.dtype.type(CLIP)
        for j in range(d):
            scale = one / np.sqrt(variance[j]) if variance[j] > zero else zero
            x[0, j] = min(max((value(row, j) - mean[j]) * scale, -clip), clip)
    norm = sqrt(inner(x, 0, x, 0, d))
    x[0, d] = _bias(norm)
    room.scale[0] = _scale(norm)


@jit
def _observe(statistics: Statistics, row: DenseRow) -> None:
    """Welford's running mean and variance."""
    mean = statistics.mean
    variance = statistics.variance
    statistics.seen[0] += 1
    share = mean.dtype.type(1 / statistics.seen[0])
    for j in range(mean.shape[0]):
        x = value(row, j)
        before = x - mean[j]
        mean[j] += share * before
        variance[j] += share * (before * (x - mean[j]) - variance[j])


@body(prepare, "sparse")
def _(statistics: Statistics, standardize: bool, new: bool, row: SparseRow, room: Room) -> None:
    x = room.x
    indices = room.indices
    n = row.stop - row.start
    square = 0.0
    if not standardize:
        for i in range(n):
            x[i] = row.values[row.start + i]
            indices[i] = row.indices[row.start + i]
            square += x[i] * x[i]
    else:
        counts = statistics.counts
        weights = statistics.weights
        statistics.seen[0] += new
        for i in range(n):
            j = row.indices[row.start + i]
            seen = counts[j] + new
            if new and seen & (seen - 1) == 0:
                weights[j] = log((1 + statistics.seen[0]) / (1 + seen)) + 2
            counts[j] = seen
            indices[i] = j
            entry = row.values[row.start + i] * weights[j]
            x[i] = entry
            square += entry * entry
    norm = sqrt(square)
    x[n], indices[n], room.size[0] = _bias(norm), x.shape[0] - 1, n
    room.scale[0] = _scale(norm)


@jit
def _bias(norm: float) -> float:
    """The bias for a row of this norm, before it is scaled."""
    return BIAS * norm if norm > 0 else BIAS


@jit
def _scale(norm: float) -> float:
    """What makes a row of this norm, with its bias, one of unit norm."""
    return 1 / (_WHOLE * norm) if norm > 0 else 1 / _WHOLE


@by_row
def held(room: Room, row: Row) -> Row:
    """The row that the room holds; `row` says of which kind."""
    raise TypeError("only inside compiled code")


@body(held, "dense")
def _(room: Room, row: DenseRow) -> DenseRow:
    return DenseRow(room.x, 0, room.scale[0])


@body(held, "sparse")
def _(room: Room, row: SparseRow) -> SparseRow:
    return SparseRow(room.indices, room.x, 0, room.size[0] + 1, room.scale[0])
