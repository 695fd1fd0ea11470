"""Logs read back, ours and others'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from pyarrow import parquet

import onebit
from onebit.log import read_log
from onebit.ops.rows import SparseRows
from tests.log.samples import NAMES, batch, layout, written

FOREIGN: dict[str, Any] = {"played": ["a", "b", "a"], "propensity": [0.5, 0.25, 1.0], "bit": [True, False, True]}


def foreign(**columns: Any) -> pa.Table:
    return pa.table({name: column for name, column in (FOREIGN | columns).items() if column is not None})


def test_all_columns_of_our_own_logs(tmp_path: Path) -> None:
    sent = batch(20, m=2, k=3)
    path = written(tmp_path / "a.parquet", sent, set_size=2, top_size=3, has_row=True, learner="MCDBF(4)")
    table, names = read_log(path), np.array(NAMES)
    assert len(table) == 20
    assert (table.classes, table.learner, table.feedback) == (tuple(NAMES), "MCDBF(4)", "bit")
    assert (table.label, table.rows, table.unanswered) == (None, None, 0)
    expected = {
        "id": sent.id,
        "step": sent.step,
        "played": names[sent.draws.labels[:, :2]],
        "top": names[sent.draws.labels[:, 2:]],
    }
    expected |= {"greedy": names[sent.draws.greedy], "propensity": sent.draws.propensity}
    expected |= {"explored": sent.draws.explored == 1, "bit": sent.answer == 1}
    for name, column in expected.items():
        found = getattr(table, name)
        assert found.dtype == column.dtype, name
        assert np.array_equal(found, column), name


def test_true_labels_tell_the_bit(tmp_path: Path) -> None:
    sent = batch(20, m=2)._replace(answer=np.arange(20) % 4)
    table = read_log(written(tmp_path / "a.parquet", sent, set_size=2, feedback="label"))
    assert table.feedback == "label"
    assert table.label.tolist() == [NAMES[i % 4] for i in range(20)]
    assert table.bit.tolist() == [i % 4 in sent.draws.labels[i] for i in range(20)]
    assert 0 < table.bit.sum() < 20


def test_lessons(tmp_path: Path) -> None:
    sent = batch(20, kind="dense")
    table = read_log(written(tmp_path / "a.parquet", sent, layout=layout("dense")))
    rows, played, propensity, bit = table.lessons
    assert rows is table.rows
    assert played is table.played
    assert propensity is table.propensity
    assert bit is table.bit


@pytest.mark.parametrize("bits", [[True, False, True], [1, 0, 1], [1.0, 0.0, 1.0], np.array([1, 0, 1], np.uint8)])
def test_bits_of_any_type(bits: Any) -> None:
    assert read_log(foreign(bit=bits)).bit.tolist() == [True, False, True]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_decisions_without_an_answer_are_left_out_and_counted(missing: float | None) -> None:
    bits = pa.array([missing, 1.0, 0.0], from_pandas=False)
    table = read_log(foreign(bit=bits, propensity=[None, 0.25, 1.0], age=[None, 2.0, 3.0]))
    assert (len(table), table.unanswered) == (2, 1)
    assert table.played.tolist() == ["b", "a"]
    assert table.bit.tolist() == [True, False]
    assert table.rows.tolist() == [[2.0], [3.0]]


def test_other_columns_are_features() -> None:
    extra = {"age": [1, 2, 3], "member": [True, False, True], "city": ["x", "y", "z"], "weight": [0.5, 1.5, 2.5]}
    reserved = {"id": ["u", "v", "w"], "step": [5, 6, 7], "time": [1, 2, 3], "timestamp": [1, 2, 3], "row": [9, 9, 9]}
    reserved |= {
        "greedy": ["a", "a", "b"],
        "explored": [0, 1, 0],
        "top": [["a"], ["b"], ["a"]],
        "label": ["a", "", "b"],
    }
    table = read_log(foreign(**extra, **reserved, values=[7, 8, 9], __index_level_0__=[1, 2, 3]))
    assert table.feature_names == ("age", "member", "weight", "values")
    assert table.rows.tolist() == [[1, 1, 0.5, 7], [2, 0, 1.5, 8], [3, 1, 2.5, 9]]
    assert table.id is None
    assert table.step is not None
    assert table.step.tolist() == [5, 6, 7]
    assert table.greedy.tolist() == ["a", "a", "b"]
    assert table.explored.tolist() == [False, True, False]
    assert table.top.tolist() == [["a"], ["b"], ["a"]]
    assert (table.feedback, table.classes) == ("bit", None)


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.list_(pa.float32(), 2), pa.large_list(pa.int64())])
def test_lists_of_features(kind: pa.DataType) -> None:
    table = read_log(foreign(features=pa.array([[1, 2], [3, 4], [5, 6]], kind), age=[1, 2, 3]))
    assert table.rows.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert table.feature_names == ()


def test_sparse_features() -> None:
    table = read_log(foreign(indices=[[0, 3], [], [2]], values=[[0.5, 1.5], [], [2.5]]))
    assert isinstance(table.rows, sp.csr_array)
    assert table.rows.toarray().tolist() == [[0.5, 0, 0, 1.5], [0, 0, 0, 0], [0, 0, 2.5, 0]]


def test_sparse_rows_keep_their_width(tmp_path: Path) -> None:
    sent = batch(1)._replace(rows=SparseRows(np.array([0, 1]), np.array([2], np.uint32), np.array([0.5])))
    table = read_log(written(tmp_path / "a.parquet", sent, layout=layout("sparse")))
    assert table.rows.toarray().tolist() == [[0, 0, 0.5, 0, 0, 0]]


@pytest.mark.parametrize("make", [list, np.array, sp.csr_array, pd.DataFrame])
def test_rows_by_their_number(make: Any) -> None:
    X = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    found = read_log(foreign(row=[2, 0, 2], features=[[0.0], [0.0], [0.0]]), rows=make(X)).rows
    assert sp.issparse(found) == (make is sp.csr_array)
    assert (found.toarray() if sp.issparse(found) else found).tolist() == [X[2], X[0], X[2]]


def test_dict_rows_by_their_number() -> None:
    people = [{"age": 3.0}, {"age": 4.0, "city": "x"}]
    table = read_log(foreign(row=[1, 0, 1]), rows=people)
    assert table.rows.sum(axis=1).tolist() == [5.0, 3.0, 5.0]


@pytest.mark.parametrize(
    "played",
    [
        pd.Categorical(["a", "b", "a"]),
        pa.array(["a", "b", "a"], pa.large_string()),
        pa.array(["a", "b", "a"], pa.string_view()),
        [3, 4, 3],
        pa.array([3, 4, 3], pa.uint8()),
        [0.5, 1.5, 0.5],
        [True, False, True],
        [["a", "b"], ["b", "c"], ["a", "b"]],
        pa.array([[1, 2], [2, 3], [1, 2]], pa.large_list(pa.int32())),
    ],
)
def test_labels_of_any_type(played: Any) -> None:
    log = foreign(played=pa.array(played))
    assert read_log(log).played.tolist() == log["played"].to_pylist()


def test_a_pandas_frame() -> None:
    frame = pd.DataFrame(FOREIGN | {"age": [1.0, 2.0, 3.0]}, index=[10, 20, 30])
    table = read_log(frame)
    assert table.feature_names == ("age",)
    assert table.played.tolist() == FOREIGN["played"]


def test_a_folder_of_foreign_files(tmp_path: Path) -> None:
    parquet.write_table(foreign(age=[1, 2, 3]), tmp_path / "b.parquet")
    parquet.write_table(foreign(age=[4.5, 5.5, 6.5]), tmp_path / "a.parquet")
    (tmp_path / "_SUCCESS.parquet").write_text("")
    (tmp_path / ".draft.parquet").write_text("")
    assert read_log(tmp_path).rows.ravel().tolist() == [4.5, 5.5, 6.5, 1, 2, 3]


def test_a_table_says_what_it_is(tmp_path: Path) -> None:
    assert repr(read_log(foreign(age=[1, 2, 3]))) == "DecisionTable(3 decisions, 1 features)"
    assert repr(read_log(foreign(bit=[None, 1, 0]))) == "DecisionTable(2 decisions, no rows, 1 unanswered)"


def test_no_rows_no_lessons(tmp_path: Path) -> None:
    table = read_log(written(tmp_path / "a.parquet", batch(5), has_row=True))
    with pytest.raises(onebit.DataError, match="rows: the log has none; log the features, or give read_log"):
        _ = table.lessons
