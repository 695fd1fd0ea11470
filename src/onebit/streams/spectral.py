"""Spectral rows: where each node lies in a graph, as numbers that a linear learner can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.core.errors import ConfigError, DataError
from onebit.core.types import FloatArray
from onebit.graph import Graph
from onebit.streams.eigenpairs import Progress, smallest_pairs


def spectral_rows(
    graph: Graph, d: int = 100, *, weights: Any = "1/sqrt", unit: bool = True, progress: Progress | None = None
) -> FloatArray:
    """One row of d numbers per node of a connected graph: nearby nodes get similar rows.

    >>> import numpy as np
    >>> ring = Graph.of(np.roll(np.eye(4), 1, axis=0) + np.roll(np.eye(4), -1, axis=0))
    >>> spectral_rows(ring, 2).shape
    (4, 2)
    """
    if isinstance(d, bool) or not isinstance(d, int | np.integer) or d < 1:
        raise ConfigError(f"d={d!r}: must be a whole number, 1 or larger")
    if d >= len(graph):
        raise DataError(f"d={d}: a graph of {len(graph)} nodes has {len(graph) - 1} eigenpairs; choose d below that")
    values, vectors = smallest_pairs(graph, int(d), progress)
    top = np.abs(vectors).max(axis=0)
    first = np.argmax(np.abs(vectors) >= top * (1 - 1e-6), axis=0)
    vectors = vectors * np.sign(vectors[first, np.arange(d)])
    w = {"1/sqrt": values**-0.5, "1/lambda": 1 / values}[weights] if isinstance(weights, str) else np.asarray(weights)
    rows: FloatArray = np.ascontiguousarray(vectors * w)
    if unit:
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        rows /= np.where(norms > 0, norms, 1)[:, None]
    return rows
