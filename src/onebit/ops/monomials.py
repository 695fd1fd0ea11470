"""All monomials of a few variables up to a degree, and the power series of the rational kernel over them.

A kernel Σ a_n ⟨x, x'⟩ⁿ is Σ_α a_|α| multinomial(α) x^α x'^α over the exponents α: an inner product of monomials.
Here they stand by degree and then by first variable, so that those of degree n that begin with variable v are
x_v times a stretch of those of degree n - 1: one product each, many at a time.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.jit import jit
from onebit.ops.simd import load, scale_add, store, zeros


class Monomials(NamedTuple):
    """How to evaluate the monomials of total degree ≤ D, and how much each weighs in the kernel.

    A row of `blocks` is (start, length, parent, v): length monomials from start on are x_v times those from
    parent on. Monomial 0 is the constant. `weight` is a_|α| multinomial(α), as doubles.
    """

    blocks: IntArray
    weight: NDArray[np.float64]


def monomial_count(d: int, degree: int) -> int:
    """How many monomials of total degree ≤ `degree` there are in d variables, with the constant.

    >>> monomial_count(2, 18), monomial_count(3, 18)
    (190, 1330)
    """
    return comb(degree + d, d)


def rational_coefficients(c: float, degree: int) -> NDArray[np.float64]:
    """a_0, ..., a_D of the polynomial Σ a_n zⁿ near 1 / (1 - c z) on [-1, 1], for 0 < c < 1.

    The Chebyshev series (2 / √(1 - c²)) [½ + Σ ρⁿ T_n(z)], ρ = (1 - √(1 - c²)) / c, cut off after T_D and written
    in powers. Its error is at most 2 ρ^(D+1) / ((1 - ρ) √(1 - c²)).

    >>> a = rational_coefficients(0.5, 18)
    >>> float(a @ 0.8 ** np.arange(19) - 1 / 0.6)
    -3.8...e-11
    """
    with localcontext() as context:
        context.prec = 40 + degree  # the powers of T_n grow as (1 + √2)ⁿ and cancel
        exact = Decimal(c)
        root = (1 - exact * exact).sqrt()
        rho = (1 - root) / exact
        powers = [Decimal(0)] * (degree + 1)
        before = [0]
        now = [1]
        for n in range(degree + 1):
            scale = (2 if n else 1) * rho**n / root
            for k, coefficient in enumerate(now):
                powers[k] += scale * coefficient
            before, now = now, _next_chebyshev(before, now)
        return np.array([float(a) for a in powers])


def monomials(d: int, coefficients: FloatArray) -> Monomials:
    """The monomials in d variables of the kernel Σ a_n ⟨x, x'⟩ⁿ, given a_0, ..., a_D.

    >>> monomials(2, np.array([1.0, 0.5, 0.25])).weight
    array([1.  , 0.5 , 0.5 , 0.25, 0.5 , 0.25])
    """
    degree = len(coefficients) - 1
    blocks = _blocks(d, degree)
    powers = exponents(blocks, d)
    multinomial = np.ones(len(powers))
    for start, length, parent, v in blocks.tolist():
        here = slice(start, start + length)
        n = powers[start].sum()
        multinomial[here] = multinomial[parent : parent + length] * n / powers[here, v]
    weight = np.asarray(coefficients, dtype=np.float64)[powers.sum(axis=1)] * multinomial
    return Monomials(blocks, weight)


def exponents(blocks: IntArray, d: int) -> IntArray:
    """The exponents of each monomial: a row each, a column for each variable.

    >>> exponents(monomials(2, np.ones(3)).blocks, 2).tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    powers = np.zeros((1 + int(blocks[:, 1].sum()), d), dtype=np.int64)
    for start, length, parent, v in blocks.tolist():
        powers[start : start + length] = powers[parent : parent + length]
        powers[start : start + length, v] += 1
    return powers


@jit
def expand(blocks: IntArray, x: FloatArray, out: FloatArray) -> None:
    """Fill `out` with the monomials of the row x; both are contiguous and of the same type.

    >>> out = np.empty(6)
    >>> expand(monomials(2, np.ones(3)).blocks, np.array([2.0, 3.0]), out)
    >>> out
    array([1., 2., 3., 4., 6., 9.])
    """
    lanes = 64 // out.itemsize
    out[0] = 1
    for b in range(len(blocks)):
        start = blocks[b, 0]
        length = blocks[b, 1]
        parent = blocks[b, 2]
        factor = x[blocks[b, 3]]
        for k in range(0, length, lanes):
            store(out, start + k, length - k, scale_add(zeros(out), factor, load(out, parent + k, length - k)))


def _next_chebyshev(before: list[int], now: list[int]) -> list[int]:
    """T_(n+1) = 2 z T_n - T_(n-1) in powers, from T_(n-1) and T_n; T_1 = z from T_0 alone."""
    if len(now) == 1:
        return [0, 1]
    return [2 * a - b for a, b in zip([0, *now], [*before, 0, 0], strict=True)]


def _blocks(d: int, degree: int) -> IntArray:
    """(start, length, parent, v) by degree and variable; parents of v are those that begin with v or later."""
    # first[v]: the first monomial of the degree before to begin with v or later
    blocks = []
    first = [0] * d
    end = 1
    before = 1
    for _ in range(degree):
        starts = []
        for v in range(d):
            length = before - first[v]
            starts.append(end)
            blocks.append((end, length, first[v], v))
            end += length
        first = starts
        before = end
    return np.array(blocks, dtype=np.int64).reshape(-1, 4)
