"""Spectral rows joined with what is known of each node."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.types import FloatArray
from onebit.graph import Graph


def joined(rows: FloatArray, graph: Graph, features: Any, dims: int = 50) -> FloatArray:
    """Unit rows joined with the features of each node's neighbourhood, both of the same weight."""
    F = sp.csr_array(features).astype(np.float64)
    S = graph.matrix
    F = sp.diags_array(1 / np.maximum(F.sum(axis=1), 1e-300)) @ F
    spread = (S @ (S @ F)).toarray()
    spread -= spread.mean(axis=0)
    U, s, _ = np.linalg.svd(spread, full_matrices=False)
    parts = U[:, :dims] * s[:dims]
    norms = np.linalg.norm(parts, axis=1, keepdims=True)
    return np.ascontiguousarray(np.hstack([rows, parts / np.where(norms > 0, norms, 1)]) / np.sqrt(2))
