"""Gaps are found wherever a table has them, and are then looked for no more."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from onebit.streams.tables.gaps import GapSearch


@pytest.mark.parametrize("gap", [pa.array([1, None]), pa.array([True, None]), pa.array([1.5, np.nan])])
def test_a_gap_of_any_kind_is_found(gap: pa.Array) -> None:
    search = GapSearch(["full", "gap"])
    search.add(pa.table({"full": [1.0], "gap": gap.slice(0, 1)}))
    assert (search.found, search.names) == (False, ["full", "gap"])
    search.add(pa.table({"full": [1.0, np.inf], "gap": gap, "other": [None, None]}))
    assert (search.found, search.names) == (True, [])
    search.add(pa.table({"elsewhere": [1]}))
    assert search.found


def test_only_the_columns_asked_for_are_looked_at() -> None:
    search = GapSearch(["full"])
    search.add(pa.table({"full": [1], "gap": pa.array([None], pa.int64())}))
    assert not search.found
