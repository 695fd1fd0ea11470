"""Confidit: parameters, rows of any width, directions, and its coin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from onebit.core.seeds import bit_generator
from tests.learners.lessons import K, table


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": -1}, r"alpha=-1: must be a number above -1, up to 1"),
        ({"alpha": 1.5}, r"alpha=1.5: must be a number above -1, up to 1"),
        ({"eta": -0.3}, r"eta=-0.3: must be a number, 0 or larger"),
        ({"covariance": "low-rank"}, r"covariance='low-rank': must be 'full' or 'diagonal'"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.Confidit(3, **parameters)


def test_it_takes_rows_of_any_width() -> None:
    learner = onebit.Confidit(["ham", "spam"])
    decision = learner.decide({"word=offer": 1.0, "length": 0.2})
    learner.learn(decision, True)
    assert learner.predict({"word=offer": 1.0}) == decision.label


def test_confidit_sees_directions_only() -> None:
    X, y = table(300)
    scale = np.random.default_rng(1).uniform(0.01, 100, size=len(y))
    for covariance in ("full", "diagonal"):
        learner = onebit.Confidit(K, covariance=covariance)
        other = learner.clone()
        for t in range(len(y)):
            decision, scaled = learner.decide(X[t]), other.decide(scale[t] * X[t])
            assert decision.label == scaled.label
            learner.learn(decision, bool(decision.label == y[t]))
            other.learn(scaled, bool(decision.label == y[t]))
        np.testing.assert_allclose(learner.scores(X), other.scores(X), rtol=0, atol=1e-9)


def test_confidit_takes_one_uniform_per_lesson_whatever_the_answer() -> None:
    learner = onebit.Confidit(2, seed=5)
    draw = np.random.Generator(bit_generator(5, "learner"))
    for bit in [True, False, True, True, False] * 4:
        learner.learn(learner.decide([0.6, 0.8]), bit)
        draw.random()
    state = draw.bit_generator.state["state"]["state"]
    assert learner._session.rng[:2].tolist() == list(divmod(state, 2**64))
