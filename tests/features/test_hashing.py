"""Hashing of dict rows and of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.features import hash_columns, hash_rows

WIDTH = 2**18


def entries(row: dict[str, Any], width: int = WIDTH) -> dict[int, float]:
    table = hash_rows([row], width)
    return dict(zip(table.indices.tolist(), table.data.tolist(), strict=True))


def test_numbers_keep_their_value_under_their_name() -> None:
    (place,) = entries({"weight": 1.0})
    for value in (2.5, -3, np.float32(0.5), np.int64(7)):
        assert entries({"weight": value}) == {place: float(value)}
    assert entries({"weight": 0.0}) == {}


def test_booleans_are_one_and_zero() -> None:
    assert entries({"new": True}) == entries({"new": 1}) == entries({"new": np.True_})
    assert entries({"new": False}) == entries({"new": np.False_}) == {}


def test_each_string_is_a_feature_of_its_own() -> None:
    red, blue = entries({"colour": "red"}), entries({"colour": "blue"})
    assert list(red.values()) == list(blue.values()) == [1.0]
    assert set(red) != set(blue)
    assert red == entries({"colour=red": 1.0})


def test_rows_do_not_depend_on_each_other_nor_on_order() -> None:
    rows = [{"a": 1.0, "b": "x"}, {}, {"b": "x", "a": 1.0}]
    table = hash_rows(rows, WIDTH)
    assert table.shape == (3, WIDTH)
    assert table[1].nnz == 0
    assert (table[[0]] != table[[2]]).nnz == 0


def test_names_that_meet_are_added_up() -> None:
    assert entries({"a": 2.0, "b": 3.0, "c": "x"}, 1) == {0: 6.0}


@pytest.mark.parametrize("value", [None, [1.0], 1j, b"bytes"])
def test_other_values_raise(value: Any) -> None:
    with pytest.raises(onebit.DataError, match="feature 'a' is"):
        hash_rows([{"a": value}], WIDTH)


def test_names_are_strings() -> None:
    with pytest.raises(onebit.DataError, match="feature name 3 is not a string"):
        hash_rows([{3: 1.0}], WIDTH)  # type: ignore[dict-item]  # the mistake under test


def test_a_learner_refuses_nan_and_none_in_a_dict_row_before_it_changes() -> None:
    learner = onebit.Banditron(["no", "yes"], cases=None)
    for value in (float("nan"), float("inf"), None):
        with pytest.raises(onebit.DataError, match="feature"):
            learner.decide({"a": value, "b": "x"})
    assert learner.decisions == 0
    assert learner.decide({"a": 1.0, "b": "x"}).id == 0


@pytest.mark.parametrize("width", [1, 3, 64, WIDTH])
def test_columns_are_hashed_as_rows_are(width: int) -> None:
    columns: dict[str, Any] = {
        "n": np.array([1.5, 0.0, -2.0, 4.0]),
        "flag": np.array([1.0, 0.0, 0.0, 1.0]),
        "t": ["x", "y", "x", ""],
        "u": ["x", "x", "z", "x=y"],
    }
    rows = [{name: column[i] for name, column in columns.items()} for i in range(4)]
    table, want = hash_columns(columns, width), hash_rows(rows, width)
    assert table.shape == want.shape
    assert table.has_canonical_format
    assert (table.toarray() == want.toarray()).all() if width < WIDTH else abs(table - want).nnz == 0
