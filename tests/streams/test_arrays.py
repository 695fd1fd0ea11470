"""Streams from tables in memory: options, passes, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import onebit
from onebit.features import hash_rows
from onebit.streams import from_arrays

X = np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 2.0, 2.0]])
Y = ["b", "a", "a", "c"]


def rows(table: Any) -> Any:
    return table.toarray() if sp.issparse(table) else table


@pytest.mark.parametrize("kind", [np.array, sp.csr_array, sp.coo_matrix, sp.csc_array])
def test_options_are_applied(kind: Any) -> None:
    stream = from_arrays(kind(X), Y, normalize=True, bias=True, name="four")
    want = np.array([[0.6, 0.8, 0, 1], [0, 0, 0, 1], [0, 1, 0, 1], [1 / 3, 2 / 3, 2 / 3, 1]])
    assert rows(stream.X) == pytest.approx(want, abs=1e-15)
    assert (stream.name, stream.classes, stream.n_features, stream.rounds) == ("four", ("a", "b", "c"), 4, 4)
    assert stream.y.tolist() == Y
    assert stream.sparse == (kind is not np.array)


def test_rows_are_floats_in_c_order_without_needless_copies() -> None:
    assert from_arrays(X, Y).X is X
    single = np.ascontiguousarray(X.astype(np.float32))
    assert from_arrays(single, Y).X is single, "float32 stays float32"
    table = from_arrays(np.asfortranarray(X.astype(np.uint8)), Y).X
    assert table.dtype == np.float64
    assert table.flags.c_contiguous
    assert table.tolist() == X.tolist()
    assert from_arrays(X > 1, Y).X.tolist() == (X > 1).astype(float).tolist()


def test_the_callers_arrays_are_not_changed() -> None:
    table = X.copy()
    sparse = sp.csr_array((np.ones(4), [2, 0, 0, 1], [0, 2, 4]), shape=(2, 3))
    from_arrays(table, Y, normalize=True, bias=True)
    from_arrays(sparse, ["a", "b"], normalize=True)
    assert (table == X).all()
    assert sparse.indices.tolist() == [2, 0, 0, 1]
    assert sparse.data.tolist() == [1, 1, 1, 1]


def test_repeated_sparse_entries_are_added_up() -> None:
    twice = sp.csr_array((np.array([200, 100, 5], dtype=np.uint8), [1, 1, 0], [0, 2, 3]), shape=(2, 2))
    assert from_arrays(twice, [0, 1]).X.toarray().tolist() == [[0, 300], [5, 0]]


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([3, 1, 2, 1], (1, 2, 3)),
        ([0.5, 1.5, 0.5, 0.5], (0.5, 1.5)),
        ([True, False, True, True], (False, True)),
        (np.array(["b", "a", "b", "b"]), ("a", "b")),
    ],
)
def test_classes_are_the_labels_sorted_as_plain_values(labels: Any, classes: tuple[Any, ...]) -> None:
    stream = from_arrays(X, labels)
    assert stream.classes == classes
    assert {type(c) for c in stream.classes} == {type(classes[0])}
    assert stream.y.tolist() == list(labels)


def test_given_classes_keep_their_order_and_may_be_of_any_kind() -> None:
    labels = np.empty(4, dtype=object)
    labels[:] = [("x", 1), None, ("x", 2), 7]
    labels[1] = "y"
    stream = from_arrays(X, labels, classes=[("x", 2), 7, "y", ("x", 1), "never"])
    assert stream.classes == (("x", 2), 7, "y", ("x", 1), "never")
    assert stream.y.tolist() == [("x", 1), "y", ("x", 2), 7]
    assert stream.describe()["counts"] == [1, 1, 1, 1, 0]


def test_each_pass_is_shuffled_anew() -> None:
    stream = from_arrays(X, Y)
    passes = [w.order.tolist() for w in stream.windows(3, rounds=400)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in passes)
    assert len({tuple(order) for order in passes}) > 12
    assert [w.order.tolist() for w in stream.windows(3, rounds=400)] == passes
    assert [w.order.tolist() for w in stream.windows(4, rounds=400)] != passes


def test_rounds_are_cut_exactly_and_the_table_stays_one_object() -> None:
    windows = list(from_arrays(X, Y, shuffle=False).windows(0, rounds=10))
    assert [w.order.tolist() for w in windows] == [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1]]
    assert all(w.X is windows[0].X for w in windows)
    assert [len(w.order) for w in from_arrays(X, Y).windows(0)] == [4]


def test_dict_rows_are_raw_cases() -> None:
    rows = [{"colour": "red", "weight": 2.0}, {"colour": "blue", "new": True}, {"colour": "red"}] * 20
    stream = from_arrays(rows, ["warm", "cold", "warm"] * 20)
    assert stream.cases
    assert (stream.n_features, stream.feature_names) == (3, ("colour", "weight", "new"))
    assert rows == stream.X
    result = onebit.simulate(onebit.Perceptron(stream.classes), stream, rounds=300)
    assert result.learners[0].predict([{"colour": "red"}, {"colour": "blue"}]).tolist() == ["warm", "cold"]
    with pytest.raises(onebit.DataError, match="stands among dict rows"):
        from_arrays([{"a": 1}, [2.0]], ["x", "y"])
    with pytest.raises(onebit.DataError, match="X: is a dict, a single row; give a list of dicts, or a frame"):
        from_arrays({"a": 1}, ["x"])


def test_dict_rows_and_frames_are_hashed_where_that_is_asked_for() -> None:
    rows = [{"colour": "red", "weight": 2.0}, {"colour": "blue", "weight": 1.5}] * 20
    labels = ["warm", "cold"] * 20
    for X in (rows, pa.Table.from_pylist(rows)):
        stream = from_arrays(X, labels, hash_features=2**10, bias=True)
        assert (stream.cases, stream.n_features) == (False, 2**10 + 1)
        assert abs(stream.X[:, : 2**10] - hash_rows(rows, 2**10)).nnz == 0
    learner = onebit.Perceptron(stream.classes, cases=None)
    result = onebit.simulate(learner, from_arrays(rows, labels, hash_features=2**10), rounds=300)
    assert result.learners[0].predict(rows[:2]).tolist() == labels[:2]
    with pytest.raises(onebit.ConfigError, match="cases=None: the stream arrays has raw cases.*hash_features"):
        onebit.simulate(learner, from_arrays(rows, labels))
    with pytest.raises(onebit.ConfigError, match="hash_features=64: is for dict rows and frames, and X is ndarray"):
        from_arrays(X=np.eye(2), y=[0, 1], hash_features=64)


def test_description() -> None:
    assert from_arrays(X, Y).describe() == {
        "name": "arrays", "rows": 4, "features": 3, "classes": 3, "labels": ["a", "b", "c"], "kind": "dense",
        "counts": [2, 1, 1], "options": {"normalize": False, "bias": False, "shuffle": True},
    }  # fmt: skip
    assert from_arrays(sp.csr_array(X), Y).describe()["density"] == 6 / 12


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.array([[1.0, 2.0], [np.nan, 0.0]]), "row 1, feature 0 is nan"),
        (np.array([[1.0, np.inf], [1.0, 0.0]]), "row 0, feature 1 is inf"),
        (sp.csr_array(np.array([[0.0, 0.0], [0.0, -np.inf]])), "row 1, feature 1 is -inf"),
        (np.array([["1", "2"], ["3", "4"]]), "holds values of type <U1"),
        (np.array([[1j, 0], [0, 0]]), "holds values of type complex128"),
        (np.array([[{}, 1], [2, 3]], dtype=object), "holds values of type object"),
        (np.ones(2), "1 dimensions"),
        (np.ones((2, 2, 2)), "3 dimensions"),
        (np.ones((0, 2)), "0 rows of 2 features"),
        (np.ones((2, 0)), "2 rows of 0 features"),
        ([[1.0, 2.0], [3.0]], "differ in length"),
    ],
)
def test_tables_that_cannot_be_rows(table: Any, message: str) -> None:
    with pytest.raises(onebit.DataError, match=f"X: .*{message}"):
        from_arrays(table, ["a", "b"])


@pytest.mark.parametrize(
    ("labels", "classes", "message"),
    [
        (["a", "b", "a"], None, r"has shape \(3,\), but X has 4 rows"),
        ([["a"], ["b"], ["a"], ["b"]], None, r"has shape \(4, 1\)"),
        (["a"] * 4, None, "every label is .*a.*at least 2 classes"),
        ([1.0, 2.0, np.nan, 1.0], None, "row 2 has the label nan"),
        (np.array(["a", "b", None, "a"], dtype=object), None, "row 2 has the label None"),
        (np.array(["a", 1, "b", 2], dtype=object), None, "several types"),
        (["a", "b", "z", "a"], ["a", "b"], r"row 2 has the label 'z', .* classes \['a', 'b'\]"),
    ],
)
def test_labels_that_cannot_be(labels: Any, classes: Any, message: str) -> None:
    with pytest.raises(onebit.DataError, match=f"y: .*{message}"):
        from_arrays(X, labels, classes=classes)


@pytest.mark.parametrize("classes", [["a"], [], ["a", "b", "c", "a"], [["a"], ["b"]]])
def test_classes_that_cannot_be(classes: Any) -> None:
    with pytest.raises(onebit.ConfigError, match="classes="):
        from_arrays(X, Y, classes=classes)
