"""Rows by name, in the columns of a stream: one at a time, many, as dicts and as frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import onebit
from onebit.features import hash_rows
from onebit.features.named_rows import rows_by_name
from onebit.streams import from_frame, mapped
from tests.features.samples import every_frame

PETS = pa.table(
    {"weight": [4.1, 0.3, 9.0], "food": ["fish", "seed", "meat"], "tame": [True, True, False], "y": [0, 1, 0]}
)
STREAM = from_frame(PETS, "y", name="pets")
ROW = {"tame": True, "food": "meat", "weight": 2.5, "owner": "ann"}


def test_a_dict_is_one_row_and_a_list_of_them_a_table() -> None:
    assert STREAM.seen(ROW).tolist() == [2.5, 0, 1, 0, 1]
    assert STREAM.seen([ROW, ROW]).tolist() == [[2.5, 0, 1, 0, 1]] * 2
    assert STREAM.seen(PETS.to_pylist()).tolist() == STREAM.X.tolist()


@every_frame
def test_a_frame_is_a_table_whatever_the_order_of_its_columns(make: Callable[[pa.Table], Any]) -> None:
    live = make(PETS.select(["y", "tame", "food", "weight"]))
    assert STREAM.seen(live).tolist() == STREAM.X.tolist()


def test_a_series_is_one_row() -> None:
    pytest.importorskip("pandas")
    assert STREAM.seen(PETS.to_pandas().iloc[1]).tolist() == STREAM.X[1].tolist()


def test_an_unknown_value_has_no_feature_in_dicts_and_frames() -> None:
    for one in (
        ROW | {"food": "grass"},
        pa.table({name: [value] for name, value in (ROW | {"food": "grass"}).items()}),
    ):
        assert np.ravel(STREAM.seen(one)).tolist() == [2.5, 0, 0, 0, 1]


def test_options_are_applied() -> None:
    stream = from_frame(PETS, "y", normalize=True, bias=True)
    assert stream.seen(PETS).tolist() == stream.X.tolist()
    assert stream.seen(PETS.to_pylist()[2]).tolist() == stream.X[2].tolist()


def test_hashed_rows() -> None:
    stream = from_frame(PETS, "y", hash_features=64)
    want = hash_rows([{"weight": 2.5, "food": "meat", "tame": True}], 64)
    assert abs(stream.seen(ROW) - want).nnz == 0
    assert abs(stream.seen(PETS) - stream.X).nnz == 0
    assert stream.feature_names == ()


def test_numbers_may_be_of_another_type_than_they_were() -> None:
    whole = from_frame(pa.table({"a": pa.array([1, 2], pa.int8()), "y": [0, 1]}), "y")
    assert whole.seen({"a": 1.5}).tolist() == [1.5]
    assert whole.seen({"a": np.float32(0.5)}).tolist() == [0.5]
    assert whole.seen(pa.table({"a": [1.5, 700]})).tolist() == [[1.5], [700]]


def test_arrays_are_as_they_were() -> None:
    assert STREAM.seen(STREAM.X) is STREAM.X
    assert STREAM.seen([[1.0, 2.0]]) == [[1.0, 2.0]]


def test_through_a_map() -> None:
    curved = mapped(STREAM, onebit.features.RandomFourier(4))
    table = curved.seen(PETS)
    assert table.tolist() == curved.X.tolist()
    assert curved.seen(PETS.to_pylist()[1]) == pytest.approx(table[1], rel=1e-12)


def test_what_a_learner_says_without_it() -> None:
    learner = onebit.Banditron(STREAM.classes)
    learner.decide(STREAM.seen(ROW))
    for live in (ROW, PETS.drop_columns("y")):
        with pytest.raises(onebit.DataError, match=r"stream\.seen\("):
            learner.predict(live)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"food": 3}, r"row: column 'food' .*; give text, as pets has there"),
        ({"food": None}, "row: column 'food' is missing"),
        ({"weight": None}, "row: column 'weight' is missing"),
        ({"weight": float("nan")}, "row: column 'weight' is missing"),
        ({"weight": float("inf")}, "row: column 'weight' is inf"),
        ({"weight": "2.5"}, r"row: column 'weight' .*; give (a finite number|numbers), as pets has there"),
        ({"weight": [2.5]}, r"row: column 'weight' "),
    ],
)
def test_values_that_cannot_be(changed: dict[str, Any], message: str) -> None:
    bad = ROW | changed
    for live in (bad, [ROW, bad], pa.table({name: [value] for name, value in bad.items()})):
        with pytest.raises(onebit.DataError, match=message):
            STREAM.seen(live)


def test_a_missing_column_is_named() -> None:
    for live in ({"weight": 1.0, "tame": True}, pa.table({"weight": [1.0], "tame": [True]})):
        with pytest.raises(onebit.DataError, match="row: has no column 'food', .* pets; it has 'weight', 'tame'"):
            STREAM.seen(live)


def test_what_is_no_dict_among_dicts() -> None:
    with pytest.raises(onebit.DataError, match="row: 3 stands among dict rows"):
        rows_by_name(STREAM._features, [ROW, 3])
