"""What `--set` says about learners."""

from __future__ import annotations

from typing import Any

import pytest

from onebit.cli.learner_settings import make_learners, parse_settings
from onebit.core.errors import ConfigError


@pytest.mark.parametrize(
    "text", ["gamma", "=1", "gamma=", ".gamma=1", "banditron.=1", "seed=3", "classes=4", "dtype=x"]
)
def test_bad_settings(text: str) -> None:
    with pytest.raises(ConfigError, match="--set"):
        parse_settings([text])


def test_a_setting_reaches_those_that_have_it_and_a_named_one_overrides() -> None:
    names = ["perceptron", "banditron", "rcnbf"]
    learners: list[Any] = make_learners(names, range(3), parse_settings(["gamma=0.25", "rcnbf.gamma=2^-4"]))
    assert [type(learner).__name__ for learner in learners] == ["Perceptron", "Banditron", "RCNBF"]
    assert (learners[1].gamma, learners[2].gamma) == (0.25, 0.0625)


def test_the_gamma_of_theory_can_be_set() -> None:
    (learner,) = make_learners(["soba"], range(3), parse_settings(["gamma=theory:1e6"]))
    assert learner.get_params()["gamma"] == "theory:1000000"


def test_the_order_of_settings_does_not_matter() -> None:
    texts = ["rcnbf.gamma=2^-4", "gamma=0.25"]
    learners: list[Any] = make_learners(["rcnbf", "banditron"], range(3), parse_settings(texts))
    assert (learners[0].gamma, learners[1].gamma) == (0.0625, 0.25)


@pytest.mark.parametrize(
    ("names", "setting", "message"),
    [
        (["banditron"], "rho=1", "banditron has no parameter rho; known are gamma, noise, normalize, ties"),
        (["perceptron", "banditron"], "perceptron.gamma=1", "perceptron has no parameter gamma"),
        (["banditron"], "rcnbf.gamma=0.1", "rcnbf is not among the learners"),
        (["banditron"], "gamma=2", "gamma=2: must be"),
        (["banditron"], "gamma=high", "gamma='high': must be"),
    ],
)
def test_settings_nobody_can_take(names: list[str], setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_learners(names, range(3), parse_settings([setting]))
