"""Rows: their entries, norms, and what is not finite in them, dense and sparse."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.contract.layout import to_rows
from onebit.ops.jit import entry_point
from onebit.ops.rows import first_bad, index, row_at, size, squared_norm, value


@entry_point
def read_entries(rows, i, normalize, out):  # type: ignore[no-untyped-def]
    row = row_at(rows, i, normalize)
    for e in range(size(row)):
        out[index(row, e)] = value(row, e)
    return squared_norm(row), first_bad(row)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_entries_rebuild_the_row(kind: Any) -> None:
    draw = np.random.default_rng(33)
    X = draw.normal(size=(3, 33)) * (draw.random((3, 33)) < 0.7)
    rows = to_rows(sp.csr_array(X) if kind == "sparse" else X, 33, kind, "float64")
    out = np.zeros(33)
    norm, bad = read_entries(rows, 1, False, out)
    np.testing.assert_array_equal(out, X[1])
    assert norm == pytest.approx(X[1] @ X[1])
    assert bad == -1


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_first_value_that_is_not_finite_is_found(kind: Any, value: float) -> None:
    X = np.ones((1, 20))
    X[0, 11] = value
    rows = to_rows(sp.csr_array(X) if kind == "sparse" else X, 20, kind, "float64")
    for normalize in (False, True):
        assert read_entries(rows, 0, normalize, np.zeros(20))[1] == 11


def test_a_row_of_zeros_survives_normalisation() -> None:
    rows = to_rows(np.zeros((1, 5)), 5, "dense", "float64")
    assert read_entries(rows, 0, True, np.zeros(5)) == (0.0, -1)
