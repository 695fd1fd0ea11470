"""pandas, polars and DuckDB read our logs, and we read theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from onebit.log import read_log
from tests.log.samples import NAMES, batch, layout, written

SENT = batch(50, m=2, k=2, kind="sparse")
WIDE = batch(50, kind="dense", dtype="float32")


@pytest.fixture(params=["log.parquet", "folder"])
def sets(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "sets" / str(request.param)
    return written(path, SENT, set_size=2, top_size=2, has_row=True, layout=layout("sparse"))


@pytest.fixture(params=["log.parquet", "folder"])
def single(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "single" / str(request.param)
    return written(path, WIDE, classes=[3, 5, 7, 9], layout=layout("dense", "float32"))


def _check(columns: dict[str, Any]) -> None:
    rows: Any = SENT.rows
    assert list(columns["id"]) == list(range(50))
    assert [tuple(labels) for labels in columns["played"]] == [
        tuple(NAMES[k] for k in row) for row in SENT.draws.labels[:, :2]
    ]
    assert [tuple(labels) for labels in columns["top"]] == [
        tuple(NAMES[k] for k in row) for row in SENT.draws.labels[:, 2:]
    ]
    assert list(columns["bit"]) == [bool(bit) for bit in SENT.answer]
    assert [i for row in columns["indices"] for i in row] == rows.indices.tolist()
    assert [v for row in columns["values"] for v in row] == rows.values.tolist()


def _check_single(columns: dict[str, Any]) -> None:
    assert list(columns["played"]) == (2 * WIDE.draws.labels[:, 0] + 3).tolist()
    assert np.array_equal(np.array(list(columns["features"]), np.float32), WIDE.rows.X)


def test_pandas(sets: Path, single: Path) -> None:
    _check({name: column.tolist() for name, column in pd.read_parquet(sets).items()})
    _check_single({name: column.tolist() for name, column in pd.read_parquet(single).items()})


def test_polars(sets: Path, single: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    _check(polars.read_parquet(sets).to_dict(as_series=False))
    frame = polars.read_parquet(single)
    _check_single(frame.to_dict(as_series=False))
    assert read_log(frame).played.tolist() == read_log(single).played.tolist()


def test_polars_writes_a_log_for_us(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(
        {"played": [["a", "b"], ["c", "a"]], "propensity": [0.5, 1.0], "bit": [True, False], "features": [[1.0], [2.0]]}
    )
    frame.write_parquet(tmp_path / "a.parquet")
    table = read_log(tmp_path / "a.parquet")
    assert table.played.tolist() == [["a", "b"], ["c", "a"]]
    assert table.rows.tolist() == [[1.0], [2.0]]


def test_duckdb(sets: Path, single: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    for path, check in ((sets, _check), (single, _check_single)):
        pattern = path if path.is_file() else path / "*.parquet"
        found = duckdb.sql(f"select * from '{pattern}'")
        columns = dict(zip(found.columns, zip(*found.fetchall(), strict=True), strict=True))
        check(columns)
        assert read_log(found).bit.tolist() == list(columns["bit"])
