"""Bits, labels, and a learner that takes both, one decision like this and the next like that."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.errors import DataError, FeedbackError
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.noise import Reestimated
from tests.either import Either, clusters


def test_who_takes_what() -> None:
    kinds = {cls: (cls.takes("bit"), cls.takes("label")) for cls in (onebit.Banditron, onebit.Perceptron, Either)}
    assert kinds == {onebit.Banditron: (True, False), onebit.Perceptron: (False, True), Either: (True, True)}
    assert Either(3).takes("label")
    assert not Either(3).takes("rumour")  # type: ignore[arg-type]  # on purpose


def test_a_bit_teaches_like_banditron_and_a_label_like_the_perceptron() -> None:
    stream = clusters(200)
    learner, bandit = Either(stream.classes, gamma=0.3), onebit.Banditron(stream.classes, gamma=0.3)
    bandit.decide(stream.X[0])
    for t in range(200):
        x, y = stream.X[t], stream.y[t]
        before = learner.scores(np.eye(5)).T
        decision = learner.decide(x)
        if t % 3:
            bandit._session.state.W[:] = before
            bandit.learn(pickle.loads(pickle.dumps(decision)), bool(decision.label == y))
            learner.learn(decision, bool(decision.label == y))
            assert np.array_equal(learner.scores(np.eye(5)), bandit.scores(np.eye(5)))
        else:
            learner.learn(decision, y)
            step = np.zeros((3, 5))
            if decision.greedy != y:
                step[learner.classes.index(y)], step[learner.classes.index(decision.greedy)] = x, -x
            assert np.array_equal(learner.scores(np.eye(5)).T, before + step)
    assert learner.decisions == 200
    assert np.mean(learner.predict(stream.X) == stream.y) > 0.9


@pytest.mark.parametrize("classes", [[0, 1], ["no", "yes"], [None, 2.5]])
def test_a_boolean_is_a_bit_and_all_else_a_label(classes: list[Any]) -> None:
    for bit in (False, np.False_):
        learner, bandit = Either(classes), onebit.Banditron(classes)
        learner.learn(learner.decide([1.0]), bit)
        bandit.learn(bandit.decide([1.0]), bit)
        assert np.array_equal(learner.scores([1.0]), bandit.scores([1.0]))
    learner = Either(classes)
    learner.learn(learner.decide([1.0]), classes[0])
    assert learner.updates == 0, "the label played"
    learner.learn(learner.decide([1.0]), classes[1])
    assert learner.scores([1.0]).tolist() == [-1.0, 1.0]


def test_a_boolean_is_a_bit_also_where_the_classes_are_booleans() -> None:
    learner = Either([True, False], gamma=0.0)
    decision = learner.decide([1.0])
    assert decision.label is True
    learner.learn(decision, False)
    assert learner.scores([1.0]).tolist() == [-1.0, 0.0], "wrong; had it been the label, False would have gained"
    told = Either([True, False], gamma=0.0)
    told.learn(told.decide([1.0]), 0)
    assert told.scores([1.0]).tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("feedback", ["maybe", None, 2, 1.5, ["no"]])
def test_what_is_neither_is_named(feedback: Any) -> None:
    learner = Either(["no", "yes"])
    decision = learner.decide([1.0])
    with pytest.raises(onebit.FeedbackError, match=r"feedback=.*not among the classes, nor is it a bit, True") as error:
        learner.learn(decision, feedback)
    assert f"feedback={feedback!r}:" in str(error.value)
    assert not learner.scores([1.0]).any()
    learner.learn(decision, "yes")
    assert learner.updates == 1


class Count:
    """An estimator that remembers how many bits it was given."""

    seen: list[int]

    def __init__(self) -> None:
        self.seen = []

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> onebit.NoiseRates:
        self.seen.append(len(bit))
        assert len(rows) == len(bit)
        return onebit.NoiseRates(0.1, 0.1)


def test_a_label_never_lies_so_the_noise_estimate_does_not_hear_it() -> None:
    stream, count = clusters(100), Count()
    learner = Either(stream.classes, gamma=0.3, noise=Reestimated(count, every=20))
    for t in range(45):
        decision = learner.decide(stream.X[t])
        learner.learn(decision, stream.y[t] if t % 3 == 0 else bool(decision.label == stream.y[t]))
    assert count.seen == [20]
    assert [estimate.lessons for estimate in learner.noise_history] == [20]
    assert len(learner.noise_window()[3]) == 10
    play(learner, stream, onebit.Full(), seed=0)
    assert (count.seen, len(learner.noise_window()[3])) == ([20], 10)
    play(learner, stream, onebit.Bit(), seed=0, rounds=10)
    assert count.seen == [20, 20]


def test_told_every_label_in_the_engine_it_estimates_nothing() -> None:
    stream, count = clusters(100), Count()
    player = prepare(Either(stream.classes, noise=Reestimated(count, every=7)), stream, seed=0)
    assert play(player, stream, onebit.Full(), seed=0).rounds[-1] == 100
    assert (count.seen, player.noise_rates) == ([], (0, 0))


@pytest.mark.parametrize("kind", ["bit", "label"])
@pytest.mark.parametrize("started", [False, True], ids=["first row", "later row"])
def test_a_live_log_keeps_one_kind_of_answers(kind: Any, started: bool, tmp_path: Path) -> None:
    learner, answers = Either(["no", "yes"], gamma=0.0), {"bit": False, "label": "yes"}
    if started:
        learner.decide([0.0, 0.0])
    other = "label" if kind == "bit" else "bit"
    with learner.log(tmp_path / "log.parquet", feedback=kind):
        wrong = onebit.Decision(("no",), 1.0, "no", False, [1.0, 2.0], 7)
        with pytest.raises(onebit.FeedbackError, match=f"log=.*log.parquet'.* open one with feedback='{other}'"):
            learner.learn(wrong, answers[other])
        assert (learner._session.layout is not None) == started
        assert not learner.scores([1.0, 2.0]).any()
        learner.learn(wrong, answers[kind])
    learner.learn(learner.decide([1.0, 2.0]), answers[other])
    table = onebit.read_log(tmp_path / "log.parquet")
    assert (table.feedback, table.id.tolist() if table.id is not None else None) == (kind, [7])
    assert (table.bit.tolist() if kind == "bit" else table.label.tolist()) == [answers[kind]]


def test_by_default_a_log_keeps_answers_of_the_learners_own_kind(tmp_path: Path) -> None:
    for learner, answer in ((Either(2), True), (onebit.Perceptron(2), 1)):
        with learner.log(tmp_path / learner.__class__.__name__):
            learner.learn(learner.decide([1.0]), answer)
    assert onebit.read_log(tmp_path / "Either").feedback == "bit"
    assert onebit.read_log(tmp_path / "Perceptron").feedback == "label"


def test_the_engine_too_writes_no_labels_to_a_log_of_bits(tmp_path: Path) -> None:
    stream = clusters(50)
    player = prepare(Either(stream.classes), stream, seed=0)
    with player.log(tmp_path / "log"):
        with pytest.raises(onebit.FeedbackError, match="open one with feedback='label'"):
            play(player, stream, onebit.Full(), seed=0)
        assert player.decisions == 0
        play(player, stream, onebit.Bit(), seed=0)
    assert len(onebit.read_log(tmp_path / "log")) == 50


@pytest.mark.parametrize(
    ("learner", "feedback", "message"),
    [
        (Either(2), "full", "feedback='full': must be 'bit' or 'label', which Either learns from"),
        (Either(2), True, "feedback=True: must be 'bit' or 'label'"),
        (onebit.Banditron(2), "label", "feedback='label': must be 'bit', which Banditron learns from"),
        (onebit.Perceptron(2), "bit", "feedback='bit': must be 'label', which Perceptron learns from"),
    ],
)
def test_a_log_of_answers_that_never_come(learner: Any, feedback: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(onebit.ConfigError, match=message):
        learner.log(tmp_path / "log", feedback=feedback)
    assert not list(tmp_path.iterdir())
    assert learner._session.log is None


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


def test_a_decision_teaches_once_and_so_does_a_stored_copy() -> None:
    learner = onebit.Banditron(2, gamma=0.0)
    decision = learner.decide([1.0])
    stored = pickle.dumps(decision)
    learner.learn(decision, False)
    for again in (decision, pickle.loads(stored), replace(decision, _spent=[False])):
        with pytest.raises(FeedbackError, match="already learned"):
            learner.learn(again, False)
        with pytest.raises(FeedbackError, match="already learned"):
            learner.learn_many([again], [False])
    assert learner.scores([1.0])[0] == -1
    twin = pickle.loads(pickle.dumps(learner))
    with pytest.raises(FeedbackError, match="already learned"):
        twin.learn(pickle.loads(stored), False)


def test_restored_decisions_of_a_table_teach_once() -> None:
    learner = onebit.Banditron(2, gamma=0.0)
    stored = pickle.dumps(learner.decide_many(np.eye(3)))
    learner.learn_many(pickle.loads(stored)[[0, 2]], [True, False])
    with pytest.raises(FeedbackError, match="decision 2: already learned"):
        learner.learn_many(pickle.loads(stored)[1:], [True, False])
    with pytest.raises(FeedbackError, match="decision 1: given twice"):
        learner.learn_many([pickle.loads(stored)[1], pickle.loads(stored)[1]], [True, False])
    learner.learn(pickle.loads(stored)[1], True)


def test_the_decisions_of_others_do_not_count_as_the_learners_own() -> None:
    learner = onebit.Banditron(2)
    for id in (-1, -1, 5):
        learner.learn(onebit.Decision((1,), 0.5, 0, True, [1.0], id), True)
    for _ in range(6):
        learner.learn(learner.decide([1.0]), True)


@pytest.mark.parametrize(
    "changed",
    [
        {"propensity": 0.0}, {"propensity": -1.0}, {"propensity": 1e-320}, {"propensity": float("nan")},
        {"propensity": "0.5"}, {"propensity": None}, {"propensity": 2}, {"propensity": True}, {"propensity": 1e-17},
        {"labels": ["a"]}, {"labels": ("a", "b")}, {"labels": ()}, {"labels": None}, {"labels": (["a"],)},
        {"labels": ("c",)}, {"greedy": "c"}, {"greedy": ["a"]}, {"greedy": None}, {"top": ("a",)}, {"top": None},
        {"explored": None}, {"explored": "yes"}, {"id": None}, {"id": 2**70}, {"id": "1"}, {"id": 1.0},
        {"_spent": None}, {"_spent": []},
        {"row": [1.0, float("nan")]}, {"row": [1.0, float("inf")]}, {"row": [1.0]}, {"row": None}, {"row": []},
        {"row": {"x": 1.0}}, {"row": "ab"}, {"row": np.eye(2)}, {"row": [[1.0], [2.0, 3.0]]},
    ],
    ids=repr,
)  # fmt: skip
def test_a_changed_decision_is_refused(changed: dict[str, Any]) -> None:
    learner = onebit.Banditron(["a", "b"], gamma=0.5)
    learner.learn(learner.decide([1.0, 2.0]), True)
    decision = learner.decide([1.0, 2.0])
    before = learner.scores(np.eye(2))
    for teach in (learner.learn, lambda one, bit: learner.learn_many([one], [bit])):
        with pytest.raises(onebit.OnebitError):
            teach(replace(decision, **changed), True)
    assert np.array_equal(learner.scores(np.eye(2)), before)
    learner.learn(decision, True)


def test_a_row_of_a_decision_that_was_changed_in_place_is_refused() -> None:
    for row in ([1.0, 2.0], sp.csr_array([[1.0, 2.0]]), np.array([1.0, 2.0])):
        learner = onebit.Banditron(2)
        decision = learner.decide(row)
        if isinstance(row, np.ndarray):
            decision.row.flags.writeable = True
        (decision.row.data if sp.issparse(row) else decision.row)[0] = float("nan")
        with pytest.raises(DataError, match="feature 0 is nan"):
            learner.learn(decision, True)
        with pytest.raises(DataError, match="feature 0 is nan"):
            learner.learn_many([decision], [True])
        assert learner.updates == 0


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


@pytest.mark.parametrize("learner", [onebit.Banditron(3), onebit.Perceptron(3), onebit.OneBit(3)])
def test_an_answer_too_long_to_be_written_down_is_named_by_its_type(learner: onebit.Learner) -> None:
    decision = learner.decide([1.0, 0.5])
    with pytest.raises(FeedbackError, match="feedback=<int>"):
        learner.learn(decision, 10**5000)
    with pytest.raises(FeedbackError, match="id=<int>"):
        learner.learn(replace(decision, id=10**5000), True)
    with pytest.raises(FeedbackError, match="propensity <int>"):
        learner.learn_many([replace(decision, propensity=10**5000)], [True])
