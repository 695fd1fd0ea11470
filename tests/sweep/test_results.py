"""The results of a sweep as tables, and what is read from them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import onebit
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import paired_difference
from onebit.sweep.store import COLUMNS

GAMMAS = [0.01, 0.1]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> onebit.Results:
    streams = [onebit.streams.synsep(2000), onebit.streams.synnonsep(2000)]
    arms: list[Any] = [onebit.Arm(onebit.Banditron(9), {"gamma": GAMMAS}), onebit.Perceptron(9)]
    plan = onebit.Sweep.cross(arms, streams, seeds=4, tune_seeds=2)
    return onebit.sweep(plan, tmp_path_factory.mktemp("sweep"), workers=1, progress=False)


def test_one_row_per_cell(results: onebit.Results) -> None:
    cells = results.cells().to_pandas()
    assert len(cells) == results.cells_total == 2 * (2 * 2 + 4 + 4)
    assert set(cells["role"]) == {"tune", "report"}
    assert (cells.groupby("role")["seed"].agg(set)["tune"]) == {1000, 1001}
    assert (cells["error"] == cells["mistakes"] / cells["rounds"]).all()
    assert (cells["rounds"] == 2000).all()
    assert cells["cell"].is_unique
    frame = results.to_pandas()
    pd.testing.assert_frame_equal(frame, cells)
    assert frame.attrs["onebit"]["seeds"] == [0, 1, 2, 3]


def test_curves_end_where_cells_do(results: onebit.Results) -> None:
    curves = results.curves().to_pandas()
    last = curves.groupby("cell").tail(1).reset_index(drop=True)
    pd.testing.assert_frame_equal(last, results.cells().to_pandas())


def test_duckdb_and_polars_read_the_cells_directly(results: onebit.Results) -> None:
    pattern = str(results.folder / "cells" / "*.parquet")
    found = (
        duckdb.connect()
        .execute(
            f"""
        SELECT CAST(json_extract(parameters, '$.gamma') AS DOUBLE) AS gamma, avg(error) AS error
        FROM '{pattern}' WHERE learner = 'banditron' AND stream = 'synsep' AND seed >= 1000 AND rounds = 2000
        GROUP BY gamma ORDER BY gamma
        """
        )
        .fetchall()
    )
    entry = results.entry("banditron", "synsep")
    expected = [(c.parameters["gamma"], float(c.tune.errors.mean())) for c in entry.configurations]
    assert [gamma for gamma, _ in found] == GAMMAS
    assert [error for _, error in found] == pytest.approx([error for _, error in expected], rel=1e-12)
    frame = pl.read_parquet(pattern).filter((pl.col("rounds") == 2000) & (pl.col("learner") == "perceptron"))
    assert frame.height == 8
    assert tuple(frame.columns) == COLUMNS
    report = results.entry("perceptron", "synsep").report
    assert sorted(frame.filter(pl.col("stream") == "synsep")["error"]) == sorted(report.errors)


def test_a_cell_carries_its_settings(results: onebit.Results) -> None:
    from pyarrow import parquet

    path = next(iter((results.folder / "cells").glob("*.parquet")))
    settings = json.loads(parquet.read_schema(path).metadata[b"onebit"])
    assert settings["onebit"] == onebit.__version__
    assert {"learner", "stream", "feedback", "rounds", "seeds"} < set(settings)


def test_the_best_of_each_entry(results: onebit.Results) -> None:
    best = results.best().to_pylist()
    assert [(row["arm"], row["stream"]) for row in best] == [(e.arm, e.stream) for e in results.entries]
    for row, entry in zip(best, results.entries, strict=True):
        assert row["error"] == entry.report.errors.mean()
        assert row["error_std"] == pytest.approx(np.std(entry.report.errors, ddof=1), rel=1e-12)
        assert row["seeds"] == 4
        assert (row["tune_error"] is None) == (entry.arm == "perceptron")


def test_paired_differences_have_the_interval_of_a_paired_t_test(results: onebit.Results) -> None:
    a, b = (results.entry(arm, "synnonsep").report for arm in ("banditron", "perceptron"))
    found = results.paired("banditron", "perceptron", "synnonsep", level=0.9)
    low, high = stats.ttest_rel(a.errors, b.errors).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert found.mean == pytest.approx((a.errors - b.errors).mean(), rel=1e-12)
    assert found.seeds == (0, 1, 2, 3)
    reverse = results.paired("perceptron", "banditron", "synnonsep", level=0.9)
    assert reverse.mean == pytest.approx(-found.mean, rel=1e-12)
    with pytest.raises(onebit.ConfigError, match="metric='regret'"):
        results.paired("banditron", "perceptron", "synnonsep", metric="regret")


def test_one_seed_says_nothing_about_the_interval() -> None:
    four = np.array([[4]])
    one = Outcomes((3,), np.array([10]), four, four, four, np.array([0.1]), np.zeros((1, 2)))
    found = paired_difference(one, one)
    assert (found.mean, found.low, found.high) == (0, -np.inf, np.inf)


def test_entries_by_name(results: onebit.Results) -> None:
    with pytest.raises(
        onebit.ConfigError, match="2 entries fit; known are banditron, synsep, bit; banditron, synnonsep"
    ):
        results.entry("banditron")
    with pytest.raises(onebit.ConfigError, match="there is no such entry"):
        results.entry("confidit")


def test_the_summary_puts_the_best_of_each_stream_first(results: onebit.Results) -> None:
    lines = results.summary().splitlines()
    arms = [line.split()[:3] for line in lines[2:6]]
    assert [arm[0] for arm in arms] == ["synsep", "synsep", "synnonsep", "synnonsep"]
    first = results.entry(arms[0][2], "synsep").report.errors.mean()
    assert first <= results.entry(arms[1][2], "synsep").report.errors.mean()
    assert lines[-1] == "reported: seeds 0 to 3; settings chosen by the error on seeds 1000, 1001"


def test_an_unfinished_sweep_can_be_read(results: onebit.Results, tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    (tmp_path / "sweep.json").write_bytes((results.folder / "sweep.json").read_bytes())
    empty = onebit.open_results(tmp_path)
    assert (empty.complete, empty.cells_done, empty.cells_total) == (False, 0, results.cells_total)
    assert empty.entry("banditron", "synsep").best is None
    assert len(empty.entry("perceptron", "synsep").report) == 0
    assert "open" in empty.summary()
    assert empty.best()["error"].to_pylist() == [None] * 4
    with pytest.raises(onebit.OnebitError, match="no cell is done yet"):
        empty.cells()
    some = results.plan["entries"][1]["configurations"][0]["report"]["2"]
    (tmp_path / "cells" / f"{some}.parquet").write_bytes((results.folder / "cells" / f"{some}.parquet").read_bytes())
    partly = onebit.open_results(tmp_path)
    assert partly.cells_done == 1
    assert partly.entry("perceptron", "synsep").report.seeds == (2,)


@pytest.mark.parametrize(
    ("name", "value"),
    [("seeds", None), ("seeds", [10**400]), ("select", "luck"), ("versions", []), ("entries", [{}]), ("command", 3)],
)
def test_a_plan_that_was_changed(tmp_path: Path, name: str, value: Any) -> None:
    plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(100), seeds=1, tune_seeds=0)
    onebit.sweep(plan, tmp_path, executor=ThreadPoolExecutor(1), progress=False)
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    with pytest.raises(onebit.DataError, match=rf"sweep.json: damaged \({name}"):
        onebit.open_results(tmp_path)
