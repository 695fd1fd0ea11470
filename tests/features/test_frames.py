"""Frames of every package as rows: numbers side by side, text hashed as in dict rows, errors that name the place."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import onebit
from onebit import DataError
from onebit.features import hash_rows
from onebit.features.frames import column_values, frame_rows, is_frame, is_missing, is_named_row, named_values, to_arrow
from tests.features.samples import every_frame

Make = Callable[[pa.Table], Any]
NUMBERS = pa.table({"weight": [4.25, 0.5, 5.0], "legs": [4, 2, 4], "tame": [True, False, True]})
WANTED = [[4.25, 4, 1], [0.5, 2, 0], [5, 4, 1]]
MIXED = NUMBERS.append_column("pet", [["cat", "bird", "cat"]])


# Every package


@every_frame
def test_numbers_are_a_dense_table_in_the_order_of_the_columns(make: Make) -> None:
    frame = make(NUMBERS)
    assert is_frame(frame)
    rows = frame_rows(frame, 64)
    assert (rows.dtype, rows.flags.c_contiguous, rows.tolist()) == (np.float64, True, WANTED)


@every_frame
def test_text_makes_dict_rows(make: Make) -> None:
    rows = frame_rows(make(MIXED), 2**18)
    assert abs(rows - hash_rows(MIXED.to_pylist(), 2**18)).nnz == 0


@every_frame
def test_all_float32_stays_so(make: Make) -> None:
    narrow = pa.table({"a": pa.array([0.1, 2], pa.float32()), "b": pa.array([3, 4], pa.float32())})
    rows = frame_rows(make(narrow), 64)
    assert (rows.dtype, rows.tolist()) == (np.float32, [[np.float32(0.1), 3], [2, 4]])
    assert frame_rows(make(narrow.append_column("c", [[1, 2]])), 64).dtype == np.float64


@every_frame
def test_a_width_decides_whether_numbers_are_hashed(make: Make) -> None:
    assert not sp.issparse(frame_rows(make(NUMBERS), 3, width=3))
    assert abs(frame_rows(make(NUMBERS), 64, width=64) - hash_rows(NUMBERS.to_pylist(), 64)).nnz == 0


@every_frame
@pytest.mark.parametrize("like", [1.5, "text"])
def test_a_gap_is_named_with_column_and_row(make: Make, like: Any) -> None:
    with pytest.raises(onebit.DataError, match=r"frame: column 'gap' is missing in row 1 \(from 0\); rows must be"):
        frame_rows(make(NUMBERS.append_column("gap", [[like, None, like]])), 64)


def test_what_is_no_frame() -> None:
    others = [np.eye(2), [[1.0]], [{"a": 1}], {"a": [1.0]}, sp.eye_array(2), "frame", None]
    assert not any(is_frame(X) or is_named_row(X) for X in others)
    with pytest.raises(onebit.DataError, match="cases: is a ndarray, and no table of named columns; give a pandas"):
        to_arrow(np.eye(2), "cases")
    with pytest.raises(onebit.DataError, match="cannot be handed over to Arrow .*non-struct type"):
        to_arrow(pa.array([1.0]))


# Kinds of columns


def test_columns_of_every_kind() -> None:
    table = pa.table(
        {
            "decimal": pa.array([Decimal("1.25"), Decimal(2)]),
            "half": pa.array(np.array([0.5, 2], np.float16)),
            "codes": pa.array([7, 8]).dictionary_encode(),
            "u64": pa.array([2**63, 1], pa.uint64()),
        }
    )
    assert frame_rows(table, 64).tolist() == [[1.25, 0.5, 7, 2.0**63], [2, 2, 8, 1]]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("categories", [False, True])
def test_text_of_every_kind(kind: Any, categories: bool) -> None:
    column = pa.array(["u", "ö", "u"], pa.string())
    values = column.dictionary_encode().cast(pa.dictionary(pa.int32(), kind)) if categories else column.cast(kind)
    assert abs(frame_rows(pa.table({"a": values}), 64) - hash_rows([{"a": text} for text in "uöu"], 64)).nnz == 0


@pytest.mark.parametrize("values", [pa.array([0, 1], pa.timestamp("s")), pa.array([[1], [2]]), pa.array([b"a", b"b"])])
def test_other_columns_are_refused_with_a_remedy(values: Any) -> None:
    with pytest.raises(onebit.DataError, match=r"frame: column 'when' holds .*: leave the column out, or turn it into"):
        frame_rows(pa.table({"a": ["x", "y"], "when": values}), 64)


def test_tables_that_cannot_be_rows() -> None:
    with pytest.raises(onebit.DataError, match="frame: has no columns"):
        frame_rows(pa.table({}), 64)
    with pytest.raises(onebit.DataError, match="frame: has several columns named 'a'"):
        frame_rows(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), 64)
    with pytest.raises(onebit.DataError, match="column 'a' is inf in row 1"):
        frame_rows(pa.table({"a": [1.0, np.inf]}), 64)


def test_parts_of_a_table_and_tables_of_parts() -> None:
    assert frame_rows(NUMBERS.slice(1), 64).tolist() == WANTED[1:]
    assert frame_rows(NUMBERS.to_batches()[0].slice(2), 64).tolist() == WANTED[2:]
    joined = pa.concat_tables([NUMBERS.slice(1), NUMBERS.slice(0, 0), NUMBERS.slice(0, 1)])
    assert frame_rows(joined, 64).tolist() == [*WANTED[1:], WANTED[0]]
    mixed = pa.concat_tables([MIXED.slice(1), MIXED.slice(0, 1)])
    assert abs(frame_rows(mixed, 64) - hash_rows(mixed.to_pylist(), 64)).nnz == 0


def test_a_table_without_rows_has_none() -> None:
    assert frame_rows(NUMBERS[:0], 64).shape == (0, 3)
    assert frame_rows(MIXED[:0], 64).shape == (0, 64)


# pandas


def test_the_index_of_pandas_is_no_feature() -> None:
    pandas = pytest.importorskip("pandas")
    for index in (pandas.Index([5, 3, 9], name="id"), pandas.Index([5, 3, 9]), pandas.Index(list("abc"), name="id")):
        assert frame_rows(_as_pandas().set_index(index), 64).tolist() == WANTED


def test_columns_of_pandas_may_have_numbers_for_names() -> None:
    pandas = pytest.importorskip("pandas")
    assert frame_rows(pandas.DataFrame(np.eye(2)), 64).tolist() == [[1, 0], [0, 1]]


def test_columns_of_pandas_that_arrow_cannot_hold() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(onebit.DataError, match="cannot be handed over to Arrow .*column a with type object"):
        frame_rows(pandas.DataFrame({"a": [1, "x"]}), 64)


def test_a_series_is_a_vector_or_a_dict_row() -> None:
    pandas = pytest.importorskip("pandas")
    row = _as_pandas().iloc[0]
    assert is_named_row(row)
    assert not is_frame(row)
    assert np.asarray(named_values(row)).tolist() == WANTED[0]
    assert named_values(row, width=64) == {"weight": 4.25, "legs": 4, "tame": True}
    assert named_values(pandas.Series([1.5, 2], index=[0, 1]), width=64) == {"0": 1.5, "1": 2.0}
    assert named_values(MIXED.to_pandas().iloc[1]) == MIXED.to_pylist()[1]


def test_a_gap_in_a_series_is_named() -> None:
    pandas = pytest.importorskip("pandas")
    for gap in (None, pandas.NA, np.nan):
        with pytest.raises(onebit.DataError, match="row: feature 'b' is missing"):
            named_values(pandas.Series({"a": "x", "b": gap}, dtype=object))


def _as_pandas() -> Any:
    return NUMBERS.to_pandas()


# Columns of labels


def _columns() -> dict[str, Callable[[list[str]], Any]]:
    def pandas(**kind: Any) -> Callable[[list[str]], Any]:
        return lambda values: pytest.importorskip("pandas").Series(values, **kind)

    def polars(kind: str) -> Callable[[list[str]], Any]:
        def make(values: list[str]) -> Any:
            return pytest.importorskip("polars").Series(values, dtype=getattr(pytest.importorskip("polars"), kind))

        return make

    return {
        "pandas": pandas(),
        "pandas category": pandas(dtype="category"),
        "polars": polars("String"),
        "polars category": polars("Categorical"),
        "array": pa.array,
        "array of categories": lambda values: pa.array(values).dictionary_encode(),
        "chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
        "chunks of categories": lambda values: pa.chunked_array([values[:1], values[1:]]).dictionary_encode(),
    }


@pytest.mark.parametrize("make", _columns().values(), ids=_columns())
def test_a_column_of_any_package_is_an_array(make: Any) -> None:
    assert column_values(make(["u", "v", "u"])).tolist() == ["u", "v", "u"]
    gap = column_values(make(["u", "v", None])).tolist()
    assert gap[:2] == ["u", "v"]
    assert is_missing(gap[2])


def test_a_table_is_no_column() -> None:
    with pytest.raises(onebit.DataError, match="y: is a Table of struct.*; give one column"):
        column_values(NUMBERS)


# What is imported


def test_arrays_need_none_of_the_packages() -> None:
    script = (
        "import sys, numpy as np, onebit\n"
        "learner = onebit.Banditron(2)\n"
        "learner.learn(learner.decide(np.ones(2)), True)\n"
        "learner.predict([[1.0, 2.0]])\n"
        "onebit.streams.from_arrays(np.eye(2), [0, 1])\n"
        "print([name for name in ('pandas', 'polars', 'pyarrow', 'duckdb') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_arrow_tables_need_neither_pandas_nor_polars() -> None:
    script = (
        "import io, sys, pyarrow.csv\n"
        "from onebit.features.frames import frame_rows\n"
        "table = pyarrow.csv.read_csv(io.BytesIO(b'a,b\\n1.5,x'))\n"
        "assert frame_rows(table.select(['a']), 64).tolist() == [[1.5]]\n"
        "print([name for name in ('pandas', 'polars', 'duckdb') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_very_wide_tables_take_time_in_proportion() -> None:
    wide = pa.table({**{f"c{j}": [0.0, 1.0] for j in range(20_000)}, "y": ["a", "b"]})
    began = perf_counter()
    assert onebit.streams.from_frame(wide, "y").n_features == 20_000
    assert perf_counter() - began < 15  # a minute and more, where every name was compared with every other


DAMAGED = {
    "text that is not UTF-8": pa.array([b"\xff\xfe", b"ok"]).view(pa.string()),
    "an offset beyond the text": pa.StringArray.from_buffers(
        2, pa.py_buffer(np.array([0, 10**6, 5], np.int32)), pa.py_buffer(b"abcde")
    ),
    "a category that there is not": pa.DictionaryArray.from_arrays(
        pa.array([0, 9], pa.int8()), pa.array(["x", "y"]), safe=False
    ),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_arrow_data_are_refused_at_every_door(what: str) -> None:
    table = pa.table({"a": DAMAGED[what], "b": [1.0, 2.0]})
    learner = onebit.OneBit(3)
    for take in (
        learner.decide_many,
        lambda given: learner.decide_many(given.to_batches()[0]),
        onebit.Banditron(3).predict,
        lambda given: onebit.streams.from_frame(given, "b"),
        lambda given: onebit.streams.from_frame(given, "a"),
        lambda given: onebit.streams.from_arrays(given, [0, 1]),
        lambda given: onebit.streams.from_arrays(np.eye(2), given["a"]),
    ):
        with pytest.raises(DataError, match="is damaged .*; decode its text"):
            take(table)
    assert learner._session.layout is None
