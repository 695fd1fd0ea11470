"""The learners by their names."""

import pytest

import onebit
from onebit.core.errors import ConfigError
from onebit.core.registry import learner_class, learner_names, register


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


def test_a_name_belongs_to_one_learner() -> None:
    banditron = learner_class("banditron")
    with pytest.raises(ConfigError, match=r"name='banditron': is taken by onebit\.learners\.banditron\.Banditron"):
        register("banditron")(type("Other", (), {}))
    assert learner_class("banditron") is banditron


def test_the_same_class_defined_again_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.core.registry._LEARNERS", {})
    first, second = (register("mine")(type("Mine", (), {})) for _ in range(2))
    assert learner_class("mine") is second is not first
