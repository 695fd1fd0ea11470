"""What a graph is: nodes, and undirected edges between them, each with a weight."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import DataError
from onebit.ops.csr import sound_csr


class Graph:
    """An undirected graph without self-loops. It never changes, and two are equal if their edges are.

    `indptr` and `indices` list the neighbours of each node as in CSR, sorted, every edge twice; `weights` lies
    beside `indices`, or is None if every edge weighs 1. `nodes` holds what the nodes are called, 0 .. n-1 if they
    have no names. `Graph.of` makes one from an adjacency matrix.

    >>> import numpy as np
    >>> triangle = Graph.of(np.ones((3, 3)) - np.eye(3))
    >>> triangle
    Graph(3 nodes, 3 edges)
    >>> triangle.degrees
    array([2., 2., 2.])
    """

    indptr: IntArray
    indices: NDArray[np.int32]
    weights: FloatArray | None
    nodes: NDArray[Any]

    def __init__(self, matrix: Any, nodes: Any = None) -> None:
        """From a CSR matrix in canonical form that is known to be symmetric, positive and without a diagonal."""
        self.indptr = matrix.indptr.astype(np.int64, copy=False)
        self.indices = matrix.indices.astype(np.int32, copy=False)
        self.weights = None if np.all(matrix.data == 1) else matrix.data.astype(np.float64, copy=False)
        self.nodes = np.arange(matrix.shape[0]) if nodes is None else nodes

    @classmethod
    def of(cls, adjacency: Any, name: str = "graph") -> Graph:
        """A graph from a symmetric adjacency matrix, NumPy or SciPy sparse; entries of 0 are no edges.

        >>> Graph.of([[0, 1], [0, 0]])
        Traceback (most recent call last):
        onebit.core.errors.DataError: graph: edge (0, 1) has weight 1, its way back 0; ...
        """
        matrix = check_adjacency(adjacency, name)
        if matrix.diagonal().any():
            raise DataError(f"{name}: node {int(np.flatnonzero(matrix.diagonal())[0])} has an edge to itself; drop it")
        uneven = (matrix - matrix.T).tocoo()
        uneven.eliminate_zeros()
        if uneven.nnz:
            i = int(uneven.row[0])
            j = int(uneven.col[0])
            raise DataError(
                f"{name}: edge ({i}, {j}) has weight {matrix[i, j]:g}, its way back {matrix[j, i]:g}; give a symmetric "
                "matrix, or let `onebit.streams.read_graph` make it undirected"
            )
        return cls(matrix)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1

    @property
    def edges(self) -> int:
        """The number of edges, each counted once."""
        return len(self.indices) // 2

    @cached_property
    def matrix(self) -> Any:
        """S, the adjacency matrix (CSR)."""
        data = np.ones(len(self.indices)) if self.weights is None else self.weights
        return sp.csr_array((data, self.indices, self.indptr), shape=(len(self), len(self)))

    @cached_property
    def degrees(self) -> FloatArray:
        """D, the weight of each node's edges together."""
        if self.weights is None:
            return np.diff(self.indptr).astype(np.float64)
        return np.asarray(self.matrix.sum(axis=1), dtype=np.float64)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the edges and their weights."""
        seen = hashlib.sha256(f"{len(self)} {self.weights is not None} ".encode())
        for array in (self.indptr, self.indices, self.weights):
            if array is not None:
                seen.update(np.ascontiguousarray(array).tobytes())
        return seen.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Graph({len(self):,} nodes, {self.edges:,} edges)"


def check_adjacency(adjacency: Any, name: str = "graph") -> Any:
    """The adjacency matrix as CSR in canonical form, without stored zeros; square, finite, never negative.

    >>> check_adjacency([[0, -1], [-1, 0]])
    Traceback (most recent call last):
    onebit.core.errors.DataError: graph: edge (0, 1) has weight -1; weights must be finite and above 0
    """
    try:
        matrix = sp.csr_array(sound_csr(adjacency, name) if sp.issparse(adjacency) else adjacency)
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name}: of type {type(adjacency).__name__}; give a square matrix of numbers") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{name}: has shape {matrix.shape}; an adjacency matrix is square")
    if matrix.dtype.kind not in "fiub":
        raise DataError(f"{name}: holds values of type {matrix.dtype}; weights must be numbers")
    matrix = matrix.astype(np.float64)
    matrix.sum_duplicates()
    bad = np.flatnonzero(~(np.isfinite(matrix.data) & (matrix.data >= 0)))
    if len(bad):
        i = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        raise DataError(
            f"{name}: edge ({i}, {matrix.indices[bad[0]]}) has weight {matrix.data[bad[0]]:g}; "
            "weights must be finite and above 0"
        )
    matrix.eliminate_zeros()
    return matrix
