"""A sparse matrix times a block of 16 columns, woven into one step of a recurrence.

SciPy's product would read and write the block once more for each term of the recurrence.
"""

from __future__ import annotations

from typing import Any

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.jit import entry_point
from onebit.ops.simd import load_full, scale_add, store, zeros

STRIP = 16
"""The columns of a block: two registers of doubles, so that a neighbour costs two whole lines of the cache."""


@entry_point
def recurrence_step(
    indptr: IntArray, indices: Any, data: FloatArray, X: FloatArray, out: FloatArray, a: float, b: float, c: float
) -> None:
    """out ← a M X + b X + c out, for a CSR matrix M and contiguous blocks X and out of 16 columns, all of doubles.

    >>> import numpy as np, scipy.sparse as sp
    >>> M = sp.csr_array([[0.0, 1.0], [2.0, 0.0]])
    >>> X, out = np.ones((2, 16)), np.ones((2, 16))
    >>> recurrence_step(M.indptr.astype(np.int64), M.indices.astype(np.int32), M.data, X, out, 1.0, 10.0, 100.0)
    >>> out[:, 0]
    array([111., 112.])
    """
    half = STRIP // 2
    for i in range(indptr.shape[0] - 1):
        left = zeros(X)
        right = zeros(X)
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p] * STRIP
            left = scale_add(left, data[p], load_full(X, j))
            right = scale_add(right, data[p], load_full(X, j + half))
        at = i * STRIP
        left = scale_add(scale_add(scale_add(zeros(X), a, left), b, load_full(X, at)), c, load_full(out, at))
        store(out, at, half, left)
        at += half
        right = scale_add(scale_add(scale_add(zeros(X), a, right), b, load_full(X, at)), c, load_full(out, at))
        store(out, at, half, right)
