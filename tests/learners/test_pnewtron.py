"""PNewtron: its ball, its probabilities, the gradient and the curvature it follows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, Decision
from tests.learners.lessons import EXACT, FEATURES, WIDTH, K, change, flat, row_of, table, teach, trained


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": -0.1}, r"gamma=-0.1: must be a number from 0 to 1"),
        ({"alpha": 0}, r"alpha=0: must be a number above 0"),
        ({"beta": float("nan")}, r"beta=nan: must be a number above 0"),
        ({"D": float("inf")}, r"D=inf: must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.PNewtron(3, **parameters)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_pnewtron_stays_in_its_ball_and_knows_its_norm(kind: str) -> None:
    X, y = table(5000)
    rows = sp.csr_array(X) if kind == "sparse" else X
    learner = onebit.PNewtron(K, gamma=0.05, D=1.5)
    for start in range(0, len(y), 50):
        teach(learner, rows[start : start + 50], y[start : start + 50])
        assert np.linalg.norm(learner.scores(np.eye(WIDTH))) <= 1.5 * (1 + 1e-9)
    state = learner._session.state
    assert state.squared_norm[0] == pytest.approx(float((state.V**2).sum()), rel=1e-10)
    np.testing.assert_allclose(state.V, -state.b / state.A, rtol=1e-15)
    assert float((state.V**2).sum()) > 1.5**2


def test_pnewtron_in_float32_knows_its_norm_to_the_precision_of_its_weights() -> None:
    X, y = table(5000)
    learner = onebit.PNewtron(K, gamma=0.05, dtype="float32")
    teach(learner, X, y)
    state = learner._session.state
    assert state.squared_norm[0] == pytest.approx(float((state.V.astype(float) ** 2).sum()), rel=4e-7)


def test_pnewtron_probabilities_are_those_of_its_softmax() -> None:
    X, y = table(300)
    learner = onebit.PNewtron(list("abcde"), alpha=3.0, gamma=0.1)
    for t in range(len(y)):
        decision = learner.decide(X[t])
        learner.learn(decision, decision.label == "abcde"[y[t]])
    P = learner.predict_proba(X)
    raw = np.exp(3.0 * learner.scores(X))
    assert P.shape == (300, K)
    assert P.sum(axis=1) == pytest.approx(np.ones(300), rel=1e-12)
    np.testing.assert_allclose(P, raw / raw.sum(axis=1, keepdims=True), rtol=1e-12)
    assert learner.predict_proba(X[7]) == pytest.approx(P[7], rel=1e-12)
    decision = learner.decide(X[7])
    played = "abcde".index(str(decision.label))
    assert decision.propensity == pytest.approx(0.9 * P[7, played] + 0.1 / K, rel=1e-12)


def test_pnewtron_survives_scores_that_would_overflow() -> None:
    learner = onebit.PNewtron(3, alpha=1e6, gamma=0.5)
    for t in range(50):
        decision = learner.decide([1.0, 1e3])
        assert 0 < decision.propensity <= 1
        learner.learn(decision, t % 3 == 0)
    assert np.isfinite(learner.scores([1.0, 1e3])).all()
    assert np.isfinite(learner.predict_proba([1.0, 1e3])).all()


def test_pnewtron_plays_each_label_as_often_as_it_says() -> None:
    X, y = table(40)
    learner = onebit.PNewtron(K, alpha=2.0, gamma=0.2)
    teach(learner, X, y)
    says = 0.8 * learner.predict_proba(X[0]) + 0.2 / K
    played = Counter(learner.decide(X[0]).label for _ in range(20_000))
    assert [played[k] / 20_000 for k in range(K)] == pytest.approx(says, abs=0.015)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("K", "gamma"), [(2, 0.3), (3, 0.01), (4, 0.9), (6, 2**-3)])
def test_pnewtron_follows_the_gradient_of_the_log_loss(
    tmp_path: Path, K: int, gamma: float, seed: int, kind: str
) -> None:
    """On rounds that explored, b grows by the estimated gradient itself."""
    path = trained(onebit.PNewtron(K, gamma=gamma, alpha=2.0, seed=seed), kind, seed, tmp_path / "p.onebit")
    row = row_of(kind, seed)
    P = onebit.load(path).predict_proba(row)
    assert np.ptp(P) > 0.01
    p = (1 - gamma) * P + gamma / K
    greedy = int(np.argmax(P))
    for y in range(K):
        mean = sum(p[r] * change(path, "b", Decision((r,), p[r], greedy, True, row, 99), r == y) for r in range(K))
        assert mean == pytest.approx(np.outer(P - np.eye(K)[y], flat(row)), rel=0, abs=EXACT)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_pnewtron_shortens_the_gradient_by_its_curvature_where_it_did_not_explore(tmp_path: Path, kind: str) -> None:
    K, beta = 4, 0.01
    path = trained(onebit.PNewtron(K, beta=beta, gamma=0.1, alpha=2.0), kind, 1, tmp_path / "p.onebit")
    row = row_of(kind, 1)
    learner = onebit.load(path)
    W = learner.scores(np.eye(FEATURES)).T
    P = learner.predict_proba(row)
    for r in range(K):
        for bit in (True, False):
            p = 0.9 * P[r] + 0.1 / K
            g = change(path, "b", Decision((r,), p, 0, True, row, 99), bit)
            b = change(path, "b", Decision((r,), p, 0, False, row, 99), bit)
            kappa = p if bit else 1.0
            assert b == pytest.approx((1 - kappa * beta * (g * W).sum()) * g, rel=0, abs=EXACT)
