"""The second-order parts against NumPy: dense and sparse rows, float64 and float32, odd sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.ops import second_order
from onebit.ops.rows import DenseRow, SparseRow

TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
SCALE = 0.5

kinds = pytest.mark.parametrize("kind", ["dense", "sparse"])
dtypes = pytest.mark.parametrize("dtype", ["float64", "float32"])
widths = pytest.mark.parametrize("d", [1, 4, 7, 33])


def make_row(d: int, kind: str, dtype: str) -> tuple[Any, Any]:
    """A row as compiled code sees it, half of it zeros and scaled, and the same as a vector."""
    draw = np.random.default_rng(d)
    x = (draw.normal(size=d) * (draw.random(d) < 0.5)).astype(dtype)
    x[0] = 1.5
    if kind == "dense":
        return DenseRow(np.stack([np.zeros_like(x), x]), 1, SCALE), SCALE * x.astype(float)
    table = sp.csr_array(x[None])
    return SparseRow(table.indices.astype(np.uint32), table.data, 0, table.nnz, SCALE), SCALE * x.astype(float)


def positive(size: int, dtype: str, seed: int = 0) -> Any:
    """A symmetric positive matrix, its eigenvalues between 0.1 and 1."""
    draw = np.random.default_rng(seed)
    vectors = np.linalg.qr(draw.normal(size=(size, size)))[0]
    P = (vectors * draw.uniform(0.1, 1, size=size)) @ vectors.T
    return ((P + P.T) / 2).astype(dtype)


def per_feature(K: int, d: int, kind: str, dtype: str, seed: int = 0) -> Any:
    """Positive numbers per class and feature, in the memory order of the rows."""
    values = np.random.default_rng(seed).uniform(0.1, 1, size=(K, d))
    return np.array(values, dtype=dtype, order="C" if kind == "dense" else "F")


@widths
@kinds
@dtypes
def test_add_rows_is_the_product_with_a_placed_row(d: int, kind: str, dtype: str) -> None:
    row, x = make_row(d, kind, dtype)
    P, out = positive(3 * d, dtype), np.ones(d + 2 if d > 2 else d, dtype=dtype)
    second_order.add_rows(P, d, d // 2, row, -2.0, out)
    placed = np.concatenate([np.zeros(d), x, np.zeros(d)])
    expected = 1 - 2 * (P.astype(float) @ placed)[d // 2 : d // 2 + len(out)]
    np.testing.assert_allclose(out, expected, rtol=0, atol=TOLERANCE[dtype])


@widths
@kinds
@dtypes
def test_quadratic_leaves_the_product(d: int, kind: str, dtype: str) -> None:
    row, x = make_row(d, kind, dtype)
    P, g = positive(d, dtype), np.full(d, 7, dtype=dtype)
    q = second_order.quadratic(P, row, g)
    np.testing.assert_allclose(g, P.astype(float) @ x, rtol=0, atol=TOLERANCE[dtype])
    assert q == pytest.approx(x @ P.astype(float) @ x, rel=TOLERANCE[dtype])


def test_quadratic_is_never_negative() -> None:
    row = DenseRow(np.ones((1, 2)), 0, 1.0)
    assert second_order.quadratic(np.full((2, 2), -1e-18), row, np.zeros(2)) == 0


@pytest.mark.parametrize("K", [2, 9, 40])
@kinds
@dtypes
def test_quadratics_of_matrices_and_of_diagonals(K: int, kind: str, dtype: str) -> None:
    row, x = make_row(7, kind, dtype)
    V = per_feature(K, 7, kind, dtype)
    P = np.stack([positive(7, dtype, seed=k) for k in range(K)])
    out, g = np.full(K, 7, dtype=dtype), np.zeros(7, dtype=dtype)
    second_order.quadratics(V, row, g, out)
    np.testing.assert_allclose(out, V.astype(float) @ x**2, rtol=TOLERANCE[dtype])
    second_order.quadratics(P, row, g, out)
    np.testing.assert_allclose(out, np.einsum("i,kij,j->k", x, P.astype(float), x), rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("n", [1, 5, 64])
@dtypes
def test_downdate_is_the_inverse_after_a_rank_one_update(n: int, dtype: str) -> None:
    P, z = positive(n, dtype), np.random.default_rng(1).normal(size=n)
    expected = np.linalg.inv(np.linalg.inv(P.astype(float)) + np.outer(z, z))
    v = (P.astype(float) @ z).astype(dtype)
    second_order.rank_one_downdate(P, v, float(z @ v))
    np.testing.assert_allclose(P, expected, rtol=0, atol=10 * TOLERANCE[dtype])
    assert np.array_equal(P, P.T)


@widths
@kinds
@dtypes
def test_a_diagonal_step_is_that_of_a_matrix_which_then_drops_its_rest(d: int, kind: str, dtype: str) -> None:
    row, x = make_row(d, kind, dtype)
    V, W = per_feature(3, d, kind, dtype), per_feature(3, d, kind, dtype, seed=1)
    A = 1 / V.astype(float)
    expected = W.astype(float)
    second_order.diagonal_step(V, W, 1, row, -2.0)
    expected[1] = np.linalg.solve(np.diag(A[1]) + np.outer(x, x), A[1] * expected[1] - 2 * x)
    A[1] += x**2
    np.testing.assert_allclose(V, 1 / A, rtol=TOLERANCE[dtype])
    np.testing.assert_allclose(W, expected, rtol=0, atol=TOLERANCE[dtype])


@kinds
@dtypes
def test_least_squares_steps_solve_the_ridge_regression(kind: str, dtype: str) -> None:
    K, d, k = 2, 7, 1
    P, W = np.stack([np.eye(d, dtype=dtype)] * K), np.zeros((K, d), dtype=dtype, order="C" if kind == "dense" else "F")
    draw, rows, targets = np.random.default_rng(0), [], []
    for _ in range(30):
        x = (draw.normal(size=d) * (draw.random(d) < 0.6)).astype(dtype)
        rows.append(x.astype(float))
        targets.append(draw.normal())
        table = sp.csr_array(x[None])
        sparse = SparseRow(table.indices.astype(np.uint32), table.data, 0, table.nnz, 1.0)
        row = DenseRow(x[None], 0, 1.0) if kind == "dense" else sparse
        second_order.least_squares_step(P, W, k, row, targets[-1], np.zeros(d, dtype=dtype), 1.0)
    X, y = np.array(rows), np.array(targets)
    A = np.eye(d) + X.T @ X
    np.testing.assert_allclose(P[k], np.linalg.inv(A), rtol=0, atol=10 * TOLERANCE[dtype])
    np.testing.assert_allclose(W[k], np.linalg.solve(A, X.T @ y), rtol=0, atol=10 * TOLERANCE[dtype])
    assert np.array_equal(P[0], np.eye(d))
    assert not W[0].any()


@kinds
@dtypes
def test_steps_leave_a_matrix_positive_for_rows_of_any_scale(kind: str, dtype: str) -> None:
    d, largest = 5, 1e12 if dtype == "float64" else 1e6
    P, W = np.stack([np.eye(d, dtype=dtype)]), np.zeros((1, d), dtype=dtype)
    draw = np.random.default_rng(0)
    for _ in range(500):
        scales = largest ** draw.uniform(-1, 1, size=d)
        x = (draw.normal(size=d) * scales).astype(dtype)
        table = sp.csr_array(x[None])
        sparse = SparseRow(table.indices.astype(np.uint32), table.data, 0, table.nnz, 1.0)
        row = DenseRow(x[None], 0, 1.0) if kind == "dense" else sparse
        before = P[0].diagonal().copy()
        second_order.least_squares_step(P, W, 0, row, 1.0, np.zeros(d, dtype=dtype), 1.0)
        after = P[0].diagonal()
        assert (after >= 0).all()
        assert (after <= before).all()
    assert np.isfinite(P).all()
    assert np.isfinite(W).all()
    assert np.array_equal(P[0], P[0].T)


def test_a_huge_column_changes_the_ridge_regression_on_the_others_little() -> None:
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.normal(size=(200, 3)), 1.7e9 + 60.0 * np.arange(200)])
    y = X[:, 0] - 0.5 * X[:, 1]
    P, W = np.eye(4)[None].copy(), np.zeros((1, 4))
    for x, target in zip(X, y, strict=True):
        second_order.least_squares_step(P, W, 0, DenseRow(x[None].copy(), 0, 1.0), target, np.zeros(4), 1.0)
    scaled = X / [1, 1, 1, 1.7e9]
    exact = np.linalg.solve(scaled.T @ scaled + np.diag([1, 1, 1, 0]), scaled.T @ y)
    np.testing.assert_allclose(W[0] * [1, 1, 1, 1.7e9], exact, atol=1e-4)
