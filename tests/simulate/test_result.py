"""Result: numbers, tables, files."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import onebit
from onebit import Banditron, Bit, NoisyBit, OnebitError, OutputError, Result, simulate
from onebit.streams import from_arrays, synsep


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(Banditron(9, gamma=0.05), synsep(1234), NoisyBit(0.1, 0.2, delay=(0, 5)), seeds=[3, 1, 7])


def test_numbers_are_means_over_seeds(result: Result) -> None:
    finals = [(t.mistakes[-1] / 1234, t.greedy_mistakes[-1] / 1234, t.updates[-1]) for t in result.traces]
    errors, greedy, updates = zip(*finals, strict=True)
    assert result.errors == list(errors)
    assert result.error == pytest.approx(np.mean(errors), rel=1e-15)
    assert result.greedy_errors == list(greedy)
    assert result.greedy_error == pytest.approx(np.mean(greedy), rel=1e-15)
    assert result.updates == round(np.mean(updates))
    assert len(result.seconds) == 3
    assert result.nanoseconds == pytest.approx(1e9 * sum(result.seconds) / (3 * 1234))


def test_curve_has_a_row_per_seed_and_checkpoint(result: Result) -> None:
    curve = result.curve.to_pydict()
    assert list(curve) == ["seed", "rounds", "error", "greedy_error", "updates"]
    last = [at for at, rounds in enumerate(curve["rounds"]) if rounds == 1234]
    assert [curve["seed"][at] for at in last] == [3, 1, 7]
    assert [curve["error"][at] for at in last] == result.errors
    assert [curve["greedy_error"][at] for at in last] == result.greedy_errors
    assert len(curve["rounds"]) == sum(len(trace.rounds) for trace in result.traces)


def test_arrow_carries_the_settings(result: Result) -> None:
    table = result.to_arrow()
    assert table.equals(result.curve)
    settings = json.loads(table.schema.metadata[b"onebit"])
    assert settings["learner"]["parameters"]["gamma"] == 0.05
    assert settings["played"] == {"3": 1234, "1": 1234, "7": 1234}


def test_pandas(result: Result) -> None:
    frame = result.to_pandas()
    assert frame.groupby("seed")["error"].last().to_dict() == dict(zip(result.seeds, result.errors, strict=True))
    assert frame.attrs["onebit"]["seeds"] == [3, 1, 7]


def test_pandas_missing(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OnebitError, match="pip install pandas"):
        result.to_pandas()


def test_settings_survive_json(result: Result) -> None:
    assert json.loads(json.dumps(result.settings)) == result.settings
    assert result.settings["onebit"] == onebit.__version__
    assert result.settings["learner"]["name"] == "banditron"
    assert result.settings["stream"]["name"] == "synsep"
    assert result.settings["feedback"] == {"channel": "noisy:0.1,0.2", "rho_0": 0.1, "rho_1": 0.2, "delay": [0, 5]}
    assert (result.settings["rounds"], result.settings["seeds"]) == (1234, [3, 1, 7])


def test_settings_of_labels_that_json_does_not_know() -> None:
    labels = [("a", 1), frozenset("b"), 2.5]
    classes = np.empty(3, dtype=object)
    classes[:] = labels
    stream = from_arrays(np.eye(3), classes, classes=labels)
    settings = simulate(Banditron(labels), stream, rounds=20).settings
    assert json.loads(json.dumps(settings)) == settings
    assert settings["learner"]["parameters"]["classes"] == [["a", 1], "frozenset({'b'})", 2.5]


def test_result_is_frozen(result: Result) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.complete = False  # type: ignore[misc]  # the point


def test_summary(result: Result) -> None:
    lines = dict(
        line.split(maxsplit=1) for line in result.summary().replace("greedy error", "greedy_error").split("\n")
    )
    assert lines["learner"] == "Banditron(9, gamma=0.05)"
    assert lines["feedback"] == "noisy:0.1,0.2, delay (0, 5)"
    assert lines["seeds"] == "3 (3, 1, 7)"
    assert lines["error"].startswith(f"{100 * result.error:.2f} ± {100 * np.std(result.errors, ddof=1):.2f}")


def test_summary_of_one_seed_has_no_spread() -> None:
    summary = simulate(Banditron(9), synsep(100), Bit()).summary()
    assert "±" not in summary
    assert "nan" not in summary


def test_save(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "new" / "folder")
    table = pyarrow.parquet.read_table(tmp_path / "new" / "folder" / "curve.parquet")
    assert table.equals(result.curve)
    settings = json.loads((tmp_path / "new" / "folder" / "settings.json").read_text())
    assert settings == result.record() == json.loads(table.schema.metadata[b"onebit"])


@pytest.mark.parametrize("method", ["save", "plot"])
def test_unwritable(result: Result, tmp_path: Path, method: str) -> None:
    (tmp_path / "file").write_text("")
    target: Any = tmp_path / "file" / ("curve.svg" if method == "plot" else "folder")
    with pytest.raises(OutputError, match="cannot be written"):
        getattr(result, method)(target)
