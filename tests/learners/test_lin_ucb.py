"""LinUCB: parameters, and what it estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": -0.1}, r"alpha=-0.1: must be a number, 0 or larger"),
        ({"lam": 0}, r"lam=0: must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.LinUCB(3, **parameters)


def test_linucb_estimates_the_chance_of_being_right() -> None:
    learner = onebit.LinUCB(2, alpha=5, lam=1e-6)
    draw = np.random.default_rng(0)
    bits = []
    for _ in range(400):
        decision = learner.decide([1.0])
        bits.append((decision.label, bool(draw.random() < (0.7 if decision.label == 0 else 0.2))))
        learner.learn(decision, bits[-1][1])
    for k in (0, 1):
        answers = [bit for label, bit in bits if label == k]
        assert len(answers) > 10
        assert learner.scores([1.0])[k] == pytest.approx(np.mean(answers), abs=1e-6)
