"""MOLGF: parameters, and the identities of the weight of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from onebit.learners.molgf import effect_of_row


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": 1}, r"b=1: must be a number above 1"),
        ({"normalize": False}, r"normalize=False: must be True; a row weighs 1/\(1-q\).* \(MSG, OSLG and"),
        ({"phi": -1}, r"phi=-1: must be a number, 0 or larger"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.MOLGF(3, **parameters)


@pytest.mark.parametrize("d", [1, 6, 40])
def test_identities_of_the_weight(d: int) -> None:
    draw = np.random.default_rng(d)
    for _ in range(20):
        Z, x = draw.normal(size=(d, d)), draw.normal(size=d)
        x /= np.linalg.norm(x)
        A = 1.2 * np.eye(d) + Z @ Z.T
        g = np.linalg.solve(A, x)
        q = float(x @ g)
        a = 1 / (1 - q)
        after = np.linalg.inv(A + a * np.outer(x, x))
        np.testing.assert_allclose(after, np.linalg.inv(A) - np.outer(g, g), rtol=0, atol=1e-10)
        assert x @ after @ x == pytest.approx(q * (1 - q), abs=1e-10)
        shrink, factor, sigma = effect_of_row(q, True)
        assert shrink == pytest.approx(x @ after @ x / q, abs=1e-10)
        assert factor == 1
        assert sigma == pytest.approx(a**2 / 2 * x @ after @ x, abs=1e-10)
        after = np.linalg.inv(A + np.outer(x, x))
        shrink, factor, sigma = effect_of_row(q, False)
        np.testing.assert_allclose(after, np.linalg.inv(A) - factor * np.outer(g, g), rtol=0, atol=1e-10)
        assert shrink == pytest.approx(x @ after @ x / q, abs=1e-10)
        assert sigma == pytest.approx(x @ after @ x / 2, abs=1e-10)
