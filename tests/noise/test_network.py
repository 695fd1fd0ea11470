"""The paper's network: learns q(x, j), repeats, and leaves torch's own generator alone."""

from __future__ import annotations

import sys
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.noise.network import _first_weights, fit_network, one_thread
from onebit.noise.nrest import NREst
from tests.noise.test_nrest import population


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="the torch extra is not installed")


def test_without_torch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(onebit.OnebitError, match=r"needs PyTorch; install it with pip install 'onebit\[torch\]'"):
        NREst(classifier="network").fit(*population(400, 0.1, 0.2))


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4)])
def test_known_rates_are_found_where_examples_are_perfect(torch: Any, rho_0: float, rho_1: float) -> None:
    found = NREst(classifier="network", epochs=8).fit(*population(20_000, rho_0, rho_1))
    assert found.rho_0 == pytest.approx(rho_0, abs=0.03)
    assert found.rho_1 == pytest.approx(rho_1, abs=0.03)


def test_a_seed_decides_the_network_and_torch_keeps_its_own_generator(torch: Any) -> None:
    lessons = population(1000, 0.1, 0.2)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    fits = [NREst(classifier="network", layers=(8,), epochs=2, seed=seed).fit(*lessons) for seed in (3, 3, 4)]
    assert torch.equal(before, torch.get_rng_state())
    assert torch.get_num_threads() == threads
    torch.rand(1)
    fits.append(NREst(classifier="network", layers=(8,), epochs=2, seed=3).fit(*lessons))
    first, same, other, later = (fit.predicted for fit in fits)
    np.testing.assert_array_equal(first, same)
    np.testing.assert_array_equal(first, later)
    assert not np.array_equal(first, other)


def test_sparse_rows_give_what_dense_ones_give(torch: Any) -> None:
    rows, *rest = population(1000, 0.1, 0.2)
    estimator = NREst(classifier="network", layers=(8,), epochs=2)
    dense, sparse = (estimator.fit(table, *rest) for table in (rows, sp.csr_array(rows)))
    np.testing.assert_array_equal(dense.predicted, sparse.predicted)
    assert dense == sparse


def test_the_released_form_repeats_and_finds_rates_of_simple_rows(torch: Any) -> None:
    lessons = population(20_000, 0.2, 0.3, d=4)
    estimator = NREst(classifier="network", form="released", layers=(64, 64), epochs=30)
    once, again = estimator.fit(*lessons), estimator.fit(*lessons)
    np.testing.assert_array_equal(once.predicted, again.predicted)
    np.testing.assert_allclose(once, (0.2, 0.3), atol=0.06)


def test_first_weights_of_he_are_wider_than_those_of_glorot(torch: Any) -> None:
    first = [_first_weights(torch, [50, 150, 2], he, torch.Generator().manual_seed(0))[0] for he in (False, True)]
    assert [float(w.detach().abs().max()) for w in first] == pytest.approx([sqrt(6 / 200), sqrt(6 / 50)], rel=0.01)


def test_the_epoch_that_predicts_best_is_kept(torch: Any) -> None:
    draw = np.random.default_rng(0)
    rows, bits = draw.normal(size=(600, 40)), draw.integers(2, size=600)
    with one_thread():
        q = fit_network(rows, np.zeros(600, int), bits, 2, (64, 64), 40, 0)
    assert np.abs(q(draw.normal(size=(500, 40)), 0) - 0.5).mean() < 0.15, "coins cannot be foretold"
