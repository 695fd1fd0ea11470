"""Banditron: on average, its step is the Perceptron's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import onebit
from onebit import Decision
from tests.learners.lessons import EXACT, change, flat, gamma_greedy, perceptron_update, row_of, trained


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("K", "gamma"), [(2, 0.3), (3, 0.01), (4, 0.9), (6, 2**-7)])
def test_banditron_takes_the_step_of_the_perceptron(tmp_path: Path, K: int, gamma: float, seed: int, kind: str) -> None:
    path = trained(onebit.Banditron(K, gamma=gamma, seed=seed), kind, seed, tmp_path / "b.onebit")
    row = row_of(kind, seed)
    W = onebit.load(path)._session.state.W
    assert np.abs(W).max() > 0.1
    p, greedy = gamma_greedy(W @ flat(row), gamma)
    for y in range(K):
        mean = sum(p[r] * change(path, "W", Decision((r,), p[r], greedy, False, row, 99), r == y) for r in range(K))
        assert mean == pytest.approx(perceptron_update(W, row, greedy, y), rel=0, abs=EXACT)
