"""Spectral rows: where each node lies in a graph, as numbers that a linear learner can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.core.aliases import FloatArray, Progress
from onebit.core.checks import check_flag, check_whole, wrong
from onebit.core.errors import ConfigError
from onebit.graph import Graph
from onebit.streams.graph.cache import cached_pairs


def spectral_rows(
    graph: Graph, d: int = 100, *, weights: Any = "1/sqrt", unit: bool = True, progress: Progress | None = None
) -> FloatArray:
    """One row of d numbers per node of a connected graph: nodes that many short ways join get similar rows.

    Node i has the row v_j(i) w_j, j = 1 .. d, where λ_j and v_j are the d smallest non-zero eigenvalues and their
    vectors of L = I - D^-½ S D^-½ (S the adjacency matrix with its weights, D the degrees). `weights` gives the w_j:
    "1/sqrt" for 1/√λ_j, "1/lambda" for 1/λ_j, or d numbers. `unit` scales rows to length 1 (rows of zeros stay). Of
    each vector, the entry of largest size is positive. Pairs are kept in the cache folder;
    `progress("eigenpairs", done, total)` hears how far they are.

    >>> import numpy as np
    >>> triangles = np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3))
    >>> triangles[2, 3] = triangles[3, 2] = 1
    >>> spectral_rows(Graph.of(triangles), 1).round(9).T
    array([[ 1.,  1.,  1., -1., -1., -1.]])
    """
    check_spectral(len(graph), d, weights, unit)
    values, vectors = cached_pairs(graph, int(d), progress)
    if isinstance(weights, str):
        factors = 1 / (np.sqrt(values) if weights == "1/sqrt" else values)
    else:
        factors = np.asarray(weights, dtype=np.float64)
    rows = np.empty(vectors.shape)
    for j, sign in enumerate(fixed_signs(vectors)):
        np.multiply(vectors[:, j], sign * factors[j], out=rows[:, j])
    return unit_rows(rows) if unit else rows


def check_spectral(n: int, d: Any, weights: Any = "1/sqrt", unit: Any = True) -> None:
    """A `ConfigError` if a graph of n nodes cannot have such rows.

    >>> check_spectral(2, 2)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: d=2: the graph has 2 nodes, so d must be from 1 to 1; choose a smaller d
    """
    if check_whole("d", d) >= n:
        raise ConfigError(f"d={d}: the graph has {n:,} nodes, so d must be from 1 to {n - 1:,}; choose a smaller d")
    check_flag("unit", unit)
    if isinstance(weights, str):
        if weights not in ("1/sqrt", "1/lambda"):
            raise wrong("weights", weights, f"'1/sqrt', '1/lambda' or {d} numbers")
        return
    try:
        given = np.asarray(weights)
    except ValueError:
        given = np.empty(0)
    if given.shape != (d,) or given.dtype.kind not in "fiu" or not np.isfinite(given).all():
        raise wrong("weights", weights, f"'1/sqrt', '1/lambda' or {d} finite numbers, one per column")


def fixed_signs(vectors: FloatArray) -> FloatArray:
    """+1 or -1 for each column, such that its first entry of largest size, but for rounding, becomes positive.

    >>> import numpy as np
    >>> fixed_signs(np.array([[0.1, 0.7], [-0.9, -0.7]]))
    array([-1.,  1.])
    """
    signs = np.ones(vectors.shape[1])
    for j in range(len(signs)):
        sizes = np.abs(vectors[:, j])
        signs[j] = np.copysign(1, vectors[np.argmax(sizes >= (1 - 1e-6) * sizes.max()), j])
    return signs


def unit_rows(rows: FloatArray) -> FloatArray:
    """The rows scaled to length 1, in place; those that are zero but for rounding become zeros.

    >>> import numpy as np
    >>> unit_rows(np.array([[3.0, 4.0], [1e-16, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    least = 1e-9 * np.sqrt(np.mean(norms**2))
    rows /= np.where(norms > least, norms, np.inf)[:, None]
    return rows
