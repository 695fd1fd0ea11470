"""Eigenpairs of a graph's normalised Laplacian: solved by size, and checked before anyone sees them.

Up to 1,000 nodes, or where more than a fifth of all pairs is wanted, LAPACK solves the dense matrix; else a block is
filtered by Chebyshev polynomials (`onebit.streams.graph.chebyshev`). For 100 pairs of PubMed (19,717 nodes) it took
2.2 s on one core, SciPy's Lanczos 10.3, shift-invert 8.8, LOBPCG 41; on 10^5 nodes and 5·10^5 edges 44 s, Lanczos
140 (`python -m benchmarks.graphs.eigenpairs others`).
"""

from __future__ import annotations

from math import acosh, ceil, log, sqrt

import numpy as np

from onebit.core.aliases import FloatArray, Progress
from onebit.core.errors import DataError
from onebit.graph import Graph
from onebit.streams.graph.chebyshev import allowed, block_size, filtered_pairs
from onebit.streams.graph.laplacian import Normalised
from onebit.streams.graph.spmm import STRIP

__all__ = ["DENSE", "Progress", "check_pairs", "dense_pairs", "smallest_pairs"]

DENSE = 1000
"""Up to how many nodes the matrix is solved as a dense one."""
_LEAST = 1e-13
_NEAR = 0.1


def smallest_pairs(graph: Graph, d: int, progress: Progress | None = None) -> tuple[FloatArray, FloatArray]:
    """The d smallest non-zero eigenvalues of L = I - D^-½ S D^-½, ascending, and their unit vectors as columns.

    The graph must be connected. Pairs that are not exact, not orthonormal or not all of the smallest raise a
    `DataError`. Where eigenvalues coincide, the vectors are one basis of many, the same at each call.

    >>> ring = np.roll(np.eye(6), 1, axis=0)
    >>> values, vectors = smallest_pairs(Graph.of(ring + ring.T), 3)
    >>> values.round(9), vectors.shape
    (array([0.5, 0.5, 1.5]), (6, 3))
    """
    _check_connected(graph)
    N = Normalised(graph)
    dense = len(graph) <= DENSE or 3 * block_size(d) > len(graph)
    mu, V = dense_pairs(N, d) if dense else filtered_pairs(N, d, progress)
    check_pairs(N, mu, V, complete=not dense)
    if progress is not None:
        progress("eigenpairs", d, d)
    return 1 - mu, V


def dense_pairs(N: Normalised, d: int) -> tuple[FloatArray, FloatArray]:
    """The d largest eigenvalues of N below the known one, descending, and their vectors, from the dense matrix.

    >>> dense_pairs(Normalised(Graph.of([[0, 1], [1, 0]])), 1)[0]
    array([-1.])
    """
    from scipy.linalg import eigh

    dense = -N.matrix.toarray()
    dense += 3 * np.outer(N.top, N.top)  # the known eigenvector moves from -1 to the far end, 2
    # The driver that would compute d pairs only (evr) fails on large groups of nearly equal eigenvalues.
    values, V = eigh(dense, driver="evd", overwrite_a=True, check_finite=False)
    return -values[:d], V[:, :d].copy(order="F")


def check_pairs(N: Normalised, mu: FloatArray, V: FloatArray, complete: bool = True) -> None:
    """Raise a `DataError` unless these are the largest eigenpairs of N below the known one.

    `complete` asks also whether one was missed: vectors orthogonal to those found, filtered, show any larger μ.

    >>> N = Normalised(Graph.of([[0, 1], [1, 0]]))
    >>> check_pairs(N, np.array([0.5]), np.array([[1.0], [-1.0]]) / np.sqrt(2))
    Traceback (most recent call last):
    onebit.core.errors.DataError: graph: eigenpair 1 is wrong, its residual is 1.5e+00 where 5.0e-07 is allowed; ...
    """
    remedy = "this is a fault of the solver: choose another d, and report the graph"
    found = np.column_stack([N.top, V])
    errors = N.residuals(V, mu)
    limits = allowed(1 - mu)
    bad = np.flatnonzero(~(errors <= limits))
    if len(bad):
        at = int(bad[0])
        raise DataError(
            f"graph: eigenpair {at + 1} is wrong, its residual is {errors[at]:.1e} where {limits[at]:.1e} is allowed; "
            + remedy
        )
    skew = float(np.abs(found.T @ found - np.eye(found.shape[1])).max())
    if not skew <= 1e-6:
        raise DataError(f"graph: the eigenvectors are not orthonormal, by {skew:.1e}; {remedy}")
    if not 1 - mu[0] > _LEAST:
        raise DataError(
            f"graph: its second eigenvalue is {1 - mu[0]:.0e}, so that to rounding it falls into parts; leave out the "
            "edges of very small weight and take the largest component"
        )
    if complete and (missed := _largest_left(N, mu[-1], found)) > mu[-1] + limits[-1]:
        raise DataError(
            f"graph: an eigenvalue of {1 - missed:.6g} or less was missed, below {1 - mu[-1]:.6g}; {remedy}"
        )


def _largest_left(N: Normalised, cut: float, found: FloatArray) -> float:
    """The largest μ among random vectors orthogonal to those found, filtered so that any above the cut show.

    Surely seen is a λ = 1 - μ that is a tenth smaller than that of the cut.
    """
    left = np.random.default_rng(1).normal(size=(len(N), STRIP))
    near = 1 + _NEAR * (1 - cut) * 2 / (1 + cut)
    degree = ceil(log(100 * sqrt(len(N))) / acosh(near))
    left -= found @ (found.T @ left)
    N.filter(left, max(cut, -0.999), degree, found)
    for _ in range(2):
        left -= found @ (found.T @ left)
        left = np.linalg.qr(left)[0]
    return float(np.linalg.eigvalsh(left.T @ N.times(left)).max())


def _check_connected(graph: Graph) -> None:
    from scipy.sparse.csgraph import connected_components

    parts = int(connected_components(graph.matrix, directed=False, return_labels=False))
    if parts > 1:
        raise DataError(
            f"graph: has {parts:,} parts that no edge joins; take the largest (`onebit.streams.from_graph` does)"
        )
