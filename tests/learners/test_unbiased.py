"""The estimated updates are unbiased: their mean over all labels (and lies) is the full-information one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import Decision

D = 7
EXACT = 1e-12


def row_of(kind: str, seed: int) -> Any:
    draw = np.random.default_rng(seed)
    x = draw.normal(size=D) * (draw.random(D) < 0.7)
    x[0] = 1.0
    return sp.csr_array(x[None]) if kind == "sparse" else x


def flat(row: Any) -> Any:
    return np.asarray(row @ np.eye(D)).ravel()


def trained(learner: Any, kind: str, seed: int, path: Path) -> Path:
    """A saved learner whose weights are no longer zero."""
    draw = np.random.default_rng(seed)
    for t in range(60):
        decision = learner.decide(row_of(kind, 1000 * seed + t))
        learner.learn(decision, bool(draw.random() < 0.4))
    learner.save(path)
    return path


def gamma_greedy(scores: Any, gamma: float) -> tuple[Any, int]:
    K, greedy = len(scores), int(np.argmax(scores))
    return gamma / K + (1 - gamma) * np.eye(K)[greedy], greedy


def change(path: Path, array: str, decision: Decision, feedback: Any) -> Any:
    """What one lesson adds to an array of the saved learner's state."""
    learner = onebit.load(path)
    before = getattr(learner._run.state, array).copy()
    learner.learn(decision, feedback)
    return getattr(learner._run.state, array) - before


def perceptron_update(W: Any, row: Any, greedy: int, y: int) -> Any:
    learner = onebit.Perceptron(len(W))
    learner.decide(row)
    learner._run.state.W[...] = W
    learner.learn(Decision((greedy,), 1.0, greedy, False, row, 1), y)
    return learner._run.state.W - W


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("K", "gamma"), [(2, 0.3), (3, 0.01), (4, 0.9), (6, 2**-7)])
def test_banditron_takes_the_step_of_the_perceptron(tmp_path: Path, K: int, gamma: float, seed: int, kind: str) -> None:
    path = trained(onebit.Banditron(K, gamma=gamma, seed=seed), kind, seed, tmp_path / "b.onebit")
    row = row_of(kind, seed)
    W = onebit.load(path)._run.state.W
    assert np.abs(W).max() > 0.1
    p, greedy = gamma_greedy(W @ flat(row), gamma)
    for y in range(K):
        mean = sum(p[r] * change(path, "W", Decision((r,), p[r], greedy, False, row, 99), r == y) for r in range(K))
        assert mean == pytest.approx(perceptron_update(W, row, greedy, y), rel=0, abs=EXACT)


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
    W = onebit.load(path)._run.state.W
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
    W = learner.scores(np.eye(D)).T
    P = learner.predict_proba(row)
    for r in range(K):
        for bit in (True, False):
            p = 0.9 * P[r] + 0.1 / K
            g = change(path, "b", Decision((r,), p, 0, True, row, 99), bit)
            b = change(path, "b", Decision((r,), p, 0, False, row, 99), bit)
            kappa = p if bit else 1.0
            assert b == pytest.approx((1 - kappa * beta * (g * W).sum()) * g, rel=0, abs=EXACT)
