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

from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.flat import inner
from onebit.ops.jit import jit
from onebit.ops.rows import DenseRow, Row, SparseRow, body, by_row, value

_BIAS = 0.1
_LARGEST_DEVIATION = 4.0
_NORM_WITH_BIAS = sqrt(1 + _BIAS**2)


class Statistics(NamedTuple):
    """Rows seen; mean and variance of each feature for dense rows, counts n_j and weights for sparse ones."""

    seen: IntArray
    mean: FloatArray
    variance: FloatArray
    counts: IntArray
    weights: FloatArray


class PreparedRow(NamedTuple):
    """One row as it is learned, but for the factor `scale` to unit norm; indices and size if it is sparse."""

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
    return Statistics(
        seen=np.zeros(1, np.int64),
        mean=np.zeros(dense, dtype),
        variance=np.zeros(dense, dtype),
        counts=np.zeros(sparse, np.int64),
        weights=np.zeros(sparse, dtype),
    )


def new_prepared_row(n_features: int, kind: str, dtype: str) -> PreparedRow:
    """Room for a row of so many features, and the bias.

    >>> new_prepared_row(2, "dense", "float64").x.shape
    (1, 3)
    """
    width = n_features + 1
    return PreparedRow(
        x=np.zeros((1, width) if kind == "dense" else width, dtype),
        scale=np.ones(1),
        indices=np.zeros(0 if kind == "dense" else width, np.uint32),
        size=np.zeros(1, np.int64),
    )


def statistics_schema(n_features: int, kind: str) -> Statistics:
    """What a file may hold of the statistics."""
    dense, sparse = (n_features, 0) if kind == "dense" else (0, n_features)
    return Statistics(
        seen=whole(1),
        mean=reals(dense),
        variance=reals(dense, low=0),
        counts=whole(sparse),
        weights=reals(sparse, low=0),
    )


def prepared_row_schema(n_features: int, kind: str) -> PreparedRow:
    """What a file may hold of a row; its indices are read for as long as the row is known."""
    width = n_features + 1
    dense = kind == "dense"
    return PreparedRow(
        x=room(1, width) if dense else room(width),
        scale=room(1, dtype="float64"),
        indices=whole(0 if dense else width, high=n_features, dtype="uint32"),
        size=whole(1, high=n_features),
    )


@by_row
def prepare(statistics: Statistics, standardize: bool, new: bool, row: Row, out: PreparedRow) -> None:
    """Write the row to `out`, as it is learned; a new one is taken into the statistics first."""
    raise TypeError("only inside compiled code")


@body(prepare, "dense")
def _(statistics: Statistics, standardize: bool, new: bool, row: DenseRow, out: PreparedRow) -> None:
    x = out.x
    d = row.X.shape[1]
    if not standardize:
        for j in range(d):
            x[0, j] = value(row, j)
    else:
        if new:
            observe(statistics, row)
        # Standardised by the rows so far, this one included, and cut; a feature that never changes is 0.
        mean = statistics.mean
        variance = statistics.variance
        zero = x.dtype.type(0)
        one = x.dtype.type(1)
        clip = x.dtype.type(_LARGEST_DEVIATION)
        for j in range(d):
            scale = one / np.sqrt(variance[j]) if variance[j] > zero else zero
            x[0, j] = min(max((value(row, j) - mean[j]) * scale, -clip), clip)
    # The bias, and the factor to unit norm: `as_row` applies it.
    norm = sqrt(inner(x, 0, x, 0, d))
    x[0, d] = _bias(norm)
    out.scale[0] = _scale(norm)


@jit
def observe(statistics: Statistics, row: DenseRow) -> None:
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
def _(statistics: Statistics, standardize: bool, new: bool, row: SparseRow, out: PreparedRow) -> None:
    x = out.x
    indices = out.indices
    n = row.stop - row.start
    square = 0.0
    if not standardize:
        for i in range(n):
            x[i] = row.values[row.start + i]
            indices[i] = row.indices[row.start + i]
            square += x[i] * x[i]
    else:
        # Every entry times the weight of its feature, which is renewed when its count is a power of two.
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
    # The bias as one more entry, and the factor to unit norm: `as_row` applies it.
    norm = sqrt(square)
    x[n] = _bias(norm)
    indices[n] = x.shape[0] - 1
    out.size[0] = n
    out.scale[0] = _scale(norm)


@jit
def _bias(norm: float) -> float:
    """The bias for a row of this norm, before it is scaled."""
    return _BIAS * norm if norm > 0 else _BIAS


@jit
def _scale(norm: float) -> float:
    """What makes a row of this norm, with its bias, one of unit norm."""
    return 1 / (_NORM_WITH_BIAS * norm) if norm > 0 else 1 / _NORM_WITH_BIAS


@by_row
def as_row(prepared: PreparedRow, row: Row) -> Row:
    """The prepared row as a row; `row` says of which kind."""
    raise TypeError("only inside compiled code")


@body(as_row, "dense")
def _(prepared: PreparedRow, row: DenseRow) -> DenseRow:
    return DenseRow(prepared.x, 0, prepared.scale[0])


@body(as_row, "sparse")
def _(prepared: PreparedRow, row: SparseRow) -> SparseRow:
    return SparseRow(prepared.indices, prepared.x, 0, prepared.size[0] + 1, prepared.scale[0])
