"""Columns whose values never recur are told once: live by the learner, in a play by whoever plays."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import onebit
from onebit.features.cases.idle import IdleColumns
from onebit.sklearn import OneBitClassifier

N = 2500
ROWS = [{"id": f"T-{i}", "plan": ("gold", "free")[i % 2], "amount": i * 1.5} for i in range(N)]
LABELS = ["ab"[i % 2] for i in range(N)]


def told(of: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        of()
    return [str(one.message) for one in caught if one.category is IdleColumns]


def live(learner: onebit.Learner, rows: Any = ROWS) -> None:
    for row in rows:
        learner.learn(learner.decide(row), True)


def test_a_live_learner_tells_once_at_the_line_that_decides() -> None:
    learner = onebit.Banditron(["a", "b"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        live(learner)
        live(learner)
    (one,) = [one for one in caught if one.category is IdleColumns]
    assert one.filename == __file__
    assert str(one.message).startswith("row: the values of column 'id' never recur, so nothing can be learned from it;")
    assert "cases=onebit.Cases(ignore=['id'])" in str(one.message)
    assert told(lambda: live(onebit.Banditron(["a", "b"], cases=onebit.Cases(ignore=["id"])))) == []


def test_tables_of_cases_tell_at_that_line_too() -> None:
    learner = onebit.Banditron(["a", "b"])
    with pytest.warns(IdleColumns, match="column 'id'") as caught:
        learner.decide_many(ROWS)
    assert [one.filename for one in caught] == [__file__]


def test_a_simulation_tells_once_for_all_seeds_and_workers() -> None:
    stream = onebit.streams.from_arrays(ROWS, LABELS, name="tickets")
    learner = onebit.Banditron(["a", "b"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = onebit.simulate(learner, stream, seeds=4, workers=2)
    (one,) = caught
    assert one.filename == __file__
    assert str(one.message).startswith("tickets: the values of column 'id' never recur")
    assert told(lambda: live(result.learners[0])) == []
    assert len(told(lambda: onebit.simulate(learner, stream, seeds=2, closed=0.3))) == 1


def test_a_sweep_tells_once(tmp_path: Any) -> None:
    stream = onebit.streams.from_arrays(ROWS, LABELS, name="tickets")
    plan = onebit.Sweep.cross(
        [onebit.Arm(onebit.Banditron(["a", "b"]), {"gamma": [0.1, 0.2]})], stream, seeds=2, tune_seeds=1
    )
    found = told(lambda: onebit.sweep(plan, tmp_path, workers=1, progress=False))
    assert len(found) == 1
    assert found[0].startswith("tickets: the values of column 'id' never recur")


def test_a_classifier_of_scikit_learn_tells_once() -> None:
    classifier = OneBitClassifier(random_state=0)
    assert len(told(lambda: classifier.fit(ROWS, LABELS))) == 1
    assert told(lambda: classifier.partial_fit(ROWS, LABELS)) == []


def test_several_columns_are_told_together() -> None:
    warning = IdleColumns("tickets.csv", ["id", "hash"])
    assert "columns 'id', 'hash' never recur, so nothing can be learned from them; leave them out" in str(warning)
    assert warning.said("try --ignore id,hash").endswith("learned from them; try --ignore id,hash")
