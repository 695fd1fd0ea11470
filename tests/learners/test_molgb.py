"""MOLGB: parameters, and its optimism."""

from __future__ import annotations

from typing import Any

import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": 0.5}, r"b=0.5: must be a number above 1"),
        ({"normalize": 1}, r"normalize=1: must be True"),
        ({"varphi": -0.1}, r"varphi=-0.1: must be a number, 0 or larger"),
        ({"noise": (0.1, 0.1)}, r"MOLGB cannot take it: whether it learns depends on the bit"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.MOLGB(3, **parameters)


def test_optimism_is_shared_by_equals() -> None:
    drawn = [onebit.MOLGB(4, ties="random", seed=s).decide([1.0, 0.0]) for s in range(60)]
    assert {d.label for d in drawn} == {0, 1, 2, 3}
    assert {d.propensity for d in drawn} == {0.25}
    assert {d.greedy for d in drawn} == {0}


def test_optimism_plays_what_is_unknown() -> None:
    learner = onebit.MOLGB(2, varphi=10)
    first = learner.decide([1.0, 0.0])
    learner.learn(first, True)
    second = learner.decide([1.0, 0.0])
    assert (first.label, second.label, second.greedy) == (0, 1, 0)
