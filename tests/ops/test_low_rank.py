"""Inverses kept as update vectors, then as matrices: against NumPy, dense and sparse rows, float64 and float32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.contract.layout import to_rows
from onebit.learners.molgf import effect_of_row
from onebit.ops.jit import entry_point
from onebit.ops.low_rank import Inverses, add_outer, downdate_inverse, inverse_times_row, quadratic_form
from onebit.ops.rows import row_at, squared_norm

TOLERANCE = {"float64": 1e-12, "float32": 2e-6}
B = 3.0


@entry_point
def walk(P: Any, rows: Any, g: Any, q: Any, again: Any, products: Any, sigmas: Any, adaptive: bool) -> None:
    """One step per row for class 1 of P; keeps q by both ways, g, and σ."""
    for i in range(q.shape[0]):
        row = row_at(rows, i, True)
        q[i] = quadratic_form(P, 1, row, squared_norm(row))
        again[i] = inverse_times_row(P, 1, row, squared_norm(row), g)
        for j in range(g.shape[0]):
            products[i, j] = g[j]
        _, factor, sigmas[i] = effect_of_row(q[i], adaptive)
        downdate_inverse(P, 1, g, factor)


def make_rows(n: int, d: int, seed: int = 0) -> Any:
    """Rows half of zeros, one of them all zeros, and the same row twice."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)) * (draw.random((n, d)) < 0.5)
    X[:, 0] += 1
    X[3], X[5] = 0, X[4]
    return X


def empty(d: int, dtype: str) -> Inverses:
    U, n = np.zeros((3, d, d), dtype), np.zeros(3, np.int64)
    return Inverses(U, n, np.zeros((1, d), dtype), np.zeros((d, d), dtype), B)


def walked(X: Any, kind: str, dtype: str, adaptive: bool) -> tuple[Inverses, Any, Any, Any, Any]:
    d, n = X.shape[1], len(X)
    P, rows = empty(d, dtype), to_rows(sp.csr_array(X) if kind == "sparse" else X, d, kind, dtype)  # type: ignore[arg-type]
    q, again, sigmas, products = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros((n, d), dtype)
    walk(P, rows, np.zeros(d, dtype), q, again, products, sigmas, adaptive)
    return P, q, again, products, sigmas


def dense(P: Inverses, k: int) -> Any:
    """P_k as a matrix, whichever form it has."""
    d, n = P.U.shape[1], P.n[k]
    U = P.U[k].astype(float)
    return U if n == d else np.eye(d) / B - U[:n].T @ U[:n]


@pytest.mark.parametrize("adaptive", [True, False], ids=["a = 1/(1-q)", "a = 1"])
@pytest.mark.parametrize("d", [1, 7, 33])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_every_step_is_that_of_the_inverse(dtype: str, kind: str, d: int, adaptive: bool) -> None:
    X = make_rows(2 * d + 6, d)
    P, q, again, products, sigmas = walked(X, kind, dtype, adaptive)
    A, tolerance = B * np.eye(d), TOLERANCE[dtype]
    for i, x in enumerate(X / np.linalg.norm(X, axis=1, keepdims=True).clip(1e-9)):
        inverse = np.linalg.inv(A)
        assert q[i] == pytest.approx(x @ inverse @ x, abs=tolerance), f"step {i}"
        assert again[i] == pytest.approx(q[i], abs=tolerance), f"step {i}"
        np.testing.assert_allclose(products[i], inverse @ x, rtol=0, atol=tolerance)
        a = 1 / (1 - q[i]) if adaptive else 1
        A += a * np.outer(x, x)
        assert sigmas[i] == pytest.approx(a**2 / 2 * x @ np.linalg.inv(A) @ x, abs=tolerance)
    np.testing.assert_allclose(dense(P, 1), np.linalg.inv(A), rtol=0, atol=tolerance)
    assert np.array_equal(P.U[1], P.U[1].T), "a matrix is symmetric to the last bit"
    assert P.n.tolist() == [0, d, 0]
    assert not P.U[[0, 2]].any(), "what no vector has reached is not touched"


def test_vectors_fill_no_more_rows_than_there_are() -> None:
    X = make_rows(20, 33)
    P, *_ = walked(X, "dense", "float64", True)
    assert P.n[1] == 20
    assert P.U[1, :3].any(axis=1).all()
    assert not P.U[1, 20:].any()
    assert not P.T.any()


def test_the_forms_agree_where_one_becomes_the_other() -> None:
    d = 33
    X = make_rows(d + 1, d)
    before, *_ = walked(X[: d - 1], "dense", "float64", True)
    after, *_ = walked(X[:d], "dense", "float64", True)
    assert (before.n[1], after.n[1]) == (d - 1, d)
    g = dense(before, 1) @ (X[d - 1] / np.linalg.norm(X[d - 1]))
    np.testing.assert_allclose(after.U[1], dense(before, 1) - np.outer(g, g), rtol=0, atol=1e-14)


@pytest.mark.parametrize("order", ["C", "F"])
def test_outer_products_are_added_in_either_order_of_memory(order: Any) -> None:
    draw = np.random.default_rng(0)
    W, steps, g = np.array(draw.normal(size=(3, 11)), order=order), draw.normal(size=3), draw.normal(size=11)
    expected = W + np.outer(steps, g)
    add_outer(W, steps, g)
    np.testing.assert_allclose(W, expected, rtol=0, atol=1e-15)


def test_rounding_never_leaves_the_range_of_q() -> None:
    P = empty(2, "float64")
    P.U[1], P.n[1] = -1e-18, 2
    q = np.zeros(1)
    rows = to_rows(np.ones((1, 2)), 2, "dense", "float64")
    walk(P, rows, np.zeros(2), q, np.zeros(1), np.zeros((1, 2)), np.zeros(1), True)
    assert q[0] == 0
    P.U[1] = 10 * np.eye(2)
    walk(P, rows, np.zeros(2), q, np.zeros(1), np.zeros((1, 2)), np.zeros(1), True)
    assert q[0] == pytest.approx(1 / B, rel=1e-15)
