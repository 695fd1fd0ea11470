"""Probabilities from scores, on every awkward number of classes and at the ends of the scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.ops.softmax import softmax

SIZES = [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 33, 100]


def plain(z: Any) -> Any:
    e = np.exp(z - z.max())
    return e / e.sum()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("K", SIZES)
def test_softmax_is_numpys(K: int, dtype: str) -> None:
    draw = np.random.default_rng(K)
    for size in (0.0, 1e-3, 1.0, 30.0, 300.0):
        z = (size * draw.normal(size=K)).astype(dtype)
        guarded = np.full(K + 40, 7.0)
        softmax(z, 1.0, guarded[20:-20])
        np.testing.assert_allclose(guarded[20:-20], plain(z.astype(float)), rtol=1e-13, atol=1e-300)
        assert (guarded[:20] == 7).all()
        assert (guarded[-20:] == 7).all(), "softmax wrote beyond the classes"
        softmax(z, 2.5, guarded[20:-20])
        np.testing.assert_allclose(guarded[20:-20], plain(2.5 * z.astype(float)), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("K", SIZES)
def test_equal_scores_give_equal_probabilities_to_the_bit(K: int) -> None:
    z, out = np.where(np.arange(K) % 3 == 1, 0.3, -1.7), np.zeros(K)
    softmax(z, 1.0, out)
    assert len({*out.tolist()}) == len({*z.tolist()})
    assert out.sum() == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("top", [0.0, 1e3, -1e3, 1e300])
def test_scores_however_large(top: float) -> None:
    out = np.zeros(3)
    softmax(np.array([top, top, top - 1e300]), 1.0, out)
    np.testing.assert_allclose(out, [0.5, 0.5, 0], atol=1e-300)
