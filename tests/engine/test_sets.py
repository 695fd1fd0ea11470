"""Learners that play a set of labels go through the same doors: object, engine, battery."""

from math import perm
from typing import Any, NamedTuple

import numpy as np
import pytest

import onebit
from onebit.checks import check_learner
from onebit.contract.compiled import Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.parameters import number
from onebit.contract.schema import reals, room
from onebit.core.registry import _LEARNERS
from onebit.ops.jit import jit
from onebit.ops.random import below, first_best
from onebit.ops.weights import add, scores


class Hyper(NamedTuple):
    propensity: float


class State(NamedTuple):
    W: Any
    s: Any


@jit
def decide(hyper, state, row, rng, labels):  # type: ignore[no-untyped-def]
    """A uniformly random set, one label after another."""
    scores(state.W, row, state.s)
    K = len(state.s)
    for i in range(len(labels)):
        labels[i] = below(rng, K - i)
        for taken in range(K):  # the labels[i]-th of those not yet drawn
            again = False
            for j in range(i):
                again |= labels[j] == taken
            labels[i] += again and taken <= labels[i]
    return hyper.propensity, first_best(state.s), True


@jit
def learn(hyper, state, row, draw, bit, rng):  # type: ignore[no-untyped-def]
    """Every label of a set that was right comes closer, of one that was wrong goes away."""
    for label in draw.labels:
        add(state.W, label, row, 1.0 if bit else -1.0)
    return len(draw.labels)


class RandomSet(onebit.Learner):
    m: float = number(default=2, low=1)
    functions = Functions(decide, learn, linear_score)

    @property
    def set_size(self) -> int:
        return int(self.m)

    def hyper(self) -> Hyper:
        return Hyper(1 / perm(len(self.classes), self.set_size))

    def start(self, layout: Layout) -> State:
        return State(layout.per_feature(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        return State(reals(layout.n_classes, layout.n_features), room(layout.n_classes))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_LEARNERS, "random-set", RandomSet)
    monkeypatch.setattr(RandomSet, "name", "random-set")


def test_a_set_learner_passes_the_battery() -> None:
    check_learner(RandomSet(4, m=2))


def test_a_hit_is_a_true_label_among_those_played() -> None:
    stream = onebit.streams.synsep(20_000)
    for m in (1, 3, 6):
        result = onebit.simulate(RandomSet(9, m=m), stream)
        assert abs((1 - result.error) - m / 9) < 5 * np.sqrt(m / 9 * (1 - m / 9) / 20_000)
        assert result.updates == 20_000 * m


def test_decisions_carry_their_labels_in_the_order_drawn() -> None:
    learner = RandomSet(list("abcde"), m=3)
    decisions = [learner.decide([1.0]) for _ in range(300)]
    assert all(len(set(d.labels)) == 3 and d.label == d.labels[0] for d in decisions)
    assert len({d.labels for d in decisions}) > 50, "order counts: there are 60"
    assert {d.propensity for d in decisions} == {1 / 60}
    learner.learn(decisions[0], True)
    played = set(decisions[0].labels)
    assert {c for c, s in zip(learner.classes, learner.scores([1.0]), strict=True) if s > 0} == played
    wrong = onebit.Decision(("a",), 0.5, "a", True, [1.0], 0)
    with pytest.raises(onebit.FeedbackError, match="needs 3"):
        learner.learn(wrong, True)
