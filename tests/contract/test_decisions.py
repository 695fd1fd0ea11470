"""Many decisions at a time: columns, parts, lists, and what cannot be learned from. The battery holds the same bits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.states import arrays
from onebit.noise import Reestimated
from tests.either import Either, clusters


def same(a: onebit.Learner, b: onebit.Learner) -> bool:
    states = zip(arrays(a._session.state), arrays(b._session.state), strict=True)
    return bool((a._session.rng == b._session.rng).all()) and all(np.array_equal(x, y) for (_, x), (_, y) in states)


def taught(n: int = 200, **settings: Any) -> tuple[onebit.Banditron, Any]:
    stream = clusters(n)
    return onebit.Banditron(stream.classes, gamma=0.3, **settings), stream


def test_columns_and_entries_say_the_same() -> None:
    learner, stream = taught(6)
    decisions = learner.decide_many(stream.X)
    assert len(decisions) == 6
    assert decisions.labels.tolist() == [d.label for d in decisions]
    assert decisions.propensity.tolist() == [d.propensity for d in decisions]
    assert decisions.greedy.tolist() == [d.greedy for d in decisions]
    assert decisions.explored.tolist() == [d.explored for d in decisions]
    assert decisions.id.tolist() == [d.id for d in decisions] == list(range(6))
    assert decisions.top.shape == (6, 0)
    assert all(np.array_equal(d.row, x) for d, x in zip(decisions, stream.X, strict=True))
    assert decisions[-1].id == 5
    assert decisions[1:3].id.tolist() == decisions[[1, 2]].id.tolist() == [1, 2]
    assert decisions[decisions.id > 3].id.tolist() == [4, 5]
    assert len(decisions[[]]) == 0
    assert repr(decisions[[4, 2]]) == "Decisions(2 made, ids 2 to 4)"
    with pytest.raises(IndexError):
        decisions[6]


def test_sets_have_one_column_for_each_label() -> None:
    stream = clusters(20)
    learner = onebit.OneBit(stream.classes, m=2)
    decisions = learner.decide_many(stream.X)
    assert decisions.labels.shape == (20, 2)
    assert [tuple(row) for row in decisions.labels.tolist()] == [d.labels for d in decisions]
    learner.learn_many(decisions, (decisions.labels == stream.y[:, None]).any(axis=1))
    assert learner.updates > 0


def test_rows_belong_to_the_decisions() -> None:
    learner, stream = taught(4)
    X = stream.X.copy()
    decisions = learner.decide_many(X)
    X[:] = np.nan
    learner.learn_many(decisions, [True] * 4)
    assert np.isfinite(learner._session.state.W).all()
    with pytest.raises(ValueError, match="read-only"):
        decisions[0].row[0] = 1.0


def test_answers_come_in_parts_and_in_any_order() -> None:
    learner, stream = taught()
    twin = learner.clone()
    decisions, alone = learner.decide_many(stream.X), [twin.decide(x) for x in stream.X]
    bits = decisions.labels == stream.y
    late = np.random.default_rng(0).permutation(200)
    learner.learn_many(decisions[late[:120]], bits[late[:120]])
    learner.learn_many([decisions[i] for i in late[120:160]], bits[late[120:160]].tolist())
    for i in late[160:]:
        learner.learn(decisions[i], bool(bits[i]))
    for i in late:
        twin.learn(alone[i], bool(bits[i]))
    assert same(learner, twin)
    assert learner.decisions == twin.decisions == 200
    assert learner.updates == twin.updates


@pytest.mark.parametrize("form", [list, np.array, pd.Series, pa.array, lambda bits: pa.chunked_array([bits])])
def test_bits_in_any_column(form: Callable[[Any], Any]) -> None:
    learner, stream = taught()
    twin = learner.clone()
    bits = [True, False] * 100
    learner.learn_many(learner.decide_many(stream.X), form(bits))
    twin.learn_many(twin.decide_many(stream.X), bits)
    assert same(learner, twin)


def test_bits_and_labels_by_turns() -> None:
    stream = clusters(60)
    learner, twin = Either(stream.classes), Either(stream.classes)
    decisions, alone = learner.decide_many(stream.X), [twin.decide(x) for x in stream.X]
    answers = [
        y if i % 5 < 2 else bool(d.label == y) for i, (d, y) in enumerate(zip(alone, stream.y.tolist(), strict=True))
    ]
    learner.learn_many(decisions, answers)
    for decision, answer in zip(alone, answers, strict=True):
        twin.learn(decision, answer)
    assert same(learner, twin)


def test_dict_rows_and_a_sparse_table_of_one_row() -> None:
    rows = [{"colour": "red"}, {"colour": "blue", "size": 2.0}]
    learner, twin = onebit.Banditron(3, gamma=0.3, cases=None), onebit.Banditron(3, gamma=0.3, cases=None)
    learner.learn_many(learner.decide_many(rows), [False, True])
    alone = [twin.decide(row) for row in rows]
    for decision, bit in zip(alone, [False, True], strict=True):
        twin.learn(decision, bit)
    assert same(learner, twin)
    assert len(learner.decide_many(sp.csr_array((1, 2**18)))) == 1


def test_flip_rates_change_at_the_same_lesson() -> None:
    learner, stream = taught(noise=Reestimated(onebit.noise.TailMoment(), every=90))
    twin = learner.clone()
    for _ in range(2):
        decisions, alone = learner.decide_many(stream.X), [twin.decide(x) for x in stream.X]
        bits = decisions.labels == stream.y
        learner.learn_many(decisions, bits)
        for decision, bit in zip(alone, bits.tolist(), strict=True):
            twin.learn(decision, bit)
    assert [found.lessons for found in learner.noise_history] == [90, 180, 270, 360]
    assert learner.noise_history == twin.noise_history
    assert same(learner, twin)


def test_the_log_is_the_same(tmp_path: Path) -> None:
    learner, stream = taught(50)
    twin = learner.clone()
    with learner.log(tmp_path / "many.parquet"), twin.log(tmp_path / "single.parquet"):
        decisions, alone = learner.decide_many(stream.X), [twin.decide(x) for x in stream.X]
        learner.learn_many(decisions[::-1], (decisions.labels == stream.y)[::-1])
        for decision, y in reversed(list(zip(alone, stream.y, strict=True))):
            twin.learn(decision, bool(decision.label == y))
    many, single = (onebit.read_log(tmp_path / f"{name}.parquet").lessons for name in ("many", "single"))
    assert all(np.array_equal(a, b) for a, b in zip(many, single, strict=True))


def test_another_learner_learns_from_them_too() -> None:
    learner, stream = taught(40)
    decisions = learner.decide_many(stream.X)
    bits = decisions.labels == stream.y
    copy = pickle.loads(pickle.dumps(decisions))
    other = onebit.Banditron(list(reversed(stream.classes)), dtype="float32")
    other.learn_many(decisions, bits)
    one_by_one = onebit.Banditron(list(reversed(stream.classes)), dtype="float32")
    for decision, bit in zip(copy, bits.tolist(), strict=True):
        one_by_one.learn(decision, bit)
    assert same(other, one_by_one)


@pytest.mark.parametrize("budget", [None, 16])
def test_a_state_that_grows(budget: int | None) -> None:
    stream = clusters(120)
    learner = onebit.KernelBandit(stream.classes, kernel="rbf", budget=budget)
    twin = learner.clone()
    for start in range(0, 120, 40):
        part = slice(start, start + 40)
        decisions, alone = learner.decide_many(stream.X[part]), [twin.decide(x) for x in stream.X[part]]
        learner.learn_many(decisions, decisions.labels == stream.y[part])
        for decision, y in zip(alone, stream.y[part], strict=True):
            twin.learn(decision, bool(decision.label == y))
    assert np.array_equal(learner.scores(stream.X), twin.scores(stream.X))
    assert learner.updates == twin.updates > 0


@pytest.mark.filterwarnings("ignore:kernel=.*runs in Python")
def test_a_kernel_in_python_learns_all_or_nothing() -> None:
    stream = clusters(10)
    learner = onebit.KernelBandit(stream.classes, kernel=lambda X, Z: X @ Z.T)
    decisions = learner.decide_many(stream.X)
    for wrong in ([True], [True] * 9 + [None]):
        with pytest.raises(onebit.FeedbackError):
            learner.learn_many(decisions, wrong)
        assert learner.updates == 0
    learner.learn_many(decisions, decisions.labels == stream.y)
    assert learner.updates > 0


def test_no_rows_and_no_decisions() -> None:
    learner, stream = taught(2)
    assert len(learner.decide_many(np.empty((0, stream.n_features)))) == 0
    learner.learn_many([], [])
    assert learner.decisions == learner.updates == 0


ONE = np.ones(5)
WRONG: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "one row": (lambda l, d: l.decide_many(ONE), "X: is one row; give a table of rows"),
    "one dict": (lambda l, d: l.decide_many({"a": 1.0}), "X: is one row; give a table of rows"),
    "NaN in the last row": (lambda l, d: l.decide_many([ONE, ONE * np.nan]), "feature 0 is nan"),
    "short rows": (lambda l, d: l.decide_many(np.ones((2, 4))), "has 4 features"),
    "too few bits": (lambda l, d: l.learn_many(d, [True]), r"shape \(1,\), and there are 3 decisions"),
    "one bit for all": (lambda l, d: l.learn_many(d, True), r"feedback: has the shape \(\)"),
    "labels": (lambda l, d: l.learn_many(d, [1, 0, 1]), "learns from a bit"),
    "a bit that is none": (lambda l, d: l.learn_many(d, [True, False, None]), "feedback=None: Banditron learns"),
    "one of them twice": (lambda l, d: l.learn_many(d[[0, 1, 0]], [True] * 3), "decision 0: given twice"),
    "twice in a list": (lambda l, d: l.learn_many([d[1], d[1]], [True] * 2), "decision 1: given twice"),
    "no decisions": (lambda l, d: l.learn_many([ONE] * 3, [True] * 3), "must be what `decide` returned"),
    "a set learner": (lambda l, d: onebit.OneBit(l.classes, m=2).learn_many(d, [True] * 3), "played 1 labels each"),
    "other classes": (lambda l, d: onebit.Banditron(["x", "y"]).learn_many(d, [True] * 3), "is not among the classes"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_changes_nothing(what: str) -> None:
    attempt, message = WRONG[what]
    learner, stream = taught(3)
    decisions = learner.decide_many(stream.X)
    before = learner.clone()
    before.decide_many(stream.X)
    with pytest.raises(onebit.OnebitError, match=message):
        attempt(learner, decisions)
    assert same(learner, before)
    assert learner.decisions == 3
    learner.learn_many(decisions, [True] * 3)
    with pytest.raises(onebit.FeedbackError, match="decision 0: already learned"):
        learner.learn_many(decisions, [True] * 3)
    with pytest.raises(onebit.FeedbackError, match="decision 2: already learned"):
        learner.learn(decisions[2], True)
