"""What users call: any labels, decisions that stay as they were, predictions that change nothing."""

from typing import Any

import numpy as np
import pytest

import onebit


def learned(learner: onebit.Learner, row: Any, feedback: Any) -> None:
    learner.learn(learner.decide(row), feedback)


@pytest.mark.parametrize("labels", [["a", "b"], [3, 1], [("x", 1), ("x", 2)], [None, "b"], [True, False], [1.5, 2.5]])
def test_any_hashable_labels(labels: list[Any]) -> None:
    learner = onebit.Banditron(labels, gamma=0.0)
    assert learner.decide([1.0]).label == labels[0]
    learned(learner, [1.0], False)
    assert learner.predict([1.0]) == labels[1]
    assert list(learner.predict([[1.0], [-1.0]])) == [labels[1], labels[0]]
    teacher = onebit.Perceptron(labels)
    learned(teacher, [1.0], labels[1])
    assert teacher.predict([1.0]) == labels[1]


def test_a_decision_is_safe_from_changes_of_the_row_and_is_frozen() -> None:
    learner, x = onebit.Banditron(2, gamma=0.0), np.array([1.0, 2.0])
    decision = learner.decide(x)
    x[:] = 100
    learner.learn(decision, False)
    assert learner.scores([1.0, 2.0])[0] == -5
    with pytest.raises(ValueError, match="read-only"):
        decision.row[0] = 3
    with pytest.raises(AttributeError):
        decision.propensity = 0.5  # type: ignore[misc]


def test_scores_and_predictions_before_the_first_row_change_nothing() -> None:
    learner = onebit.Banditron(3)
    assert learner.predict([1.0, 2.0]) == 0
    assert learner.scores(np.ones((4, 2))).shape == (4, 3)
    assert learner._session.layout is None
    learner.decide([1.0, 2.0, 3.0])


def test_interactive_play_equals_the_engine_under_the_same_seed() -> None:
    stream = onebit.streams.synsep(300)
    result = onebit.simulate(onebit.Banditron(9, gamma=0.1), stream, seeds=[6])
    learner, mistakes = onebit.Banditron(9, gamma=0.1, seed=6), 0
    for window in stream.windows(seed=6):
        for r in window.order:
            decision = learner.decide(window.X[[r]])
            right = bool(decision.label == window.y[r])
            learner.learn(decision, right)
            mistakes += not right
    assert result.error == mistakes / 300


def test_a_learner_without_an_algorithm_says_so() -> None:
    class Empty(onebit.Learner):
        pass

    with pytest.raises(TypeError, match="gives no `hyper`"):
        Empty(3)
