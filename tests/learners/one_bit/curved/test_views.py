"""Both views of a dense row, against plain NumPy: statistics of all rows at once, and what becomes of odd ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.contract.layout import to_rows
from onebit.learners.one_bit.curved.views import Views, look, new_views
from onebit.learners.one_bit.features import new_statistics
from onebit.ops.jit import entry_point
from onebit.ops.rows import row_at

N = 60


@entry_point
def look_at(statistics, standardize, new, rows, i, normalize, views):  # type: ignore[no-untyped-def]
    row: Any = row_at(rows, i, normalize)  # a dense one
    look(statistics, standardize, new, row, views)


class Seen:
    """The compiled part on a table: `seen(i, new)` gives both views of row i."""

    def __init__(self, X: Any, dtype: str = "float64", standardize: bool = True, normalize: bool = False) -> None:
        d = X.shape[1]
        self.rows = to_rows(X, d, "dense", dtype)
        self.statistics, self.views = new_statistics(d, "dense", dtype), new_views(d)
        self.standardize, self.normalize = standardize, normalize

    def __call__(self, i: int, new: bool = True) -> Views:
        look_at(self.statistics, self.standardize, new, self.rows, i, self.normalize, self.views)
        return Views(*(view.copy() for view in self.views))


def table(d: int) -> Any:
    """Columns of all scales and far from 0, one that never changes, and a row that lies far out."""
    X = 3 + np.random.default_rng(d).normal(size=(N, d)) * np.geomspace(0.01, 100, d)
    X[:, 0] = 0.1
    X[-1, 1:] *= 1e3
    return X


def cut(view: Any) -> Any:
    """No longer than 2."""
    return view / max(1, np.linalg.norm(view) / 2)


def expected(X: Any, i: int) -> tuple[Any, Any]:
    """a and b of row i by the mean and variance of all rows up to it."""
    away = X[i] - X[: i + 1].mean(axis=0)
    variance = X[: i + 1].var(axis=0)
    away[0] = variance[0] = 0  # the column that never changes, whose mean NumPy rounds
    if not variance.any():
        return np.zeros(len(away)), np.zeros(len(away))
    varies = variance > 0
    a = np.clip(away[varies] / np.sqrt(variance[varies]), -4, 4) / np.sqrt(varies.sum())
    whole = np.zeros(len(away))
    whole[varies] = a
    return cut(whole), cut(away / np.sqrt(variance.sum()))


@pytest.mark.parametrize(("dtype", "exact"), [("float64", 1e-11), ("float32", 5e-4)])
@pytest.mark.parametrize("d", [1, 2, 7, 8, 16, 33])
def test_views_are_by_all_rows_so_far(d: int, dtype: str, exact: float) -> None:
    X = table(d).astype(dtype)
    seen = Seen(X, dtype)
    for i in range(N):
        views = seen(i)
        for view, right in zip(views, expected(X.astype(np.float64), i), strict=True):
            np.testing.assert_allclose(view[:d], right, rtol=0, atol=exact, err_msg=f"row {i}")
            assert view[d] == pytest.approx(view[:d] @ view[:d], rel=1e-13), "the squared length is behind it"
            assert view.dtype == np.float64
    assert seen.statistics.seen[0] == N


def test_the_first_row_says_nothing() -> None:
    a, b = Seen(table(4))(0)
    assert not a.any()
    assert not b.any()


def test_a_column_that_never_changes_is_nothing() -> None:
    X = table(5)
    seen = Seen(X)
    assert all(view[0] == 0 for i in range(N) for view in seen(i))


def test_the_mean_square_length_of_both_is_one() -> None:
    X = np.random.default_rng(0).uniform(size=(N, 6)) * [0, 1, 2, 3, 4, 5]
    seen = Seen(X)
    for i in range(N):
        seen(i)
    views = [seen(i, new=False) for i in range(N)]
    for lengths in ([view.a[-1] for view in views], [view.b[-1] for view in views]):
        assert max(lengths) < 4, "none is cut"
        assert np.mean(lengths) == pytest.approx(1, rel=1e-9)


def test_columns_that_do_not_vary_do_not_count() -> None:
    """Of twenty columns two vary: both views are as if there were only these."""
    draw = np.random.default_rng(0)
    few = draw.normal(size=(N, 2))
    many = np.full((N, 20), 5.0)
    many[:, [3, 11]] = few
    alone, among = Seen(few), Seen(many)
    for i in range(N):
        for small, large in zip(alone(i), among(i), strict=True):
            np.testing.assert_allclose(large[[3, 11, 20]], small, rtol=1e-12)


def test_a_value_far_out_is_cut_at_four_deviations_in_the_first_view_only() -> None:
    X = np.random.default_rng(0).normal(size=(N, 9))
    X[7, 2] = 6.0
    seen = Seen(X)
    for i in range(N):
        seen(i)
    a, b = seen(7, new=False)
    deviation = X[:, 2].std()
    away = X[7, 2] - X[:, 2].mean()
    assert away > 4 * deviation
    assert a[2] == pytest.approx(4 / 3, rel=1e-12), "4/√9"
    uncut = (X[7] - X.mean(axis=0)) / np.sqrt(X.var(axis=0).sum())
    np.testing.assert_allclose(b[:9], cut(uncut), rtol=1e-9)


def test_no_view_is_longer_than_two() -> None:
    X = np.random.default_rng(0).normal(size=(N, 3))
    X[-1] = 100.0, -100.0, 100.0
    seen = Seen(X)
    for i in range(N):
        a, b = seen(i)
    assert a[-1] == pytest.approx(4, rel=1e-14)
    assert b[-1] == pytest.approx(4, rel=1e-14)


def test_a_column_of_huge_scale_is_alone_in_the_second_view_only() -> None:
    X = np.random.default_rng(0).normal(size=(N, 4)) * [1, 1, 1, 1e6]
    seen = Seen(X)
    for i in range(N):
        a, b = seen(i)
    assert abs(b[:3]).max() < 1e-5 * abs(b[3])
    deviations = (X[-1] - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(a[:4], deviations / 2, rtol=1e-9)


@pytest.mark.parametrize("standardize", [True, False])
def test_a_row_that_is_not_new_leaves_the_statistics_alone(standardize: bool) -> None:
    seen = Seen(table(7), standardize=standardize)
    for i in range(N):
        seen(i)
    before = [array.copy() for array in seen.statistics]
    again = seen(3, new=False)
    assert all(np.array_equal(old, new) for old, new in zip(before, seen.statistics, strict=True))
    np.testing.assert_array_equal(again.a, seen(3, new=False).a)


@pytest.mark.parametrize("normalize", [False, True])
def test_rows_as_they_come_are_of_unit_length_in_both_views(normalize: bool) -> None:
    X = table(5)
    seen = Seen(X, standardize=False, normalize=normalize)
    for i in range(N):
        for view in seen(i):
            np.testing.assert_allclose(view, [*X[i] / np.linalg.norm(X[i]), 1], rtol=1e-13)
    assert not any(array.any() for array in seen.statistics)


def test_rows_of_unit_length_are_standardised_as_such() -> None:
    X = table(5)
    units = X / np.linalg.norm(X, axis=1, keepdims=True)
    as_asked, by_hand = Seen(X, normalize=True), Seen(units)
    for i in range(N):
        for view, right in zip(as_asked(i), by_hand(i), strict=True):
            np.testing.assert_allclose(view, right, rtol=1e-7, atol=1e-9, err_msg=f"row {i}")


def test_a_row_of_zeros_as_it_comes() -> None:
    a, b = Seen(np.zeros((1, 3)), standardize=False)(0)
    assert not a.any()
    assert not b.any()
