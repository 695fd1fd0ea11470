"""The compiled shadow equals its naive twin, and takes rows as they come."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.feedback import NoiseRates
from onebit.noise.shadow import VARIANCE, Shadow
from tests.naive import shadow as naive

ROUNDS, K, D = 2000, 5, 12
RATES = [NoiseRates(0.2, 0.3), NoiseRates(0.0, 0.0)]


def lessons(m: int) -> tuple[Any, Any, Any]:
    """Noisy clusters with a share of zeros and one column that is constant; random sets; bits with lies."""
    draw = np.random.default_rng(m)
    y = draw.integers(K, size=ROUNDS)
    X = (draw.normal(size=(K, D))[y] + 0.8 * draw.normal(size=(ROUNDS, D))) * (draw.random((ROUNDS, D)) < 0.6)
    X[:, 3] = 7.0
    played = np.argsort(draw.random((ROUNDS, K)), axis=1)[:, :m]
    right = (played == y[:, None]).any(axis=1)
    return X, played, (right != (draw.random(ROUNDS) < 0.25)).astype(np.int64)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_it_equals_its_twin(kind: str, m: int) -> None:
    X, played, bit = lessons(m)
    shadow = Shadow(sp.csr_array(X) if kind == "sparse" else X, K, dtype="float64")
    twin, rows = naive.Twin(K, D + 1, VARIANCE), (naive.unit_rows if kind == "sparse" else naive.dense_rows)(X)
    for first in range(0, ROUNDS, 250):
        part = slice(first, first + 250)
        rates = RATES[first >= ROUNDS // 2]  # without noise, an answer can be all but impossible under the belief
        margins = shadow.watch(first, played[part], bit[part], rates)
        for i in range(250):
            assert margins[i] == pytest.approx(twin.margin(rows[first + i], played[first + i]), abs=1e-9)
            twin.learn(rows[first + i], played[first + i], bit[first + i], rates)
        np.testing.assert_allclose(shadow.state.W, twin.W, rtol=0, atol=1e-9)
        np.testing.assert_allclose(shadow.state.P, twin.P, rtol=0, atol=1e-9)


@pytest.mark.parametrize("dtype", ["uint8", "bool", "float32", "int64"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_numbers_of_any_kind_are_the_same_rows(kind: str, dtype: str) -> None:
    _, played, bit = lessons(1)
    X = np.random.default_rng(0).random((ROUNDS, D)) < 0.3
    tables = [X.astype(t) for t in (dtype, "float64")]
    one, other = (
        Shadow(sp.csr_array(t) if kind == "sparse" else np.asfortranarray(t), K).watch(0, played, bit, RATES[0])
        for t in tables
    )
    np.testing.assert_array_equal(one, other)


def test_entries_stored_twice_are_summed_and_the_table_stays_as_it_was() -> None:
    X, played, bit = lessons(1)
    table = sp.csr_array(X)
    twice = sp.csr_array(
        (np.repeat(table.data, 2) / 2, np.repeat(table.indices, 2), 2 * table.indptr), shape=table.shape
    )
    stored = twice.nnz
    one, other = (Shadow(t, K).watch(0, played, bit, RATES[0]) for t in (table, twice))
    np.testing.assert_allclose(one, other, atol=1e-9)
    assert twice.nnz == stored


def test_rows_of_zeros_and_columns_far_from_zero_are_fine() -> None:
    X, played, bit = lessons(1)
    margins = Shadow(X, K).watch(0, played, bit, RATES[0])
    np.testing.assert_allclose(Shadow(X + 1e6, K).watch(0, played, bit, RATES[0]), margins, atol=1e-4)
    for table in (np.zeros((ROUNDS, D)), sp.csr_array((ROUNDS, D))):
        assert np.isfinite(Shadow(table, K).watch(0, played, bit, RATES[0])).all()
