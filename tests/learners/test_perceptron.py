"""Perceptron: no exploration, steps after mistakes only, ties."""

from __future__ import annotations

import pytest

import onebit
from tests.learners.lessons import K, table, teach


def test_perceptron_has_no_exploration_to_set() -> None:
    with pytest.raises(TypeError, match="gamma"):
        onebit.Perceptron(3, gamma=0.1)  # type: ignore[call-arg]  # that there is none is the point


def test_perceptron_updates_after_mistakes_only() -> None:
    X, y = table(500)
    learner = onebit.Perceptron(K)
    decisions = teach(learner, X, y)
    assert learner.updates == sum(d.label != c for d, c in zip(decisions, y, strict=True))
    assert all(d.propensity == 1 and d.label == d.greedy and not d.explored for d in decisions)


def test_perceptron_shares_the_propensity_among_random_ties() -> None:
    learner = onebit.Perceptron(["a", "b", "c", "d"], ties="random", seed=1)
    decision = learner.decide([1.0, 0.0])
    assert decision.propensity == 0.25
    learner.learn(decision, next(c for c in learner.classes if c != decision.label))
    assert learner.decide([1.0, 0.0]).propensity == 1
    assert {learner.decide([0.0, 1.0]).label for _ in range(100)} == set(learner.classes)
