"""RCNBF: Banditron without noise, unbiased in noise, and its average."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, Decision
from tests.learners.lessons import (
    EXACT,
    WIDTH,
    K,
    change,
    flat,
    gamma_greedy,
    perceptron_update,
    row_of,
    table,
    teach,
    trained,
)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": 0}, r"gamma=0: must be a number between 0 and 0.5, both excluded"),
        ({"gamma": 0.5}, r"gamma=0.5: must be a number between 0 and 0.5, both excluded"),
        ({"rho_0": -0.1}, r"rho_0=-0.1: must be"),
        ({"rho_1": 1.0}, r"rho_1=1.0: must be"),
        ({"rho_0": True}, r"rho_0=True: must be"),
        ({"rho_0": 0.4, "rho_1": 0.6}, r"rho_0=0.4, rho_1=0.6: their sum must be below 1"),
        ({"average": 1}, r"average=1: must be False or True"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.RCNBF(3, **parameters)


@pytest.mark.parametrize(("T", "gamma"), [(10**6, 0.02), (8, 0.5)])
def test_theory_sets_gamma_from_rounds_and_flip_rates(T: int, gamma: float) -> None:
    learner = onebit.RCNBF(3, gamma=f"theory:{T}", rho_0=0.2, rho_1=0.3)  # T^(-1/3)/β, β = ½; ½ at most
    assert learner.hyper().gamma == pytest.approx(gamma, rel=1e-12)
    decision = learner.decide([1.0])
    assert decision.propensity == pytest.approx(
        gamma / 3 + (1 - gamma) * (decision.label == decision.greedy), rel=1e-12
    )


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("ties", ["first", "random"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rcnbf_without_noise_is_banditron_bit_for_bit(kind: str, ties: str, dtype: str) -> None:
    X, y = table(400)
    rows = sp.csr_array(X) if kind == "sparse" else X
    robust = onebit.RCNBF(K, gamma=0.2, seed=5, ties=ties, dtype=dtype)
    plain = onebit.Banditron(K, gamma=0.2, seed=5, ties=ties, dtype=dtype)
    for a, b in zip(teach(robust, rows, y), teach(plain, rows, y), strict=True):
        assert (a.label, a.greedy, a.propensity, a.explored) == (b.label, b.greedy, b.propensity, b.explored)
    assert np.array_equal(robust.scores(X), plain.scores(X))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rcnbf_averages_every_weight_it_has_had(kind: str) -> None:
    X, y = table(600)
    rows = sp.csr_array(X) if kind == "sparse" else X
    learner = onebit.RCNBF(K, gamma=0.3, rho_0=0.1, rho_1=0.2, average=True)
    past = []
    for t in range(len(y)):
        teach(learner, rows[t : t + 1], y[t : t + 1])
        past.append(learner._session.state.W.copy())
    np.testing.assert_allclose(learner.scores(np.eye(WIDTH)).T, np.mean(past, axis=0), rtol=1e-10, atol=1e-11)


def test_averaging_makes_rcnbf_err_less_under_noise() -> None:
    X, y = table(6000, d=20, noise=0.7)
    flips = np.random.default_rng(3).random(len(y))
    errors = {}
    for average in (False, True):
        learner = onebit.RCNBF(K, rho_0=0.15, rho_1=0.15, average=average, seed=2)
        errors[average] = 0
        for t in range(len(y)):
            decision = learner.decide(X[t])
            hit = decision.label == y[t]
            errors[average] += not hit
            learner.learn(decision, bool(hit != (flips[t] < 0.15)))
    assert errors[True] < 0.9 * errors[False]


@pytest.mark.parametrize("average", [False, True], ids=["last W", "averaged W"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("rho", [(0.0, 0.0), (0.2, 0.4), (0.4, 0.2), (0.0, 0.6)], ids=str)
@pytest.mark.parametrize(("K", "gamma"), [(2, 0.3), (4, 0.125), (6, 0.05)])
def test_rcnbf_takes_the_step_of_the_perceptron(
    tmp_path: Path, K: int, gamma: float, rho: tuple[float, float], kind: str, average: bool
) -> None:
    learner = onebit.RCNBF(K, gamma=gamma, rho_0=rho[0], rho_1=rho[1], average=average, seed=K)
    path = trained(learner, kind, K, tmp_path / "r.onebit")
    row = row_of(kind, 5)
    W = onebit.load(path)._session.state.W
    assert np.abs(W).max() > 0.1
    p, greedy = gamma_greedy(onebit.load(path).scores(row), gamma)
    for y in range(K):
        mean = np.zeros_like(W)
        for r in range(K):
            says_right = 1 - rho[1] if r == y else rho[0]
            for bit, probability in ((True, says_right), (False, 1 - says_right)):
                decision = Decision((r,), p[r], greedy, False, row, 99)
                mean += p[r] * probability * change(path, "W", decision, bit)
        learns = int(np.argmax(W @ flat(row)))
        assert mean == pytest.approx(perceptron_update(W, row, learns, y), rel=0, abs=EXACT)
