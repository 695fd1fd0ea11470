"""Scores and updates against NumPy, on every awkward size: around the lanes of a register, dense and sparse rows."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.contract.layout import Layout, to_rows
from onebit.ops.jit import entry_point
from onebit.ops.rows import row_at
from onebit.ops.weights import add, add_all, dot, scores

SIZES = [(2, 1), (3, 7), (8, 8), (9, 400), (10, 9), (15, 16), (16, 17), (17, 33), (33, 5), (4, 64)]


@entry_point
def all_scores(W, rows, i, normalize, out):  # type: ignore[no-untyped-def]
    scores(W, row_at(rows, i, normalize), out)


@entry_point
def one_dot(W, k, rows, i, normalize):  # type: ignore[no-untyped-def]
    return dot(W, k, row_at(rows, i, normalize))


@entry_point
def one_add(W, k, rows, i, normalize, factor):  # type: ignore[no-untyped-def]
    add(W, k, row_at(rows, i, normalize), factor)


@entry_point
def outer_add(W, factors, rows, i, normalize):  # type: ignore[no-untyped-def]
    add_all(W, factors, row_at(rows, i, normalize))


def make(K: int, d: int, kind: Any, dtype: str) -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(K * 1000 + d)
    X = (draw.normal(size=(3, d)) * (draw.random((3, d)) < 0.7)).astype(dtype)
    X[:, 0] = 1
    W = Layout(K, d, kind, dtype).per_feature()
    W[...] = draw.normal(size=(K, d))
    return to_rows(sp.csr_array(X) if kind == "sparse" else X, d, kind, dtype), X.astype("float64"), W


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(("K", "d"), SIZES)
def test_scores_dot_and_add_equal_numpy(K: int, d: int, kind: str, dtype: str) -> None:
    rows, X, W = make(K, d, kind, dtype)
    exact = 1e-12 if dtype == "float64" else 1e-4
    for normalize in (False, True):
        for i in range(3):
            x = X[i] / np.linalg.norm(X[i]) if normalize else X[i]
            guarded = np.full(K + 40, 7.0, dtype=dtype)
            out = guarded[20 : 20 + K]
            all_scores(W, rows, i, normalize, out)
            np.testing.assert_allclose(out, W.astype("float64") @ x, atol=exact * d, rtol=exact)
            assert (guarded[:20] == 7).all()
            assert (guarded[20 + K :] == 7).all(), "scores wrote beyond the classes"
            assert one_dot(W, K - 1, rows, i, normalize) == pytest.approx(out[K - 1], rel=1e-3, abs=exact * d)
            expected = W.astype("float64").copy()
            expected[1] += 0.3 * x
            one_add(W, 1, rows, i, normalize, 0.3)
            np.testing.assert_allclose(W, expected, atol=exact * 10)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(("K", "d"), SIZES)
def test_add_all_adds_to_every_class_what_add_adds_to_one(K: int, d: int, kind: str, dtype: str) -> None:
    rows, X, W = make(K, d, kind, dtype)
    factors = np.random.default_rng(d).normal(size=K).astype(dtype)
    factors[0] = 0
    for normalize in (False, True):
        for i in range(3):
            x = X[i] / np.linalg.norm(X[i]) if normalize else X[i]
            expected, one_by_one = W + np.outer(factors, x), W.copy(order="K")
            for k in range(K):
                one_add(one_by_one, k, rows, i, normalize, factors[k])
            outer_add(W, factors, rows, i, normalize)
            np.testing.assert_allclose(W, expected, atol=1e-12 if dtype == "float64" else 1e-5)
            if dtype == "float64" or not normalize:
                np.testing.assert_array_equal(W, one_by_one)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_add_all_writes_nowhere_else(kind: Any) -> None:
    K, d = 3, 5
    rows = to_rows(sp.csr_array(np.ones((1, d))) if kind == "sparse" else np.ones((1, d)), d, kind, "float64")
    memory = np.full(K * d + 40, 7.0)
    inside = memory[20:-20].reshape((K, d) if kind == "dense" else (d, K))
    outer_add(inside if kind == "dense" else inside.T, np.array([1.0, 2.0, 3.0]), rows, 0, False)
    assert (memory[:20] == 7).all()
    assert (memory[-20:] == 7).all()
    assert sorted(set(inside.ravel())) == [8.0, 9.0, 10.0]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("d", [1, 7, 64, 400])
def test_equal_weights_give_equal_scores_to_the_bit(d: int, kind: str) -> None:
    for K in (2, 3, 4, 5, 9, 10, 17):
        rows, _, W = make(K, d, kind, "float64")
        W[:] = W[0].copy()
        out = np.zeros(K)
        all_scores(W, rows, 2, True, out)
        assert (out == out[0]).all(), "a tie must stay a tie, or ties are broken by rounding"


def test_weights_start_on_a_cache_line() -> None:
    for kind in ("dense", "sparse"):
        W = Layout(7, 13, kind, "float32").per_feature(2.0)
        assert W.ctypes.data % 64 == 0
        assert W.shape == (7, 13)
        assert (W == 2).all()
