"""Rows of every kind: arrays, sparse, dicts, frames and Series give the same bits; wrong ones change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.layout import is_many
from onebit.core.errors import DataError
from tests.features.samples import FRAMES, every_frame


def learned(learner: onebit.Learner, row: Any, feedback: Any) -> None:
    learner.learn(learner.decide(row), feedback)


Make = Callable[[pa.Table], Any]
X = np.random.default_rng(0).normal(size=(12, 3)).round(3)
NUMBERS = pa.table(dict(zip("abc", X.T, strict=True)))
MIXED = NUMBERS.append_column("colour", [["red", "blue", "red"] * 4])
DICTS = MIXED.to_pylist()


def taught(rows: Any, **options: Any) -> onebit.OneBit:
    learner = onebit.OneBit(["no", "yes"], seed=3, **options)
    for row in rows:
        decision = learner.decide(row)
        learner.learn(decision, decision.label == "yes")
    return learner


@every_frame
def test_numbers_are_rows_of_an_array(make: Make) -> None:
    learner = taught(X)
    assert is_many(make(NUMBERS))
    assert learner.scores(make(NUMBERS)).tolist() == learner.scores(X).tolist()
    assert learner.predict(make(NUMBERS)).tolist() == learner.predict(X).tolist()
    assert learner.predict_proba(make(NUMBERS)).tolist() == learner.predict_proba(X).tolist()


@every_frame
def test_text_makes_dict_rows(make: Make) -> None:
    learner = taught(DICTS)
    assert learner.scores(make(MIXED)).tolist() == learner.scores(DICTS).tolist()
    assert learner.predict(make(MIXED)).tolist() == learner.predict(DICTS).tolist()


@every_frame
@pytest.mark.parametrize(("cases", "rows"), [(NUMBERS, X), (MIXED, DICTS)])
def test_a_frame_may_come_first_and_many_at_a_time(make: Make, cases: pa.Table, rows: Any) -> None:
    one, other = onebit.Banditron(2, gamma=0.3), onebit.Banditron(2, gamma=0.3)
    decisions, want = one.decide_many(make(cases)), [other.decide(row) for row in rows]
    assert decisions.labels.tolist() == [decision.label for decision in want]
    bits = np.arange(len(want)) % 2 == 0
    one.learn_many(decisions, bits)
    for decision, bit in zip(want, bits, strict=True):
        other.learn(decision, bit)
    assert one.scores(make(cases)).tolist() == other.scores(rows).tolist()
    assert np.abs(one.scores(rows)).max() > 0


def test_a_row_at_a_time_from_a_frame() -> None:
    pytest.importorskip("pandas")
    for cases, rows in ((NUMBERS, X), (MIXED, DICTS)):
        frame, want = cases.to_pandas(), taught(rows).scores(rows).tolist()
        assert taught([frame.iloc[[i]] for i in range(len(frame))]).scores(frame).tolist() == want
        assert taught([row for _, row in frame.iterrows()]).scores(frame).tolist() == want


def test_a_series_of_numbers_and_booleans_is_a_vector() -> None:
    pandas = pytest.importorskip("pandas")
    learner = taught(X)
    assert learner.predict(pandas.Series({"a": 1.5, "b": True, "c": 2})) == learner.predict([1.5, 1.0, 2.0])
    assert onebit.Banditron(2).decide(pandas.Series({"a": 1.5, "b": True})).row.to_dict() == {"a": 1.5, "b": True}


def test_where_rows_are_hashed_so_are_numbers() -> None:
    learner, fewer = taught(DICTS), [{name: row[name] for name in "ab"} for row in DICTS]
    part = MIXED.select(["a", "b"])
    assert learner.scores(part).tolist() == learner.scores(fewer).tolist()
    pytest.importorskip("pandas")
    assert learner.scores(part.to_pandas().iloc[0]).tolist() == learner.scores(fewer[0]).tolist()


def test_sparse_rows_of_the_same_width_are_not_hashed() -> None:
    sparse = pytest.importorskip("scipy.sparse").csr_array(X)
    learner = onebit.Banditron(2)
    learner.learn_many(learner.decide_many(sparse), [False] * len(X))
    assert learner.scores(NUMBERS).tolist() == learner.scores(sparse).tolist()


def test_an_explanation_has_the_names_of_the_columns() -> None:
    pytest.importorskip("pandas")
    for cases, rows, names in ((NUMBERS, X, {"a", "b", "c"}), (MIXED, DICTS, {"a", "b", "c", "colour=red"})):
        learner, frame = taught(rows, cases=None), cases.to_pandas()
        for row in (frame.iloc[[0]], frame.iloc[0], cases.slice(0, 1)):
            parts = learner.explain(row).reasons[0].parts
            assert {part.name for part in parts} == names
            assert [part.amount for part in parts] == [p.amount for p in learner.explain(rows[0]).reasons[0].parts]
    assert {part.name for part in taught(X).explain(NUMBERS.slice(0, 1), names=list("xyz")).reasons[0].parts} == {
        *"xyz"
    }


def test_errors_come_before_anything_changes() -> None:
    pandas = pytest.importorskip("pandas")
    learner = taught(X)
    before = learner.scores(X).tolist(), learner.decisions
    wrong = [
        (NUMBERS, "is a table; decide and learn take one row at a time"),
        (MIXED.slice(0, 1), "row: Table is a raw case, by its names, and the learner has had rows of 3 numbers"),
        (
            MIXED.to_pandas().iloc[0],
            "row: Series is a raw case, by its names, and the learner has had rows of 3 numbers",
        ),
        (DICTS[0], "row: dict is a raw case, by its names, and the learner has had rows of 3 numbers"),
        (NUMBERS.select(["a"]).slice(0, 1), "row: has 1 features, but the learner has n_features=3"),
        (pa.table({"a": [1.0], "b": [None], "c": [2.0]}), "frame: column 'b' is missing in row 0"),
        (pandas.Series({"a": 1.0, "b": np.nan, "c": 2.0}), "row: feature 1 is nan"),
        (pandas.Series({"a": 1.0, "b": None, "c": 2}, dtype=object), "row: feature 'b' is missing"),
    ]
    for row, message in wrong:
        with pytest.raises(onebit.DataError, match=message):
            learner.decide(row)
    assert (learner.scores(X).tolist(), learner.decisions) == before


def test_a_first_frame_that_cannot_be_rows_leaves_a_learner_as_it_was() -> None:
    for make in (FRAMES["table"], FRAMES["stream"]):
        learner = onebit.Banditron(2, cases=None)
        with pytest.raises(onebit.DataError, match="column 'when' holds date32"):
            learner.decide_many(make(pa.table({"when": pa.array([1, 2], pa.date32())})))
        assert learner.decide([1.0, 2.0]).id == 0


def test_a_table_without_rows_has_no_predictions() -> None:
    assert len(taught(X).predict(NUMBERS.slice(0, 0))) == 0
    assert len(taught(DICTS).predict(MIXED.slice(0, 0))) == 0


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


def test_dict_rows_are_hashed_where_asked_for() -> None:
    learner = onebit.Banditron(["no", "yes"], gamma=0.0, cases=None)
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
    before = learner._session.rng.copy()
    with pytest.raises(DataError, match=message):
        learner.decide(row)
    assert learner.decisions == started
    assert np.array_equal(learner._session.rng, before)
    assert (learner._session.layout is not None) == started


def test_the_first_row_fixes_the_length() -> None:
    learner = onebit.Banditron(2)
    learned(learner, [1.0, 2.0], True)
    with pytest.raises(DataError, match="n_features=2"):
        learner.decide([1.0, 2.0, 3.0])


def _broken(kind: str) -> Any:
    """A sparse table of 2 rows and 3 features that is not sound."""
    X = sp.csr_array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0]])
    if kind == "an index below 0":
        X.indices[0] = -1
    elif kind == "an index beyond the width":
        X.indices[0] = 3
    elif kind == "an index beyond 2^32":
        X.indices = X.indices.astype(np.int64)
        X.indices[0] = 2**32
    elif kind == "an indptr that falls":
        X.indptr[1] = 9
    elif kind == "an indptr beyond the entries":
        X.indptr[2] = 9
    elif kind == "indices too few":
        X.indices = X.indices[:1]
    elif kind == "floats as indices":
        X.indices = X.indices.astype(float)
    elif kind == "a place in CSC beyond the rows":
        X = X.tocsc()
        X.indices[0] = 7
    elif kind == "a CSC whose indptr falls to 0":
        X = X.tocsc()
        X.indptr[3] = 0
    elif kind == "a BSR whose indptr falls to 0":
        X = X.tobsr((1, 1))
        X.indptr[2] = 0
        X.indptr[1] = 99
    elif kind == "a place in COO beyond the columns":
        X = X.tocoo()
        X.coords[1][0] = 7
    elif kind == "rows without end":
        X = sp.coo_array((10**12, 3))
    elif kind == "objects":
        X.data = np.array([object()] * 4)
    elif kind == "complex numbers":
        X = X.astype(complex)
    else:
        raise ValueError(kind)
    return X


_BROKEN = (
    "an index below 0", "an index beyond the width", "an index beyond 2^32", "an indptr that falls",
    "an indptr beyond the entries", "indices too few", "floats as indices", "a place in CSC beyond the rows",
    "a CSC whose indptr falls to 0", "a BSR whose indptr falls to 0", "a place in COO beyond the columns",
    "rows without end", "objects", "complex numbers",
)  # fmt: skip


@pytest.mark.parametrize("kind", _BROKEN)
def test_a_broken_sparse_table_is_refused(kind: str) -> None:
    fresh = onebit.Banditron(2)
    dense = onebit.Banditron(2, n_features=3)
    dense.decide([1.0, 2.0, 3.0])
    for learner in (fresh, dense):
        for ask in (learner.scores, learner.predict, learner.decide_many):
            with pytest.raises(DataError):
                ask(_broken(kind))
    with pytest.raises(DataError):
        onebit.streams.from_arrays(_broken(kind), [0, 1])


def test_sparse_tables_of_any_format_are_read() -> None:
    X = sp.csr_array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0]])
    learner = onebit.Banditron(2, gamma=1.0)
    learner.learn_many(learner.decide_many(X), [True, False])
    expected = learner.scores(X)
    for form in ("coo", "csc", "bsr", "dia", "lil", "dok"):
        assert np.array_equal(learner.scores(X.asformat(form)), expected), form
    doubled = sp.csr_array((np.array([1.0, 1.0, 1.0, 4.0, 3.0]), [0, 1, 1, 2, 1], [0, 3, 5]), shape=(2, 3))
    doubled.has_canonical_format = True
    assert np.array_equal(learner.scores(doubled), expected)
    assert np.array_equal(learner.scores(sp.coo_array(np.array([1.0, 2.0, 0.0]))), expected[0])


@pytest.mark.parametrize(
    "row",
    [
        [], [[]], np.zeros((3, 0)), sp.csr_array((1, 0)), [[1.0], [2.0, 3.0]], [1.0, [2.0]], 5, None, "text", b"text",
        np.zeros((2, 2, 2)), np.array([1 + 1j]), np.array(["2020-01-01"], "M8[D]"), [10**400],
        np.array([(1, 2.0)], [("a", int), ("b", float)]), np.ma.array([1.0, 2.0], mask=[True, False]),
        np.array([np.longdouble("1e4000")]), {"a": 10**400}, {"a": float("nan")}, {"\ud800": 1.0}, {"a": "\ud800"},
        {"a": None}, {1: 1.0}, sp.csr_array((1, 2**33)), sp.csr_array((1, 2**31)), [{"a": 1}, 5],
    ],
    ids=lambda row: repr(row)[:40].encode("ascii", "replace").decode(),
)  # fmt: skip
def test_a_row_that_is_none_is_refused(row: Any) -> None:
    learner = onebit.Banditron(2, cases=None)
    for ask in (learner.decide, learner.scores, learner.predict, learner.decide_many):
        with pytest.raises(onebit.OnebitError):
            ask(row)
    assert learner.decisions == 0


def test_the_feature_of_a_dict_row_is_named() -> None:
    with pytest.raises(DataError, match="feature 'amount' is nan"):
        onebit.Banditron(2, cases=None).decide({"amount": float("nan"), "n": 1})


@pytest.mark.parametrize(
    "row",
    [
        np.array([1.0, 2.0], ">f8"), np.array([1.0, 0.0, 2.0])[::2], np.array([1, 2], np.float16),
        np.array([1, 2], np.longdouble), np.ma.array([1.0, 2.0]), np.array([1, 2], np.uint8), (1, 2),
    ],
    ids=repr,
)  # fmt: skip
def test_odd_forms_of_a_good_row_are_read(row: Any) -> None:
    learner = onebit.Banditron(2)
    learner.learn(learner.decide([1.0, 2.0]), False)
    assert np.array_equal(learner.scores(row).ravel(), learner.scores([1.0, 2.0]))
    learner.learn(learner.decide(row), True)


def test_a_matrix_is_read_as_an_array() -> None:
    learner = onebit.Banditron(2)
    with pytest.warns(PendingDeprecationWarning):
        row = np.matrix([[1, 2]])
    learner.learn(learner.decide(row), True)
    assert learner.decisions == 1


@pytest.mark.parametrize(
    ("dtype", "value", "limit"),
    [("float64", 1e154, r"1e\+60"), ("float64", -1e61, r"1e\+60"), ("float32", 1e19, r"1e\+10")],
)
@pytest.mark.parametrize("started", [False, True])
def test_values_that_would_overflow_are_refused(dtype: str, value: float, limit: str, started: bool) -> None:
    for row in ([1.0, value], sp.csr_array([[1.0, value]])):
        learner = onebit.Banditron(2, dtype=dtype, n_features=2)
        if started:
            learner.decide(np.zeros(2) if isinstance(row, list) else sp.csr_array((1, 2)))
        for use in (learner.decide, learner.scores):
            with pytest.raises(
                DataError, match=rf"feature 1 is .*, and values in {dtype} may be {limit} in size at most"
            ):
                use(row)


def test_the_largest_values_leave_a_learner_finite() -> None:
    for dtype, largest in {"float64": 1e60, "float32": 1e10}.items():
        learner = onebit.Banditron(2, dtype=dtype, gamma=1e-6)
        for _ in range(100):
            learner.learn(learner.decide([largest, -largest]), False)
        assert np.isfinite(learner.scores([largest, largest])).all()
