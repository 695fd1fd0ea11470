"""Rows as they are learned, against plain NumPy: statistics of all rows at once, and what becomes of odd ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.contract.layout import to_rows
from onebit.learners.one_bit.features import as_row, new_prepared_row, new_statistics, prepare
from onebit.ops.jit import entry_point
from onebit.ops.rows import index, row_at, size, value

N = 40


@entry_point
def prepare_one(statistics, standardize, new, rows, i, normalize, prepared_row, out):  # type: ignore[no-untyped-def]
    row = row_at(rows, i, normalize)
    prepare(statistics, standardize, new, row, prepared_row)
    x = as_row(prepared_row, row)
    for e in range(size(x)):
        out[index(x, e)] = value(x, e)


class Prepared:
    """The compiled part on a table: `prepared(i, new)` is row i as it is learned, with the bias."""

    def __init__(self, X: Any, kind: Any, dtype: str = "float64", standardize: bool = True, normalize: bool = False):
        d = X.shape[1]
        self.rows = to_rows(sp.csr_array(X) if kind == "sparse" else X, d, kind, dtype)
        self.statistics, self.prepared = new_statistics(d, kind, dtype), new_prepared_row(d, kind, dtype)
        self.standardize, self.normalize = standardize, normalize

    def __call__(self, i: int, new: bool = True) -> Any:
        out = np.zeros(len(self.statistics.mean) + len(self.statistics.counts) + 1)
        prepare_one(self.statistics, self.standardize, new, self.rows, i, self.normalize, self.prepared, out)
        return out


def unit(x: Any) -> Any:
    norm = np.linalg.norm(x)
    return np.append(x / norm if norm else x, 0.1) / np.sqrt(1.01)


def table(d: int, seed: int = 0) -> Any:
    """Rows with zeros, of all scales, with a feature that never changes, an empty row and an outlier."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(N, d)) * np.geomspace(0.01, 100, d) * (draw.random((N, d)) < 0.6)
    X[:, 0] = 0.1
    X[N // 2, 1:] = 0
    X[-1, 1:] *= 1e6
    return X


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize(("dtype", "exact"), [("float64", 1e-11), ("float32", 2e-3)])
@pytest.mark.parametrize("d", [1, 7, 8, 16, 33])
def test_dense_rows_are_standardised_by_all_rows_so_far(d: int, dtype: str, exact: float, normalize: bool) -> None:
    X = table(d).astype(dtype)
    prepared = Prepared(X, "dense", dtype, normalize=normalize)
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    Z = X / np.where(norms > 0, norms, 1) if normalize else X
    for i in range(N):
        mean, deviation = Z[: i + 1].mean(axis=0, dtype=float), Z[: i + 1].std(axis=0, dtype=float)
        if not normalize:
            deviation[0] = 0  # the feature that never changes, whose mean NumPy rounds
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = np.where(deviation > 0, np.clip((Z[i] - mean) / deviation, -4, 4), 0)
        x = prepared(i)
        np.testing.assert_allclose(x, unit(expected), atol=exact, err_msg=f"row {i}")
        assert np.linalg.norm(x) == pytest.approx(1 if expected.any() else 0.1 / np.sqrt(1.01), rel=1e-6)
    assert prepared.statistics.seen[0] == N


def test_the_first_dense_row_says_nothing_but_the_bias() -> None:
    assert Prepared(table(4), "dense")(0).tolist() == [0, 0, 0, 0, 0.1 / np.sqrt(1.01)]


def test_a_dense_feature_that_never_changes_is_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(N, 3))
    X[:, 1] = 0.1
    prepared = Prepared(X, "dense")
    assert all(prepared(i)[1] == 0 for i in range(N))
    assert prepared.statistics.variance[1] == 0


def test_dense_rows_are_cut_at_four_deviations() -> None:
    X = np.random.default_rng(0).normal(size=(N, 2))
    X[-1] = 0.0, 1e9
    prepared = Prepared(np.vstack([X, X]), "dense")
    for i in range(2 * N):
        x = prepared(i)
    a, b = prepared.statistics.mean / np.sqrt(prepared.statistics.variance)
    assert abs(b) < 1
    assert x[:2] * np.sqrt(1.01) == pytest.approx(np.array([-a, 4]) / np.hypot(a, 4), rel=1e-9)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize(("dtype", "exact"), [("float64", 1e-13), ("float32", 1e-5)])
@pytest.mark.parametrize("d", [1, 7, 8, 16, 33])
def test_sparse_features_weigh_more_the_rarer_they_are(d: int, dtype: str, exact: float, normalize: bool) -> None:
    X = table(d).astype(dtype)
    prepared = Prepared(X, "sparse", dtype, normalize=normalize)
    for i in range(N):
        weights = np.zeros(d)
        for j in range(d):
            stood = np.flatnonzero(X[: i + 1, j])
            if len(stood):
                power = 2 ** int(np.log2(len(stood)))  # the weight dates from the row in which n_j was last one
                weights[j] = np.log((1 + stood[power - 1] + 1) / (1 + power)) + 2
        np.testing.assert_allclose(prepared(i), unit(weights * X[i]), atol=exact, err_msg=f"row {i}")
    np.testing.assert_array_equal(prepared.statistics.counts, (X != 0).sum(axis=0))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_row_that_is_not_new_leaves_the_statistics_alone(kind: str) -> None:
    X = table(7)
    prepared = Prepared(X, kind)
    for i in range(N):
        prepared(i)
    before = [array.copy() for array in prepared.statistics]
    again = prepared(3, new=False)
    assert all(np.array_equal(a, b) for a, b in zip(before, prepared.statistics, strict=True))
    assert not np.allclose(again, Prepared(X, kind)(3)), "today's statistics, not those of its own day"
    np.testing.assert_array_equal(again, prepared(3, new=False))


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rows_as_they_come_get_unit_norm_and_a_bias(kind: str, normalize: bool) -> None:
    X = table(9)
    prepared = Prepared(X, kind, standardize=False, normalize=normalize)
    for i in range(N):
        np.testing.assert_allclose(prepared(i), unit(X[i]), atol=1e-15)
    assert prepared.statistics.seen[0] == 0
    assert not any(array.any() for array in prepared.statistics)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_row_of_zeros_is_the_bias_alone(kind: str) -> None:
    x = Prepared(np.zeros((1, 5)), kind, standardize=False)(0)
    np.testing.assert_allclose(x, unit(np.zeros(5)), rtol=1e-15)


def test_a_word_never_met_weighs_nothing() -> None:
    prepared = Prepared(np.eye(3), "sparse")
    prepared(0)
    np.testing.assert_allclose(prepared(1, new=False), unit(np.zeros(3)), rtol=1e-15)
