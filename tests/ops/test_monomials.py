"""Monomials in blocks, against products of powers; the rational kernel's coefficients, against the kernel."""

from __future__ import annotations

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from numpy.polynomial import chebyshev, polynomial

from onebit.ops.monomials import expand, exponents, monomial_count, monomials, rational_coefficients


@pytest.mark.parametrize(("d", "degree"), [(1, 20), (2, 0), (2, 1), (2, 18), (3, 9), (5, 4)])
def test_every_monomial_once_by_degree_with_its_weight(d: int, degree: int) -> None:
    a = np.random.default_rng(0).normal(size=degree + 1)
    plan = monomials(d, a)
    powers = exponents(plan.blocks, d)
    expected = {alpha for alpha in product(range(degree + 1), repeat=d) if sum(alpha) <= degree}
    assert len(powers) == len(plan.weight) == len(expected) == monomial_count(d, degree)
    assert set(map(tuple, powers.tolist())) == expected
    assert (np.diff(powers.sum(axis=1)) >= 0).all()
    multinomials = [factorial(sum(alpha)) // prod(map(factorial, alpha)) for alpha in powers.tolist()]
    np.testing.assert_allclose(plan.weight, a[powers.sum(axis=1)] * multinomials, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("d", "degree"), [(1, 20), (2, 18), (3, 9), (5, 4)])
def test_expand_is_products_of_powers_and_touches_nothing_else(d: int, degree: int, dtype: str) -> None:
    blocks = monomials(d, np.ones(degree + 1)).blocks
    x = np.random.default_rng(d).uniform(-1, 1, size=d).astype(dtype)
    out = np.full(monomial_count(d, degree) + 20, 7, dtype)
    expand(blocks, x, out)
    expected = np.prod(x.astype(float) ** exponents(blocks, d), axis=1)
    np.testing.assert_allclose(out[:-20], expected, rtol=degree * float(np.finfo(dtype).eps))
    assert (out[-20:] == 7).all()


@pytest.mark.parametrize("c", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("degree", [0, 1, 8, 18, 27])
def test_the_coefficients_keep_the_bound_of_the_series(c: float, degree: int) -> None:
    z = np.linspace(-1, 1, 1001)
    root = np.sqrt(1 - c * c)
    rho = (1 - root) / c
    error = np.abs(polynomial.polyval(z, rational_coefficients(c, degree)) - 1 / (1 - c * z)).max()
    assert (
        error <= 2 * rho ** (degree + 1) / ((1 - rho) * root) + 1e-14 * (1 + np.sqrt(2)) ** degree * rho**degree + 1e-15
    )


def test_the_coefficients_are_those_of_the_chebyshev_series() -> None:
    rho, root = 2 - np.sqrt(3), np.sqrt(0.75)
    series = np.r_[1, 2 * rho ** np.arange(1, 19)] / root
    np.testing.assert_allclose(rational_coefficients(0.5, 18), chebyshev.cheb2poly(series), atol=1e-13)


def test_weighted_monomials_are_the_kernel() -> None:
    draw = np.random.default_rng(1)
    plan = monomials(3, rational_coefficients(0.5, 18))
    rows = draw.normal(size=(20, 3))
    rows /= np.linalg.norm(rows, axis=1)[:, None] * draw.uniform(1, 3, size=(20, 1))
    phi = np.empty((20, len(plan.weight)))
    for x, out in zip(rows, phi, strict=True):
        expand(plan.blocks, x, out)
    assert np.abs(phi * plan.weight @ phi.T - 1 / (1 - 0.5 * rows @ rows.T)).max() < 5e-11
