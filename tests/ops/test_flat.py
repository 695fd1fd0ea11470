"""Sums over stretches of memory, on every length around the width of a register."""

import numpy as np
import pytest

from onebit.ops.flat import add_scaled, inner, weighted_squares


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 100])
def test_they_equal_numpy_and_touch_nothing_else(n: int, dtype: str) -> None:
    draw = np.random.default_rng(n)
    a, b = draw.normal(size=150).astype(dtype), draw.normal(size=140).astype(dtype)
    exact = 1e-13 if dtype == "float64" else 1e-4
    left, right = a[3 : 3 + n].astype(float), b[11 : 11 + n].astype(float)
    assert inner(a, 3, b, 11, n) == pytest.approx(left @ right, abs=exact * (n + 1))
    assert weighted_squares(a, 3, b, 11, n) == pytest.approx(left @ right**2, abs=exact * (n + 1))
    expected = a.copy()
    expected[3 : 3 + n] += 0.5 * b[11 : 11 + n]
    add_scaled(a, 3, 0.5, b, 11, n)
    np.testing.assert_allclose(a, expected, atol=exact)
    assert np.array_equal(a[3 + n :], expected[3 + n :])
