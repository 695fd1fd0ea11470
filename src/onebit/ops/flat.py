"""Sums and updates over stretches of contiguous memory, in registers.

Compiled code has no fast-math flags, so a loop adds in the order of its source, one number after
another. These add in lanes: still one order, the same wherever they are inlined, and many numbers at a time.
"""

from __future__ import annotations

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit
from onebit.ops.simd import load, multiply_add, scale_add, store, total, zeros


@jit
def inner(a: FloatArray, i: int, b: FloatArray, j: int, n: int) -> float:
    """Σ a[i + k] b[j + k] for k < n, the arrays seen as flat.

    >>> import numpy as np
    >>> inner(np.array([1.0, 2.0, 3.0]), 1, np.array([4.0, 5.0]), 0, 2)
    23.0
    """
    lanes = 64 // a.itemsize
    # two chains of sums hide each other's latency
    even = zeros(a)
    odd = zeros(a)
    for k in range(0, n, 2 * lanes):
        even = multiply_add(even, load(a, i + k, n - k), load(b, j + k, n - k))
        rest = n - k - lanes
        k_odd = k + lanes
        odd = multiply_add(odd, load(a, i + k_odd, rest), load(b, j + k_odd, rest))
    return total(even) + total(odd)


@jit
def weighted_squares(v: FloatArray, i: int, x: FloatArray, j: int, n: int) -> float:
    """Σ v[i + k] x[j + k]² for k < n, the arrays seen as flat.

    >>> import numpy as np
    >>> weighted_squares(np.array([1.0, 2.0]), 0, np.array([3.0, 4.0]), 0, 2)
    41.0
    """
    lanes = 64 // v.itemsize
    even = zeros(v)
    odd = zeros(v)
    for k in range(0, n, 2 * lanes):
        x_even = load(x, j + k, n - k)
        rest = n - k - lanes
        k_odd = k + lanes
        even = multiply_add(even, load(v, i + k, n - k), multiply_add(zeros(v), x_even, x_even))
        x_odd = load(x, j + k_odd, rest)
        odd = multiply_add(odd, load(v, i + k_odd, rest), multiply_add(zeros(v), x_odd, x_odd))
    return total(even) + total(odd)


@jit
def add_scaled(out: FloatArray, i: int, factor: float, x: FloatArray, j: int, n: int) -> None:
    """out[i + k] += factor · x[j + k] for k < n, the arrays seen as flat.

    >>> import numpy as np
    >>> out = np.zeros(3)
    >>> add_scaled(out, 1, 2.0, np.array([3.0, 4.0]), 0, 2)
    >>> out
    array([0., 6., 8.])
    """
    lanes = 64 // out.itemsize
    step = out.dtype.type(factor)
    for k in range(0, n, lanes):
        store(out, i + k, n - k, scale_add(load(out, i + k, n - k), step, load(x, j + k, n - k)))
