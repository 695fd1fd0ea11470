"""BanditPA: parameters, and rest where there is no loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": 1.5}, r"gamma=1.5: must be a number from 0 to 1"),
        ({"C": 0}, r"C=0: must be a number above 0"),
        ({"C": "much"}, r"C='much': must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.BanditPA(3, **parameters)


def test_bandit_pa_rests_when_there_is_no_loss() -> None:
    learner = onebit.BanditPA(2, gamma=0, C=1e9)
    x = [3.0, 4.0]
    learner.learn(learner.decide(x), True)
    assert learner.scores(x) == pytest.approx([1.0, 0.0], abs=1e-10)
    learner = onebit.BanditPA(2, gamma=0)
    learner.decide(x)
    learner._session.state.W[0] = [1.0, 1.0]
    before = learner.scores(x)
    learner.learn(learner.decide(x), True)
    assert learner.updates == 0
    assert np.array_equal(learner.scores(x), before)
