"""Cases of tables and of lists of dicts: by number, in any order, and told apart by their content."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import onebit
from onebit.features.case_rows import CaseRows, cases_of_dicts, cases_of_table

DICTS = [{"pet": f"p{i}", "weight": None if i % 3 else i / 2} for i in range(10_000)]
BOTH = [cases_of_dicts(DICTS), cases_of_table(pa.Table.from_pylist(DICTS))]


@pytest.mark.parametrize("rows", BOTH, ids=["dicts", "table"])
def test_any_of_them_in_any_order(rows: CaseRows) -> None:
    assert len(rows) == len(DICTS)
    assert list(rows) == DICTS
    assert (rows[7], rows[-1]) == (DICTS[7], DICTS[-1])
    assert list(rows[5:2:-1]) == DICTS[5:2:-1]
    order = np.random.default_rng(0).permutation(len(DICTS))
    assert list(rows[order]) == [DICTS[i] for i in order]
    assert list(rows[order][:3]) == [DICTS[i] for i in order[:3]]
    assert rows.columns == ["pet", "weight"]


def test_the_content_decides_the_digest() -> None:
    first, second = (rows.digest() for rows in BOTH)
    assert first == second
    assert cases_of_dicts(DICTS[1:]).digest() != first
    long = [{"v": np.zeros(5000), "d": {"a": 1}} for _ in range(2)]
    other = [{"v": np.zeros(5000), "d": {"a": 1}} for _ in range(2)]
    other[1]["v"][2500] = 1  # type: ignore[index]  # an array
    assert cases_of_dicts(long).digest() != cases_of_dicts(other).digest()


def test_dicts_are_copied() -> None:
    mine = {"pet": "cat"}
    rows = cases_of_dicts([mine])
    mine["pet"] = "dog"
    assert rows[0] == {"pet": "cat"}


def test_times_are_those_of_python() -> None:
    when = pa.array([1_700_000_000_000_000_123, None], pa.timestamp("ns", "UTC"))
    first, second = cases_of_table(pa.table({"when": when}))
    assert isinstance(first["when"], datetime.datetime)
    assert (first["when"].year, second["when"]) == (2023, None)


@pytest.mark.parametrize(
    ("table", "said"),
    [(pa.table({}), "has no columns"), (pa.table({"__index_level_0__": [1]}), "has no columns")],
)
def test_a_table_without_columns(table: Any, said: str) -> None:
    with pytest.raises(onebit.DataError, match=said):
        cases_of_table(table)
