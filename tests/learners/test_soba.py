"""SOBA, full and diagonal: adaptive exploration, and hits only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError
from tests.learners.lessons import K, table, teach, with_twin


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": 1.1}, r"gamma=1.1: must be a number from 0 to 1, or 'adaptive'"),
        ({"gamma": "auto"}, r"gamma='auto': must be a number from 0 to 1, or 'adaptive'"),
        ({"a": 0}, r"a=0: must be a number above 0"),
        ({"c": -1}, r"c=-1: must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.SOBA(3, **parameters)


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal"])
def test_adaptive_exploration_follows_its_formula(name: str) -> None:
    c = 0.3
    learner, twin = with_twin(name, {"gamma": "adaptive", "c": c})
    X, y = table(500)
    seen = []
    for t in range(len(y)):
        decision = learner.decide(X[t])
        played, greedy, p, explored = twin.decide(X[t])
        gamma = min(1, c * np.sqrt(K * (1 + twin.Q) / (t + 1)))
        assert decision.propensity == pytest.approx(gamma / K + (1 - gamma) * (played == greedy), rel=1e-12)
        learner.learn(decision, bool(played == y[t]))
        twin.learn(X[t], played, greedy, p, explored, int(played == y[t]))
        seen.append(gamma)
    assert learner._session.state.Q[0] == pytest.approx(twin.Q, rel=1e-12)
    assert twin.Q > 1
    assert seen[-1] < 0.5 * seen[0]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("T", [10**6, 10])
def test_theory_sets_gamma_from_rounds_classes_and_features(kind: str, T: int) -> None:
    X, y = table(200)
    rows = sp.csr_array(X) if kind == "sparse" else X
    gamma = min(1, K * np.sqrt(X.shape[1] * np.log(T) / T))  # √(K² d ln T/T), 1 at most
    by_theory = onebit.SOBA(K, gamma=f"theory:{T}", seed=5)
    by_number = onebit.SOBA(K, gamma=onebit.bounds.soba_gamma(T, K, X.shape[1]), seed=5)
    for a, b in zip(teach(by_theory, rows, y), teach(by_number, rows, y), strict=True):
        assert a.propensity == pytest.approx(gamma / K + (1 - gamma) * (a.label == a.greedy), rel=1e-12)
        assert (a.label, a.greedy, a.explored) == (b.label, b.greedy, b.explored)
    np.testing.assert_allclose(by_theory.scores(X), by_number.scores(X), rtol=1e-10, atol=1e-12)


def test_a_learner_with_the_gamma_of_theory_goes_on_from_its_file(tmp_path: Path) -> None:
    X, y = table(100)
    learner = onebit.SOBA(K, gamma="theory:1e6", seed=5)
    teach(learner, X[:50], y[:50])
    learner.save(tmp_path / "soba.onebit")
    again = onebit.load(tmp_path / "soba.onebit")
    assert repr(again) == f"SOBA({K}, seed=5, gamma='theory:1000000')"
    for a, b in zip(teach(again, X[50:], y[50:]), teach(learner, X[50:], y[50:]), strict=True):
        assert (a.label, a.propensity, a.explored) == (b.label, b.propensity, b.explored)


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal"])
def test_misses_teach_nothing(name: str) -> None:
    learner = getattr(onebit, name)(3, gamma=0.5)
    X, _ = table(50)
    for x in X:
        learner.learn(learner.decide(x), False)
    assert learner.updates == 0
    assert not learner.scores(X).any()
