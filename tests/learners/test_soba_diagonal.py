"""SOBADiagonal: parameters, and rows of any width; what it shares with SOBA is tested there."""

from __future__ import annotations

from typing import Any

import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": -0.1}, r"gamma=-0.1: must be a number from 0 to 1, or 'adaptive'"),
        ({"a": float("nan")}, r"a=nan: must be a number above 0"),
        ({"c": 0}, r"c=0: must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.SOBADiagonal(3, **parameters)


def test_it_takes_rows_of_any_width() -> None:
    learner = onebit.SOBADiagonal(["ham", "spam"])
    decision = learner.decide({"word=offer": 1.0, "length": 0.2})
    learner.learn(decision, True)
    assert learner.predict({"word=offer": 1.0}) == decision.label
