"""Symmetric matrices that grow: half of each is kept, in strips of eight rows that begin on a register's border.

Row i of strip q = i // 8 holds its first 8(q+1) entries, so a strip ends with a whole 8 × 8 block on the diagonal, and
a matrix that gets more rows stays where it is. Vectors beside a matrix have room for whole strips, and zeros behind
their end; so has the matrix.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit, noinline
from onebit.ops.simd import DOUBLES, load_full, multiply_add, scale_add, store, total, zeros

STRIP = 8
"""Rows in a strip: as many as a register holds doubles."""


@jit
def packed_length(n: int) -> int:
    """How many numbers a matrix of n rows takes.

    >>> packed_length(8), packed_length(9)
    (64, 192)
    """
    strips = (n + STRIP - 1) // STRIP
    return STRIP * STRIP // 2 * strips * (strips + 1)


def aligned_zeros(*shape: int) -> FloatArray:
    """Zeros that begin on a register's border: a load across two lines of the cache takes a fifth longer.

    >>> aligned_zeros(2, 64).ctypes.data % 64
    0
    """
    n = prod(shape)
    numbers = np.zeros(n + DOUBLES)
    first = -(numbers.ctypes.data // numbers.itemsize) % DOUBLES
    return numbers[first : first + n].reshape(shape)


@jit
def strip_start(q: int) -> int:
    """Where strip q begins.

    >>> strip_start(0), strip_start(1)
    (0, 64)
    """
    return STRIP * STRIP // 2 * q * (q + 1)


@jit
def _row_and_mirror(A: FloatArray, at: int, x_j: Any, x_i: float, row: Any, below: Any) -> tuple[Any, Any]:
    """Eight entries of A from `at` on, added to the sum of their own row, and to those of their mirror image."""
    entries = load_full(A, at)
    return multiply_add(row, entries, x_j), scale_add(below, x_i, entries)


@noinline
def packed_product(A: FloatArray, x: FloatArray, n: int, out: FloatArray) -> None:
    """out = A x for the first n rows; each number of A is read once, for its own row and for its mirror image.

    >>> import numpy as np
    >>> A, x, out = np.zeros(packed_length(2)), np.zeros(8), np.zeros(8)
    >>> A[0], A[8], A[1], A[9] = 1.0, 2.0, 2.0, 5.0  # [[1, 2], [2, 5]]
    >>> x[:2] = 1.0, 10.0
    >>> packed_product(A, x, 2, out)
    >>> out[:2]
    array([21., 52.])
    """
    strips = (n + STRIP - 1) // STRIP
    for q in range(strips):
        store(out, STRIP * q, DOUBLES, zeros(out))
    for q in range(strips):  # the eight rows of a strip share each load of x and of out
        width = STRIP * (q + 1)
        i = STRIP * q
        at = strip_start(q)
        a = zeros(A)
        b = zeros(A)
        c = zeros(A)
        d = zeros(A)
        e = zeros(A)
        f = zeros(A)
        g = zeros(A)
        h = zeros(A)
        for j in range(0, i, DOUBLES):
            x_j = load_full(x, j)
            below = load_full(out, j)
            a, below = _row_and_mirror(A, at + j, x_j, x[i], a, below)
            b, below = _row_and_mirror(A, at + width + j, x_j, x[i + 1], b, below)
            c, below = _row_and_mirror(A, at + 2 * width + j, x_j, x[i + 2], c, below)
            d, below = _row_and_mirror(A, at + 3 * width + j, x_j, x[i + 3], d, below)
            e, below = _row_and_mirror(A, at + 4 * width + j, x_j, x[i + 4], e, below)
            f, below = _row_and_mirror(A, at + 5 * width + j, x_j, x[i + 5], f, below)
            g, below = _row_and_mirror(A, at + 6 * width + j, x_j, x[i + 6], g, below)
            h, below = _row_and_mirror(A, at + 7 * width + j, x_j, x[i + 7], h, below)
            store(out, j, DOUBLES, below)
        # The block on the diagonal is whole.
        x_j = load_full(x, i)
        at += i
        out[i] += total(multiply_add(a, load_full(A, at), x_j))
        out[i + 1] += total(multiply_add(b, load_full(A, at + width), x_j))
        out[i + 2] += total(multiply_add(c, load_full(A, at + 2 * width), x_j))
        out[i + 3] += total(multiply_add(d, load_full(A, at + 3 * width), x_j))
        out[i + 4] += total(multiply_add(e, load_full(A, at + 4 * width), x_j))
        out[i + 5] += total(multiply_add(f, load_full(A, at + 5 * width), x_j))
        out[i + 6] += total(multiply_add(g, load_full(A, at + 6 * width), x_j))
        out[i + 7] += total(multiply_add(h, load_full(A, at + 7 * width), x_j))


@noinline
def packed_add_outer(A: FloatArray, v: FloatArray, factor: float, n: int) -> None:
    """A += factor · v vᵀ for the first n rows, factor above 0; scales v by its root, so that A stays symmetric.

    >>> import numpy as np
    >>> A, v = np.zeros(packed_length(2)), np.zeros(8)
    >>> v[:2] = 1.0, 2.0
    >>> packed_add_outer(A, v, 0.25, 2)
    >>> A[[0, 1, 8, 9]]
    array([0.25, 0.5 , 0.5 , 1.  ])
    """
    root = sqrt(factor)
    strips = (n + STRIP - 1) // STRIP
    for i in range(STRIP * strips):
        v[i] *= root
    for q in range(strips):
        width = STRIP * (q + 1)
        i = STRIP * q
        at = strip_start(q)
        for j in range(0, width, DOUBLES):  # the eight rows of a strip share each load of v
            v_j = load_full(v, j)
            for r in range(STRIP):
                here = at + r * width + j
                store(A, here, DOUBLES, scale_add(load_full(A, here), v[i + r], v_j))
