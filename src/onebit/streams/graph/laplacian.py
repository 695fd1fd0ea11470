"""The matrix whose eigenpairs are sought, and a polynomial of it that brings them forward."""

from __future__ import annotations

from math import acosh
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray
from onebit.graph import Graph
from onebit.streams.graph.spmm import STRIP, recurrence_step

_LEAK = np.log(1e6)


class Normalised:
    """N = D^-½ S D^-½ of a connected graph: L = I - N, so the smallest eigenvalues of L are the largest of N.

    `top` is the one eigenvector that is known, of length 1: the square roots of the degrees, with Nv = v.

    >>> N = Normalised(Graph.of([[0, 2, 0], [2, 0, 2], [0, 2, 0]]))
    >>> N.matrix.toarray().round(3)
    array([[0.   , 0.707, 0.   ],
           [0.707, 0.   , 0.707],
           [0.   , 0.707, 0.   ]])
    """

    top: FloatArray

    def __init__(self, graph: Graph) -> None:
        self._indptr = graph.indptr
        self._indices = graph.indices
        weights = np.ones(1) if graph.weights is None else graph.weights / graph.weights.max()
        parts = sp.csr_array((np.broadcast_to(weights, len(self._indices)), self._indices, self._indptr))
        degrees = np.asarray(parts.sum(axis=1))
        self.top = np.sqrt(degrees / degrees.sum())
        half = 1 / np.sqrt(degrees)
        self._data = weights * np.repeat(half, np.diff(self._indptr)) * half[self._indices]
        self._blocks = np.zeros((2, len(self), STRIP))

    def __len__(self) -> int:
        return len(self._indptr) - 1

    @property
    def matrix(self) -> Any:
        """N itself (CSR)."""
        return sp.csr_array((self._data, self._indices, self._indptr), shape=(len(self), len(self)))

    def times(self, V: FloatArray) -> FloatArray:
        """NV for at most 16 columns; a view, good until the next call.

        >>> path = Normalised(Graph.of([[0, 1], [1, 0]]))
        >>> path.times(np.array([[1.0], [2.0]]))
        array([[2.], [1.]])
        """
        X, out = self._blocks
        self._fill(X, V)
        self._step(X, out, 1.0, 0.0, 0.0)
        return out[:, : V.shape[1]]

    def residuals(self, V: FloatArray, mu: FloatArray) -> FloatArray:
        """‖Nv - μv‖ for each column v of V and its μ.

        >>> path = Normalised(Graph.of([[0, 1], [1, 0]]))
        >>> path.residuals(np.array([[1.0, 1.0], [-1.0, 0.0]]), np.array([-1.0, 0.0]))
        array([0., 1.])
        """
        found = np.empty(len(mu))
        for at in range(0, len(mu), STRIP):
            part = slice(at, at + STRIP)
            found[part] = np.linalg.norm(self.times(V[:, part]) - V[:, part] * mu[part], axis=0)
        return found

    def filter(self, V: FloatArray, cut: float, degree: int, apart: FloatArray) -> None:
        """V ← T(N) V in place, for at most 16 columns, orthogonal to those of `apart`, the eigenvectors that are known.

        T is the Chebyshev polynomial of that degree over -1 .. cut: eigenvectors with μ in there stay as they are or
        shrink, those above grow, the more the higher. The known ones are held back, since rounding lets them in again.

        >>> path = Normalised(Graph.of([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
        >>> V = np.array([[1.0], [0.0], [-1.0]])  # its μ is 0
        >>> path.filter(V, -0.5, 2, path.top[:, None])
        >>> V.T.round(9)
        array([[ 17.,   0., -17.]])
        """
        half = (cut + 1) / 2
        middle = (cut - 1) / 2
        every = max(2, int(_LEAK / acosh((1 - middle) / half)))
        X, out = self._blocks
        self._fill(X, V)
        self._step(X, out, 1 / half, -middle / half, 0.0)
        for i in range(2, degree + 1):
            X, out = out, X
            self._step(X, out, 2 / half, -2 * middle / half, -1.0)
            if i % every == 0:
                X -= apart @ (apart.T @ X)
                out -= apart @ (apart.T @ out)
        V[...] = out[:, : V.shape[1]]

    def _fill(self, X: FloatArray, V: FloatArray) -> None:
        X[:, : V.shape[1]] = V
        X[:, V.shape[1] :] = 0

    def _step(self, X: FloatArray, out: FloatArray, a: float, b: float, c: float) -> None:
        recurrence_step(self._indptr, self._indices, self._data, X, out, a, b, c)
