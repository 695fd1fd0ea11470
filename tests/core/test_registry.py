"""The learners by their names."""

import pytest

import onebit
from onebit.core.errors import ConfigError
from onebit.core.registry import learner_class, learner_names


def test_every_learner_is_registered_and_public() -> None:
    assert learner_names() == [
        "bandit-pa", "bandit-perceptron", "banditron", "confidit", "gpa", "kernel-bandit", "lin-ucb", "mc-dbf",
        "mc-slp", "molg-b", "molg-f", "msg", "one-bit", "oslg", "oslg-bandit", "page-rank-ucb", "perceptron",
        "pnewtron", "rcine", "rcnbf", "second-order-kernel", "set-banditron", "soba", "soba-diagonal",
    ]  # fmt: skip
    for name in learner_names():
        cls = learner_class(name)
        assert getattr(onebit, cls.__name__) is cls
    with pytest.raises(ConfigError, match="known are bandit-pa"):
        learner_class("zzzz")
