"""Gaussian weights against plain NumPy: full and diagonal covariances, dense and sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.contract.layout import Layout, to_rows
from onebit.ops.gaussian import is_full, move, reset, shrinkage, spreads
from onebit.ops.jit import entry_point
from onebit.ops.rows import row_at

SIZES = [(2, 1), (3, 7), (8, 8), (9, 40), (10, 9), (17, 33), (33, 5)]
FORMS = [(kind, full) for kind in ("dense", "sparse") for full in (False, True)]


@entry_point
def all_spreads(P, rows, g, G, s):  # type: ignore[no-untyped-def]
    spreads(P, row_at(rows, 0, True), g, G, s)


@entry_point
def one_move(W, P, rows, g, steps, shrinks, G, s):  # type: ignore[no-untyped-def]
    row = row_at(rows, 0, True)
    spreads(P, row, g, G, s)
    move(W, P, row, steps, shrinks, G)


def make(K: int, d: int, kind: Any, full: bool, dtype: str = "float64") -> tuple[Any, Any, Any, Any, Any]:
    """A row scaled to unit norm by the kernel, weights, covariances and the room for P x."""
    draw = np.random.default_rng(100 * K + d)
    x = draw.normal(size=d) * (draw.random(d) < 0.6)
    x[0] = 1
    W, P = (Layout(K, d, kind, dtype).per_feature() for _ in range(2))
    W[...], P[...] = draw.normal(size=(K, d)), draw.uniform(0.5, 2, size=(K, d))
    if full:
        A = draw.normal(size=(K, d, d)) / np.sqrt(d)
        P = (A @ A.transpose(0, 2, 1) + np.eye(d)).astype(dtype)
    rows = to_rows(sp.csr_array(x[None]) if kind == "sparse" else x, d, kind, dtype)
    return rows, x / np.linalg.norm(x), W, P, np.zeros((K, d) if full else d, dtype)


def covariance_times(P: Any, x: Any) -> Any:
    return P @ x if P.ndim == 3 else P * x


@pytest.mark.parametrize(("dtype", "exact"), [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize(("kind", "full"), FORMS)
@pytest.mark.parametrize(("K", "d"), SIZES)
def test_spreads(K: int, d: int, kind: str, full: bool, dtype: str, exact: float) -> None:
    rows, x, _, P, G = make(K, d, kind, full, dtype)
    g, guarded = np.ones(K), np.full(K + 40, 7.0, dtype=dtype)
    s = guarded[20:-20]
    g[0] = 0
    all_spreads(P, rows, g, G, s)
    Px = covariance_times(P.astype(float), x)
    expected = Px @ x
    expected[0] = 0 if full else expected[0]
    np.testing.assert_allclose(s, expected, rtol=exact, atol=exact)
    if full:
        np.testing.assert_allclose(G[1:], Px[1:], rtol=exact, atol=exact)
    assert (guarded[:20] == 7).all()
    assert (guarded[-20:] == 7).all()


@pytest.mark.parametrize(("dtype", "exact"), [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize(("kind", "full"), FORMS)
@pytest.mark.parametrize(("K", "d"), SIZES)
def test_move(K: int, d: int, kind: str, full: bool, dtype: str, exact: float) -> None:
    rows, x, W, P, G = make(K, d, kind, full, dtype)
    draw, before = np.random.default_rng(d), (W.copy(), P.copy())
    s = covariance_times(P.astype(float), x) @ x
    steps, shrinks = draw.normal(size=K), draw.uniform(0, 0.9, size=K) / s
    steps[0] = shrinks[0] = shrinks[1] = 0
    one_move(W, P, rows, np.ones(K), steps, shrinks, G, np.zeros(K, dtype))
    Px = covariance_times(before[1].astype(float), x)
    outer = Px[:, :, None] * Px[:, None, :] if full else Px**2
    np.testing.assert_allclose(W, before[0] + steps[:, None] * Px, atol=exact)
    np.testing.assert_allclose(P, before[1] - shrinks.reshape([K] + [1] * (P.ndim - 1)) * outer, atol=exact)
    assert np.array_equal(W[0], before[0][0]), "no step, no shrinkage"
    assert np.array_equal(P[:2], before[1][:2])
    assert not np.array_equal(W[1], before[0][1])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_full_covariance_is_the_inverse_of_its_precision_and_stays_symmetric(kind: str) -> None:
    rows, x, W, P, G = make(3, 9, kind, True)
    h, s = np.array([0.25, 0.1, 0.01]), np.einsum("i,kij,j->k", x, P, x)
    precision = np.linalg.inv(P) + h[:, None, None] * np.outer(x, x)
    one_move(
        W, P, rows, np.ones(3), np.zeros(3), np.array([shrinkage(P, *pair) for pair in zip(h, s, strict=True)]), G, s
    )
    np.testing.assert_allclose(P, np.linalg.inv(precision), atol=1e-12)
    assert np.array_equal(P, P.transpose(0, 2, 1)), "to the bit"


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_classes_that_are_alike_stay_alike_to_the_bit(kind: str) -> None:
    for full in (False, True):
        for K in (2, 3, 5, 9, 17):
            rows, _, W, P, G = make(K, 11, kind, full)
            W[...], P[...] = W[0].copy(), P[0].copy()
            s = np.zeros(K)
            all_spreads(P, rows, np.ones(K), G, s)
            assert (s == s[0]).all(), "a tie must stay a tie, or ties are broken by rounding"
            one_move(W, P, rows, np.ones(K), np.full(K, 0.3), np.full(K, 0.1), G, s)
            assert (W[0] == W).all()
            assert (P[0] == P).all()


def test_shrinkage_never_takes_all_and_a_full_covariance_is_left_alone_by_little() -> None:
    full, diagonal = np.zeros((1, 2, 2)), np.zeros((1, 2))
    assert is_full(full)
    assert not is_full(diagonal)
    for h in (0.0, 1e-9, 0.25):
        for s in (0.0, 1e-3, 1.0, 1e6):
            expected = h / (1 + h * s)
            assert shrinkage(diagonal, h, s) == pytest.approx(expected, rel=1e-15)
            assert expected * s < 1
            assert shrinkage(full, h, s) == (pytest.approx(expected, rel=1e-15) if expected * s >= 1e-3 else 0)


@pytest.mark.parametrize(("kind", "full"), FORMS)
def test_reset(kind: str, full: bool) -> None:
    _, _, W, P, _ = make(4, 6, kind, full)
    reset(W, P, 2.5)
    assert not W.any()
    np.testing.assert_array_equal(P, np.stack([2.5 * np.eye(6)] * 4) if full else np.full((4, 6), 2.5))
