"""SOBA, full and diagonal: adaptive exploration, and hits only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from tests.learners.lessons import K, table, with_twin


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
        assert decision.propensity == pytest.approx(gamma / K + (1 - gamma) * (played == greedy), rel=1e-9)
        learner.learn(decision, bool(played == y[t]))
        twin.learn(X[t], played, greedy, p, explored, int(played == y[t]))
        seen.append(gamma)
    assert learner._session.state.Q[0] == pytest.approx(twin.Q, rel=1e-9)
    assert twin.Q > 1
    assert seen[-1] < 0.5 * seen[0]


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal"])
def test_misses_teach_nothing(name: str) -> None:
    learner = getattr(onebit, name)(3, gamma=0.5)
    X, _ = table(50)
    for x in X:
        learner.learn(learner.decide(x), False)
    assert learner.updates == 0
    assert not learner.scores(X).any()
