"""What one learner saw teaches another the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import BanditPA, Banditron, OneBit, Perceptron
from onebit.contract.layout import Layout, to_rows
from onebit.log import DecisionLog, Draws, Lessons, read_log, replay
from onebit.streams import synsep
from tests.log.samples import NAMES, batch, layout, written
from tests.log.test_reader import foreign


def _log_of(learner: onebit.Learner, X: Any, y: Any, path: Path) -> None:
    """A hundred decisions of the learner, each learned and logged at once."""
    kind, width = ("sparse" if sp.issparse(X) else "dense"), X.shape[1]
    form = Layout(len(learner.classes), width, kind, "float64")  # type: ignore[arg-type]  # one of the two kinds
    number = {label: k for k, label in enumerate(learner.classes)}
    with DecisionLog(path, classes=learner.classes, feedback=learner.feedback, layout=form) as log:
        for i in range(len(y)):
            row = X[[i]]
            decision = learner.decide(row if sp.issparse(X) else row[0])
            bit = decision.label == y[i]
            said = y[i] if learner.feedback == "label" else bool(bit)
            learner.learn(decision, said)
            log.write(
                Lessons(
                    id=np.array([decision.id]),
                    step=np.array([decision.id]),
                    draws=Draws(
                        labels=np.array([[number[decision.label]]]),
                        propensity=np.array([decision.propensity]),
                        greedy=np.array([number[decision.greedy]]),
                        explored=np.array([decision.explored]),
                    ),
                    answer=np.array([number[said] if learner.feedback == "label" else said]),
                    rows=to_rows(row, width, form.kind, "float64"),
                )
            )


@pytest.mark.parametrize(
    "learner",
    [Banditron(9, gamma=0.3), BanditPA(9, gamma=0.3), Perceptron(9), OneBit(9, curvature="diagonal")],
    ids=str,
)
@pytest.mark.parametrize("dense", [True, False])
def test_a_replayed_learner_is_the_same(tmp_path: Path, learner: onebit.Learner, dense: bool) -> None:
    stream = synsep(100)
    X = stream.X.toarray() if dense else stream.X
    first, second = learner.clone(), learner.clone(seed=99)
    _log_of(first, X, stream.y.tolist(), tmp_path / "log.parquet")
    for decision, answer in replay(read_log(tmp_path / "log.parquet")):
        second.learn(decision, answer)
    assert second.updates == first.updates > 0
    assert np.array_equal(second.scores(X), first.scores(X))


def test_decisions_are_whole(tmp_path: Path) -> None:
    sent = batch(5, first=40, m=2, k=3, kind="dense")
    table = read_log(written(tmp_path / "a.parquet", sent, set_size=2, top_size=3, layout=layout("dense")))
    played = list(replay(table))
    assert len(played) == 5
    for i, (decision, bit) in enumerate(played):
        assert decision.labels == tuple(NAMES[k] for k in sent.draws.labels[i, :2])
        assert decision.top == tuple(NAMES[k] for k in sent.draws.labels[i, 2:])
        assert decision.greedy == NAMES[sent.draws.greedy[i]]
        assert decision.propensity == sent.draws.propensity[i]
        assert decision.explored is bool(sent.draws.explored[i])
        assert decision.id == 40 + i
        assert bit is bool(sent.answer[i])
        assert np.array_equal(decision.row, sent.rows.X[i])


def test_labels_of_several_types_come_back(tmp_path: Path) -> None:
    sent = batch(20, kind="dense")
    learner = Banditron([0, "b", None, 2.5])
    path = written(tmp_path / "a.parquet", sent, classes=learner.classes, layout=layout("dense"))
    for decision, bit in replay(read_log(path)):
        learner.learn(decision, bit)
    assert learner.updates > 0


@pytest.mark.parametrize("missing", ["greedy", "explored"])
def test_a_log_that_says_too_little(missing: str) -> None:
    columns: dict[str, Any] = {"greedy": ["a", "a", "a"], "explored": [0, 1, 0], "age": [1, 2, 3], missing: None}
    with pytest.raises(onebit.DataError, match=f"{missing}: the log has no such column, and a learner needs it"):
        replay(read_log(foreign(**columns)))


def test_a_log_without_rows() -> None:
    with pytest.raises(onebit.DataError, match="rows: the log has none"):
        replay(read_log(foreign(greedy=["a", "a", "a"], explored=[0, 1, 0])))


ANIMALS = ["ant", "bee", "cow"]


def change_on_the_way(learner: onebit.Learner, X: Any, told: list[Any], later: bool) -> None:
    """Live through the rows, while labels join, leave, return, and are named after they have left."""
    kept: list[Any] = []
    for t in range(len(told)):
        if t == 40:
            learner.add_classes(["dog", "elk"])
        if t == 60:
            learner.retire(["ant"])
        if t == 90:
            learner.retire(["dog"])
            learner.add_classes(["ant", "fox"])
        decision = learner.decide(X[t])
        if later and 50 <= t < 60:
            kept.append((decision, told[t] in decision.labels))
        else:
            learner.learn(decision, told[t] in decision.labels)
        if t == 70:
            for late in kept:
                learner.learn(*late)


@pytest.mark.parametrize("place", ["log.parquet", "folder"])
@pytest.mark.parametrize(
    ("learner", "later"),
    [
        (Banditron(ANIMALS, gamma=0.3), True),
        (BanditPA(ANIMALS, gamma=0.3), True),
        (onebit.LinUCB(ANIMALS), True),
        (OneBit(ANIMALS, standardize=False), False),
        (onebit.SetBanditron(ANIMALS, m=2), False),
    ],
    ids=str,
)
def test_classes_that_change_are_replayed(tmp_path: Path, learner: onebit.Learner, later: bool, place: str) -> None:
    X = np.random.default_rng(0).normal(size=(120, 6))
    told = [["ant", "bee", "cow", "dog", "elk", "fox"][k] for k in X.argmax(axis=1)]
    first, second = learner.clone(), learner.clone(seed=99)
    with first.log(tmp_path / place) as log:
        change_on_the_way(first, X[:100], told[:100], later)
        log.flush()
    table = read_log(tmp_path / place)
    places = [(at, classes) for at, classes in table.changes if at in (0, len(table) - 10)]
    assert places[0] == (0, ("ant", "bee", "cow"))
    assert places[1][1] == ("bee", "cow", "elk", "ant", "fox") == first.classes
    for decision, answer in replay(table, second):
        second.learn(decision, answer)
    assert second.classes == first.classes
    assert second.updates == first.updates > 0
    assert np.array_equal(second.scores(X), first.scores(X))


def test_a_folder_is_added_to_with_other_classes(tmp_path: Path) -> None:
    learner = OneBit(["ant", 7, None])
    for _ in range(2):
        with learner.log(tmp_path / "log"):
            learner.learn(learner.decide([1.0, 0.5]), True)
        learner.add_classes([2.5, "bee"] if 2.5 not in learner.classes else [])
    table = read_log(tmp_path / "log")
    assert table.changes == ((0, ("ant", 7, None)), (1, ("ant", 7, None, 2.5, "bee")))
    other = OneBit(["x", "y", 3])
    with pytest.raises(onebit.DataError, match="differs in classes"), other.log(tmp_path / "log"):
        other.decide([1.0, 0.5])


def test_labels_that_a_log_cannot_hold_are_refused_before_anything_changes(tmp_path: Path) -> None:
    learner = Banditron(3)
    with learner.log(tmp_path / "log"):
        learner.learn(learner.decide([1.0]), True)
        with pytest.raises(onebit.ConfigError, match="holds labels of type int64, and these are of type string"):
            learner.add_classes(["three"])
        assert learner.classes == (0, 1, 2)
    learner.add_classes(["three"])


@pytest.mark.parametrize("text", ["no JSON", "[]", '["a", "a"]', '["a", ["b"]]', '{"a": 1}'])
def test_classes_that_are_none(tmp_path: Path, text: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    learner = Banditron(["a", "b"])
    with learner.log(tmp_path / "log.parquet"):
        learner.learn(learner.decide([1.0]), True)
    table = parquet.read_table(tmp_path / "log.parquet")
    at = table.column_names.index("classes")
    with pytest.raises(onebit.DataError, match="column 'classes' is .* in row 0"):
        read_log(table.set_column(at, "classes", pa.array([text])))
