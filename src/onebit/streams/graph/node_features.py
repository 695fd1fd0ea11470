"""Spectral rows joined with what is known of each node."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray
from onebit.core.checks import check_whole
from onebit.core.errors import DataError
from onebit.features.labelled import prepare_rows
from onebit.graph import Graph
from onebit.streams.graph.spectral import fixed_signs, unit_rows


def join_node_features(rows: FloatArray, graph: Graph, features: Any, dims: int = 50) -> FloatArray:
    """The rows of all nodes, each joined with at most `dims` numbers that sum up the features around the node.

    The features of a node, scaled to length 1, are spread twice over the edges, F ← M² F with
    M = E^-½ (S + wI) E^-½: S the adjacency matrix with, at each node, a loop of the mean weight w of an edge, and E
    the degrees so. The sums are centred and brought down to their `dims` principal components, scaled to length 1.
    Both halves are divided by √2, so that rows of length 1 keep it.

    >>> import numpy as np
    >>> path = Graph.of(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> join_node_features(np.ones((3, 1)), path, np.eye(3)).round(2).shape
    (3, 4)
    """
    n = len(graph)
    table = prepare_rows(features, normalize=True)
    if table.shape[0] != n or len(rows) != n:
        raise DataError(
            f"features: have {table.shape[0]:,} rows beside {len(rows):,} spectral rows for a graph of {n:,} nodes; "
            "give one row per node"
        )
    S = graph.matrix + sp.diags_array(np.full(n, graph.matrix.data.mean()), format="csr")
    half = sp.diags_array(1 / np.sqrt(S.sum(axis=1)))
    M = (half @ S @ half).tocsr()
    around = unit_rows(_components(M, table, check_whole("dims", dims)))
    both: FloatArray = np.hstack([rows, around]) / np.sqrt(2)
    return both


def _components(M: Any, F: Any, dims: int) -> FloatArray:
    """The principal components of the rows of M²F, min(dims, rows, columns) of them, those of no size as zeros."""
    n, p = F.shape
    mean = np.asarray((M @ (M @ np.ones(n))) @ F) / n
    if min(n, p) <= 2 * dims:
        table = M @ (M @ (F.toarray() if sp.issparse(F) else F))
        U, s, _ = np.linalg.svd(table - mean, full_matrices=False)
    else:
        U, s = _truncated_svd(M, F, mean, dims)
    sizes = s[:dims] * (s[:dims] > 1e-7 * (s[0] + np.sqrt(n) * np.linalg.norm(mean)))
    found: FloatArray = U[:, :dims] * sizes
    return found * fixed_signs(found)


def _truncated_svd(M: Any, F: Any, mean: FloatArray, dims: int) -> tuple[FloatArray, FloatArray]:
    """The largest left singular vectors and values of M²F - 1 meanᵀ, which is never formed: F stays sparse."""
    from scipy.sparse.linalg import ArpackError, LinearOperator, svds

    def forth(v: FloatArray) -> Any:
        return M @ (M @ (F @ v)) - np.vdot(mean, v)

    def back(u: FloatArray) -> Any:
        return F.T @ (M @ (M @ u.ravel())) - mean * u.sum()

    n, p = F.shape
    operator = LinearOperator((n, p), matvec=forth, rmatvec=back, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=min(n, p))
    if not (forth(start) if p <= n else back(start)).any():
        return np.zeros((n, dims)), np.zeros(dims)
    try:
        U, s, _ = svds(operator, dims, v0=start, solver="arpack", return_singular_vectors="u")
    except ArpackError as error:
        raise DataError(f"features: no {dims} principal components found ({error}); leave them out") from None
    order = np.argsort(-s)
    return U[:, order], s[order]
