"""What all learners share: labels, rows of every kind, parameters, feedback, and wrong input."""

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.errors import ConfigError, DataError, FeedbackError


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


@pytest.mark.parametrize("classes", [1, 0, -3, [], ["a"], "ab", None, 2.5, True, [[1], [2]], ["a", "a"]])
def test_bad_classes(classes: Any) -> None:
    with pytest.raises(ConfigError, match="classes="):
        onebit.Banditron(classes)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gamma", -0.1), ("gamma", 1.1), ("gamma", float("nan")), ("gamma", "much"), ("gamma", None), ("gamma", True),
        ("n_features", 0), ("n_features", 2.5), ("n_features", True), ("dtype", "int32"), ("dtype", "f16"),
        ("dtype", 7), ("seed", -1), ("seed", 1.5), ("seed", "x"), ("normalize", "yes"), ("normalize", 1),
        ("ties", "last"),
    ],
)  # fmt: skip
def test_bad_parameters(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"{name}="):
        onebit.Banditron(3, **{name: value})


def test_parameters_are_frozen_and_cloned() -> None:
    learner = onebit.Banditron(["a", "b"], gamma=np.float64(0.25), dtype=np.float32, seed=np.int64(4))  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        learner.gamma = 0.5  # type: ignore[misc]
    with pytest.raises(TypeError):
        onebit.Banditron(3, 0.5)  # type: ignore[call-arg, arg-type]
    twin = learner.clone()
    assert twin.get_params() == learner.get_params()
    assert repr(twin) == "Banditron(['a', 'b'], dtype='float32', seed=4, gamma=0.25)"
    assert learner.clone(gamma=0.5).gamma == 0.5


def test_rows_of_every_kind_are_the_same_row() -> None:
    x = np.array([0.0, 2.0, -1.0])
    kinds: list[Any] = [
        x,
        x.tolist(),
        x.astype("float32"),
        x.astype(int),
        sp.csr_array(x[None]),
        sp.csr_matrix(x),
    ]
    learner = onebit.Banditron(2, gamma=0.0)
    learned(learner, x, False)
    for row in kinds:
        np.testing.assert_array_equal(learner.scores(row), [-5.0, 0.0])
    sparse = onebit.Banditron(2, gamma=0.0)
    learned(sparse, sp.csr_array(x[None]), False)
    for row in [*kinds, sp.csr_array(x)]:
        np.testing.assert_array_equal(sparse.scores(row), [-5.0, 0.0])
    np.testing.assert_array_equal(sparse.scores(np.stack([x, 2 * x])), [[-5.0, 0.0], [-10.0, 0.0]])


def test_dict_rows_are_hashed() -> None:
    learner = onebit.Banditron(["no", "yes"], gamma=0.0)
    learned(learner, {"colour": "red", "weight": 2.0, "new": True}, False)
    assert learner.predict({"colour": "red"}) == "yes"
    assert learner.predict([{"colour": "red"}, {"colour": "green"}]).tolist() == ["yes", "no"]
    with pytest.raises(DataError, match="feature 'colour' is None"):
        learner.decide({"colour": None})
    with pytest.raises(DataError, match="is nan"):
        learner.decide({"weight": float("nan")})


@pytest.mark.parametrize("started", [False, True], ids=["first row", "later row"])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([1.0, np.nan, 0.0], "feature 1 is nan"),
        ([1.0, 0.0, -np.inf], "feature 2 is -inf"),
        ([1.0, 0.0], "has 2 features"),
        ([], "has 0 features"),
        (["a", "b", "c"], "must be numbers"),
        ([1j, 0, 0], "must be numbers"),
        (np.zeros((2, 3)), "one row at a time"),
        (np.zeros((1, 1, 3)), "3 dimensions"),
        (5.0, "0 dimensions"),
        (sp.csr_array(np.array([[np.inf, 0.0, 1.0]])), "feature 0 is inf"),
        ([1.0, None, 2.0], "must be numbers"),
    ],
)
def test_bad_rows_change_nothing(row: Any, message: str, started: bool) -> None:
    learner = onebit.Banditron(2, n_features=3, gamma=0.5)
    if started:
        learned(learner, [1.0, 2.0, 3.0], True)
    before = learner._run.rng.copy()
    with pytest.raises(DataError, match=message):
        learner.decide(row)
    assert learner.decisions == started
    assert np.array_equal(learner._run.rng, before)
    assert (learner._run.layout is not None) == started


def test_the_first_row_fixes_the_length() -> None:
    learner = onebit.Banditron(2)
    learned(learner, [1.0, 2.0], True)
    with pytest.raises(DataError, match="n_features=2"):
        learner.decide([1.0, 2.0, 3.0])


@pytest.mark.parametrize("feedback", [1, 0, "yes", None, 1.0, np.int64(1)])
def test_a_label_where_a_bit_is_due(feedback: Any) -> None:
    learner = onebit.Banditron(["no", "yes"])
    decision = learner.decide([1.0])
    with pytest.raises(FeedbackError, match="learns from a bit"):
        learner.learn(decision, feedback)
    learner.learn(decision, np.True_)


@pytest.mark.parametrize("feedback", [True, np.False_, "maybe", 2, None, [1]])
def test_a_bit_where_a_label_is_due(feedback: Any) -> None:
    learner = onebit.Perceptron(2)
    decision = learner.decide([1.0])
    with pytest.raises(FeedbackError, match="feedback="):
        learner.learn(decision, feedback)
    learner.learn(decision, 1)
    assert learner.updates == 1


def test_a_decision_teaches_once_but_a_stored_copy_still_can() -> None:
    learner = onebit.Banditron(2, gamma=0.0)
    decision = learner.decide([1.0])
    stored = pickle.dumps(decision)
    learner.learn(decision, False)
    with pytest.raises(FeedbackError, match="already learned"):
        learner.learn(decision, False)
    learner.learn(pickle.loads(stored), False)
    assert learner.scores([1.0])[0] == -2


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


def test_decisions_of_strangers_are_checked() -> None:
    learner = onebit.Banditron(["a", "b"])
    other = onebit.Banditron(["a", "c"], gamma=1.0, seed=3)
    strange = next(d for d in (other.decide([1.0]) for _ in range(20)) if d.label == "c")
    with pytest.raises(FeedbackError, match="label 'c' is not among the classes"):
        learner.learn(strange, True)
    with pytest.raises(FeedbackError, match="what `decide` returned"):
        learner.learn("decision", True)  # type: ignore[arg-type]
    wrong = onebit.Decision(("a",), 0.0, "a", False, [1.0], 0)
    with pytest.raises(FeedbackError, match="propensity"):
        learner.learn(wrong, True)


def test_scores_and_predictions_before_the_first_row_change_nothing() -> None:
    learner = onebit.Banditron(3)
    assert learner.predict([1.0, 2.0]) == 0
    assert learner.scores(np.ones((4, 2))).shape == (4, 3)
    assert learner._run.layout is None
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
