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
