"""Results as cells and records."""

from __future__ import annotations

import inspect
import json

from onebit import Banditron, Bit, Perceptron, simulate
from onebit.report import tables
from onebit.report.tables import HEADER, result_record, results_rows, results_title
from onebit.streams import synsep


def test_rows_and_title() -> None:
    results = [
        simulate(Banditron(9), synsep(500), Bit(delay=3), seeds=3),
        simulate(Perceptron(9), synsep(500), seeds=3),
    ]
    rows = results_rows(results)
    assert [row[:2] for row in rows] == [["banditron", "bit delay 3"], ["perceptron", "full"]]
    assert all(len(row) == len(HEADER) for row in rows)
    assert rows[0][2].startswith(f"{100 * results[0].error:.2f} ± ")
    assert results_title(results) == "synsep: 400 features, 9 classes; 500 rounds, seeds 0 to 2"


def test_same_learner_twice_is_told_apart() -> None:
    results = [simulate(Banditron(9, gamma=gamma), synsep(50)) for gamma in (0.5, 0.25)]
    assert [row[0] for row in results_rows(results)] == ["banditron gamma=0.5", "banditron gamma=0.25"]


def test_record_is_json_and_complete() -> None:
    result = simulate(Banditron(9), synsep(500), seeds=[4, 2])
    record = json.loads(json.dumps(result_record(result)))
    assert record["errors"] == result.errors
    assert record["curve"] == result.curve.to_pydict()
    assert record["settings"] == result.settings


def test_a_table_is_made_without_what_draws() -> None:
    used = {inspect.getmodule(value) for value in vars(tables).values() if callable(value)}
    drawing = [module.__name__ for module in used if module and "matplotlib" in inspect.getsource(module)]
    assert not [name for name in drawing if name.startswith("onebit.plots")]
