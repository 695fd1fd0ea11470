"""onebit run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from onebit import Banditron, NoisyBit, simulate
from onebit.streams import load, synsep
from tests.cli.conftest import Command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A CSV file with two numbers, a word and the label."""
    draw = np.random.default_rng(0)
    labels = draw.integers(2, size=80)
    lines = [
        f"{x:.3f},{-x:.3f},{'red' if x > 1 else 'blue'},{'yes' if x > 0.5 else 'no'}"
        for x in labels + draw.normal(size=80) / 9
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["up,down,colour,answer", *lines]) + "\n")
    return path


def test_prints_a_table(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "perceptron", "--data", "synsep", "--rounds", "2e3", "--seeds", 2)
    assert outcome.code == 0
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0] == "synsep: 400 features, 9 classes; 2,000 rounds, seeds 0, 1"
    assert lines[2].split() == ["learner", "feedback", "error", "greedy", "error", "updates", "ns/round"]
    assert [line.split()[:2] for line in lines[4:]] == [["banditron", "bit"], ["perceptron", "full"]]
    assert "\x1b" not in outcome.out
    assert max(map(len, lines)) <= 80


def test_json_is_what_simulate_gives(onebit: Command) -> None:
    outcome = onebit(
        "run", "banditron", "--data", "synsep", "--rounds", 1000, "--seeds", "3,5", "--set", "gamma=2^-4",
        "--feedback", "noisy:0.1,0.2", "--delay", "0:9", "--workers", 1, "--json",
    )  # fmt: skip
    (record,) = json.loads(outcome.out)["results"]
    expected = simulate(
        Banditron(9, gamma=2**-4), synsep(), NoisyBit(0.1, 0.2, delay=(0, 9)), rounds=1000, seeds=[3, 5]
    )
    assert record["errors"] == expected.errors
    assert record["seeds"] == [3, 5]
    assert record["curve"] == expected.curve.to_pydict()
    assert record["settings"]["feedback"] == expected.settings["feedback"]
    assert record["complete"]


def test_normalize_bias_and_dtype(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "--data", "digits", "--normalize", "--bias", "--dtype", "float32", "--json")
    (record,) = json.loads(outcome.out)["results"]
    expected = simulate(Banditron(range(10), dtype="float32"), load("digits", normalize=True, bias=True))
    assert record["errors"] == expected.errors
    assert record["settings"]["stream"]["features"] == 65


def test_normalize_on_rows_that_are_drawn(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "--data", "synsep", "--rounds", 500, "--normalize", "--json")
    (record,) = json.loads(outcome.out)["results"]
    assert record["errors"] == simulate(Banditron(9, normalize=True), synsep(500)).errors


def test_delay_without_feedback_keeps_each_learners_kind(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "perceptron", "--data", "iris", "--delay", 5, "--json")
    feedback = [record["settings"]["feedback"] for record in json.loads(outcome.out)["results"]]
    assert feedback == [{"channel": "bit", "delay": 5}, {"channel": "full", "delay": 5}]


def test_out_writes_tables_settings_and_figures(onebit: Command, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "results"
    outcome = onebit("run", "banditron", "perceptron", "--data", "iris", "--seeds", 2, "--out", folder)
    assert outcome.code == 0
    names = {path.name for path in folder.iterdir()}
    tables = {"banditron.parquet", "banditron.json", "perceptron.parquet", "perceptron.json"}
    assert names == tables | {"curve.svg", "curve.png"}
    assert set(pyarrow.parquet.read_table(folder / "banditron.parquet")["seed"].to_pylist()) == {0, 1}
    assert json.loads((folder / "perceptron.json").read_text())["learner"]["name"] == "perceptron"
    assert outcome.err == f"wrote 6 files to {folder}\n"


def test_a_file_with_numbers(onebit: Command, table: Path) -> None:
    outcome = onebit("run", "banditron", "--data", table, "--label", "answer", "--hash-features", "2^8", "--json")
    (record,) = json.loads(outcome.out)["results"]
    assert record["settings"]["stream"]["kind"] == "sparse"
    assert record["rounds"] == [80]


def test_a_file_with_text_and_chosen_columns(onebit: Command, table: Path) -> None:
    data = ("run", "banditron", "--data", table, "--label", "answer", "--json")
    streams = [
        json.loads(onebit(*data, *more).out)["results"][0]["settings"]["stream"]
        for more in ((), ("--columns", "up,down"), ("--columns", "colour", "--columns", "up"))
    ]
    assert [one["features"] for one in streams] == [3, 2, 2]
    assert [one["kind"] for one in streams] == ["cases", "dense", "cases"]
    assert [one.get("columns") for one in streams] == [["up", "down", "colour"], None, ["colour", "up"]]


def test_bad_input_is_one_line_and_exit_2(onebit: Command, table: Path) -> None:
    data = ("--data", "synsep", "--rounds", "100")
    wrong = {
        ("banditrn", *data): "learner='banditrn': no such learner; did you mean banditron?",
        ("banditron", "banditron", *data): "learner='banditron': named twice",
        ("banditron", *data, "--set", "gamma"): "--set 'gamma': write NAME=VALUE",
        ("banditron", *data, "--set", "gamme=1"): "banditron has no parameter gamme",
        ("banditron", *data, "--set", "gamma=7"): "gamma=7: must be a number from 0 to 1",
        ("banditron", *data, "--feedback", "loud"): "feedback='loud': must be full, bit or noisy",
        ("banditron", *data, "--feedback", "noisy:0.2"): "must be noisy:RHO_0,RHO_1, with a number for each",
        ("banditron", *data, "--feedback", "noisy:0.6,0.4"): "their sum must be below 1",
        ("perceptron", *data, "--feedback", "bit"): "--feedback bit: perceptron needs full",
        ("banditron", *data, "--feedback", "full"): "--feedback full: banditron needs bit or noisy",
        ("banditron", "--data", "synsep", "--rounds", "ten"): "--rounds 'ten': must be a whole number",
        ("banditron", "--data", "synsep", "--rounds", "0"): "rounds=0: must be a whole number, 1 or larger",
        ("banditron", *data, "--seeds", "0"): "seeds=0: must be a whole number, 1 or larger, or a list of seeds",
        ("banditron", *data, "--seeds", "1,1"): "none twice",
        ("banditron", *data, "--delay", "9:1"): "delay=(9, 1)",
        ("banditron", *data, "--dtype", "int8"): "dtype='int8'",
        ("banditron", *data, "--workers", "0"): "workers=0",
        ("banditron", *data, "--workers", "two"): "--workers",
        (
            "banditron",
            *data,
            "--columns",
            "y",
        ): "--label, --columns, --hash-features, --text and the like are for files",
        (
            "banditron",
            "--graph",
            "edges.csv",
            "--labels",
            "topics.csv",
            "--columns",
            "y",
        ): "--columns: is not for a graph",
        ("banditron", *data, "--label", "y"): "--label, --columns, --hash-features, --text and the like are for files",
        ("banditron", *data, "--bias"): "bias=True: synsep is drawn as it is played",
        ("banditron", *data, "--loud"): "No such option: --loud",
        ("banditron",): "--data: nothing to play; give --data NAME, or --graph FILE with --labels FILE",
        data: "Missing argument",
    }
    for arguments, message in wrong.items():
        outcome = onebit("run", *arguments)
        assert message in outcome.one_line_error, arguments
        assert outcome.code == 2, arguments


def test_bad_data_is_one_line_and_exit_1(onebit: Command, table: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    wrong = {
        ("--data", "minst"): "no such data set; did you mean mnist?",
        ("--data", str(tmp_path / "none.csv"), "--label", "y"): "none.csv: there is no such file",
        ("--data", str(table), "--label", "topic"): "label='topic'",
        ("--data", str(table)): "holds the right label? Give label=NAME (--label NAME); the columns are 'up', 'down'",
        (
            "--data",
            str(table),
            "--label",
            "answer",
            "--columns",
            "up,high",
        ): "has no column 'high'; its columns are 'up'",
        ("--data", str(table.with_suffix("")), "--label", "answer"): "there is no such file; did you mean table.csv?",
        ("--data", str(tmp_path / "empty.csv"), "--label", "y"): "empty.csv",
        ("--data", "synsep", "--out", str(table / "results")): "cannot be made a folder (Not a directory)",
    }
    for arguments, message in wrong.items():
        outcome = onebit("run", "banditron", *arguments)
        assert message in outcome.one_line_error, arguments
        assert outcome.code == 1, arguments


def test_a_file_named_without_its_ending(onebit: Command, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.parent)
    for command in (("run", "banditron", "--data", "table", "--label", "answer"), ("data", "show", "table")):
        outcome = onebit(*command)
        assert outcome.one_line_error == "'table': there is no such data set, but a file table.csv; write table.csv"
        assert outcome.code == 1
